"""pyopencl's own tests, with the same results as on PoCL."""
import os
import re

import shared

DEVICES = ["skl", "icllp", "tgllp", "dg2"]
DEBIAN = {"python3-pyopencl": "2022.3.1", "python3-pytest": "7.2.1", "pocl-opencl-icd": "3.1"}
SECONDS = 600
PYTHON = "/usr/bin/python3"  # Debian's own: its modules are for no other
FILES = ["test_wrapper.py", "test_enqueue_copy.py", "test_arrays_in_structs.py"]
# Tests that take minutes in the simulator: they sort, scan and fill megabytes.
LEFT_OUT = "not (bitonic or enqueue_copy_rect_3d or header_dep_handling or big)"


def outcomes(output):
    """Result by test. The name of a parameter is left out: it has the name of the device."""
    found = re.findall(r"^\S*::(test_\w+).*\b(PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS)\b +\[", output, re.MULTILINE)
    results = {}
    for name, result in found:
        number = sum(test.split("#")[0] == name for test in results)
        results[f"{name}#{number}"] = result
    return results


def run(on):
    tree = shared.find_source(on.downloads, "pyopencl", on.version.split("+")[0])
    command = [PYTHON, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-k", LEFT_OUT, "--rootdir", on.work,
               *(os.path.join(tree, "test", name) for name in FILES)]
    here = outcomes(on.gensim(command, {"PYOPENCL_TEST": "0:0"}, statuses=(0, 1)))
    there = outcomes(on.plain(command, {"PYOPENCL_TEST": "0:0"}, statuses=(0, 1)))
    passed = sum(result == "PASSED" for result in here.values())
    worse = sorted(test for test, result in there.items() if result == "PASSED" and here.get(test) not in
                   ("PASSED", "SKIPPED"))
    if worse or not passed:
        raise shared.Wrong(f"{len(worse)} tests pass on PoCL only: " + ", ".join(worse))
    return f"{passed} of {len(here)} tests pass"
