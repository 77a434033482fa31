#!/usr/bin/env python3
"""Runs kernels with planted faults under gensim --check and compares the findings with the marks in the source.

    check.py DEVICE BIN-FOLDER WORK-FOLDER SOURCE...

A comment RUN KERNEL ARGUMENT... starts a kernel's part of the source and gives cmrun's arguments. A comment FINDS CHECK
marks a line that a finding names. A kernel without marks must run without findings. A kernel with marks must have
findings at marked lines only, and each mark must have a finding.
"""
import os
import re
import subprocess
import sys

device, programs, work, sources = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, cwd=work)


def compile_source(path):
    name = os.path.basename(path)
    if path.endswith(".cm"):
        output = f"{name}.bin"
        done = run([f"{programs}/cmc", f"-march={device}", "-g", path, "-o", output])
    else:
        output = f"{name}.{device}.bin"
        done = run(["ocloc", "compile", "-file", path, "-device", device, "-options", f"-g -s {path}",
                    "-output_no_suffix",
                    "-output", output, "--format", "zebin"])
        if done.returncode == 0 and not os.path.exists(os.path.join(work, output)):
            output += ".bin"
    if done.returncode:
        sys.exit(f"{path} does not compile:\n{done.stdout}{done.stderr}")
    return output


def parts(path):
    """(kernel, arguments, marks as {(check, line)}) for each RUN comment."""
    result = []
    with open(path) as source:
        for number, line in enumerate(source, 1):
            found = re.match(r"// RUN (\S+) ((?:-|buf).+)", line)
            if found:
                result.append((found[1], found[2].split(), set()))
            mark = re.search(r"// FINDS (\w+)$", line.rstrip())
            if mark and result:
                result[-1][2].add((mark[1], number))
    return result


def findings(text, has_lines):
    result, check = set(), None
    for line in text.split("\n"):
        head = re.match(r"gensim: check: (\w+): ", line)
        if head:
            check = head[1]
            if not has_lines:
                result.add(check)
        source = re.match(r" +source \S+:(\d+)", line)
        if source and check and has_lines:
            result.add((check, int(source[1])))
    return result


def main():
    wrong = runs = 0
    os.makedirs(work, exist_ok=True)
    for path in sources:
        path = os.path.abspath(path)
        binary, has_lines = compile_source(path), path.endswith(".cm")
        for kernel, arguments, marks in parts(path):
            wanted = marks if has_lines else {check for check, _ in marks}
            done = run([f"{programs}/gensim", "-d", device, "--check", "--error-exit", "3", "--", f"{programs}/cmrun",
                        binary,
                        "-k", kernel] + arguments)
            found = findings(done.stderr, has_lines)
            runs += 1
            if found != wanted or done.returncode != (3 if wanted else 0):
                wrong += 1
                print(f"{os.path.basename(path)}: {kernel}: found {sorted(found)}, marked {sorted(wanted)}, "
                      f"status {done.returncode}\n{done.stderr}")
    print(f"{runs} kernels, {wrong} wrong")
    return 1 if wrong or runs == 0 else 0


sys.exit(main())
