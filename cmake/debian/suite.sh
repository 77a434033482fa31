#!/bin/sh
# suite.sh SUITE FOLDER COMMAND [WORD...]: runs a command in a root of that suite of Debian, FOLDER/root, which
# debootstrap makes at the first call. The tree is there at its own path, read only; FOLDER/build is /build, and
# CMKIT_BUILD. Compiled objects stay in FOLDER/ccache. Needs root, debootstrap and a network.
set -eu
suite=$1 folder=$2
shift 2
die() {
  echo "suite.sh: error: $*" >&2
  exit 1
}
[ "$(id -u)" = 0 ] || die "a root of $suite needs the rights of root"
command -v debootstrap >/dev/null || die "install debootstrap"
tree=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder/build" "$folder/ccache"
folder=$(realpath "$folder")
root=$folder/root
if [ ! -e "$root/.complete" ]; then
  rm -rf "$root"
  debootstrap --variant=minbase "$suite" "$root" ${CMKIT_DEBIAN_MIRROR:-} >"$folder/debootstrap.log" 2>&1 || {
    tail -n 5 "$folder/debootstrap.log" >&2
    die "debootstrap $suite failed"
  }
  echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/mirror" # a mirror may be of last month
  : >"$root/.complete"
fi
mkdir -p "$root$tree" "$root/build" "$root/ccache"
# The mounts are the command's own: none is left when it ends.
export folder root tree
# shellcheck disable=SC2016
exec unshare -m sh -euc '
  mount --make-rprivate /
  mount --bind "$root" "$root" # a mount point, so that programs there may have mounts of their own
  mount -t proc none "$root/proc"
  mount --bind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  mount --bind "$tree" "$root$tree"
  mount -o remount,bind,ro "$root$tree"
  mount --bind "$folder/build" "$root/build"
  mount --bind "$folder/ccache" "$root/ccache"
  exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 CMKIT_BUILD=/build \
    CCACHE_DIR=/ccache "DEBEMAIL=${DEBEMAIL:-}" "DEBFULLNAME=${DEBFULLNAME:-}" "CMAKE_OPTIONS=${CMAKE_OPTIONS:-}" \
    "CMKIT_JOBS=${CMKIT_JOBS:-$(nproc)}" DEBIAN_FRONTEND=noninteractive sh -c "cd \"\$0\" && exec \"\$@\"" "$tree" "$@"
' sh "$@"
