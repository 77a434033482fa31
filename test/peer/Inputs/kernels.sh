#!/bin/sh
# kernels.sh CMC ACCEPTED FOLDER FILE.cm...
set -eu
cmc=$1 accepted=$2 folder=$3
shift 3
for source; do
    name=$(basename "$source" .cm)
    for level in 0 2; do
        "$cmc" -march=ICLLP -O$level -emit-llvm "$source" -o "$folder/$name.$level.ll"
    done
    cm-check-genx "$folder/$name.0.ll" "$folder/$name.2.ll"
    "$cmc" -march=ICLLP -emit-vc "$source" -o "$folder/$name.vc.ll"
    sh "$accepted" icllp "$folder/$name.vc.ll" "$folder/$name" || { echo "refused: $source" >&2; exit 1; }
done
