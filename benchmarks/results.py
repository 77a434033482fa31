#!/usr/bin/env python3
"""Runs the measurements of docs/results/ and writes its pages: `./dev bench results [PAGE]...`. Without PAGE, lists
them.

results.py PAGE...              runs each page's command and writes docs/results/PAGE.md
results.py --from FILE PAGE     prints the page from a report of that command, without running anything
"""
import argparse
import collections
import json
import math
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("CMKIT_BUILD", os.path.join(ROOT, "build"))
MOST_COLUMNS = 120

Page = collections.namedtuple("Page", "title command report table sentences")

# Names of programs and kernels in `command` are relative to the repository; %r is the report's name.
PAGES = {}


def number(value):
    return f"{value:,}" if value is not None else ""


def ratio(other, ours):
    """As many digits as tell the figure from 1."""
    if not ours or other is None:
        return ""
    value = other / ours
    return f"{value:.3f}" if abs(value - 1) < 0.005 else f"{value:.2f}"


def row(cells):
    return "| " + " | ".join(cells) + " |\n"


def best_opencl(results):
    """The OpenCL variant with the fewest instructions, of one workload, input and device."""
    right = [r for r in results if r["language"] == "opencl" and r["correct"]]
    return min(right, key=lambda r: r["instructions"], default=None)


def workloads(results):
    """One row for each CM kernel and input: its counts on the first device that ran it, the ratio on each."""
    devices = list(dict.fromkeys(r["device"] for r in results))
    groups = collections.OrderedDict()
    for result in results:
        by_device = groups.setdefault((result["workload"], result["input"]), collections.defaultdict(list))
        by_device[result["device"]].append(result)
    text = row(["workload", "input", "device", "CM: instructions", "bytes", "registers", "best OpenCL", "instructions",
                "bytes"] + ["ratio " + device for device in devices])
    text += row(["---"] * 3 + ["---:"] * 3 + ["---"] + ["---:"] * (2 + len(devices)))
    for (workload, size), by_device in groups.items():
        names = dict.fromkeys(r["variant"] for results in by_device.values() for r in results if r["language"] == "cm")
        for name in names:
            ours = {d: r for d, results in by_device.items() for r in results if r["variant"] == name and r["correct"]}
            theirs = {d: best_opencl(by_device[d]) for d in ours}
            first = next(iter(ours), None)
            if first is None:
                continue
            cm, cl = ours[first], theirs[first]
            label = workload if name == "cm" else f"{workload} `{name}`"
            text += row([label, size, first, number(cm["instructions"]), number(cm["bytes_read"] + cm["bytes_written"]),
                         number(cm["registers"])] +
                        ([f"`{cl['variant']}`", number(cl["instructions"]),
                          number(cl["bytes_read"] + cl["bytes_written"])] if cl else ["", "", ""]) +
                        [ratio(theirs[d]["instructions"], ours[d]["instructions"]) if d in ours and theirs[d] else ""
                         for d in devices])
    wrong = [r for r in results if r["correct"] is False]
    skipped = [r for r in results if r.get("skipped")]
    failed = [r for r in results if r.get("failed")]
    spills = [r for r in results if r["language"] == "cm" and r.get("spills")]
    summary = (f"{len(results)} results: {len(wrong)} wrong, {len(failed)} failed, {len(skipped)} skipped; "
               f"{len(spills)} CM kernels spilled.\n")
    return summary + "\n" + text


def against_peer(results):
    """One row for each kernel: executed instructions of cmc's code and the ratio to the peer's, for each platform."""
    platforms = list(dict.fromkeys(r["platform"] for r in results))
    kernels = collections.OrderedDict()
    for result in sorted(results, key=lambda r: r["kernel"]):
        kernels.setdefault(result["kernel"], {})[result["platform"]] = result
    text = row(["kernel"] + [cell for platform in platforms for cell in (platform, "ratio")])
    text += row(["---"] + ["---:", "---:"] * len(platforms))
    for kernel, by_platform in kernels.items():
        cells = []
        for platform in platforms:
            r = by_platform.get(platform)
            known = r and r["equal"] and r["peer"]["executed"]
            ours, peer = (r["ours"]["executed"], r["peer"]["executed"]) if known else (0, 0)
            cells += [number(ours), f"{ours / peer:.2f}"] if known else ["", ""]
        text += row([f"`{kernel}`"] + cells)
    unequal = [f"{r['kernel']} on {r['platform']}" for r in results if not r["equal"]]
    summary = f"{len(results)} results: " + (f"not equal: {', '.join(unequal)}.\n" if unequal else "all equal.\n")
    return summary + "\n" + text


# Figure 5 and Table I of the paper: OpenCL's time over CM's.
PAPER = {"transpose": "up to 2.2", "histogram": "up to 2.7", "kmeans": "1.3 to 1.5", "prefix": "1.6", "sgemm": "1.1"}
WIDEST = 1.25  # of a decided speedup, each way


def three_digits(value):
    rounded = float(format(value, ".3g"))
    return f"{rounded:.2f}" if 1 <= rounded < 10 else f"{rounded:.3g}"


def microseconds(result):
    return f"{float(format(result['time_ns'] / 1000, '.2g')):,g}"


def times(results):
    """One row for each CM kernel, input and device: its time, the fastest OpenCL variant's, and the speedup's range."""
    text = row(["workload", "input", "device", "CM, us", "best OpenCL, us", "speedup", "range", "hangs on",
                "the paper"])
    text += row(["---", "---", "---", "---:", "---:", "---:", "---", "---", "---"])
    for cm in results:
        same = [r for r in results if r["correct"] and r["language"] == "opencl" and r["time_ns"] and
                all(r[key] == cm[key] for key in ("workload", "input", "device"))]
        if cm["language"] != "cm" or not cm["correct"] or not cm["time_ns"] or not same:
            continue
        best = min(same, key=lambda r: r["time_ns"])
        middle = best["time_ns"] / cm["time_ns"]
        drawn = [theirs / ours for theirs, ours in zip(best["drawn_ns"], cm["drawn_ns"]) if ours > 0]
        widening = math.exp(max(cm["error"], best["error"]))
        class_ = max(cm, best, key=lambda r: r["error"])["dominant"]
        low, high = min([middle, *drawn]) / widening, max([middle, *drawn]) * widening
        decided = (low > 1 or high < 1) and high <= middle * WIDEST and low >= middle / WIDEST
        name = cm["workload"] if cm["variant"] == "cm" else f"{cm['workload']} `{cm['variant']}`"
        text += row([name, cm["input"], cm["device"], microseconds(cm), f"{microseconds(best)} `{best['variant']}`",
                     three_digits(middle),
                     f"{three_digits(low)} to {three_digits(high)}" + ("" if decided else ": not decided"),
                     class_, PAPER.get(cm["workload"], "")])
    return text


PAGES["workloads"] = Page(
    "CM beside OpenCL, small inputs", "./dev bench", "bench/workloads.json", workloads,
    "Counts are executed Gen instructions and bytes of all launches of a variant on the device that the row names. The ratio is "
    "the best OpenCL variant's instructions over CM's. `./dev bench --all` measures the full sizes on three devices; what it gave "
    "last is in [performance](../performance.md), with the rows in which CM is not ahead.\n")
PAGES["control-flow"] = Page(
    "kernels with SIMD control flow",
    "sh benchmarks/codegen.sh --json %r test/kernels/control_flow/simd_*.cm test/kernels/control_flow/channel_*.cm "
    "benchmarks/corpus/divergent_*.cm", "bench/control-flow.json", against_peer,
    "Executed Gen instructions of cmc's code, and the ratio to those of IGC's vector back end on the same IR "
    "([comparison with IGC](../compiler/peer.md)). Both sides' results are compared.\n")


PAGES["times"] = Page(
    "CM beside OpenCL in the time of gensim's model",
    "build/bin/cmbench -d icllp --size small --timing --json %r transpose histogram kmeans prefix sgemm",
    "bench/times.json", times,
    "Ice Lake with 64 EUs at 1.1 GHz. Times come from a model whose error is [measured](timing.md); nothing ran on a GPU. A range "
    "covers the speedups of 16 draws of the model's constants, widened by the model's error in the class that the time hangs on (of CM's and OpenCL's the one with the larger error). The "
    "paper's figure 5 has total times on 64 EUs of Ice Lake; it does not give all sizes.\n\n"
    "Where these results differ from the paper's, the counters show:\n\n"
    "- **transpose.** Both variants wait for memory: at these sizes, the time is spent reading and writing the matrix once.\n"
    "- **prefix sum.** The OpenCL variant with sub-group blocks reads as CM does. `blelloch`, the algorithm of local memory that is "
    "usual in OpenCL, takes more than twice as long.\n"
    "- **histogram.** The variant with a histogram in registers is faster if the picture is homogeneous, as the paper says: OpenCL's "
    "atomics on one dword of local memory run one after the other. The duration of one is a guess (`slm_atomic`), so the range is "
    "wide. Kernel `cm` has counters in local memory too, but the 16 lanes of its message come from 16 parts of the picture and are "
    "seldom equal; those of OpenCL's are 16 bytes apart. An OpenCL kernel could read so too.\n"
    "- **k-means.** Both variants give the GPU as many threads. With 24 centroids, CM's sums stay in registers; the private "
    "sums of an OpenCL work item do not, and that variant executes 3.4 times the instructions. In the one with sums in "
    "local memory, EUs are without a thread most of the time. With 8 centroids both wait for memory half of the time, and are equal "
    "within the error.\n"
    "- **SGEMM.** Both execute nearly the same multiplications; the difference is within the error.\n\n"
    "A speedup is not decided if its range crosses 1.0, and also if the range goes beyond 1.25 times the speedup or below a 1.25th "
    "of it: of k-means with 24 centroids it is known only that CM is at least twice as fast. "
    "Where the error of the class alone is wider than the claim, no number of draws decides a row. A microbenchmark of local memory "
    "and its atomics on any GPU of these generations would.\n")


def print_page(name, results):
    page = PAGES[name]
    return (f"# Results: {page.title}\n\n{page.sentences}\n"
            f"Written by `./dev bench results {name}` from a run of `{page.command.replace(' --json %r', '')}`.\n\n"
            f"{page.table(results)}")


def wrap(text):
    """Breaks lines of prose that are too long; tables stay."""
    lines = []
    for line in text.splitlines():
        text_of_list = line.startswith("- ")
        while len(line) > MOST_COLUMNS and not line.startswith("|"):
            at = line.rfind(" ", 0, MOST_COLUMNS)
            if at < 0:
                break
            lines.append(line[:at])
            line = ("  " if text_of_list else "") + line[at + 1:]
        lines.append(line)
    return "\n".join(lines) + "\n"


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"results.py: error: {path}: {error}")


def write(name):
    page = PAGES[name]
    report = os.path.join(BUILD, page.report)
    os.makedirs(os.path.dirname(report), exist_ok=True)
    status = subprocess.run(page.command.replace("%r", report), shell=True, cwd=ROOT, check=False).returncode
    if status:
        sys.exit(f"results.py: error: '{page.command}' failed, status {status}: the page stays as it was")
    path = os.path.join(ROOT, "docs", "results", name + ".md")
    text = wrap(print_page(name, load(report)))
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)
    print(f"written: docs/results/{name}.md")


def main():
    parser = argparse.ArgumentParser(prog="./dev bench results", description="Writes the pages of docs/results/.")
    parser.add_argument("--from", dest="report", metavar="FILE", help="print the page from this report; nothing runs")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=", ".join(PAGES))
    arguments = parser.parse_args()
    for name in arguments.pages:
        if name not in PAGES:
            parser.error(f"no page '{name}'; there are {', '.join(PAGES)}")
    if arguments.report:
        if len(arguments.pages) != 1:
            parser.error("--from takes one page")
        sys.stdout.write(wrap(print_page(arguments.pages[0], load(arguments.report))))
        return
    if not arguments.pages:
        for name, page in PAGES.items():
            print(f"{name:14} {page.command.replace(' --json %r', '')}")
    for name in arguments.pages:
        write(name)


if __name__ == "__main__":
    main()
