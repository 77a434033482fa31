#!/usr/bin/env python3
"""Replays edited and truncated traces: a line that says what is wrong, or a run that ends; nothing else.

    hostile.py GENSIM CMC CMRUN EDIT WORK-FOLDER KERNELS.cm FIRST-SEED COUNT
"""
import os
import shutil
import subprocess
import sys

gensim, cmc, cmrun, edit, work, source = sys.argv[1:7]
first, count = map(int, sys.argv[7:9])
device = os.environ.get("CMKIT_TEST_DEVICE", "icllp")
SAME, DIFFERENT, REFUSED, FAULT = 0, 1, 125, 126
wrong = 0


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=120)


def expect(what, done, statuses, text=""):
    global wrong
    lines = done.stderr.splitlines()
    one_line = done.returncode != REFUSED or (len(lines) == 1 and lines[0].startswith("gensim: error: "))
    if done.returncode not in statuses or not one_line or text not in done.stderr or not done.stderr:
        wrong += 1
        print(f"{what}: status {done.returncode}\n{done.stderr[-1500:]}")


def replay(folder, *options):
    return run(gensim, "replay", *options, folder)


def record(folder, kernel, *arguments):
    done = run(gensim, "-d", device, "--save-trace", folder, "--", cmrun, f"{work}/kernels.bin", "-k", kernel,
               *arguments)
    return done, f"{folder}/launch-000001.trace"


def mistakes(good):
    """Each kind of wrong file has its own sentence."""
    folder = f"{work}/mistakes"
    os.makedirs(folder)
    path = f"{folder}/launch-000001.trace"
    with open(good, "rb") as file:
        whole = file.read()
    cases = [(b"", "it is too short for a trace"), (b"x" * 1000, "it is no trace of gensim"),
             (whole[:8] + b"\7" + whole[9:], "it is a trace of another version of gensim"),
             (whole[:16] + b"none" + b"\0" * 12 + whole[32:], "is of an unknown device"),
             (whole[:16] + b"skl" + b"\0" * 13 + whole[32:], "gensim: "),
             (whole[:-20], "it is damaged, or a part of it is missing"),
             (whole + b"more", "it is damaged, or a part of it is missing"),
             (whole[:400] + b"\1\2\3\4" + whole[404:], "it is damaged, or a part of it is missing")]
    for content, text in cases:
        with open(path, "wb") as file:
            file.write(content)
        statuses = (SAME, DIFFERENT, REFUSED, FAULT) if text == "gensim: " else (REFUSED,)  # Skylake may run it too
        expect(f"mistake: {text}", replay(folder), statuses, text)
    expect("a folder without traces", replay(work), (REFUSED,), "has no recorded launch")
    expect("a launch that is not there", run(gensim, "replay", folder, "7"), (REFUSED,), "No such file or directory")
    expect("no number", run(gensim, "replay", folder, "x"), (REFUSED,), "'x' is no number of a launch")
    expect("a device", run(gensim, "replay", "-d", "skl", folder), (REFUSED,), "the trace says what ran")
    expect("a driver's option", run(gensim, "replay", "--execute", "none", folder), (REFUSED,), "--execute is for prog")
    done = run(gensim, "-d", device, "--save-trace", os.path.dirname(good), "--", "true")
    expect("a folder with a trace", done, (REFUSED,), "has a trace already")
    done = run(gensim, "-d", device, "--execute", "none", "--save-trace", f"{work}/none", "--", "true")
    expect("nothing is executed", done, (REFUSED,), "there is nothing to record")


def main():
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(f"{work}/edited")
    done = run(cmc, f"-march={device}", "-g", source, "-o", f"{work}/kernels.bin")
    if done.returncode:
        sys.exit(done.stderr)
    done, good = record(f"{work}/good", "copy", "-g", "2", "buf:64:iota-u32", "buf:64")
    expect("a good trace", replay(f"{work}/good"), (SAME,), "copy left the same memory")
    # A fault is recorded, and comes again with the same report.
    done, faulty = record(f"{work}/faulty", "outside", "-g", "1", "buf:64")
    again = replay(f"{work}/faulty")
    expect("a fault", again, (FAULT,), "kernels.cm:13")
    if done.stderr != again.stderr:
        expect(f"another report than\n{done.stderr}", again, ())
    mistakes(good)
    for seed in range(first, first + count):
        subprocess.run([edit, good, f"{work}/edited/launch-000001.trace", str(seed)], check=True)
        expect(f"seed {seed}", replay(f"{work}/edited", "--max-instructions", "100000"),
               (SAME, DIFFERENT, REFUSED, FAULT))
    print(f"{count} edited traces, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
