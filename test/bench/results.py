#!/usr/bin/env python3
"""Checks benchmarks/results.py: it makes a page from a report, refuses bad reports, and has an entry for every page of
docs/results/.
"""
import json
import math
import os
import subprocess
import sys
import tempfile
from runs import expect

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "benchmarks", "results.py")


def run(*words):
    done = subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def page_of(name, report):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(report, file)
        status, out, err = run("--from", path, name)
    expect("status", (status, err), (0, ""))
    return out


def result(device, variant, language, instructions, **more):
    row = {"workload": "w", "input": "8x8", "device": device, "variant": variant, "language": language, "correct": True,
           "instructions": instructions, "bytes_read": 1000, "bytes_written": 24, "registers": 40, "spills": 0}
    return dict(row, **more)


page = page_of("workloads", [
    result("skl", "cm", "cm", 2000), result("skl", "slow", "opencl", 5000), result("skl", "fast", "opencl", 3000),
    result("skl", "wrong", "opencl", None, correct=False),
    result("icllp", "cm", "cm", 3000), result("icllp", "slow", "opencl", 2997),
    result("icllp", "fast", "opencl", 6000)])
expect("summary", "7 results: 1 wrong, 0 failed, 0 skipped; 0 CM kernels spilled." in page, True)
expect("row", page.splitlines()[-1], "| w | 8x8 | skl | 2,000 | 1,024 | 40 | `fast` | 3,000 | 1,024 | 1.50 | 0.999 |")
expect("command", "from a run of `./dev bench`." in page, True)

page = page_of("control-flow", [
    {"kernel": "k", "platform": "skl", "equal": True, "ours": {"executed": 80}, "peer": {"executed": 100}},
    {"kernel": "k", "platform": "icllp", "equal": False, "ours": {"executed": 80}, "peer": {"executed": 100}}])
expect("kernel", page.splitlines()[-1], "| `k` | 80 | 0.80 |  |  |")
expect("unequal", "2 results: not equal: k on icllp." in page, True)

page = page_of("times", [
    result("icllp", "cm", "cm", 1, time_ns=2000, drawn_ns=[2000, 1000], dominant="DRAM", error=0.1),
    result("icllp", "slow", "opencl", 1, time_ns=9000, drawn_ns=[9000, 9000], dominant="issue", error=0.9),
    result("icllp", "fast", "opencl", 1, time_ns=4000, drawn_ns=[3000, 4000], dominant="cache", error=0.2),
    result("icllp", "wrong", "opencl", None, correct=False, time_ns=None, drawn_ns=None, dominant=None, error=None)])
cells = [cell.strip() for cell in page.splitlines()[-1].strip("|").split("|")]
expect("times", cells[:6], ["w", "8x8", "icllp", "2", "4 `fast`", "2.00"])
low, high = 1.5 * math.exp(-0.2), 4 * math.exp(0.2)
expect("class", cells[7], "cache")
low, high = (f"{each:.2f}" if each >= 1 else f"{each:.3g}" for each in (low, high))
expect("range", cells[6], f"{low} to {high}: not decided")

for words in (["nothing"], ["--from", "/no/such/file", "workloads"], ["--from", os.devnull, "workloads"],
              ["--from", "x"]):
    status, out, err = run(*words)
    expect(f"failure of {words}", (status != 0, out, "Traceback" in err), (True, "", False))

status, out, err = run()
names = [line.split()[0] for line in out.splitlines()]
folder = os.path.join(ROOT, "docs", "results")
for name in os.listdir(folder):
    command = f"`./dev bench results {name[:-3]}`" if name[:-3] in names else "bench "
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        expect(f"{command} in {name}", command in file.read(), True)
for name in names:
    expect(f"page {name}", os.path.exists(os.path.join(folder, name + ".md")), True)
