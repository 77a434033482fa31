#!/bin/sh
# make.sh BUILD_FOLDER PACKAGE_FOLDER [OPTION of cpack...]: makes Debian packages of a build folder. All of them or none
# are in PACKAGE_FOLDER afterwards.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$1 packages=$2
shift 2
rm -rf "$packages"
mkdir -p "$packages"
packages=$(realpath "$packages")
log=$tree/cpack.log
(cd "$tree" && cpack -B "$packages" "$@") >"$log" 2>&1 &&
  "$here/repack.sh" "$packages"/*.deb >>"$log" 2>&1 || {
  cat "$log" >&2
  rm -rf "$packages"
  echo "make.sh: error: no packages were made; the lines above say why" >&2
  exit 1
}
rm -rf "$packages/_CPack_Packages"
