#!/usr/bin/env python3
"""check.py COMMAND... FILE.cm: compares what the command says about the file with what the file expects.

A line `//! COLUMN: error|warning|note: TEXT` expects that message at the last line above it that is no such line. All
expected messages must come, and nothing else; only their order between lines is free. `//! clang<20 COLUMN: ...` expects
it of releases of Clang before 20 only, `//! clang>=20 COLUMN: ...` of the others; $CMKIT_LLVM_VERSION is the release.
"""
import os
import re
import subprocess
import sys


def expected(path):
    result, line = [], 0
    release = int(os.environ["CMKIT_LLVM_VERSION"])
    with open(path) as source:
        for number, text in enumerate(source, 1):
            wanted = re.match(r"\s*//! (?:clang(<|>=)(\d+) )?(\d+): (.*)", text)
            if wanted:
                if not wanted[1] or (release < int(wanted[2])) == (wanted[1] == "<"):
                    result.append(f"{line}:{wanted[3]}: {wanted[4]}")
            else:
                line = number
    return result


def main():
    path = sys.argv[-1]
    run = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    got = [line.removeprefix(path + ":") for line in run.stderr.splitlines()]
    wanted = expected(path)
    for line in sorted(set(wanted) - set(got)):
        print("missing:", line)
    for line in sorted(set(got) - set(wanted)):
        print("not expected:", line)
    has_errors = any(": error: " in line for line in wanted)
    if run.returncode != has_errors:
        print("exit status", run.returncode)
    sys.exit(sorted(got) != sorted(wanted) or run.returncode != has_errors)


main()
