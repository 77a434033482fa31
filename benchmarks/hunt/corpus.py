#!/usr/bin/env python3
"""Compare cmc's code with that of IGC's vector back end on a folder of kernels: ./dev bench codegen --corpus FOLDER.

Takes every .cm file below the folder that has a kernel. Options for cmc, such as macros, stand in FILE.cm.options
beside it: each line is one compilation. Each is compiled for each platform by `peer` (docs/peer.md), so from the same
IR and with the same finalizer options.
Counts are static: nothing runs. Prints the kernels, worst ratio first, then a summary for each platform and each origin
(the folder's first level). The files fall into two halves by a hash of their names: one to look at while working, one
to be measured only."""
import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from hunt import LIMIT, ROOT, SIDES, run  # noqa: E402

HALVES = ("look", "measure")
SECONDS = 600
COUNTS = ("instructions", "movs", "sends", "registers", "spilled")


def die(text):
    sys.exit(f"codegen: error: {text}")


def half_of(path):
    """Files of one name belong to one half, wherever they are."""
    return HALVES[hashlib.sha256(os.path.basename(path).encode()).digest()[0] % 2]


def has_kernel(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return re.search(r"\b(_GENX_MAIN_|CMGenxMain|genx_main|CM_KERNEL)\b", file.read()) is not None


def kernel_files(folder, half):
    """Paths below the folder of all .cm files that have a kernel and are of the half."""
    if not os.path.isdir(folder):
        die(f"{folder} is no folder")
    found = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names if name.endswith(".cm")]
    if not found:
        die(f"no .cm file in {folder}")
    found = [path for path in sorted(found) if has_kernel(path)]
    if not found:
        die(f"no .cm file in {folder} has a kernel (_GENX_MAIN_)")
    return [path for path in found if half in (None, half_of(path))]


def variants(path):
    """The options of each compilation of a file."""
    try:
        with open(path + ".options", encoding="utf-8") as file:
            lines = [line.split() for line in file if line.strip()]
    except FileNotFoundError:
        lines = []
    return lines or [[]]


def read_counts(path):
    """{kernel: {count: number}} of a table that `peer` left."""
    kernels = {}
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                words = line.split()
                kernels[words[0]] = dict(zip(COUNTS, map(int, words[1:])))
    except FileNotFoundError:
        pass
    return kernels


def first_error(log):
    with open(log, encoding="utf-8", errors="replace") as file:
        lines = [line.strip() for line in file if "error" in line.lower() or "not available" in line]
    return next((line for line in lines if "failed for" not in line), lines[0] if lines else "no message")


class Job:
    """One file with one line of options on one platform."""

    def __init__(self, arguments, path, options, variant, platform):
        self.path, self.options, self.platform = path, options, platform
        self.name = os.path.relpath(path, arguments.corpus) + (f"#{variant + 1}" if variant is not None else "")
        self.origin = self.name.split(os.sep)[0] if os.sep in self.name else "."
        self.folder = os.path.join(arguments.work, platform, re.sub(r"[^\w.#-]", "_", self.name))
        self.bin, self.error = arguments.bin, None

    def compile(self):
        """{side: {kernel: counts}}; a side that is missing does not take the file."""
        os.makedirs(self.folder, exist_ok=True)
        log = os.path.join(self.folder, "log")
        options = ["-w", "-I", os.path.dirname(self.path), *self.options]
        run([os.path.join(self.bin, "peer"), "-d", self.platform, "-o", self.folder, self.path, "--", *options],
            SECONDS, log)
        sides = {side: read_counts(os.path.join(self.folder, self.platform, side, "counts")) for side in SIDES}
        if all(sides.values()):
            return sides
        if os.path.exists(os.path.join(self.folder, self.platform, "peer", "kernel.bin")):
            self.error = first_error(log)
            return {"peer": {}}
        ours = os.path.join(self.folder, "own.log")
        command = [os.path.join(self.bin, "cmc"), f"-march={self.platform.upper()}", *options, self.path, "-o",
                   self.folder + "/own.bin"]
        taken = run(command, SECONDS, ours) == 0
        self.error = first_error(log if taken else ours)
        return {"cmc": {}} if taken else {}


def rows_of(job):
    sides = job.compile()
    if len(sides) < 2 or not all(sides.values()):
        kind = "refused" if "peer" in sides else "unseen" if "cmc" in sides else "both"
        return [{"file": job.name, "origin": job.origin, "platform": job.platform, "kind": kind, "error": job.error}]
    rows = []
    for kernel, ours in sides["cmc"].items():
        if kernel not in sides["peer"]:
            continue
        theirs = sides["peer"][kernel]
        rows.append({"file": job.name, "origin": job.origin, "platform": job.platform, "kind": "compared",
                     "kernel": kernel,
                     "ratio": ours["instructions"] / theirs["instructions"], "cmc": ours, "peer": theirs})
    return rows


def spills_alone(row):
    return row["cmc"]["spilled"] > 0 and row["peer"]["spilled"] == 0


def summary(what, rows):
    compared = [row for row in rows if row["kind"] == "compared"]
    files = {kind: len({row["file"] for row in rows if row["kind"] == kind}) for kind in ("refused", "unseen", "both")}
    text = f"{what}: {len(compared)} kernels"
    if compared:
        mean = math.exp(sum(math.log(row["ratio"]) for row in compared) / len(compared))
        text += (f", static instructions {mean:.3f} of the peer's (geometric mean), worst {max(row['ratio'] for row in compared):.3f}, "
                 f"{sum(row['ratio'] > LIMIT for row in compared)} over {LIMIT:.2f}, "
                 f"{sum(map(spills_alone, compared))} spill where the peer does not")
    print(f"{text}; files: {files['refused']} refused by cmc only, {files['unseen']} not taken by the peer, {files['both']} by neither")


def report(rows):
    compared = sorted((row for row in rows if row["kind"] == "compared"), key=lambda row: -row["ratio"])
    form = "{:>6} {:<8} {:<28} {:>6} {:>6}  {:>5} {:>5}  {:>5} {:>5}  {}"
    if compared:
        print(form.format("ratio", "on", "kernel", "cmc", "peer", "movs", "peer", "spill", "peer", "file"))
    for row in compared:
        ours, theirs = row["cmc"], row["peer"]
        print(form.format(f"{row['ratio']:.3f}", row["platform"], row["kernel"][:28], ours["instructions"],
                          theirs["instructions"],
                          ours["movs"], theirs["movs"], ours["spilled"], theirs["spilled"], row["file"]))
    words = {"refused": "refused by cmc only", "unseen": "not taken by the peer", "both": "taken by neither"}
    for row in rows:
        if row["kind"] in words:
            print(f"codegen: error: {row['file']} on {row['platform']} is {words[row['kind']]}: {row['error']}",
                  file=sys.stderr)
    for platform in sorted({row["platform"] for row in rows}):
        here = [row for row in rows if row["platform"] == platform]
        summary(platform, here)
        origins = sorted({row["origin"] for row in here})
        for origin in origins if len(origins) > 1 else []:
            summary(f"  {origin}", [row for row in here if row["origin"] == origin])


def main():
    build = os.environ.get("CMKIT_BUILD", os.path.join(ROOT, "build"))
    parser = argparse.ArgumentParser(prog="codegen", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True, metavar="FOLDER", help="folder of kernels")
    parser.add_argument("-d", "--device", action="append",
                        help="platform by ocloc's name; may be repeated (default skl icllp tgllp)")
    parser.add_argument("--half", choices=HALVES, help="only the files of this half (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="compilations at a time (default: processors)")
    parser.add_argument("--json", metavar="FILE", help="write all counts there")
    parser.add_argument("--bin", default=os.path.join(build, "bin"))
    parser.add_argument("--work", default=os.path.join(build, "bench", "corpus"), help="folder for listings and logs")
    arguments = parser.parse_args()
    files = kernel_files(arguments.corpus, arguments.half)
    if not files:
        die(f"no kernel of {arguments.corpus} is in the half '{arguments.half}'")
    jobs = []
    for path in files:
        lines = variants(path)
        for number, options in enumerate(lines):
            for platform in arguments.device or ["skl", "icllp", "tgllp"]:
                jobs.append(Job(arguments, path, options, number if len(lines) > 1 else None, platform))
    with concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        rows = [row for rows in pool.map(rows_of, jobs) for row in rows]
    report(rows)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    return 1 if any(row["kind"] in ("refused", "both") for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
