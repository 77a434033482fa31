#!/bin/sh
# run.sh BIN_FOLDER WORK_FOLDER FIRST_SEED|fresh LAST_SEED|COUNT [TARGET...]
# Random programs must write the same bytes however they are compiled and wherever they run: see check.sh for targets.
# Programs are compiled ten at a time ($CMKIT_FUZZ_BATCH; 1 is right with the peer as a target, which refuses some). Without
# targets the GPUs take turns, each batch on one of them at -O2, every other batch at -O0 too. "fresh": COUNT programs
# from a seed that nobody has seen, which is printed.
# Programs that do not agree are kept in WORK_FOLDER with a line that says how to repeat it, the first of them reduced too.
set -u
[ $# -ge 4 ] || { sed -n '2,9s/^# //p' "$0" >&2; exit 2; }
bin=$1 work=$2 seed=$3 last=$4; shift 4
here=$(dirname "$0") batch_size=${CMKIT_FUZZ_BATCH:-10}
mkdir -p "$work" || exit 2
if [ "$seed" = fresh ]; then
  seed=$(od -An -N5 -tu8 /dev/urandom | tr -d ' ')
  last=$((seed + last - 1))
  echo "fresh seed $seed"
fi

# batch FIRST LAST: their programs in one file, each in a namespace of its own.
batch() {
  for n in $(seq "$1" "$2"); do
    echo "namespace p$n {"
    "$bin/generate" "$n" | sed "s/ void fuzz(/ void fuzz_$n(/"
    echo "}"
  done
}

# targets_of NUMBER: of a batch.
targets_of() {
  set -- "$1" skl icllp tgllp
  number=$1
  shift $((1 + number % 3))
  echo "$1-O2$([ $((number % 2)) -eq 1 ] || echo " $1-O0")"
}

# problems_of PROGRAM TARGET...: what check.sh prints. What the peer refuses says nothing about us.
problems_of() { "$here/check.sh" "$bin" "$work/run" "$@" 2>&1 | grep -v '^refused .*-peer$'; }

# alone SEED TARGET...: 0 if the program agrees, else it is kept, and the first such one reduced.
alone() {
  program=$work/$1.cm n=$1; shift
  "$bin/generate" "$n" >"$program" || exit 2
  problems=$(problems_of "$program" "$@")
  if [ -z "$problems" ]; then
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

passed=0 failed=0 number=0
while [ "$seed" -le "$last" ]; do
  end=$((seed + batch_size - 1))
  [ "$end" -le "$last" ] || end=$last
  targets=$*
  [ -n "$targets" ] || targets=$(targets_of $number)
  batch "$seed" "$end" >"$work/batch.cm" || exit 2
  if [ -z "$(problems_of "$work/batch.cm" $targets)" ]; then
    passed=$((passed + end - seed + 1))
  else
    for n in $(seq "$seed" "$end"); do
      if alone "$n" $targets; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
  fi
  seed=$((end + 1)) number=$((number + 1))
done
echo "$passed programs agree, $failed do not"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
