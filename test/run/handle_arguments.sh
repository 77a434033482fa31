#!/bin/sh
# handle_arguments.sh PLATFORM BIN_FOLDER WORK_FOLDER
# Runs handle_arguments.cm on a simulated GPU, or with PLATFORM "cpu" on the host.
. "$(dirname "$0")/target.sh"

# expect RUNS ARGUMENT...: how often cmrun prints each number in a row, and the number
expect() {
  expected=$1
  shift
  printed=$($gpu "$bin/cmrun" "$work/kernel" "$@" | tr -s ' \n' '\n\n' | uniq -c)
  if [ "$(echo $printed)" != "$expected" ]; then
    echo "$optimization on $platform: $*: "$printed", not $expected" >&2
    exit 1
  fi
}

for optimization in -O0 -O2; do
  "$bin/cmc" -march=$march $optimization "$here/handle_arguments.cm" -o "$work/kernel"
  [ "$march" = host ] || ocloc validate -file "$work/kernel" >"$work/validate.log"
  image=img:8x4:raw:u8
  expect "16 31 16 42 16 41 16 42" -k images -g 2 $image=10 $image=20 $image=30 $image=40 \
    img:8x4:raw@print=u8 img:8x4:raw@print=u8 u32:1,1
  expect "16 11 16 32 16 21 16 32" -k images -g 2 $image=10 $image=20 $image=30 $image=40 \
    img:8x4:raw@print=u8 img:8x4:raw@print=u8 u32:0,0
  # (1.25, 1.25) is in the texel (1, 1), (0.75, 0.75) of the way from the first texel's middle to its, and beyond the
  # edge
  expect "16 5 16 25 16 3.75 16 23.75 16 15 16 35" -k samplers -g 6 \
    img:4x4:r32f:f32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 \
    img:4x4:r32f:f32=20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35 \
    sampler:nearest sampler:linear sampler:nearest,clamp,normalized buf:384@print=f32
  # Images that are read by texels are rgba8 where nothing else is said
  expect "16 1 16 0.200000003" -k samplers -g 2 img:4x4:u8=255,0,0,0 img:4x4:u8=51,0,0,0 \
    sampler:nearest sampler:nearest sampler:nearest buf:128@print=f32
  "$bin/cmrun" --list "$work/kernel" | sed -n 's/^ *[0-9]* *\([a-z]*\).*(\(.*\))/\1 \2/p' >"$work/list"
  diff - "$work/list" <<END
img SurfaceIndex in[0][0]
img SurfaceIndex in[0][1]
img SurfaceIndex in[1][0]
img SurfaceIndex in[1][1]
img SurfaceIndex out[0]
img SurfaceIndex out[1]
value vector<uint, 2> which
img SurfaceIndex in[0]
img SurfaceIndex in[1]
sampler SamplerIndex ways[0]
sampler SamplerIndex ways[1]
sampler SamplerIndex ways[2]
buf SurfaceIndex out
END
done
