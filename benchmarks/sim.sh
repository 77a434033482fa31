#!/bin/sh
# The simulator's speed and size: `./dev bench sim`.
#   sim.sh [--json FILE] [RUNS]    RUNS: how often each pair of programs is measured (default 9); the two take turns
#   sim.sh --cases [PROGRAM] [RUNS]    the cases alone; PROGRAM: another build's eu_speed, which takes turns with ours
# instructions_per_second_per_thread  Gen instructions of sgemm.cl (ocloc, SIMD16, icllp) a second of processor time
# two_thread_scaling                  its rate by the clock on two host threads over that on one (the best pair of runs)
# startup_ratio                       time of `gensim -d icllp -- clinfo` over the same with --execute none (the best of
# the runs)
# overhead_mib                        peak memory over --execute none, the larger of clinfo's and sgemm.cl's
# timing_ratio                        processor time of launches of sgemm.cl with --timing over that without, one host
#                                     thread
# timing_wall_ratio                   time by the clock of launches with --timing on two host threads over that without
#                                     one (the best of the runs): both run groups, then subslices of the engine
# timing_instructions_per_second      Gen instructions a second of processor time with --timing, all of it counted
# timing_mib                          peak memory with --timing over that without
# Then the cases, loops of instructions without messages (test/unit/sim_eu/eu_speed.c): the commonest forms, and those
# of the hottest kernels of docs/guide/clients.md; the median of RUNS.
set -eu
. "$(dirname "$0")/common.sh"

json= runs=9 only= other= out=$build/bench/sim
while [ $# -gt 0 ]; do
  case $1 in
  --json) [ $# -ge 2 ] || die "--json needs a file"; json=$2; shift ;;
  --cases) only=yes ;;
  [1-9]*) runs=$1 ;;
  */*) [ -x "$1" ] || die "no program $1"; other=$1 ;;
  *) die "unknown argument '$1' (sim.sh [--json FILE | --cases [PROGRAM]] [RUNS])" ;;
  esac
  shift
done
size=512 many=5
rm -rf "$out"
mkdir -p "$out"

# column N FILE, median, least: numbers of measure's lines
column() { awk -v n="$1" '{ print $n }' "$2"; }
median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
least() { sort -n | head -n 1; }

prepare() {
  "$ocloc" compile -q -file "$root/benchmarks/sim/sgemm.cl" -device icllp --format zebin -output_no_suffix \
    -output sgemm.bin -out_dir "$out" >"$out/ocloc.log" 2>&1 || { cat "$out/ocloc.log" >&2; die "ocloc failed"; }
  "$bin/sgemm" input 1 $size "$out/a"
  "$bin/sgemm" input 2 $size "$out/b"
}

# sgemm LIST REPEAT GENSIM-OPTION...: one run of cmrun with that many launches
sgemm() {
  list=$1 repeat=$2; shift 2
  rm -f "$out/c"
  "$bin/measure" "$out/$list" "$bin/gensim" -d icllp "$@" -- "$bin/cmrun" "$out/sgemm.bin" -k sgemm \
    -g $((size / 64))x$((size / 64)) -l 16x16 --repeat "$repeat" "buf:$out/a" "buf:$out/b" \
    "buf:$((size * size * 4))@w=$out/c" u32:$size u32:$size || die "sgemm failed"
}

total() { sed -n 's/.*"total": {.*"instructions": \([0-9]*\).*/\1/p' "$1"; }

# The two runs of a pair differ only in their number of launches: the difference measures launches alone.
rates() {
  for turn in $(seq "$runs"); do
    for threads in 1 2; do
      sgemm "one-$threads" 1 --threads $threads
      sgemm "many-$threads" $((many + 1)) --threads $threads
    done
    sgemm timed-one 1 --threads 1 --timing
    sgemm timed-two 2 --threads 1 --timing
    sgemm timed-one-2 1 --threads 2 --timing
    sgemm timed-two-2 2 --threads 2 --timing
  done
  sgemm counted 1 --threads 1 --stats "$out/stats.json"
  "$bin/sgemm" check $size "$out/a" "$out/b" "$out/c" || die "the product is wrong"
  instructions=$(($(total "$out/stats.json") * many))
}

startup() {
  for turn in $(seq "$runs"); do
    for execute in all none; do
      "$bin/measure" "$out/clinfo-$execute" "$bin/gensim" -d icllp --execute $execute -- clinfo >"$out/clinfo.log" ||
        die "clinfo failed"
      sgemm "sgemm-$execute" 1 --execute $execute
    done
  done
}

# The rate of each case in millions of instructions a second of processor time, and with another program the ratio.
cases() {
  for turn in $(seq "$runs"); do
    "$bin/eu_speed" "$(command -v iga64)" | sed 's/^/own /' >>"$out/cases" || die "eu_speed failed"
    [ -z "$other" ] || "$other" "$(command -v iga64)" | sed 's/^/other /' >>"$out/cases" || die "$other failed"
  done
  python3 - "$out/cases" <<'PROGRAM'
import statistics
import sys

rates = {"own": {}, "other": {}}
for line in open(sys.argv[1]):
    whose, *name, rate, _, _ = line.split()
    rates[whose].setdefault(" ".join(name), []).append(float(rate))
for name, own in rates["own"].items():
    text = f"case {name}: {statistics.median(own):.1f} million instructions per second"
    if name in rates["other"]:
        other = statistics.median(rates["other"][name])
        text += f", {statistics.median(own) / other:.2f} times the other's {other:.1f}"
    print(text)
PROGRAM
}

if [ -n "$only" ]; then
  cases
  exit
fi
prepare
rates
startup
# Processor time does not depend on other processes.
rate=$(awk -v i="$instructions" -v a="$(column 2 "$out/many-1" | median)" -v b="$(column 2 "$out/one-1" | median)" \
  'BEGIN { printf "%.0f", i / (a - b) * 1000000 }')
scaling=$(awk -v a="$(column 1 "$out/many-1" | least)" -v b="$(column 1 "$out/one-1" | least)" \
  -v c="$(column 1 "$out/many-2" | least)" -v d="$(column 1 "$out/one-2" | least)" \
  'BEGIN { printf "%.2f", (a - b) / (c - d) }')
# The extra cost of two threads: the scaling in wall time on idle processors is 2 over this.
cost=$(awk -v a="$(column 2 "$out/many-2" | median)" -v b="$(column 2 "$out/one-2" | median)" \
  -v c="$(column 2 "$out/many-1" | median)" -v d="$(column 2 "$out/one-1" | median)" \
  'BEGIN { printf "%.2f", (a - b) / (c - d) }')
ratio=$(awk -v a="$(column 1 "$out/clinfo-all" | least)" -v b="$(column 1 "$out/clinfo-none" | least)" \
  'BEGIN { printf "%.2f", a / b }')
# overhead PROGRAM: KiB
overhead() { echo $(($(column 3 "$out/$1-all" | median) - $(column 3 "$out/$1-none" | median))); }
mib=$(awk -v a="$(overhead clinfo)" -v b="$(overhead sgemm)" 'BEGIN { printf "%.1f", (a > b ? a : b) / 1024 }')

# per_launch LIST-WITH-MORE LIST-WITH-FEWER LAUNCHES: microseconds
per_launch() {
  awk -v a="$(column 2 "$out/$1" | median)" -v b="$(column 2 "$out/$2" | median)" -v n="$3" \
    'BEGIN { print (a - b) / n }'
}
untimed=$(per_launch many-1 one-1 $many) timed=$(per_launch timed-two timed-one 1)
timing_ratio=$(awk -v a="$timed" -v b="$untimed" 'BEGIN { printf "%.2f", a / b }')
timing_wall_ratio=$(awk -v a="$(column 1 "$out/timed-two-2" | least)" -v b="$(column 1 "$out/timed-one-2" | least)" \
  -v c="$(column 1 "$out/many-1" | least)" -v d="$(column 1 "$out/one-1" | least)" -v n="$many" \
  'BEGIN { printf "%.2f", (a - b) / (c - d) * n }')
timing_rate=$(awk -v i="$instructions" -v n="$many" -v us="$timed" 'BEGIN { printf "%.0f", i / n / us * 1000000 }')
timing_mib=$(awk -v a="$(column 3 "$out/timed-two" | median)" -v b="$(column 3 "$out/one-1" | median)" \
  'BEGIN { printf "%.1f", (a - b) / 1024 }')

echo "sgemm.cl $size x $size x $size: $((instructions / many)) Gen instructions a launch"
echo "instructions per second and thread: $rate"
echo "two threads over one: $scaling (processor time for the same work: $cost)"
echo "start of clinfo over --execute none: $ratio"
echo "memory over --execute none: $mib MiB"
echo "with --timing: $timing_ratio times the processor time, $timing_rate instructions per second, $timing_mib MiB more"
echo "with --timing on two threads: $timing_wall_ratio times the time by the clock of one without"
cases
[ -z "$json" ] || cat >"$json" <<END
{"instructions_per_second_per_thread": $rate, "two_thread_scaling": $scaling, "startup_ratio": $ratio,
 "overhead_mib": $mib, "timing_ratio": $timing_ratio,
 "timing_wall_ratio": $timing_wall_ratio, "timing_instructions_per_second": $timing_rate,
 "timing_mib": $timing_mib}
END
