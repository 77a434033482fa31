"""Runs cmbench in the tests of this folder, and compares what it gives with what it should."""
import subprocess
import sys


def runner(cmbench):
    """Returns run(*words), which gives the status, the output and the errors of cmbench with these words."""
    def run(*words):
        done = subprocess.run([cmbench, *words], capture_output=True, text=True, timeout=500, check=False)
        return done.returncode, done.stdout, done.stderr

    return run


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found!r} instead of {wanted!r}")
