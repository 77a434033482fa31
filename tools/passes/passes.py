#!/usr/bin/env python3
"""Checks lower/passes.def and prints docs/compiler/passes.md from it.

passes.py check [ROOT]   names are unique, each pass runs after what it needs and before what may not precede it, each
                         function stands in lower/, docs/compiler/passes.md is up to date; status 1 names each fault
passes.py page [ROOT]    print docs/compiler/passes.md
"""
import os
import re
import sys

LEVELS = ["O0", "O1", "LANES"]
LEVEL_WORDS = {"O0": "always", "O1": "-O1", "LANES": "-O1, SIMD control flow"}
HEAD = """# Passes of the middle end

Printed by `tools/passes/passes.py page` from `lower/passes.def`. `cmc -print-passes` lists the same passes;
`cmc -print-after=NAME` prints the module after one; `cmc --time-report` prints the time of each.

*Level*: from which `-O` on the pass runs. *SIMD control flow*: only in modules that ask for any or all lanes of a mask.
*Needs*: passes that must have run before. *Not after*: passes that must not have run before.
"""


class Row:
    """A row of passes.def. A step of code generation has no function and no level."""

    def __init__(self, kind, columns):
        self.kind = kind
        self.function, self.level, self.needs, self.not_after = None, None, [], []
        if kind == "STEP":
            _, self.name, self.sentence = columns
        else:
            self.function, self.name, self.level, needs, not_after, self.sentence = columns
            self.needs, self.not_after = needs.split(), not_after.split()


def read_rows(root):
    with open(os.path.join(root, "lower/passes.def")) as table:
        text = re.sub(r"/\*.*?\*/", "", table.read(), flags=re.S)
    text = re.sub(r'"\s*\n\s*"', "", text)  # a sentence of two lines
    rows, column = [], r'\s*(?:"([^"]*)"|(\w+))\s*'
    for kind, inside in re.findall(r"^(PASS|LLVM_PASS|STEP)\((.*?)\)$", text, re.M | re.S):
        rows.append(Row(kind, [string or word for string, word in re.findall(column + r"(?:,|$)", inside)]))
    return rows


def files_of(root):
    """Pass function to the file in lower/ that defines it."""
    found = {}
    for folder, _, names in os.walk(os.path.join(root, "lower")):
        for name in names:
            if name.endswith(".c"):
                path = os.path.join(folder, name)
                with open(path) as source:
                    for function in re.findall(r"^bool (pass_\w+)\(", source.read(), re.M):
                        found[function] = os.path.relpath(path, os.path.join(root, "lower"))
    return found


def check_order(rows):
    errors, before = [], {}
    names = {row.name for row in rows}
    for row in rows:
        if row.name in before:
            errors.append(f"pass {row.name} has two rows")
        for name in row.needs + row.not_after:
            if name not in names:
                errors.append(f"pass {row.name} names '{name}', which is no pass")
        for name in row.needs:
            if name in names and name not in before:
                errors.append(f"pass {row.name} needs {name}, which does not run before it")
            elif name in before and LEVELS.index(before[name].level) > LEVELS.index(row.level):
                errors.append(f"pass {row.name} ({row.level}) needs {name}, which runs at {before[name].level} only")
        for name in row.not_after:
            if name in before:
                errors.append(f"pass {row.name} must not run after {name}")
        before[row.name] = row
    return errors


def check_functions(rows, files):
    functions = {row.function for row in rows if row.kind == "PASS"}
    return ([f"no file of lower/ defines {function}" for function in sorted(functions - set(files))]
            + [f"lower/{files[function]}: {function} has no row" for function in sorted(set(files) - functions)])


def page(rows, files):
    lines = [HEAD, "| pass | file of `lower/` | level | needs | not after | what it does |",
             "| --- | --- | --- | --- | --- | --- |"]
    for row in (row for row in rows if row.kind != "STEP"):
        file = f"`{files[row.function]}`" if row.kind == "PASS" else "LLVM"
        lines.append(f"| `{row.name}` | {file} | {LEVEL_WORDS[row.level]} | {' '.join(row.needs)} | {' '.join(row.not_after)} "
                     f"| {row.sentence} |")
    lines += ["", "## Steps of code generation", "", "Each kernel, and each function that is called, takes these steps "
              "(`codegen/kernel.c`).", "", "| step | what it does |", "| --- | --- |"]
    lines += [f"| `{row.name}` | {row.sentence} |" for row in rows if row.kind == "STEP"]
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in ("check", "page"):
        sys.exit(__doc__)
    root = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    rows, files = read_rows(root), files_of(root)
    errors = check_order(rows) + check_functions(rows, files)
    if sys.argv[1] == "page" and not errors:
        sys.stdout.write(page(rows, files))
    elif not errors:
        with open(os.path.join(root, "docs/compiler/passes.md")) as written:
            if written.read() != page(rows, files):
                errors.append("docs/compiler/passes.md is not up to date: tools/passes/passes.py page > docs/compiler/passes.md")
    for error in errors:
        print(error)
    return bool(errors) or not rows


if __name__ == "__main__":
    sys.exit(main())
