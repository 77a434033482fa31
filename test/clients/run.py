#!/usr/bin/env python3
"""Runs programs of others on simulated GPUs, compares their results, and prints a line for each client and device.

run.py [--gensim PATH] [--work DIR] [--profile] [--patience N] [--only PATTERN] [-d DEVICE]... [--list] [NAME]...

The line has, with " | " between: client and version, device (and driver), what ran, "right", "wrong: ...",
"failed: ..." or "skipped: ...", seconds, executed Gen instructions, the kernel with most of them and its share. DEVICE
is one that `gensim --list-devices` lists, with ":current" for the newest driver. DIR holds what is downloaded and the
log of each run (default: clients below the build folder of gensim).

--profile samples the commands under gensim with perf. After each line it prints a row for the table of
docs/guide/clients.md: client and what ran, device, samples, and the shares of Intel's compiler, the driver, the
simulation, cmc and the rest; and then the functions of the simulation with most samples.
--only PATTERN runs a part: those routines of clblast, filters of ffmpeg, hashes of hashcat ("SHA-1"), cases of
openvino, and files of dpctl's and dpnp's tests whose names fit, as a shell's patterns do.

--patience N multiplies the time limit of each command by N, for a machine that is busy with something else.

Exit status: 0 if nothing is wrong or failed, 1 if something is, 2 for a wrong command line.
"""
import argparse
import importlib.util
import os
import shutil
import signal
import sys
import time

import profile_run
import shared

HERE = os.path.dirname(os.path.abspath(__file__))


def names(folder):
    return sorted(name for name in os.listdir(folder) if os.path.exists(os.path.join(folder, name, "client.py")))


def load(folder, name):
    spec = importlib.util.spec_from_file_location("client_" + name, os.path.join(folder, name, "client.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def install(module, work, name):
    """The client's version and its python; raises Skipped."""
    debian, wheels = getattr(module, "DEBIAN", {}), getattr(module, "WHEELS", {})
    python = sys.executable
    if debian:
        shared.find_debian(debian)
    if wheels:
        python = shared.find_wheels(os.path.join(work, "wheels-" + name), wheels, bool(debian))
    return next(iter([*wheels.values(), *debian.values()]), "-"), python


def one_line(name, version, device, what, result, seconds, cost):
    instructions, kernel = cost
    return " | ".join([f"{name} {version}".strip(), device.replace(":", " "), what, result, f"{seconds:.1f} s",
                       f"{instructions} instructions", kernel])


def run_one(module, name, device, arguments):
    """Prints the line; whether it is a good one."""
    version, what, cost, start = "", shared.one_line((module.__doc__ or "").split("\n")[0]), (0, "-"), time.time()
    on = None
    try:
        version, python = install(module, arguments.work, name)
        start = time.time()
        on = shared.On(arguments.gensim, device, os.path.join(arguments.work, name, device.replace(":", "-")),
                       os.path.join(arguments.clients, name),
                       getattr(module, "SECONDS", shared.SECONDS) * arguments.patience)
        on.python, on.downloads, on.version = python, arguments.work, version
        on.profiles, on.only = arguments.profile, arguments.only
        what = module.run(on) or what
        result = "right" if on.cost()[0] else "wrong: no kernel ran"
    except shared.Skipped as reason:
        result = f"skipped: {shared.one_line(reason)}"
    except shared.Wrong as reason:
        result = f"wrong: {shared.one_line(reason)}"
    except shared.Failed as reason:
        result = f"failed: {shared.one_line(reason)}"
    except (OSError, ValueError, LookupError) as reason:  # a program ended well and has not written what it should have
        result = f"failed: {type(reason).__name__}: {shared.one_line(reason)}"
    if on:
        cost = on.cost()
    print(one_line(name, version, device, what, result, time.time() - start, cost), flush=True)
    if on and arguments.profile:
        print(profile_run.row(name, version, device.replace(":", " "), what, profile_run.shares(on.work)))
        print("simulation: " + ", ".join(f"{function} {samples}" for function, samples in
                                         profile_run.hottest(on.work)), flush=True)
    return result == "right" or result.startswith("skipped")


def main():
    parser = argparse.ArgumentParser(prog="run.py", usage="%(prog)s [OPTION]... [NAME]...")
    parser.add_argument("--gensim", default=os.path.join(HERE, "..", "..", "build", "bin", "gensim"))
    parser.add_argument("--work")
    parser.add_argument("--clients", default=HERE, help=argparse.SUPPRESS)
    parser.add_argument("-d", "--device", action="append", help="these devices instead of the client's own")
    parser.add_argument("--profile", action="store_true", help="sample whose processor time each client takes")
    parser.add_argument("--patience", type=float, default=1, metavar="N", help="multiply the time limits by N")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="run the parts of a client that it names")
    parser.add_argument("--list", action="store_true", help="list the clients")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    known = names(arguments.clients)
    unknown = [name for name in arguments.names if name not in known]
    if unknown:
        parser.error(f"no client '{unknown[0]}'; there are {', '.join(known)}")
    chosen = arguments.names or known
    if arguments.list:
        for name in chosen:
            module = load(arguments.clients, name)
            print(f"{name:12} {' '.join(module.DEVICES):40} {module.__doc__.splitlines()[0]}")
        return 0
    if not shutil.which(arguments.gensim):
        parser.error(f"no gensim at {arguments.gensim}")
    if arguments.profile and not shutil.which("perf"):
        parser.error("--profile needs perf: apt-get install linux-perf")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that On ends the command that runs
    arguments.gensim = os.path.realpath(arguments.gensim)
    arguments.work = os.path.abspath(arguments.work or os.path.join(os.path.dirname(arguments.gensim), "..", "clients"))
    os.makedirs(arguments.work, exist_ok=True)
    good = True
    for name in chosen:
        module = load(arguments.clients, name)
        for device in arguments.device or module.DEVICES:
            good &= run_one(module, name, device, arguments)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
