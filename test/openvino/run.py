#!/usr/bin/env python3
"""Runs OpenVINO's CM kernels on simulated GPUs, against references in float64.

run.py FOLDER BIN [-d DEVICE]... [-k TEXT] [FAMILY]...: FOLDER holds the kernels somewhere (OpenVINO's
src/plugins/intel_gpu/src/graph/impls/cm and the repository of its developers' scripts, usstq/aboutSHW); BIN holds
cmc, cmrun and gensim. Devices: dg2 pvc lnl bmg (default: all). Families: default all. -k: only cases whose name has
TEXT. Needs NumPy. Exit status 1: a result is wrong, or a kernel was refused.
"""
import argparse
import importlib
import sys
import time

import lab

FAMILIES = ("attention", "paged", "gemm")


def attempt(place, case):
    """Returns how it went, and whether that is a failure."""
    try:
        error, bound = case(place)
    except lab.Left as reason:
        return f"left out: {reason}", False
    except lab.Refused as reason:
        return f"REFUSED {reason}", True
    wrong = not error <= bound
    return f"{'WRONG' if wrong else 'right'}, largest error {error:.1e}, bound {bound:.1e}", wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("bin")
    parser.add_argument("-d", "--device", action="append", choices=list(lab.DEVICES))
    parser.add_argument("-k", "--keyword", default="")
    parser.add_argument("family", nargs="*")
    options = parser.parse_intermixed_args()
    failed = 0
    for name in options.device or lab.DEVICES:
        place = lab.Lab(options.folder, options.bin, lab.DEVICES[name])
        for family in options.family or FAMILIES:
            for label, case in importlib.import_module(family).cases(lab.DEVICES[name]):
                if options.keyword not in label:
                    continue
                start = time.monotonic()
                result, failure = attempt(place, case)
                failed += failure
                print(f"{name}: {label}: {result} ({time.monotonic() - start:.0f} s)", flush=True)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
