"""dpnp's own tests, a fixed third of each file: arrays of NumPy's kind on SYCL and Level Zero.

A file is named by its path below dpnp's folder of tests. Its own tests are there, those of dpnp.tensor, which was
dpctl's, are below tensor/, and those that it took from CuPy below third_party/.
"""
import collections
import glob
import json
import os
import re

import shared

DEVICES = ["tgllp:current"]
WHEELS = {"dpnp": "0.20.0", "dpctl": "0.22.1", "pytest": "9.2.0"}
MOST = int(os.environ.get("DPNP_SECONDS", "60"))  # seconds of a file's tests; what they do not reach is counted
# Seconds of a test. One that has not ended is counted, and the file's other tests go on in a new process.
MOST_OF_TEST = max(300, MOST)
SECONDS = MOST + MOST_OF_TEST + 300
# Whose a failure is, by the message: the first row that fits. What fits none is ours until it is known better.
SORTS = [
    ("the test's", r"fixture .* not found|ModuleNotFoundError|SyntaxError"),
    ("the driver's", r"OpenCL error|UR_RESULT_ERROR|PI_ERROR|Native API failed|IGC|ze\w+ failed"),
    ("ours", r"gensim: fault.*"),
]


def sort_of(message):
    return next((whose for whose, pattern in SORTS if re.search(pattern, message)), "ours")


def read_record(path):
    """[outcome, message] by test, as third.py has written them; a test's last line counts."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return {name: [outcome, message] for name, outcome, message in map(json.loads, file)}


def run_file(on, folder, name):
    """[outcome, message] by test of one file. A process that ends within a test costs that test alone."""
    record = os.path.join(on.work, name.replace(".py", ".record").replace("/", "-"))
    environment = {"PYTHONPATH": on.folder, "THIRD_SECONDS": str(MOST), "THIRD_TEST": str(MOST_OF_TEST),
                   "THIRD_RECORD": record, "THIRD_NAME": name}
    command = [on.python, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "third",
               os.path.join(folder, name)]
    while True:
        before = len(read_record(record))
        output = on.gensim(command, environment, statuses=range(-64, 256))
        results = read_record(record)
        begun = [test for test, (outcome, _) in results.items() if outcome == "begun"]
        fault = re.search(r"gensim: fault: .*", output)
        for test in begun:
            results[test] = ["failed", fault.group(0) if fault else "did not end: " + shared.why(output)]
        if begun:
            with open(record, "a", encoding="utf-8") as file:
                file.writelines(json.dumps([test, *results[test]]) + "\n" for test in begun)
        elif fault:
            results[name] = ["failed", fault.group(0)]
        broken = re.search(r"^ERROR (\S+)(?: - (.*))?$", output, re.MULTILINE)
        if broken and not results:
            results[name] = ["failed", broken.group(2) or broken.group(0)]
        if not begun or len(results) == before:
            return results


def run(on):
    """Level Zero is the default; ONEAPI_DEVICE_SELECTOR=level_zero:gpu would hide OpenCL, which oneMKL's Fourier
    transforms need too. Each file of tests is a process of its own, so that one that faults or hangs costs no more than
    itself."""
    folder = glob.glob(os.path.join(os.path.dirname(on.python), "..", "lib", "python3*", "site-packages", "dpnp",
                                    "tests"))[0]
    files = on.chosen(sorted(os.path.relpath(path, folder) for path in
                             glob.glob(os.path.join(folder, "**", "test_*.py"), recursive=True)))
    results = {}
    for name in files:
        results.update(run_file(on, folder, name))
    counts = collections.Counter(outcome for outcome, _ in results.values())
    failed = [(name, message) for name, (outcome, message) in results.items() if outcome == "failed"]
    text = f"{counts['passed']} tests of {len(files)} files pass, {counts['skipped']} do not apply"
    text += f", {counts['late']} not reached in {MOST} s for each file" if counts["late"] else ""
    if failed:
        raise shared.Wrong(f"{text}, {len(failed)} fail: " + "; ".join(
            f"{name} ({sort_of(message)}: {shared.one_line(message)})" for name, message in failed))
    return text
