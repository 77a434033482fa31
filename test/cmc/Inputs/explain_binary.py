"""Compares the page of a compilation with that of its binary: the same instructions, from the same source lines.

explain_binary.py SOURCE.json BINARY.json. The first has its lines from the finalizer's listing, the second from DWARF.
"""
import json
import sys


def instructions(path):
    page = json.load(open(path))
    found = []
    for line in page["asm"]:
        words = line["text"].split("(")[0].split() or line["text"].split(")")[1].split()
        if words[0].endswith(":"):
            continue  # a label
        found.append((words[0].split(".")[0], line["source"] and line["source"]["line"]))
    return page, found


source, compiled = instructions(sys.argv[1])
binary, read = instructions(sys.argv[2])
assert source["instructions"] == len(compiled) == len(read) == binary["instructions"] > 20
assert [name for name, _ in compiled] == [name for name, _ in read]
wrong = [(a, b) for a, b in zip(compiled, read) if a[1] and a[1] != b[1]]
assert not wrong, wrong
assert [a["name"] for a in binary["arguments"]] == ["in", "out", "rows"]
assert [a["kind"] for a in binary["arguments"]] == ["image", "image", "value"]
