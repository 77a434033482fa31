#!/usr/bin/env python3
"""Lists the tests of a build and runs one file of them.

tests.py BUILD --list                     print the label, the seconds and the name of every test
tests.py BUILD [--dry-run] WHAT...        run each WHAT; --dry-run prints the commands instead. WHAT is a file that a
                                          test uses: a lit file, a kernel of test/kernels (or its reference), a case
                                          file, a batch of a corpus; or fuzz:SIZE:SEED, one random program (SIZE small,
                                          rich, wide or full), or
                                          fuzz:frontend:SEED, one random source for the front end

Seconds are those of the last run in this build folder (Testing/Temporary/CTestCostData.txt), else those of
test/times.txt.
A file is looked up in the commands of ctest's tests; where a command names other files of the same folder, these are
left out.
"""
import json
import os
import re
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read_tests(build):
    done = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True,
                          check=True)
    tests = []
    for test in json.loads(done.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        tests.append((test["name"], test.get("command", []), properties))
    return tests


def read_seconds(build):
    """Name to seconds, and whether they were measured in this build folder."""
    seconds = {}
    with open(os.path.join(ROOT, "test", "times.txt"), encoding="utf-8") as rows:
        for row in rows:
            if row.strip() and not row.startswith("#"):
                name, time = row.split()
                if time != "-":
                    seconds[name] = float(time)
    costs = os.path.join(build, "Testing", "Temporary", "CTestCostData.txt")
    if os.path.exists(costs):
        with open(costs, encoding="utf-8") as rows:
            for row in rows:
                words = row.split()
                if len(words) == 3 and int(words[1]) > 0:
                    seconds[words[0]] = float(words[2])
    return seconds


def label_of(properties):
    labels = properties.get("LABELS", [])
    return next((label for label in ("long", "slow", "quick") if label in labels), "slow")


def print_list(build):
    tests, seconds = read_tests(build), read_seconds(build)
    totals = {}
    for name, _, properties in tests:
        label, time = label_of(properties), seconds.get(name)
        totals.setdefault(label, [0, 0.0])
        totals[label][0] += 1
        totals[label][1] += time or 0
        print(f"{label:5} {'      -' if time is None else f'{time:7.1f}'}  {name}")
    for label, (count, time) in sorted(totals.items()):
        print(f"{label}: {count} tests, {time:.0f} seconds where they are known, one after the other")


def fuzz_command(tests, size, seed):
    commands = {name: command for name, command, _ in tests}
    if size == "frontend":
        command = commands["fuzz.frontend"]
        return {}, command[:1] + [seed, "1"] + command[3:]
    command = commands["fuzz.compiler.1"]
    return {"CMKIT_FUZZ_SIZE": size}, command[:2] + [os.path.join(os.path.dirname(command[2]), "one"), seed, seed]


def commands_for(tests, path):
    """What to run for a file: (environment, command) of each test that uses it."""
    inside = os.path.relpath(path, os.path.join(ROOT, "test"))
    folder = inside.split(os.sep)[0]
    found = []
    if folder in ("frontend", "lower", "cmc", "peer") and not inside.endswith(".sh"):
        found = [({}, command[:-1] + [path]) for name, command, _ in tests if name == "lit." + folder]
    elif folder == "kernels" and inside.endswith((".cm", ".c")):
        kernel = os.path.splitext(path)[0] + ".cm"
        found = [(dict(row.split("=", 1) for row in properties.get("ENVIRONMENT", [])),
                  [word for word in command if not word.endswith(".cm")] + [kernel])
                 for name, command, properties in tests if name.startswith("run.kernels.")]
    else:
        for _, command, _ in tests:
            if any(os.path.realpath(word) == path for word in command if os.sep in word):
                found.append(({}, [word for word in command if os.sep not in word or os.path.realpath(word) == path or
                                   not (os.path.isfile(word) and os.path.dirname(os.path.realpath(word)) ==
                                        os.path.dirname(path))]))
    return found


def main():
    words = sys.argv[1:]
    if len(words) < 2:
        sys.exit(__doc__)
    build, words = words[0], words[1:]
    if words == ["--list"]:
        return print_list(build)
    dry = words[0] == "--dry-run"
    tests, failed = read_tests(build), 0
    for word in words[dry:]:
        fuzz = re.fullmatch(r"fuzz:(small|rich|wide|full|frontend):(\d+)", word)
        found = [fuzz_command(tests, *fuzz.groups())] if fuzz else commands_for(tests, os.path.realpath(word))
        if not found:
            sys.exit(f"tests.py: error: no test uses {word} (docs/testing.md says what can be run alone)")
        for environment, command in found:
            if dry:
                print(" ".join([f"{k}={v}" for k, v in environment.items()] + [shlex.quote(c) for c in command]))
            else:
                failed += subprocess.run(command, env={**os.environ, **environment}).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
