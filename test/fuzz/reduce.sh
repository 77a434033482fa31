#!/bin/sh
# reduce.sh BIN_FOLDER WORK_FOLDER PROGRAM.cm TARGET PROBLEM
# Removes statements from a program as long as check.sh still prints PROBLEM (such as "differs icllp-O2"); what is left
# goes to PROGRAM.reduced.cm. A line that opens a block goes with its block; failing that, alone with the block's last
# line.
# A trial gets twice the time of the whole program, and ten seconds, but at most a minute: what a removed line makes
# endless is given up.
set -u
bin=$1 work=$2 program=$3 target=$4 problem=$5
here=$(dirname "$0")
kept=${program%.cm}.reduced.cm trial=$work/trial.cm
mkdir -p "$work" && cp "$program" "$kept" || exit 2

still_wrong() { "$here/check.sh" "$bin" "$work" "$trial" "$target" 2>/dev/null | grep -qx "$problem"; }

# without FIRST MODE: the program without line FIRST; MODE block: and its block; frame: and its block's other frame
# lines.
without() {
  awk -v first="$1" -v mode="$2" '
    NR < first { print; next }
    NR == first && !/\{$/ { inside = 0; exit_block = 1; if (mode == "frame") print; next }
    NR == first { inside = 1; depth = 1; next }
    inside {
      opens = /\{$/; closes = /^ *\}/
      if (closes) depth--
      if (depth == 0) { if (!opens || mode == "block") { if (!opens) inside = 0; else depth = 1; next } depth = 1; \
          next }
      if (opens) depth++
      if (mode == "frame") print
      next
    }
    { print }' "$kept"
}

cp "$program" "$trial"
began=$(date +%s)
still_wrong || { echo "$program: not \"$problem\" when tried again"; exit 1; }
limit=$((10 + 2 * ($(date +%s) - began)))
[ $limit -le 60 ] || limit=60
export CMKIT_FUZZ_LIMIT=$limit

changed=yes
while [ $changed = yes ]; do
  changed=no
  line=$(wc -l <"$kept")
  while [ "$line" -gt 1 ]; do
    for mode in block frame; do
      without "$line" $mode >"$trial"
      cmp -s "$trial" "$kept" && continue
      if still_wrong; then
        cp "$trial" "$kept"
        changed=yes
        break
      fi
    done
    line=$((line - 1))
  done
done
echo "$kept: $(wc -l <"$kept") lines"
cat "$kept"
