#!/usr/bin/env python3
"""Checks --shard of the fuzzers: shards.py PROGRAM ARGUMENT... The counts that three parts print add up to those of the
whole, and what is no part is refused. Programs whose rounds depend on earlier ones only count the same rounds."""
import re
import subprocess
import sys

program, *arguments = sys.argv[1:]


def run(*words, status=0):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != status:
        sys.exit(f"{program} {words}: status {done.returncode}: {done.stderr}")
    return done


def counts(*words):
    """The last numbers of each line: those in front come from names."""
    text = run(*words, *arguments).stdout
    return [[int(number) for number in re.findall(r"\b\d+\b", line.rpartition(":")[2])] for line in text.splitlines()]


whole, parts = counts(), [counts("--shard", f"{part}/3") for part in (1, 2, 3)]
if not any(sum(line) for line in whole):
    sys.exit("nothing was counted")
sums = [[sum(numbers) for numbers in zip(*lines)] for lines in zip(*parts)]
if sums != whole:
    sys.exit(f"the parts have {sums}, the whole has {whole}")
for text in ("", "0/3", "4/3", "1", "1/", "a/b", "1/3x", "-1/3", "1/0", " 1/3"):
    said = run("--shard", text, *arguments, status=2)
    if f"--shard: '{text}' is no part like 2/8" not in said.stderr or said.stderr.count("\n") != 1 or said.stdout:
        sys.exit(f"--shard '{text}': {said.stderr}")
