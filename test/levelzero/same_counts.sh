#!/bin/sh
# same_counts.sh GENSIM DEVICE COMMAND...: COMMAND must issue the same instructions, launch by launch, with one host
# thread and with several.
gensim=$1 device=$2
shift 2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
for threads in 1 5; do
    "$gensim" -d "$device" --threads $threads --stats "$folder/$threads.json" -- "$@" || exit 1
    # The address of a kernel depends on the host's address space.
    sed 's/"kernel_address": "[^"]*", //' "$folder/$threads.json" > "$folder/$threads" || exit 1
done
grep -q '"instructions": [1-9]' "$folder/1" || { echo "no instructions were counted"; exit 1; }
diff "$folder/1" "$folder/5"
