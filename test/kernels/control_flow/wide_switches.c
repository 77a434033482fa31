/* Computes in scalar C what the kernel of wide_switches.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* The case of switch `which` for a value, found by comparisons. */
static u32 of_numbers(const uint64_t *numbers, int count, uint64_t number, const u32 *results, u32 otherwise)
{
    EACH(c, count) if (numbers[c] == number) return results[c];
    return otherwise;
}

static void wide_switches(const void *in, void *out, unsigned thread)
{
    (void)thread;
    static const uint64_t bytes[] = {0, 255, 128, 127, 64, 7, 200}, words[] = {0xffff, 0x8000, 0x7fff, 0, 1, 0xfffe},
                          dwords[] = {0xffffffff, 5, 0x80000000, 0x7fffffff, 6, 0},
                          quadwords[] = {0x700000001, 0x700000002, 0x700000003, 0x800000003, 0x700000004, 0x600000004},
                          all[] = {6, 1, 2, 5, 4, 3, 0, 7};
    IN(u32, a, 64, 0);
    EACH(k, 64)
    {
        u32 x = a[k], which = x >> 4 & 7, kind = x & 7;
        u32 of_bytes[] = {x + 3, x * 5, x >> 3, x ^ 0x55, ~x, x - 9, x << 2};
        u32 of_words[] = {x + 4, x * 7, x >> 5, x ^ 0xaa, 0 - x, x - 11};
        u32 of_dwords[] = {(x + 6) * 9, x * 9, x >> 7, x ^ 0x33, ~(x ^ 12), x - 13};
        u32 of_quadwords[] = {x + 8, x * 11, x >> 9, x ^ 0x66, ~x, x - 15};
        u32 of_all[] = {x + 10, x * 13, x >> 11, x ^ 0x99, ~x, x - 17, x << 3, x & 0xf0f0};
        if (kind == 0) {
            u32 number = which == 0 ? 0 : which == 1 ? 255 : which < 4 ? 125 + which : which * which * 4;
            a[k] = of_numbers(bytes, 7, number & 0xff, of_bytes, x);
        } else if (kind == 1) {
            u32 number = which < 3 ? which - 2 : which < 5 ? 32764 + which : which - 4;
            a[k] = of_numbers(words, 6, number & 0xffff, of_words, x + 1);
        } else if (kind < 4) {
            u32 number = kind == 3   ? (which & 1 ? 0 : 6)
                         : which < 2 ? which - 1
                         : which < 4 ? 0x7ffffffd + which
                                     : which + 1;
            a[k] = of_numbers(dwords, 6, number, of_dwords, ~x);
        } else if (kind < 6) {
            uint64_t number = kind == 4 ? (uint64_t)(7 - (x >> 7 & 1)) << 32 | which : 0x800000000u + (x >> 8 & 3);
            a[k] = of_numbers(quadwords, 6, number, of_quadwords, x + 2);
        } else {
            a[k] = of_numbers(all, 8, which, of_all, 0);
        }
    }
    OUT(0, a);
}

REFERENCE(wide_switches)
