#!/usr/bin/env python3
"""Lists the variables that debuggers could not show in kernels without optimization, and fails for ones not expected.

lost.py DEVICE CMC WORK-FOLDER EXPECTED SOURCE...

Each source is compiled with -O0 -g. Of each variable, the debug information must have a location at every line of its
scope behind its declaration, from the first line on at which it has one: the stops of variables.py tell if that comes
too late. A variable is lost if it has none at all, has a gap, or lacks parts. EXPECTED has lines DEVICE SOURCE FUNCTION
VARIABLE, DEVICE may be *; lines that are not needed any more are errors, too. FUNCTION is the one that is called, not
one that is inlined there.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

NUMBER = r"0x[0-9a-f]+"


def dump(binary, section):
    done = subprocess.run(["llvm-dwarfdump-19", f"--debug-{section}", binary], capture_output=True, text=True)
    if f".debug_{section} contents" not in done.stdout:
        sys.exit(f"{binary}: no .debug_{section}: {done.stderr}")
    return done.stdout


def line_tables(binary):
    """By offset in .debug_line: rows (address, end, line, file)."""
    tables, rows, start, before = {}, None, 0, None
    for line in dump(binary, "line").splitlines():
        found = re.match(rf"debug_line\[({NUMBER})\]", line)
        if found:
            rows = tables[int(found[1], 16)] = []
            names = []
            continue
        found = re.match(r'\s+name: "(.*)"', line)
        if found:
            names.append(found[1])
        found = re.match(rf"({NUMBER}) +(\d+) +\d+ +(\d+) ", line)
        if not found:
            continue
        row = (int(found[1], 16), int(found[2]), names[int(found[3]) - 1])
        if before and row[0] > before[0]:
            rows.append((before[0], row[0], before[1], before[2]))
        before = None if "end_sequence" in line else row
    return tables


class Entry:
    """A DIE: its tag, attributes as text, and what is in it."""

    def __init__(self, tag, depth):
        self.tag, self.depth, self.attributes, self.inside = tag, depth, {}, []

    def text(self, name):
        found = re.match(r'\("?(.*?)"?\)$', self.attributes.get(name, ""))
        return found[1] if found else ""

    def ranges(self, name):
        return [(int(a, 16), int(b, 16)) for a, b in
                re.findall(rf"\[({NUMBER}), ({NUMBER})\)", self.attributes.get(name, ""))]


def entries(binary):
    """The units, with what is in them."""
    units, path, last, name = [], [], None, None
    for line in dump(binary, "info").splitlines():
        found = re.match(rf"{NUMBER}: ( *)(DW_TAG_\w+|NULL)", line)
        if found:
            depth = len(found[1])
            path = [entry for entry in path if entry.depth < depth]
            last = None
            if found[2] != "NULL":
                last = Entry(found[2].removeprefix("DW_TAG_"), depth)
                (path[-1].inside if path else units).append(last)
                path.append(last)
            continue
        found = re.match(r"\s+DW_AT_(\w+)\t(.*)", line)
        if found and last:
            name = found[1]
            last.attributes[name] = found[2]
        elif last and name and line.strip():
            last.attributes[name] += " " + line.strip()
    return units


def is_inside(address, ranges):
    return any(low <= address < high for low, high in ranges)


def lacks_parts(variable, rows):
    """True if a location at one of these lines has pieces that are nowhere."""
    places = re.findall(rf"\[({NUMBER}), ({NUMBER})\): ?([^[]*)", variable.attributes.get("location", ""))
    for low, high, location in places:
        operations = [o.strip() for o in location.strip(" )").split(",")]
        for k, operation in enumerate(operations):
            if operation.startswith("DW_OP_piece") and (k == 0 or operations[k - 1].startswith("DW_OP_piece")):
                if any(int(low, 16) <= row[0] < int(high, 16) for row in rows):
                    return True
    return False


def look_at(variable, scope_ranges, rows):
    """What is wrong with a variable; None: nothing. `rows` are those of its function, not of ones that it calls."""
    file, line = os.path.basename(variable.text("decl_file")), int(variable.text("decl_line"))
    shown = variable.ranges("location")
    wanted = [row for row in rows
              if os.path.basename(row[3]) == file and row[2] > line and is_inside(row[0], scope_ranges)]
    if not wanted:
        return None
    if not shown:
        return "nowhere"
    first = min(low for low, _ in shown)
    gaps = sorted({row[2] for row in wanted if row[0] >= first and not is_inside(row[0], shown)})
    if gaps:
        return "not at lines " + " ".join(map(str, gaps))
    return "in part" if lacks_parts(variable, wanted) else None


def without_calls(entry, rows):
    """The rows that are not in functions which are inlined in a scope, or in scopes in it."""
    for child in entry.inside:
        if child.tag == "inlined_subroutine":
            ranges = child.ranges("ranges") or low_high(child)
            rows = [row for row in rows if not is_inside(row[0], ranges)]
        elif child.tag == "lexical_block":
            rows = without_calls(child, rows)
    return rows


def visit(entry, scope_ranges, rows, totals, source):
    """Yields (variable, what is wrong) of a scope. Those of CM's headers are not the user's."""
    own = without_calls(entry, rows)
    for child in entry.inside:
        if child.tag in ("variable", "formal_parameter") and os.path.basename(child.text("decl_file")) == source:
            wrong = look_at(child, scope_ranges, own)
            totals[0] += 1
            if wrong:
                yield child.text("name"), wrong
        elif child.tag in ("lexical_block", "inlined_subroutine"):
            yield from visit(child, child.ranges("ranges") or low_high(child), rows, totals, source)


def low_high(entry):
    return [(int(entry.text("low_pc"), 16), int(entry.text("high_pc"), 16))] if entry.text("low_pc") else []


def lost_of(binary, totals, source):
    """Yields (function, variable, what is wrong)."""
    tables = line_tables(binary)
    for unit in entries(binary):
        rows = tables[int(unit.text("stmt_list"), 16)]
        for entry in unit.inside:
            if entry.tag == "subprogram" and entry.text("low_pc"):
                for name, wrong in visit(entry, low_high(entry), rows, totals, source):
                    yield entry.text("name"), name, wrong


def look_into(device, cmc, work, source):
    """What is lost in a source, as lines; a message of cmc's if it does not compile."""
    binary = os.path.join(work, "-".join(source.split("/")[-2:]) + ".bin")
    done = subprocess.run([cmc, f"-march={device}", "-O0", "-g", source, "-o", binary], capture_output=True, text=True)
    if done.returncode:
        return source, None, done.stderr.strip().splitlines()[:1], 0
    totals = [0]
    lost = {}
    for function, name, wrong in lost_of(binary, totals, os.path.basename(source)):
        lost.setdefault((function, name), wrong)
    return source, lost, [], totals[0]


def main():
    device, cmc, work, expected, *sources = sys.argv[1:]
    sources = [os.path.abspath(source) for source in sources]
    os.makedirs(work, exist_ok=True)
    with open(expected) as file:
        known = {tuple(line.split()[1:]) for line in file
                 if line.strip() and not line.startswith("#") and line.split()[0] in (device, "*")}
    found, faults, variables, compiled = set(), 0, 0, 0
    with ThreadPoolExecutor(2) as pool:
        for source, lost, message, count in pool.map(lambda s: look_into(device, cmc, work, s), sources):
            name = os.path.basename(source)
            if lost is None:
                print(f"{name}: does not compile: {message}")
                continue
            compiled += 1
            variables += count
            for (function, variable), wrong in lost.items():
                entry = (name, function, variable)
                found.add(entry)
                faults += entry not in known
                print(f"{'known' if entry in known else 'LOST'}: {' '.join(entry)}: {wrong}")
    names = {os.path.basename(source) for source in sources}
    for entry in sorted(known - found):
        if entry[0] in names:
            print("shown now: " + " ".join(entry))
            faults += 1
    print(f"{device}: {compiled} sources, {variables} variables, {len(found)} lost at some line, {faults} faults")
    return faults != 0 or not variables


sys.exit(main())
