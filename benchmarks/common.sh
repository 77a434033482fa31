# Shared by the benchmark scripts: where things are, the demo's photograph, and reading gensim's statistics. Sourced.
# CMKIT_BUILD is the build folder (default: build beside the source folders).

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${CMKIT_BUILD:-$root/build}" 2>/dev/null && pwd) || {
  echo "$(basename "$0"): error: no build folder ${CMKIT_BUILD:-$root/build}; run ./dev build first" >&2
  exit 1
}
bin=$build/bin
ocloc=${CMKIT_OCLOC:-ocloc}

die() {
  echo "$(basename "$0"): error: $*" >&2
  exit 1
}

# A photograph of a bird by Lukas Baubkus (CC BY-SA 3.0), 6028x3391, from Debian's package lomiri-wallpapers-20.04.
photograph=${CMKIT_PHOTOGRAPH:-/usr/share/backgrounds/Kleiber_by_Lukas_Baubkus.jpg}

# make_picture FILE.ppm: the photograph at a quarter of its width and height, 1507x848.
make_picture() {
  [ -e "$photograph" ] || die "$photograph is missing; install the package lomiri-wallpapers-20.04"
  command -v djpeg >/dev/null || die "djpeg is missing; install the package libjpeg-turbo-progs"
  djpeg -scale 1/4 -outfile "$1" "$photograph" || die "djpeg cannot read $photograph"
}

# compile_cm PLATFORM FOLDER, compile_cl PLATFORM FOLDER: FOLDER/kernel.bin, and FOLDER/kernel.asm from the same
# finalizer.
compile_cm() {
  mkdir -p "$2"
  rm -f "$2"/*
  "$bin/cmc" -march="$1" -mdump_asm "$root/benchmarks/linear/linear.cm" -o "$2/kernel.bin" || die "cmc failed for $1"
  keep_asm "$2" "$2"
}

compile_cl() {
  mkdir -p "$2/dump"
  rm -f "$2"/*.* "$2"/dump/*
  IGC_ShaderDumpEnable=1 IGC_DumpToCustomDir="$2/dump" IGC_VISAOptions=-printregusage \
    "$ocloc" compile -q -file "$root/benchmarks/linear/linear.cl" -device "$1" --format zebin \
    -output_no_suffix -output kernel.bin -out_dir "$2" >"$2/ocloc.log" 2>&1 || {
    cat "$2/ocloc.log" >&2
    die "ocloc failed for $1"
  }
  keep_asm "$2/dump" "$2"
}

keep_asm() {
  for asm in "$1"/*.asm; do
    [ "$asm" = "$2/kernel.asm" ] || mv "$asm" "$2/kernel.asm" || die "no Gen assembly in $1"
  done
}

# registers FOLDER: how many registers the finalizer used.
registers() {
  sed -n 's,^//\.GRF count *\([0-9]*\).*,\1,p' "$1/kernel.asm" | head -n 1
}

# launch_field STATS.json GROUPS FIELD: a number of the one launch with that many groups. The driver's own copies are
# launches too; no picture here makes one of the same size.
launch_field() {
  awk -v groups="$2" -v field="$3" '
    match($0, "\"groups\": [0-9]+,.*\"threads\"") && $0 ~ "\"groups\": " groups "," {
      found++
      match($0, "\"" field "\": [0-9]+")
      value = substr($0, RSTART + length(field) + 4, RLENGTH - length(field) - 4)
    }
    END { if (found == 1) print value; else exit 1 }' "$1"
}

nanoseconds() { date +%s%N; }
