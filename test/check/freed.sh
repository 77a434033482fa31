#!/bin/sh
# freed.sh DEVICE BIN_FOLDER PROGRAM KERNEL_SOURCE
# A launch that writes to memory which the program has freed is stopped, with one report that says so.
set -u
device=$1 bin=$2 program=$3 source=$4
line=$(grep -n '// MARK' "$source" | cut -d: -f1)
for options in '' '--check'; do
  # shellcheck disable=SC2086 # none or one word
  said=$("$bin/gensim" -d "$device" $options -- "$program" "$source" 2>&1)
  status=$?
  reports=$(printf '%s\n' "$said" | grep -c '^gensim: ')
  case $status:$reports:$said in
    126:1:*'first launch done'*'of the 1048576 that clDeviceMemAllocINTEL allocated at 0x'*', which the program has freed
'*"source "*"freed.cl:$line"*) ;;
    *)
      echo "FAIL $device $options: status $status, $reports reports, line $line"
      printf '%s\n' "$said"
      exit 1
      ;;
  esac
done
