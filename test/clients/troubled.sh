#!/bin/sh
# troubled.sh GENSIM TROUBLED VECTOR_ADD KERNELS: clients in trouble on a simulated Tiger Lake end with a line that says
# what to do, or work. Rows of docs/guide/clients.md, When something is in the way.
gensim=$1 troubled=$2 vector_add=$3 kernels=$4
intel=$(ls /etc/OpenCL/vendors/intel*.icd | sed -n 1p)
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0

# expect STATUS PATTERN COMMAND...: the status, and a line of the output; an empty pattern: no line of gensim
expect()
{
    want=$1 pattern=$2
    shift 2
    "$@" > "$folder/out" 2>&1
    status=$?
    if [ -n "$pattern" ]; then grep -q -- "$pattern" "$folder/out"; else ! grep -q '^gensim' "$folder/out"; fi
    found=$?
    if [ $status -ne "$want" ] || [ $found -ne 0 ]; then
        echo "FAILED: $*: status $status (expected $want), no '$pattern' in: $(cat "$folder/out")"
        failures=$((failures + 1))
    fi
}

run() { OCL_ICD_VENDORS=$intel timeout 60 "$gensim" -d tgllp --stats "$folder/stats-%p" -- "$troubled" "$@"; }

# It finds no device.
expect 0 '' run find
mkdir "$folder/vendors" "$folder/broken"
expect 1 "OCL_ICD_VENDORS=$folder/vendors has no driver of Intel" env OCL_ICD_VENDORS="$folder/vendors" \
    "$gensim" -d tgllp -- "$troubled" find
expect 1 'troubled: no GPU' env OCL_ICD_VENDORS="$folder/vendors" "$gensim" -d tgllp -- "$troubled" find
[ ! -e /etc/OpenCL/vendors/pocl.icd ] || # it uses the processor instead, and ends well
    expect 0 'OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd has no driver of Intel' \
        env OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd "$gensim" -d tgllp -- clinfo -l
echo none > "$folder/broken/libze_intel_gpu.so.1"
expect 1 "Intel's driver does not load: .*libze_intel_gpu.so.1: file too short" \
    env LD_LIBRARY_PATH="$folder/broken" "$gensim" -d tgllp -- "$vector_add" "$kernels"
expect 0 '' "$gensim" -d tgllp -- "$vector_add" "$kernels"
expect 1 '' "$gensim" -d tgllp -- "$vector_add" # a wrong command line is not gensim's affair

# It brings its own OpenCL loader, or its own LLVM.
cp /usr/lib/x86_64-linux-gnu/libOpenCL.so.1 "$folder/libOpenCL-own.so"
expect 0 '' run use "$folder/libOpenCL-own.so"
tried=0
for llvm in /usr/lib/x86_64-linux-gnu/libLLVM-1[0-9].so.1 /usr/lib/x86_64-linux-gnu/libLLVM.so.[12][0-9].*; do
    [ -e "$llvm" ] || continue
    LLVM=$llvm expect 0 '' run use
    tried=$((tried + 1))
done
[ $tried -gt 0 ] || { echo "FAILED: no LLVM to try"; failures=$((failures + 1)); }

# It forks workers, one of which is killed; it is killed itself.
rm -f "$folder"/stats-*
expect 0 'a worker was killed by signal 9' run workers 3
[ "$(ls "$folder" | grep -c '^stats-')" -eq 4 ] ||
    { echo "FAILED: statistics of 3 workers and their parent: $(ls "$folder")"; failures=$((failures + 1)); }
rm -f "$folder"/stats-*
expect 137 '' env OCL_ICD_VENDORS="$intel" sh -c "echo \$\$ > '$folder/killed'; (sleep 0.5; kill -KILL \$\$) & \
    exec '$gensim' -d tgllp --stats '$folder/stats-%p' -- '$troubled' workers 1000"
# Workers that have ended have theirs.
[ ! -e "$folder/stats-$(cat "$folder/killed")" ] ||
    { echo "FAILED: a killed program has statistics"; failures=$((failures + 1)); }

# It asks for more memory than there is (CL_INVALID_BUFFER_SIZE), and goes on; it divides by a time.
expect 0 'MB of memory, and no buffer of that size (-61)$' run memory
expect 0 '^[1-9][0-9]* launches a second$' run time
[ "$failures" -eq 0 ]
