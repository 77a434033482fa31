//.kernel random_rounding
//.thread slm=0 barrier=0 strings=0
//.arg 0 pointer read_write offset=128 size=8 binding=-1 dimensions=0 block=0x0 in svmptr_t
//.arg 1 pointer read_write offset=136 size=8 binding=-1 dimensions=0 block=0x0 out svmptr_t
//.arg -1 local_ids read_write offset=64 size=6 binding=-1 dimensions=0 block=0x0 - 
//.platform XE2
//.thread_config numGRF=128, numAcc=4, numSWSB=16
//.options_string "-platform XE2 -abiver 2 -printregusage -binary -output -nospillcleanup -nosplitonspill "
//.full_options "-abiver 2 -printregusage -nospillcleanup -nosplitonspill -output -binary -platform XE2 "
//.instCount 72
//.RA type	LOCAL_ROUND_ROBIN_RA
//.git-hash 
//.GRF count 55

//.declare BuiltInR0 (0)  rf=r size=64 type=ud align=32 words (r0.0) IsBuiltin
//.declare R0_Copy0 (1)  rf=r size=64 type=ud alias=BuiltInR0+0 align=32 words (r0.0) IsBuiltin
//.declare BuiltinA0 (2)  rf=a size=4 type=ud align=1 words (a0.0) IsBuiltin
//.declare BuiltinA0Dot2 (3)  rf=a size=4 type=ud align=1 words (a0.2) IsBuiltin
//.declare %null (9)  rf=r size=4 type=ud align=2 words
//.declare %local_id_x (12)  rf=r size=4 type=ud align=2 words (r2.8)
//.declare %local_id_y (13)  rf=r size=4 type=ud align=2 words (r2.9)
//.declare %local_size_x (14)  rf=r size=4 type=ud align=2 words (r2.4)
//.declare %local_size_y (15)  rf=r size=4 type=ud align=2 words (r2.5)
//.declare %group_id_x (16)  rf=r size=4 type=ud align=2 words (r0.1)
//.declare %group_id_y (17)  rf=r size=4 type=ud align=2 words (r0.6)
//.declare %group_id_z (18)  rf=r size=4 type=ud align=2 words (r0.7)
//.declare %group_count_x (19)  rf=r size=4 type=ud align=2 words (r2.6)
//.declare %group_count_y (20)  rf=r size=4 type=ud align=2 words (r2.7)
//.declare %tsc (21)  rf=r size=20 type=ud align=2 words
//.declare %arg (22)  rf=r size=0 type=ud align=32 words (r26.0)
//.declare %retval (23)  rf=r size=0 type=ud align=32 words (r26.0) Output
//.declare %sp (24)  rf=r size=8 type=uq align=4 words (r127.3)
//.declare %fp (25)  rf=r size=8 type=uq align=4 words (r127.2)
//.declare %sr0 (26)  rf=r size=16 type=ud align=2 words
//.declare %cr0 (27)  rf=r size=12 type=ud align=2 words
//.declare %ce0 (28)  rf=r size=4 type=ud align=2 words
//.declare %dbg0 (29)  rf=r size=8 type=ud align=2 words
//.declare implBufPtr (31)  rf=r size=8 type=uq align=4 words (r126.0)
//.declare localIdBufPtr (32)  rf=r size=8 type=uq align=4 words (r126.3)
//.declare %msg0 (33)  rf=r size=12 type=ud align=2 words
//.declare %null (34)  rf=r size=4 type=ud align=2 words
//.declare V32 (39)  rf=r size=8 type=q align=4 words (r2.0)
//.declare V33 (40)  rf=r size=8 type=q align=4 words (r2.1)
//.declare V34 (41)  rf=r size=256 type=d align=32 words (r3.0)
//.declare V35 (42)  rf=r size=8 type=uq align=32 words (r1.0)
//.declare V37 (44)  rf=r size=8 type=uq align=32 words (r7.0)
//.declare V39 (46)  rf=r size=8 type=uq align=32 words (r8.0)
//.declare V40 (47)  rf=r size=128 type=d align=32 words (r9.0)
//.declare V41 (48)  rf=r size=256 type=d align=32 words (r11.0)
//.declare V43 (50)  rf=r size=8 type=uq align=32 words (r15.0)
//.declare V44 (51)  rf=r size=256 type=d align=32 words (r16.0)
//.declare V45 (52)  rf=r size=256 type=d align=32 words (r20.0)
//.declare V46 (53)  rf=r size=256 type=d align=32 words (r24.0)
//.declare V47 (54)  rf=r size=128 type=hf align=32 words (r28.0)
//.declare V48 (55)  rf=r size=256 type=d align=32 words (r30.0)
//.declare V49 (56)  rf=r size=128 type=hf align=32 words (r34.0)
//.declare V50 (57)  rf=r size=8 type=uq align=32 words (r36.0)
//.declare V52 (59)  rf=r size=8 type=uq align=32 words (r37.0)
//.declare V53 (60)  rf=r size=128 type=f align=32 words (r38.0)
//.declare V54 (61)  rf=r size=128 type=d align=32 words (r40.0)
//.declare V55 (62)  rf=r size=64 type=hf align=32 words (r42.0)
//.declare V57 (64)  rf=r size=8 type=uq align=32 words (r43.0)
//.declare V59 (66)  rf=r size=4 type=d align=32 words (r44.0)
//.declare V60 (67)  rf=r size=2 type=hf align=32 words (r45.0)
//.declare V61 (68)  rf=r size=64 type=hf align=32 words (r46.0)
//.declare V64 (71)  rf=r size=2 type=hf align=32 words (r47.0)
//.declare V66 (73)  rf=r size=8 type=uq align=32 words (r48.0)
//.declare V69 (76)  rf=r size=64 type=hf align=32 words (r49.0)
//.declare P71 (78)  rf=f32  size=4 type=uw align=2 words (f0.0)
//.declare V73 (80)  rf=r size=8 type=uq align=32 words (r50.0)
//.declare V32_uq (81)  rf=r size=8 type=uq alias=V32+0 align=4 words (r2.0)
//.declare V33_uq (82)  rf=r size=8 type=uq alias=V33+0 align=4 words (r2.1)
//.declare V40_uw (85)  rf=r size=128 type=uw alias=V40+0 align=32 words (r9.0)
//.declare V40_ud (86)  rf=r size=128 type=ud alias=V40+0 align=32 words (r9.0)
//.declare V41_uw (87)  rf=r size=256 type=uw alias=V41+0 align=32 words (r11.0)
//.declare V41_ud (88)  rf=r size=256 type=ud alias=V41+0 align=32 words (r11.0)
//.declare V41_f (89)  rf=r size=256 type=f alias=V41+0 align=32 words (r11.0)
//.declare V45_ud (91)  rf=r size=256 type=ud alias=V45+0 align=32 words (r20.0)
//.declare V45_f (92)  rf=r size=256 type=f alias=V45+0 align=32 words (r20.0)
//.declare V48_ud (93)  rf=r size=256 type=ud alias=V48+0 align=32 words (r30.0)
//.declare V48_f (94)  rf=r size=256 type=f alias=V48+0 align=32 words (r30.0)
//.declare V54_f (96)  rf=r size=128 type=f alias=V54+0 align=32 words (r40.0)
//.declare V59_ud (98)  rf=r size=4 type=ud alias=V59+0 align=2 words (r44.0)
//.declare V59_f (99)  rf=r size=4 type=f alias=V59+0 align=2 words (r44.0)
//.declare M2 (102)  rf=r size=64 type=ud align=32 words (r127.0)
//.declare TV2 (103)  rf=r size=16 type=w align=16 words (r1.16)
//.declare TV3 (104)  rf=r size=4 type=f align=32 words (r51.0)
//.declare TV4 (105)  rf=r size=4 type=f align=32 words (r52.0)
//.declare TV5 (106)  rf=r size=4 type=f align=32 words (r53.0)
//.declare r0 (107)  rf=r size=64 type=ud align=32 words (r0.0)
//.declare rtmp (108)  rf=r size=64 type=ud align=32 words (r127.0)
//.declare TV8 (109)  rf=r size=64 type=ud align=32 words (r1.0)
//.declare TV9 (110)  rf=r size=32 type=ud align=2 words (r2.0)

// .inputs
// +----------+----------+--------+----------+------------------+
// | id       | type     |  bytes | at       | from             |
// +----------+----------+--------+----------+------------------+
// | V32      | :q       |    0x8 | r2       | cti+0x0          |
// | V33      | :q       |    0x8 | r2+0x8   | cti+0x8          |
// +----------+----------+--------+----------+------------------+


// B000: Preds:{},  Succs:{B001}
per_thread_prolog:
(W)     mov (16|M0)              r127.0<1>:ud  0x0:ud                              {A@1}             //  ALU pipe: int; 
(W)     and (1|M0)               r127.2<1>:ud  r0.0<0;1,0>:ud    0xFFFFFFC0:ud                       //  ALU pipe: int; 
(W)     and (1|M0)               r127.0<1>:uw  r0.4<0;1,0>:uw    0xFF:uw                             //  ALU pipe: int; 
(W)     add (1|M0)               r127.2<1>:ud  r127.2<0;1,0>:ud  0x20:ud              {I@2}          //  ALU pipe: int; 
(W)     mad (1|M0)               r127.0<1>:ud  r127.2<0;0>:ud    r127.0<0;0>:uw    0x40:uw              {I@1} //  ALU pipe: int; 
(W)     load.ugm.d32x16t.a32.ca.cc (1|M0)  r1:1 bti[255][r127:1]   {A@1,$0} // ex_desc:0xFF000000; desc:0x6219D500 // 
        nop                                                                                          // 
        nop                                                                                          // 
// B001: Preds:{B000},  Succs:{B002}
// cross_thread_prolog:
(W)     and (1|M0)               r127.0<1>:ud  r0.0<0;1,0>:ud    0xFFFFFFC0:ud              {$0.src} //  ALU pipe: int; 
(W)     load.ugm.d32x8t.a32.ca.cc (1|M0)  r2:1  bti[255][r127:1]   {A@1,$1} // ex_desc:0xFF000000; desc:0x6219C500 // 
// B002: Preds:{B001},  Succs:{}
// random_rounding:
        and (1|M0)               cr0.0<1>:ud   cr0.0<0;1,0>:ud   0xFFFFFB0E:ud              {A@1}    // $2
        sync.nop                             null                             {Compacted,A@1}        // $3
        sync.nop                             null                             {Compacted,$1.dst}     // $3
        mov (1|M0)               r1.0<1>:uq    r2.0<0;1,0>:uq                   {Compacted,A@1,$0.dst} //  ALU pipe: int; $3
        add (1|M0)               r7.0<1>:q     r2.0<0;1,0>:q     128:w               {Compacted}     //  ALU pipe: int; $5
(W)     load.ugm.d32x32t.a64 (1|M0)  r3:2       [r1:1]             {I@2,$2} // ex_desc:0x0; desc:0x220E580 // $4
(W)     load.ugm.d32x32t.a64 (1|M0)  r5:2       [r7:1]             {I@1,$3} // ex_desc:0x0; desc:0x220E580 // $7
        add (1|M0)               r8.0<1>:q     r2.0<0;1,0>:q     256:w               {Compacted}     //  ALU pipe: int; $8
        add (1|M0)               r15.0<1>:q    r2.0<0;1,0>:q     384:w               {Compacted}     //  ALU pipe: int; $12
(W)     load.ugm.d32x32t.a64 (1|M0)  r9:2       [r8:1]             {I@2,$4} // ex_desc:0x0; desc:0x220E580 // $10
(W)     load.ugm.d32x32t.a64 (1|M0)  r13:2      [r15:1]            {I@1,$5} // ex_desc:0x0; desc:0x220E580 // $14
        mov (8|M0)               r1.16<1>:w    0x76543210:uv                              {$2.src}   //  ALU pipe: int; $18
        mov (1|M0)               r36.0<1>:uq   r2.1<0;1,0>:uq                   {Compacted}          //  ALU pipe: int; $37
        shl (8|M0)               r24.0<1>:d    r1.16<1;1,0>:w    23:w               {I@2}            //  ALU pipe: int; $18
        add (1|M0)               r37.0<1>:q    r2.1<0;1,0>:q     128:w               {Compacted}     //  ALU pipe: int; $39
        add (8|M0)               r24.0<1>:d    r24.0<1;1,0>:d    838860800:d               {I@2}     //  ALU pipe: int; $19
        add (1|M0)               r43.0<1>:q    r2.1<0;1,0>:q     256:w               {Compacted}     //  ALU pipe: int; $47
        add (8|M0)               r24.8<1>:d    r24.0<1;1,0>:d    67108864:d               {I@2}      //  ALU pipe: int; $20
        add (1|M0)               r48.0<1>:q    r2.1<0;1,0>:q     320:w               {Compacted}     //  ALU pipe: int; $58
        add (16|M0)              r25.0<1>:d    r24.0<1;1,0>:d    134217728:d               {I@2}     //  ALU pipe: int; $21
        add (32|M0)              r26.0<1>:d    r24.0<1;1,0>:d    268435456:d               {I@1}     //  ALU pipe: int; $22
        add (1|M0)               r50.0<1>:q    r2.1<0;1,0>:q     384:w               {Compacted}     //  ALU pipe: int; $67
(W)     mov (16|M0)              r127.0<1>:f   r0.0<1;1,0>:f                    {Compacted}          //  ALU pipe: float; $70
        and (32|M0)              r16.0<1>:d    r3.0<1;1,0>:d     -2139095041:d               {$2.dst} //  ALU pipe: int; $15
        and (32|M0)              r18.0<1>:d    r5.0<1;1,0>:d     -2139095041:d               {$3.dst} //  ALU pipe: int; $16
        or (32|M0)               r20.0<1>:d    r16.0<1;1,0>:d    r24.0<1;1,0>:d   {Compacted,I@2}    //  ALU pipe: int; $23
        or (32|M0)               r22.0<1>:d    r18.0<1;1,0>:d    r26.0<1;1,0>:d   {Compacted,I@2}    //  ALU pipe: int; $24
        mov (32|M0)              r11.0<1>:f    r9.0<1;1,0>:f                    {Compacted,$4.dst}   //  ALU pipe: float; $11
        mov (1|M0)               r44.0<1>:ud   r10.8<0;1,0>:uw                                       //  ALU pipe: int; $51
(W)     mov (1|M0)               r51.0<1>:f    r21.4<0;1,0>:f                   {Compacted,I@3}      //  ALU pipe: float; $52
        mov (1|M0)               r23.2<1>:f    inf:f                               {Compacted,I@2}   //  (0x7f800000:f); ALU pipe: float; $25
        mov (1|M0)               r23.3<1>:f    -inf:f                                                //  (0xff800000:f); ALU pipe: float; $26
        mov (1|M0)               r23.4<1>:f    0x3FFFFFFF:f                                          //  (0x3fffffff:f); ALU pipe: float; $27
        mov (1|M0)               r23.5<1>:f    0x477FEFFF:f                                          //  (0x477fefff:f); ALU pipe: float; $28
        mov (1|M0)               r23.6<1>:ud   0x0:uw                                                //  ALU pipe: int; $29
        mov (1|M0)               r23.7<1>:f    -0.0:f                                                //  (0x80000000:f); ALU pipe: float; $30
        and (32|M0)   (ne)f0.0   null<1>:ud    r9.0<1;1,0>:ud    0x1:uw                              //  ALU pipe: int; $64
(W)     mov (1|M0)               r52.0<1>:f    r21.5<0;1,0>:f                                        //  ALU pipe: float; $56
(W)     mov (1|M0)               r53.0<1>:f    r21.6<0;1,0>:f                   {Compacted}          //  ALU pipe: float; $56
        mov (32|M0)              r32.0<1>:ud   r13.0<2;1,0>:uw                  {$5.dst}             //  ALU pipe: int; $34
        and (16|M0)              r41.0<1>:d    r13.1<2;1,0>:d    0xFFFF:uw                           //  ALU pipe: int; $45
        mov (16|M0)              r38.0<1>:ud   r20.1<2;1,0>:ud                  {Compacted}          //  ALU pipe: int; $42
(W)     srnd (32|M0)             r28.0<1>:hf   r20.0<1;1,0>:f    r11.0<1;1,0>:f   {F@7}              //  ALU pipe: float; $31
        mov (32|M0)              r30.0<1>:ud   r11.0<2;1,0>:uw                                       //  ALU pipe: int; $33
        and (16|M0)              r40.0<1>:d    r11.1<2;1,0>:d    0xFFFF:uw                           //  ALU pipe: int; $44
(W)     srnd (1|M0)              r45.0<1>:hf   r51.0<0;1,0>:f    r44.0<0;1,0>:f   {A@7}              //  ALU pipe: float; $52
(W)     srnd (32|M0)             r29.0<1>:hf   r22.0<1;1,0>:f    r13.0<1;1,0>:f   {A@5}              //  ALU pipe: float; $32
        mov (16|M0)              r39.0<1>:ud   r22.1<2;1,0>:ud                  {Compacted}          //  ALU pipe: int; $43
(W)     srnd (32|M0)             r49.0<1>:hf   r22.0<1;1,0>:f    r20.0<1;1,0>:f                      //  ALU pipe: float; $63
(W)     srnd (1|M0)              r47.0<1>:hf   r52.0<0;1,0>:f    r53.0<0;1,0>:f   {F@5}              //  ALU pipe: float; $56
(W)     srnd (32|M0)             r35.0<1>:hf   r22.0<1;1,0>:f    r32.0<1;1,0>:f   {I@6}              //  ALU pipe: float; $36
(W)     srnd (32|M0)             r34.0<1>:hf   r20.0<1;1,0>:f    r30.0<1;1,0>:f   {I@3}              //  ALU pipe: float; $35
        mov (32|M0)              r46.0<1>:hf   r45.0<0;1,0>:hf                  {F@6}                //  ALU pipe: float; $53
(W)     srnd (32|M0)             r42.0<1>:hf   r38.0<1;1,0>:f    r40.0<1;1,0>:f   {I@1}              //  ALU pipe: float; $46
(W)     store.ugm.d32x32t.a64 (1|M0)  [r36:1]   r28:2              {F@7,$6} // ex_desc:0x0; desc:0x200E584 // $38
        mov (1|M0)               r46.1<1>:hf   r47.0<0;1,0>:hf                  {F@5}                //  ALU pipe: float; $57
(f0.0)  mov (32|M0)              r28.0<1>:hf   r49.0<1;1,0>:hf                  {$6.src}             //  ALU pipe: float; $66
(W)     store.ugm.d32x32t.a64 (1|M0)  [r37:1]   r34:2              {F@5,$7} // ex_desc:0x0; desc:0x200E584 // $41
(W)     store.ugm.d32x16t.a64 (1|M0)  [r43:1]   r42:1              {F@3,$8} // ex_desc:0x0; desc:0x200D584 // $49
(W)     store.ugm.d32x16t.a64 (1|M0)  [r48:1]   r46:1              {F@2,$9} // ex_desc:0x0; desc:0x200D584 // $60
(W)     store.ugm.d32x32t.a64 (1|M0)  [r50:1]   r28:2              {F@1,$10} // ex_desc:0x0; desc:0x200E584 // $69
(W)     send.gtwy (1|M0)         null     r127  null:0  0x0            0x02000010           {EOT} // wr:1+0, rd:0; end of thread // $70


//.BankConflicts: 0
//.ByteRMWs: 0
//


//.numALUInst: 58
//.accSubDef: 0
//.accSubUse: 0
//.accSubCandidateDef: 0
//.accSubCandidateUse: 0
//
//
//.singlePipeAtOneDistNum: 6
//.allAtOneDistNum: 5
//.syncInstCount: 2
//.tokenReuseCount: 0
//.AfterWriteTokenDepCount: 6
//.AfterReadTokenDepCount: 3

