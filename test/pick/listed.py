#!/usr/bin/env python3
"""Checks that the lists about tests are complete: test/times.txt and the table of docs/testing.md.

listed.py BUILD     status 1 names each test without a row in test/times.txt, each test that no name in the last
                    column of docs/testing.md fits, each such name that fits no test, and each folder of tests that no
                    row of the table begins with
listed.py --finds   checks that the check itself finds each kind of fault
"""
import fnmatch
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COLUMNS = 4  # of the table in docs/testing.md: folders, what they check, against what, names in ctest


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def timed(text):
    """Names of test/times.txt; their time is a number, or - for one that was not measured."""
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {name for name, time in rows if re.fullmatch(r"-|\d+(\.\d+)?", time)}


# Programs that are not built where a package is missing, and the names of tests that need them.
OPTIONAL = {"bin/cm-check-genx": ("lit.peer", "peer.*", "peer.kernels.*")}


def table(text):
    """Folders and patterns of names in the table whose last column has the names in ctest."""
    folders, patterns = set(), set()
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if re.match(r"\| `(test|tools)/", line) and len(cells) == COLUMNS:
            folders |= set(re.findall(r"`([^`]*)`", cells[0]))
            patterns |= set(re.findall(r"`([^`]*)`", cells[-1]))
    return folders, patterns


def faults(names, test_folders, times, page, absent=()):
    known, (folders, patterns) = timed(times), table(page)
    found = [f"{name}: no row in test/times.txt (write \"{name} -\" there until it is measured)" for name in names if name not in known]
    found += [f"{name}: no name in the table of docs/testing.md fits it" for name in names
              if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]
    found += [f"{pattern}: in the table of docs/testing.md, but it fits no test" for pattern in sorted(patterns)
              if not fnmatch.filter(names, pattern) and pattern not in absent]
    found += [f"{folder}: no row in the table of docs/testing.md" for folder in test_folders if folder not in folders]
    return found


def folders_of_tests():
    """Folders that bring tests, and those of lit's files."""
    paths = subprocess.run(["git", "ls-files", "test"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = set()
    for path in paths.splitlines():
        folder, name = os.path.split(path)
        parts = folder.split("/")
        if name == "CMakeLists.txt" and len(parts) > 1:
            found.add(folder)
        elif len(parts) == 2 and name.endswith((".cm", ".test")):
            found.add(folder)
    return sorted(found)


def names_of_tests(build):
    done = subprocess.run(["ctest", "--test-dir", build, "-N"], capture_output=True, text=True, check=True)
    return re.findall(r"^ *Test +#\d+: (\S+)", done.stdout, re.M)


def finds():
    page = "| `test/a`, `test/b` | x | y | `a.*`, `b` |\n"
    times, names = "# comment\na.x 1.5\nb -\n", ["a.x", "b"]
    assert faults(names, ["test/a", "test/b"], times, page) == []
    assert len(faults(names + ["a.y"], [], times, page)) == 1
    assert len(faults(names, [], times.replace("-", "soon"), page)) == 1
    assert len(faults(names, [], times, page.replace(", `b`", ""))) == 1
    assert len(faults(names, [], times, page.replace("`b`", "`b`, `c.*`"))) == 1
    assert len(faults(names, ["test/c"], times, page)) == 1


def main():
    if sys.argv[1:] == ["--finds"]:
        return finds()
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    names = names_of_tests(sys.argv[1])
    absent = [name for program, tests in OPTIONAL.items() if not os.path.exists(os.path.join(sys.argv[1], program))
              for name in tests]
    found = faults(names, folders_of_tests(), read("test/times.txt"), read("docs/testing.md"), absent)
    print("\n".join(found + [f"{len(names)} tests, {len(found)} faults"]))
    return bool(found) or not names


if __name__ == "__main__":
    sys.exit(main())
