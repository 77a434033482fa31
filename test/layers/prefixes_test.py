#!/usr/bin/env python3
"""Checks that tools/layers/prefixes.py reports each external name without its folder's prefix, on a small tree made
here.
"""
import sys
import unittest

import tree

COMPILER = sys.argv.pop()

LIST = """
src/**: pass
src/low: low tree
src/high: high tree_top
"""


class Prefixes(unittest.TestCase):
    def check(self, files, prefixes=LIST):
        return tree.check("prefixes.py", COMPILER, dict(files, **{"tools/layers/prefixes.txt": prefixes}))

    def refused(self, files, words):
        status, output = self.check(files)
        self.assertEqual(status, 1, output)
        self.assertIn(words, output)

    def test_law_kept(self):
        status, words = self.check({"src/low/a.c": "int low; static int x; void tree_cut(void) {} void pass_a(void) {}",
                                    "src/low/a.h": "struct tree {\n    int x;\n};\nstruct other;\n"
                                                   "struct other *tree_get(void);\n",
                                    "src/high/b.c": "void tree_top_cut(void) {} int main(void) {}",
                                    "src/other/c.c": "void free_of_the_law(void) {}"})
        self.assertEqual((status, words), (0, "5 external names in 2 folders\n"))

    def test_function(self):
        self.refused({"src/low/a.c": "void cut(void) {}"}, "src/low/a.c exports cut: no prefix of src/low (low tree)")

    def test_variable(self):
        self.refused({"src/low/a.c": "int lower;"}, "src/low/a.c exports lower: no prefix")

    def test_prefix_of_another_folder(self):
        self.refused({"src/high/b.c": "void tree_cut(void) {}"}, "src/high/b.c exports tree_cut: no prefix of src/high")
        self.refused({"src/low/b.c": "void tree_top(void) {}"}, "src/low/b.c exports tree_top: no prefix of src/low")

    def test_folder_below(self):
        self.refused({"src/low/deep/a.c": "void deep(void) {}"}, "src/low/deep/a.c exports deep: no prefix of src/low")

    def test_types(self):
        self.refused({"src/low/a.h": "struct part {\n    int x;\n};\n", "src/low/a.c": "int low;"},
                     "src/low/a.h defines the type part")
        self.refused({"src/low/a.h": "enum kind { A, B };\n", "src/low/a.c": "int low;"},
                     "src/low/a.h defines the type kind")
        self.refused({"src/low/a.h": "typedef void visit(int);\n", "src/low/a.c": "int low;"}, "defines the type visit")

    def test_stand_in(self):
        status, words = self.check({"src/low/a.c": "void tree_cut(void) {}",
                                    "src/high/none.c": "void tree_cut(void) {}"})
        self.assertEqual((status, words), (0, "2 external names in 2 folders\n"))

    def test_two_owners(self):
        self.assertIn("'low' is a prefix of src/low", self.check({"src/low/a.c": "int low;"}, LIST
                                                                 + "src/more: low\n")[1])


unittest.main()
