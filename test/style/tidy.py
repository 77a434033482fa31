#!/usr/bin/env python3
"""Runs clang-tidy with the checks of .clang-tidy over the sources of a build.

tidy.py [--jobs N] CLANG-TIDY BUILD .c|.cpp    status 1 prints each finding, in sources and in our own headers
tidy.py --finds CLANG-TIDY                     checks that a planted fault is found

Sources are those of compile_commands.json with that ending that git knows. BUILD/tidy has a file for each that nothing
was found in; it is not looked at again until it, a header that its object depends on, .clang-tidy or this script is
newer.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OWN = (os.path.join(ROOT, ".clang-tidy"), os.path.abspath(__file__))
FAULT = "#include <string.h>\nvoid clear(int *to);\nvoid clear(int *to) { memset(to, sizeof *to, 0); }\n"


def sources(build, ending):
    """File to the name of its object in the build folder; one object of each file."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True,
                            text=True)
    names = {os.path.join(ROOT, name) for name in listed.stdout.split("\n")} if listed.returncode == 0 else None
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    return {command["file"]: re.search(r" -o (\S+)", command["command"]).group(1) for command in commands
            if command["file"].endswith(ending) and (names is None or command["file"] in names)}


def dependencies(build):
    """Object to what it was made of, as Ninja knows it; nothing with another generator."""
    run = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True)
    found, files = {}, []
    for line in run.stdout.split("\n") if run.returncode == 0 else []:
        head = re.match(r"(\S.*): #deps \d+", line)
        if head:
            files = found[head.group(1)] = []
        elif line.startswith(" "):
            files.append(os.path.join(build, line.strip()))
    return found


def is_clean(stamp, files):
    """True if the last run found nothing and no file has changed since. False without a list of headers."""
    if not files or not os.path.exists(stamp):
        return False
    time = os.path.getmtime(stamp)
    return all(os.path.exists(file) and os.path.getmtime(file) < time for file in files)


def findings(clang_tidy, build, path):
    """The output about a source, "" if there is nothing to say."""
    run = subprocess.run([clang_tidy, "-p", build, "--quiet", "--config-file=" + OWN[0], path], capture_output=True,
                         text=True, cwd=ROOT)
    if run.returncode == 0 and not re.search(r": (warning|error): ", run.stdout):
        return ""
    return run.stdout or run.stderr or "clang-tidy failed"


def look(clang_tidy, build, path, made_of):
    stamp = os.path.join(build, "tidy", os.path.relpath(path, ROOT).replace("/", "__"))
    if is_clean(stamp, made_of and made_of + [path, *OWN]):
        return ""
    text = findings(clang_tidy, build, path)
    if text:
        return text
    with open(stamp, "w", encoding="utf-8"):
        return ""


def finds(clang_tidy):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "fault.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(FAULT)
        run = subprocess.run([clang_tidy, "--quiet", "--config-file=" + OWN[0], path, "--"], capture_output=True,
                             text=True)
        return run.returncode == 0 or "bugprone-suspicious-memset-usage" not in run.stdout


def main():
    words, jobs = sys.argv[1:], os.cpu_count() or 1
    if words[:1] == ["--finds"] and len(words) == 2:
        return finds(words[1])
    if words[:1] == ["--jobs"] and len(words) > 2:
        jobs, words = int(words[1]), words[2:]
    if len(words) != 3:
        sys.exit(__doc__)
    clang_tidy, build, ending = words[0], os.path.abspath(words[1]), words[2]
    os.makedirs(os.path.join(build, "tidy"), exist_ok=True)
    files, made_of = sources(build, ending), dependencies(build)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        texts = [text for text in pool.map(lambda path: look(clang_tidy, build, path, made_of.get(files[path])),
                                           sorted(files)) if text]
    print("\n".join(texts + [f"{len(files)} sources, {len(texts)} with findings"]))
    return bool(texts) or not files


if __name__ == "__main__":
    sys.exit(main())
