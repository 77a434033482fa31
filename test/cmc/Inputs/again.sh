#!/bin/sh
# again.sh CMC PLATFORM NAME: NAME.cm through its vISA text and through its assembly gives the code and the description
# that it gives at once.
set -eu
cmc=$1 platform=$2 name=$3
"$cmc" -march="$platform" -mdump_asm "$name.cm" -o at-once.bin
"$cmc" -march="$platform" -S "$name.cm" -o text.visaasm
"$cmc" -march="$platform" text.visaasm -o visa.bin
"$cmc" -march="$platform" at-once.asm -o assembly.bin
kernel=$(sed -n 's/^\/\/\.kernel //p' at-once.asm | head -1)
for file in at-once visa assembly; do
    "$CMKIT_OBJCOPY" --dump-section ".text.$kernel=$file.text" --dump-section .ze_info=$file.info $file.bin $file.copy
    sed -i '/has_no_stateless_write/d' $file.info # a text does not say it
done
cmp at-once.text visa.text && cmp at-once.text assembly.text
diff at-once.info visa.info && diff at-once.info assembly.info
[ -s at-once.text ] && [ -s at-once.info ]
