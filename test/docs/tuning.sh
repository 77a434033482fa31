#!/bin/sh
# tuning.sh BIN_FOLDER SOURCE WORK_FOLDER [print]: measures the kernels of docs/guide/tuning.md on simulated Ice Lake,
# compares every byte of their results with the reference, and compares the page's table with the measurement. `print`
# prints the table instead.
set -eu
bin=$1 source=$2 work=$3 mode=${4:-check}
device=icllp width=224 height=126
steps=$source/examples/tuning
mkdir -p "$work"
cd "$work"
"$bin/linear" noise $width $height picture.png
"$bin/linear" pad picture.png padded.png
"$bin/linear" convert picture.png rgba.png

# row NAME FILE: a line of the table from the statistics of the last launch.
row() {
  python3 - "$1" "$2" $((width * height)) <<'PYTHON'
import json, sys
name, file, pixels = sys.argv[1], sys.argv[2], int(sys.argv[3])
kernel = next(k for k in json.load(open("stats.json"))["kernels"] if k["kernel"] in ("blur", "linear"))
image = min((s for s in kernel["surfaces"].items() if s[1]["read"]), default=None, key=lambda s: -s[1]["read"])
timing = kernel["timing"]
most = max(timing["stalls"], key=timing["stalls"].get)
messages = kernel["classes"]["message"]["instructions"]
print(f"| {name} | `{file}` | {kernel['threads']:,} | {kernel['instructions'] / pixels:.2f} | "
      f"{messages / pixels:.3f} | {image[1]['read'] / pixels:.1f} | {timing['GpuTime'] / 1000:.3g} | "
      f"{timing['EuActive']:.0f} | {most} {timing['stalls'][most]:.0f} |")
PYTHON
}

# check VERSION: no byte of result.png is wrong.
check() {
  wrong=$("$bin/linear" check "$1" picture.png result.png) && [ "$wrong" = 0 ] || {
    echo "tuning.sh: $2: $wrong bytes are wrong" >&2
    exit 1
  }
}

# compile FILE: by Intel's compiler, which looks for headers in the folder of the file.
compile() {
  ocloc compile -q -file "$1" -device $device --format zebin -output_no_suffix -output opencl.bin \
      -options "-I $steps" >ocloc.log 2>&1
}

# run PROGRAM KERNEL WORD...: on the simulated GPU.
run() {
  program=$1 kernel=$2; shift 2
  "$bin/gensim" -d $device --timing --stats stats.json -- "$bin/cmrun" "$program" -k "$kernel" "$@"
}

measure_opencl() {
  compile "$source/benchmarks/linear/linear.cl"
  run opencl.bin linear -g $((width / 16))x$(((height + 15) / 16)) -l 16x16 \
    img:rgba.png "img:result.png@w" i32:$width i32:$height
  check cl OpenCL
  row "OpenCL" benchmarks/linear/linear.cl
  compile "$steps/step1_columns.cl"
  run opencl.bin blur -g $((width / 16))x$(((height + 23) / 24)) -l 16x4 \
    img:rgba.png "img:result.png@w" i32:$width i32:$height
  check cl step1_columns
  row "step 1, OpenCL" step1_columns.cl
  number=2
  for file in step2_blocks step3_shared_sums step4_fixed_point step5_two_blocks; do
    compile "$steps/$file.cl"
    run opencl.bin blur -g $((width * 3 / 16))x$((height / 14)) -l 16 \
      img:padded.png "img:${width}x$height:raw3@w=result.png"
    check cm $file
    row "step $number, OpenCL" $file.cl
    number=$((number + 1))
  done
}

measure_cm() {
  number=1
  for file in step1_nine_reads step2_one_read step3_shared_sums step4_full_lanes step5_fixed_point; do
    case $number in
    1 | 2 | 3) groups=$((width / 8))x$((height / 6)) ;;
    *) groups=$((width * 3 / 32))x$((height / 14)) ;;
    esac
    "$bin/cmc" -march=ICLLP "$steps/$file.cm" -o cm.bin
    run cm.bin blur -g $groups img:padded.png "img:${width}x$height:raw3@w=result.png"
    check cm "$file"
    row "step $number" "$file.cm"
    number=$((number + 1))
  done
}

{
  echo '| kernel | file | threads | instructions a pixel | messages a pixel | bytes read a pixel | µs by the model | EUs active % | waiting most for, % |'
  echo '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |'
} >table.md
{ measure_opencl; measure_cm; } >>table.md
if [ "$mode" = print ]; then
  cat table.md
  exit
fi
sed -n '/^| kernel | file/,/^$/p' "$source/docs/guide/tuning.md" | sed '/^$/d' >page.md
diff -u page.md table.md || {
  echo "tuning.sh: docs/guide/tuning.md has another table: test/docs/tuning.sh ... print prints this one" >&2
  exit 1
}
