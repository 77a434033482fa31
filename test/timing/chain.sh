#!/bin/sh
# chain.sh GENSIM CMRUN DEVICE KERNELS.bin LATENCY: checks that each step of a thread's chain of multiply-adds takes
# LATENCY clocks, and more if alu_latency is raised. The loop around 32 of them may hide one and add 32 clocks.
set -eu
gensim=$1 cmrun=$2 device=$3 kernels=$4 latency=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# clocks ROUNDS OPTION...: of one thread of 8 work items
clocks() {
  rounds=$1; shift
  "$gensim" -d "$device" --timing "$@" --stats "$folder/stats.json" -- \
    "$cmrun" "$kernels" -k chain -g 1 -l 8 buf:64 f32:0.5 \
    "i32:$rounds" >"$folder/text" 2>&1 || { cat "$folder/text" >&2; exit 1; }
  sed -n '/"kernel": "chain"/,/GpuCoreClocks/s/.*"GpuCoreClocks": \([0-9]*\).*/\1/p' "$folder/stats.json" | head -n 1
}

check() {
  wanted=$1; shift
  few=$(clocks 10 "$@") many=$(clocks 110 "$@")
  awk -v few="$few" -v many="$many" -v wanted="$wanted" 'BEGIN {
    each = (many - few) / 3200
    if (each < wanted * 31 / 32 || each > wanted + 1) { print each " clocks each, wanted " wanted; exit 1 } }'
}

check "$latency"
own=$("$gensim" -d "$device" --show-timing | awk '$1 == "alu_latency" { print $2 }')
check $((latency + 20)) --timing-set "alu_latency=$((own + 20))"
