#!/bin/sh
# build_systems.sh CMAKE BUILD_FOLDER EXAMPLE_FOLDER WORK_FOLDER
# Builds examples/build with CMake, Meson and Make against an installed prefix, and runs it on simulated GPUs. A changed
# header must compile the kernel again, a prefix can be moved, and find_package reports missing parts.
set -eu
cmake=$1 build=$2 example=$3 work=$4
fail() {
  echo "build_systems: $*"
  exit 1
}
rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/first" --strip >"$work/log"
mv "$work/first" "$work/prefix"
prefix=$work/prefix
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name cmkit.pc)")
unset CMKIT_FINALIZER || :

# Nothing of the build folder is left, and programs are stripped.
for program in cmc cmrun gensim; do
  ! readelf -S "$prefix/bin/$program" | grep -q '\.debug_info' || fail "$program is not stripped"
  ! readelf -d "$prefix/bin/$program" | grep -E 'RPATH|RUNPATH' | grep "$build" \
      || fail "$program looks into the build folder"
done

cp -r "$example" "$work/cmake"
"$cmake" -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log"
"$cmake" --build "$work/cmake/build" >"$work/log" || { cat "$work/log"; fail "CMake does not build"; }
ctest --test-dir "$work/cmake/build" --output-on-failure >"$work/log" || { cat "$work/log"; fail "a test with CMake"; }
grep -q '2 tests passed\|100% tests passed, 0 tests failed out of 2' "$work/log" || fail "not two tests"
"$cmake" --build "$work/cmake/build" >"$work/log"
! grep -q Compiling "$work/log" || fail "CMake compiles twice what did not change"
sleep 1
echo '/* changed */' >>"$work/cmake/lanes.h"
"$cmake" --build "$work/cmake/build" >"$work/log"
grep -q 'Compiling scale.cm' "$work/log" || fail "CMake does not see a changed header"
[ "$("$prefix/bin/gensim" -d tgllp -- "$work/cmake/build/scale")" = '0 3 6 9 12 15 18 21' ] \
    || fail "CMake: wrong numbers"
! "$prefix/bin/gensim" -d dg2 -- "$work/cmake/build/scale" 2>"$work/log" || fail "runs on a GPU that it is not for"
grep -q 'CMRT_WRONG_PLATFORM: the program was compiled for skl, icllp, tgllp, the device is dg2' "$work/log" ||
  { cat "$work/log"; fail "wrong words for a GPU that the program is not for"; }

# A device that the driver does not know, as Debian 12's does not know lnl: its test is skipped.
printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(x C)' 'find_package(cmkit REQUIRED)' 'enable_testing()' \
  'cm_add_kernel_test(known DEVICE tgllp COMMAND true)' 'cm_add_kernel_test(later DEVICE lnl COMMAND true)' \
  >"$work/cmake/CMakeLists.txt"
"$cmake" -S "$work/cmake" -B "$work/devices" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log"
ctest --test-dir "$work/devices" --output-on-failure >"$work/log" ||
  { cat "$work/log"; fail "a device of a later driver"; }
grep -q 'later.lnl \.*.*\(Skipped\|Passed\)' "$work/log" || { cat "$work/log"; fail "no test on lnl"; }

# A missing argument of a call is reported in a sentence.
printf \
    'cmake_minimum_required(VERSION 3.20)\nproject(x C)\nfind_package(cmkit REQUIRED)\ncm_add_kernel(k SOURCES a.cm)\n' \
  >"$work/cmake/CMakeLists.txt"
! "$cmake" -S "$work/cmake" -B "$work/wrong" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 || fail "takes no MARCH"
grep -q 'SOURCES or MARCH is missing' "$work/log" || fail "no sentence about MARCH"

if command -v meson >/dev/null; then
  cp -r "$example" "$work/meson"
  meson setup "$work/meson/build" "$work/meson" >"$work/log" || { cat "$work/log"; fail "Meson does not configure"; }
  meson test -C "$work/meson/build" >"$work/log" 2>&1 || { cat "$work/log"; fail "the test with Meson"; }
  sleep 1
  echo '/* changed */' >>"$work/meson/lanes.h"
  ninja -C "$work/meson/build" -n >"$work/log"
  grep -q scale.bin "$work/log" || fail "Meson does not see a changed header"
else
  echo "no meson here"
fi

cp -r "$example" "$work/make"
[ "$(make -s -C "$work/make" check)" = '0 3 6 9 12 15 18 21' ] || fail "Make: wrong numbers"
sleep 1
echo '/* changed */' >>"$work/make/lanes.h"
make -C "$work/make" >"$work/log"
grep -q cmc "$work/log" || fail "Make does not see a changed header"

# Two versions side by side: each its own headers.
cp -r "$prefix" "$work/second"
echo '#error the other one' >"$work/second/include/cm/cm.h"
"$prefix/bin/cmc" -march=ICLLP "$example/scale.cm" -o "$work/side.bin" || fail "not with its own headers"
! "$work/second/bin/cmc" -march=ICLLP "$example/scale.cm" -o "$work/side2.bin" 2>"$work/log" \
    || fail "not the headers beside it"
# CMake takes the one whose version is asked for, and names both if it is none of them.
file=$(find "$work/second" -name cmkitConfigVersion.cmake)
sed -i 's/0\.1\.0/0.2.0/g' "$file"
ask() {
  printf 'cmake_minimum_required(VERSION 3.20)\nproject(x C)\nfind_package(cmkit %s REQUIRED)\n%s\n' "$1" \
    'message(STATUS "found ${cmkit_DIR}")' >"$work/cmake/CMakeLists.txt"
  "$cmake" -S "$work/cmake" -B "$work/ask-$1" -DCMAKE_PREFIX_PATH="$prefix;$work/second" >"$work/log" 2>&1
}
ask 0.1 || { cat "$work/log"; fail "CMake does not find version 0.1 of two"; }
grep -q "found $prefix/" "$work/log" || { cat "$work/log"; fail "CMake takes another version than 0.1"; }
ask 0.2 || { cat "$work/log"; fail "CMake does not find version 0.2 of two"; }
grep -q "found $work/second/" "$work/log" || { cat "$work/log"; fail "CMake takes another version than 0.2"; }
! ask 0.3 || fail "CMake takes a version that is not asked for"
grep -q 'version: 0\.1\.0' "$work/log" && grep -q 'version: 0\.2\.0' "$work/log" ||
  { cat "$work/log"; fail "CMake does not name both versions"; }
echo "build systems: passed"
