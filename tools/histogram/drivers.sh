#!/bin/sh
# drivers.sh BIN DEVICE: runs and decodes the kernels that Intel's OpenCL driver contains on DEVICE; none may be
# refused. BIN: the folder of the built programs.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1/gensim" -d "$2" --check-scoreboard --save-kernels "$folder" -- "$1/gen-builtins"
ls "$folder" | sed "s,^,$2=drivers:$folder/," | "$1/gen-histogram" -o "$folder/page.md" -
grep -q "^| .mov. | exact | .*[1-9]" "$folder/page.md"
