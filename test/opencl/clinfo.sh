#!/bin/sh
# clinfo.sh GENSIM CLINFO DEVICE: checks that clinfo prints the known properties of the real GPU: the name with the PCI
# device id, slices, sub-slices, EUs and threads (Intel's product pages: 24, 64, 96 and 512 EUs), its clock, doubles.
# Later drivers have a name for some devices, without the id; the id has a property of its own.
# Exit status: 0 if all agree.
gensim=$1 clinfo=$2 device=$3
case $device in
skl) id=0x1912 mhz=1150 slices=1 subslices=3 eus=8 threads=7 group=256 doubles=yes ;;
icllp) id=0x8a52 mhz=1100 slices=1 subslices=8 eus=8 threads=7 group=256 doubles=no ;;
tgllp) id=0x9a49 mhz=1350 slices=1 subslices=6 eus=16 threads=7 group=512 doubles=no ;;
dg2) id=0x56a0 mhz=2400 slices=1 subslices=32 eus=16 threads=8 group=1024 doubles=no ;; # Linux tells of one slice
*) echo "clinfo.sh: no facts about '$device'" >&2; exit 2 ;;
esac
failures=0
output=$("$gensim" -d "$device" -- "$clinfo" --raw) || { echo "FAILED: clinfo: status $?"; exit 1; }
intel=$(printf '%s\n' "$output" | grep '^\[INTEL/0\]')
# Driver 26.27 takes the EUs of DG2's sub-slices from the GPU's own table (hwconfig), which gensim does not present. It
# then counts 8 of 16.
release=$(printf '%s\n' "$intel" | sed -n 's/^[^ ]* *CL_DRIVER_VERSION  *\([0-9]*\)\..*/\1/p')
table=
[ $device != dg2 ] || [ "${release:-0}" -lt 26 ] || table=missing

# expect PROPERTY PATTERN: the line of that property, after its name, matches the extended regular expression
expect()
{
    value=$(printf '%s\n' "$intel" | sed -n "s/^[^ ]* *$1  *//p")
    if ! printf '%s\n' "$value" | grep -Eq -- "$2"; then
        echo "FAILED: $1 is '$value', not '$2'"
        failures=$((failures + 1))
    fi
}

expect CL_DEVICE_NAME "^Intel\(R\) .*Graphics( .*\[$id\])?\$"
expect CL_DEVICE_TYPE '^CL_DEVICE_TYPE_GPU$'
expect CL_DEVICE_VENDOR_ID '^0x8086$'
expect CL_DEVICE_AVAILABLE '^CL_TRUE$'
expect CL_DEVICE_COMPILER_AVAILABLE '^CL_TRUE$'
expect CL_DEVICE_VERSION '^OpenCL 3\.0 '
expect CL_DEVICE_ID_INTEL "^$((id))\$"
expect CL_DEVICE_NUM_SLICES_INTEL "^$slices\$"
expect CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL "^$subslices\$"
expect CL_DEVICE_NUM_THREADS_PER_EU_INTEL "^$threads\$"
if [ -n "$table" ]; then
    echo "not compared: the EUs of $device, which driver $release takes from a table that gensim does not have"
else
    expect CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL "^$eus\$"
    expect CL_DEVICE_MAX_COMPUTE_UNITS "^$((slices * subslices * eus))\$"
    expect CL_DEVICE_MAX_WORK_GROUP_SIZE "^$group\$"
fi
expect CL_DEVICE_MAX_CLOCK_FREQUENCY "^$mhz\$"
expect CL_DEVICE_SUB_GROUP_SIZES_INTEL '^8 16 32$'
expect CL_DEVICE_ADDRESS_BITS '^64$'
expect CL_DEVICE_LOCAL_MEM_TYPE '^CL_LOCAL$'
expect CL_DEVICE_LOCAL_MEM_SIZE '^65536$'
expect CL_DEVICE_GLOBAL_MEM_SIZE '^[1-9][0-9]{8,}$'
expect CL_DEVICE_IMAGE_SUPPORT '^CL_TRUE$'
expect CL_DEVICE_HALF_FP_CONFIG 'CL_FP_DENORM.*CL_FP_FMA'
for extension in cl_khr_fp16 cl_khr_global_int32_base_atomics cl_khr_local_int32_extended_atomics \
    cl_khr_int64_base_atomics \
    cl_khr_3d_image_writes cl_intel_subgroups cl_intel_media_block_io cl_intel_unified_shared_memory; do
    expect CL_DEVICE_EXTENSIONS "(^| )$extension( |\$)"
done
extensions=$(printf '%s\n' "$intel" | sed -n 's/^[^ ]* *CL_DEVICE_EXTENSIONS  *//p')
case " $extensions " in
*" cl_khr_fp64 "*) found=yes ;;
*) found=no ;;
esac
if [ $found != $doubles ]; then
    echo "FAILED: cl_khr_fp64: $found, not $doubles"
    failures=$((failures + 1))
fi
[ "$failures" -eq 0 ]
