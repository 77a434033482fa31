#!/bin/sh
# compile.sh [RUNS]: `cmc -fsyntax-only` on a kernel that includes everything against `ocloc` on an equivalent OpenCL
# kernel. The two take turns, RUNS times each (default 20); medians of the processor time of whole processes, user and
# system, are compared. Also the front end's largest resident memory.
set -eu
. "$(dirname "$0")/common.sh"
runs=${1:-20} out=$build/bench source=$root/benchmarks/compile/everything
mkdir -p "$out"

# prints ratio and memory, from one program that waits for its children and reads their resource usage
python3 - "$runs" "$out" "$source" "$bin/cmc" "$ocloc" <<'PROGRAM'
import resource
import statistics
import subprocess
import sys

runs, out, source, cmc, ocloc = int(sys.argv[1]), *sys.argv[2:]
commands = {
    "cmc": [cmc, "-march=ICLLP", "-fsyntax-only", source + ".cm"],
    "ocloc": [ocloc, "compile", "-q", "-file", source + ".cl", "-device", "icllp", "--format", "zebin",
              "-output_no_suffix", "-output", "everything.bin", "-out_dir", out],
}
times = {name: [] for name in commands}


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def run(name):
    before = used()
    subprocess.run(commands[name], check=True, stdout=subprocess.DEVNULL)
    times[name].append(used() - before)


run("cmc")
memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
for _ in range(runs):
    run("cmc")
    run("ocloc")
cm, cl = (statistics.median(times[name]) * 1000 for name in ("cmc", "ocloc"))
print(f"cmc -fsyntax-only {cm:.0f} ms, ocloc {cl:.0f} ms of the processor, median of {runs}: ratio {cm / cl:.2f}; "
      f"largest memory of cmc {memory:.0f} MB")
PROGRAM
