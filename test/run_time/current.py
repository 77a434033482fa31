#!/usr/bin/env python3
"""Compiles every kernel with the newest compiler of Intel's driver, which ./dev deps --current downloads.

    current.py BUILD WORK PAGE PLATFORM...          compares refused kernels with the table of docs/compiler/current.md
    current.py --page BUILD WORK PAGE PLATFORM...   writes the table

The compiler's ocloc builds the source with -cmc through our libclangFEWrapper.so. Status 77: the compiler is missing.
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

TESTS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(TESTS))
MARK = "<!-- table -->\n"
NOISE = re.compile(r"^(Command was:|Build (failed|succeeded)|Compilation from|Warning:|\s*$)")


class Compiler:
    def __init__(self, build, work):
        folder = os.environ.get("CMKIT_CURRENT", os.path.expanduser("~/.cache/cmkit/current")) + "/root"
        self.libraries = folder + "/usr/lib/x86_64-linux-gnu"
        self.program = (sorted(glob.glob(folder + "/usr/bin/ocloc-*")) or [None])[0]
        self.build, self.work = os.path.abspath(build), os.path.abspath(work)

    def version(self):
        igc = glob.glob(self.libraries + "/libigc.so.2.*")
        return max((os.path.basename(path)[len("libigc.so."):] for path in igc), key=len, default="2")

    def refusal(self, kernel, platform):
        """None where the kernel compiles, else what was said, in one line."""
        out = f"{os.path.basename(kernel)}-{platform}"
        words = [f"{self.libraries}/ld-linux-x86-64.so.2", "--library-path", self.libraries, self.program,
                 "compile", "-q", "-file", kernel, "-device", platform,
                 "-options", f"-cmc -w -I{os.path.dirname(kernel)} -I{ROOT}",
                 "-output_no_suffix", "-output", out, "-out_dir", self.work]
        try:
            run = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, cwd=self.work,
                                 env=dict(os.environ, CM_FE_DIR=self.build + "/lib"))
        except subprocess.TimeoutExpired:
            return "the compiler does not end in ten minutes"
        for path in glob.glob(f"{self.work}/{out}*"):
            os.unlink(path)
        return None if run.returncode == 0 else told(run)


def told(run):
    lines = [line.strip() for line in run.stdout.decode(errors="replace").splitlines() if not NOISE.match(line)]
    errors = [line for line in lines if re.search(r"\berror\b|ERROR|Assertion|cannot|unsupported|not supported", line)]
    text = (errors or lines or [""])[0]
    text = re.sub(r"\S*/(\w+\.(cm|h|cpp))", r"\1", text)
    text = re.sub(r"^error: |%\d+", "", text).replace("|", "\\|")[:200]
    if run.returncode < 0 or run.returncode in (134, 139):
        text = "the compiler crashes" + (": " + text if errors else "")
    return text or "the compiler fails without a word"


def kernels():
    found = sorted(glob.glob(ROOT + "/test/kernels/*/*.cm") + glob.glob(ROOT + "/benchmarks/*/*.cm"))
    return {os.path.splitext(os.path.basename(path))[0]: path for path in found}


def is_for(path, platform):
    with open(path) as text:
        return not re.search(rf"^// NOT-ON:.*\b{platform}\b", text.read(), re.M)


def wrong():
    """The reason that kernels give after `NOT-ON: current` if they compile but give wrong results."""
    told_of = {}
    for name, path in kernels().items():
        with open(path) as text:
            said = re.search(r"^// NOT-ON:[^(]*\bcurrent\b[^(]*\((.*)\)", text.read(), re.M)
        if said:
            told_of[name] = said.group(1)
    return told_of


def rows_of(results, platforms):
    """(kernel, words) to platforms, in their order."""
    rows = {}
    for (name, platform), words in results.items():
        if words:
            rows.setdefault((name, words), []).append(platform)
    return sorted((name, sorted(where, key=platforms.index), words) for (name, words), where in rows.items())


def table(results, platforms):
    out = ["| platform | compiled | refused |", "| --- | --- | --- |"]
    for platform in platforms:
        mine = [words for (_, where), words in results.items() if where == platform]
        out.append(f"| {platform} | {mine.count(None)} | {len(mine) - mine.count(None)} |")
    out += ["", "| kernel | platforms | words |", "| --- | --- | --- |"]
    out += [f"| {name} | {' '.join(where)} | {words} |" for name, where, words in rows_of(results, platforms)]
    refused = {name for (name, _), words in results.items() if words}
    out += ["", "Wrong results, with the words of the kernel:", "", "| kernel | fault |", "| --- | --- |"]
    out += [f"| {name} | {words} |" for name, words in sorted(wrong().items()) if name not in refused]
    return "\n".join(out) + "\n"


def known_of(page):
    with open(page) as text:
        rows = re.findall(r"^\| (\w+) \| ([a-z0-9 ]+) \| (?!refused)\D", text.read().split(MARK)[1], re.M)
    return {(name, platform) for name, where in rows for platform in where.split()}


def write_page(page, results, platforms):
    with open(page) as text:
        head = text.read().split(MARK)[0]
    with open(page, "w") as text:
        text.write(head + MARK + table(results, platforms))


def main(words):
    write = words[:1] == ["--page"]
    build, work, page, *platforms = words[write:]
    compiler = Compiler(build, work)
    if not compiler.program:
        print("skipped: the newest compiler is not there; ./dev deps --current downloads it")
        return 77
    os.makedirs(work, exist_ok=True)
    todo = [(name, platform) for platform in platforms for name, path in kernels().items() if is_for(path, platform)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        told_of = pool.map(lambda what: compiler.refusal(kernels()[what[0]], what[1]), todo)
        results = dict(zip(todo, told_of))
    print(f"IGC {compiler.version()}: {list(results.values()).count(None)} of {len(results)} compiled")
    if write and None not in results.values():
        print(f"the page stays as it is: no kernel compiled, the first for this reason: {next(iter(results.values()), '')}")
        return 1
    if write:
        write_page(page, results, platforms)
        return 0
    known = known_of(page)
    new = [(what, words) for what, words in results.items() if words and what not in known]
    for (name, platform), said in new:
        print(f"FAIL {name} for {platform}: {said}")
    for what in sorted(what for what in known if what in results and not results[what]):
        print(f"{what[0]} for {what[1]} compiles now: the page says otherwise")
    return 1 if new or not results else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
