"""Keeps a third of the tests of a run of pytest, and ends the run after a time: pytest -p third.

The third is fixed: a test is in it if the checksum of its file's name, its own and its parameters is a multiple of
three. THIRD_NAME is the file's name. THIRD_RECORD names a file with a line of JSON for each test: [name, outcome,
message]. A test that has a line is left out, so that a run can go on where another one has ended. An outcome is "begun"
until the test has ended; a test that does not end within THIRD_TEST seconds ends the process and stays so.
THIRD_SECONDS after the first one no test begins, and those that are left are recorded as "late".
"""
import faulthandler
import json
import os
import time
import zlib

SECONDS = float(os.environ.get("THIRD_SECONDS", "inf"))
SECONDS_OF_TEST = float(os.environ.get("THIRD_TEST", "300"))
RECORD = os.environ["THIRD_RECORD"]
NAME = os.environ["THIRD_NAME"]
outcomes = {}  # of the parts of the test that runs


def name_of(item):
    return f"{NAME}::{item.nodeid.partition('::')[2]}"


def is_kept(item):
    return zlib.crc32(name_of(item).encode()) % 3 == 0


def read_record():
    """Outcome and message by the name of the test; the last line of a test counts."""
    if not os.path.exists(RECORD):
        return {}
    with open(RECORD, encoding="utf-8") as file:
        return {name: (outcome, message) for name, outcome, message in map(json.loads, file)}


def record(item, outcome, message=""):
    with open(RECORD, "a", encoding="utf-8") as file:
        file.write(json.dumps([name_of(item), outcome, message]) + "\n")


def pytest_collection_modifyitems(config, items):
    done = read_record()
    chosen = [item for item in items if is_kept(item) and name_of(item) not in done]
    kept = set(map(id, chosen))
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in kept])
    items[:] = chosen


def pytest_runtest_logreport(report):
    if report.failed:
        crash = getattr(report.longrepr, "reprcrash", None)
        outcomes["failed"] = crash.message if crash else str(report.longrepr)
    elif report.skipped:
        outcomes["skipped"] = ""
    elif report.when == "call":
        outcomes["passed"] = ""


def pytest_runtestloop(session):
    """As pytest's own loop, with an end, and with a record of each test."""
    start = time.monotonic()
    for number, item in enumerate(session.items):
        if time.monotonic() - start > SECONDS:
            for late in session.items[number:]:
                record(late, "late")
            break
        following = session.items[number + 1] if number + 1 < len(session.items) else None
        record(item, "begun")
        outcomes.clear()
        faulthandler.dump_traceback_later(SECONDS_OF_TEST, exit=True)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        faulthandler.cancel_dump_traceback_later()
        outcome = next((kind for kind in ("failed", "skipped", "passed") if kind in outcomes), "skipped")
        record(item, outcome, outcomes.get("failed", ""))
    return True
