#!/bin/sh
# kernels.sh PLATFORM BIN_FOLDER WORK_FOLDER [KERNEL.cm...]
# Each kernel of test/kernels from its source, built with -cmc by Intel's compiler and our libclangFEWrapper.so, on the simulated GPU: it
# must compute what the reference does. The kernels of the benchmarks are built. A kernel that Intel's back end does
# not take says so (`// NOT-ON: peer`, with the reason).
set -u
platform=$1 bin=$2 work=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here"/../kernels/*/*.cm "$here"/../../benchmarks/*/*.cm
rm -rf "$work" && mkdir -p "$work"

options='' # of gensim: where there is a software scoreboard, its waits are checked
[ "$platform" != tgllp ] || options=--check-scoreboard

# Through ocloc, which calls the same libraries as the OpenCL driver and writes a binary that Level Zero loads.
build() {
    (cd "$work" && ocloc compile -q -file "$1" -device "$platform" -options "-cmc -w -I$(dirname "$1") -I$here/../.." --format zebin \
        -output_no_suffix -output "$(basename "$2").bin" -out_dir .) >"$2.log" 2>&1 && [ -s "$2.bin" ] ||
        { tail -n 3 "$2.log"; return 1; }
}

run() {
    case $1 in */benchmarks/*) return 0 ;; esac # they have no references here
    ! grep -q '^// RUN-KERNEL:' "$1" || "$bin/gensim" -d "$platform" $options -- "$bin/kernel_test" "$2.bin" "$1"
}

passed=0 failed=0
for kernel; do
    name=$(basename "$kernel" .cm)
    grep -q "^// NOT-ON:.*\b\($platform\|peer\)\b" "$kernel" && continue
    if build "$kernel" "$work/$name" && run "$kernel" "$work/$name"; then
        passed=$((passed + 1))
    else
        echo "FAIL $name on $platform"
        failed=$((failed + 1))
    fi
done
echo "$platform: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
