#!/bin/sh
# run.sh [--shard I/N] BIN_FOLDER WORK_FOLDER FIRST_SEED|fresh LAST_SEED|COUNT [TARGET...]
# Random programs must write the same bytes however they are compiled and wherever they run: see check.sh for targets.
# Programs are compiled 25 at a time; with --shard every Nth such batch, beginning with the Ith. Without targets all
# GPUs run them at -O2, and IGC's vector back end for one of the GPUs, which take turns with that. $CMKIT_FUZZ_SIZE:
# "small", which IGC takes almost all of, "rich" and "wide", which are of more kinds, "full", which are of more
# registers than there are, or nearly so, and run at -O1 too and without the peer, whose code has known faults where
# it spills, or empty, of which it takes some: then the GPUs take turns, every other time at -O0 too. "fresh": COUNT
# programs from a seed that each commit has of its own (git's hash of its files; random without git). Kernels that IGC
# refuses, and those of which it alone computes something else, are told and counted: its faults, no failure. Of
# programs from fixed seeds at most one in five may be such: more would say that the comparison itself is broken.
# Programs that do not agree are kept in WORK_FOLDER with a line that says how to repeat it, the first of them reduced
# and printed. Devices that $CMKIT_UNKNOWN_DEVICES names, because the installed drivers do not know them, are left out;
# tgllp runs what none does.
set -u
shard=1 shards=1
if [ "${1-}" = --shard ]; then
  shard=${2-} shards=${2-}
  shard=${shard%%/*} shards=${shards#*/}
  [ "$shard/$shards" = "${2-}" ] && [ "$shard" -ge 1 ] 2>/dev/null &&
    [ "$shard" -le "$shards" ] 2>/dev/null ||
    { echo "run.sh: error: --shard: '${2-}' is no part like 2/8" >&2; exit 2; }
  shift 2
fi
[ $# -ge 4 ] || { sed -n '2,/^set/s/^# //p' "$0" >&2; exit 2; }
bin=$1 work=$2 seed=$3 last=$4; shift 4
here=$(dirname "$0") batch_size=25 program_size=${CMKIT_FUZZ_SIZE:-} fixed=yes
[ "$program_size" != full ] || batch_size=10
mkdir -p "$work" || exit 2
if [ "$seed" = fresh ]; then # the same for the same sources: what it finds there is found again
  hash=$(git -C "$here" rev-parse HEAD: 2>/dev/null | cut -c1-10)
  [ "$hash" ] && seed=$((0x$hash)) || seed=$(od -An -N5 -tu8 /dev/urandom | tr -d ' ')
  last=$((seed + last - 1))
  echo "fresh seed $seed"
  fixed=
fi

# Programs whose faults are known: known-small.txt.
is_known() { [ "$program_size" ] && grep -q "^$1 " "$here/known-$program_size.txt"; }

# batch FIRST LAST: their programs in one file, each in a namespace of its own, which -DONLY=NUMBER leaves alone.
batch() {
  for n in $(seq "$1" "$2"); do
    ! is_known "$n" || continue
    printf '#if !defined(WITHOUT_%s) && (!defined(ONLY) || ONLY == %s)\nnamespace p%s {\n' "$n" "$n" "$n"
    "$bin/generate" "$n" $program_size >"$work/one.cm" || exit 2
    sed "s/ void fuzz(/ void fuzz_$n(/" "$work/one.cm"
    printf '}\n#endif\n'
  done
}

# targets_of NUMBER: of a batch.
targets_of() {
  set -- "$1" skl icllp tgllp
  number=$1
  shift $((1 + number % 3))
  if [ "$program_size" = full ]; then
    echo "skl-O2 icllp-O2 tgllp-O2 $1-O1"
  elif [ "$program_size" ]; then
    echo "skl-O2 icllp-O2 tgllp-O2 $1-peer"
  else
    echo "$1-O2$([ $((number % 2)) -eq 1 ] || echo " $1-O0")"
  fi
}

# known TARGET...: those on devices that the installed drivers know.
known() {
  for target; do
    case " ${CMKIT_UNKNOWN_DEVICES:-} " in *" ${target%-*} "*) ;; *) printf '%s ' "$target" ;; esac
  done
}

# problems_of PROGRAM TARGET...: in $problems, what check.sh prints of us; 0 if nothing. Where the peer refuses a kernel
# or is alone with what it computes is told and counted.
problems_of() {
  "$here/check.sh" "$bin" "$work/run" "$@" >"$work/problems" 2>&1
  grep '^large \|^spills ' "$work/problems" >"$work/notes"
  problems=$(grep -v '^alone \|^unseen \|^refused .*-peer$\|^large \|^spills ' "$work/problems")
  [ -z "$problems" ] || return 1
  spills=$((spills + $(grep -c '^spills ' "$work/notes"))) large=$((large + $(grep -c '^large ' "$work/notes")))
  peer_failed=$((peer_failed + $(grep -vc '^large \|^spills ' "$work/problems")))
  grep -v '^large \|^spills ' "$work/problems"
  return 0
}

# suspects FIRST LAST: programs of a batch with problems that are to be tried alone: those that were found to compute
# something else, or all where something was refused.
suspects() {
  if echo "$problems" | grep -qv '^\(fails\|differs\) ' || [ ! -s "$work/run/suspects" ]; then
    for n in $(seq "$1" "$2"); do is_known "$n" || echo "$n"; done
  else
    sort -un "$work/run/suspects"
  fi
}

# alone SEED TARGET...: 0 if the program agrees, else it is kept, and the first such one reduced.
alone() {
  program=$work/$1.cm n=$1; shift
  "$bin/generate" "$n" $program_size >"$program" || exit 2
  if problems_of "$program" "$@"; then
    rm -f "$program"
    return 0
  fi
  echo "seed $n:" $problems "| $here/check.sh $bin $work/run $program $*"
  if [ "$failed" -eq 0 ]; then
    problem=$(echo "$problems" | grep -E '^(refused|fails|differs) ' | head -n 1)
    [ -z "$problem" ] || timeout 900 "$here/reduce.sh" "$bin" "$work/reduce" "$program" "${problem#* }" "$problem"
  fi
  return 1
}

passed=0 failed=0 peer_failed=0 spills=0 large=0 number=0
while [ "$seed" -le "$last" ]; do
  end=$((seed + batch_size - 1))
  [ "$end" -le "$last" ] || end=$last
  if [ $((number % shards)) -ne $((shard - 1)) ]; then
    seed=$((end + 1)) number=$((number + 1))
    continue
  fi
  targets=$*
  [ -n "$targets" ] || targets=$(targets_of $number)
  targets=$(known $targets)
  targets=${targets:-tgllp-O2}
  batch "$seed" "$end" >"$work/batch.cm" || exit 2
  passed=$((passed + $(grep -c '^namespace ' "$work/batch.cm")))
  if ! problems_of "$work/batch.cm" $targets; then
    together=$problems failed_before=$failed
    for n in $(suspects "$seed" "$end"); do
      alone "$n" $targets || failed=$((failed + 1)) passed=$((passed - 1))
    done
    if [ $failed -eq $failed_before ]; then
      failed=$((failed + 1)) passed=$((passed - 1))
      cp "$work/batch.cm" "$work/$seed.batch.cm"
      echo "seeds $seed to $end, but only together:" $together \
          "| $here/check.sh $bin $work/run $work/$seed.batch.cm $targets"
    fi
  fi
  seed=$((end + 1)) number=$((number + 1))
done
echo "$passed programs agree, $failed do not"
[ -z "${CMKIT_UNKNOWN_DEVICES:-}" ] || echo "left out, because no driver knows them: $CMKIT_UNKNOWN_DEVICES"
[ $large -eq 0 ] || echo "$large of them need more registers than there are"
[ $spills -eq 0 ] || echo "$spills times code that spills was run"
[ $peer_failed -eq 0 ] || echo "with $peer_failed the peer did not help"
[ $failed -eq 0 ] && { [ $passed -gt 0 ] || [ "$shards" -gt $number ]; } \
    && { [ -z "$program_size" ] || [ -z "$fixed" ] \
    || [ $((5 * peer_failed)) -le $passed ]; }
