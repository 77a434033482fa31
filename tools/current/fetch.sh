#!/bin/sh
# fetch.sh [FOLDER]: downloads Intel's newest driver and its compiler from Debian's archive into a folder of its own
# (default: the one that $CMKIT_CURRENT names, else ~/.cache/cmkit/current). It installs nothing and needs no root. The
# archive is the one that this system's apt uses, or $CMKIT_DEBIAN_MIRROR. FOLDER/debs keeps the packages: they are not
# downloaded again.
# FOLDER/root holds their files: FOLDER/root/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 --library-path ... PROGRAM
# runs one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-${CMKIT_CURRENT:-$HOME/.cache/cmkit/current}}
die() {
    echo "fetch.sh: error: $*" >&2
    exit 1
}

command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || die "apt-get and dpkg-deb are needed"
mirror=${CMKIT_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' | sort -u | grep -v security | head -n 1)}
[ -n "$mirror" ] || die "apt knows no archive: name Debian's in CMKIT_DEBIAN_MIRROR"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/debs"
folder=$(cd "$folder" && pwd)
echo "deb $mirror sid main" >"$folder/apt/sources.list"
cat >"$folder/apt/apt.conf" <<END
Dir::Etc::sourcelist "$folder/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "$folder/apt/lists";
Dir::Cache "$folder/apt/cache";
APT::Sandbox::User "";
END

updated=''
# fetch NAME VERSION: VERSION may be *
fetch() {
    set -- "$1" "$2" "$folder/debs/$1_"
    for file in "$3"$2_*.deb; do
        [ ! -e "$file" ] || return 0
    done
    [ -n "$updated" ] || apt-get -q -c "$folder/apt/apt.conf" update >"$folder/apt/log" 2>&1 ||
        die "no list of packages from $mirror; $folder/apt/log says why"
    updated=yes
    wanted=$1
    [ "$2" = '*' ] || wanted=$1=$2
    (cd "$folder/debs" && apt-get -q -c "$folder/apt/apt.conf" download "$wanted") >"$folder/apt/log" 2>&1 && return 0
    has=$(apt-cache -c "$folder/apt/apt.conf" policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: //p')
    die \
        "the archive has $1 ${has:-no longer}, not $2: put $1_$2_amd64.deb into $folder/debs, or the newer version into $here/packages.txt and see what the tests say"
}

# No pattern is for the shell here.
set -f
grep -v '^#' "$here/packages.txt" | while read -r name version; do
    set +f
    fetch "$name" "$version"
    set -f
done
set +f
rm -rf "$folder/root.new" && mkdir "$folder/root.new"
for package in "$folder"/debs/*.deb; do
    dpkg-deb -x "$package" "$folder/root.new" || die "$package cannot be unpacked: remove it"
done
rm -rf "$folder/root" && mv "$folder/root.new" "$folder/root"
echo "$folder/root"
