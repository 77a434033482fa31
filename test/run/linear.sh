#!/bin/sh
# linear.sh DEVICE BUILD WORK_FOLDER WIDTH HEIGHT: the demo on a small picture.
set -eu
mkdir -p "$3"
"$2/bin/linear" noise "$4" "$5" "$3/picture.png"
CMKIT_BUILD=$2 exec "$(dirname "$0")/../../benchmarks/demo.sh" -p "$1" -o "$3" "$3/picture.png"
