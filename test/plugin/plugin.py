#!/usr/bin/env python3
"""Runs kernels under gensim --plugin and compares the counts of plug-ins with arithmetic and with --stats.

    plugin.py DEVICE BIN-FOLDER WORK-FOLDER SOURCE-FOLDER CC
"""
import json
import math
import os
import subprocess
import sys

device, programs, work, sources, compiler = sys.argv[1:6]
here = os.path.dirname(os.path.abspath(__file__))
wrong = 0


def run(command, status=0):
    done = subprocess.run(command, capture_output=True, text=True, cwd=work)
    if status is not None and done.returncode != status:
        sys.exit(f"{command}: status {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
    return done


def expect(what, found, wanted):
    global wrong
    good = math.isclose(found, wanted, abs_tol=1e-3) if isinstance(wanted, float) else found == wanted
    if not good:
        wrong += 1
        print(f"{what}: {found}, expected {wanted}")


def build(name, text=None):
    source = os.path.join(work, f"{name}.c") if text else os.path.join(sources, "examples/plugin", f"{name}.c")
    if text:
        with open(source, "w") as output:
            output.write(text)
    run([compiler, "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I", f"{sources}/include", source, "-o",
         f"{name}.so"])


def gensim(options, kernel, *arguments, status=0):
    return run([f"{programs}/gensim", "-d", device] + options +
               ["--", f"{programs}/cmrun", "kernels.bin", "-k", kernel] + list(arguments), status)


def characterize(kernel, *arguments, threads="2"):
    gensim(["--threads", threads, "--plugin", "aiwc=aiwc.json", "--stats", "stats.json"], kernel, *arguments)
    with open(os.path.join(work, "aiwc.json")) as lines:
        found = [json.loads(line) for line in lines]
    return [line for line in found if line["kernel"] == kernel][0]


def check_metrics():
    copies = characterize("copies", "-g", "16", "buf:512:iota-u32", "buf:512")
    with open(os.path.join(work, "stats.json")) as file:
        counted = json.dumps(json.load(file))
    expect("--stats has the same instructions", str(copies["instructions"]) in counted, True)
    expect("classes add up", sum(copies["mix"].values()), copies["instructions"])
    expect("threads", copies["threads"], 16)
    if device != "dg2":  # there each thread loads its arguments itself
        # 16 threads: 32 bytes each that only it reads, and 32 that only it writes: 256 dwords once each
        expect("footprint", copies["footprint"], 1024)
        expect("entropy of 256 addresses", copies["memory_entropy"][0], 8.0)
        expect("entropy of 32 places of 32 bytes", copies["memory_entropy"][5], 5.0)
        expect("bytes", copies["bytes"], 1024)
    expect("without branches", copies["branch_entropy"], 0.0)
    one = characterize("copies", "-g", "16", "buf:512:iota-u32", "buf:512", threads="1")
    expect("any number of host threads", one, copies)
    rounds = characterize("rounds", "-g", "16", "buf:512", "buf:512", "u32:16")
    # A thread's branches: the loop's 16 times, 15 of them taken, and perhaps one before it that is always taken. The
    # last eight were taken before the last 8 (or 9) of them, of which one is not.
    wanted = []
    for branches in (16, 17):
        last = branches - 8
        ends = -(1 / last * math.log2(1 / last) + (1 - 1 / last) * math.log2(1 - 1 / last))
        wanted.append(round(last / branches * ends, 4))
    expect("entropy of a loop's branch", rounds["branch_entropy"] in wanted, True)


def check_strides():
    done = gensim(["--threads", "1", "--plugin", "./strides.so"], "strided", "-g", "1", "buf:4k", "buf:64")
    lines = [line for line in done.stdout.split("\n") if line.startswith("strided: ")]
    expect("strides", any(" 192 (7 times)" in line for line in lines), True)


def check_mistakes():
    for option, text in (("./other.so", "is for version 7 of the interface, this gensim has 1"),
                         ("./none.so", "is no plug-in: it has no function gensim_plugin()"),
                         ("./missing.so", "cannot read './missing.so': No such file or directory"),
                         ("./kernels.cm.so", "invalid ELF header"),
                         ("aiwcs", "no plug-in 'aiwcs' comes with gensim")):
        done = gensim(["--plugin", option], "copies", "-g", "1", "buf:64", "buf:64", status=125)
        expect(f"{option}: one line with '{text}'", (text in done.stderr, done.stderr.count("\n")), (True, 1))
    done = gensim(["--plugin", "aiwc", "--gdb"], "copies", status=125)
    expect("with --gdb", "not together with --gdb" in done.stderr, True)
    done = gensim(["--plugin", "aiwc=/nowhere/file"], "copies", "-g", "1", "buf:64", "buf:64")
    expect("a file that cannot be written", "cannot write /nowhere/file" in done.stderr, True)


def main():
    os.makedirs(work, exist_ok=True)
    run([f"{programs}/cmc", f"-march={device}", f"{here}/kernels.cm", "-o", "kernels.bin"])
    build("strides")
    build("none", "int nothing;\n")
    build("other", "#include <cmkit/gensim_plugin.h>\nstatic const struct gensim_plugin plugin = {.version = 7};\n"
          "const struct gensim_plugin *gensim_plugin(void) { return &plugin; }\n")
    with open(os.path.join(work, "kernels.cm.so"), "w") as output:
        output.write("no shared object, but long enough for the header of one: " + 64 * "x")
    check_metrics()
    check_strides()
    check_mistakes()
    print("right" if wrong == 0 else f"{wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
