#!/bin/sh
# packages.sh PACKAGE_FOLDER WORK_FOLDER [SUITE]
# Installs the packages in a fresh root of Debian (default: bookworm) and tries them there: a kernel through the
# compiler and onto a simulated GPU, what examples/ci/Containerfile runs, a program built with CMake, the OpenCL front
# end where the driver finds it, an upgrade to a later version, also of one package alone and on a full disk; then
# removes them. Needs root, debootstrap and a network. Nothing is simulated where the suite has no Intel compute
# packages.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
packages=$(realpath "$1") work=$2 suite=${3:-bookworm}
mirror=${CMKIT_DEBIAN_MIRROR:-}
fail() {
  echo "packages: $*"
  exit 1
}
[ "$(id -u)" = 0 ] || fail "needs root"
command -v debootstrap >/dev/null || fail "needs debootstrap"
rm -rf "$work"
mkdir -p "$work"
root=$(realpath "$work")/root
trap 'for path in usr/lib/cmkit usr/share/doc/cmkit-doc proc dev; do umount "$root/$path" 2>/dev/null || :; done' EXIT
debootstrap --variant=minbase "$suite" "$root" $mirror >"$work/log" 2>&1 || {
  tail -5 "$work/log"
  fail "debootstrap $suite"
}
mount -t proc none "$root/proc"
mount --bind /dev "$root/dev"
mkdir "$root/packages"
cp "$packages"/*.deb "$root/packages"
inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
    "$@"
}

echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/mirror" # a mirror may be of last month
inside apt-get update -q >"$work/log" 2>&1 || fail "apt-get update"
inside sh -c 'apt-get install -q -y --no-install-recommends /packages/*.deb gcc libc6-dev make cmake pkg-config \
  ocl-icd-libopencl1' >"$work/log" 2>&1 || { tail -20 "$work/log"; fail "the packages do not install on $suite"; }
[ -s "$root/usr/lib/cmkit/cm-gpu.pch" ] || fail "no precompiled headers"
inside cmc --version
inside cp -r /usr/share/doc/cmkit-doc/examples/build /root/build
# Debian 13 has no finalizer and no driver: cmc names what is missing, and there is no package of the simulator.
intel=$(inside sh -c 'command -v GenX_IR' || :) text=
if [ -n "$intel" ]; then
  inside cmc -march=ICLLP /root/build/scale.cm -o /root/scale.bin || fail "cmc -march=ICLLP"
else
  text=-S
  ! inside cmc -march=ICLLP /root/build/scale.cm -o /root/scale.bin 2>"$work/log" || fail "a finalizer from nowhere"
  grep -q 'no finalizer: there is no program GenX_IR' "$work/log" || { cat "$work/log"; fail "other words"; }
  [ ! -e "$root/root/scale.bin" ] || fail "an output after an error"
  for option in -S -emit-llvm; do
    inside cmc -march=ICLLP $option /root/build/scale.cm -o /root/scale.out || fail "cmc $option"
    [ -s "$root/root/scale.out" ] || fail "cmc $option: empty"
  done
  ! inside cmrun /root/scale.out -g 1 >"$work/log" 2>&1 || fail "cmrun runs $option's output"
fi
inside cmc -march=SKL -emit-spirv /root/build/scale.cm -o /root/scale.spv || fail "cmc -emit-spirv"
inside cmc -march=host /root/build/scale.cm -o /root/scale.so || fail "cmc -march=host"
got=$(inside cmrun /root/scale.so -g 1 buf:32:iota-u32 buf:32@print=u32 u32:3)
[ "$got" = '0 3 6 9 12 15 18 21' ] || fail "on the CPU: $got"
# What the recipe for containers runs. It brings the drivers that gensim recommends: only for packages that are new.
# shellcheck disable=SC2046
inside apt-get remove -q -y $(cd "$packages" && ls ./*.deb | sed 's,^./,,; s/_.*//') >"$work/log" 2>&1 || fail "remove"
recipe=$(sed -n 's/^RUN //p' "$here/../../examples/ci/Containerfile" | sed '/rm -rf/d')
inside sh -ec "$recipe" >"$work/log" 2>&1 || { tail -20 "$work/log"; fail "the recipe for containers"; }
if [ -n "$intel" ]; then
  inside sh -c 'cd /root/build && cmake -S . -B b && cmake --build b && ctest --test-dir b --output-on-failure' \
    >"$work/log" 2>&1 || { tail -20 "$work/log"; fail "CMake's example"; }
  got=$(inside gensim -d tgllp -- /root/build/b/scale)
  [ "$got" = '0 3 6 9 12 15 18 21' ] || fail "on a simulated GPU: $got"
  inside sh -c 'ldconfig -p | grep -q libclangFEWrapper.so' || fail "the OpenCL front end is nowhere"
  echo "simulated: passed"
else
  ! inside cmrun /root/scale.spv -g 1 buf:32 buf:32 u32:3 2>"$work/log" || fail "cmrun finds a GPU"
  grep -q 'no Intel GPU found by the Level Zero driver' "$work/log" ||
    { cat "$work/log"; fail "other words of cmrun without a GPU"; }
  echo "$suite has no Intel compute packages: nothing was simulated"
fi

# A later version of all packages: the same files, another number.
mkdir "$root/later"
version=$(inside dpkg-query -W -f '${Version}' cmkit)
for package in "$root/packages"/*.deb; do
  dpkg-deb -R "$package" "$work/tree"
  sed -i "s/^Version: .*/Version: $version.1/; s/(= $version)/(= $version.1)/g" "$work/tree/DEBIAN/control"
  dpkg-deb --root-owner-group -Znone -b "$work/tree" "$root/later" >"$work/log"
  rm -r "$work/tree"
done
installed() { inside dpkg-query -W -f '${Version} ${Status}' "$1"; }
works() {
  # shellcheck disable=SC2086
  inside cmc -march=ICLLP $text /root/build/scale.cm -o "/root/$1.bin" || fail "cmc $1"
}
# Not one package alone: the others are of the same version.
! inside sh -c 'apt-get install -q -y --no-remove /later/cmkit_*.deb' >"$work/log" 2>&1 ||
  fail "cmkit alone is upgraded"
grep -q "libcmrt[0-9]* (= $version.1)" "$work/log" || { cat "$work/log"; fail "other words about cmkit alone"; }
[ "$(installed cmkit)" = "$version install ok installed" ] || fail "cmkit after that: $(installed cmkit)"
# Not on a full disk: dpkg says so, and the package is as before. Without precompiled headers cmc works, too.
full=usr/lib/cmkit kept=gensim
[ -n "$intel" ] || { full="$full usr/share/doc/cmkit-doc" kept=cmkit-doc; } # the rest of usr/lib/cmkit is small
for path in $full; do mount -t tmpfs -o size=64k none "$root/$path"; done
! inside sh -c 'dpkg -i /later/*.deb' >"$work/log" 2>&1 || fail "upgrades on a full disk"
grep -q 'No space left on device' "$work/log" && grep -q 'cmkit: .*pch was not made' "$work/log" ||
  { cat "$work/log"; fail "other words about a full disk"; }
for path in $full; do umount "$root/$path"; done
[ "$(installed $kept)" = "$version install ok installed" ] || fail "$kept is $(installed $kept)"
[ -z "$intel" ] || inside gensim --version >"$work/log" || fail "gensim after a full disk"
works after-a-full-disk
inside sh -c 'dpkg -i /later/*.deb' >"$work/log" 2>&1 ||
  { tail -20 "$work/log"; fail "the later version does not install"; }
for package in cmkit libcmkit-dev ${intel:+gensim}; do
  [ "$(installed $package)" = "$version.1 install ok installed" ] || fail "$package is $(installed $package)"
done
[ "$root/usr/lib/cmkit/cm-gpu.pch" -nt "$root/root/after-a-full-disk.bin" ] || fail "no new precompiled headers"
works upgraded
# shellcheck disable=SC2046
inside apt-get purge -q -y $(cd "$packages" && ls ./*.deb | sed 's,^./,,; s/_.*//') >"$work/log" 2>&1 || fail "purge"
left=$(inside find /usr -path '*cmkit*' -o -name 'cm-*.pch' | grep -v '^/usr/share/man' | head -3)
[ -z "$left" ] || fail "left behind: $left"
echo "packages: passed on $suite"
