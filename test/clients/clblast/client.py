"""CLBlast's own tests of routines, against a CBLAS on the host."""
import os
import re

import shared

DEVICES = ["skl", "icllp", "tgllp", "dg2"]
DEBIAN = {"clblast-tests": "1.5.3", "libclblast-dev": "1.5.3", "ocl-icd-opencl-dev": "2.3.1"}
SECONDS = 600
# One routine of each kind of kernel. Not xaxpybatched: in half precision its kernel reads floats where the library
# stores halves.
ROUTINES = ["xaxpy", "xcopy", "xswap", "xscal", "xdot", "xdotu", "xdotc", "xnrm2", "xasum", "xamax",
            "xhad", "xomatcopy", "xger", "xgemv", "xim2col"]
# Its reference's index does not survive the conversion of the result to halves: ihamax.c checks it instead.
KNOWN = ["iHAMAX"]


def count(output):
    """Passed and failed tests by the routines of one program, one routine for each precision."""
    counts = {"passed": 0, "failed": 0}
    for part in output.split("Starting tests for the '")[1:]:
        if part.split("'")[0] not in KNOWN:
            for kind in counts:
                counts[kind] += sum(map(int, re.findall(rf"^ *(\d+) test\(s\) {kind}", part, re.MULTILINE)))
    return counts


def check_half_index(on):
    program = os.path.join(on.work, "ihamax")
    on.plain(["cc", "-O1", os.path.join(on.folder, "ihamax.c"), "-o", program, "-lclblast", "-lOpenCL"])
    words = shared.last_line(on.gensim([program])).split()
    if words[0] != "vectors" or words[2] != "0":
        raise shared.Wrong("iHAMAX: " + " ".join(words))


def run(on):
    routines, passed = on.chosen(ROUTINES), 0
    if routines == ROUTINES:
        check_half_index(on)
    for routine in routines:
        output = on.gensim(["clblast_test_" + routine], statuses=(0, 1, 12))
        counts = count(re.sub(r"\x1b\[[0-9;]*m", "", output))
        if counts["failed"] or not counts["passed"]:
            raise shared.Wrong(f"{routine}: {counts['failed']} tests failed, {counts['passed']} passed")
        passed += counts["passed"]
    return f"{len(routines)} routines, {passed} tests"
