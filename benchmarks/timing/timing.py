#!/usr/bin/env python3
"""Compares the timing model with published figures and writes docs/results/timing.md: timing.py --bin FOLDER [--ocloc PROGRAM]
[--work FOLDER] [--only WORD]... [--print] [--set choice|test] [--from JSON]. --from takes the figures of an earlier run's
--json and runs nothing. --print writes the rows to standard output only; --set leaves the
other set's rows out, so that constants can be chosen without a look at the test set."""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import sets  # noqa: E402

CLASSES = ["ISSUE", "CACHE", "SLM", "DRAM", "LAUNCH", "KERNEL"]
CLASS_NAMES = {"ISSUE": "issue", "CACHE": "cache", "SLM": "SLM and atomics", "DRAM": "DRAM", "LAUNCH": "launch",
               "KERNEL": "whole kernels"}
COUNTERS = {"eu_active": "EuActive", "fpu0": "Fpu0Active", "fpu1": "Fpu1Active", "send": "EuSendActive",
            "occupancy": "EuThreadOccupancy"}
# The constants that a class of checks hangs on most, with their confidence from the platform's file.
DEPENDS = {"ISSUE": ["port_lanes", "issue_interval", "alu_latency", "multiply_factor"],
           "CACHE": ["l3_latency", "port_message", "port_line", "return_register"],
           "SLM": ["slm_latency", "atomic_lane", "barrier_latency"],
           "DRAM": ["dram_efficiency", "dram_latency", "l3_misses", "thread_interval"],
           "LAUNCH": ["walker_start", "walker_end", "thread_start", "thread_interval"],
           "KERNEL": ["l3_latency", "alu_latency", "dram_efficiency", "port_message"]}


def rows(path, macro):
    """The rows of MACRO in a .def file, as lists of texts."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    for line in text.splitlines():
        match = re.match(macro + r"\((.*)\)$", line.strip())
        if match:
            yield [field.strip().strip('"') for field in re.findall(r'\s*"[^"]*"|[^,]+', match.group(1))]


class Bench:
    def __init__(self, options):
        self.options = options
        self.work = options.work
        self.done = {}
        os.makedirs(self.work, exist_ok=True)
        self.machines = {r[0]: r for r in rows(os.path.join(ROOT, "tables/timing_machines.def"), "TIMING_MACHINE")}
        self.measures = {r[0]: r for r in rows(os.path.join(HERE, "measures.def"), "MEASURE")}
        self.checks = list(rows(os.path.join(HERE, "checks.def"), "CHECK"))
        self.constants = {}
        for platform in ("skl", "icllp", "tgllp"):
            table = rows(os.path.join(ROOT, f"tables/timing_{platform}.def"), "TIMING")
            self.constants[platform] = {r[0]: r for r in table}

    def device(self, machine):
        return self.machines[machine][1].lower()

    def program(self, device):
        path = os.path.join(self.work, f"kernels-{device}.bin")
        source = os.path.join(HERE, "kernels.cl")
        if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(source):
            run([self.options.ocloc, "compile", "-q", "-file", source, "-device", device, "--format", "zebin",
                 "-options", "-cl-mad-enable", "-output_no_suffix", "-output", os.path.basename(path), "-out_dir", self.work])
        return path

    def peak(self, name, machine):
        row = self.machines[machine]
        eus = int(row[2]) * int(row[3]) * int(row[4]) - int(row[5])
        if name == "peak-fp32":
            return eus * int(row[6]) * 16 / 1000
        return int(row[7]) / 1000

    def run(self, name, machine):
        """Counters of the measure's kernel on the machine."""
        if (name, machine) in self.done:
            return self.done[name, machine]
        _, kernel, groups, local, work, arguments = self.measures[name]
        row = self.machines[machine]
        slots = (int(row[2]) * int(row[3]) * int(row[4]) - int(row[5])) * 7
        groups = groups.replace("S", str(slots))
        stats = os.path.join(self.work, "stats.json")
        device = self.device(machine)
        command = [os.path.join(self.options.bin, "gensim"), "-d", device, "--timing", "--timing-machine", machine]
        for setting in self.options.timing_set:
            command += ["--timing-set", setting]
        command += ["--stats", stats, "--", os.path.join(self.options.bin, "cmrun"), self.program(device), "-k", kernel, "-g",
                    groups, "-l", local] + arguments.split()
        run(command)
        with open(stats, encoding="utf-8") as file:
            found = [k for k in json.load(file)["kernels"] if k["kernel"] == kernel]
        if len(found) != 1 or "timing" not in found[0]:
            raise SystemExit(f"timing.py: {name} on {machine} was not timed")
        items = math.prod(int(n) for n in re.findall(r"\d+", groups)) * math.prod(int(n) for n in re.findall(r"\d+", local))
        self.done[name, machine] = (found[0]["timing"], items, float(work))
        return self.done[name, machine]

    def value(self, measure, machine, unit):
        """The figure of a measure. A + B: the work of both in the time of both."""
        if "+" in measure:
            parts = [self.value(part, machine, unit) for part in measure.split("+")]
            return len(parts) / sum(1 / part for part in parts)
        if measure.startswith("peak-"):
            return self.peak(measure, machine)
        name, _, counter = measure.partition(":")
        timing, items, work = self.run(name, machine)
        if counter:
            return timing[COUNTERS[counter]]
        if unit == "ms":
            return timing["GpuTime"] * work / 1e6
        if unit == "clk":
            return timing["GpuCoreClocks"] / work
        rate = items * work / timing["GpuTime"]
        return rate * 1000 if unit == "mhs" else rate

    def check(self, row):
        """The model's figure for a row of checks.def."""
        measure, unit = row[7], row[6]
        first, _, second = measure.partition("/")
        if not second:
            return self.value(first, row[1], unit)
        if row[0].startswith(("perftest", "u620-branch")):  # times
            return self.value(second, row[1], "gops") / self.value(first, row[1], "gops")
        kind = "gbs" if second == "peak-dram" else "gops"
        return self.value(first, row[1], kind) / self.value(second, row[1], kind)


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if result.returncode:
        raise SystemExit(f"timing.py: {' '.join(command)}:\n{result.stdout.decode(errors='replace')[:2000]}")


def digits(value):
    """Three digits."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, math.ceil(part * len(values)) - 1)]


def summary(results, which):
    lines = []
    for class_ in CLASSES + ["all"]:
        errors = [r["error"] for r in results if r["set"] == which and r["counted"] and class_ in (r["class"], "all")]
        if not errors:
            continue
        lines.append(f"| {CLASS_NAMES.get(class_, 'all')} | {which} | {len(errors)} | {100 * statistics.median(errors):.0f} % "
                     f"| {100 * percentile(errors, 0.8):.0f} % | {math.exp(max(errors)):.2f} times |")
    return lines


def hangs_on(bench, row):
    platform = bench.device(row[1])
    table = bench.constants[platform]
    return ", ".join(f"{name} ({table[name][4].lower()})" for name in DEPENDS[row[2]])


def not_run(bench):
    """Names and reasons of the rows without a kernel: each has one, and no other row."""
    reasons = list(rows(os.path.join(HERE, "not_run.def"), "NOT_RUN"))
    wanted = sorted(row[0] for row in bench.checks if not row[7])
    if sorted(name for name, _ in reasons) != wanted:
        raise SystemExit("timing.py: not_run.def has not exactly the rows of checks.def without a measure")
    return reasons


def table(bench, results):
    lines = ["| check | machine | set | published | model | error | in band | source |", "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for r in results:
        row = r["row"]
        model = digits(r["model"]) if r["model"] is not None else "not run"
        error = f"{100 * r['error']:.0f} %" if r["model"] is not None else ""
        band = "" if r["model"] is None else "yes" if float(row[4]) <= r["model"] <= float(row[5]) else "**no**"
        shown = "" if r["counted"] or r["model"] is None else " (shown, not counted)"
        lines.append(f"| `{row[0]}`{shown} | {row[1]} | {r['set']} | {row[3]} {row[6]} | {model} | {error} | {band} | {row[9]} |")
    return lines


def page(bench, results):
    counted = [r["error"] for r in results if r["counted"] and r["set"] == "test"]
    lines = ["# The timing model against published figures", "",
             "`./dev bench timing` runs small forms of published measurements with `gensim --timing` and writes this page. The error is "
             "|ln(model / published)|. Rows of the set *choice* may be looked at while constants are chosen, rows of the set *test* may not; "
             "a hash of the row's name says which is which (`benchmarks/timing/sets.txt`). Rows that are power-limited, of low confidence or of "
             "an uncertain part are shown and not counted. Rows without a kernel here are *not run*; why stands behind the table.", "",
             "| class | set | rows | median error | 80th percentile | worst |", "| --- | --- | --- | --- | --- | --- |"]
    lines += summary(results, "choice") + summary(results, "test")
    if counted:
        lines += ["", f"Target on the test set: median at most 15 % (now {100 * statistics.median(counted):.0f} %), 80th percentile at "
                  f"most 35 % ({100 * percentile(counted, 0.8):.0f} %), no row worse than 2 times ({math.exp(max(counted)):.2f})."]
    lines += ["", "Clocks are constant in the model, caches start cold, and the last-level cache belongs to the GPU alone.", "",
              "## Checks", ""] + table(bench, results)
    lines += [""] + error_lines(bench, results)
    lines += ["", "## Rows that are not run", "", "| check | why |", "| --- | --- |"]
    lines += [f"| `{name}` | {reason} |" for name, reason in not_run(bench)]
    lines += ["", "## What a class hangs on", "", "| class | constants of Gen9 and their confidence |", "| --- | --- |"]
    for class_ in CLASSES:
        lines.append(f"| {CLASS_NAMES[class_]} | {hangs_on(bench, ['', 'hd530-24eu', class_])} |")
    wide = [line if line.startswith("|") else textwrap.fill(line, 118) for line in lines]
    return "\n".join(wide) + "\n"


ENOUGH = 3  # test rows for an error of their own


def class_errors(bench, results):
    """The 80th percentiles by class and platform. A platform of too few test rows in a class has the error of all platforms'
    rows, a class of too few the worst one. Ice Lake then has the worse of Gen9's and Xe-LP's."""
    def of(class_, device=None):
        found = [r["error"] for r in results if r["set"] == "test" and r["counted"] and r["class"] == class_ and
                 device in (None, bench.device(r["row"][1]))]
        return percentile(found, 0.8) if len(found) >= ENOUGH else None

    worst = max(filter(None, (of(class_) for class_ in CLASSES)), default=0)
    table = {}
    for class_ in CLASSES:
        skl, tgllp = (of(class_, device) or of(class_) or worst for device in ("skl", "tgllp"))
        table[class_] = {"skl": skl, "icllp": of(class_, "icllp") or max(skl, tgllp), "tgllp": tgllp}
    return table


def errors_file(bench, results):
    """The text of tables/timing_errors.def; it has no row of KERNEL, on which no single launch hangs."""
    lines = ["/* Has the error of the timing model by class of checks and platform: the 80th percentile of |ln(model / published)| over",
             " * the test set. `./dev bench timing` writes it, by the rules in docs/results/timing.md.",
             " * TIMING_ERROR(CLASS, SKL, ICLLP, TGLLP) */"]
    table = class_errors(bench, results)
    return "\n".join(lines + [f'TIMING_ERROR({c}, {e["skl"]:.2f}, {e["icllp"]:.2f}, {e["tgllp"]:.2f})'
                              for c, e in table.items() if c != "KERNEL"]) + "\n"


def error_lines(bench, results):
    lines = ["## The error of a range", "",
             f"Ranges of times are widened by the 80th percentile of the test set in the class that dominates. A platform has one of its "
             f"own in a class of {ENOUGH} test rows or more; else that of all platforms' rows, and in a class of too few rows the worst "
             "class's. Ice Lake without rows of its own has the worse of Gen9's and Xe-LP's.", "",
             "| class | Gen9 | Ice Lake | Xe-LP |", "| --- | --- | --- | --- |"]
    for class_, error in class_errors(bench, results).items():
        if class_ != "KERNEL":
            lines.append(f"| {CLASS_NAMES[class_]} | " + " | ".join(f"{100 * e:.0f} %" for e in error.values()) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--ocloc", default="ocloc")
    parser.add_argument("--work", default="build/bench/timing")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--set", choices=["choice", "test"])
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--json")
    parser.add_argument("--from", dest="earlier")
    parser.add_argument("--timing-set", action="append", default=[])
    options = parser.parse_args()
    bench, results = Bench(options), []
    earlier = {}
    if options.earlier:
        with open(options.earlier, encoding="utf-8") as file:
            earlier = {row["check"]: row["model"] for row in json.load(file)}
    for row in bench.checks:
        which = "test" if sets.is_test(row[0]) else "choice"
        if (options.set and which != options.set) or (options.only and not any(word in row[0] for word in options.only)):
            continue
        is_run = row[7] and row[1] in bench.machines
        model = earlier[row[0]] if is_run and options.earlier else bench.check(row) if is_run else None
        error = abs(math.log(model / float(row[3]))) if model else 0.0
        results.append({"row": row, "set": which, "class": row[2], "model": model, "error": error,
                        "counted": row[8] == "COUNTED" and model is not None})
        if options.print and model is not None:
            print(f"{row[0]:26} {which:7} {row[3]:>7} {row[6]:7} model {digits(model):>7}  {100 * math.log(model / float(row[3])):+5.0f} %",
                  flush=True)
    if options.print:
        print("\n".join(summary(results, "choice") + summary(results, "test")))
        return
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([{"check": r["row"][0], "set": r["set"], "class": r["class"], "published": float(r["row"][3]), "model": r["model"],
                        "counted": r["counted"]} for r in results], file, indent=1)
    with open(os.path.join(ROOT, "docs/results/timing.md"), "w", encoding="utf-8") as file:
        file.write(page(bench, results))
    if not options.set and not options.only:
        with open(os.path.join(ROOT, "tables/timing_errors.def"), "w", encoding="utf-8") as file:
            file.write(errors_file(bench, results))


if __name__ == "__main__":
    main()
