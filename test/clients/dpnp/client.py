"""dpnp's own tests, every third file: arrays of NumPy's kind on SYCL and Level Zero."""
import glob
import os
import re

import shared

DEVICES = ["tgllp:current"]
WHEELS = {"dpnp": "0.20.0", "dpctl": "0.22.1", "pytest": "9.2.0"}
SECONDS = 300


def run(on):
    """Level Zero is the default; ONEAPI_DEVICE_SELECTOR=level_zero:gpu would hide OpenCL, which oneMKL's Fourier
    transforms need too. Each file of tests is a process of its own, so that one that hangs costs no more than
    itself."""
    folder = glob.glob(os.path.join(os.path.dirname(on.python), "..", "lib", "python3*", "site-packages", "dpnp",
                                    "tests"))[0]
    files = sorted(glob.glob(os.path.join(folder, "test_*.py")))[::3]
    passed, failed = 0, []
    for path in files:
        output = on.gensim([on.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", path],
                           statuses=(0, 1, 5))
        failed += re.findall(r"^(?:FAILED|ERROR) \S+::(\w+)", output, re.MULTILINE)
        passed += sum(map(int, re.findall(r"(\d+) passed", output)))
    if failed:
        raise shared.Wrong(f"{len(failed)} tests fail, {passed} pass: " + ", ".join(failed))
    return f"{passed} tests of {len(files)} files pass"
