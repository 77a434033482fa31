#!/bin/sh
# The measurements of docs/performance.md, as ratios and rates from one run on one machine.
#   bench.sh [--all] [OPTION...]  every workload in CM and in OpenCL, small sizes on icllp: workloads.sh
#   bench.sh results [PAGE]...  runs the command of each page of docs/results/ and writes the page; without PAGE: lists
#                            them
#   bench.sh linear [RUNS]   compile time and simulation rate of the linear filter. RUNS: how often each program is
#                            timed (default 20); the two take turns, medians are compared
#   bench.sh sim ...    the simulator's speed and size: sim.sh
#   bench.sh compile [RUNS]  the front end's time and memory on a kernel that includes everything: compile.sh
#   bench.sh codegen ...  cmc's code against that of IGC's vector back end: codegen.sh
#   bench.sh codegen --corpus FOLDER ...  static counts of both back ends for a folder of kernels: hunt/corpus.py
#   bench.sh hunt ...  random kernels on which IGC's vector back end makes better code: hunt/hunt.py
#   bench.sh middle [--count] [RUNS]  the middle end's time, or instructions, for each kernel here alone: middle.sh
#   bench.sh large [OPERATIONS...]  time and memory of cmc on generated kernels of so many region operations: large.sh
#   bench.sh timing [--print] ...  the timing model against published figures: timing/timing.py
#   bench.sh draws  whether 16 draws of the timing model's constants are enough: timing/draws.py
#   bench.sh gate [--update]  the CM kernels' counts and cycles against benchmarks/baseline.json: gate.sh
set -eu
case ${1:-} in
results)
  shift
  exec python3 "$(dirname "$0")/results.py" "$@"
  ;;
timing)
  shift
  build=$(cd "$(dirname "$0")/.." && cd "${CMKIT_BUILD:-build}" && pwd)
  exec python3 "$(dirname "$0")/timing/timing.py" --bin "$build/bin" --work "$build/bench/timing" "$@"
  ;;
draws)
  shift
  build=$(cd "$(dirname "$0")/.." && cd "${CMKIT_BUILD:-build}" && pwd)
  exec python3 "$(dirname "$0")/timing/draws.py" --bin "$build/bin" --work "$build/bench/draws" "$@"
  ;;
hunt)
  shift
  exec python3 "$(dirname "$0")/hunt/hunt.py" "$@"
  ;;
sim | compile | codegen | middle | large | gate)
  script=$1
  shift
  exec "$(dirname "$0")/$script.sh" "$@"
  ;;
linear) shift ;;
*) exec "$(dirname "$0")/workloads.sh" "$@" ;;
esac
. "$(dirname "$0")/common.sh"

runs=${1:-20} out=$build/bench
mkdir -p "$out"
linear=$root/benchmarks/linear/linear

# timed LIST COMMAND...: run and add the wall time in microseconds to the list.
timed() {
  list=$1; shift
  begin=$(nanoseconds)
  "$@" >"$out/log" 2>&1 || { cat "$out/log" >&2; die "failed: $*"; }
  echo $((($(nanoseconds) - begin) / 1000)) >>"$list"
}

median() { sort -n "$1" | awk \
    '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# compile_times: whole processes, from source to zebin
compile_times() {
  rm -f "$out/cmc.us" "$out/ocloc.us"
  i=0
  while [ $i -lt "$runs" ]; do
    timed "$out/cmc.us" "$bin/cmc" -march=ICLLP "$linear.cm" -o "$out/linear-cm.bin"
    timed "$out/ocloc.us" "$ocloc" compile -q -file "$linear.cl" -device icllp --format zebin -output_no_suffix \
      -output linear-cl.bin -out_dir "$out"
    i=$((i + 1))
  done
  cm=$(median "$out/cmc.us") cl=$(median "$out/ocloc.us")
  echo "compile linear for icllp, median of $runs: cmc ${cm%.*} us, ocloc ${cl%.*} us, ratio $(ratio "$cm" "$cl")"
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f\n", a / b }'; }

total() { sed -n 's/.*"total": {.*"instructions": \([0-9]*\).*/\1/p' "$1"; }

# cpu_time: microseconds of processor time of the commands that have ended, user and system.
cpu_time() {
  times >"$out/times" # not in a subshell: it would have no children
  sed -n '2{s/m/ /g;s/s/ /g;p;}' "$out/times" | awk '{ printf "%d\n", (($1 + $3) * 60 + $2 + $4) * 1000000 }'
}

# simulator_rate VERSION PLATFORM GROUPS ARGUMENT...: the difference between a run with nine launches and one with one
# is eight launches and nothing else: no start of the driver, no copies, no PNG files. Processor time, because it does
# not count what else the machine does.
simulator_rate() {
  version=$1 platform=$2 groups=$3; shift 3
  for repeat in 1 9; do
    rm -f "$out/$version.us"
    for turn in 1 2 3; do
      cpu_time >"$out/before"
      "$bin/gensim" -d "$platform" --threads 1 --stats "$out/$repeat.json" -- \
        "$bin/cmrun" "$out/$version-$platform/kernel.bin" -k linear --repeat $repeat $groups "$@" || die "cmrun failed"
      cpu_time >"$out/after"
      echo $(($(cat "$out/after") - $(cat "$out/before"))) >>"$out/$version.us"
    done
    eval "time_$repeat=$(median "$out/$version.us")"
  done
  instructions=$(($(total "$out/9.json") - $(total "$out/1.json")))
  awk -v i="$instructions" -v us="$((time_9 - time_1))" -v name="linear.$version on $platform" \
    'BEGIN { printf "gensim, %s, 1 thread: %d Gen instructions a launch, %.1f million a second\n", name, i / 8, i / us }'
}

simulator_rates() {
  picture=$out/photograph.ppm
  make_picture "$picture"
  "$bin/linear" pad "$picture" "$out/padded.png"
  "$bin/linear" convert "$picture" "$out/photograph.png"
  set -- $("$bin/linear" size "$picture")
  width=$1 height=$2 columns=$3 rows=$4
  for platform in skl icllp tgllp; do
    compile_cm "$platform" "$out/cm-$platform"
    compile_cl "$platform" "$out/cl-$platform"
    simulator_rate cm $platform "-g ${columns}x$rows" "img:$out/padded.png" "img:$((columns * 8))x$((rows * 6)):raw3"
    simulator_rate cl $platform "-g $(((width + 15) / 16))x$(((height + 15) / 16)) -l 16x16" \
      "img:$out/photograph.png" "img:${width}x$height" "i32:$width" "i32:$height"
  done
}

echo "$(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
compile_times
simulator_rates
