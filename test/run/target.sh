# Read by scripts that run a kernel on a simulated GPU, or with the platform "cpu" on the host; their arguments are
# PLATFORM
# BIN_FOLDER WORK_FOLDER. march: what cmc compiles for; gpu: what stands before a program that uses the GPU; here: their
# folder.
set -eu
platform=$1 bin=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$work"
march=$platform gpu="$bin/gensim -d $platform --"
[ "$platform" != cpu ] || march=host gpu=
