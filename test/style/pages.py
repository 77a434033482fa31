#!/usr/bin/env python3
"""Checks that pages of prose have at most 120 columns: README.md and docs/. Tables, code and links that fill a line may
be longer.

pages.py [ROOT]   status 1 prints each long line
"""
import os
import re
import sys

MOST = 120
GENERATED = ("docs/compiler/passes.md", "docs/compiler/builtins.md", "docs/language/reference.md",
             "docs/simulator/coverage.md", "docs/results/timing.md")


def long_lines(path):
    inside = False
    with open(path, encoding="utf-8") as page:
        for number, line in enumerate(page, 1):
            line = line.rstrip("\n")
            if re.match(r"\s*(```|~~~)", line):
                inside = not inside
            elif not inside and len(line) > MOST and not re.match(r"\s*(\||<!--|!?\[[^\]]*\]\([^)]*\)\S*$)", line):
                yield number, len(line)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    pages = ["README.md"] + [os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
                             for folder, _, names in os.walk(os.path.join(root, "docs")) for name in names]
    wrong = 0
    for page in sorted(pages):
        if page.endswith(".md") and page not in GENERATED:
            for number, length in long_lines(os.path.join(root, page)):
                wrong += 1
                print(f"{page}:{number}: {length} columns, at most {MOST} are allowed")
    sys.exit(1 if wrong else 0)


main()
