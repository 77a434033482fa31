#!/bin/sh
# cmc.sh OPTION...: the front end's cmc, for CMKIT_CMC. Appends a line to $CM_LOG for each source: "built KERNEL..." or
# "refused KERNEL..." with the names of the kernels, which the plug-in defines as macros.
source=$(mktemp) || exit 1
trap 'rm -f "$source"' EXIT
cat > "$source"
"$CM_CMC" "$@" < "$source"
status=$?
names=$(sed -n 's/^#define KERNEL_NAME \([A-Za-z0-9_]*\).*/\1/p' "$source" | tr '\n' ' ')
[ $status -eq 0 ] && word=built || word=refused
[ -z "$names" ] || echo "$word $names" >> "$CM_LOG"
exit $status
