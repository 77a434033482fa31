#!/bin/sh
# Checks that a platform is two rows and no code: cmc with the rows of platform.def and product.def compiles for it.
#
#   new_platform.sh BIN WORK   BIN: folder of cmc_invented, cmc, cmrun and gensim; WORK: scratch folder, made anew
set -eu
bin=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
kernels=$here/../kernels
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "new_platform: $*" >&2
    exit 1
}

# The rows are seen: the help, and the macros of the platform, by its own name, by its product's and by its version.
"$bin/cmc_invented" --help >help
grep -q '^  INVENTED  *Invented (a test)$' help || fail "--help does not name it"
grep -q '^  INVENTED  *invented-1$' help || fail "--help does not name its product"
cat >macros.cm <<'END'
#include <cm/cm.h>
#if CM_GENX != 7700 || !defined CM_INVENTED || __CM_INTEL_TARGET_MAJOR != 77 || __CM_INTEL_TARGET_MINOR != 1
#error not the row of product.def
#endif
#if __CM_INTEL_TARGET_REVISION != REVISION || CM_GRF_WIDTH != 256
#error not these rows either
#endif
#if !CM_HAS_BIT_ROTATE || !CM_HAS_LSC_SYS_FENCE || defined CM_HAS_DP4A || defined CM_HAS_DOUBLE
#error not the features of TGLLP without DP4A and with LSC_SYS_FENCE
#endif
extern "C" _GENX_MAIN_ void macros(SurfaceIndex out [[type("buffer_t")]])
{
    vector<uint, 8> v = CM_GENX;
    write(out, 0, v);
}
END
for name in INVENTED:5 invented-1:5 77.1.9:9; do
    "$bin/cmc_invented" "-march=${name%:*}" "-DREVISION=${name#*:}" macros.cm -o macros.bin || fail "-march=${name%:*}"
done
"$bin/cmc" -march=INVENTED macros.cm -o no.bin 2>errors && fail "cmc itself knows it"

# A feature that it lacks is refused by name; one that it shares is not.
cat >lacks.cm <<'END'
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void lacks(SurfaceIndex buffer [[type("buffer_t")]])
{
    vector<uint, 8> a, b, c = 0;
    read(buffer, 0, a);
    read(buffer, 32, b);
    vector<uint, 8> sum = cm_dp4a<uint>(c, a, b);
    write(buffer, 0, sum);
}
END
"$bin/cmc_invented" -march=TGLLP lacks.cm -o lacks.bin
"$bin/cmc_invented" -march=INVENTED lacks.cm -o lacks.bin 2>errors && fail "dp4a is compiled"
grep -q 'is not available on INVENTED' errors || fail "dp4a: $(cat errors)"
cat >shared.cm <<'END'
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void shared()
{
    cm_slm_init(32 * 1024);
}
END
"$bin/cmc_invented" -march=TGLLP shared.cm -o shared.bin
"$bin/cmc_invented" -march=INVENTED shared.cm -o shared.bin 2>errors && fail "more shared memory than it has"

# Gen code is that of the platform whose finalizer it names, and runs where that one runs.
for kernel in arithmetic/integers control_flow/simd_loop functions/functions_stack memory/atomics; do
    for platform in INVENTED TGLLP; do
        "$bin/cmc_invented" -march=$platform "$kernels/$kernel.cm" -mdump_asm -o "$platform.bin"
        sed '/^\/\//d' "$platform.asm" >"$platform.code"
    done
    cmp INVENTED.code TGLLP.code || fail "$kernel: other code than TGLLP's"
done
"$bin/cmc_invented" -march=INVENTED -DREVISION=5 macros.cm -o macros.bin
"$bin/gensim" -d tgllp -- "$bin/cmrun" macros.bin -k macros -g 1 buf:32@print=u32 >numbers
grep -q '7700.*7700.*7700.*7700.*7700.*7700.*7700.*7700' numbers || fail "macros.bin prints $(cat numbers)"
