#!/usr/bin/env python3
"""Checks cmbench compare on reports written here: what holds, what is over a gate, wrong input: compare.py CMBENCH WORK
"""
import json
import os
import subprocess
import sys

cmbench, work = sys.argv[1:3]
os.makedirs(work, exist_ok=True)


def row(variant="cm", **figures):
    names = {"workload": "transpose", "input": "80x48", "device": "icllp", "variant": variant, "correct": True}
    return {**names, "instructions": 1000, "cycles": 5000, "spills": 0, **figures}


def write(name, rows):
    path = os.path.join(work, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(rows if isinstance(rows, str) else json.dumps(rows))
    return path


def compare(older, newer, *gates):
    words = [cmbench, "compare", write("old.json", older), write("new.json", newer)]
    done = subprocess.run(words + [word for gate in gates for word in ("--gate", gate)], capture_output=True,
                          text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def expect(what, status, summary, older, newer, *gates):
    found, out, err = compare(older, newer, *gates)
    if found != status or err or not out.endswith(summary + "\n"):
        sys.exit(f"{what}: status {found}, said {out}{err}, wanted {status} and {summary}")
    return out


def refused(message, older, newer, *gates):
    found, out, err = compare(older, newer, *gates)
    if found != 2 or out or message not in err or err.count("\n") != 1:
        sys.exit(f"{gates}: status {found}, said {out}{err}, wanted {message}")


SUMMARY = "{} rows: {} figures changed, {} over their gates; {} rows missing, {} not right any more, {} new"
GATES = "instructions=0%,cycles=2%,spills=0"
expect("the same", 0, SUMMARY.format(1, 0, 0, 0, 0, 0), [row()], [row()], GATES)
expect("faster", 0, SUMMARY.format(1, 2, 0, 0, 0, 0), [row()], [row(instructions=900, cycles=4000)], GATES)
expect("on the edge", 0, SUMMARY.format(1, 1, 0, 0, 0, 0), [row()], [row(cycles=5100)], GATES)
said = expect("behind the edge", 1, SUMMARY.format(1, 1, 1, 0, 0, 0), [row()], [row(cycles=5101)], GATES)
assert "+2.02 %  over the gate" in said, said
expect("one more", 1, SUMMARY.format(1, 1, 1, 0, 0, 0), [row()], [row(instructions=1001)], GATES)
expect("a spill", 1, SUMMARY.format(1, 1, 1, 0, 0, 0), [row()], [row(spills=32)], "cycles=2%", "spills=0")
expect("a few more", 0, SUMMARY.format(1, 1, 0, 0, 0, 0), [row()], [row(instructions=1010)], "instructions=10")
expect("not measured", 1, SUMMARY.format(1, 1, 1, 0, 0, 0), [row()], [row(cycles=None)], GATES)
expect("no gates", 0, SUMMARY.format(1, 1, 0, 0, 0, 0), [row()], [row(cycles=9999)])
expect("missing", 1, SUMMARY.format(2, 0, 0, 1, 0, 0), [row(), row("naive")], [row()], GATES)
expect("new", 0, SUMMARY.format(1, 0, 0, 0, 0, 1), [row()], [row("naive"), row()], GATES)
said = expect("wrong", 1, SUMMARY.format(1, 0, 0, 0, 1, 0), [row()], [row(correct=False, failed="element 3")], GATES)
assert "element 3" in said, said
expect("never right", 0, SUMMARY.format(1, 0, 0, 0, 0, 0), [row(correct=None)], [row(correct=False)], GATES)

refused("no row of", [row()], [row()], "no_such=1")
refused("'cycles' is not METRIC=N", [row()], [row()], "cycles")
refused("'cycles=-1' is not", [row()], [row()], "cycles=-1")
refused("'cycles=inf' is not", [row()], [row()], "cycles=inf")
refused("'cycles=2%%' is not", [row()], [row()], "cycles=2%%")
refused("'' is not", [row()], [row()], "")
refused("not JSON", "[{", [row()])
refused("not a list", {"cycles": 1}, [row()])
refused("not a list", "", [row()])
refused("row 2 has no workload", [row()], [row(), {}])
refused("row 1 has no workload", ["x"], [row()])
refused("row 2 has the names of an earlier one", [row(), row()], [row()])
for words, message in ([["a.json"], "needs two files"], [["/no/such", "/no/such"], "/no/such: No such file"]):
    done = subprocess.run([cmbench, "compare", *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2 and message in done.stderr and not done.stdout, done
