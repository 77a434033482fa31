#!/bin/sh
# with_current.sh COMMAND...: runs COMMAND if ./dev deps --current has downloaded Intel's newest driver; otherwise it is
# skipped (77).
libraries=${CMKIT_CURRENT:-$HOME/.cache/cmkit/current}/root/usr/lib/x86_64-linux-gnu
[ -e "$libraries/libze_intel_gpu.so.1" ] ||
    { echo "skipped: no driver in $libraries; ./dev deps --current downloads it"; exit 77; }
exec "$@"
