#!/bin/sh
# benchmarks.sh PLATFORM BUILD_FOLDER WORK_FOLDER: runs every workload of cmbench at its tiny size, with its CM as
# SPIR-V that Level Zero compiles. cmbench compares each result with the host's reference. In place of cmc it finds a
# script that always writes SPIR-V. $GENSIM_DRIVER: the driver, as gensim --driver takes it.
set -u
platform=$1 build=$2 work=$3
rm -rf "$work" && mkdir -p "$work/tools" || exit 1
printf '#!/bin/sh\nexec "%s/bin/cmc" -emit-spirv "$@"\n' "$build" >"$work/tools/cmc"
printf '#!/bin/sh\nexec "%s/bin/gensim" %s "$@"\n' "$build" "${GENSIM_DRIVER:+--driver $GENSIM_DRIVER}" \
    >"$work/tools/gensim"
chmod +x "$work/tools/cmc" "$work/tools/gensim"
env CMKIT_TOOLS="$work/tools" "$build/bin/cmbench" --device "$platform" --size tiny --variant cm \
    --programs "$work/programs"
status=$?
for program in "$work"/programs/*.bin; do
    [ "$(head -c 4 "$program" | od -An -tx1)" = ' 03 02 23 07' ] || { echo "FAIL $program is no SPIR-V"; status=1; }
done
[ $status -eq 3 ] || exit $status # 3: the platform lacks what some workload needs
