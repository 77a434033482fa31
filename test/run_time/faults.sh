#!/bin/sh
# faults.sh BUILD_FOLDER WORK_FOLDER: checks errors between a program and the compiler: each is the program's build
# error, in one clear line, and the program continues; nothing is left in the temporary folder.
set -u
build=$1 work=$2
rm -rf "$work" && mkdir -p "$work/tmp" "$work/cmc" && cd "$work" || exit 1
failed=0
driver=${GENSIM_DRIVER:+--driver $GENSIM_DRIVER}

cat >good.cm <<'END'
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void k(SurfaceIndex s) { vector<int, 8> x = 3; write(s, 0, x); }
END

# refused WORDS SOURCE OPTIONS [VARIABLE=VALUE...]: the build fails with a log that has WORDS
refused() {
    words=$1 source=$2 options=$3
    shift 3
    env TMPDIR="$work/tmp" "$@" "$build/bin/gensim" -d tgllp $driver -- \
        "$build/bin/run_time_build_cm" "$source" "$options" >log 2>&1
    status=$?
    if [ $status -ne 1 ] || ! grep -qF -- "$words" log || ! grep -q '^the program goes on' log; then
        echo "FAIL status $status, not 1 with '$words':"
        head -c 2000 log
        failed=1
    fi
}

# compiler NAME BODY: a program in place of cmc
compiler() {
    printf '#!/bin/sh\n%s\n' "$2" >"cmc/$1"
    chmod +x "cmc/$1"
}

echo '#include "absent.h"' | cat - good.cm >include.cm
refused "src.cm:1:10: error: 'absent.h' file not found" include.cm '-cmc'
refused "unknown option '-unheard-of'" good.cm '-cmc -unheard-of'
refused "unknown platform '99.1.0'" good.cm '-cmc -march=99.1.0'
refused '-Qxcm_register_file_size=256: TGLLP has 128 registers a thread' good.cm '-cmc -Qxcm_doubleGRF'
refused "a thread has 128 or 256 registers" good.cm '-cmc -Qxcm_register_file_size=100'
echo '// nothing' >empty.cm
refused 'no kernel in empty.cm' empty.cm '-cmc -cm-src=empty.cm'

refused "no compiler at '/no/such/cmc': install cmkit" good.cm '-cmc' CMKIT_CMC=/no/such/cmc
compiler killed 'kill -KILL $$'
refused 'ended by signal 9 (Killed)' good.cm '-cmc' "CMKIT_CMC=$work/cmc/killed"
compiler crashed 'kill -SEGV $$'
refused 'ended by signal 11 (Segmentation fault)' good.cm '-cmc' "CMKIT_CMC=$work/cmc/crashed"
{ # while it compiles: the real one, with enough to do
    cat good.cm
    i=0
    while [ $i -lt 3000 ]; do
        echo "_GENX_ void f$i(vector_ref<int, 8> x) { x += $i; x *= x; }"
        i=$((i + 1))
    done
} >long.cm
compiler shot "( sleep 0.2; kill -KILL \$\$ ) & exec $build/bin/cmc \"\$@\""
refused 'ended by signal 9 (Killed)' long.cm '-cmc' "CMKIT_CMC=$work/cmc/shot"
compiler hangs 'exec sleep 60'
refused 'hangs was stopped after 1 seconds' good.cm '-cmc' "CMKIT_CMC=$work/cmc/hangs" CMKIT_COMPILE_SECONDS=1
compiler silent 'exit 0'
refused 'silent wrote no SPIR-V' good.cm '-cmc' "CMKIT_CMC=$work/cmc/silent"
compiler older "echo \"cmc: error: unknown option '--caller-version=...'\" >&2; exit 2"
refused "unknown option '--caller-version=" good.cm '-cmc' "CMKIT_CMC=$work/cmc/older"
compiler newer "shift 4; exec $build/bin/cmc --caller-version=99.0 \"\$@\""
refused 'libclangFEWrapper.so is of cmkit 99.0 and its cmc of cmkit' good.cm '-cmc' "CMKIT_CMC=$work/cmc/newer"

# 50 MB of source
{ cat good.cm; head -c 50000000 /dev/zero | tr '\0' ' '; echo '//'; } >large.cm
refused 'the most is 16777216' large.cm '-cmc'
rm large.cm

# IGC puts the source into the temporary folder; given in memory, it needs none.
refused 'temporary' good.cm '-cmc' TMPDIR=/proc/self
env TMPDIR=/proc/self "$build/bin/gensim" -d tgllp $driver -- \
    "$build/bin/run_time_build_cm" good.cm '-cmc -cm-src=good.cm' >log 2>&1 || {
    echo 'FAIL without a temporary folder:'
    cat log
    failed=1
}

# A full temporary folder: a file system of 64 KB and a source of 100 KB. Where this user may not mount one, nothing is
# tried.
{ cat good.cm; head -c 100000 /dev/zero | tr '\0' ' '; echo '//'; } >filling.cm
cat >full.sh <<END
mount -t tmpfs -o size=64k none "$work/tmp" || exit 77
TMPDIR="$work/tmp" "$build/bin/gensim" -d tgllp $driver -- "$build/bin/run_time_build_cm" filling.cm -cmc >log 2>&1
status=\$?
exit \$status
END
tried=77
for namespaces in -m -rm; do
    if unshare $namespaces true 2>/dev/null; then
        unshare $namespaces sh full.sh 2>/dev/null
        tried=$?
        break
    fi
done
case $tried in
1)
    grep -q 'could not create temporary' log && grep -q '^the program goes on' log ||
        { echo 'FAIL a full temporary folder:'; head -c 2000 log; failed=1; } ;;
0) echo 'FAIL a full temporary folder is none'; failed=1 ;;
esac

# options that contradict each other
refused "'-emit-llvm' asks for a second kind of output" good.cm '-cmc -emit-llvm'
refused "'-Qxcm_register_file_size=128' contradicts '-Qxcm_register_file_size=256'" good.cm \
    '-cmc -Qxcm_doubleGRF -Qxcm_register_file_size=128'

# more options from the environment
refused "good.cm:2:" good.cm '-cmc -cm-src=good.cm' IGC_ExtraCMOptions=-Dwrite=absent

left=$(ls -A tmp)
[ -z "$left" ] || { echo "FAIL left in the temporary folder: $left"; failed=1; }
exit $failed
