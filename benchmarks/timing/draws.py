#!/usr/bin/env python3
"""Checks that 16 draws of the timing model's constants are enough: draws.py --bin FOLDER --work FOLDER [--inputs tiny].
Runs three workloads with 16 draws and with 101, and prints the middle of the speedups of both, formed draw by draw, and
their ranges. The middle is the geometric mean: draws are uniform in the logarithm. Exit status 1: a middle differs by
more than 3 %."""

import argparse
import json
import os
import statistics
import subprocess
import sys

FEW, MANY, LIMIT = 16, 101, 0.03
INPUTS = {"small": {"transpose": "512x512", "histogram": "earth-1024x512", "kmeans": "32k-k8"},
          "tiny": {"transpose": "80x48", "bitonic": "2^12", "kmeans": "3000-k8"}}


def run(options, workload, name, draws):
    """The results of all variants on one input."""
    path = os.path.join(options.work, "draws.json")
    command = [os.path.join(options.bin, "cmbench"), "-d", "icllp", "-i", name, "--draws", str(draws), "--json", path, "--programs",
               options.work, workload]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode not in (0, 3):
        sys.exit(f"draws.py: {' '.join(command)}:\n{done.stdout.decode(errors='replace')[-2000:]}")
    with open(path, encoding="utf-8") as file:
        return [result for result in json.load(file) if result["correct"]]


def speedups(results):
    """The best OpenCL variant's time over that of kernel cm, draw by draw."""
    best = min((r for r in results if r["language"] == "opencl"), key=lambda r: r["time_ns"])
    cm = next(r for r in results if r["variant"] == "cm")
    return [theirs / ours for theirs, ours in zip(best["drawn_ns"], cm["drawn_ns"])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--inputs", choices=INPUTS, default="small")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    print(f"| workload | input | middle of {FEW} draws | of {MANY} | difference | range of {FEW} | of {MANY} |")
    print("| --- | --- | ---: | ---: | ---: | --- | --- |")
    worst = 0
    for workload, name in INPUTS[options.inputs].items():
        few, many = (speedups(run(options, workload, name, count)) for count in (FEW, MANY))
        if (len(few), len(many)) != (FEW, MANY):
            sys.exit(f"draws.py: {workload} has {len(few)} and {len(many)} draws")
        middle = statistics.geometric_mean(few), statistics.geometric_mean(many)
        difference = abs(middle[0] / middle[1] - 1)
        worst = max(worst, difference)
        print(f"| {workload} | {name} | {middle[0]:.3f} | {middle[1]:.3f} | {100 * difference:.1f} % | {min(few):.2f} to {max(few):.2f} "
              f"| {min(many):.2f} to {max(many):.2f} |", flush=True)
    if worst > LIMIT:
        sys.exit(f"draws.py: a middle differs by more than {100 * LIMIT:.0f} %")


if __name__ == "__main__":
    main()
