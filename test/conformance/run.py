#!/usr/bin/env python3
"""Runs a conformance suite's built programs on a simulated GPU and prints differences from the tables.

FOLDER holds the programs of OpenCL-CTS (--suite cts) or level-zero-tests (--suite level-zero);
docs/simulator/checked.md describes how to build them. Beside this file, SUITE-passes.txt has the number of tests of
each name that pass on each device. SUITE-limits.txt has the tests that fail because of the driver or its compiler, with
their messages.

Results are kept at once, a line of JSON each: an interrupted run can be continued.

Exit status: 0 if all results agree with the tables, 1 if not, 2 for a wrong command line or a missing file.
"""

import argparse
import concurrent.futures
import json
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time

import suites
import tables

MOST_OUTPUT = 4000  # characters of a test's output that are kept: its beginning and its end
LIST_SECONDS = 120


class Outcome:
    def __init__(self, result, seconds, output):
        self.result = result
        self.seconds = seconds
        self.output = output


class Results:
    """Outcomes by test, in a file that grows."""

    def __init__(self, path, head):
        self.path = path
        self.outcomes = {}
        self.lock = threading.Lock()
        self.head = head
        whole = self._read(head) if os.path.exists(path) else 0
        self.file = open(path, "r+" if whole else "w", encoding="utf-8")
        self.file.seek(whole)
        self.file.truncate()  # a line that an end of the run cut
        if not whole:
            self._write(head)

    def _read(self, head):
        whole = 0
        with open(self.path, "rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                try:
                    values = json.loads(line)
                    if number > 1:
                        self.outcomes[values["test"]] = Outcome(values["result"], values["seconds"], values["output"])
                except (ValueError, KeyError, TypeError) as error:
                    raise tables.Failure(f"{self.path}:{number}: not a line of results") from error
                if number == 1 and values != head:
                    raise tables.Failure(f"{self.path} holds results of another run: {line.decode().strip()}")
                whole += len(line)
        return whole

    def _write(self, values):
        self.file.write(json.dumps(values) + "\n")
        self.file.flush()

    def forget(self, result):
        """Drops outcomes that are `result`, or all ("")."""
        left = {test: outcome for test, outcome in self.outcomes.items() if result and outcome.result != result}
        self.file.seek(0)
        self.file.truncate()
        self._write(self.head)
        for test, outcome in left.items():
            self._write({"test": test, **vars(outcome)})
        self.outcomes = left

    def add(self, test, result, seconds, output):
        if len(output) > MOST_OUTPUT:
            output = output[: MOST_OUTPUT // 2] + "\n[...]\n" + output[-MOST_OUTPUT // 2 :]
        with self.lock:
            self.outcomes[test] = Outcome(result, seconds, output)
            self._write({"test": test, "result": result, "seconds": round(seconds, 2), "output": output})


class Runner:
    """Starts the programs under gensim."""

    def __init__(self, suite, arguments):
        self.suite = suite
        self.prefix = [arguments.gensim, "-d", arguments.device, "--"]
        self.seconds = arguments.timeout
        self.running = set()
        self.stopped = False
        self.lock = threading.Lock()

    def stop(self):
        """Ends what runs; nothing is started afterwards."""
        with self.lock:
            self.stopped = True
            for process in self.running:
                os.killpg(process.pid, signal.SIGKILL)

    def start(self, command, environment, cwd):
        with self.lock:
            if self.stopped:
                return None
            process = subprocess.Popen(self.prefix + command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
            self.running.add(process)
            return process

    def run(self, program, command, extra, seconds):
        """(output, exit status) of the command, None for the status if it was stopped: `seconds` is for each test."""
        with tempfile.TemporaryDirectory(prefix="conformance-") as home:  # the driver's cache goes there
            environment = dict(os.environ, HOME=home, OCL_ICD_VENDORS="intel.icd", **extra)
            process = self.start(command, environment, os.path.dirname(program.path))
            if process is None:
                return "", None
            output, in_time = self.read(process, seconds)
            try:
                os.killpg(process.pid, signal.SIGKILL)  # also what the program left behind
            except ProcessLookupError:
                pass
            status = process.wait()
            process.stdout.close()
            with self.lock:
                self.running.discard(process)
            return output.decode("utf-8", "replace"), status if in_time else None

    def read(self, process, seconds):
        """All that the process prints, and whether no test of it took longer than `seconds`."""
        output, line = bytearray(), bytearray()
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while True:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    return output, False
                part = os.read(process.stdout.fileno(), 65536)
                if not part:
                    return output, self.ends(process, deadline)
                output += part
                *lines, line = (line + part).split(b"\n")
                if any(self.suite.starts_test(each.decode("utf-8", "replace")) for each in lines):
                    deadline = time.monotonic() + seconds

    @staticmethod
    def ends(process, deadline):
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
            return True
        except subprocess.TimeoutExpired:
            return False

    def list_tests(self, program):
        """The program's tests, and why it has none."""
        output, status = self.run(program, self.suite.list_command(program), {}, LIST_SECONDS)
        tests = self.suite.read_list(output)
        if tests is None and status == 0 and self.suite.may_be_empty:
            tests = []
        return tests, "it takes too long to list its tests" if status is None else suites.last_line(output)

    def run_batch(self, program, tests, results):
        """Runs tests of one program until each has a result: the program may end in the middle of one."""
        left = list(tests)
        while left and not self.stopped:
            with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
                began = time.monotonic()
                output, status = self.run(program, self.suite.command(program, left), self.suite.environment(folder),
                                          self.seconds)
                if self.stopped:
                    return
                found = self.suite.read_results(left, output, status, folder)
            if not found:  # nothing was even begun: the first takes the blame, so that this ends
                result, why = suites.end_of(status)
                found = {left[0]: (result, f"{output}\n{why}")}
            seconds = (time.monotonic() - began) / len(found)
            for test, (result, printed) in found.items():
                results.add(f"{program.name}/{test}", result, seconds, printed)
            left = [test for test in left if test not in found]


def collect(runner, programs, results, arguments):
    """Lists the programs' tests. Returns all their names, and the batches that have no results yet."""
    names, batches = [], []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for program, (tests, why) in zip(programs, pool.map(runner.list_tests, programs)):
            if tests is None:
                name = f"{program.name}/-"
                if name not in results.outcomes and arguments.only in name:
                    results.add(name, "no list", 0, why)
                names.append(name)
                continue
            names += [f"{program.name}/{test}" for test in tests]
            wanted = [test for test in tests if arguments.only in f"{program.name}/{test}" and
                      f"{program.name}/{test}" not in results.outcomes]
            size = 1 if program.name in runner.suite.alone else runner.suite.batch
            batches += [(program, wanted[at : at + size]) for at in range(0, len(wanted), size)]
    return names, batches


def run_all(runner, batches, results, jobs):
    """False when it was interrupted."""
    total = sum(len(tests) for _, tests in batches)
    done = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(runner.run_batch, program, tests, results): tests for program, tests in batches}
        try:
            for future in concurrent.futures.as_completed(futures):
                future.result()
                done += len(futures[future])
                if sys.stderr.isatty():
                    print(f"\r{done} of {total} tests ", end="", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            runner.stop()
            pool.shutdown(cancel_futures=True)
            return False
    return True


def describe(outcome):
    """The line of a test's output that tells most: gensim's own, or the last that speaks of an error."""
    lines = [line.strip() for line in outcome.output.splitlines() if line.strip()]
    for words in (("gensim: fault",), ("rror", "ERROR", "ailure", "FAILED", "does not", "not support")):
        telling = [line for line in lines if any(word in line for word in words)]
        if telling:
            return telling[-1][:200] if len(words) > 1 else telling[0][:200]
    return lines[-1][:200] if lines else ""


def judge_tests(expected, outcomes, say):
    """Compares test by test; returns how many pass in each group that all failures of are excused."""
    passes, unexcused = {}, set()
    for test, outcome in sorted(outcomes.items()):
        group = tables.group_of(test)
        passes[group] = passes.get(group, 0) + (outcome.result == "pass")
        if expected.excused(test, outcome.result, outcome.output) or outcome.result == "pass":
            continue
        unexcused.add(group)
        kind = "WRONG" if expected.passes(group) else "NEW"
        say(f"{kind}: {test}: {outcome.result}: {describe(outcome)}")
    return {group: count for group, count in passes.items() if group not in unexcused}


def judge(expected, names, outcomes, is_whole):
    """Prints the results that differ from the tables. Returns the number of wrong ones, and the counts that may be
    written."""
    wrong = []

    def say(line):
        wrong.append(line)
        print(line)

    known = {name: outcomes[name] for name in names if name in outcomes}
    passes = judge_tests(expected, known, say)
    missing = {tables.group_of(name) for name in names if name not in known}
    complete = {group: count for group, count in passes.items() if group not in missing}
    for group, count in sorted(complete.items()):
        if expected.passes(group) is None and count:
            print(f"new: {group}: {count} pass, the table has no row")
        elif count < (expected.passes(group) or 0):
            say(f"WRONG: {group}: {count} pass, the table says {expected.passes(group)}")
    groups, programs = {tables.group_of(name) for name in names}, {name.split("/")[0] for name in names}
    for group in sorted(group for group in expected.counts if expected.passes(group) is not None):
        if group not in groups and group.split("/")[0] in programs:
            say(f"GONE: {expected.suite}-passes.txt: {group}: the program has no such test")
    absent = {group.split("/")[0] for group in expected.counts} - programs
    if absent:
        print(f"not here: {' '.join(sorted(absent))}")
    for limit in expected.limits:
        # how long is for the caller to say
        if is_whole and limit.meant and not limit.used and limit.result != "timeout":
            say(f"WRONG: {limit.place}: {limit.pattern} | {limit.result}: no test does that on {expected.device}")
    return len(wrong), complete


class Parser(argparse.ArgumentParser):
    """Tells what is wrong in one line."""

    def error(self, message):
        self.exit(2, f"{self.prog}: error: {message} (see --help)\n")


def parse_arguments():
    parser = Parser(prog="run.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", required=True, choices=sorted(suites.SUITES), help="whose programs these are")
    parser.add_argument("--programs", required=True, metavar="FOLDER", help="the programs, in FOLDER and below")
    parser.add_argument("-d", "--device", required=True, choices=tables.DEVICES, help="where to run")
    parser.add_argument("--gensim", default="gensim", help="the simulator's launcher (default: the one in PATH)")
    parser.add_argument("--only", default="", metavar="TEXT", help="run only tests with TEXT in PROGRAM/TEST")
    parser.add_argument("--shard", default="1/1", metavar="I/N",
                        help="take every Nth program only, from the Ith on: for several machines")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(),
                        help="processes at a time (default: processors)")
    parser.add_argument("--timeout", type=float, default=600, metavar="SECONDS", help="for one test (default: 600)")
    parser.add_argument("--results", metavar="FILE", help="where results are kept and a stopped run is continued from "
                        "(default: conformance-SUITE-DEVICE.jsonl)")
    parser.add_argument("--again", nargs="?", const="", metavar="RESULT",
                        help="forget the results that are kept, or those "
                        "that are RESULT (pass, fail, skip, timeout, fault, crash)")
    parser.add_argument("--compare", action="store_true", help="run nothing: compare the results that are kept")
    parser.add_argument("--write", action="store_true", help="write what passes to SUITE-passes.txt, for this device")
    parser.add_argument("--tables", default=tables.FOLDER, metavar="FOLDER",
                        help="where the tables are (default: beside "
                        "run.py)")
    arguments = parser.parse_args()
    if arguments.jobs < 1 or arguments.timeout <= 0:
        parser.error("jobs and seconds are positive numbers")
    if not os.path.isdir(arguments.programs):
        parser.error(f"no folder {arguments.programs}")
    arguments.programs = os.path.abspath(arguments.programs)  # programs run in their own folders
    if "/" in arguments.gensim:
        arguments.gensim = os.path.abspath(arguments.gensim)
    shard = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", arguments.shard)
    if not shard or int(shard[1]) > int(shard[2]):
        parser.error(f"--shard: '{arguments.shard}' is no part like 2/8")
    arguments.part, arguments.parts = int(shard[1]), int(shard[2])
    if arguments.write and arguments.parts > 1:
        parser.error("--write needs the results of all programs: no --shard")
    part = "" if arguments.parts == 1 else f".{arguments.part}of{arguments.parts}"
    arguments.results = arguments.results or f"conformance-{arguments.suite}-{arguments.device}{part}.jsonl"
    return arguments


def summarize(arguments, names, outcomes, wrong):
    counts = {}
    for name in names:
        result = outcomes[name].result if name in outcomes else "not run"
        counts[result] = counts.get(result, 0) + 1
    words = ", ".join(f"{count} {result}" for result, count in sorted(counts.items(), key=lambda item: -item[1]))
    print(f"{arguments.suite} on {arguments.device}: {len(names)} tests: {words}; {wrong} not as the tables say")


def interrupt(number, frame):
    raise KeyboardInterrupt


def main():
    for number in (signal.SIGINT, signal.SIGTERM):  # SIGINT too: shells start background jobs that ignore it
        signal.signal(number, interrupt)
    arguments = parse_arguments()
    suite = suites.SUITES[arguments.suite]
    expected = tables.Expected(arguments.suite, arguments.device, arguments.tables)
    programs = suites.find_programs(suite, arguments.programs, expected.arguments)
    if not programs:
        raise tables.Failure(f"{arguments.programs} holds no programs of {arguments.suite} (test_*)")
    programs = programs[arguments.part - 1 :: arguments.parts]
    results = Results(arguments.results, {"suite": arguments.suite, "device": arguments.device})
    if arguments.again is not None:
        results.forget(arguments.again)
    runner = Runner(suite, arguments)
    names, batches = collect(runner, programs, results, arguments)
    if arguments.only and not any(arguments.only in name for name in names):
        raise tables.Failure(f"no test has '{arguments.only}' in its name")
    left = sum(len(tests) for _, tests in batches)
    print(f"{len(names)} tests in {len(programs)} programs, {len(results.outcomes)} results in {arguments.results}, "
          f"{0 if arguments.compare else left} to run", flush=True)
    if not arguments.compare and not run_all(runner, batches, results, arguments.jobs):
        print("stopped: the same command goes on", file=sys.stderr)
        return 130
    is_whole = all(name in results.outcomes for name in names)
    wrong, counts = judge(expected, names, results.outcomes, is_whole)
    if arguments.write:
        expected.write({group: count for group, count in counts.items() if count})
    summarize(arguments, names, results.outcomes, wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (tables.Failure, OSError) as failure:
        print(f"run.py: error: {failure}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
