"""Reads the expected results of the suites' tests: SUITE-passes.txt and SUITE-limits.txt beside this file."""

import fnmatch
import os
import re

FOLDER = os.path.dirname(os.path.abspath(__file__))
DEVICES = ("skl", "icllp", "tgllp")
PASSES_HEAD = """\
# Counts the passing tests of each name on each device (run.py --write writes this file). Numbers of parameters are left
# out of the names: one row counts them all. -: was not run to the end on that device.
# {devices} | tests
"""


class Failure(Exception):
    """An error that keeps the run from starting, in one line."""


def group_of(test):
    """The name of a test without the numbers of its parameters."""
    return re.sub(r"/\d+(?=$|\.)", "/*", test)


def read_rows(path, columns):
    """The rows of a file as (line number, fields): `columns` fields, separated by ' | '; # starts a comment line."""
    rows = []
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return []
    for number, line in enumerate(lines, 1):
        if line.startswith("#") or not line.strip():
            continue
        fields = [field.strip() for field in line.split(" | ", columns - 1)]
        if len(fields) != columns:
            raise Failure(f"{os.path.basename(path)}:{number}: {len(fields)} fields instead of {columns}")
        rows.append((number, fields))
    return rows


class Limit:
    """A row of SUITE-limits.txt: a test that `pattern` (of the shell) names may give `result` when it prints `message`."""

    def __init__(self, place, pattern, result, message):
        self.place = place
        self.pattern = pattern
        self.result = result
        self.message = message
        self.meant = False  # a test was run that the pattern names
        self.used = False  # and did give that

    def excuses(self, test, result, output):
        if not fnmatch.fnmatchcase(test, self.pattern):
            return False
        self.meant = True
        fits = result == self.result and self.message in output
        self.used |= fits
        return fits


class Expected:
    """The tables of one suite, for one device."""

    def __init__(self, suite, device, folder=FOLDER):
        self.suite = suite
        self.device = device
        self.path = os.path.join(folder, f"{suite}-passes.txt")
        self.counts = {}  # group: {device: passes}
        for number, (counts, group) in read_rows(self.path, 2):
            fields = counts.split()
            if len(fields) != len(DEVICES) or not all(field == "-" or field.isdigit() for field in fields):
                raise Failure(f"{suite}-passes.txt:{number}: '{counts}' is not {len(DEVICES)} numbers or -")
            self.counts[group] = {name: int(field) for name, field in zip(DEVICES, fields) if field != "-"}
        self.limits = []
        name = f"{suite}-limits.txt"
        for number, (pattern, result, devices, message) in read_rows(os.path.join(folder, name), 4):
            unknown = [device for device in devices.split() if device not in DEVICES]
            if unknown:
                raise Failure(f"{name}:{number}: unknown device {unknown[0]}")
            if device in devices.split():
                self.limits.append(Limit(f"{name}:{number}", pattern, result, message))
        self.arguments = {}
        for _, (program, arguments) in read_rows(os.path.join(folder, f"{suite}-arguments.txt"), 2):
            self.arguments[program] = arguments.split()

    def passes(self, group):
        """Returns the number of tests of the group that pass on the device; None if it is unknown."""
        return self.counts.get(group, {}).get(self.device)

    def excused(self, test, result, output):
        return any([limit.excuses(test, result, output) for limit in self.limits])

    def write(self, passes):
        """Stores {group: passes} for the device; rows of other groups stay."""
        for group, count in passes.items():
            self.counts.setdefault(group, {})[self.device] = count
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(PASSES_HEAD.format(devices=" ".join(DEVICES)))
            for group in sorted(self.counts):
                counts = " ".join(str(self.counts[group].get(device, "-")) for device in DEVICES)
                file.write(f"{counts} | {group}\n")
