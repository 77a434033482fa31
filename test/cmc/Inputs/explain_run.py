"""Compares what `cmc --explain=json --with` shows of a run with gensim's own files.

usage: explain_run.py EXPLAIN.json STATS.json PROFILE.json

The instructions that lines were executed add up to those of --stats, and the cycles to the profile's; a source line has
the sum of its Gen lines.
"""
import json
import sys

explained, stats, profile = (json.load(open(path)) for path in sys.argv[1:4])
kernel = stats["kernels"][0]
executed = sum(line.get("executed", 0) for line in explained["asm"])
assert executed == kernel["instructions"] == explained["run"]["instructions"], (executed, kernel["instructions"])
cycles = sum(line["cycles"] for line in profile["kernels"][0]["lines"])
assert sum(line.get("cycles", 0) for line in explained["asm"]) == cycles == explained["run"]["cycles"], cycles
wanted = {}
for line in explained["asm"]:
    if line["source"]:
        number = line["source"]["line"]
        wanted[number] = wanted.get(number, 0) + line["cycles"]
found = {line["source"]["line"]: line.get("cycles", 0) for line in explained["devices"]["Source"]["asm"]}
assert len(wanted) > 2 and all(found[number] == wanted[number] for number in wanted), (found, wanted)
