#!/bin/sh
# repack.sh FILE.deb...: removes the scripts that cpack writes for ldconfig. Debian has a trigger for that, which the
# libraries' packages activate.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in "$@"; do
  rm -rf "$folder/tree"
  dpkg-deb -R "$package" "$folder/tree"
  changed=
  for script in postinst postrm; do
    file=$folder/tree/DEBIAN/$script
    if [ -e "$file" ] && grep -q ldconfig "$file"; then
      rm "$file"
      changed=yes
    fi
  done
  [ -z "$changed" ] || {
    dpkg-deb --root-owner-group -Zxz -b "$folder/tree" "$folder/new.deb"
    mv "$folder/new.deb" "$package"
  }
done
