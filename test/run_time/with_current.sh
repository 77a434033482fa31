#!/bin/sh
# with_current.sh COMMAND...: runs COMMAND if ./dev deps --current has downloaded Intel's newest driver, or if the
# installed one is as new; otherwise it is skipped (77). with_current.sh --installed: whether the installed one is.
libraries=${CMKIT_CURRENT:-$HOME/.cache/cmkit/current}/root/usr/lib/x86_64-linux-gnu
[ "$1" = --installed ] || [ ! -e "$libraries/libze_intel_gpu.so.1" ] || exec "$@"
rows=$(sed -n 's/^DRIVER_CURRENT("\(.*\)", \([0-9]*\)).*/\1 \2/p' "$(dirname "$0")/../../sim/gensim/driver.def")
installed=$(echo "$rows" | while read -r library build; do
    file=$(realpath -e "$library" 2>/dev/null) || continue
    [ "${file##*.}" -lt "$build" ] || echo yes
done)
[ "$1" != --installed ] || exec test -n "$installed"
[ -z "$installed" ] || exec "$@"
echo "skipped: no driver in $libraries; ./dev deps --current downloads it"
exit 77
