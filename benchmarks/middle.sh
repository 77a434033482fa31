#!/bin/sh
# middle.sh [--count] [RUNS]: measures the middle end and emission (all of cmc except Clang and the finalizer) for each
# kernel of benchmarks/ alone (cmc --kernel), to vISA text for ICLLP, SKL, DG2 or PVC, the first that has what its file
# needs. Prints the least and the median of RUNS runs (default 20), in milliseconds of processor time, the largest
# first. --count: prints millions of instructions instead, counted by valgrind in one run, which do not depend on the
# machine's load.
set -eu
. "$(dirname "$0")/common.sh"
count=
case ${1:-} in
--count)
  count=yes
  command -v valgrind >/dev/null || die "valgrind is missing; install the package valgrind"
  shift
  ;;
--help | -h)
  sed -n '2,/^set /s/^# \{0,1\}//p' "$0" | sed '/^set /d'
  exit
  ;;
esac
runs=${1:-20} out=$build/bench/middle
case $runs in
'' | *[!0-9]* | 0) die "'$runs' is no number of runs" ;;
esac
mkdir -p "$out"

python3 - "$bin/cmc" "$out" "$runs" "${count:-no}" "$root"/benchmarks/*/*.cm <<'PROGRAM'
import os
import re
import statistics
import subprocess
import sys

cmc, out, runs, count, *files = sys.argv[1:]


def kernels(file):
    """Returns the first platform that has what the file needs, and the names of its kernels"""
    for part in "ICLLP", "SKL", "DG2", "PVC":
        run = subprocess.run([cmc, "-march=" + part, "-S", "-o", "-", file], capture_output=True, text=True)
        if run.returncode == 0:
            return part, re.findall(r'^\.kernel "?(\w+)"?', run.stdout, re.M)
    sys.exit(run.stderr)


def command(part, file, kernel):
    return [cmc, "-march=" + part, "--kernel=" + kernel, "-S", "-o", out + "/kernel.visaasm", file]


def milliseconds(what):
    report = subprocess.run(command(*what) + ["--time-report"], check=True, capture_output=True, text=True).stderr
    return float(re.search(r"([0-9.]+) s  middle end and emission", report)[1]) * 1000


def instructions(what):
    stages = ["--toggle-collect=" + function for function in ("lower_to_genx", "lower_to_visa", "visa_print")]
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + os.devnull] + stages
    report = subprocess.run(tool + command(*what), check=True, capture_output=True, text=True).stderr
    return int(re.search(r"Collected : (\d+)", report)[1]) / 1e6


rows = []
for file in files:
    part, names = kernels(file)
    for kernel in names:
        what = part, file, kernel
        if count == "yes":
            row = (instructions(what), 0)
        else:
            times = [milliseconds(what) for _ in range(int(runs))]
            row = (statistics.median(times), min(times))
        rows.append((row, f"{kernel} of {os.path.basename(file)}"))
for (most, least), name in sorted(rows, reverse=True):
    if count == "yes":
        print(f"{name}: {most:.1f} million instructions")
    else:
        print(f"{name}: least {least:.1f} ms, median of {runs} {most:.1f} ms")
PROGRAM
