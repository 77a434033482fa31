#!/usr/bin/env python3
"""Tests run.py with clients that only look like programs, and a gensim that only starts them."""

import os
import subprocess
import sys
import tempfile
import unittest

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.py")

# Writes statistics as gensim does: gensim -d DEVICE --stats FILE [OPTION...] -- PROGRAM ARGUMENT...
GENSIM = """#!/bin/sh
file=$(echo "$4" | sed "s/%p/$$/")
while [ "$1" != -- ]; do shift; done
shift
cat >"$file" <<END
{"kernels": [{"kernel": "small", "kernel_hash": "1", "instructions": 25},
             {"kernel": "large", "kernel_hash": "2", "instructions": 75}]}
END
exec "$@"
"""

RIGHT = '''"""Prints a number."""
import shared
DEVICES = ["skl", "dg2:current"]

def run(on):
    if int(on.gensim(["echo", "3"])) != int(on.plain(["echo", "3"])):
        raise shared.Wrong("another number")
    return "one number"
'''

OTHERS = {
    "wrong": RIGHT.replace('on.plain(["echo", "3"])', 'on.plain(["echo", "4"])'),
    "faulty": RIGHT.replace('["echo", "3"]', '["sh", "-c", "echo gensim: fault: no such message >&2; exit 126"]', 1),
    "missing": RIGHT.replace("DEVICES", 'DEBIAN = {"cmkit-no-such-package": "1.0"}\nDEVICES'),
    "other": RIGHT.replace("DEVICES", 'DEBIAN = {"dpkg": "0.1"}\nDEVICES'),
    "offline": RIGHT.replace("DEVICES", 'WHEELS = {"cmkit-no-such-wheel": "1.0"}\nDEVICES'),
    "endless": RIGHT.replace('["echo", "3"]', '["sleep", "60"]', 1).replace("DEVICES", "SECONDS = 1\nDEVICES"),
    "idle": RIGHT.replace("on.gensim", "on.plain"),
    "forgetful": RIGHT.replace('    return "one', '    open("/nonexistent/result")\n    return "one'),
}


class RunTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = self.temporary.name
        self.gensim = self.write("gensim", GENSIM)
        # No network and no root: neither is to be used here.
        self.write("bin/apt-get", "#!/bin/sh\necho 'E: Unable to locate package' >&2\nexit 100\n")
        for name, text in {"right": RIGHT, **OTHERS}.items():
            self.write(f"clients/{name}/client.py", text)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def run_clients(self, *arguments, status):
        environment = {**os.environ, "PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_EXTRA_INDEX_URL": "",
                       "PIP_RETRIES": "0", "PATH": os.path.join(self.folder, "bin") + ":" + os.environ["PATH"]}
        done = subprocess.run([sys.executable, RUN, "--gensim", self.gensim, "--work", self.folder + "/work",
                               "--clients", self.folder + "/clients", *arguments], capture_output=True, text=True,
                              env=environment, timeout=120)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def fields(self, *arguments, status):
        output, _ = self.run_clients(*arguments, status=status)
        return [line.split(" | ") for line in output.splitlines()]

    def test_right(self):
        first, second = self.fields("right", status=0)
        self.assertEqual([*first[:4], *first[5:]],
                         ["right -", "skl", "one number", "right", "100 instructions", "large 75%"])
        self.assertRegex(first[4], r"^\d+\.\d s$")
        self.assertEqual(second[1], "dg2 current")

    def test_results(self):
        for name, result in {"wrong": "wrong: another number",
                             "faulty": "failed: sh ended with 126: gensim: fault: no such message",
                             "endless": "failed: 60 did not end in 1 s", "idle": "wrong: no kernel ran"}.items():
            line, = self.fields("-d", "skl", name, status=1)
            self.assertEqual(line[3], result)
        line, = self.fields("-d", "skl", "forgetful", status=1)
        self.assertIn("failed: FileNotFoundError", line[3])

    def test_skipped(self):
        for name, reason in {"missing": "skipped: ", "other": "skipped: dpkg is ",
                             "offline": "skipped: pip install cmkit-no-such-wheel==1.0: "}.items():
            line, = self.fields("-d", "skl", name, status=0)
            self.assertTrue(line[3].startswith(reason), line[3])
            self.assertEqual(line[5:], ["0 instructions", "-"])

    def test_one_bad_of_several(self):
        lines = self.fields("-d", "skl", "right", "wrong", status=1)
        self.assertEqual([line[3] for line in lines], ["right", "wrong: another number"])

    def test_command_line(self):
        _, error = self.run_clients("nobody", status=2)
        self.assertIn("no client 'nobody'; there are endless, faulty,", error)
        output, _ = self.run_clients("--list", "right", status=0)
        self.assertRegex(output, r"^right +skl dg2:current +Prints a number\.$")

    def test_no_gensim(self):
        os.remove(self.gensim)
        _, error = self.run_clients("right", status=2)
        self.assertIn("no gensim at", error)

    def test_all_clients_load(self):
        done = subprocess.run([sys.executable, RUN, "--list"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        folder = os.path.dirname(RUN)
        for name in os.listdir(folder):
            if os.path.exists(os.path.join(folder, name, "client.py")):
                self.assertRegex(done.stdout, rf"(?m)^{name} ")


if __name__ == "__main__":
    unittest.main()
