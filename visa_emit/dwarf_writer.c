/* Writes numbers, texts and addresses of DWARF sections. */
#include <stdlib.h>
#include <string.h>
#include "visa_emit/dwarf_writer.h"

enum { ADDRESS_BYTES = 8, LENGTH_BYTES = 4 };

void dwarf_put(struct dwarf_writer *w, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        fputc((int)(value >> 8 * i & 0xff), w->out);
}

void dwarf_put_unsigned(struct dwarf_writer *w, uint64_t value)
{
    for (; value > 0x7f; value >>= 7)
        fputc((int)(value & 0x7f) | 0x80, w->out);
    fputc((int)value, w->out);
}

void dwarf_put_signed(struct dwarf_writer *w, int64_t value)
{
    for (; value < -64 || value > 63; value = value < 0 ? ~(~value >> 7) : value >> 7)
        fputc((int)(value & 0x7f) | 0x80, w->out);
    fputc((int)(value & 0x7f), w->out);
}

void dwarf_put_string(struct dwarf_writer *w, const char *text)
{
    fwrite(text, 1, strlen(text) + 1, w->out);
}

size_t dwarf_position(const struct dwarf_writer *w)
{
    return (size_t)ftell(w->out);
}

/* Reserves room for a length that dwarf_end_length() fills in; returns its offset. */
size_t dwarf_begin_length(struct dwarf_writer *w)
{
    size_t place = dwarf_position(w);
    dwarf_put(w, 0, LENGTH_BYTES);
    return place;
}

void dwarf_end_length(struct dwarf_writer *w, size_t place)
{
    size_t end = dwarf_position(w);
    fseek(w->out, (long)place, SEEK_SET);
    dwarf_put(w, end - place - LENGTH_BYTES, LENGTH_BYTES);
    fseek(w->out, (long)end, SEEK_SET);
}

/* Appends the address of byte `offset` of a kernel's code, which the loader fills in. */
void dwarf_put_address(struct dwarf_writer *w, size_t kernel, uint64_t offset)
{
    struct dwarf_section *s = w->section;
    struct dwarf_address *larger = realloc(s->addresses, (s->address_count + 1) * sizeof *larger);
    w->failed |= !larger;
    if (!larger)
        return;
    s->addresses = larger;
    s->addresses[s->address_count++] = (struct dwarf_address){dwarf_position(w), kernel, offset};
    dwarf_put(w, offset, ADDRESS_BYTES); /* for tools that do not know the relocation */
}

bool dwarf_open(struct dwarf_writer *w, struct dwarf_section *section)
{
    *w = (struct dwarf_writer){.section = section, .out = open_memstream(&section->data, &section->size)};
    return w->out != NULL;
}

bool dwarf_close(struct dwarf_writer *w)
{
    w->failed |= !w->out || ferror(w->out);
    if (w->out && fclose(w->out) != 0)
        w->failed = true;
    return !w->failed;
}

void dwarf_patch(struct dwarf_writer *w, size_t place, uint64_t value)
{
    size_t end = dwarf_position(w);
    fseek(w->out, (long)place, SEEK_SET);
    dwarf_put(w, value, LENGTH_BYTES);
    fseek(w->out, (long)end, SEEK_SET);
}
