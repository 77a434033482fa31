"""Lists and runs the tests of the programs of the two conformance suites, and reads their results.

A test is named PROGRAM/TEST. Its result is one of pass, fail, skip, timeout, fault (gensim stopped the program), crash
(a signal or another end in the middle of the test) and "no list" (the program does not list its tests).
"""

import itertools
import json
import os
import re
import signal

GENSIM_STOPPED = 126  # gensim's exit status when the simulated GPU stops the program


class Program:
    """name: the file's; path: where it is; arguments: what it gets beside the names of tests."""

    def __init__(self, name, path, arguments=()):
        self.name = name
        self.path = path
        self.arguments = list(arguments)


def last_line(output):
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "it printed nothing"


def end_of(status):
    """The result of a test in whose middle the program ended with `status` (None: it was stopped, taking too long), and
    why, in words."""
    if status is None:
        return "timeout", "it ran into the time limit"
    if status == GENSIM_STOPPED:
        return "fault", "the simulated GPU stopped the program"
    if status < 0:
        return "crash", f"signal {signal.Signals(-status).name}"
    return "crash", f"exit status {status} in the middle of the test"


class Cts:
    """OpenCL-CTS: names of tests are arguments, -h lists them, results go to a file."""

    batch = 1  # tests of one process: most take long
    alone = ()
    may_be_empty = False

    def is_program(self, name):
        return name.startswith("test_")

    def list_command(self, program):
        return [program.path, "-h"]

    def read_list(self, output):
        """The names stand one a line, indented, nothing else in the line: behind "Test names:", or at the end."""
        _, found, behind = output.rpartition("est names:")
        lines = behind.rstrip().splitlines()
        name = re.compile(r"\s+[A-Za-z0-9_]\S*\s*")
        if found:
            lines = itertools.dropwhile(lambda line: not name.fullmatch(line), lines)
        else:
            lines.reverse()
        tests = [line.strip() for line in itertools.takewhile(name.fullmatch, lines)]
        return list(dict.fromkeys(tests if found else reversed(tests))) or None

    def command(self, program, tests):
        return [program.path] + program.arguments + list(tests)

    def environment(self, folder):
        return {"CL_CONFORMANCE_RESULTS_FILENAME": os.path.join(folder, "results.json")}

    def starts_test(self, line):
        return False

    def read_results(self, tests, output, status, folder):
        """{test: (result, its output)} of the tests that were finished or begun."""
        test, path = tests[0], os.path.join(folder, "results.json")
        try:
            with open(path, encoding="utf-8") as file:
                result = json.load(file)["results"].get(test)
        except (OSError, ValueError, KeyError):
            result = None
        if status is None or status == GENSIM_STOPPED or status < 0 or result is None:
            result, why = end_of(status)
            return {test: (result, f"{output}\n{why}")}
        return {test: (result, output)}


class LevelZero:
    """level-zero-tests: programs of GoogleTest."""

    batch = 40  # the tests are short: a process takes longer to start than a test
    alone = ("test_ipc_memory",)  # its tests destroy the context that the next one in the process uses
    may_be_empty = True  # one is a template for others, without tests

    def is_program(self, name):
        return name.startswith("test_") and not name.endswith("_helper")

    def list_command(self, program):
        return [program.path, "--gtest_list_tests"]

    def read_list(self, output):
        tests, suite = [], None
        for line in output.splitlines():
            name = line.split("#")[0].rstrip()
            if re.fullmatch(r"[\w/]+\.", name):
                suite = name
            elif suite and re.fullmatch(r"  [\w/]+", name):
                tests.append(suite + name.strip())
        return [test for test in tests if "DISABLED_" not in test] or None

    def command(self, program, tests):
        return [program.path, "--gtest_filter=" + ":".join(tests)] + program.arguments

    def environment(self, folder):
        return {}

    def starts_test(self, line):
        return line.startswith("[ RUN      ]")

    def read_results(self, tests, output, status, folder):
        results, running, lines = {}, None, []
        words = {"[       OK ]": "pass", "[  FAILED  ]": "fail", "[  SKIPPED ]": "skip"}
        for line in output.splitlines():
            if self.starts_test(line):
                running, lines = line[12:].strip(), []
            elif running and line[:12] in words and re.match(re.escape(running) + r"(,| \(|$)", line[13:]):
                results[running] = (words[line[:12]], "\n".join(lines))
                running = None
            elif running:
                lines.append(line)
        if running:
            result, why = end_of(status)
            results[running] = (result, "\n".join(lines + [why]))
        return {test: result for test, result in results.items() if test in tests}


SUITES = {"cts": Cts(), "level-zero": LevelZero()}


def find_programs(suite, folder, arguments):
    """The test programs in `folder` and below, in the order of their names. `arguments`: {name: arguments}."""
    programs = {}
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "CMakeFiles")
        for name in sorted(names):
            path = os.path.join(place, name)
            if suite.is_program(name) and "." not in name and os.access(path, os.X_OK):
                programs.setdefault(name, Program(name, path, arguments.get(name, ())))
    return [programs[name] for name in sorted(programs)]
