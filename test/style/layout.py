#!/usr/bin/env python3
"""Checks the layout of sources: clang-format finds nothing to change, and lines have at most 120 columns.

layout.py format [--root DIR] CLANG-FORMAT    C and C++; status 1 names each place that clang-format would change
layout.py columns [--root DIR]                other code (ENDINGS); status 1 names each line that is too long
layout.py finds CLANG-FORMAT                  check the checks: planted faults are found, what is right is not

Some lines may be longer: directives of tests, which are one line by their form (`// RUN:`, `//! error: ...`), one string
or word of more than 80 columns, which stays in one piece, and the files of EXEMPT and POSITIONS. Pages of docs/ have
tables and are not checked.
"""
import os
import re
import subprocess
import sys
import tempfile

COLUMNS = 120
C_ENDINGS = (".c", ".h", ".cpp", ".inc")
ENDINGS = (".def", ".py", ".sh", ".cl", ".cm", ".cmake", "CMakeLists.txt", "dev")
DIRECTIVE = re.compile(r"//!|(//|#)\s*[A-Z][A-Z0-9_-]*(\{.*\})?:")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')

# The kernels of the corpus stand as their authors wrote them; a row of these tables and of what reads them is one
# measurement or one fact, with its source in the same line.
EXEMPT = ("benchmarks/corpus/", "benchmarks/timing/", "tables/features.def", "tables/platforms.def", "tables/timing")

# Kernels of which a test names positions that would move.
POSITIONS = ("test/cmc/Inputs/products.cm", "test/cmc/Inputs/refused.cm", "test/frontend/misuse/blocks_2d.cm",
             "test/frontend/misuse/constant_arguments.cm", "test/frontend/misuse/parameters.cm",
             "test/frontend/misuse/wrong_counts.cm", "test/lower/functions-stack.cm")


def tracked(root, endings):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True,
                            text=True)
    names = listed.stdout.split("\n") if listed.returncode == 0 else [
        os.path.relpath(os.path.join(folder, name), root) for folder, _, files in os.walk(root) for name in files]
    return [name for name in names if name.endswith(endings) and os.path.isfile(os.path.join(root, name))]


def check_format(root, clang_format):
    files, faults = tracked(root, C_ENDINGS), []
    for first in range(0, len(files), 100):
        run = subprocess.run([clang_format, "--dry-run", "-Werror"] + files[first:first + 100], cwd=root,
                             capture_output=True, text=True)
        faults += [line for line in run.stderr.split("\n") if "error:" in line]
        if run.returncode and not faults:
            faults.append(run.stderr)
    return files, faults


def is_too_long(line):
    return (len(line) > COLUMNS and not DIRECTIVE.search(line)
            and max(map(len, STRING.findall(line) + line.split())) <= 80)


def check_columns(root):
    files, faults = [name for name in tracked(root, ENDINGS) if not name.startswith(EXEMPT + POSITIONS)], []
    for name in files:
        with open(os.path.join(root, name), errors="replace") as source:
            faults += [f"{name}:{number}: {len(line.rstrip())} columns" for number, line in enumerate(source, 1)
                       if is_too_long(line.rstrip("\n"))]
    return files, faults


def check_checks(clang_format):
    words = "a word and another " * 7
    cases = (("a.c", "int  x;\n", True), ("a.c", "int x;\n", False), ("a.def", f"/* {words}*/\n", True),
             ("a.def", f"ROW(\"{words}\")\n", False), ("a.cm", f"// {words}\n", True),
             ("a.cm", f"// RUN: {words}\n", False),
             ("a.cm", f"x; //! error: {words}\n", False), ("CMakeLists.txt", f"# {words}\n", True), ("a.txt", words, False),
             ("a.sh", f"# {words}\n", True), ("a.py", f"# {words}\n", True), ("a.py", "# fine\n", False))
    status = 0
    for name, text, wrong in cases:
        with tempfile.TemporaryDirectory() as root:
            for path, content in ((name, text), (".clang-format", f"ColumnLimit: {COLUMNS}\n")):
                with open(os.path.join(root, path), "w") as out:
                    out.write(content)
            faults = check_format(root, clang_format)[1] + check_columns(root)[1]
            if bool(faults) != wrong:
                print(f"{name} with '{text.strip()[:40]}': {faults}")
                status = 1
    return status


def main():
    arguments = sys.argv[1:]
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if arguments[1:2] == ["--root"]:
        root = arguments.pop(2)
        arguments.pop(1)
    what, tools = arguments[:1], arguments[1:]
    if what == ["finds"] and len(tools) == 1:
        return check_checks(tools[0])
    if what == ["format"] and len(tools) == 1:
        files, faults = check_format(root, tools[0])
    elif what == ["columns"] and not tools:
        files, faults = check_columns(root)
    else:
        sys.exit(__doc__)
    print("\n".join(faults + [f"{len(files)} files, {len(faults)} faults"]))
    return bool(faults) or not files


if __name__ == "__main__":
    sys.exit(main())
