#!/bin/sh
# cmrun.sh DEVICE GENSIM CMRUN KERNELS.bin OTHER.bin
# Checks cmrun with the kernels of kernels.cl on a simulated GPU: every kind of argument, memory and result, and every
# error. OTHER.bin holds the same kernels for another GPU.
set -u
device=$1 gensim=$2 cmrun=$3 kernels=$4 other=$5
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

# expect WHAT WANTED GOT
expect() {
  [ "$2" = "$3" ] && return
  echo "FAIL $1: wanted '$2', got '$3'"
  failures=$((failures + 1))
}

run() { "$gensim" -d "$device" -- "$cmrun" "$@"; }

# refuse WHAT PATTERN WORDS...: cmrun must fail with one line that matches, and write nothing.
refuse() {
  what=$1 pattern=$2; shift 2
  if run "$@" >stdout 2>stderr; then
    expect "$what" failure success
  fi
  expect "$what: lines" 1 "$(wc -l <stderr)"
  grep -q "^cmrun: error: .*$pattern" stderr || expect "$what" "$pattern" "$(cat stderr)"
  expect "$what: output" 0 "$(wc -c <stdout)"
  expect "$what: files" "" "$(ls | grep -v -e '^stdout$' -e '^stderr$' -e '^in\.')"
}

# vector add: memory kinds, changing inputs on one program, queues
for memory in shared host device; do
  expect "vadd in $memory memory" "100 102 104 106" "$(run "$kernels" -k vadd -g 1 -l 4 \
    "buf:16:u32=0,1,2,3@$memory" "buf:16:u32=100,101,102,103@$memory" "buf:16@$memory@print=u32")"
done
expect "vadd of other values" "4294967295 7 0 1" "$(run "$kernels" -k vadd -g 2 -l 2 \
  buf:16:u32=4294967295,3,1,0 buf:16:u32=0,4,4294967295,1 buf:16@print=u32)"
expect "two queues, five launches" "0 2 4 6" "$(run "$kernels" -k vadd -l 4 --queues 2 --repeat 5 \
  buf:16:iota-u32 buf:16:iota-u32 buf:16@print=u32)"

# every kind of scalar: total = 7+8 per group, 4321, 5, 0 1 2 3 halves
expect "kinds of arguments" "4341 4341 4342 4342" "$(run "$kernels" -k kinds -g 2 -l 2 buf:16@print=u32 u32:7 \
  u8:1,2,3,4 u64:0x500000000 slm:8 f32:0.5)"

# files in and out
printf 'abcdefgh' >in.bytes
run "$kernels" -k vadd -l 2 buf:in.bytes buf:8 buf:8@w=out.bytes || expect "buffer files" 0 $?
expect "buffer files" abcdefgh "$(cat out.bytes)"
rm -f out.bytes

# images: turned over twice, the picture is itself; raw bytes and other formats
run "$kernels" -k flip -g 5x3 img:5x3:rgba8:random-u8=1@w=in.png img:once.png@w sampler:nearest || expect flip 0 $?
run "$kernels" -k flip -g 5x3 img:once.png img:twice.png@w sampler:nearest,clamp || expect flip 0 $?
cmp in.png twice.png || expect "image turned twice" same different
cmp -s in.png once.png && expect "image turned once" different same
expect "float image" "2 1 0" \
    "$(run "$kernels" -k flip -g 3 img:3x1:r32f:iota-f32 img:3x1:r32f@print=f32 sampler:nearest)"
rm -f once.png twice.png
expect "time is measured" 2 \
    "$(run "$kernels" -k vadd -l 4 --time --repeat 2 buf:16 buf:16 buf:16 2>&1 | grep -c 'vadd: [0-9]* ns')"

times=$(run "$kernels" -k vadd -l 4 --time --repeat 4 buf:16 buf:16 buf:16 2>&1)
expect "minimum, median, maximum" \
    "$(echo "$times" | sed -n 's/^cmrun: vadd: \([0-9]*\) ns$/\1/p' | sort -n | tr '\n' ' ' |
      awk '{ print $1, int(($2 + $3) / 2), $4 }')" \
    "$(echo "$times" | sed -n '/launches:/s/[^0-9 ]//gp' | awk '$1 == 4 { print $2, $3, $4 }')"
expect "one launch has no median" 1 \
    "$(run "$kernels" -k vadd -l 4 --time buf:16 buf:16 buf:16 2>&1 | grep -c ' ns')"

# an image of several planes is for the CPU
refuse "planes" "format nv12: Level Zero gives kernels no image of several planes" "$kernels" -k flip -g 5x3 \
    img:6x4:nv12 \
  img:6x4:rgba8 sampler:nearest
refuse "no PNG of planes" "no 'nv12'" "$kernels" -k flip -g 5x3 img:in.png:nv12 img:5x3:rgba8 sampler:nearest

refuse "no such file" "nowhere.bin: No such file" nowhere.bin
refuse "not a program" "in.bytes: neither" in.bytes
refuse "other platform" "compiled for .*, the device is $device" "$other" -k vadd buf:4 buf:4 buf:4
refuse "no such kernel" "no kernel 'nine'.*vadd kinds flip" "$kernels" -k nine
refuse "which kernel" "3 kernels" "$kernels"
refuse "too few arguments" "takes 3 arguments, 2 given" "$kernels" -k vadd buf:4 buf:4
refuse "too many arguments" "takes 3 arguments, 4 given" "$kernels" -k vadd buf:4 buf:4 buf:4 u32:1
refuse "wrong kind" "argument 2 sum of kernel vadd is a buffer, not a value" "$kernels" -k vadd buf:4 buf:4 u32:1
refuse "wrong size" "argument 3 wide of kernel kinds is a value of 8 bytes, not 4" "$kernels" -k kinds buf:4 u32:7 \
    u8:1,2,3,4 \
  u32:5 slm:8 f32:0.5
refuse "no number" "argument 1 .*'-1' is no u32 number" "$kernels" -k kinds buf:4 u32:-1 u8:1,2,3,4 u32:5 slm:8 f32:0.5
refuse "unknown kind" "argument 0 .*'file' is no kind" "$kernels" -k vadd file:4 buf:4 buf:4
refuse "missing input" "argument 0 .*in.nothing: No such file" "$kernels" -k vadd buf:in.nothing buf:4 buf:4@w=out
refuse "damaged picture" "argument 0 .*in.bytes: not a readable PNG" "$kernels" -k flip img:in.bytes img:out.png@w \
    sampler:nearest
refuse "empty image" "argument 0 " "$kernels" -k flip img:0x5 img:out.png@w sampler:nearest
refuse "huge image" "at most" "$kernels" -k flip img:70000x1 img:70000x1 sampler:nearest
refuse "no size known" "how large" "$kernels" -k flip img:out.png@w img:5x5 sampler:nearest
refuse "full disk" "/dev/full: No space left" "$kernels" -k vadd -l 2 buf:8@w=out.first buf:8 buf:8@w=/dev/full
refuse "no folder" "No such file" "$kernels" -k vadd -l 2 buf:8@w=out.first buf:8 buf:8@w=nowhere/out
refuse "group too large" "at most" "$kernels" -k vadd -l 4096 buf:16384 buf:16384 buf:16384
refuse "bad option" "-g wants" "$kernels" -k vadd -g 0 buf:8 buf:8 buf:8

# without a simulated GPU the advice is a command that runs
if [ ! -e /dev/dri/renderD128 ]; then
  "$cmrun" "$kernels" -k vadd -l 2 'buf:8:u32=1,2' 'buf:8:u32=3,4' buf:8@print=u32 2>stderr \
      && expect "no GPU" failure success
  advice=$(sed -n 's/.*run on a simulated one with: gensim \(.*-- \)cmrun /\1/p' stderr)
  expect "advice" "4 6" "$(eval "'$gensim' ${advice%% -- *} -- '$cmrun' ${advice#* -- }")"
fi
[ $failures -eq 0 ]
