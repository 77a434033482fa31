#!/usr/bin/env python3
"""Compiles kernels with cmc-hostile and expects the vISA text of cmc, or one clean error when memory runs out.

hostile.py [--part K/N] BIN-FOLDER ROOT    status 1 names each kernel for which cmc-hostile prints other vISA, crashes,
                                           or does not end a failed allocation with "out of memory", status 1 and no
                                           output file. Where only a warning's source line needed the memory, it
                                           prints the vISA of cmc

The kernels are those of test/kernels and benchmarks: with --part those whose hash of the name is K of 0 to N - 1, on
the first and the last of PLATFORMS that take them; otherwise one of EVERY, on the first. Allocations fail at FAILURES
points, spread evenly over those that the kernel makes.
"""
import glob
import hashlib
import os
import re
import subprocess
import sys
import tempfile

EVERY, FAILURES, SECONDS = 16, 6, 120
PLATFORMS = ("SKL", "ICLLP", "TGLLP", "DG2")


def kernels(root, part, parts):
    paths = sorted(glob.glob(root + "/test/kernels/**/*.cm", recursive=True) + glob.glob(root + "/benchmarks/*/*.cm"))
    return [path for path in paths if number(os.path.relpath(path, root)) % parts == part]


def number(text):
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def compile_text(program, platform, source, out, **environment):
    run = subprocess.run([program, "-march=" + platform, "-S", source, "-o", out], capture_output=True, text=True,
                         timeout=SECONDS, env={**os.environ, **environment})
    text = None
    if os.path.exists(out):
        with open(out, errors="replace") as file:
            text = file.read()
        os.remove(out)
    return run, text


class Kernel:
    def __init__(self, folder, path, out):
        self.path, self.out, self.faults = path, os.path.join(out, "out.visaasm"), []
        self.cmc, self.hostile = os.path.join(folder, "cmc"), os.path.join(folder, "cmc-hostile")

    def fault(self, platform, words, run):
        self.faults.append(f"{self.path} on {platform}: {words}: status {run.returncode}\n{run.stderr[-600:]}")

    def check(self, platforms):
        """Compares on the first of these platforms that takes the kernel, and returns it; None if none does."""
        for platform in platforms:
            reference, text = compile_text(self.cmc, platform, self.path, self.out)
            if reference.returncode == 0:
                self.compare(platform, text)
                return platform
        return None

    def compare(self, platform, text):
        run, hostile_text = compile_text(self.hostile, platform, self.path, self.out, CMKIT_HOSTILE_COUNT="1")
        count = re.search(r"hostile: (\d+) allocations", run.stderr)
        if run.returncode or hostile_text != text or not count or not int(count[1]):
            self.fault(platform, "not the vISA of cmc", run)
            return
        total = int(count[1])
        for i in range(FAILURES):
            at = 1 + i * (total - 1) // max(FAILURES - 1, 1)
            run, left = compile_text(self.hostile, platform, self.path, self.out, CMKIT_HOSTILE_FAIL=str(at))
            ends = run.returncode == 1 and "out of memory" in run.stderr and left is None
            if not ends and (run.returncode or left != text):
                self.fault(platform, f"no clean end when allocation {at} of {total} fails", run)


def main():
    arguments, part, parts = sys.argv[1:], 0, EVERY
    given = re.fullmatch(r"(\d+)/(\d+)", arguments[1]) if arguments[:1] == ["--part"] and len(arguments) == 4 else None
    if given:
        part, parts = map(int, given.groups())
    if (len(arguments) != 2 and not given) or part >= parts:
        sys.exit(__doc__)
    folder, root = arguments[-2:]
    faults, compared = [], 0
    with tempfile.TemporaryDirectory() as out:
        for path in kernels(root, part, parts):
            kernel = Kernel(folder, path, out)
            first = kernel.check(PLATFORMS)
            if given and first:
                kernel.check([p for p in reversed(PLATFORMS) if p != first])
            compared += first is not None
            faults += kernel.faults
    print("\n".join(faults + [f"{compared} kernels compared, {len(faults)} faults"]))
    return bool(faults) or not compared


if __name__ == "__main__":
    sys.exit(main())
