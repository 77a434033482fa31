#!/bin/sh
# Blur a photograph with CM and with OpenCL on simulated GPUs and compare every pixel with the host's reference.
# Exit status 1 if anything differs.
#   demo.sh [-p PLATFORM] [-o FOLDER] [PICTURE]     one platform (default: skl icllp tgllp); where the pictures go
#                                                   (default: BUILD/demo); a PPM or PNG file (default: a photograph from
#                                                   Debian)
set -eu
. "$(dirname "$0")/common.sh"

platforms="skl icllp tgllp" out=$build/demo
while getopts p:o: option; do
  case $option in
  p) platforms=$OPTARG ;;
  o) out=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
mkdir -p "$out"
picture=${1:-$out/photograph.ppm}
[ $# -gt 0 ] || make_picture "$picture"
set -- $("$bin/linear" size "$picture")
width=$1 height=$2 columns=$3 rows=$4
"$bin/linear" pad "$picture" "$out/padded.png"
"$bin/linear" convert "$picture" "$out/photograph.png"

# run VERSION PLATFORM FOLDER WORDS...: launch on the simulated GPU; prints the wall time in nanoseconds.
run() {
  version=$1 platform=$2 folder=$3; shift 3
  begin=$(nanoseconds)
  "$bin/gensim" -d "$platform" --stats "$folder/stats.json" -- "$bin/cmrun" "$folder/kernel.bin" -k linear "$@" >&2 ||
    die "$version on $platform failed"
  echo $(($(nanoseconds) - begin))
}

# report VERSION PLATFORM FOLDER GROUPS NANOSECONDS: check and print one line of the table.
report() {
  wrong=$("$bin/linear" check "$1" "$picture" "$3/result.png" "$out/linear-$1-$2.png") || failed=1
  printf '%-10s %-8s %14s %10s %8d.%02d %11s\n' "linear.$1" "$2" "$(launch_field "$3/stats.json" "$4" instructions)" \
    "$(registers "$3")" $(($5 / 1000000000)) $(($5 / 10000000 % 100)) "${wrong:-?}"
}

failed=0
echo "linear filter, $width x $height pixels; pictures in ${out#"$root"/}/"
printf '%-10s %-8s %14s %10s %11s %11s\n' kernel platform 'Gen instr.' registers 'host s' mismatches
for platform in $platforms; do
  folder=$out/cm-$platform groups=$((columns * rows))
  compile_cm "$platform" "$folder"
  time=$(run cm "$platform" "$folder" -g "${columns}x$rows" \
    "img:$out/padded.png" "img:$((columns * 8))x$((rows * 6)):raw3@w=$folder/result.png")
  report cm "$platform" "$folder" $groups "$time"

  folder=$out/cl-$platform x=$(((width + 15) / 16)) y=$(((height + 15) / 16))
  compile_cl "$platform" "$folder"
  time=$(run cl "$platform" "$folder" -g "${x}x$y" -l 16x16 \
    "img:$out/photograph.png" "img:$folder/result.png@w" "i32:$width" "i32:$height")
  report cl "$platform" "$folder" $((x * y)) "$time"
done
exit $failed
