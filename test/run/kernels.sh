#!/bin/sh
# kernels.sh PLATFORM BIN_FOLDER KERNEL_TEST WORK_FOLDER [KERNEL.cm...]
# Compiles each kernel of test/kernels at -O0 and -O2 and runs it: on a simulated GPU, or with PLATFORM "cpu" on the
# host.
# A kernel that says `// NOT-ON: skl` is left out there; with `// NO-BINARY: lnl` only the driver's compiler takes it.
# `// OPTIONS: ...` are options of cmc for it.
# CMKIT_GENSIM_OPTIONS: more options of gensim. CMKIT_LEVELS: other levels than "-O0 -O2".
# Prints a line for each kernel that fails; every kernel is tried.
set -u
platform=$1 bin=$2 kernel_test=$3 work=$4; shift 4
[ $# -gt 0 ] || set -- "$(dirname "$0")"/../kernels/*/*.cm
mkdir -p "$work"

options=${CMKIT_GENSIM_OPTIONS:-} # of gensim
case $platform in
mtl | arl-h | lnl | bmg) # only the newest driver knows them, and its finalizer
  [ -e "${CMKIT_CURRENT:-$HOME/.cache/cmkit/current}/root/usr/bin/GenX_IR" ] ||
    sh "$(dirname "$0")/../run_time/with_current.sh" --installed || {
    echo "skipped: the newest driver and finalizer are not there; ./dev deps --current downloads them"
    exit 77
  }
  options="$options --driver current" ;;
esac
like=$platform # the platform whose features it has
case $platform in
rkl | adls) like=tgllp ;;
mtl | arl-h) like=dg2 ;;
esac
passed=0 failed=0
for kernel in "$@"; do
  name=$(basename "$kernel" .cm)
  # the platform lacks what it tests
  grep -q "^// \(NOT-ON\|NO-BINARY\):.*\b\($like\|$platform\)\b" "$kernel" && continue
  more=$(sed -n 's,^// OPTIONS: ,,p' "$kernel") # split into words
  for level in ${CMKIT_LEVELS:--O0 -O2}; do
    program=$work/$name$level
    rm -f "$program.bin" "$program.so"
    if [ "$platform" = cpu ]; then
      "$bin/cmc" -march=host $level $more "$kernel" -o "$program.so" && "$kernel_test" "$program.so" "$kernel"
    else
      "$bin/cmc" -march="$platform" $level $more "$kernel" -o "$program.bin" &&
        "$bin/gensim" -d "$platform" --check-scoreboard $options -- "$kernel_test" "$program.bin" "$kernel"
    fi
    if [ $? -eq 0 ]; then
      passed=$((passed + 1))
    else
      echo "FAIL $name $level on $platform"
      failed=$((failed + 1))
    fi
  done
done
echo "$platform: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
