#!/usr/bin/env python3
"""Checks cmbench tune: its database, order and reports; parts and their merging; bad input: tune.py CMBENCH WORK"""
import fcntl
import html.parser
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from runs import expect, runner

cmbench, work = sys.argv[1:3]
run = runner(cmbench)
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
BENCHMARKS = os.path.join(os.path.dirname(__file__), "..", "..", "benchmarks")
SEARCH = ["stencil2d", "-d", "hd530-24eu", "-i", "83x46", "--programs", os.path.join(work, "programs")]
CM = SEARCH + ["--family", "cm"]


def path(name):
    return os.path.join(work, name)


def write(name, data):
    with open(path(name), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return path(name)


def read(name):
    with open(path(name), "rb") as file:
        return file.read()


def lines(name):
    return [json.loads(line) for line in read(name).splitlines()]


def tune(name, *words, search=None, status=0):
    found, out, err = run("tune", *(search or CM), "--database", path(name), *words)
    expect(f"status of tune {words}: {out}{err}", (found, err), (status, ""))
    return out


def refused(message, *words, status=2):
    found, out, err = run(*words)
    expect(f"{words}", (found, out, err), (status, "", f"cmbench: error: {message}\n"))


# A search that is stopped and goes on is the search that is not stopped; no point is measured twice.
tune("whole.jsonl", "--evaluations", "4", "--html", path("page.html"))
tune("parts.jsonl", "--evaluations", "2")
begun = read("parts.jsonl")
tune("parts.jsonl", "--evaluations", "2")
expect("a search in two parts", read("parts.jsonl"), read("whole.jsonl"))
expect("what the second part kept", read("parts.jsonl")[:len(begun)], begun)
head, *tunings = lines("whole.jsonl")
expect("head", (head["workload"], head["input"], head["machine"]), ("stencil2d", "83x46", "hd530-24eu"))
right = {t["point"]: t for t in tunings if t["outcome"] == "right"}
expect("measured points", (len(right), len({t["point"] for t in tunings})), (4, len(tunings)))
expect("the first point", tunings[0]["point"], "cm:ROWS=16,GROUP=1")
for tuning in tunings:
    if tuning["outcome"] == "right":
        expect(f"figures of {tuning}", min(tuning["time_ns"], tuning["cycles"], tuning["instructions"]) > 0, True)
        expect(f"spills of {tuning}", tuning["spills"], 0)
    else:
        expect(f"{tuning}", (tuning["outcome"], tuning["spills"] > 0), ("spills", True))

# A file that ends anywhere: complete lines count, the rest is cut off.
whole = read("whole.jsonl")
ends = [i + 1 for i, byte in enumerate(whole) if byte == 10]
for size in sorted({0, 1, len(whole)} | {end + at for end in ends for at in (-40, -1, 0, 1, 15)} - {len(whole) + 1,
                                                                                                  len(whole) + 15}):
    write("cut.jsonl", whole[:size])
    complete = max([end for end in ends if end <= size], default=ends[0])
    rows = sum(end <= complete for end in ends) - 1
    measured = sum(t["outcome"] == "right" for t in tunings[:rows])
    out = tune("cut.jsonl", "--budget", "0", status=0 if measured else 1)
    expect(f"file that was cut after {size} bytes", read("cut.jsonl"), whole[:complete])
    expect(f"count after {size} bytes", re.findall(r"points: (\d+) measured", out), [str(measured)])
write("cut.jsonl", whole[:ends[2] + 30])
left = sum(t["outcome"] == "right" for t in tunings[2:])
tune("cut.jsonl", "--evaluations", str(left))
expect("a search after a cut", read("cut.jsonl"), whole)

# A process that is killed.
killed = subprocess.Popen([cmbench, "tune", *CM, "--database", path("killed.jsonl")], stdout=subprocess.PIPE,
                          start_new_session=True)
killed.stdout.readline()
killed.stdout.readline()
os.killpg(killed.pid, signal.SIGKILL)
killed.wait()
count = sum(t.get("outcome") == "right" for t in lines("killed.jsonl"))
if count < 4:
    tune("killed.jsonl", "--evaluations", str(4 - count))
expect("a search after a kill", read("killed.jsonl")[:len(whole)], whole)

# An interrupted one ends with its status and keeps what it has.
stopped = subprocess.Popen([cmbench, "tune", *CM, "--database", path("stopped.jsonl")], stdout=subprocess.PIPE,
                           start_new_session=True)
stopped.stdout.readline()
os.killpg(stopped.pid, signal.SIGINT)
stopped.communicate(timeout=100)
expect("status after an interrupt", stopped.returncode, 130)
expect("what an interrupt leaves", whole.startswith(read("stopped.jsonl")[:len(whole)]), True)


# The page has the database's numbers.
class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.rows, self.texts, self.stack = [], [], []
        self.feed(text)
        expect("open tags at the end", self.stack, [])

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta",):
            self.stack.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        expect("end tag", tag, self.stack.pop())

    def handle_data(self, data):
        if self.stack and self.stack[-1] in ("td", "th"):
            self.rows[-1][-1] += data
        if self.stack and self.stack[-1] == "text":
            self.texts.append(data)


page = Page(read("page.html").decode())
ranked = sorted(right.values(), key=lambda t: (t["time_ns"], t["point"]))
expect("rows of the page", [[row[0], *row[2:]] for row in page.rows[1:]],
       [[t["point"], f"{t['time_ns'] / 1000:.1f}",
         *(str(t[key]) for key in ("cycles", "instructions", "registers", "spills"))] for t in ranked])
cells = {f"{t['time_ns'] / 1000:.1f}" for t in ranked}
expect("cells of the map", {text for text in page.texts if re.fullmatch(r"\d+\.\d", text)}, cells)

# Every known point of a workload is a point of one of its families.
for workload in ("sgemm", "conv3x3", "stencil2d", "histogram", "kmeans"):
    with open(os.path.join(BENCHMARKS, workload, workload + ".c"), encoding="utf-8") as file:
        declared = re.findall(r"struct bench_known (.*?);", file.read(), re.S)
    known = sorted(re.findall(r'\{"(\w+)", \{', "".join(declared)))
    status, out, err = run("tune", workload, "-d", "skl", "--list")
    expect(f"list of {workload}", (status, err), (0, ""))
    expect(f"known points of {workload}", sorted(re.findall(r" \((\w+)\)$", out, re.M)), known)
    expect(f"all known points of {workload} run", re.findall(r"\(\w+\): refused", out), [])

# Parts: each point is in one of them; together they are the whole.
blocks = SEARCH + ["--family", "stencil_media_block"]
for part in "1/2", "2/2":
    tune(f"part{part[0]}.jsonl", "--shard", part, search=blocks)
tune("all.jsonl", search=blocks)
parts = [{t["point"] for t in lines(f"part{i}.jsonl")[1:]} for i in (1, 2)]
expect("points in both parts", parts[0] & parts[1], set())
expect("merge", run("merge", path("merged.jsonl"), path("part1.jsonl"), path("part2.jsonl")), (0, "", ""))
expect("points of the parts", {t["point"]: t for t in lines("merged.jsonl")[1:]},
       {t["point"]: t for t in lines("all.jsonl")[1:]})
merged = read("merged.jsonl")
expect("reports of a merged file", tune("merged.jsonl", "--budget", "0", search=blocks),
       tune("all.jsonl", "--budget", "0", search=blocks))
expect("a merged file that was reported", read("merged.jsonl"), merged)

# Reports of parts are the report of the whole.
BENCH = ["-d", "skl,icllp", "--size", "tiny", "--programs", path("programs"), "minmax", "transpose"]
for name, words in {"whole": [], "one": ["--shard", "1/3"], "two": ["--shard", "2/3"],
                    "three": ["--shard", "3/3"]}.items():
    status, out, err = run(*BENCH, *words, "--json", path(name + ".json"))
    expect(f"status of {words}: {out}{err}", status, 0)
expect("merge", run("merge", path("merged.json"), path("three.json"), path("one.json"), path("two.json")), (0, "", ""))
expect("merged reports", read("merged.json"), read("whole.json"))
status, out, err = run(*BENCH, "--shard", "99/100", "--json", path("empty.json"))
expect("a part without work", (status, json.loads(read("empty.json"))), (0, []))

# Bad input.
refused("tune needs one workload: cmbench tune WORKLOAD -d MACHINE", "tune")
refused("no workload 'nonsense'; cmbench --list shows all", "tune", "nonsense", "-d", "skl")
refused("transpose declares no parameters to tune", "tune", "transpose", "-d", "skl")
refused("tune needs a machine: cmbench tune sgemm -d hd530-24eu", "tune", "sgemm")
refused("-d dg2: gensim has no timing data for Arc A770 (Alchemist, Xe HPG, 512 EUs); a point of it has no time", "tune",
        "sgemm", "-d", "dg2")
refused("--family: sgemm has no family 'nonsense'", "tune", "sgemm", "-d", "skl", "--family", "nonsense")
refused("--input: sgemm has no input 'nonsense'; cmbench --list sgemm shows them", "tune", "sgemm", "-d", "skl", "-i",
        "nonsense")
refused("--size: '12x' is not rows x columns x depth", "tune", "sgemm", "-d", "skl", "-s", "12x")
refused("--budget: '-1' is no number of minutes", "tune", "sgemm", "-d", "skl", "--budget", "-1")
refused("--budget: 'nan' is no number of minutes", "tune", "sgemm", "-d", "skl", "--budget", "nan")
refused("--evaluations: '0' is no number from 1 to 1000000", "tune", "sgemm", "-d", "skl", "--evaluations", "0")
for part in "0/2", "3/2", "1", "1/", "/2", "1/2/3", "-1/2", "1/0", "01/2", "1/100001", "":
    refused(f"--shard: '{part}' is no part like 2/8", "tune", "sgemm", "-d", "skl", "--shard", part)
    refused(f"--shard: '{part}' is no part like 2/8", "-d", "skl", "--shard", part)
status, out, err = run("tune", "sgemm", "-d", "nonsense")
expect("a machine that does not exist", (status, err.startswith("cmbench: error: --device: no device 'nonsense'; "),
                                         err.count("\n")), (2, True, 1))


def damaged(message, data, name="bad.jsonl"):
    write(name, data)
    refused(message.replace("%f", path(name)), "tune", *CM, "--database", path(name), "--budget", "0")
    expect(f"{message}: the file stays", read(name), data)


first, second, *rest = whole.splitlines(keepends=True)
damaged("%f: a database of another version of cmbench tune; name another file",
        first.replace(b'"cmbench tune": 1', b'"cmbench tune": 2') + second)
damaged("%f:2: not a line of cmbench tune", first + second[:20] + b"\n" + b"".join(rest))
damaged("%f:3: not a line of cmbench tune", first + second + b'{"point": "cm:ROWS=4,GROUP=1", "outcome": "fine"}\n')
damaged("%f:3: a second line of point cm:ROWS=16,GROUP=1", first + second + second)
damaged("%f:1: not a line of cmbench tune", b"[]\n")
damaged("%f:1: not a line of cmbench tune", b'{"some": "thing"}\n' + second)
damaged("%f:1: not a line of cmbench tune", b"\0\n")
for key, what in (("input", "another input"), ("machine", "another machine"), ("workload", "another workload"),
                  ("build", "other compilers, kernels or constants of time")):
    other = {**head, key: "x"}
    damaged(f"%f: measured with {what} ({other['workload']}, {other['input']} on {other['machine']}; {other['with']}); "
            "name another file with --database", json.dumps(other).encode() + b"\n" + second)
with open(path("locked.jsonl"), "wb") as held:
    fcntl.flock(held, fcntl.LOCK_EX)
    refused(f"{path('locked.jsonl')}: another cmbench tune uses it", "tune", *CM, "--database", path("locked.jsonl"))
refused("/dev/full: No space left on device", "tune", *CM, "--database", "/dev/full")
refused(f"{work}: Is a directory", "tune", *CM, "--database", work)

write("other.json", json.dumps([{**row, "version": "0.0.1"} for row in json.loads(read("two.json"))]))
version = json.loads(read("one.json"))[0]["version"]
refused(f"{path('other.json')}: made by version '0.0.1', but {path('one.json')} by '{version}': they cannot be merged",
        "merge", path("out.json"), path("one.json"), path("other.json"))
row = json.loads(read("one.json"))[0]
refused(f"{path('one.json')} and {path('one.json')} both have {row['workload']} {row['input']} {row['device']} "
        f"{row['variant']}", "merge", path("out.json"), path("one.json"), path("one.json"))
write("other.jsonl", first.replace(head["build"].encode(), b"0" * 16) + second)
refused(f"{path('whole.jsonl')} and {path('other.jsonl')} cannot be merged: they were measured with other compilers, "
        "kernels or constants of time", "merge", path("out.jsonl"), path("whole.jsonl"), path("other.jsonl"))
write("twice.jsonl", first + second.replace(b'"time_ns": ', b'"time_ns": 1'))
refused(f"{path('whole.jsonl')} and {path('twice.jsonl')} have two results of point cm:ROWS=16,GROUP=1", "merge",
        path("out.jsonl"), path("whole.jsonl"), path("twice.jsonl"))
refused("merge needs a file to write and files to read: cmbench merge OUT IN...", "merge", path("out.json"))
refused(f"{path('none.json')}: No such file or directory", "merge", path("out.json"), path("none.json"))
write("empty", "")
refused(f"{path('empty')}: it is empty", "merge", path("out.json"), path("empty"))
write("deep.json", '[{"workload": "a", "input": "b", "device": "c", "variant": "d", "x": [[[[[[1]]]]]]}]')
refused(f"{path('deep.json')}: row 1: not a report of cmbench", "merge", path("out.json"), path("deep.json"))
write("circle.json", '[{"workload": "a", "input": "b", "device": "c", "variant": "d", "x": &x [*x]}]')
refused(f"{path('circle.json')}: row 1: not a report of cmbench", "merge", path("out.json"), path("circle.json"))
expect("files of merges that failed", [name for name in os.listdir(work) if name.startswith("out")], [])
