"""OpenCV's T-API: functions on a UMat (OpenCL) against the same functions on a Mat (processor)."""
import os

import shared

DEVICES = ["skl", "icllp", "tgllp", "dg2"]
DEBIAN = {"python3-opencv": "4.6.0"}
SECONDS = 500
PYTHON = "/usr/bin/python3"  # Debian's own: its modules are for no other


def run(on):
    output = on.gensim([PYTHON, os.path.join(on.folder, "case.py")], {"OPENCV_OPENCL_DEVICE": ":GPU:0"})
    cases = [line.split()[1:] for line in output.splitlines() if line.startswith("case ")]
    wrong = [f"{name} by {difference}" for name, difference, verdict in cases if verdict != "right"]
    if wrong or not cases:
        raise shared.Wrong(f"{len(wrong)} of {len(cases)} functions differ: " + ", ".join(wrong))
    return f"{len(cases)} functions"
