"""Checks the JSON for Compiler Explorer against the members that its ParsedAsmResult has, and against `--explain=json`.

usage: explorer.py PARSED.json EXPLAIN.json PROPERTIES
"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    parsed = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    kernel = json.load(file)
MEMBERS = {"asm": list, "labelDefinitions": dict, "filteredCount": int, "parsingTime": str}
assert {name: type(value) for name, value in parsed.items()} == MEMBERS, parsed.keys()
for line in parsed["asm"]:
    assert set(line) == {"text", "source"} and isinstance(line["text"], str), line
    source = line["source"]
    assert source is None or (source["file"] is None and isinstance(source["line"], int)), line
assert parsed["asm"][parsed["labelDefinitions"]["blur"] - 1]["text"] == "blur:"
wanted = [("  " + line["text"], line["source"]) for line in kernel["asm"]]
assert [(line["text"], line["source"]) for line in parsed["asm"][1:]] == wanted and len(wanted) > 3
with open(sys.argv[3], encoding="utf-8") as file:
    rows = [line.strip().split("=", 1) for line in file if line.strip() and not line.startswith("#")]
properties = dict(rows)
assert len(properties) == len(rows) and all(len(row) == 2 and row[0] == row[0].strip() for row in rows)
assert properties["compiler.cmc.exe"] == properties["compiler.cmc.externalparser.exe"]
