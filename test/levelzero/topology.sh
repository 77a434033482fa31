#!/bin/sh
# topology.sh GENSIM DEVICE SxUxE COMMAND...: checks that the driver reports S * U * E compute units, and that COMMAND
# succeeds on them.
gensim=$1 device=$2 topology=$3
shift 3
want=$(($(echo "$topology" | sed 's/x/ * /g')))
units=$("$gensim" -d "$device" --topology "$topology" -- clinfo --raw | sed \
    -n 's/^.INTEL.*CL_DEVICE_MAX_COMPUTE_UNITS *//p')
[ "$units" = "$want" ] || { echo "$units compute units, expected $want"; exit 1; }
"$gensim" -d "$device" --topology "$topology" -- "$@"
