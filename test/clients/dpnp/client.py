"""dpnp's own tests, a fixed third of each file: arrays of NumPy's kind on SYCL and Level Zero."""
import glob
import os
import re

import shared

DEVICES = ["tgllp:current"]
WHEELS = {"dpnp": "0.20.0", "dpctl": "0.22.1", "pytest": "9.2.0"}
SECONDS = 600
MOST = 60  # seconds of a file's tests; what they do not reach is counted
# Whose a failure is, by the message: the first row that fits. What fits none is ours until it is known better.
SORTS = [
    ("the test's", r"fixture .* not found|ModuleNotFoundError|SyntaxError"),
    ("the driver's", r"OpenCL error|UR_RESULT_ERROR|PI_ERROR|Native API failed|IGC|ze\w+ failed"),
    ("ours", r"gensim: fault.*"),
]


def sort_of(message):
    return next((whose for whose, pattern in SORTS if re.search(pattern, message)), "ours")


def failures(output):
    """(test, message) of each that failed, from pytest's summary."""
    return re.findall(r"^(?:FAILED|ERROR) \S+?::(\S+)(?: - (.*))?$", output, re.MULTILINE)


def run_file(on, path):
    """Passed tests, those that the time left out, and the failures of one file; a fault of gensim is one."""
    environment = {"PYTHONPATH": on.folder, "THIRD_SECONDS": str(MOST)}
    output = on.gensim([on.python, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "-p", "third", path],
                       environment, statuses=(0, 1, 5, 126))
    found = failures(output)
    fault = re.search(r"gensim: fault: .*", output)
    if fault:
        found.append((os.path.basename(path), fault.group(0)))
    passed = sum(map(int, re.findall(r"(\d+) passed", output)))
    return passed, sum(map(int, re.findall(r"left out by time: (\d+)", output))), found


def run(on):
    """Level Zero is the default; ONEAPI_DEVICE_SELECTOR=level_zero:gpu would hide OpenCL, which oneMKL's Fourier
    transforms need too. Each file of tests is a process of its own, so that one that faults or hangs costs no more than
    itself."""
    folder = glob.glob(os.path.join(os.path.dirname(on.python), "..", "lib", "python3*", "site-packages", "dpnp",
                                    "tests"))[0]
    files = sorted(glob.glob(os.path.join(folder, "test_*.py")))
    passed, left, failed = 0, 0, []
    for path in files:
        some, late, found = run_file(on, path)
        passed, left, failed = passed + some, left + late, failed + found
    if failed:
        raise shared.Wrong(f"{passed} pass, {left} not reached, {len(failed)} fail: " + "; ".join(
            f"{name} ({sort_of(message)}: {message})" for name, message in failed))
    return f"{passed} tests of {len(files)} files pass, {left} not reached in {MOST} s each"
