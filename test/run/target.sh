# Sets the variables of scripts that run a kernel on a simulated GPU, or with the platform "cpu" on the host. Their
# arguments are PLATFORM BIN_FOLDER WORK_FOLDER. march: the value of cmc's -march; gpu: the command before a program
# that uses the GPU; here: the folder of the script.
set -eu
platform=$1 bin=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$work"
march=$platform gpu="$bin/gensim -d $platform --"
[ "$platform" != cpu ] || march=host gpu=
