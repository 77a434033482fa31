#!/bin/sh
# ci.sh install|build|test: the steps of a CI job that tests an OpenCL program on simulated Intel GPUs.
#
#   install  puts cmkit below $CMKIT_PREFIX, unless it is there already (the job's cache keeps that folder), and Intel's
#            OpenCL driver with the system's packages. $CMKIT_PACKAGES: a folder with cmkit's Debian packages;
#            else $CMKIT_SOURCE: cmkit's sources, which are built
#   build    builds the program, as a project does it
#   test     runs it on each GPU of $DEVICES; `artefacts/` gets the output, the statistics and the reports of each run
#
# Exit status: 0, or 1 if a step fails. A GPU on which the program fails does not stop the others.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=${CMKIT_PREFIX:-$HOME/.cache/cmkit}
devices=${DEVICES:-skl icllp tgllp}
PATH=$prefix/bin:$prefix/usr/bin:$PATH
export PATH

install() {
  dpkg -s intel-opencl-icd ocl-icd-opencl-dev >/dev/null 2>&1 ||
    { apt-get update && apt-get install -y --no-install-recommends gcc intel-opencl-icd ocl-icd-opencl-dev; }
  if command -v gensim >/dev/null; then
    echo "gensim is here: $(command -v gensim)"
  elif [ -n "${CMKIT_PACKAGES:-}" ]; then
    mkdir -p "$prefix"
    for package in "$CMKIT_PACKAGES"/gensim_*.deb "$CMKIT_PACKAGES"/libcmrt[0-9]*_*.deb; do
      dpkg -x "$package" "$prefix"
    done
  elif [ -n "${CMKIT_SOURCE:-}" ]; then
    (cd "$CMKIT_SOURCE" && ./dev deps && ./dev build && cmake --install build --prefix "$prefix" --strip)
  else
    echo "ci.sh: no gensim in $prefix, and neither CMKIT_PACKAGES nor CMKIT_SOURCE says where it comes from" >&2
    return 1
  fi
}

build() {
  mkdir -p "$here/build"
  gcc -O2 -Wall -o "$here/build/saxpy" "$here/saxpy.c" -lOpenCL
}

# --check finds errors that hardware does not report, such as accesses behind a buffer's end.
test_on() {
  gensim -d "$1" --check --error-exit 3 --stats "$here/artefacts/$1.json" -- "$here/build/saxpy" 100000 \
    >"$here/artefacts/$1.log" 2>&1
}

run_tests() {
  failed=''
  rm -rf "$here/artefacts"
  mkdir -p "$here/artefacts"
  for device in $devices; do
    if test_on "$device"; then
      echo "$device: passed"
    else
      echo "$device: failed with status $?; artefacts/$device.log:"
      cat "$here/artefacts/$device.log"
      failed="$failed $device"
    fi
  done
  [ -z "$failed" ]
}

case ${1:-} in
install) install ;;
build) build ;;
test) run_tests ;;
*)
  echo "usage: ci.sh install|build|test" >&2
  exit 1
  ;;
esac
