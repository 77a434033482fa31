#!/usr/bin/env python3
"""database.py SOURCE CMC CLANGD: checks `cmc --compile-commands` by clangd, which must find no errors in right kernels
and one in a wrong kernel, with the arguments of docs/guide/editor.md; and the page's problem matcher on cmc's message.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

source, cmc, clangd = sys.argv[1:4]
GOOD = """#include "sizes.h"
extern "C" _GENX_MAIN_ void good(SurfaceIndex s [[type("buffer_t")]])
{
#if WIDTH != 8
#error the options of the command line are not there
#endif
    vector<float, WIDTH> v = 1;
#if CM_HAS_BF16
    vector<bfloat16, WIDTH> b = v;
    v = b;
#endif
    write(s, 0, v);
}
"""
WRONG = GOOD.replace("write(s, 0, v)", "writes(s, 0, v)")


def page_json(name):
    """A JSON block of the page, by the file that it is for."""
    with open(os.path.join(source, "docs/guide/editor.md")) as page:
        return json.loads(re.search(name + r"`.*?```json\n(.*?)```", page.read(), re.S)[1])


def run(*words, folder):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True)


def fail(*words):
    print(*words, sep="\n")
    sys.exit(1)


def write(folder, name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


settings, tasks = page_json("settings.json"), page_json("tasks.json")
with tempfile.TemporaryDirectory() as folder:
    os.mkdir(os.path.join(folder, "include"))
    write(folder, "include/sizes.h", "#define WIDTH 8\n")
    write(folder, "good.cm", GOOD)
    write(folder, "a wrong one.cm", WRONG)
    for platform in ("SKL", "TGLLP", "DG2", "PVC", "LNL", "SKL,DG2", "host"):
        made = run(cmc, "-march=" + platform, "-I", "include", "-O1", "--compile-commands", "good.cm", "a wrong one.cm",
                   "-o", "compile_commands.json", folder=folder)
        if made.returncode or made.stderr:
            fail(platform, made.stderr)
        entries = json.load(open(os.path.join(folder, "compile_commands.json")))
        if [(entry["directory"], entry["file"]) for entry in entries] != [
                (os.path.realpath(folder), "good.cm"), (os.path.realpath(folder), "a wrong one.cm")]:
            fail(platform, entries)
        arguments = [word.replace("${workspaceFolder}", folder) for word in settings["clangd.arguments"]]
        for name, errors in (("good.cm", 0), ("a wrong one.cm", 1)):
            checked = run(clangd, "--check=" + os.path.join(folder, name), *arguments, folder=folder)
            found = re.findall(r"^E\[.*?\] \[(.*)", checked.stderr, re.M)
            if len(found) != errors or bool(checked.returncode) != bool(errors):
                fail(platform, name, checked.stderr)

    task = tasks["tasks"][0]
    words = [word.replace("${file}", os.path.join(folder, "a wrong one.cm")).replace("${workspaceFolder}", folder)
             for word in task["args"]]
    said = run(cmc, *words, folder=folder).stderr.splitlines()[0]
    # what VS Code documents as $gcc's pattern
    matched = re.match(r"^(.*?):(\d+):(\d*):?\s+(?:fatal\s+)?(warning|error):\s+(.*)$", said)
    if not matched or not os.path.isabs(matched[1]) or matched[2] != "12":
        fail("the problem matcher does not match", said)

    for words, wanted in ((["-"], "not standard input"), (["none.cm"], "cannot read none.cm"),
                          (["good.spv"], "'good.spv' is none"), (["good.cm", "-S"], "second kind of output")):
        write(folder, "compile_commands.json", "kept")
        refused = run(cmc, "-march=SKL", "--compile-commands", *words, "-o", "compile_commands.json", folder=folder)
        kept = open(os.path.join(folder, "compile_commands.json")).read() == "kept"
        if not refused.returncode or wanted not in refused.stderr or len(refused.stderr.splitlines()) != 1 or not kept:
            fail(words, refused.stderr)
