#!/bin/sh
# current.sh BUILD_FOLDER WORK_FOLDER PLATFORM...: kernels built with -cmc by the newest compiler that ./dev deps
# --current downloaded, with our libclangFEWrapper.so. Skipped (77) where that is not there. What the compiler is known
# not to take is in current.txt, with its words.
set -u
build=$1 work=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
root=${CMKIT_CURRENT:-$HOME/.cache/cmkit/current}/root
libraries=$root/usr/lib/x86_64-linux-gnu
ocloc=$(ls "$root"/usr/bin/ocloc-* 2>/dev/null | sed -n 1p)
[ -n "$ocloc" ] || { echo "skipped: no compiler in $root; ./dev deps --current downloads it"; exit 77; }
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
failed=0 passed=0

compile() {
    env CM_FE_DIR="$build/lib" "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "$ocloc" compile -q \
        -file "$1" -device "$2" \
        -options "-cmc -w -I$(dirname "$1")" -output_no_suffix -output "$3" -out_dir . >"$3.log" 2>&1
}

for platform; do
    for kernel in "$here"/../kernels/*/*.cm "$here"/../../benchmarks/*/*.cm; do
        name=$(basename "$kernel" .cm)
        grep -q "^// NOT-ON:.*\b$platform\b" "$kernel" && continue # the part lacks what it tests
        known=$(awk -v k="$name" '$1 == k { for (n = 2; n <= NF; n++) print $n }' "$here/current.txt" \
            | grep -cx "$platform\|all")
        if compile "$kernel" "$platform" "$name-$platform"; then
            [ "$known" -eq 0 ] || echo "$name for $platform compiles now: current.txt says otherwise"
            passed=$((passed + 1))
        elif [ "$known" -eq 0 ]; then
            echo "FAIL $name for $platform:"
            tail -n 3 "$name-$platform.log"
            failed=$((failed + 1))
        fi
        rm -f "$name-$platform"*
    done
done
echo "$passed compiled, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
