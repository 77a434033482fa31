#!/bin/sh
# full_disk.sh CMAKE BUILD_FOLDER SOURCE_FOLDER WORK_FOLDER
# An installation and a package on a full disk: a clear error, another status than 0, and nothing half-written. The disk
# is a file system of 512 KB in a mount namespace; status 77 where this user may not mount one.
set -eu
cmake=$1 build=$2 source=$3 work=$4
if [ "${5:-}" != inside ]; then
  rm -rf "$work"
  mkdir -p "$work/disk"
  for options in -m -rm; do
    unshare $options mount -t tmpfs -o size=512k none "$work/disk" 2>/dev/null || continue
    exec unshare $options "$0" "$@" inside
  done
  echo "skipped: no file system can be mounted here"
  exit 77
fi
disk=$work/disk
mount -t tmpfs -o size=512k none "$disk"
fail() {
  echo "full_disk: $*"
  cat "$work/log"
  exit 1
}
refused() { # WORDS COMMAND...: it fails with these words, and leaves nothing on the disk
  words=$1
  shift
  ! "$@" >"$work/log" 2>&1 || fail "status 0 of: $*"
  tr -s ' \n' '  ' <"$work/log" | grep -q "$words" || fail "other words of: $*"
  left=$(find "$disk" -type f | head -3)
  [ -z "$left" ] || fail "left behind: $left"
}

refused "cmkit needs [0-9]* MB below .*, and the disk has [0-9]* MB left: nothing was installed" \
  "$cmake" --install "$build" --prefix "$disk/prefix"
DESTDIR=$disk refused "nothing was installed" "$cmake" --install "$build" --prefix /usr

# The documentation's package is the quickest one: cpack does not get as far as packing it.
tree=$work/tree
mkdir "$tree"
sed 's/^set(CPACK_COMPONENTS_ALL .*/set(CPACK_COMPONENTS_ALL "cmkit-doc")/' "$build/CPackConfig.cmake" \
  >"$tree/CPackConfig.cmake"
refused "no packages were made" "$source/cmake/debian/make.sh" "$tree" "$disk/packages"
[ ! -e "$disk/packages" ] || fail "a folder for packages is left"
# With room for the files, but not for unpacking them once more.
"$source/cmake/debian/make.sh" "$tree" "$work/packages" >"$work/log" 2>&1 || fail "no package with room"
[ -s "$work"/packages/cmkit-doc_*.deb ] || fail "no package with room"
cp "$work"/packages/*.deb "$work/kept.deb"
! TMPDIR=$disk "$source/cmake/debian/repack.sh" "$work"/packages/*.deb >"$work/log" 2>&1 ||
  fail "repacked on a full disk"
cmp -s "$work"/packages/*.deb "$work/kept.deb" || fail "a package is damaged"
[ -z "$(ls "$disk")" ] || fail "left behind: $(ls "$disk")"
echo "full disk: passed"
