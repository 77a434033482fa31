#!/bin/sh
# Behaves like GenX_IR with a refused instruction: it writes code, and the reason to a file.
echo 'Error Message: the destination region is refused' >kernel.errors.txt
echo 'Violating Instruction: mov (M1, 16) V32(0,0)<1> V33(0,0)<1;1,0>' >>kernel.errors.txt
printf 0123456789abcdef >kernel.dat
echo '{EOT}' >kernel.asm
