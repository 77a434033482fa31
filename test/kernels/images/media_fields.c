/* Computes in scalar C what the kernel of media_fields.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* The bytes of a field's rows, from byte x of its row y on; what lies outside takes the edge's pixels. */
static void field_block(const u8 *image, u8 *to, int parity, int x, int y, int rows, int bytes)
{
    enum { PITCH = 64, ROWS = 8 };
    EACH(row, rows) EACH(byte, bytes)
    {
        int from = y + row < ROWS ? y + row : ROWS - 1;
        to[row * bytes + byte] = image[(from * 2 + parity) * PITCH + x + byte];
    }
}

static void media_fields(const void *in, void *out, unsigned thread)
{
    enum { PITCH = 64, OUT_BYTES = 448 };
    u8 *to = out, *image = to + OUT_BYTES, field[128];
    (void)thread;
    field_block(in, to, 0, 8, 2, 4, 32);
    field_block(in, to + 128, 1, 4, 1, 4, 32);
    field_block(in, field, 1, 0, 6, 4, 32);
    memcpy(to + 256, field, sizeof field);
    memset(to + 384, 0, 64);
    EACH(row, 5) memcpy(to + 384 + row * 12, image + (3 + row) * PITCH + 5, 12);

    EACH(k, 6) put16(image + 15 * PITCH + 2 * k, (u16)(get16((const u8 *)in + 15 * PITCH + 48 + 2 * k) + 1));
    EACH(k, 8) image[14 * PITCH + 20 + k] = (u8)~to[384 + 12 + k];
    EACH(row, 2) EACH(byte, 32) field[row * 32 + byte] ^= 255;
    EACH(row, 2)
    {
        memcpy(image + row * 2 * PITCH + 32, field + row * 32, 8);
        memcpy(image + ((1 + row) * 2 + 1) * PITCH + 40, field + row * 32 + 8, 4);
    }
    memcpy(image + 14 * PITCH + 60, field + 16, 4);
}

REFERENCE(media_fields)
