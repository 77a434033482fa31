#!/usr/bin/env python3
"""Checks gensim --trace-events: events.py GENSIM CMRUN DEVICE KERNELS WORK. The rules of Chrome's trace format, and
sums over slices against --stats.
"""
import json
import os
import subprocess
import sys

gensim, cmrun, device, kernels, work = sys.argv[1:6]
os.makedirs(work, exist_ok=True)
os.chdir(work)


def run(*words, status=0, say=None, repeat=2):
    done = subprocess.run([gensim, "-d", device, *words, "--", cmrun, kernels, "-k", "mixed", "-g", "16", "-l", "256",
                           "--repeat", str(repeat), "buf:64k:random-u8=5", "buf:64k", "buf:64"],
                          capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != status or (say and (say not in done.stderr or done.stderr.count("\n") != 1)):
        sys.exit(f"{words}: status {done.returncode}, said {done.stderr}, wanted {status}, {say}")


def unique(pairs):
    assert len({key for key, _ in pairs}) == len(pairs), pairs
    return dict(pairs)


def refuse(constant):
    sys.exit(f"{constant} is no JSON")


def read(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file, object_pairs_hook=unique, parse_constant=refuse)


def expect(what, found, wanted, tolerance=0.0):
    if abs(found - wanted) > tolerance:
        sys.exit(f"{what}: {found} instead of {wanted}")


# Google's "Trace Event Format": the keys of each kind of event, all of which must be there, and their types.
NUMBER = (int, float)
KEYS = {"X": {"name": str, "pid": int, "tid": int, "ts": NUMBER, "dur": NUMBER},
        "b": {"name": str, "cat": str, "id": int, "pid": int, "tid": int, "ts": NUMBER},
        "e": {"name": str, "cat": str, "id": int, "pid": int, "tid": int, "ts": NUMBER},
        "C": {"name": str, "pid": int, "ts": NUMBER, "args": dict},
        "M": {"name": str, "pid": int, "tid": int, "args": dict}}
METADATA = {"process_name": ("name", str), "thread_name": ("name", str), "process_sort_index": ("sort_index", int)}


def check_keys(event):
    wanted = KEYS[event["ph"]]
    assert event.keys() == wanted.keys() | {"ph"}, event
    assert all(isinstance(event[key], kind) and not isinstance(event[key], bool) for key, kind in wanted.items()), event
    assert event["name"] and event.get("ts", 0) >= 0 and event.get("dur", 0) >= 0 and event["pid"] >= 0, event
    if event["ph"] == "M":
        key, kind = METADATA[event["name"]]
        assert event["args"].keys() == {key} and isinstance(event["args"][key], kind), event
    if event["ph"] == "C":
        assert event["args"] and all(isinstance(value, NUMBER) for value in event["args"].values()), event


def check_rules(trace):
    """Of the format: keys and types, a name for each track, slices of a track that do not overlap, each asynchronous
    event with one end behind its start, counters of a name with the same series and in the order of time."""
    assert trace.keys() == {"displayTimeUnit", "traceEvents"} and trace["displayTimeUnit"] in ("ms", "ns"), trace.keys()
    tracks, begun, seen, named, counters = {}, {}, set(), {}, {}
    for event in trace["traceEvents"]:
        check_keys(event)
        kind, track = event["ph"], (event["pid"], event.get("tid"))
        if kind == "M":
            value = next(iter(event["args"].values()))
            key = (*track, event["name"]) if event["name"] == "thread_name" else (event["pid"], event["name"])
            assert named.setdefault(key, value) == value, event
        elif kind == "C":
            series, last = counters.setdefault((event["pid"], event["name"]), (event["args"].keys(), 0.0))
            assert series == event["args"].keys() and event["ts"] >= last, event
            counters[event["pid"], event["name"]] = (series, event["ts"])
        elif kind == "X":
            assert (*track, "thread_name") in named and (event["pid"], "process_name") in named, event
            tracks.setdefault(track, []).append((event["ts"], event["ts"] + event["dur"]))
        elif kind == "b":
            assert (*track, "thread_name") in named, event
            assert (event["cat"], event["id"]) not in seen, event
            seen.add((event["cat"], event["id"]))
            begun[event["cat"], event["id"]] = event
        else:
            start = begun.pop((event["cat"], event["id"]))
            assert all(start[key] == event[key] for key in ("name", "pid", "tid")), event
            assert start["ts"] <= event["ts"], event
    assert not begun, begun
    for slices in tracks.values():
        slices.sort()
        for (_, end), (start, _) in zip(slices, slices[1:]):
            assert start >= end - 0.001, (end, start)


run("--trace-events", "events.json", "--stats", "stats.json")
events, stats = read("events.json")["traceEvents"], read("stats.json")
check_rules(read("events.json"))
kernel = next(kernel for kernel in stats["kernels"] if kernel["kernel"] == "mixed")
timing = kernel["timing"]
queue = [event for event in events if event["ph"] == "X" and event["pid"] == 1 and event["name"] == "mixed"]
threads = [event for event in events if event["ph"] == "X" and event["pid"] != 1 and event["name"] == "mixed"]
expect("launches", len(queue), kernel["launches"])
expect("threads", len(threads), kernel["threads"])
expect("time", sum(event["dur"] for event in queue) * 1000, timing["GpuTime"], 2)
sent = sum(count for name, count in kernel["messages"].items() if "end of thread" not in name)
total = sum(count for each in stats["kernels"] for name, count in each["messages"].items() if "end of" not in name)
expect("messages", len([event for event in events if event["ph"] == "b"]), total)
assert sent, kernel
barriers = sum(count for name, count in kernel["messages"].items() if "barrier" in name)
expect("barriers", len([event for event in events if event["ph"] == "b" and event["name"] == "barrier"]), barriers)

end = max(event["ts"] + event.get("dur", 0) for event in events if "ts" in event)
run("--trace-events", "part.json", "--trace-window", "3:4")
check_rules(read("part.json"))
part = read("part.json")["traceEvents"]
assert 0 < len(part) < len(events)
for event in part:
    assert event["ph"] != "X" or (event["ts"] < 4 and event["ts"] + event["dur"] > 3), event

run("--trace-events", "never.json", "--trace-window", f"{int(end) + 10}:{int(end) + 11}", say="no launch was between")
assert not os.path.exists("never.json")
for window in ("", "5", "5:", ":5", "5:5", "6:5", "a:b", "-1:5", "1:5x", "1.5:3"):
    run("--trace-events", "x.json", "--trace-window", window, status=125, say="is not FROM:TO")
run("--trace-window", "1:2", status=125, say="--trace-window needs --trace-events")
run("--trace-events", "no/such/x.json", status=125, say="cannot write to the folder")

# More events than a file holds: what is left out is counted, launches too.
def is_slice(event):
    return event["ph"] in "Xb" and event["pid"] != 1


run("--trace-events", "one.json", "--trace-window", "0:1000000", repeat=1)
each = sum(is_slice(event) for event in read("one.json")["traceEvents"])
fitting = -(-200000 // each)  # launches until the file is full
run("--trace-events", "full.json", "--trace-window", "0:1000000", repeat=fitting + 3,
    say=f"gensim: --trace-events: 0 events of {fitting} launches and 3 later launches are left out: a smaller "
        "--trace-window has all")
check_rules(read("full.json"))
expect("events of a full file", sum(is_slice(event) for event in read("full.json")["traceEvents"]), fitting * each)
