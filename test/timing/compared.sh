#!/bin/sh
# compared.sh CMBENCH: checks cmbench --timing: a time for each correct result, 16 times with drawn constants, the same
# times in a second run, and a speedup with its range; it refuses devices that are not simulated.
set -eu
cmbench=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for run in one two; do
  "$cmbench" -d icllp --timing --size tiny -i 80x48 transpose --programs "$folder" \
    --json "$folder/$run.json" >"$folder/$run.txt" ||
    { cat "$folder/$run.txt" >&2; exit 1; }
done
cmp "$folder/one.json" "$folder/two.json"
[ "$(grep -c '"time_ns": [1-9]' "$folder/one.json")" = "$(grep -c '"correct": true' "$folder/one.json")" ]
[ "$(grep -cE '"drawn_ns": \[([1-9][0-9]*, ){15}[1-9][0-9]*\]' "$folder/one.json")" = \
  "$(grep -c '"correct": true' "$folder/one.json")" ]
grep -q '^transpose .* 80x48 .*[0-9] ([0-9.]* to [0-9.]*)' "$folder/one.txt"
if "$cmbench" -d gpu --timing transpose >"$folder/text" 2>&1; then
  echo "a real GPU was accepted" >&2
  exit 1
fi
