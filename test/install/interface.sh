#!/bin/sh
# interface.sh LIBRARY SOURCE_FOLDER PROGRAM
# Checks that libcmrt exports what its header declares and runtime/cmrt.map lists, and nothing else, and that its types
# and the declarations of its functions are those of interface.abi.
set -eu
library=$1 source=$2 program=$3
names() { LC_ALL=C sort -u; }
exported=$(nm -D --defined-only "$library" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | names)
listed=$(sed -n 's/^ *\(cmrt_[a-z0-9_]*\);$/\1/p' "$source/runtime/cmrt.map" | names)
functions=$(grep -v '^ *#' "$source/runtime/cmrt.h" | tr '\n' ' ' |
  sed 's|/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/||g' | tr ';{}' '\n\n\n' | tr -s ' ' |
  sed -n 's/^ *\(.*cmrt_[a-z0-9_]*(.*)\)$/\1/p')
declared=$(printf '%s\n' "$functions" | grep -o 'cmrt_[a-z0-9_]*(' | tr -d '(' | names)
[ "$exported" = "$listed" ] || { echo "exported and listed differ:"; printf '%s\n%s\n' "$exported" "$listed" | sort \
    | uniq -u; exit 1; }
[ "$declared" = "$listed" ] || { echo "declared and listed differ:"; printf '%s\n%s\n' "$declared" "$listed" | sort \
    | uniq -u; exit 1; }
nm -D --undefined-only "$library" | grep -q 'cmrt_' && { echo "an undefined name"; exit 1; }
{ "$program" && printf '%s\n' "$functions" | names; } | diff "$(dirname "$0")/interface.abi" - || { echo \
    "the interface changed: docs/guide/libcmrt.md says what may be added; all else needs a new major version"; exit 1; }
