#!/usr/bin/env python3
"""Runs piglit's OpenCL tests (Debian's package) on a simulated GPU, or on PoCL for the reference.

A test is a program of piglit's with its arguments; it prints any number of results with names ("subtests") and one for
the whole. pocl.txt holds how many results of each test pass on PoCL. On a simulated GPU at least as many have to pass
and none may fail, except where driver-limits.txt quotes what the driver or the test itself says about it.

Exit status: 0 when everything is as those two files say, 1 when not, 2 for a wrong command line or a missing file.
"""

import argparse
import ast
import concurrent.futures
import fnmatch
import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zlib

FOLDER = os.path.dirname(os.path.abspath(__file__))
SIMULATED = ("skl", "icllp", "tgllp", "dg2", "pvc")
WHOLE = "whole"  # the name under which the result of a whole test is kept
POCL_HEAD = """\
# Counts the passing results of each of piglit's OpenCL tests on PoCL (run.py -d pocl --write writes this file). Tests
# that PoCL fails or skips have 0, or fewer than the test has.
# passes | test
"""


# All work items of these tests' kernels write the same value, which is a race.
RACING = ("custom@flush after enqueue kernel",)


class Failure(Exception):
    """An error that keeps the run from starting, in one line."""


class Test:
    """name: piglit's; command: the program below its bin/ and its arguments."""

    def __init__(self, name, command):
        self.name = name
        self.command = command


class Outcome:
    """results: (name, status) in the order printed; output: all that the program printed, standard error included."""

    def __init__(self, results, output):
        self.results = results
        self.output = output

    def passes(self):
        return sum(status == "pass" for _, status in self.results)

    def others(self):
        return [(name, status) for name, status in self.results if status != "pass"]


class Limit:
    """A row of driver-limits.txt: where `test`, a shell pattern, prints `message`, its result `result` ("*": any) may
    fail."""

    def __init__(self, test, result, message):
        self.test = test
        self.result = result
        self.message = message
        self.meant = False  # a test was run that the pattern names
        self.used = False  # and did fail so

    def excuses(self, test, outcome):
        """The names of the failing results that the row is about."""
        if not fnmatch.fnmatchcase(test.name, self.test):
            return set()
        self.meant = True
        names = {name for name, _ in outcome.others() if self.result in ("*", name) and self.message in outcome.output}
        self.used |= bool(names)
        return names


def read_rows(name, columns):
    """The rows of FOLDER/name as lists of `columns` fields, separated by ' | '; # starts a comment line."""
    rows = []
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#") or not line.strip():
                continue
            fields = [field.strip() for field in line.split(" | ", columns - 1)]
            if len(fields) != columns:
                raise Failure(f"{name}:{number}: {len(fields)} fields instead of {columns}")
            rows.append(fields)
    return rows


def read_limits(device):
    rows = read_rows("driver-limits.txt", 4)
    return [Limit(test, result, message) for test, result, devices, message in rows if device in devices.split()]


def find_piglit():
    """The folder that holds piglit's bin/ and tests/."""
    try:
        listing = subprocess.run(["dpkg", "-L", "piglit"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise Failure("package piglit is not installed") from error
    for line in listing.splitlines():
        if line.endswith("/tests/cl.xml.gz"):
            return os.path.dirname(os.path.dirname(line))
    raise Failure("package piglit has no tests/cl.xml.gz")


def read_profile(piglit):
    """Every test of piglit's profile cl, in its order."""
    tests = []
    with gzip.open(os.path.join(piglit, "tests", "cl.xml.gz")) as file:
        for element in xml.etree.ElementTree.parse(file).getroot().iter("Test"):
            options = {option.get("name"): ast.literal_eval(option.get("value")) for option in element.iter("option")}
            command = options["command"] if element.get("type") == "cl" else ["cl-program-tester", options["filename"]]
            tests.append(Test(element.get("name"), command))
    return tests


def in_tenth(test):
    """A fixed tenth: by the name, so that a test stays in it when others come or go."""
    return zlib.crc32(test.name.encode()) % 10 == 0


def vendor_file(library):
    """The installed .icd file that names `library`: given to the loader, that driver is the only one there is."""
    folder = "/etc/OpenCL/vendors"
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            if library in file.read():
                return path
    raise Failure(f"no file in {folder} names {library}")


def interpret(output, status):
    """The results in the output of a program that ended with `status` (None: it was stopped for taking too long)."""
    results = []
    whole = None
    for line in output.splitlines():
        if not line.startswith("PIGLIT:"):
            continue
        try:
            values = json.loads(line[len("PIGLIT:"):])
        except ValueError:
            results.append((line, "unreadable"))
            continue
        results += values.get("subtest", {}).items()
        whole = values.get("result", whole)
    if status is None:
        whole = "timeout"
    elif status < 0:
        whole = signal.Signals(-status).name
    elif whole is None or (whole == "pass" and status != 0):
        whole = f"exit status {status}"
    return results + [(WHOLE, whole)]


running = set()  # the tests' processes, for an interrupted run to stop them


def run(test, piglit, prefix, environment, seconds):
    """Runs one test, at most `seconds`, in a process group of its own, of which nothing is left."""
    command = prefix + [os.path.join(piglit, "bin", test.command[0])] + test.command[1:]
    process = subprocess.Popen(command, cwd=piglit, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    running.add(process)
    try:
        output, _ = process.communicate(timeout=seconds)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        status = None
    running.discard(process)
    output = output.decode("utf-8", "replace")
    return Outcome(interpret(output, status), output)


def checks_for(test, arguments):
    """The rest of gensim's command line before the test's own."""
    if arguments.device == "pocl":
        return []
    kinds = "--check=memory,init,barrier" if test.name in RACING else "--check"
    return [kinds, "--suppress", os.path.join(FOLDER, "findings.txt"), "--"] if arguments.check else ["--"]


def run_all(piglit, tests, arguments):
    """Runs the tests, some at a time; yields (test, outcome) in their order."""
    with tempfile.TemporaryDirectory(prefix="piglit-") as folder:
        # The drivers' caches go where nothing is left of them.
        environment = dict(os.environ, HOME=folder, POCL_CACHE_DIR=folder)
        if arguments.device == "pocl":
            prefix = []
            environment["OCL_ICD_VENDORS"] = vendor_file("libpocl")
        else:
            prefix = [arguments.gensim, "-d", arguments.device]
            prefix += ["--check-scoreboard"] if arguments.check_scoreboard else []
            environment["OCL_ICD_VENDORS"] = vendor_file("libigdrcl")
            if arguments.simd:
                environment["IGC_ForceOCLSIMDWidth"] = str(arguments.simd)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            pending = [(test, pool.submit(run, test, piglit, prefix + checks_for(test, arguments), environment,
                                          arguments.timeout)) for test in tests]
            try:
                for test, future in pending:
                    yield test, future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in list(running):
                    if process.poll() is None:
                        os.killpg(process.pid, signal.SIGKILL)
                raise


def judge(test, outcome, wanted, limits):
    """Returns the errors of a simulated GPU's outcome as lines, if `wanted` results pass on PoCL."""
    failing = outcome.others()
    excused = set().union(*(limit.excuses(test, outcome) for limit in limits))
    # A whole that fails only because of results that may fail may fail.
    if all(name in excused for name, _ in failing if name != WHOLE) and len(failing) > 1 and (WHOLE, "fail") in failing:
        excused.add(WHOLE)
    wrong = [f"{name}: {status}" for name, status in failing if name not in excused]
    wrong += [line for line in outcome.output.splitlines() if line.startswith("gensim: ")]
    # A test that a row excuses as a whole may have stopped early.
    if len(outcome.results) < wanted and WHOLE not in excused:
        wrong.append(f"{len(outcome.results)} results, {wanted} pass on PoCL")
    return wrong


def print_outcome(test, outcome, wrong, folder):
    """One line for a test, more when something is wrong; what it printed goes to `folder` (None: nowhere) then."""
    print(f"{'WRONG' if wrong else 'ok'}: {test.name}: {outcome.passes()} of {len(outcome.results)} pass", flush=True)
    for line in wrong:
        print(f"    {line}")
    if wrong and folder:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, test.name.replace("/", "_") + ".txt"), "w", encoding="utf-8") as file:
            file.write(outcome.output)


def run_simulated(piglit, tests, arguments):
    """True when everything passes that has to."""
    reference = {test: int(passes) for passes, test in read_rows("pocl.txt", 2)}
    limits = read_limits(arguments.device)
    passes = failures = 0
    for test, outcome in run_all(piglit, tests, arguments):
        if test.name not in reference:
            raise Failure(f"pocl.txt has no test {test.name}")
        wrong = judge(test, outcome, reference[test.name], limits)
        print_outcome(test, outcome, wrong, arguments.output)
        passes += outcome.passes()
        failures += bool(wrong)
    for limit in limits:
        if limit.meant and not limit.used:
            print(f"WRONG: driver-limits.txt: {limit.test} | {limit.result}: does not fail so on {arguments.device}")
            failures += 1
    print(f"{arguments.device}: {len(tests)} tests, {passes} results pass, {failures} wrong")
    return failures == 0


def run_pocl(piglit, tests, arguments):
    """True when PoCL passes what pocl.txt says; with --write makes it say so."""
    passes = {test.name: outcome.passes() for test, outcome in run_all(piglit, tests, arguments)}
    if arguments.write:
        text = POCL_HEAD + "".join(f"{count} | {name}\n" for name, count in passes.items())
        with open(os.path.join(FOLDER, "pocl.txt"), "w", encoding="utf-8") as file:
            file.write(text)
        return True
    reference = {test: int(count) for count, test in read_rows("pocl.txt", 2)}
    differences = [name for name in passes if passes[name] != reference.get(name)]
    for name in differences:
        print(f"WRONG: {name}: {passes[name]} results pass, pocl.txt says {reference.get(name)}")
    print(f"pocl: {len(tests)} tests, {sum(passes.values())} results pass, {len(differences)} wrong")
    return not differences


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-d", "--device", required=True, choices=SIMULATED + ("pocl",), help="where to run")
    parser.add_argument("--gensim", default="gensim", help="the simulator's launcher (default: the one in PATH)")
    parser.add_argument("--tenth", action="store_true", help="run a fixed tenth of the tests")
    parser.add_argument("--simd", type=int, choices=(8, 16, 32),
                        help="work items in a thread, not the compiler's choice")
    parser.add_argument("--check-scoreboard", action="store_true", help="give this to gensim")
    parser.add_argument("--check", action="store_true",
                        help="give this to gensim: no finding but those of findings.txt")
    parser.add_argument("--only", default="", metavar="TEXT", help="run only tests with TEXT in the name")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="tests at a time (default: processors)")
    parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS", help="for one test (default: 300)")
    parser.add_argument("--output", metavar="FOLDER", help="keep there what each wrong test printed")
    parser.add_argument("--write", action="store_true", help="with -d pocl and all tests: write pocl.txt")
    arguments = parser.parse_args()
    if arguments.jobs < 1 or arguments.timeout <= 0:
        parser.error("jobs and seconds are positive numbers")
    if arguments.write and (arguments.device != "pocl" or arguments.tenth or arguments.only):
        parser.error("--write is for all tests on PoCL")
    if "/" in arguments.gensim:
        arguments.gensim = os.path.abspath(arguments.gensim)  # the tests run in piglit's folder
    return arguments


def main():
    arguments = parse_arguments()
    piglit = find_piglit()
    tests = [test for test in read_profile(piglit) if arguments.only in test.name]
    if arguments.tenth:
        tests = [test for test in tests if in_tenth(test)]
    if not tests:
        raise Failure("no test has such a name")
    runner = run_pocl if arguments.device == "pocl" else run_simulated
    return 0 if runner(piglit, tests, arguments) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Failure, OSError) as failure:
        print(f"run.py: error: {failure}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
