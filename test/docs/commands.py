#!/usr/bin/env python3
"""Runs the commands of documentation pages, each page in an empty folder: commands.py BIN_FOLDER SOURCE [PAGE...].
Without PAGE: README.md and all pages of docs/ and benchmarks/ with commands.

Every line of a block that begins with ```sh runs, with the programs of BIN_FOLDER on the path and the source tree as
./cmkit. A block that begins with ```python runs as a whole.
Comments in the page, which readers do not see, describe the next block:

    <!-- file: NAME -->      the block is the contents of that file
    <!-- run: COMMAND -->    run this first: it makes files that the page assumes
    <!-- output -->          the block is what the last command printed
    <!-- excerpt -->         the output has the block's lines in this order, apart from LLVM's "!dbg" and other
                             metadata;
                             "..." in a line stands for any text, and a line "..." for any lines
    <!-- skip: REASON -->    do not run the block

A line that ends in "# on an Intel GPU" does not run. A line that calls ./dev is only checked for its verb; other tests
run the verbs. A command that fails, or prints something else, is an error with the page and its line; exit status 1."""
import os
import re
import subprocess
import sys
import tempfile

VERB = re.compile(r"^(?:cmkit/|\./)dev\s+(\w+)")
COMMENT = re.compile(r"^<!-- (file|run|output|excerpt|skip):? ?(.*?) ?-->$")


class Page:
    def __init__(self, name, path, folder, environment):
        self.name, self.folder, self.environment = name, folder, environment
        self.commands, self.skipped, self.printed = 0, [], ""
        with open(os.path.join(folder, "cmkit", "dev"), encoding="utf-8") as script:
            self.verbs = set(re.findall(r"^#   (\w+) ", script.read(), re.M))
        with open(path, encoding="utf-8") as page:
            self.lines = page.read().split("\n")

    def fail(self, line, text):
        sys.exit(f"{self.name}:{line}: {text}")

    def command(self, line, text):
        done = subprocess.run(["sh", "-e", "-c", text], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        if done.returncode:
            self.fail(line, f"exit status {done.returncode} of: {text}\n{done.stdout}")
        self.printed = done.stdout
        self.commands += 1

    def shell_block(self, first, lines):
        text = ""
        for number, line in enumerate(lines, first):
            text += line
            if line.endswith("\\"):
                text += "\n"
                continue
            verb = VERB.match(text.strip())
            if verb and verb[1] not in self.verbs:
                self.fail(number, f"./dev has no verb '{verb[1]}'")
            runs = text.strip() and not verb and not text.endswith("# on an Intel GPU")
            if runs:
                self.command(number, text)
            text = ""

    def python_block(self, first, lines):
        """Runs a program that imports cmkit, where NumPy is installed."""
        if subprocess.run(["/usr/bin/python3", "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode:
            self.skipped.append("NumPy is not installed")
            return
        with open(os.path.join(self.folder, "program.py"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        self.command(first, "PYTHONPATH=cmkit/python /usr/bin/python3 program.py")

    def excerpt(self, first, lines):
        """Each line must be found behind the one before it."""
        printed = [" ".join(re.sub(r", ![a-z.]+ !\d+", "", line).split()) for line in self.printed.split("\n")]
        at = 0
        for number, line in enumerate(lines, first):
            words = " ".join(line.split())
            if words in ("", "..."):
                continue
            wanted = re.compile(".*".join(re.escape(part) for part in words.split("...")))
            while at < len(printed) and not wanted.fullmatch(printed[at]):
                at += 1
            if at == len(printed):
                self.fail(number, f"the command does not print, behind the lines before it:\n{line}\nbut:\n{self.printed}")
            at += 1

    def block(self, first, language, lines, marks):
        if "skip" in marks:
            self.skipped.append(marks["skip"])
            return
        if "file" in marks:
            with open(os.path.join(self.folder, marks["file"]), "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        elif "output" in marks:
            if [line.rstrip() for line in self.printed.strip().split("\n")] != [line.rstrip() for line in lines]:
                self.fail(first, f"the command prints:\n{self.printed}")
        elif "excerpt" in marks:
            self.excerpt(first, lines)
        elif language == "sh":
            self.shell_block(first, lines)
        elif language == "python":
            self.python_block(first, lines)

    def run(self):
        marks, number = {}, 0
        while number < len(self.lines):
            line = self.lines[number]
            number += 1
            comment = COMMENT.match(line.strip())
            if comment and comment[1] == "run":
                self.command(number, comment[2])
            elif comment:
                marks[comment[1]] = comment[2]
            elif line.startswith("```"):
                first = number
                while number < len(self.lines) and not self.lines[number].startswith("```"):
                    number += 1
                self.block(first + 1, line[3:].strip(), self.lines[first:number], marks)
                marks, number = {}, number + 1
        return self.commands, self.skipped


def pages_with_commands(source):
    pages = ["README.md"] + sorted(os.path.relpath(os.path.join(folder, name), source) for top in ("docs", "benchmarks")
                                   for folder, _, names in os.walk(os.path.join(source, top)) for name in names)
    found = []
    for name in pages:
        if name.endswith(".md"):
            with open(os.path.join(source, name), encoding="utf-8") as page:
                if re.search(r"^```(sh|python)$", page.read(), re.M):
                    found.append(name)
    return found


def main():
    bin_folder, source = sys.argv[1], os.path.abspath(sys.argv[2])
    pages = sys.argv[3:] or pages_with_commands(source)
    bin_folder = os.path.abspath(bin_folder)
    environment = dict(os.environ, PATH=bin_folder + os.pathsep + os.environ["PATH"], CMKIT_BIN=bin_folder,
                       CMKIT_LIBRARY=os.path.join(os.path.dirname(bin_folder), "lib", "libcmrt.so"))
    for name in pages:
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(source, os.path.join(folder, "cmkit"))
            commands, skipped = Page(name, os.path.join(source, name), folder, environment).run()
            print(f"{name}: {commands} commands" + "".join(f"; a block is left out: {reason}" for reason in skipped))


main()
