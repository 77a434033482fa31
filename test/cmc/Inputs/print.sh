#!/bin/sh
# print.sh STATEMENT PATTERN: a kernel with the statement must be refused for Intel's back end at its line, by a message
# that matches PATTERN, and nothing is written.
set -u
here=$(cd "$(dirname "$0")" && pwd)
rm -f refused.spv
cmc -Wno-format -march=TGLLP -emit-spirv "-DBODY=$1" "$here/print.cm" -o refused.spv 2>messages &&
    { echo "taken: $1"; exit 1; }
grep -q "print.cm:6:[0-9]*: error: $2" messages || { echo "not '$2' but:"; cat messages; exit 1; }
test ! -e refused.spv
