#!/bin/sh
# gdb.sh BIN_FOLDER: stops a kernel for the host at lines of its .cm file, steps it and prints its variables with plain
# gdb.
set -u
bin=$1
source=$(cd "$(dirname "$0")" && pwd)/stepped.cm
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
printers=$(dirname "$source")/../../tools/gdb/cm.py
line() { grep -n "// $1" "$source" | cut -d: -f1; }
"$bin/cmc" -march=host -g -O0 "$source" -o "$work/stepped.so" || exit 1
env -u DEBUGINFOD_URLS gdb -q -nx -batch -x "$printers" -ex 'set print thread-events off' \
    -ex 'set print inferior-events off' -ex 'set breakpoint pending on' \
  -ex "break stepped.cm:$(line STOP) if i == 2" -ex run -ex 'print factor' -ex 'print out' -ex 'print v' -ex next \
      -ex 'print sum' \
  -ex "tbreak stepped.cm:$(line CALL)" -ex 'delete 1' -ex continue -ex 'print sum' -ex step -ex next -ex 'print w' \
      -ex 'bt 2' \
  -ex finish -ex next -ex 'print v' -ex next -ex next -ex continue \
  --args "$bin/cmrun" "$work/stepped.so" -k stepped -g 1 buf:16@print=u32 u32:5 >"$work/log" 2>&1
for text in "stepped.cm:$(line STOP)" '= 5$' '= 0$' '{0, 5, 10, 5}' '= 15$' "stepped.cm:$(line CALL)" '= 30$' \
  "^$(line RETURN)" '{0, 10, 20, 30}' '^#0 *doubled (v={0, 5, 10, 15}) at' '^#1 .*stepped (out=0, factor=5) at' \
  "^$(line END)" '^30 10 20 30$'; do
  grep -q "$text" "$work/log" && continue
  echo "FAIL: gdb did not say '$text'"
  cat "$work/log"
  exit 1
done
