#!/bin/sh
# freed.sh DEVICE BIN_FOLDER PROGRAM KERNEL_SOURCE
# A launch that writes to memory which the program has freed is stopped, with one report that says so. One that is given
# freed memory as an argument is reported by --check before the driver has it, which may not survive that.
set -u
device=$1 bin=$2 program=$3 source=$4
line=$(grep -n '// MARK' "$source" | cut -d: -f1)
failures=0
# A newer driver keeps freed memory of unified allocations mapped, in a pool, where only --check sees such a write.
unpooled='NEOReadDebugKeys=1 EnableDeviceUsmAllocationPool=0 EnableHostUsmAllocationPool=0'

# run WHAT OPTION...
run() {
  what=$1
  shift
  said=$("$bin/gensim" -d "$device" "$@" -- env $unpooled "$program" "$source" "$what" 2>&1)
  status=$?
  reports=$(printf '%s\n' "$said" | grep -cE '^gensim: (fault|check: memory): ')
}

fail() {
  echo "FAIL $device $what: status $status, $reports reports, line $line"
  printf '%s\n' "$said"
  failures=$((failures + 1))
}

for options in '' '--check'; do
  # shellcheck disable=SC2086 # none or one word
  run target $options
  case $status:$reports:$said in
    126:1:*'first launch done'*'of the 1048576 that clDeviceMemAllocINTEL allocated at'*', which the program has freed
'*"source "*"freed.cl:$line"*) ;;
    *) fail ;;
  esac
done
for what in buffer shared svm; do
  run $what --check=memory
  case $what in
    buffer) text='an argument is a buffer or image that the program has released' ;;
    *) text='an argument points to memory that the program has freed' ;;
  esac
  case $reports:$said in
    1:*'first launch done'*"gensim: check: memory: $text
    used in a launch of kernel far, as argument 0"*'to suppress it: memory far *'*) ;;
    *) fail ;;
  esac
done
[ "$failures" = 0 ]
