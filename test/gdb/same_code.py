#!/usr/bin/env python3
"""Checks that -g does not change optimized code: .text sections of kernels, compiled by cmc -O2 with and without it.

same_code.py DEVICE CMC WORK-FOLDER SOURCE...

Options of a source are those of its comment "// OPTIONS: ...". A source that does not compile for the device without -g
is left out.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from elf_sections import sections  # noqa: E402

device, cmc, work, sources = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]


def texts(source, options):
    """The code of each kernel by its section's name; None if there is none."""
    output = os.path.join(work, "same_code.bin")
    done = subprocess.run([cmc, f"-march={device}", "-O2", "-w", *options, source, "-o", output], capture_output=True,
                          text=True)
    if done.returncode:
        return None
    with open(output, "rb") as file:
        return {name: code for name, code in sections(file.read()) if name.startswith(".text.")}


def main():
    os.makedirs(work, exist_ok=True)
    kernels, faults = 0, []
    for source in sources:
        with open(source) as file:
            found = re.search(r"^// OPTIONS: (.*)", file.read(), re.M)
        options = found[1].split() if found else []
        plain = texts(source, options)
        if plain is None:
            continue
        debug = texts(source, ["-g", *options]) or {}
        kernels += len(plain)
        faults += [f"{source}: {name}" for name, code in plain.items() if debug.get(name) != code]
    for fault in faults:
        print(f"FAIL -g changes the code of {fault}")
    print(f"{kernels} kernels, {len(faults)} have other code with -g")
    return bool(faults) or kernels == 0


sys.exit(main())
