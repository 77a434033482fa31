#!/bin/sh
# products.sh CMC SOURCE NAME GENX MAJOR MINOR REVISION SLM WIDTH MACRO: checks the product's macros in SPIR-V mode.
set -eu
"$1" -march="$3" -emit-spirv "$2" -o "part.spv" -DGENX="$4" -DMAJOR="$5" -DMINOR="$6" -DREVISION="$7" -DSLM="$8" \
    -DWIDTH="$9" -DNAMED
printf '#include <cm/cm.h>\n#ifndef %s\n#error %s\n#endif\n' "${10}" "${10}" >macro.cm
"$1" -march="$3" -fsyntax-only macro.cm
