#!/bin/sh
# freed_level_zero.sh DEVICE BIN_FOLDER PROGRAM KERNEL_SOURCE WORK_FOLDER
# A launch of Level Zero with memory that the program has freed, or an image that it has destroyed, is reported once,
# before the driver, which may not survive it, has it.
set -u
device=$1 bin=$2 program=$3 source=$4 work=$5
failures=0 driver='' newest=no
if [ "$device" = lnl ]; then # only the newest driver knows it, and its finalizer; it can change launches
  [ -e "${CMKIT_CURRENT:-$HOME/.cache/cmkit/current}/root/usr/bin/GenX_IR" ] || {
    echo "skipped: the newest driver and finalizer are not there; ./dev deps --current downloads them"
    exit 77
  }
  driver='--driver current' newest=yes
fi
mkdir -p "$work"
"$bin/cmc" -march="$device" "$source" -o "$work/freed.bin" || exit 1

# run KERNEL KIND WHEN
run() {
  what="$1 $2 $3"
  # shellcheck disable=SC2086
  said=$(timeout 60 "$bin/gensim" -d "$device" $driver --check=memory -- "$program" "$work/freed.bin" "$@" 2>&1)
  status=$?
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
# A launch has the arguments of its kernel as they were when it was appended, and those that it was given itself.
for kind in shared device; do
  for when in replaced other changed unused; do
    run pointers $kind $when
    [ "$status" = 77 ] && [ "$newest" = no ] && continue
    case $when:$reports:$said in
      replaced:1:* | changed:1:* | other:0:*end | unused:0:*end) ;;
      *) fail ;;
    esac
  done
done
[ "$failures" = 0 ]
