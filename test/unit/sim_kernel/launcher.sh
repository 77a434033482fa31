#!/bin/sh
# launcher.sh GENSIM: checks gensim's options, exit statuses and environment.
gensim=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0

# expect STATUS PATTERN COMMAND...: the status, and a line of the output
expect()
{
    want=$1 pattern=$2
    shift 2
    output=$("$@" 2>&1)
    status=$?
    if [ "$status" -ne "$want" ] || ! printf '%s\n' "$output" | grep -q -- "$pattern"; then
        echo "FAILED: $*: status $status (expected $want), output: $output"
        failures=$((failures + 1))
    fi
}

expect 0   '^usage: gensim'             "$gensim" --help
expect 0   '^gensim (cmkit) [0-9]'      "$gensim" --version
expect 0   '^library .*libgensim'       "$gensim" --version
expect 0   '^icllp .* 64 EUs (1x8x8) '  "$gensim" --list-devices
expect 0   '^tgllp .* 96 EUs (1x6x16) ' "$gensim" --list-devices
expect 0   '^skl .* 24 EUs (1x3x8) '    "$gensim" --list-devices
expect 125 'no device is given'         "$gensim" -- true
expect 125 "unknown device 'xyz'"       "$gensim" -d xyz -- true
expect 125 'no program is given'        "$gensim" -d skl
expect 125 'not a number'               "$gensim" -d skl --threads 0 -- true
expect 125 'not a number'               "$gensim" -d skl --threads 2x -- true
expect 125 'not a number'               "$gensim" -d skl --max-instructions -1 -- true
expect 125 'KERNEL'                     "$gensim" -d skl --trace : -- true
expect 125 'KERNEL'                     "$gensim" -d skl --trace k:1,2,3,4 -- true
expect 125 'KERNEL'                     "$gensim" -d skl --trace k:1:2x -- true
expect 125 "trace has no value: '--'"   "$gensim" -d skl --trace -- true
expect 125 "stats has no value: '--trace'" "$gensim" -d skl --stats --trace k -- true
expect 125 "error: -d has no value"     "$gensim" -d -- true
expect 0   '^k:1,2,3:4$'                "$gensim" -d skl --trace k:1,2,3:4 -- sh -c 'echo "$GENSIM_TRACE"'
expect 125 'neither all nor none'       "$gensim" -d skl --execute some -- true
expect 125 'not SLICESxSUBSLICESxEUS'   "$gensim" -d skl --topology 1x3 -- true
expect 125 'not SLICESxSUBSLICESxEUS'   "$gensim" -d skl --topology 1x3x0 -- true
expect 125 'not SLICESxSUBSLICESxEUS'   "$gensim" -d skl --topology 5x3x8 -- true
expect 125 'not SLICESxSUBSLICESxEUS'   "$gensim" -d skl --topology 1x3x8x -- true
expect 125 'neither stop nor continue'  "$gensim" -d skl --on-fault=ignore -- true
expect 125 'cannot write to the folder' "$gensim" -d skl --stats "$folder/none/stats" -- true
expect 125 'cannot write to the folder' "$gensim" -d skl --trace-file "$folder/none/trace" -- true
expect 125 'is a folder'                "$gensim" -d skl --stats "$folder" -- true
expect 0   ''                           "$gensim" -d skl --trace-file /dev/null -- true
expect 0   '^/dev/stdout$'              "$gensim" -d skl --stats - -- sh -c 'echo "$GENSIM_STATS"'
expect 0   ''                           sh \
    -c "cd '$folder' && '$gensim' -d skl --stats stats --trace-file trace -- true"
expect 125 'nonsense is no option of gensim (gensim --help' "$gensim" -d skl --nonsense -- true
expect 125 'fidelity=1 is no option'    "$gensim" -d skl --fidelity=1 -- true
expect 125 'there is no option -x'      "$gensim" -d skl -xy -- true
expect 125 'error: --trace has no value (' "$gensim" -d skl --trace
expect 125 'error: -d has no value ('   "$gensim" -d
expect 125 'GENSIM_LIBRARY'             env GENSIM_LIBRARY="$folder/none.so" "$gensim" -d skl -- true
expect 126 'cannot run'                 "$gensim" -d skl -- "$folder/no-such-program"
# Where the installed driver is the newest, it is the current one, too.
newest=
! sh "$(dirname "$0")/../../run_time/with_current.sh" --installed || newest=yes
[ "$newest" ] ||
    expect 125 "lnl is not known to the installed driver: --driver current" "$gensim" -d lnl -- true
expect 125 "skl has no kernel interface 'xe' (i915 is its own)" "$gensim" -d skl --interface xe -- true
expect 125 "has no kernel interface 'nouveau'" "$gensim" --interface nouveau -d dg2 -- true
expect 0   '^xe$'                       "$gensim" --interface xe -d dg2 -- sh -c 'echo "$GENSIM_INTERFACE"'
expect 0   '^dg2 .* i915 '              "$gensim" --list-devices
expect 125 'neither installed nor current' "$gensim" -d skl --driver newest -- true
[ "$newest" ] ||
    expect 125 "no folder $folder/none/root: ./dev deps --current" env CMKIT_CURRENT="$folder/none" "$gensim" -d skl \
        --driver current -- true
expect 125 "no folder $folder/none\$"   "$gensim" -d skl --driver "$folder/none" -- true
half=$folder/half/root/usr/lib/x86_64-linux-gnu
mkdir -p "$half/intel-opencl"
[ "$newest" ] ||
    expect 125 'lacks usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 of the package libc6: ./dev' env \
        CMKIT_CURRENT="$folder/half" \
        "$gensim" -d skl --driver current -- true
for file in $(sed -n 's/^DRIVER_FILE("\([^"]*\)".*/\1/p' "$(dirname "$0")/../../../sim/gensim/driver.def"); do
    : > "$half/$file"
done
rm "$half/libigdgmm.so.12"
expect 125 'lacks .*libigdgmm.so.12 of the package libigdgmm12$' "$gensim" -d skl --driver "$folder/half/root" -- true
: > "$half/libigdgmm.so.12"
printf '#!/bin/sh\n' > "$folder/script" && chmod +x "$folder/script"
expect 126 'is no program for x86-64 (in a script' "$gensim" -d skl --driver "$folder/half/root" -- "$folder/script"
expect 126 'cannot run .*No such file'  "$gensim" -d skl --driver "$folder/half/root" -- no-such-program
expect 0   ''                           "$gensim" -d skl --driver installed -- true
: > "$folder/not-executable"
expect 126 'cannot run'                 "$gensim" -d skl -- "$folder/not-executable"
expect 0   ''                           "$gensim" -d skl -- true
expect 1   ''                           "$gensim" -d skl -- false
expect 42  ''                           "$gensim" -d skl -- sh -c 'exit 42'
expect 42  ''                           "$gensim" -d SKL -- sh -c 'sh -c "exit 42"'
expect 0   '^a  b$'                     "$gensim" -d skl -- printf '%s\n' 'a  b'
expect 0   'libgensim.so:/other.so$'    env LD_PRELOAD=/other.so "$gensim" -d skl -- sh -c 'echo "$LD_PRELOAD"'
expect 0   'libgensim_none.so$'         env -u LD_PRELOAD "$gensim" -d skl --execute none -- sh -c 'echo "$LD_PRELOAD"'
# A program that lists GPUs finds this one only.
expect 0   '^renderD128$'               "$gensim" -d skl -- ls /dev/dri
expect 0   '^crw.* 226, 128 .*/dev/dri/renderD128$' "$gensim" -d skl -- ls -l /dev/dri/renderD128
expect 0   '^character special file e2:80$' "$gensim" -d skl -- stat -c '%F %t:%T' /dev/dri/renderD128
expect 0   '^drwx'                      "$gensim" -d skl -- ls -la /dev/dri
expect 2   'No such file'               "$gensim" -d skl -- ls /dev/dri/card0
expect 0   'drm/renderD128$'            "$gensim" -d skl -- readlink /sys/dev/char/226:128
expect 1   ''                           "$gensim" -d skl -- readlink /sys/dev/char/226:0
expect 0   '^1350$'                     "$gensim" -d tgllp -- cat \
    /sys/bus/pci/devices/0000:00:02.0/drm/card0/gt_max_freq_mhz
expect 0   '^card0$'                    "$gensim" -d tgllp -- ls /sys/bus/pci/devices/0000:00:02.0/drm
expect 0   '^0x9a49$'                   "$gensim" -d tgllp -- cat /sys/class/drm/card0/device/device
expect 0   '^/dev/dri/renderD128$'      "$gensim" -d skl -- find /dev/dri -type c
expect 0   '^PCI_SLOT_NAME=0000:00:02.0$' "$gensim" -d skl -- cat /sys/dev/char/226:128/device/uevent
expect 0   '/0000:00:02.0/drm/renderD128$' "$gensim" -d skl -- realpath /sys/dev/char/226:128
expect 2   'No such file'               "$gensim" -d tgllp -- ls /sys/class/drm/card1
expect 0   '^yes$'                      "$gensim" -d skl -- sh \
    -c 'test -c /dev/dri/renderD128 && test -w /dev/dri/renderD128 && echo yes'
expect 0   "\['renderD128'\] True 226 128" "$gensim" -d skl -- python3 -c "
import os, stat
file = os.open('/dev/dri/renderD128', os.O_RDWR)
seen, named = os.fstat(file), os.stat('/dev/dri/renderD128')
print(os.listdir('/dev/dri'), stat.S_ISCHR(seen.st_mode) and seen.st_rdev == named.st_rdev,
      os.major(seen.st_rdev), os.minor(seen.st_rdev))"
# A process that opens no device leaves no statistics, and files that are not the device's stay themselves.
expect 0   '^text$'                     "$gensim" -d skl --stats "$folder/stats" -- sh \
    -c "echo text > $folder/f; cat $folder/f"
[ ! -e "$folder/stats" ] || { echo "FAILED: statistics without a device"; failures=$((failures + 1)); }
[ "$failures" -eq 0 ]
