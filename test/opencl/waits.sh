#!/bin/sh
# waits.sh GENSIM REMOVE_WAITS PROGRAM KERNELS.bin EXPECT_FAULT: checks that the program runs with --check-scoreboard,
# and that it faults without its waits, but only if they are checked.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" -d tgllp --check-scoreboard -- "$3" "$4"
"$2" "$4" "$folder/spoiled.bin"
"$1" -d tgllp -- "$3" "$folder/spoiled.bin"
"$5" "reads a register that the instruction at .* is still to write: the software scoreboard lacks a wait" "kernel" -- \
  "$1" -d tgllp --check-scoreboard -- "$3" "$folder/spoiled.bin"
