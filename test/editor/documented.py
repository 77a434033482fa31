#!/usr/bin/env python3
"""documented.py SOURCE CLANGD: checks clangd with the options of docs/guide/editor.md on a kernel outside of the source
tree: no errors, errors for a wrong kernel, and the doc comments of its functions.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

source, clangd = sys.argv[1:3]
GOOD = """extern "C" _GENX_MAIN_ void good(SurfaceIndex s [[type("buffer_t")]], svmptr_t p)
{
    matrix<float, 4, 8> m = 1;
    vector<uint, 8> lane;
    cmtl::cm_vector_assign(lane.select_all(), 0, 1);
    SIMD_IF_BEGIN (lane > 3) {
        m.row(1) += cm_max<float>(m.row(2), 3.0f);
    } SIMD_IF_END;
    write(s, 0, m.select<2, 1, 8, 1>(0, 0).format<int>());
}
"""

# word of GOOD, what clangd must say of it: of templates, further overloads, members, classes, enumerations, families
SHOWN = (
    ("SurfaceIndex", "memory operations"),
    ("matrix", "rows of C elements"),
    ("vector", "elements of type T"),
    ("cm_vector_assign", "cm_vector_assign("),
    ("select_all", "vector_ref to the whole"),
    ("row", "m.row(i)"),
    ("cm_max", "greater"),
    ("write", "write(S, offset, v): 16, 32"),
    ("select<2", "from row i and column j"),
    ("format", "same bytes"),
)


class Editor:
    """A conversation with clangd about one file."""

    def __init__(self, command, path, text):
        self.clangd = subprocess.Popen([command, "--log=error"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.document, self.text, self.asked = {"uri": "file://" + path}, text, 0
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.send({"method": "initialized", "params": {}})
        opened = {**self.document, "languageId": "cpp", "version": 1, "text": text}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": opened}})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.clangd.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.clangd.stdin.flush()

    def ask(self, method, params):
        self.asked += 1
        self.send({"id": self.asked, "method": method, "params": params})
        while True:
            length = 0
            while line := self.clangd.stdout.readline().strip():
                length = int(line.split(b":")[1]) if line.lower().startswith(b"content-length") else length
            if length == 0:
                sys.exit(f"clangd ended before it answered {method}")
            answer = json.loads(self.clangd.stdout.read(length))
            if answer.get("id") == self.asked:
                return answer.get("result")

    def hover(self, word):
        """Returns clangd's hover text for the first occurrence of a word."""
        before = self.text[:re.search(rf"\b{word}", self.text).start()]
        place = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
        found = self.ask("textDocument/hover", {"textDocument": self.document, "position": place})
        return re.sub(r"\s+", " ", found["contents"]["value"]) if found else ""

    def shows(self, word, wanted):
        """Comments of headers are in clangd's index, which comes a moment after its first answers."""
        until = time.monotonic() + 20
        while wanted not in self.hover(word):
            if time.monotonic() > until:
                return False
            time.sleep(0.1)
        return True

    def close(self):
        self.ask("shutdown", None)
        self.send({"method": "exit"})
        self.clangd.communicate()


with open(os.path.join(source, "docs/guide/editor.md")) as page:
    flags = re.search(r"```\n(-xc\+\+\n.*?)```", page.read(), re.S)[1].replace("/path/to/cmkit", source)
with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "compile_flags.txt"), "w") as file:
        file.write(flags)
    for text, wanted in ((GOOD, 0), (GOOD.replace("m.row(2)", "m"), 1)):
        path = os.path.join(folder, "kernel.cm")
        with open(path, "w") as file:
            file.write(text)
        run = subprocess.run([clangd, "--check=" + path], capture_output=True, text=True)
        if bool(run.returncode) != bool(wanted):
            sys.exit(run.stderr)
    editor = Editor(clangd, path, GOOD)
    silent = next((word for word, wanted in SHOWN if not editor.shows(word, wanted)), None)
    editor.close()
    if silent:
        sys.exit(f"clangd does not show the comment of {silent}")
