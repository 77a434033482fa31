#!/usr/bin/env python3
"""Checks that tools/passes/passes.py reports each kind of fault in a table of passes, on small tables that are made
here.
"""
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/passes/passes.py")

TABLE = '''
PASS(pass_a, "a", O0, "", "", "Does a.")
PASS(pass_b, "b", O1, "a", "",
     "Does b.")
LLVM_PASS("function(instcombine<no-verify-fixpoint>,adce)", "c", LANES, "a b", "", "Does c.")
STEP(D, "d", "Does d.")
'''
FUNCTIONS = "bool pass_a(int x)\n{\n}\n\nbool pass_b(int x)\n{\n}\n"


class Passes(unittest.TestCase):
    def run_check(self, table, functions=FUNCTIONS, stale=False):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "lower/scalar"))
            os.makedirs(os.path.join(root, "docs/compiler"))
            for path, text in (("lower/passes.def", table), ("lower/scalar/a.c", functions)):
                with open(os.path.join(root, path), "w") as out:
                    out.write(text)
            page = subprocess.run([sys.executable, SCRIPT, "page", root], capture_output=True, text=True).stdout
            with open(os.path.join(root, "docs/compiler/passes.md"), "w") as out:
                out.write(page + ("stale" if stale else ""))
            run = subprocess.run([sys.executable, SCRIPT, "check", root], capture_output=True, text=True)
            return run.returncode, run.stdout, page

    def test_good_table(self):
        status, words, page = self.run_check(TABLE)
        self.assertEqual((status, words), (0, ""))
        self.assertIn("| `b` | `scalar/a.c` | -O1 | a |  | Does b. |", page)
        self.assertIn("| `c` | LLVM | -O1, SIMD control flow | a b |  | Does c. |", page)
        self.assertIn("| `d` | Does d. |", page)

    def fault(self, expected, *arguments, **options):
        status, words, _ = self.run_check(*arguments, **options)
        self.assertEqual((status, words), (1, expected + "\n"))

    def test_needed_pass_comes_later(self):
        self.fault("pass a needs b, which does not run before it", TABLE.replace('O0, ""', 'O0, "b"'))

    def test_needed_pass_has_higher_level(self):
        self.fault("pass b (O1) needs a, which runs at LANES only", TABLE.replace('"a", O0', '"a", LANES'))

    def test_pass_that_must_not_follow(self):
        self.fault("pass b must not run after a", TABLE.replace('O1, "a", ""', 'O1, "a", "a"'))

    def test_unknown_name(self):
        self.fault("pass b names 'z', which is no pass", TABLE.replace('O1, "a", ""', 'O1, "a", "z"'))

    def test_two_rows_of_one_name(self):
        self.fault("pass a has two rows", TABLE.replace('"Does b.")',
                                                        '"Does b.")\nPASS(pass_a, "a", O0, "", "", "Does a.")'))

    def test_missing_function(self):
        self.fault("no file of lower/ defines pass_b", TABLE, FUNCTIONS.replace("pass_b", "other"))

    def test_missing_row(self):
        self.fault("lower/scalar/a.c: pass_e has no row", TABLE, FUNCTIONS + "\nbool pass_e(int x)\n{\n}\n")

    def test_stale_page(self):
        self.fault("docs/compiler/passes.md is not up to date: tools/passes/passes.py page > docs/compiler/passes.md",
                   TABLE, stale=True)


if __name__ == "__main__":
    unittest.main()
