#!/usr/bin/env python3
"""Tests run.py with imitations of the suites' programs, and a gensim that only starts them."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.py")

GENSIM = """#!/bin/sh
shift 3
exec "$@"
"""

# A program of GoogleTest: Plain.good, Plain.bad, Many/Params.each/0..2, Ends.crash, Ends.hang, Ends.fault, Ends.after.
GTEST = r"""#!/usr/bin/env python3
import os, signal, sys, time
tests = ["Plain.good", "Plain.bad", "Plain.skipped", "Many/Params.each/0", "Many/Params.each/1", "Many/Params.each/2",
         "Ends.crash", "Ends.hang", "Ends.fault", "Ends.after"]
if "--gtest_list_tests" in sys.argv:
    print("Plain.\n  good\n  bad\n  skipped\nMany/Params.\n  each/0  # GetParam() = 4\n  each/1  # GetParam() = 5\n"
          "  each/2  # GetParam() = 6\nEnds.\n  crash\n  hang\n  fault\n  after\n  DISABLED_all")
    sys.exit(0)
for test in sys.argv[1][len("--gtest_filter="):].split(":"):
    with open(os.environ["STARTED"], "a") as file:
        file.write(test + "\n")
    print("[ RUN      ]", test, flush=True)
    if test == "Ends.crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if test == "Ends.hang":
        time.sleep(60)
    if test == "Ends.fault":
        print("gensim: fault: no such message", flush=True)
        sys.exit(126)
    if test == "Plain.bad":
        print("error: the driver says no\n[  FAILED  ] Plain.bad (1 ms)")
    elif test == "Many/Params.each/2":
        print("error: six\n[  FAILED  ] Many/Params.each/2, where GetParam() = 6 (1 ms)")
    elif test == "Plain.skipped":
        print("no such feature\n[  SKIPPED ] Plain.skipped (0 ms)")
    else:
        print("[       OK ]", test, "(0 ms)")
print("[==========] done")
"""

# A program of OpenCL-CTS: good, bad, without (is skipped), dies.
CTS = r"""#!/usr/bin/env python3
import json, os, sys
if sys.argv[1:] == ["-h"]:
    print("Usage: x [<test name>*]\n\n\tindented\nTest names:\n\tgood\n\tbad\n\twithout\n\tdies\n\nAnd constants.")
    sys.exit(0)
arguments, test = sys.argv[1:-1], sys.argv[-1]
print("arguments", *arguments)
if test == "dies":
    sys.exit(3)
result = {"good": "pass", "bad": "fail", "without": "skip"}[test]
if result == "skip":
    print("the device has no such extension")
with open(os.environ["CL_CONFORMANCE_RESULTS_FILENAME"], "w") as file:
    json.dump({"cmd": "x", "results": {test: result}}, file)
sys.exit(result == "fail")
"""

# One that lists its tests without a title.
UNTITLED = CTS.replace("Test names:", "-h help").replace("\\n\\nAnd constants.", "").replace("\\tindented\\n", "")

SILENT = """#!/bin/sh
echo what is this option
exit 1
"""


class RunTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = self.temporary.name
        self.gensim = self.write("gensim", GENSIM)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def run_it(self, suite, *options, device="icllp", programs="programs"):
        command = [sys.executable, RUN, "--suite", suite, "--programs", os.path.join(self.folder, programs), "-d",
                   device,
                   "--gensim", self.gensim, "--tables", self.folder, "-j", "2", *options]
        environment = dict(os.environ, STARTED=os.path.join(self.folder, "started"))
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=100)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def results(self, suite):
        with open(os.path.join(self.folder, f"conformance-{suite}-icllp.jsonl"), encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        return {line["test"]: line["result"] for line in lines[1:]}

    def assert_error(self, done, text):
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("run.py: error: ", done.stderr)
        self.assertIn(text, done.stderr)

    def test_bad_input(self):
        self.assert_error(self.run_it("cts"), "no folder")
        self.write("programs/readme.txt", "")
        self.assert_error(self.run_it("cts"), "holds no programs of cts")
        self.write("programs/test_a", CTS)
        self.assert_error(self.run_it("cts", device="dg2"), "'dg2'")
        self.assert_error(self.run_it("opengl"), "'opengl'")
        self.assert_error(self.run_it("cts", "-j", "0"), "positive")
        self.assert_error(self.run_it("cts", "--gensim", "/nowhere/gensim"), "/nowhere/gensim")
        for part in ("3/2", "0/2", "2", "", "1/2/3"):
            self.assert_error(self.run_it("cts", "--shard", part), f"--shard: '{part}' is no part like 2/8")
        self.assert_error(self.run_it("cts", "--shard", "1/2", "--write"), "--write needs the results of all programs")
        self.write("cts-passes.txt", "1 2 | test_a/good\n")
        self.assert_error(self.run_it("cts"), "cts-passes.txt:1: '1 2' is not 3 numbers or -")
        self.write("cts-passes.txt", "# nothing\n")
        self.write("cts-limits.txt", "test_a/bad | fail\n")
        self.assert_error(self.run_it("cts"), "cts-limits.txt:1: 2 fields instead of 4")
        self.write("cts-limits.txt", "")
        self.write("conformance-cts-icllp.jsonl", '{"suite": "cts", "device": "skl"}\n')
        self.assert_error(self.run_it("cts"), "results of another run")

    def test_only(self):
        self.write("programs/test_a", CTS)
        done = self.run_it("cts", "--only", "goo")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.results("cts"), {"test_a/good": "pass"})
        done = self.run_it("cts", "--only", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no test has 'nothing'", done.stderr)

    def test_shard(self):
        for name in ("test_a", "test_b", "test_c"):
            self.write(f"programs/{name}", CTS)
        parts = []
        for part in ("1", "2"):
            self.run_it("cts", "--shard", f"{part}/2", "--results", "conformance-cts-icllp.jsonl", "--again")
            parts.append({test.split("/")[0] for test in self.results("cts")})
        self.assertEqual(parts, [{"test_a", "test_c"}, {"test_b"}])

    def test_cts(self):
        self.write("programs/deep/test_a", CTS)
        self.write("programs/test_silent", SILENT)
        self.write("cts-arguments.txt", "test_a | small_images -w\n")
        done = self.run_it("cts")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.results("cts"), {"test_a/good": "pass", "test_a/bad": "fail", "test_a/without": "skip",
                                               "test_a/dies": "crash", "test_silent/-": "no list"})
        self.assertIn("new: test_a/good: 1 pass, the table has no row", done.stdout)
        self.assertIn("NEW: test_a/dies: crash: exit status 3 in the middle of the test", done.stdout)
        self.assertIn("NEW: test_a/bad: fail: arguments small_images -w", done.stdout)
        self.assertIn("NEW: test_silent/-: no list: what is this option", done.stdout)
        self.write("cts-limits.txt", "test_a/without | skip | skl icllp | no such extension\n"
                   "test_a/bad | fail | icllp | arguments\ntest_a/dies | crash | icllp | exit status 3\n"
                   "test_silent/- | no list | icllp | this option\n")
        done = self.run_it("cts", "--write")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(os.path.join(self.folder, "cts-passes.txt"), encoding="utf-8") as file:
            self.assertEqual([line for line in file if not line.startswith("#")], ["- 1 - | test_a/good\n"])
        self.assertNotIn("new", self.run_it("cts").stdout)

    def test_untitled_list(self):
        self.write("programs/test_a", UNTITLED)
        self.run_it("cts")
        self.assertEqual(sorted(self.results("cts")), ["test_a/bad", "test_a/dies", "test_a/good", "test_a/without"])

    def test_differences(self):
        self.write("programs/test_a", CTS)
        self.write("cts-passes.txt", "- 1 - | test_a/good\n- 1 - | test_a/bad\n- 1 - | test_a/was\n- 1 - | test_b/x\n")
        self.write("cts-limits.txt", "test_a/good | fail | icllp | x\ntest_a/without | skip | icllp | extension\n"
                   "test_a/dies | crash | icllp | exit\n")
        done = self.run_it("cts")
        self.assertEqual(done.returncode, 1)
        self.assertIn("WRONG: test_a/bad: fail", done.stdout)
        self.assertIn("GONE: cts-passes.txt: test_a/was: the program has no such test", done.stdout)
        self.assertIn("not here: test_b", done.stdout)
        self.assertIn("WRONG: cts-limits.txt:1: test_a/good | fail: no test does that on icllp", done.stdout)
        self.assertIn("4 tests: ", done.stdout)
        self.assertIn("3 not as the tables say", done.stdout)

    def test_level_zero(self):
        self.write("programs/test_a", GTEST)
        self.write("programs/test_a_helper", SILENT)
        self.write("level-zero-passes.txt", "- 3 - | test_a/Many/Params.each/*\n- 1 - | test_a/Ends.hang\n")
        done = self.run_it("level-zero", "--timeout", "2")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.results("level-zero"), {
            "test_a/Plain.good": "pass", "test_a/Plain.bad": "fail", "test_a/Plain.skipped": "skip",
            "test_a/Many/Params.each/0": "pass", "test_a/Many/Params.each/1": "pass",
            "test_a/Many/Params.each/2": "fail",
            "test_a/Ends.crash": "crash", "test_a/Ends.hang": "timeout", "test_a/Ends.fault": "fault",
            "test_a/Ends.after": "pass"})
        self.assertIn("NEW: test_a/Plain.bad: fail: error: the driver says no", done.stdout)
        self.assertIn("WRONG: test_a/Many/Params.each/2: fail: error: six", done.stdout)
        self.assertIn("NEW: test_a/Ends.crash: crash: signal SIGSEGV", done.stdout)
        self.assertIn("WRONG: test_a/Ends.hang: timeout: it ran into the time limit", done.stdout)
        self.assertIn("NEW: test_a/Ends.fault: fault: gensim: fault: no such message", done.stdout)
        with open(os.path.join(self.folder, "started"), encoding="utf-8") as file:
            started = file.read().split()
        self.assertEqual(len(started), len(set(started)))  # none ran twice

    def test_going_on(self):
        self.write("programs/test_a", CTS)
        path = self.write("conformance-cts-icllp.jsonl", '{"suite": "cts", "device": "icllp"}\n'
                          '{"test": "test_a/dies", "result": "pass", "seconds": 1, "output": ""}\n{"test": "test_a/go')
        done = self.run_it("cts")
        self.assertIn("4 tests in 1 programs, 1 results in", done.stdout)
        self.assertIn("3 to run", done.stdout)
        self.assertEqual(self.results("cts")["test_a/dies"], "pass")
        self.assertEqual(len(self.results("cts")), 4)
        done = self.run_it("cts", "--again", "pass")
        self.assertIn("4 tests in 1 programs, 2 results in", done.stdout)
        self.assertEqual(self.results("cts")["test_a/dies"], "crash")
        done = self.run_it("cts", "--again", "--only", "dies")
        self.assertEqual(self.results("cts"), {"test_a/dies": "crash"})
        before = os.path.getsize(path)
        self.assertIn("0 to run", self.run_it("cts", "--compare").stdout)
        self.assertEqual(os.path.getsize(path), before)


if __name__ == "__main__":
    unittest.main()
