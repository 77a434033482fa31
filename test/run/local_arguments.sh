#!/bin/sh
# local_arguments.sh PLATFORM BIN_FOLDER WORK_FOLDER
# Runs local_arguments.cm on a simulated GPU, or with PLATFORM "cpu" on the host.
. "$(dirname "$0")/target.sh"
for optimization in -O0 -O2; do
  "$bin/cmc" -march=$march $optimization "$here/local_arguments.cm" -o "$work/kernel"
  printed=$($gpu "$bin/cmrun" "$work/kernel" -k local_arguments -g 2 -l 4 slm:64 buf:16:iota-u32 slm:32 \
      buf:80@print=i32)
  expected="3 103 5 21 1003 2 102 5 14 1002 1 101 5 7 1001 0 100 5 0 1000"
  if [ "$(echo $printed)" != "$expected" ]; then
    echo "$optimization on $platform: $printed, not $expected" >&2
    exit 1
  fi
  printed=$($gpu "$bin/cmrun" "$work/kernel" -k only_argument -g 2 -l 4 slm:16 buf:16@print=i32)
  if [ "$(echo $printed)" != "8 7 6 5" ]; then
    echo "$optimization on $platform: only_argument: $printed" >&2
    exit 1
  fi
done
