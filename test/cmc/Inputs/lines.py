"""lines.py ZEBIN SOURCE LLVM-DWARFDUMP: MARK in SOURCE is 0x5a170000 and the number of the line that it stands on. Each
such number in the code of ZEBIN is an immediate of an instruction to which the debug lines give that line; none is
missing.

The code is searched for the bytes, so that only the hardware's format and LLVM's reader are trusted."""
import os
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from elf_sections import sections

IMMEDIATE_AT = 12  # of the sixteen bytes of an instruction
zebin, source, dwarfdump = sys.argv[1:]


def numbered(code):
    """Offset of the instruction, number in the immediate."""
    for match in re.finditer(b"..\x17\x5a", code, re.S):
        yield match.start() - IMMEDIATE_AT, struct.unpack("<H", match.group()[:2])[0]


def tables():
    """The rows (address, line) of each kernel, in the order of the file."""
    text = subprocess.run([dwarfdump, "--debug-line", zebin], capture_output=True, text=True).stdout
    rows = [[]]
    for address, line, end in re.findall(r"^0x([0-9a-f]+) +([0-9]+) .*?(end_sequence)?$", text, re.M):
        rows[-1].append((int(address, 16), int(line)))
        if end:
            rows.append([])
    return rows[:-1]


def main():
    kernels = [code for name, code in sections(open(zebin, "rb").read()) if name.startswith(".text.")]
    rows = tables()
    assert len(rows) == len(kernels), f"{len(rows)} line programs for {len(kernels)} kernels"
    found = set()
    for code, table in zip(kernels, rows):
        assert [a for a, _ in table] == sorted({a for a, _ in table}), "addresses do not rise"
        for offset, number in numbered(code):
            line = [l for address, l in table if address <= offset][-1]
            assert line == number, f"the instruction at {offset:#x} of line {number} is said to be of line {line}"
            found.add(number)
    written = {i for i, text in enumerate(open(source), 1) if re.search(r"^[^/#]*\bMARK\b", text)}
    assert written and found == written, f"lines not found: {sorted(written - found)}, not written: {sorted(found - written)}"


main()
