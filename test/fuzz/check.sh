#!/bin/sh
# check.sh BIN_FOLDER WORK_FOLDER PROGRAM.cm TARGET...
# Compiles a file with one or more programs of `generate` for each TARGET, runs each of its kernels on one input and
# compares what it writes with host-O0. A TARGET is PLATFORM-O0, -O1 or -O2, PLATFORM "host" or a GPU, GPU-peer: the
# same IR through IGC's vector back end, or GPU-vc: cmc prints that IR, no more. A line says what goes wrong: "refused",
# "fails" or
# "differs" and the target. Of a file with several programs, which IGC takes all or none of, each is tried alone then
# ("#if !defined(ONLY) || ONLY == NUMBER" stands around each); "unseen" says which kernel it refuses. "alone": the
# peer's code, and only that, fails or disagrees with a kernel on which the CPU and our code agree, which is IGC's
# fault, because its code is made of the IR that ours is made of; no failure. What cmc cannot print for it is ours:
# "refused GPU-vc"; what IGC's dialect lacks is not.
# "large" says which kernel needs more registers than there are, whatever is spilled: it is left out from there on
# ("!defined(WITHOUT_NUMBER)" stands around each of several). "spills": the kernel's code keeps some of them in memory.
# Neither is a failure.
# $CMKIT_FUZZ_LIMIT: seconds of its own time that one compilation or launch of ours gets, 300, so that the result does
# not depend on what else runs; ten times as many by the clock.
# $CMKIT_GENSIM_OPTIONS: more options of gensim.
# The kernels that fail or differ in our code are named in WORK_FOLDER/suspects.
# Exit status: 0 all agree, 1 not, 2 the program is of no use: host-O0 cannot compile or run it.
set -u
bin=$1 work=$2 program=$3; shift 3
here=$(cd "$(dirname "$0")" && pwd) limit=${CMKIT_FUZZ_LIMIT:-300}
mkdir -p "$work" || exit 2
without= # -DWITHOUT_NUMBER of kernels that are too large
kernels=$(sed -n 's/.*_GENX_MAIN_ void \(fuzz[_0-9]*\)(.*/\1/p' "$program")

limited() { (ulimit -t "$limit" && exec timeout $((10 * limit)) "$@"); }

# compile PLATFORM LEVEL BINARY [CMC-OPTION]: 2 where cmc does not print what the peer is to get. After every pass of
# the middle end the module is verified. The peer does not come to an end with every module: it takes a second for 25
# small kernels and gets ten, of its own time, so that the result does not depend on what else runs.
compile() {
  case $2 in
  peer | vc)
    limited "$bin/cmc" -march="$1" -emit-spirv -verify-each -w ${4:-} "$program" -o "$work/peer.spv" 2>"$work/vc.log" \
        || {
      grep -q "has no equivalent in the vector back end's dialect" "$work/vc.log" && return 1
      return 2
    }
    [ "$2" = peer ] || return 0
    (ulimit -t 10 && exec sh "$here/../peer/Inputs/accepted.sh" "$1" "$work/peer.spv" "$work/peer") || return 1
    mv "$work/peer/kernel.bin" "$3" ;;
  *)
    until limited "$bin/cmc" -march="$1" "-$2" -verify-each -w $without "$program" -o "$3" --report 2>"$work/cmc.log"; \
        do
      large=$(sed -n 's/.*error: kernel \(fuzz[_0-9]*\) needs more than the registers of .*/\1/p' "$work/cmc.log")
      cat "$work/cmc.log"
      [ "$large" ] || return 1
      leave_out "$large"
      [ "$kernels" ] || return 0
    done
    cat "$work/cmc.log" ;;
  esac
}

# leave_out KERNEL: it is none of those that are compiled and compared any more.
leave_out() {
  kernels=$(echo "$kernels" | grep -vx "$1")
  without="$without -DWITHOUT_${1#fuzz_}"
  echo "large $target $1" >>"$work/notes"
}

# launch TARGET BINARY KERNEL...: what a kernel writes goes to $work/TARGET.KERNEL.out, and nothing for those behind one
# that fails.
launch() {
  target=$1 binary=$2; shift 2
  driver=installed
  case ${target%-*} in
  mtl | arl-h | lnl | bmg) driver=current ;; # only the newest driver knows them
  esac
  under="$bin/gensim -d ${target%-*} --driver $driver --check-scoreboard ${CMKIT_GENSIM_OPTIONS:-}"
  under="$under --max-instructions 20000000 --"
  [ "${target%-*}" != host ] || under=
  limited $under "$bin/launch" "$binary" "$work/$target" "$@" >"$work/$target.log" 2>&1
}

# run TARGET: all kernels, each compared with what host-O0 wrote.
run() {
  target=$1 platform=${1%-*} level=${1#*-} each= good=0
  binary=$work/$target.bin
  [ "$platform" != host ] || binary=$work/$target.so
  rm -f "$binary" "$work/$target".*.out "$work/notes"
  compile "$platform" "$level" "$binary" >"$work/$target.log" 2>&1
  compiled=$?
  if [ $compiled -eq 2 ]; then
    echo "refused $platform-vc"
    return 1
  fi
  [ "$level" != vc ] || return 0
  [ ! -e "$work/notes" ] || cat "$work/notes"
  [ "$kernels" ] || return 0
  sed -n "s/.*: kernel \\(fuzz[_0-9]*\\): .* [1-9][0-9]* bytes spilled,.*/spills $target \\1/p" "$work/$target.log"
  if [ $compiled -ne 0 ] && { [ "$level" != peer ] || [ "$(echo "$kernels" | wc -l)" -eq 1 ]; }; then
    echo "refused $target"
    return 1
  elif [ $compiled -ne 0 ]; then
    each=yes
  fi
  [ "$each" ] || launch "$target" "$binary" $kernels
  for kernel in $kernels; do
    if [ "$each" ]; then
      compile "$platform" peer "$binary" "-DONLY=${kernel#fuzz_}" >"$work/$target.log" 2>&1
      case $? in
      0) ;;
      2) echo "refused $platform-vc"; return 1 ;;
      *) echo "unseen $target $kernel"; continue ;;
      esac
    fi
    problem=
    [ -e "$work/$target.$kernel.out" ] || launch "$target" "$binary" "$kernel" || problem=fails
    [ "$problem" ] || cmp -s "$work/host-O0.$kernel.out" "$work/$target.$kernel.out" || problem=differs
    if [ "$problem" ] && [ "$level" = peer ]; then
      echo "alone $target $kernel $problem"
    elif [ "$problem" ]; then
      echo "$problem $target"
      echo "${kernel#fuzz_}" >>"$work/suspects"
      good=1
    fi
  done
  return $good
}

[ -n "$kernels" ] || exit 2
rm -f "$work/suspects"
run host-O0 >"$work/host.log" || { cat "$work/host.log" "$work/host-O0.log" >&2; exit 2; }
status=0
for target; do
  [ "$target" = host-O0 ] || run "$target" || status=1
done
exit $status
