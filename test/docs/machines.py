#!/usr/bin/env python3
"""Runs the recipes of docs/ci/machines.md with stand-ins for parallel, sbatch and a CI system:
machines.py BIN_FOLDER SOURCE WORK"""
import json
import os
import re
import shutil
import subprocess
import sys

bin_folder, source, work = sys.argv[1:4]
shutil.rmtree(work, ignore_errors=True)

# parallel -j N COMMAND {} ::: ARGUMENT...: the order in which parts run is not what the recipe may depend on.
PARALLEL = """#!/usr/bin/env python3
import subprocess, sys
words = sys.argv[1:]
assert words[0] == "-j" and int(words[1]) > 0, words
command, arguments = words[2:words.index(":::")], words[words.index(":::") + 1:]
for argument in reversed(arguments):
    subprocess.run([word.replace("{}", argument) for word in command], check=True)
"""
# sbatch --wait SCRIPT: the tasks of #SBATCH --array=FIRST-LAST.
SBATCH = """#!/usr/bin/env python3
import os, re, subprocess, sys
assert sys.argv[1] == "--wait", sys.argv
text = open(sys.argv[2]).read()
first, last = map(int, re.search(r"^#SBATCH .*--array=(\\d+)-(\\d+)", text, re.M).groups())
for task in range(last, first - 1, -1):
    variables = dict(os.environ, SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_COUNT=str(last - first + 1))
    subprocess.run(["sh", sys.argv[2]], env=variables, check=True)
"""


def check(good, what):
    if not good:
        sys.exit("machines.py: " + what)


def folder(name):
    path = os.path.join(work, name)
    os.makedirs(path)
    return path


def shell(where, text):
    path = os.pathsep.join([os.path.join(work, "stand-ins"), os.path.abspath(bin_folder), os.environ["PATH"]])
    done = subprocess.run(["sh", "-e"], input=text, cwd=where, env=dict(os.environ, PATH=path), capture_output=True,
                          text=True, timeout=500, check=False)
    check(done.returncode == 0, f"{text}\nstatus {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def recipes():
    """(name, file or None, text) of each block with a comment "recipe" before it."""
    with open(os.path.join(source, "docs", "ci", "machines.md"), encoding="utf-8") as page:
        found = re.findall(r"<!-- recipe: (\S+) ?(\S*) -->\n```sh\n(.*?)```", page.read(), re.S)
    return [(name, file or None, text) for name, file, text in found]


def read(*names):
    with open(os.path.join(work, *names), encoding="utf-8") as file:
        return file.read()


def run_recipes():
    for name, file, text in recipes():
        where = os.path.join(work, name)
        os.makedirs(where, exist_ok=True)
        if file:
            with open(os.path.join(where, file), "w", encoding="utf-8") as out:
                out.write(text)
        else:
            shell(where, text)


def check_workflow():
    """The lines of the matrix's jobs, one part after the other, and those of the last job, in one folder."""
    where = folder("matrix")
    with open(os.path.join(source, "docs", "ci", "machines.yml"), encoding="utf-8") as file:
        text = file.read()
    parts = re.search(r"part: \[(.*?)\]", text)[1].split(", ")
    first, last = text.split("\n  whole:\n")
    for part in parts:
        for line in re.findall(r"- run: (.*)", first):
            shell(where, f"PART={part}\n{line}")
    check(set(re.findall(r"path: (.*)", first)) == {"part.${{ matrix.part }}.json"}, "the part's report is no artefact")
    shell(where, "cmbench -d icllp --size tiny --timing --variant cm --json baseline.json minmax transpose")
    for line in re.findall(r"- run: (.*)", last):
        shell(where, line)
    check(read("matrix", "report.json") == read("matrix", "baseline.json"), "the matrix's report is not the whole")


def main():
    stand_ins = folder("stand-ins")
    for name, text in ("parallel", PARALLEL), ("sbatch", SBATCH):
        with open(os.path.join(stand_ins, name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(os.path.join(stand_ins, name), 0o755)
    check([(name, file) for name, file, _ in recipes()] ==
          [("parallel", None), ("slurm", "tune.sbatch"), ("slurm", None)], f"other recipes: {recipes()}")
    run_recipes()
    shell(os.path.join(work, "parallel"), "cmbench -d icllp --size tiny --json whole.json minmax transpose")
    check(read("parallel", "report.json") == read("parallel", "whole.json"), "parallel's report is not the whole")
    points = [json.loads(line)["point"] for line in read("slurm", "tune.jsonl").splitlines()[1:]]
    check(sorted(points) == [f"stencil_media_block:ROWS={rows}" for rows in (16, 24, 32, 8)], f"points: {points}")
    check("stencil_media_block" in read("slurm", "tune.html"), "no page of the search")
    check_workflow()


main()
