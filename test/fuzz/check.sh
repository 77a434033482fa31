#!/bin/sh
# check.sh BIN_FOLDER WORK_FOLDER PROGRAM.cm TARGET...
# Compiles a file with one or more programs of `generate` for each TARGET, runs each of its kernels on one input and compares
# what it writes with host-O0. A TARGET is PLATFORM-O0 or PLATFORM-O2, PLATFORM "host" or a GPU, or GPU-peer: the same IR
# through IGC's vector back end. A line says what goes wrong: "refused", "fails" or "differs" and the target.
# Exit status: 0 all agree, 1 not, 2 the program is of no use: host-O0 cannot compile or run it.
set -u
bin=$1 work=$2 program=$3; shift 3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$work" || exit 2
kernels=$(sed -n 's/.*_GENX_MAIN_ void \(fuzz[_0-9]*\)(.*/\1/p' "$program")

# compile PLATFORM LEVEL BINARY. After every pass of the middle end the module is verified.
compile() {
  case $2 in
  peer)
    timeout 300 "$bin/cmc" -march="$1" -verify-each -emit-vc -w "$program" -o "$work/peer.vc.ll" &&
      timeout 300 sh "$here/../peer/Inputs/accepted.sh" "$1" "$work/peer.vc.ll" "$work/peer" &&
      mv "$work/peer/kernel.bin" "$3" ;;
  *) timeout 300 "$bin/cmc" -march="$1" "-$2" -verify-each -w "$program" -o "$3" ;;
  esac
}

# run TARGET: what kernel K of the program writes goes to $work/TARGET.K.out
run() {
  target=$1 platform=${1%-*} level=${1#*-}
  binary=$work/$target.bin launch="$bin/gensim -d $platform --max-instructions 20000000 --"
  [ "$platform" != host ] || { binary=$work/$target.so launch=; }
  rm -f "$binary"
  compile "$platform" "$level" "$binary" >"$work/$target.log" 2>&1 || {
    echo "refused $target"
    return 1
  }
  for kernel in $kernels; do
    output=$work/$target.$kernel.out
    rm -f "$output"
    timeout 120 $launch "$bin/cmrun" "$binary" -k "$kernel" buf:4096:random-u8=1 buf:8192@w="$output" \
      >"$work/$target.log" 2>&1 || {
      echo "fails $target"
      return 1
    }
  done
}

[ -n "$kernels" ] || exit 2
run host-O0 >"$work/host.log" || { cat "$work/host.log" "$work/host-O0.log" >&2; exit 2; }
status=0
for target; do
  [ "$target" != host-O0 ] || continue
  if ! run "$target"; then
    status=1
    continue
  fi
  for kernel in $kernels; do
    if ! cmp -s "$work/host-O0.$kernel.out" "$work/$target.$kernel.out"; then
      echo "differs $target"
      status=1
      break
    fi
  done
done
exit $status
