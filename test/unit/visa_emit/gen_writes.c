/* Tests the reading of destinations in the finalizer's listing; expected numbers are counted by hand from the regions.
 */
#include "visa_emit/gen_writes.h"

#include "check.h"

static void expect(const char *line, unsigned register_bytes, enum gen_write_kind kind, unsigned low, unsigned high)
{
    struct gen_write w = gen_write_of(line, strlen(line), register_bytes);
    CHECK(w.kind == kind, "%s: kind %d", line, w.kind);
    if (kind == GEN_WRITES_BYTES)
        CHECK(w.low == low && w.high == high, "%s: %u to %u", line, w.low, w.high);
}

int main(void)
{
    enum { GRF = 32, WIDE = 64 };
    expect("(W)     mov (8|M0)               r3.0<1>:ud    r0.0<1;1,0>:ud   // $2", GRF, GEN_WRITES_BYTES, 96, 128);
    expect("        mov (16|M0)              r7.0<4>:uw    r1.0<1;1,0>:uw", WIDE, GEN_WRITES_BYTES, 448, 570);
    expect("(~f0.0.any16h) mul (16|M0)       r5.2<1>:d     r3.0<8;8,1>:d  -1:w", GRF, GEN_WRITES_BYTES, 168, 232);
    expect("(W&f0.1) sel (1|M0)              r5.3<1>:q     r3.0<0;1,0>:q  r4.0<0;1,0>:q", GRF, GEN_WRITES_BYTES, 184,
           192);
    expect("        add (8|M0)    (gt)f0.0   r9.0<1>:d     r4.0<8;8,1>:d  1:w", GRF, GEN_WRITES_BYTES, 288, 320);
    expect("        cmp (16|M0)   (gt)f0.0   null<1>:d     r3.0<8;8,1>:d  4:w", GRF, GEN_WRITES_NOTHING, 0, 0);
    expect("        add (8|M0)               acc0.0<1>:d   r4.0<8;8,1>:d  r5.0<8;8,1>:d", GRF, GEN_WRITES_NOTHING, 0,
           0);
    expect("(W&f0.1) jmpi                                 L2", GRF, GEN_WRITES_NOTHING, 0, 0);
    expect("        call                                 r2.0", GRF, GEN_WRITES_ANYTHING, 0, 0);
    expect("        mov (8|M0)               r[a0.2,32]<1>:d   r4.0<8;8,1>:d", GRF, GEN_WRITES_INDIRECT, 0, 0);
    expect("(W)     send (8|M0)              r4:d     r8:f    0xA  0x02180201  // wr:1h+0, rd:2; hdc.dc0", GRF,
           GEN_WRITES_BYTES, 128, 192);
    expect("(W)     send.ugm (1|M0)          r1       r127  null:0  0xFF000000  0x6219D500  {$0} // wr:1+0, rd:1; load",
           WIDE, GEN_WRITES_BYTES, 64, 128);
    expect("(W)     load.ugm.d32x32t.a32 (1|M0)  r19:2      ss[a0.2][r104:1-0x10000]  {$7}", WIDE, GEN_WRITES_BYTES,
           1216, 1344);
    expect("(W)     sends (8|M0)             null:ud  r9      r7      0x4A  0x020A0202  // wr:1h+1, rd:0", GRF,
           GEN_WRITES_NOTHING, 0, 0);
    expect("        dpas.8x4 (8|M0)          r20:f         null:f            r4:bf             r12.0:bf", GRF,
           GEN_WRITES_BYTES, 640, 768);
    expect("(f0.0)  goto.b (16|M0)                       L3                L1", GRF, GEN_WRITES_NOTHING, 0, 0);
    expect("        sync.nop                             null             {$2.src}", GRF, GEN_WRITES_NOTHING, 0, 0);
    expect("(W)     send (8|M0)              r4:d     r8:f    0xA  a0.0   // hdc.dc0", GRF, GEN_WRITES_ANYTHING, 0, 0);
    expect("        math.invm (8|M0)         r10.mme0<1>:f r4.noacc<1;1>:f", GRF, GEN_WRITES_ANYTHING, 0, 0);
    return checks_failed != 0;
}
