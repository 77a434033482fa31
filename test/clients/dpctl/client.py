"""dpctl's own tests: queues, events, memory and programs of SYCL on Level Zero."""
import glob
import os
import re

import shared

DEVICES = ["tgllp:current"]
WHEELS = {"dpctl": "0.22.1", "pytest": "9.2.0"}
SECONDS = 300
# Tests that fail for another reason than the device: the first four start another Python, which has the installed
# driver and crashes in it; the last compiles with a compiler of SYCL.
KNOWN = {"test_main_full_list", "test_main_long_list", "test_main_summary", "test_main_warnings", "test_cython_api"}


def run(on):
    """Each file of tests is a process of its own, so that one that hangs costs no more than itself."""
    folder = glob.glob(os.path.join(os.path.dirname(on.python), "..", "lib", "python3*", "site-packages", "dpctl",
                                    "tests"))[0]
    passed, failed = 0, []
    files = sorted(os.path.basename(path) for path in glob.glob(os.path.join(folder, "test_*.py")))
    for path in (os.path.join(folder, name) for name in on.chosen(files)):
        output = on.gensim([on.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", path],
                           {"ONEAPI_DEVICE_SELECTOR": "level_zero:gpu"}, statuses=(0, 1, 5))
        failed += [name for name in re.findall(r"^(?:FAILED|ERROR) \S+::(\w+)", output, re.MULTILINE)
                   if name not in KNOWN]
        passed += sum(map(int, re.findall(r"(\d+) passed", output)))
    if failed:
        raise shared.Wrong(f"{len(failed)} tests fail, {passed} pass: " + ", ".join(failed))
    return f"{passed} tests pass, {len(KNOWN)} known not to"
