"""Whose processor time a run was: samples of `perf record`, by the library that was at work.

A sample in one of gensim's own threads is the simulation's. Any other sample belongs to the first library of its call
chain that is no common one: the memory that a compiler allocates is the compiler's, although the C library does it.
"""
import collections
import glob
import os
import re
import subprocess

RATE = 99  # samples a second of processor time
STACK = 2048  # bytes of the stack that are kept with a sample, for its call chain
COMPILER, DRIVER, SIMULATION, CMC, REST = "Intel's compiler", "driver", "simulation", "cmc", "the rest"
OWNERS = [COMPILER, DRIVER, SIMULATION, CMC, REST]
# The first row that fits the library's name; the driver's compiler has Clang and LLVM as libraries.
LIBRARIES = [
    (COMPILER, r"libigc|libigdfcl|libopencl-clang|libcommon_clang|libLLVM|libclang|libiga|libgtpin|libSPIRV"),
    (DRIVER, r"libigdrcl|libze_|libigdgmm|libOpenCL|libocloc"),
    (SIMULATION, r"libgensim|gensim$"),
    (CMC, r"(cmc|cm-frontend)$"),
    (None, r"libc\.so|libc-|libm\.so|libstdc\+\+|libgcc_s|ld-linux|libpthread|^\[|\(inlined\)|\(deleted\)|^$"),
]
THREADS = {"gensim": SIMULATION, "cmc": CMC, "cm-frontend": CMC}  # by a thread's name


def command(work):
    """What stands before a command to sample it."""
    number = len(glob.glob(os.path.join(work, "perf-*.data")))
    return ["perf", "record", "-q", "-F", str(RATE), "--call-graph", f"dwarf,{STACK}", "-o",
            os.path.join(work, f"perf-{number}.data"), "--"]


def owner_of_library(path):
    name = os.path.basename(path)
    return next((owner for owner, pattern in LIBRARIES if re.search(pattern, name)), REST)


def owner_of(thread, libraries):
    """`libraries`: those of the call chain, the innermost first."""
    if thread in THREADS:
        return THREADS[thread]
    return next((owner for owner in map(owner_of_library, libraries) if owner), REST)


def samples(path, fields):
    """(thread, lines of the call chain) of each sample."""
    done = subprocess.run(["perf", "script", "--no-inline", "-i", path, "-F", fields], capture_output=True, text=True,
                          errors="replace")
    for part in done.stdout.split("\n\n"):
        lines = part.strip("\n").split("\n")
        if lines[0].strip():
            yield lines[0].strip(), lines[1:]


def shares(work):
    """Number of samples by owner, of all commands below `work`."""
    counts = collections.Counter()
    for path in glob.glob(os.path.join(work, "perf-*.data")):
        for thread, chain in samples(path, "comm,ip,dso"):
            found = (re.search(r"\((.*)\)\s*$", line) for line in chain)
            counts[owner_of(thread, [match.group(1) for match in found if match])] += 1
    return counts


def hottest(work, most=12):
    """[(function, samples)] of the simulation's innermost functions."""
    counts = collections.Counter()
    for path in glob.glob(os.path.join(work, "perf-*.data")):
        for thread, chain in samples(path, "comm,ip,sym,dso"):
            if THREADS.get(thread) == SIMULATION and chain:
                counts[re.sub(r"^\s*[0-9a-f]+ (.*) \(.*\)\s*$", r"\1", chain[0])] += 1
    return counts.most_common(most)


def share(part, total):
    if part == 0:
        return "-"
    return f"{100 * part / total:.{0 if part * 100 >= total else 1}f}%"


def row(name, version, device, what, counts):
    """A row of the table in docs/guide/clients.md."""
    total = sum(counts.values())
    parts = [share(counts[owner], total) for owner in OWNERS]
    return f"| {name} {version}, {what} | {device} | {total} | " + " | ".join(parts) + " |"
