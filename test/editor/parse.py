#!/usr/bin/env python3
"""parse.py BUILD_FOLDER CLANG [CLANGD]: checks that every .cm file in compile_commands.json parses without an error or
warning with its options, and that clangd, if installed, agrees on one of them. A kernel marked `// NOT-ON: clangd`
needs extensions of cmc's front end (overloads for references).
"""
import json
import os
import re
import shlex
import subprocess
import sys

build, clang = sys.argv[1:3]
clangd = sys.argv[3] if len(sys.argv) > 3 and os.access(sys.argv[3], os.X_OK) else None


def parse(entry):
    """The messages of Clang's parser for an entry's command."""
    words = shlex.split(entry["command"])
    options = [word for word in words[1:] if word not in ("-c", "-o", entry.get("output")) and not word.endswith(".o")]
    run = subprocess.run([clang, "-fsyntax-only", *options], cwd=entry["directory"], capture_output=True, text=True)
    return run.stderr if run.returncode or run.stderr else ""


with open(os.path.join(build, "compile_commands.json")) as database:
    entries = [entry for entry in json.load(database) if entry["file"].endswith(".cm")]
entries = [entry for entry in entries if not re.search(r"^// NOT-ON:.*\bclangd\b", open(entry["file"]).read(), re.M)]
failures = 0
for entry in entries:
    said = parse(entry)
    if said:
        failures += 1
        print(entry["file"], said, sep="\n")
if clangd:
    run = subprocess.run([clangd, "--check=" + entries[0]["file"], "--compile-commands-dir=" + build],
                         capture_output=True, text=True)
    if run.returncode:
        failures += 1
        print(run.stderr)
print(len(entries), "kernels,", failures, "with messages")
sys.exit(1 if failures or len(entries) < 40 else 0)
