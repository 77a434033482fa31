#!/bin/sh
# sccached.sh FOLDER CMC WORD...: compiles twice behind sccache, which must run cmc once, and compares the two outputs
# with that of cmc alone. Prints "sccache: passed"; the same where Debian's sccache is not installed.
set -eu
folder=$1 cmc=$2
shift 2
command -v sccache >/dev/null || { echo "sccache: passed, since there is none"; exit 0; }
mkdir -p "$folder"
# A server of its own, on a port that no other test has, with a cache of its own.
export SCCACHE_DIR="$folder/cache" SCCACHE_SERVER_PORT=$((20000 + $$ % 10000)) SCCACHE_IDLE_TIMEOUT=60
unset SCCACHE_CONF || :
trap 'sccache --stop-server >/dev/null 2>&1 || :' EXIT
"$cmc" "$@" -o "$folder/alone.bin"
for time in first second; do
  sccache "$cmc" -x c++ -c "$@" -o "$folder/$time.bin"
  cmp "$folder/alone.bin" "$folder/$time.bin"
done
# With another option it is compiled again.
sccache "$cmc" -x c++ -c "$@" -O0 -o "$folder/other.bin"
sccache --show-stats >"$folder/stats"
grep -q '^Cache hits  *1$' "$folder/stats" && grep -q '^Cache misses  *2$' "$folder/stats" || {
  cat "$folder/stats"
  exit 1
}
# What does not compile says so.
echo 'int x = ;' >"$folder/wrong.cm"
! sccache "$cmc" -x c++ -c -march=ICLLP "$folder/wrong.cm" -o "$folder/wrong.bin" 2>"$folder/log" || exit 1
grep -q 'wrong.cm:1:9: error: expected expression' "$folder/log"
[ ! -e "$folder/wrong.bin" ]
echo "sccache: passed"
