#!/usr/bin/env python3
"""links.py SOURCE: checks that every relative link in README.md, docs/ and the other Markdown files points to a file,
and its anchor to a heading of that file. Prints each dead link with its file and line; exit status 1 if there is
one.
"""
import os
import re
import subprocess
import sys

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^\s*(```|~~~)")


def outside_code(path):
    """The lines of a page with their numbers, without code blocks and code spans."""
    inside = False
    with open(path, encoding="utf-8") as page:
        for number, line in enumerate(page, 1):
            if FENCE.match(line):
                inside = not inside
            elif not inside:
                yield number, re.sub(r"`[^`]*`", "``", line)


def anchor(heading):
    """The anchor that GitHub and mkdocs make of a heading."""
    text = re.sub(r"[^\w\- ]", "", heading.replace("`", "").strip().lower())
    return text.replace(" ", "-")


def anchors(path):
    inside, found = False, set()
    with open(path, encoding="utf-8") as page:
        for line in page:
            if FENCE.match(line):
                inside = not inside
            elif not inside and line.startswith("#"):
                found.add(anchor(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line.lstrip("#"))))
    return found


def dead_links(path):
    for number, line in outside_code(path):
        for target in LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, fragment = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if not os.path.exists(file):
                yield number, target, "no such file"
            elif fragment and file.endswith(".md") and fragment not in anchors(file):
                yield number, target, "no such heading"


def main():
    os.chdir(sys.argv[1])
    listed = subprocess.run(["git", "ls-files", "*.md"], capture_output=True, text=True)
    pages = listed.stdout.split() if listed.returncode == 0 else []
    if not pages:  # an unpacked release has no git
        pages = [os.path.join(folder, name) for folder, _, names in os.walk(".") for name in names
                 if name.endswith(".md")]
    failed = False
    for page in sorted(pages):
        for number, target, reason in dead_links(page):
            print(f"{page}:{number}: {target}: {reason}")
            failed = True
    return 1 if failed else 0


sys.exit(main())
