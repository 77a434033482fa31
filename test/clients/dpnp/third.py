"""Keeps a third of the tests of a run of pytest, and ends the run after a time: pytest -p third.

The third is fixed: a test is in it if the checksum of its file's name, its own and its parameters is a multiple of
three. At the time limit (THIRD_SECONDS) the rest is left out, which is printed: "left out by time: N".
"""
import os
import time
import zlib

start = time.monotonic()
SECONDS = float(os.environ.get("THIRD_SECONDS", "inf"))


def is_kept(item):
    file, _, name = item.nodeid.partition("::")
    return zlib.crc32(f"{os.path.basename(file)}::{name}".encode()) % 3 == 0


def pytest_collection_modifyitems(config, items):
    kept = [item for item in items if is_kept(item)]
    config.hook.pytest_deselected(items=[item for item in items if not is_kept(item)])
    items[:] = kept


def pytest_runtestloop(session):
    """As pytest's own loop, with an end."""
    session.left_out = 0
    for number, item in enumerate(session.items):
        if time.monotonic() - start > SECONDS:
            session.left_out = len(session.items) - number
            break
        following = session.items[number + 1] if number + 1 < len(session.items) else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    return True


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"left out by time: {getattr(terminalreporter._session, 'left_out', 0)}")
