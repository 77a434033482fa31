#!/usr/bin/env python3
"""mentions.py SOURCE BUILD: checks what README.md, docs/ and the other pages mention in code spans (`...`).

    `lower/passes.def`          the file or folder exists; a * matches at least one
    `./dev VERB`                the verb exists; `./dev bench NAME`: the measurement exists
    `ctest -R PATTERN`          the pattern matches a test of the build
    `gensim --stats FILE`       the options of cmc, cmrun, gensim, cmbench and peer are in the program's help

A word in capitals, such as NAME in `test/lower/NAME.cm`, stands for anything: such spans are checked as far as the
word. Prints each wrong span with its page and line; exit status 1 if there is one.
"""
import glob
import os
import re
import subprocess
import sys

PROGRAMS = ("cmc", "cmrun", "gensim", "cmbench", "peer")
FOLDERS = ("benchmarks", "cmake", "cmc", "docs", "examples", "frontend", "include", "lower", "opencl_frontend",
           "python", "runtime", "sim", "tables", "test", "tools", "visa_emit")
INSTALLED = ("include/cmkit/cmrt.h", "include/cmkit/cm_rt/")  # below a prefix
FENCE = re.compile(r"^\s*(```|~~~)")
OPTION = re.compile(r"--?[A-Za-z#][\w#-]*")


def output(*words):
    return subprocess.run(words, capture_output=True, text=True).stdout


class Tree:
    def __init__(self, source, build):
        self.source, self.build, self.known, self.tests = source, build, {}, None
        with open(os.path.join(source, "dev"), encoding="utf-8") as script:
            self.verbs = set(re.findall(r"^#   (\w+) ", script.read(), re.M)) | {"help"}
        with open(os.path.join(source, "benchmarks", "bench.sh"), encoding="utf-8") as script:
            self.measurements = set(re.findall(r"\w+", " ".join(re.findall(r"^([\w| ]+)\)", script.read(), re.M))))

    def options(self, program):
        """The options in a program's help; None if it is not built."""
        if program not in self.known:
            path = os.path.join(self.build, "bin", program)
            more = {"cmc": [["--print-options"]],
                    "cmbench": [[verb, "--help"] for verb in ("compare", "tune", "merge")]}
            text = "".join(output(path, *words) for words in [["--help"]] + more.get(program, [])) \
                if os.path.exists(path) else ""
            self.known[program] = set(OPTION.findall(text)) or None
        return self.known[program]

    def has_test(self, pattern):
        if self.tests is None:
            self.tests = re.findall(r"Test +#\d+: (\S+)", output("ctest", "--test-dir", self.build, "-N"))
        if pattern.startswith("peer.") and not os.path.exists(os.path.join(self.build, "bin", "cm-check-genx")):
            return True  # tests that need the package intel-vc-intrinsics-dev
        return any(re.search(pattern, test) for test in self.tests)

    def fault(self, span):
        """Returns the error of a code span. None: there is none, or it is neither a command nor a path."""
        words = span.split()
        if re.fullmatch(r"[\w.*-]+(/[\w.*-]+)+/?", span) and span.split("/")[0] in FOLDERS and span not in INSTALLED:
            path = re.split(r"/(?!README)[^/]*(?<![A-Za-z])[A-Z]{3,}", span)[0]
            return None if glob.glob(os.path.join(self.source, path)) else "no such file"
        if words[0] == "./dev" and len(words) > 1 and not words[1].startswith("-"):
            if words[1] not in self.verbs:
                return f"./dev has no verb '{words[1]}'"
            if words[1] == "bench" and len(words) > 2 and re.fullmatch(r"[a-z]+", words[2]):
                return None if words[2] in self.measurements else f"./dev bench has no '{words[2]}'"
        if words[:2] == ["ctest", "-R"]:
            return None if self.has_test(words[2]) else "no test of that name"
        if words[0] in PROGRAMS and self.options(words[0]):
            own = words[1:words.index("--")] if "--" in words else words[1:]
            for word in own:
                option = OPTION.match(word)
                if option and option[0] not in self.options(words[0]) and not self.is_joined(words[0], option[0]):
                    return f"{words[0]} has no option {option[0]}"
        return None

    def is_joined(self, program, option):
        """True if the option begins with one of a single letter, such as -O and -D, or the help has its first words."""
        return any(option.startswith(known) for known in self.options(program) if len(known) == 2) or \
            any(known.startswith(option) for known in self.options(program))


def spans(path):
    inside = False
    with open(path, encoding="utf-8") as page:
        for number, line in enumerate(page, 1):
            if FENCE.match(line):
                inside = not inside
            elif not inside:
                for span in re.findall(r"`([^`]+)`", line):
                    yield number, span


def main():
    tree = Tree(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
    os.chdir(tree.source)
    pages = output("git", "ls-files", "*.md").split() or glob.glob("*.md") + glob.glob("*/**/*.md", recursive=True)
    wrong = 0
    for page in sorted(pages):
        for number, span in spans(page):
            fault = tree.fault(span) if span.strip() else None
            if fault:
                wrong += 1
                print(f"{page}:{number}: `{span}`: {fault}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
