#!/bin/sh
# run.sh BIN_FOLDER WORK_FOLDER FIRST_SEED LAST_SEED [TARGET...]
# Random programs must write the same bytes however they are compiled and wherever they run: see check.sh for targets (the
# default is all of them). Programs that do not are kept in WORK_FOLDER, with a line that says how to repeat it.
set -u
[ $# -ge 4 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
bin=$1 work=$2 seed=$3 last=$4; shift 4
[ $# -gt 0 ] || set -- host-O2 icllp-O0 icllp-O2 skl-O0 skl-O2 tgllp-O0 tgllp-O2
here=$(dirname "$0")
mkdir -p "$work" || exit 2

passed=0 failed=0
while [ "$seed" -le "$last" ]; do
  program=$work/$seed.cm
  "$bin/generate" "$seed" >"$program" || exit 2
  if problems=$("$here/check.sh" "$bin" "$work/run" "$program" "$@" 2>&1); then
    passed=$((passed + 1))
    rm -f "$program"
  else
    failed=$((failed + 1))
    echo "seed $seed:" $problems "| $here/check.sh $bin $work/run $program $*"
  fi
  seed=$((seed + 1))
done
echo "$passed programs agree, $failed do not"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
