"""ViennaCL's OpenCL back end: vectors, dense and sparse products, solvers, an FFT, compared with loops on the host."""
import os

import shared

DEVICES = ["skl", "icllp", "tgllp", "dg2"]
DEBIAN = {"libviennacl-dev": "1.7.1", "ocl-icd-opencl-dev": "2.3.1"}
WORST = 1e-4  # relative to the largest value of the result
OPERATIONS = ["axpy", "inner_prod", "norm_2", "gemv", "gemm", "solve", "spmv", "cg", "fft"]


def run(on):
    program = os.path.join(on.work, "program")
    on.plain(["c++", "-O1", "-w", os.path.join(on.folder, "program.cpp"), "-o", program, "-lOpenCL"])
    lines = [line.split() for line in on.gensim([program]).splitlines()]
    worst = {words[0]: float(words[1]) for words in lines if len(words) == 2 and words[0] in OPERATIONS}
    missing = [name for name in OPERATIONS if name not in worst]
    wrong = [f"{name} {value:g}" for name, value in worst.items() if not value < WORST]
    if missing or wrong:
        raise shared.Wrong("difference of " + ", ".join(wrong) if wrong else "no result of " + ", ".join(missing))
    return f"{len(worst)} operations, worst difference {max(worst.values()):.1g}"
