#!/usr/bin/env python3
"""Compares what gdb prints of variables on the simulated GPU, line by line, with what it prints on the CPU.

variables.py DEVICE BIN-FOLDER WORK-FOLDER LEVEL[:PERCENT] SOURCE...

Each kernel of the sources runs three times under gdb, with stops at all lines: on the GPU, compiled with -g and
LEVEL, and twice on the CPU, with other bytes on the stack. A number that differs between the runs on the CPU has no
value yet. Every other number must be the same on the GPU, or, unless LEVEL is -O0, be optimized out. At -O0, numbers
may be so up to the line of the declaration, which gives them their values, and in an outer frame, while a function
has the variable in hand; with PERCENT they may be so everywhere. Optimized code may leave out lines, and blocks with
their variables; of the variables with a value PERCENT must be shown, counted at each stop, one of which some numbers
are shown as that fraction of it.
"""
import difflib
import json
import os
import re
import subprocess
import sys

from driver import driver_options

device, programs, work, sources = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[5:]
level, _, floor = sys.argv[4].partition(":")
here = os.path.dirname(os.path.abspath(__file__))
LAUNCH = "-g 1 buf:64:iota-u32 buf:64 u32:3"
FILLS = (0x11, 0x6e)


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, cwd=work, stdin=subprocess.DEVNULL, timeout=240,
                          **more)


def compile_kernel(options, source, output):
    done = run([f"{programs}/cmc", "-g", *options, source, "-o", output])
    if done.returncode:
        sys.exit(f"{source} does not compile with {options}:\n{done.stderr}")


def record(name, kernel, source, before, **settings):
    """The stops of one run: lists of frames."""
    output = os.path.join(work, name + ".json")
    if os.path.exists(output):
        os.remove(output)
    wanted = {"kernel": kernel, "source": source, "output": output, "fill": None, "library": None} | settings
    done = run(["gdb", "-nx", "-batch", "-ex", "set width 0", "-ex", "set remotetimeout 60", *before,
                "-ex", f"python gdb.cm_record = {wanted!r}", "-x", f"{here}/record.py"]
               + (["--args", f"{programs}/cmrun", settings["library"], "-k", kernel, *LAUNCH.split()]
                  if settings else []))
    if not os.path.exists(output):
        sys.exit(f"{kernel}: no record of {name}:\n{done.stdout}{done.stderr}")
    with open(output) as file:
        return json.load(file)


def places(stops):
    """Function and line of each stop; several stops at one line in a row are one, the first."""
    kept = []
    for frames in stops:
        place = (frames[0]["function"], frames[0]["line"])
        if not kept or kept[-1][0] != place:
            kept.append((place, frames))
    return kept


def pairs(gpu, cpus):
    """Matches the stops of the GPU with those of both runs on the CPU: the longest common sequence of lines."""
    gpu, cpus = places(gpu), [places(cpu) for cpu in cpus]
    matcher = difflib.SequenceMatcher(None, [p for p, _ in gpu], [p for p, _ in cpus[0]], autojunk=False)
    same = len(cpus[0]) == len(cpus[1])
    for a, b, size in matcher.get_matching_blocks():
        for k in range(size if same else 0):
            yield gpu[a + k][0], gpu[a + k][1], [cpu[b + k][1] for cpu in cpus]


def candidates(gpu, cpus):
    """Matches each stop of optimized code, which has another order and copies of lines, with stops on the CPU at the
    same line: the one with the same number, if both are there equally often, or all."""
    gpu, cpus = places(gpu), [places(cpu) for cpu in cpus]
    if [p for p, _ in cpus[0]] != [p for p, _ in cpus[1]]:
        return
    seen = {}
    for place, frames in gpu:
        at = [k for k, (p, _) in enumerate(cpus[0]) if p == place]
        number = seen.get(place, 0)
        seen[place] = number + 1
        if len(at) == sum(p == place for p, _ in gpu):
            at = at[number:number + 1]
        if at:
            yield place, frames, [[cpu[k][1] for cpu in cpus] for k in at]


def compare_optimized(kernel, gpu, cpus):
    """Like compare(), for optimized code: all numbers that are shown are those of one stop on the CPU."""
    compared = 0
    for place, frames, choices in candidates(gpu, cpus):
        compared += 1
        found = [list(compare_frames(kernel, place, frames, references)) for references in choices]
        yield from min(found, key=lambda results: sum(fault is not None for fault, _, _ in results))
    if compared < 2:
        yield f"{kernel}: only {compared} stops are the same as on the CPU", 0, 0


def compare_frames(kernel, place, frames, references):
    """Compares one stop with one on the CPU."""
    for depth, frame in enumerate(frames):
        if any(depth >= len(r) or r[depth]["function"] != frame["function"] for r in references):
            break
        known = [r[depth]["variables"] for r in references]
        for name, (line, values) in frame["variables"].items():
            yield from compare_variable(f"{kernel} {place}: {name} of {frame['function']}", values,
                                        [k.get(name, [0, []])[1] for k in known], depth == 0 and line < frame["line"])
        missing = set(known[0]) - set(frame["variables"])
        if missing and level == "-O0":
            yield f"{kernel} {place}: no {missing}", 0, 0


def compare(kernel, gpu, cpus):
    """Yields (what is wrong, how many numbers are the same, how many are optimized out)."""
    compared = 0
    for place, frames, references in pairs(gpu, cpus):
        compared += 1
        yield from compare_frames(kernel, place, frames, references)
    if 3 * compared < 2 * len(places(gpu)) or compared < 5:
        yield f"{kernel}: only {compared} stops are the same as on the CPU", 0, 0


def compare_variable(what, values, references, has_value):
    if all(value is None for value in values):  # such as a reference that is bound nowhere, which has no numbers
        values = [None] * len(references[0])
    if len(values) != len(references[0]):
        yield f"{what} has {len(values)} numbers, on the CPU {len(references[0])}", 0, 0
        return
    shown = hidden = 0
    for k, (value, a, b) in enumerate(zip(values, *references)):
        if a != b:
            continue
        if value is None:
            hidden += 1
        elif value != a:
            yield f"{what}[{k}] is {value}, on the CPU {a}", 0, 0
        else:
            shown += 1
    if hidden and level == "-O0" and has_value and not floor:
        yield f"{what} is lost", shown, hidden
    else:
        yield None, shown, hidden


def main():
    os.makedirs(work, exist_ok=True)
    totals, variables, kernels, wrong = [0, 0], [0, 0], 0, 0
    simulator = " ".join([f"{programs}/gensim", "-d", device, *driver_options(device)])
    for source in map(os.path.abspath, sources):
        base = os.path.basename(source)
        compile_kernel([f"-march={device}", level], source, f"{base}.bin")
        compile_kernel(["-march=host", "-O0"], source, f"{base}.so")
        with open(source) as file:
            names = re.findall(r"^KERNEL\((\w+)\)", file.read(), re.M)
        for kernel in names:
            command = f"{simulator} --gdb=pipe -- {programs}/cmrun {base}.bin -k {kernel} {LAUNCH}"
            gpu = record("gpu", kernel, source, ["-ex", f"target remote | {command}"])
            cpus = [record(f"cpu{fill}", kernel, source, [], library=os.path.join(work, f"{base}.so"), fill=fill)
                    for fill in FILLS]
            faults = []
            for fault, shown, hidden in (compare if level == "-O0" else compare_optimized)(kernel, gpu, cpus):
                faults += [fault] if fault else []
                totals[0] += shown
                totals[1] += hidden
                variables[0] += shown / max(shown + hidden, 1)
                variables[1] += shown + hidden > 0
            kernels += 1
            print(f"{kernel}: {len(gpu)} stops, {len(cpus[0])} on the CPU, {len(faults)} faults")
            for fault in faults[:8]:
                print("  " + fault)
            wrong += bool(faults)
    percent = 100 * variables[0] / max(variables[1], 1)
    print(f"{kernels} kernels, {wrong} wrong; {totals[0]} numbers are the same, {totals[1]} optimized out; "
          f"{percent:.1f} % of {variables[1]} variables at stops are shown")
    return wrong != 0 or kernels == 0 or percent < float(floor or 0)


sys.exit(main())
