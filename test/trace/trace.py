#!/usr/bin/env python3
"""Records a program's launches with gensim --save-trace, and replays each.

    trace.py GENSIM WORK-FOLDER OPTION... -- PROGRAM ARGUMENT...

Each replay must leave the same memory, and all together have the --stats of the recorded run. A launch's file must be
smaller than twice the pages that it accesses. OPTION... are gensim's; without the driver that they name the test is
skipped (77).
"""
import json
import os
import shutil
import subprocess
import sys

PAGE = 4096


def run(command, status=0):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != status:
        sys.exit(f"{command}: status {done.returncode}, expected {status}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done



def listed(gensim, folder):
    """(number, pages) of each launch."""
    lines = run([gensim, "replay", "--list-launches", folder]).stdout.splitlines()
    return [(line.split()[0], int(line.split(" pages")[0].split()[-1])) for line in lines]


def statistics(path):
    with open(path) as file:
        return json.load(file)


def sums(all_statistics):
    """The sums of each kernel over several files."""
    total = {}
    for each in all_statistics:
        for kernel in each["kernels"]:
            key = kernel["kernel_hash"]
            if key not in total:
                total[key] = kernel
                continue
            add(total[key], kernel)
    return total


def add(total, more):
    for key, value in more.items():
        if isinstance(value, dict):
            add(total.setdefault(key, {}), value)
        elif isinstance(value, int) and key not in ("simd", "kernel_bytes"):
            total[key] = total.get(key, 0) + value


def main():
    gensim, work = sys.argv[1:3]
    at = sys.argv.index("--")
    options, program = sys.argv[3:at], sys.argv[at + 1:]
    current = os.environ.get("CMKIT_CURRENT", os.path.expanduser("~/.cache/cmkit/current")) + "/root"
    chooser = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run_time", "with_current.sh")
    if "current" in options and not os.path.exists(current) and \
            subprocess.run(["sh", chooser, "--installed"], check=False).returncode:
        print(f"skipped: no driver in {current}; ./dev deps --current downloads it")
        return 77
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    folder, wanted = f"{work}/trace", f"{work}/stats.json"
    run([gensim, *options, "--save-trace", folder, "--stats", wanted, "--", *program])
    recorded = statistics(wanted)
    launches, replayed = listed(gensim, folder), []
    if len(launches) != len(recorded["launches"]):
        sys.exit(f"{len(launches)} launches are recorded, {len(recorded['launches'])} were counted")
    for (number, pages), counted in zip(launches, recorded["launches"]):
        found = f"{work}/{number}.json"
        done = run([gensim, "replay", folder, number, "--stats", found])
        if "left the same memory as when it was recorded\n" not in done.stderr:
            sys.exit(f"launch {number}: {done.stderr}")
        replayed.append(statistics(found))
        if replayed[-1]["launches"] != [counted]:
            sys.exit(f"launch {number}: {replayed[-1]['launches']}, recorded {counted}")
        size = os.path.getsize(f"{folder}/launch-{int(number):06}.trace")
        if size >= 2 * PAGE * pages:
            sys.exit(f"launch {number}: {size} bytes for {pages} pages")
    if sums(replayed) != sums([recorded]):
        sys.exit(f"sums: {sums(replayed)}, recorded {sums([recorded])}")
    files = sum(os.path.getsize(f"{folder}/{name}") for name in os.listdir(folder))
    touched = sum(pages for number, pages in launches) * PAGE
    print(f"{len(launches)} launches, {files} bytes for {touched} bytes of memory")
    if files >= 2 * touched:
        sys.exit("that is more than twice the memory")
    return 0


sys.exit(main())
