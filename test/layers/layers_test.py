#!/usr/bin/env python3
"""Checks that tools/layers/layers.py reports each way to break the law, on a small tree that is made and compiled
here.
"""
import sys
import unittest

import tree

COMPILER = sys.argv.pop()

LIST = """
[src]
low: bottom
high: top
main: the program
"""


class Layers(unittest.TestCase):
    def check(self, files, layers=LIST):
        return tree.check("layers.py", COMPILER, dict(files, **{"tools/layers/layers.txt": layers}))

    def test_law_kept(self):
        status, words = self.check({"src/low/a.h": "void a(void);", "src/low/a.c": "void a(void) {}",
                                    "src/high/b.c": '#include "src/low/a.h"\nvoid b(void) { a(); }',
                                    "src/main.c": "void b(void); int main(void) { b(); }"})
        self.assertEqual((status, words), (0, "4 files, 1 includes, 2 calls between files\n"))

    def test_include_upward(self):
        status, words = self.check({"src/high/b.h": "", "src/low/a.c": '\n#include "../high/b.h"\n'})
        self.assertEqual(status, 1)
        self.assertIn("src/low/a.c:2 includes src/high/b.h: [src] low -> high runs the wrong way", words)

    def test_call_upward(self):
        status, words = self.check({"src/high/b.c": "void b(void) {}",
                                    "src/low/a.c": "void b(void); void a(void) { b(); }"})
        self.assertEqual(status, 1)
        self.assertIn("src/low/a.c uses b of src/high/b.c: [src] low -> high runs the wrong way", words)

    def test_layers_that_may_not_be_used(self):
        status, words = self.check({"src/low/a.h": "", "src/high/b.c": '#include "src/low/a.h"\n'},
                                   "[src]\nlow: bottom\nhigh uses nothing: top\n")
        self.assertEqual(status, 1)
        self.assertIn("src/high/b.c:1 includes src/low/a.h: [src] high -> low runs the wrong way", words)

    def circle(self, count):
        return {f"src/low/f{i}.c": f"void f{(i + 1) % count}(void); void f{i}(void) {{ f{(i + 1) % count}(); }}"
                for i in range(count)}

    def test_circles(self):
        self.assertEqual(self.check(self.circle(3))[0], 0)
        status, words = self.check(self.circle(4))
        self.assertEqual(status, 1)
        self.assertIn("[src] 4 files call each other in a circle", words)

    def test_file_without_layer(self):
        status, words = self.check({"src/other.c": ""})
        self.assertEqual(status, 1)
        self.assertIn("src/other.c: no layer of [src] holds this file", words)

    def test_list_with_a_mistake(self):
        self.assertNotEqual(self.check({}, "[src]\nhigh uses low: top\n")[0], 0)


if __name__ == "__main__":
    unittest.main()
