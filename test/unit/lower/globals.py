#!/usr/bin/env python3
"""globals.py LIBRARY.a: checks that the objects of the middle end have no mutable variables except those named here."""
import re
import subprocess
import sys

ALLOWED = {
    "ir_context",  # the current context of a thread
    "options_set",    # LLVM's options of the process are set once
}

symbols = subprocess.run(["objdump", "-t", sys.argv[1]], capture_output=True, text=True, check=True).stdout
found, count = set(), 0
for line in symbols.splitlines():
    fields = re.match(r"[0-9a-f]+ .{7} (\.\S+|\*COM\*)\t[0-9a-f]+ (?:\.hidden )?(\S+)$", line)
    if not fields:
        continue
    count += 1
    section, name = fields.groups()
    mutable = re.match(r"\.(bss|data|tbss|tdata)\b(?!\.rel\.ro)|\*COM\*", section)
    if mutable and name != section:
        found.add(re.sub(r"\.\d+$", "", name))
for name in sorted(found - ALLOWED):
    print(f"mutable variable '{name}' in the middle end: put it into struct ir_context (lower/ir/context.h)")
for name in sorted(ALLOWED - found):
    print(f"no variable '{name}' was found: the list here, or the look at symbols, is wrong")
print(f"{count} symbols")
sys.exit(found != ALLOWED)
