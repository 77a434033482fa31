#!/bin/sh
# same_memory.sh GENSIM DEVICE KERNELS PROGRAM...: checks that each program leaves the same bytes in memory with the
# newest driver, over both kernel interfaces, as with the installed one. Skipped (77) if ./dev deps --current has not
# downloaded it.
gensim=$1 device=$2 kernels=$3
shift 3
sh "$(dirname "$0")/../run_time/with_current.sh" true >/dev/null ||
    { echo "skipped: ./dev deps --current has not downloaded the driver"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
for way in "installed i915" "current i915" "current xe"; do
    kept=$folder/$(echo "$way" | tr ' ' -)
    for program; do
        LEVEL_ZERO_KEEP="$kept" "$gensim" -d "$device" --driver "${way% *}" --interface "${way#* }" -- "$program" \
            "$kernels" || exit 1
    done
    [ -s "$kept" ] || { echo "nothing was kept"; exit 1; }
    cmp "$folder/installed-i915" "$kept" || exit 1
done
