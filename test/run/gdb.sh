#!/bin/sh
# gdb.sh BIN_FOLDER: a kernel for the host is stopped at lines of its .cm file, stepped and looked into with plain gdb.
set -u
bin=$1
source=$(cd "$(dirname "$0")" && pwd)/stepped.cm
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
printers=$(dirname "$source")/../../tools/gdb/cm.py
stop=$(grep -n STOP "$source" | cut -d: -f1)
end=$(grep -n END "$source" | cut -d: -f1)
"$bin/cmc" -march=host -g -O0 "$source" -o "$work/stepped.so" || exit 1
env -u DEBUGINFOD_URLS gdb -q -nx -batch -x "$printers" -ex 'set breakpoint pending on' -ex "break stepped.cm:$stop if i == 2" -ex run \
  -ex 'print factor' -ex 'print v' -ex next -ex 'print sum' -ex "tbreak stepped.cm:$end" -ex 'delete 1' -ex continue \
  -ex 'print sum' -ex continue --args "$bin/cmrun" "$work/stepped.so" -k stepped -g 1 buf:4@print=u32 u32:5 >"$work/log" 2>&1
for text in "stepped.cm:$stop" '= 5$' '{0, 5, 10, 5}' '= 15$' "stepped.cm:$end" '= 30$' '\b30$'; do
  grep -q "$text" "$work/log" && continue
  echo "FAIL: gdb did not say '$text'"
  cat "$work/log"
  exit 1
done
