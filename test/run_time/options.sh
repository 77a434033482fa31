#!/bin/sh
# options.sh BUILD_FOLDER WORK_FOLDER: checks the effect of each build option of run-time CM on the binary or the
# assembly. Intel's offline compiler builds with -cmc like the OpenCL driver, through libclangFEWrapper.so.
set -u
build=$1 work=$2
rm -rf "$work" && mkdir -p "$work/headers" && cd "$work" || exit 1
failed=0
echo '#define FACTOR 3' >headers/factor.h
cat >k.cm <<'END'
#include <cm/cm.h>
#ifdef NAMED
#include "factor.h"
#endif
extern "C" _GENX_MAIN_ void k(SurfaceIndex s [[type("buffer_t")]])
{
    vector<int, 16> x;
    read(s, 0, x);
    x *= FACTOR;
    write(s, 0, x);
}
END

fail() {
    echo "FAIL $*"
    tail -n 5 log
    failed=1
}

# compile PLATFORM OPTIONS [VARIABLE=VALUE]: k.bin, and IGC's dumps in dump/
compile() {
    rm -rf k.bin dump
    platform=$1 options=$2
    shift 2
    env IGC_ShaderDumpEnable=1 "IGC_DumpToCustomDir=$work/dump" "$@" ocloc compile -file k.cm -device "$platform" \
        -options "-cmc $options" --format zebin -output_no_suffix -output k.bin -out_dir . >log 2>&1 && [ -s k.bin ]
}

good() { compile "$@" || fail "$*"; }
refused() {
    words=$1
    shift
    ! compile "$@" || fail "taken: $*"
    grep -qF -- "$words" log || fail "'$words' is not in the log of: $*"
}
registers() { # wanted PLATFORM OPTIONS
    wanted=$1
    shift
    good "$@"
    "$build/bin/cmrun" --list k.bin | grep -q " $wanted registers" || fail "not $wanted registers: $*"
}
finalizer() { # WORD PLATFORM OPTIONS: the finalizer was given WORD
    word=$1
    shift
    good "$@"
    cat dump/*.asm | grep '^//.options_string' | grep -q -- "$word" || fail "the finalizer did not get $word: $*"
}

registers 128 dg2 '-DFACTOR=2'
registers 128 dg2 '-DFACTOR=2 -Qxcm_register_file_size=128'
registers 256 dg2 '-DFACTOR=2 -Qxcm_register_file_size=256'
registers 256 dg2 '-DFACTOR=2 -Qxcm_doubleGRF'
registers 256 dg2 '-DFACTOR=2 /Qxcm_doubleGRF'
good dg2 '-DFACTOR=2 -Qxcm_register_file_size=auto'
refused 'TGLLP has 128 registers a thread' tgllp '-DFACTOR=2 -Qxcm_register_file_size=256'
refused 'a thread has 128 or 256 registers' dg2 '-DFACTOR=2 -Qxcm_register_file_size=100'
refused "contradicts '-Qxcm_register_file_size=256'" dg2 '-DFACTOR=2 -Qxcm_doubleGRF -Qxcm_register_file_size=128'
refused 'asks for a second kind of output' tgllp '-DFACTOR=2 -emit-llvm'

finalizer -noschedule tgllp '-DFACTOR=2 -Qxcm_jit_option=-noschedule'
finalizer -enableBCR tgllp '-DFACTOR=2 -Qxcm_jit_option="-abortonspill -enableBCR"'
finalizer -enableBCR tgllp '-DFACTOR=2 -mCM_jit_option=-enableBCR'
finalizer -noschedule tgllp '-DFACTOR=2 -Qxcm_noschedule'
finalizer -printregusage tgllp '-DFACTOR=2 -mCM_printregusage'
good tgllp '-DFACTOR=2 -mdump_asm'
good tgllp '-DFACTOR=2 -mCM_translate_legacy -mCM_no_vector_decomposition -fcmocl'
good tgllp '-DFACTOR=2 -vc-use-plain-2d-images'

# macros and folders of headers
refused "'factor.h' file not found" tgllp '-DNAMED'
good tgllp "-DNAMED -I$work/headers"
good tgllp "-D NAMED -I $work/headers"
refused "use of undeclared identifier 'FACTOR'" tgllp ''
good tgllp '' IGC_ExtraCMOptions=-DFACTOR=5
refused "'FACTOR' macro redefined" tgllp '-DFACTOR=2 -Werror' IGC_ExtraCMOptions=-DFACTOR=5

# lines: SPIR-V has them with -g, and the driver puts them into the binary
lines() { readelf -WS k.bin | grep -c '\.debug_line'; }
good tgllp '-DFACTOR=2'
[ "$(lines)" -eq 0 ] || fail "lines without -g"
for option in -g -g1 -g2 -g3; do
    good tgllp "-DFACTOR=2 $option"
    [ "$(lines)" -gt 0 ] || fail "no lines with $option"
done
good tgllp '-DFACTOR=2 -g0'
[ "$(lines)" -eq 0 ] || fail "lines with -g0"
exit $failed
