#!/bin/sh
# freed_level_zero.sh DEVICE BIN_FOLDER PROGRAM KERNEL_SOURCE WORK_FOLDER
# A launch of Level Zero with memory that the program has freed, or an image that it has destroyed, is reported once,
# before the driver, which may not survive it, has it.
set -u
device=$1 bin=$2 program=$3 source=$4 work=$5
failures=0
mkdir -p "$work"
"$bin/cmc" -march="$device" "$source" -o "$work/freed.bin" || exit 1

# run KERNEL KIND WHEN
run() {
  what="$1 $2 $3"
  said=$(timeout 60 "$bin/gensim" -d "$device" --check=memory -- "$program" "$work/freed.bin" "$@" 2>&1)
  reports=$(printf '%s\n' "$said" | grep -c '^gensim: check: memory: an argument ')
}

fail() {
  echo "FAIL $device $what: $reports reports"
  printf '%s\n' "$said"
  failures=$((failures + 1))
}

for when in append execute again immediate; do
  for kind in shared device host; do
    for kernel in surfaces pointers; do
      run $kernel $kind $when
      case $reports:$said in
        1:*freed*"an argument points to memory that the program has freed
    used in a launch of kernel $kernel, as argument 1
    address 0x"*", byte 0 of the 4096 that zeMemAlloc"*"to suppress it: memory $kernel *"*) ;;
        *) fail ;;
      esac
    done
  done
  run image image $when
  case $reports:$said in
    1:*freed*"an argument is a buffer or image that the program has released
    used in a launch of kernel image, as argument 0"*"to suppress it: memory image *"*) ;;
    *) fail ;;
  esac
done
for kind in shared image; do
  kernel=surfaces
  [ $kind = shared ] || kernel=image
  for when in never reset; do
    run $kernel $kind $when
    case $reports:$said in
      0:*end*) ;;
      *) fail ;;
    esac
  done
done
[ "$failures" = 0 ]
