"""CLBlast's own tests of routines, against a CBLAS on the host."""
import re

import shared

DEVICES = ["skl", "icllp", "tgllp", "dg2"]
DEBIAN = {"clblast-tests": "1.5.3"}
SECONDS = 600
# One routine of each kind of kernel. Not xaxpybatched: in half precision its kernel reads floats where the library
# stores halves.
ROUTINES = ["xaxpy", "xcopy", "xswap", "xscal", "xdot", "xdotu", "xdotc", "xnrm2", "xasum", "xamax",
            "xhad", "xomatcopy", "xger", "xgemv", "xim2col"]
# Wrong on all devices, for a reason that is not known. PoCL has no half precision to compare with.
KNOWN = ["iHAMAX"]


def count(output):
    """Passed and failed tests by the routines of one program, one routine for each precision."""
    counts = {"passed": 0, "failed": 0}
    for part in output.split("Starting tests for the '")[1:]:
        if part.split("'")[0] not in KNOWN:
            for kind in counts:
                counts[kind] += sum(map(int, re.findall(rf"^ *(\d+) test\(s\) {kind}", part, re.MULTILINE)))
    return counts


def run(on):
    passed = 0
    for routine in ROUTINES:
        output = on.gensim(["clblast_test_" + routine], statuses=(0, 1, 12))
        counts = count(re.sub(r"\x1b\[[0-9;]*m", "", output))
        if counts["failed"] or not counts["passed"]:
            raise shared.Wrong(f"{routine}: {counts['failed']} tests failed, {counts['passed']} passed")
        passed += counts["passed"]
    return f"{len(ROUTINES)} routines, {passed} tests"
