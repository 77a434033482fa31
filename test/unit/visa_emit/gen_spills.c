/* Tests the reading of spills in the finalizer's listing, and the mending of its numbers. Expected bytes are counted by
 * hand: registers of 32 or 64 bytes, from the offset on. */
#include "visa_emit/gen_spills.h"

#include "check.h"
#include "visa_emit/gen_numbers.h"

enum { GRF = 32, WIDE = 64 };

static void expect(const char *line, unsigned register_bytes, int kind, unsigned low, unsigned high, unsigned first)
{
    struct gen_spill s = gen_spill_of(line, strlen(line), register_bytes);
    CHECK((int)s.kind == kind, "%s: kind %d", line, (int)s.kind);
    if (kind != GEN_SPILL_NONE)
        CHECK(s.low == low && s.high == high && s.first == first, "%s: %u to %u, r%u", line, s.low, s.high, s.first);
    CHECK(!s.is_in_frame, "%s: in a frame", line);
}

static void expect_in_frame(const char *line, unsigned register_bytes, int kind, unsigned low, unsigned high,
                            unsigned first)
{
    struct gen_spill s = gen_spill_of(line, strlen(line), register_bytes);
    CHECK((int)s.kind == kind && s.low == low && s.high == high && s.first == first && s.is_in_frame,
          "%s: kind %d, %u to %u, r%u", line, (int)s.kind, s.low, s.high, s.first);
}

static void test_spills(void)
{
    expect("(W)     sends (16|M0)            null:uw  r97     r19     0x8A            0x020F1002           // wr:1h+2, "
           "rd:0; hdc.dc0; hword scratch block write x2 //  scratch space spill: SP_GRF_V59_0 from offset[2x32]; $24",
           GRF, GEN_SPILL_WRITE, 64, 128, 19);
    expect("(W)     send.dc0 (8|M0)          null     r0      r1:1    0x0            0x020F1002           {I@1,$4} // "
           "wr:1h+1, rd:0; hword scratch block write x2 //  scratch space spill: SP_GRF_V68_1 from offset[2x32]; $40",
           WIDE, GEN_SPILL_WRITE, 64, 128, 1);
    expect("(W)     send.dc0 (16|M0)         r19      r0      null:0  0x0            0x022C1000           {$7} // "
           "wr:1h+0, rd:2; hword scratch block read x2 //  scratch space fill: FL_GRF_V55_0 from offset[4x32]; $31",
           GRF, GEN_SPILL_READ, 128, 192, 19);
    expect("(W)     store.ugm.d32x32t.a32 (1|M0)  ss[a0.2][r104:1-0x10000] r21:2  {I@1,$8} // ex_desc:a0.2; "
           "desc:0x4200E504 //  spill to offset[2*64] of SP_V68_4; ; $47",
           WIDE, GEN_SPILL_WRITE, 128, 256, 21);
    expect("(W)     load.ugm.d32x16t.a32 (1|M0)  r1:1       ss[a0.2][r104:1-0xFFC0]  {$13} // ex_desc:a0.2; "
           "desc:0x4210D500 //  fill from offset[1*64] of FL_V68_4; ; $56",
           WIDE, GEN_SPILL_READ, 64, 128, 1);
    expect("        store.ugm.d32x16t.a32 (1|M0)  bti[2][r3:1] r30:1 {I@1,$8} // ex_desc:0x2000000; $250", WIDE,
           GEN_SPILL_NONE, 0, 0, 0);
    expect_in_frame("(W)     send.dc0 (16|M0)  r2  r125  null:0  0x0  0x0 // wr:1h+0, rd:2 //  stack fill: V3 from "
                    "FP[3x32]; $9",
                    GRF, GEN_SPILL_READ, 96, 160, 2);
    expect_in_frame("(W)     sends (16|M0)            null:uw  r126    r5      0x8A            0x020A03FF           // "
                    "wr:1h+2, rd:0; hdc.dc0; oword block write x4 //  stack spill: SP_GRF_V41_ud_1 to FP[2x32]; $17",
                    GRF, GEN_SPILL_WRITE, 64, 128, 5);
    expect_in_frame("(W)     store.ugm.d32x16t.a32 (1|M0)  ss[a0.2][r126:1] r3:2       {ExBSO,A@1,$5} // ex_desc:a0.2; "
                    "desc:0x4200D504 //  spill to FP[4*32] of SP_GRF_V41_ud_2; $18",
                    GRF, GEN_SPILL_WRITE, 128, 192, 3);
    expect_in_frame("(W)     load.ugm.d32x64t.a32 (1|M0)  r9:4     ss[a0.2][r126:1]  {$3} // ex_desc:a0.2; "
                    "desc:0x4240F500 //  fill from FP[65*64] of StackCall27; ; $105",
                    WIDE, GEN_SPILL_READ, 4160, 4416, 9);
}

static void test_numbers(void)
{
    static const struct visa_instruction text[4];
    static const struct {
        const char *line;
        unsigned listed, right;
    } code[] = {
        {"(W)     mul (8|M0)               acc0.0<1>:d   r3.0<1;1,0>:d     r3.0<2;1,0>:uw   {Compacted} // $23", 1, 1},
        {"        mach (8|M0)              r1.0<1>:d     r3.0<1;1,0>:d     r3.0<1;1,0>:d    {Compacted} // $23", 1, 1},
        {"(W)     mul (8|M0)               acc0.0<1>:d   r4.0<1;1,0>:d     r4.0<2;1,0>:uw   {Compacted} // $23", 1, 1},
        {"        mach (8|M0)              r2.0<1>:d     r4.0<1;1,0>:d     r4.0<1;1,0>:d    {Compacted} // $24", 2, 1},
        {"        add (8|M0)               r6.0<1>:d     r2.0<1;1,0>:d     1:w // $24", 2, 2},
        {"(W)     send.dc0 (8|M0)          null     r0      r2:1    0x0            0x020F0001           {$4} // "
         "wr:1h+1, rd:0; hword scratch block write x1 //  scratch space spill: SP_GRF_V55_1 from offset[1x32]; $24",
         2, 1},
        {"(W)     send.dc0 (8|M0)          null     r0      r6:1    0x0            0x020F0001           {$4} // "
         "wr:1h+1, rd:0; hword scratch block write x1 //  scratch space spill: SP_GRF_V56_1 from offset[2x32]; $24",
         2, 2},
        {"        mach (8|M0)              r8.0<1>:d     r5.0<1;1,0>:d     r4.0<1;1,0>:d    {Compacted} // $25", 3, 3},
    };
    struct gen_numbers numbers = {0};
    for (size_t k = 0; k < sizeof code / sizeof code[0]; k++) {
        const struct visa_instruction *from =
            gen_numbers_mend(&numbers, code[k].line, strlen(code[k].line), GRF, &text[code[k].listed]);
        CHECK(from == &text[code[k].right], "%s: instruction %zd", code[k].line, from - text);
    }
}

int main(void)
{
    test_spills();
    test_numbers();
    return checks_failed != 0;
}
