#!/usr/bin/env python3
"""Checks `./dev bench codegen --corpus` on small folders: the comparison, the halves, errors of bad folders: corpus.py
BIN WORK
"""
import json
import os
import shutil
import subprocess
import sys
from runs import expect

binaries, work = sys.argv[1:3]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCALE = '''extern "C" _GENX_MAIN_ void scale(SurfaceIndex in [[type("buffer_t")]],
                                    SurfaceIndex out [[type("buffer_t")]])
{
    vector<int, LANES> x;
    read(in, 0, x);
    write(out, 0, vector<int, LANES>(x * 3 + 1));
}
'''
shutil.rmtree(work, ignore_errors=True)


def write(path, text):
    path = os.path.join(work, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def corpus(folder, *words):
    command = [os.path.join(ROOT, "benchmarks", "codegen.sh"), "--corpus", os.path.join(work, folder), "-d", "skl",
               "--bin", binaries,
               "--work", os.path.join(work, "work"), "--json", os.path.join(work, "rows.json"), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500,
                          env={**os.environ, "CMKIT_BUILD": os.path.dirname(binaries)})
    return done.returncode, done.stdout, done.stderr


def rows():
    with open(os.path.join(work, "rows.json"), encoding="utf-8") as file:
        return json.load(file)


# Two lines of options are two compilations; what has no kernel is no part of the corpus.
write("good/one/scale.cm", SCALE)
write("good/one/scale.cm.options", "-DLANES=8\n-DLANES=32\n")
write("good/two/part.cm", "int twice(int x) { return 2 * x; }\n")
status, out, err = corpus("good")
expect("status", (status, err), (0, ""))
expect("files", [(row["file"], row["kernel"], row["platform"]) for row in rows()],
       [("one/scale.cm#1", "scale", "skl"), ("one/scale.cm#2", "scale", "skl")])
for row in rows():
    listing = os.path.join(work, "work", "skl", row["file"].replace("/", "_"), "skl")
    for side in ("cmc", "peer"):
        with open(os.path.join(listing, side, "kernel.asm"), encoding="utf-8") as file:
            claimed = [int(line.split()[1]) for line in file if line.startswith("//.instCount")]
        expect(f"instructions of {side}", row[side]["instructions"], claimed[0])
    expect("ratio", row["ratio"], row["cmc"]["instructions"] / row["peer"]["instructions"])
expect("summary", "skl: 2 kernels, static instructions" in out, True)

# A file belongs to one half, whatever its folder.
halves = [corpus("good", "--half", half) for half in ("look", "measure")]
expect("halves", sorted(found[0] for found in halves), [0, 1])
empty = next(err for status, _, err in halves if status)
expect("the empty half", "no kernel of" in empty and empty.count("\n") == 1, True)

# Refusals, in one line each.
write("bad/broken.cm", SCALE.replace("x * 3", "y * 3"))
write("bad/broken.cm.options", "-DLANES=8\n")
status, out, err = corpus("bad")
expect("status of a bad file", status, 1)
expect("message of a bad file", err.count("\n") == 1
       and err.startswith("codegen: error: broken.cm on skl is taken by neither: ")
       and "undeclared identifier 'y'" in err, True)
os.makedirs(os.path.join(work, "empty"))
for folder, message in (("empty", f"codegen: error: no .cm file in {work}/empty\n"),
                        ("none", f"codegen: error: {work}/none is no folder\n")):
    expect(f"the folder {folder}", corpus(folder), (1, "", message))
