#!/bin/sh
# versions.sh BIN_FOLDER VERSION LIBCMRT C_COMPILER PYTHON_FOLDER WORK_FOLDER
# What programs say of their version, their status for a wrong command line, and several versions of libcmrt side by
# side: cmrun says which one it runs with, and a library that is too old or too new is told of before anything runs.
set -eu
bin=$1 version=$2 library=$3 compiler=$4 python=$5 work=$6
rm -rf "$work"
mkdir -p "$work/other" "$work/later"
fail() {
  echo "versions: $*"
  exit 1
}
for program in cmc cmrun gensim cmbench cm-precompile; do
  [ -x "$bin/$program" ] || continue
  [ "$("$bin/$program" --version | head -n 1)" = "$program (cmkit) $version" ] || fail "$program --version"
  "$bin/$program" --help >"$work/log" || fail "status of $program --help"
  [ "$program" = gensim ] && wanted=125 || wanted=2
  "$bin/$program" --no-such-option >"$work/log" 2>&1 && status=0 || status=$?
  [ $status = $wanted ] || fail "status $status of $program --no-such-option"
done

# Another copy of the library comes first.
name=$(basename "$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')")
cp "$library" "$work/other/$name"
LD_LIBRARY_PATH=$work/other "$bin/cmrun" --version | grep -qF "($work/other/$name)" || fail "which library cmrun has"

# A program that was made with a later minor version, and runs with this library.
echo 'void cmrt_of_later(void) {}' >"$work/later.c"
echo 'CMRT_1.0 { local: *; }; CMRT_1.99 { global: cmrt_of_later; } CMRT_1.0;' >"$work/later.map"
"$compiler" -shared -fPIC "$work/later.c" -Wl,-soname,"$name" -Wl,--version-script="$work/later.map" \
  -o "$work/later/libcmrt.so"
echo 'void cmrt_of_later(void); int main(void) { cmrt_of_later(); return 0; }' >"$work/program.c"
"$compiler" "$work/program.c" -L"$work/later" -lcmrt -o "$work/program"
! LD_LIBRARY_PATH=$work/other "$work/program" 2>"$work/log" || fail "a program that needs a later library runs"
[ "$(wc -l <"$work/log")" = 1 ] && grep -q "version .CMRT_1.99. not found" "$work/log" ||
  fail "other words about a later library: $(cat "$work/log")"

# The Python package and a library of the next major version.
python3=/usr/bin/python3
if "$python3" -c 'import numpy' 2>"$work/log"; then
  echo 'unsigned cmrt_version(void) { return 20000; }' >"$work/next.c"
  "$compiler" -shared -fPIC "$work/next.c" -o "$work/next.so"
  ! CMKIT_LIBRARY=$work/next.so PYTHONPATH=$python "$python3" -c 'import cmkit; cmkit.Device("cpu")' 2>"$work/log" ||
    fail "Python takes a library of the next version"
  tail -n 1 "$work/log" | grep -q 'OSError: libcmrt has version 2.0, this package needs 1' ||
    fail "other words of Python: $(tail -n 1 "$work/log")"
fi
echo "versions: passed"
