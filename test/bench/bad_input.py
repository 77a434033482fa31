#!/usr/bin/env python3
"""Checks cmbench with faulty workloads and wrong command lines, and its reports: bad_input.py CMBENCH FAULTY WORK"""
import json
import os
import re
import subprocess
import sys
from runs import expect

cmbench, faulty, work = sys.argv[1:4]
os.makedirs(work, exist_ok=True)
KEYS = {"workload", "input", "device", "variant", "language", "correct", "instructions", "bytes_read", "bytes_written",
        "event_ns",
        "registers", "spills"}
FIGURES = KEYS - {"workload", "input", "device", "variant", "language", "correct"}
with open(os.path.join(os.path.dirname(__file__), "..", "..", "tables", "platforms.def"), encoding="utf-8") as table:
    ROW = r'^PLATFORM\((\w+), .*?\.ocloc = "([\w-]+)"(.*?)(?=^PLATFORM|\Z)'
    SIMULATED = [row[1] for row in re.findall(ROW, table.read(), re.M | re.S) if ".simulated = 1" in row[2]]


def run(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=500)
    return done.returncode, done.stdout, done.stderr


def refused(line, *words):
    status, out, err = run(cmbench, *words)
    expect(f"status of {words}", status, 2)
    expect(f"message of {words}", err, f"cmbench: error: {line}\n")
    expect(f"output of {words}", out, "")


def results(program, status, *words):
    path = os.path.join(work, "results.json")
    if os.path.exists(path):
        os.remove(path)
    found, out, err = run(program, "--json", path, *words)
    expect(f"status of {words}:\n{out}{err}", found, status)
    with open(path) as file:
        rows = json.load(file)
    for row in rows:
        expect(f"keys of {row}", KEYS - row.keys(), set())
        if row["correct"] is not True:
            expect(f"figures of {row}", {key: row[key] for key in FIGURES}, dict.fromkeys(FIGURES))
        elif not all(isinstance(row[key], int) for key in FIGURES):
            sys.exit(f"a right result without figures: {row}")
    return rows, out


def variant(rows, name, key="input", value="right"):
    return [row for row in rows if row["variant"] == name and row[key] == value][0]


refused("no workload 'nonsense'; --list shows all", "-d", "icllp", "nonsense")
refused("--device: no device 'xe_hp_sdv'; there are gpu, " + ", ".join(SIMULATED), "-d", "icllp,xe_hp_sdv")
refused("--size: '12y' is none of tiny, small, full, and no numbers like 1000x700", "--size", "12y")
refused("linear: --size 5: the numbers are width x height", "-d", "icllp", "--size", "5", "linear")
refused("--input: no workload has an input 'nothing'", "-d", "icllp", "--input", "nothing")
refused("--repeat: '0' is no number from 1 to 1000000", "-d", "icllp", "--repeat", "0")
refused("no Intel GPU found by the Level Zero driver; --device icllp simulates one")

# every way to fail stops one variant only
rows, out = results(faulty, 1, "-d", "icllp", "--size", "tiny", "faulty")
expect("order", [row["variant"] for row in rows], ["cm", "broken", "nothing", "fault", "no_kernel", "again"])
expect("right ones", [row["variant"] for row in rows if row["correct"]], ["cm", "again"])
for name, words in {"broken": ["error:", "not_declared"], "nothing": ["64 of 64 elements of sums", "the reference"],
                    "fault": ["gensim: fault:"], "no_kernel": ["no kernel 'no_such_kernel'"]}.items():
    reason = variant(rows, name)["failed"]
    for word in words:
        if word not in reason:
            sys.exit(f"{name}: no {word!r} in {reason!r}")
expect("instructions", variant(rows, "cm")["instructions"], variant(rows, "again")["instructions"])

# a wrong reference, a missing package: the rest goes on
rows, out = results(faulty, 1, "-d", "icllp", "--size", "small", "--variant", "cm", "faulty")
expect("correct", [row["correct"] for row in rows], [False, None, True])
expect("wrong reference", rows[0]["failed"],
       "1 of 64 elements of sums differ from the reference; the first is sums[7]: 50 instead of 51")
expect("no package", rows[1]["skipped"],
       "/usr/share/no-such-package/picture.jpg is missing; install the package no-such-package")

# sizes that the kernel cannot take, devices that cannot run it
rows, out = results(faulty, 3, "-d", "icllp", "--size", "40", "--variant", "cm", "faulty")
expect("odd size", rows[0]["skipped"], "the kernel takes multiples of 16 words, not 40")
rows, out = results(faulty, 0, "-d", "icllp", "--size", "160", "--variant", "cm", "faulty")
rows, out = results(faulty, 3, "-d", "skl,icllp", "--size", "tiny", "faulty_double")
expect("doubles", [row["correct"] for row in rows], [True, None])
expect("no doubles", rows[1]["skipped"], "icllp has no 64-bit floats")

# kept programs are used again; reports that cannot be written
programs = os.path.join(work, "programs")
os.makedirs(programs, exist_ok=True)
for name in os.listdir(programs):
    os.remove(os.path.join(programs, name))
for turn in range(2):
    results(faulty, 0, "-d", "icllp", "--size", "tiny", "--variant", "cm", "--programs", programs, "faulty")
    expect("kept", sorted(os.listdir(programs)), ["faulty-faulty-cm-icllp.bin", "faulty-faulty-cm-icllp.bin.usage"])
status, out, err = run(faulty, "-d", "icllp", "--size", "tiny", "--variant", "cm", "--json", "/no/such/folder/x",
                       "faulty")
expect("status", status, 1)
expect("message", err, "cmbench: error: /no/such/folder/x: No such file or directory\n")
page = os.path.join(work, "page.html")
run(faulty, "-d", "icllp", "--size", "tiny", "--html", page, "faulty")
with open(page) as file:
    text = file.read()
for word in ["<!DOCTYPE html>", "counts and no times", "not_declared", "--html", "Iris", "Level Zero driver",
             "</html>"]:
    if word not in text:
        sys.exit(f"no {word!r} in the page")
