#!/bin/sh
# check.sh BIN_FOLDER WORK_FOLDER PROGRAM.cm TARGET...
# Compiles a program of `generate` for each TARGET (PLATFORM-O0 or PLATFORM-O2, PLATFORM "host" or a GPU), runs it on one
# input and compares what it writes with host-O0. A line says what goes wrong: "refused", "fails" or "differs" and the target.
# Exit status: 0 all agree, 1 not, 2 the program is of no use: host-O0 cannot compile or run it.
set -u
bin=$1 work=$2 program=$3; shift 3
mkdir -p "$work" || exit 2

# run TARGET: what the program writes to $work/TARGET.out
run() {
  target=$1 platform=${1%-*} level=-${1#*-}
  rm -f "$work/$target.out"
  if [ "$platform" = host ]; then
    binary=$work/$target.so launch=
  else
    binary=$work/$target.bin launch="$bin/gensim -d $platform --max-instructions 20000000 --"
  fi
  timeout 120 "$bin/cmc" -march="$platform" "$level" -w "$program" -o "$binary" >"$work/$target.log" 2>&1 || {
    echo "refused $target"
    return 1
  }
  timeout 120 $launch "$bin/cmrun" "$binary" buf:4096:random-u8=1 buf:8192@w="$work/$target.out" >"$work/$target.log" 2>&1 || {
    echo "fails $target"
    return 1
  }
}

run host-O0 >"$work/host.log" || { cat "$work/host.log" "$work/host-O0.log" >&2; exit 2; }
status=0
for target; do
  [ "$target" != host-O0 ] || continue
  if ! run "$target"; then
    status=1
  elif ! cmp -s "$work/host-O0.out" "$work/$target.out"; then
    echo "differs $target"
    status=1
  fi
done
exit $status
