#!/usr/bin/env python3
"""Runs kernels with planted faults under gensim --check and compares the findings with the marks in the source.

    check.py DEVICE BIN-FOLDER WORK-FOLDER SOURCE...

A comment RUN KERNEL ARGUMENT... starts a kernel's part of the source and gives cmrun's arguments. A comment FINDS CHECK
marks a line that a finding names (FINDS CHECK NOT-ON DEVICE: not there); FINDS-IN KERNEL CHECK, ... a line of a
function, for kernels that call it. Behind it, ", LANE N" is the lane that the finding names. A kernel without marks
must run without findings. A kernel with marks must have findings at marked lines only, and each mark must have a
finding. FINDS fault marks a line at which the program ends with a fault. ALSO CHECK marks a line of a kernel whose
fault has that effect, too, in some orders of its threads. SPILLS says that cmc must keep registers of the kernel in
scratch memory, PLACES N that findings must be at N places of its code.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))
from driver import driver_options  # noqa: E402: its folder is not this one

device, programs, work, sources = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, errors="backslashreplace", cwd=work)


def only(path, kernel):
    """A copy of the source in which the other kernels' lines are empty: ocloc writes no debug lines for several."""
    with open(path) as source:
        lines = source.read().split("\n")
    kept, current = [], kernel
    for line in lines:
        found = re.match(r"// RUN (\S+) ", line)
        current = found[1] if found else current
        kept.append(line if current == kernel else "")
    copy = os.path.join(work, f"{kernel}.cl")
    with open(copy, "w") as output:
        output.write("\n".join(kept))
    return copy


def compile_source(path):
    """The binary's name, and what the compiler says."""
    name = os.path.basename(path)
    if path.endswith(".cm"):
        output = f"{name}.bin"
        done = run([f"{programs}/cmc", f"-march={device}", "-g", path, "-o", output])
    else:
        output = f"{name}.{device}.bin"
        done = run(["ocloc", "compile", "-file", path, "-device", device, "-options", f"-g -s {path}",
                    "-output_no_suffix", "-output", output, "--format", "zebin"])
        if done.returncode == 0 and not os.path.exists(os.path.join(work, output)):
            output += ".bin"
    if done.returncode:
        sys.exit(f"{path} does not compile:\n{done.stdout}{done.stderr}")
    return output, done.stderr


def not_spilled(path, said):
    """The kernels that must spill, and of which cmc does not warn that they do."""
    with open(path) as source:
        wanted = re.findall(r"^// RUN (\S+) .*\n// SPILLS$", source.read(), re.M)
    return [kernel for kernel in wanted if not re.search(rf"kernel {kernel} keeps .* in memory \(it spills\)", said)]


def parts(path):
    """(kernel, arguments, marks as {(check, line)}, effects, lanes as {(line, lane)}, numbers of places) for each RUN
    comment."""
    result, called = [], []
    with open(path) as source:
        for number, line in enumerate(source, 1):
            found = re.match(r"// RUN (\S+) ((?:-|buf).+)", line)
            if found:
                result.append((found[1], found[2].split(), set(), set(), set(), set()))
            mark = re.search(r"// FINDS (\w+)(?: NOT-ON (\w+))?(?:, ALSO|, LANE|$)", line.rstrip())
            if mark and result and mark[2] != device:
                result[-1][2].add((mark[1], number))
            also = re.search(r"// (?:FINDS \w+, )?ALSO (\w+)$", line.rstrip())
            if also and result:
                result[-1][3].add((also[1], number))
            lane = re.search(r"// FINDS .*, LANE (\d+)$", line.rstrip())
            if lane and result:
                result[-1][4].add((number, int(lane[1])))
            places = re.match(r"// PLACES (\d+)$", line)
            if places and result:
                result[-1][5].add(int(places[1]))
            for kernel, check in re.findall(r"(\w+) (\w+)", line.partition("// FINDS-IN ")[2]):
                called.append((kernel, check, number))
    for kernel, _, marks, *_ in result:
        marks.update((check, number) for name, check, number in called if name == kernel)
    return result


def findings(text):
    result, check = set(), None
    for line in text.split("\n"):
        head = re.match(r"gensim: (?:check: (\w+)|fault): ", line)
        if head:
            check = head[1] or "fault"
        source = re.match(r" +source \S+:(\d+)", line)
        if source and check:
            result.add((check, int(source[1])))
    return result


def lanes(text):
    """The lanes of the sites that have one, {(line, lane)}."""
    found, lane = set(), None
    for line in text.split("\n"):
        site = re.search(r" in kernel .* thread \d+(?:, lane (\d+))?$", line)
        if site:
            lane = site[1]
        source = re.match(r" +source \S+:(\d+)", line)
        if source and lane:
            found.add((int(source[1]), int(lane)))
    return found


def main():
    wrong = runs = 0
    os.makedirs(work, exist_ok=True)
    for path in sources:
        path = os.path.abspath(path)
        binary, said = compile_source(path) if path.endswith(".cm") else (None, "")
        for kernel in not_spilled(path, said):
            wrong += 1
            print(f"{os.path.basename(path)}: {kernel} does not spill on {device}")
        for kernel, arguments, marks, effects, named, places in parts(path):
            own = binary or compile_source(only(path, kernel))[0]
            done = run([f"{programs}/gensim", "-d", device, *driver_options(device), "--check", "--error-exit", "3",
                        "--", f"{programs}/cmrun", own, "-k", kernel] + arguments)
            all_found = findings(done.stderr)
            found = all_found - effects
            status = 126 if "fault" in {check for check, _ in all_found} else 3 if marks else 0
            counted = len(re.findall(r"^gensim: check: \w+: ", done.stderr, re.M))
            runs += 1
            right = found == marks and places <= {counted} and named <= lanes(done.stderr)
            if not right or done.returncode != status:
                wrong += 1
                print(f"{os.path.basename(path)}: {kernel}: found {sorted(found)}, marked {sorted(marks)}, "
                      f"lanes {sorted(lanes(done.stderr))}, marked {sorted(named)}, "
                      f"{counted} places, marked {sorted(places)}, status {done.returncode}\n{done.stderr}")
    print(f"{runs} kernels, {wrong} wrong")
    return 1 if wrong or runs == 0 else 0


sys.exit(main())
