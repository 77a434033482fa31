#!/bin/sh
# same_memory.sh GENSIM DEVICE KERNELS PROGRAM...: each program must leave the same bytes in memory with one host thread
# and with several.
gensim=$1 device=$2 kernels=$3
shift 3
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
for threads in 1 2 5; do
    for program; do
        LEVEL_ZERO_KEEP="$folder/$threads" "$gensim" -d "$device" --threads $threads -- "$program" "$kernels" || exit 1
    done
    [ -s "$folder/$threads" ] || { echo "nothing was kept"; exit 1; }
    cmp "$folder/1" "$folder/$threads" || exit 1
done
