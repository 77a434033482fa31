#!/bin/sh
# full-disk.sh FOLDER CMC SOURCE: runs cmc on a mounted file system of one page, FOLDER, and unmounts it at the end.
folder=$1 cmc=$2 source=$3
trap 'umount "$folder"' EXIT
echo before >"$folder/k.bin" || exit 1
errors=$("$cmc" -march=ICLLP "$source" -o "$folder/k.bin" 2>&1)
status=$?
echo "$errors"
[ $status = 1 ] || { echo "status $status"; exit 1; }
[ "$errors" = "cmc: error: cannot write $folder/k.bin: No space left on device" ] || exit 1
[ "$(cat "$folder/k.bin")" = before ] || { echo "the old file changed"; exit 1; }
[ "$(ls -A "$folder")" = k.bin ] || { ls -lA "$folder"; exit 1; }
