#!/usr/bin/env python3
"""Debugs kernels with Debian's gdb and gensim --gdb, by the sessions that comments of the sources describe.

gdb.py DEVICE BIN-FOLDER WORK-FOLDER SOURCE...

SESSION KERNEL ARGUMENT... starts a session and says how cmrun launches the kernel; words that begin with -- come before
the kernel and are gensim's; !DEVICE leaves a device out, !newest the compiler of the newest driver. GDB COMMAND is
typed into gdb. SEES TEXT is a regular expression that gdb's output has, each behind the one before; SAYS the same for
standard error, where commands of gdb's `monitor` and the program write. NEVER TEXT is one that neither has. PRINTS TEXT
is what the program prints last: numbers. MARK NAME names a line, which other comments write as @NAME. OPTIONS OPTION...
are more options for the compiler.
"""
import os
import re
import subprocess
import sys

from driver import driver_options, newest_is_installed

device, programs, work, sources = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
left_out = {device, *(["newest"] if newest_is_installed() else [])}


def run(command):
    return subprocess.run(command, capture_output=True, text=True, cwd=work, stdin=subprocess.DEVNULL)


def compile_source(path):
    output = f"{os.path.basename(path)}.bin"
    with open(path) as source:
        options = " ".join(re.findall(r"^// OPTIONS (.+)", source.read(), re.M))
    if path.endswith(".cm"):
        done = run([f"{programs}/cmc", f"-march={device}", "-g", *options.split(), path, "-o", output])
    else:
        done = run(["ocloc", "compile", "-file", path, "-device", device, "-options", f"-g {options} -s {path}",
                    "-output_no_suffix", "-output", output, "--format", "zebin"])
        if done.returncode == 0 and not os.path.exists(os.path.join(work, output)):
            output += ".bin"
    if done.returncode:
        sys.exit(f"{path} does not compile:\n{done.stdout}{done.stderr}")
    return output


class Session:
    def __init__(self, words):
        self.options = [word for word in words if word.startswith("--")]
        rest = [word for word in words if not word.startswith("--")]
        self.kernel, self.arguments = rest[0], rest[1:]
        self.steps = []


def sessions(path):
    """The sessions of a source, in order."""
    with open(path) as source:
        lines = source.read().split("\n")
    marks = {}
    for number, line in enumerate(lines, 1):
        mark = re.search(r"// MARK (\w+)$", line.rstrip())
        if mark:
            marks[mark[1]] = str(number)
    result, current = [], None
    for line in lines:
        found = re.match(r"// (SESSION|GDB|SEES|SAYS|NEVER|PRINTS) (.+)", line)
        if not found:
            continue
        text = re.sub(r"@(\w+)", lambda m: marks.get(m[1], m[0]), found[2])
        if found[1] == "SESSION":
            current = Session(text.split("!")[0].split())
            if not left_out & set(re.findall(r"!(\S+)", text)):
                result.append(current)
        else:
            current.steps.append((found[1], text))
    return result


def debug(binary, session):
    target = " ".join([f"{programs}/gensim", "-d", device, *driver_options(device), "--gdb=pipe"] + session.options +
                      ["--", f"{programs}/cmrun", binary, "-k", session.kernel] + session.arguments)
    tools = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "gdb")
    command = ["gdb", "-nx", "-batch", "-x", f"{tools}/gen.py", "-x", f"{tools}/cm.py", "-ex", "set width 0",
               "-ex", "set remotetimeout 60", "-ex", f"target remote | {target}"]
    for kind, text in session.steps:
        if kind == "GDB":
            command += ["-ex", text]
    return run(command)


def faults(session, done):
    """Returns the expected lines that the session's output lacks."""
    texts, at = {"SEES": done.stdout, "SAYS": done.stderr}, {"SEES": 0, "SAYS": 0}
    for kind, text in session.steps:
        if kind in texts:
            found = re.compile(text).search(texts[kind], at[kind])
            if not found:
                yield f"{kind} {text}"
            else:
                at[kind] = found.end()
        elif kind == "NEVER" and re.search(text, done.stdout + done.stderr):
            yield f"NEVER {text}"
        elif kind == "PRINTS" and text.split() != re.findall(r"\b\d+\b", done.stderr)[-len(text.split()):]:
            yield f"PRINTS {text}"


def main():
    wrong = runs = 0
    os.makedirs(work, exist_ok=True)
    for path in sources:
        path = os.path.abspath(path)
        binary = compile_source(path)
        for session in sessions(path):
            done = debug(binary, session)
            runs += 1
            missing = list(faults(session, done))
            if missing:
                wrong += 1
                print(f"FAIL {os.path.basename(path)} {session.kernel}: " + "; ".join(missing))
                print(done.stdout + done.stderr)
    print(f"{runs} sessions, {wrong} wrong")
    return wrong != 0 or runs == 0


sys.exit(main())
