#!/bin/sh
# picked.sh PYTHON BUILD: checks which commands tools/tests/tests.py runs for a lit file, a kernel, a case file, a batch
# of a corpus and a random program; that it refuses other files; that the list has every label.
set -u
python=$1 build=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
failed=0
# picks WHAT COUNT PATTERN: as many commands, and all of them fit
picks() {
  found=$("$python" "$root/tools/tests/tests.py" "$build" --dry-run "$1") || found=
  [ "$(printf '%s\n' "$found" | grep -c "$3")" = "$2" ] && [ "$(printf '%s\n' "$found" | wc -l)" = "$2" ] && return
  echo "picked.sh: $1: not $2 commands like '$3' but: $found"
  failed=1
}
picks "$root/test/lower/block-placement.cm" 1 'lit.*test/lower/block-placement\.cm$'
picks "$root/test/cmc/usage.test" 1 'lit.*test/cmc/usage\.test$'
picks "$root/test/kernels/memory/vadd.cm" 13 '\(kernels\.sh\|skipped: .*\) .*test/kernels/memory/vadd\.cm$'
picks "$root/test/kernels/memory/vadd.c" 13 '\(kernels\.sh\|skipped: .*\) .*test/kernels/memory/vadd\.cm$'
picks "$root/test/unit/sim_eu/cases/moves.case" 3 'sim_eu/cases/moves\.case'
picks fuzz:rich:7 1 'CMKIT_FUZZ_SIZE=rich .*run\.sh .* 7 7$'
picks fuzz:frontend:7 1 'frontend_fuzz 7 1 '
"$python" "$root/tools/tests/tests.py" "$build" --dry-run "$root/README.md" 2>/dev/null && failed=1
list=$("$python" "$root/tools/tests/tests.py" "$build" --list)
for label in quick slow long; do
  printf '%s\n' "$list" | grep "^$label " >/dev/null || { echo "picked.sh: no $label test"; failed=1; }
done
exit $failed
