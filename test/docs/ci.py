#!/usr/bin/env python3
"""Runs the CI job of docs/ci on its toy project: ci.py CMAKE BUILD_FOLDER SOURCE WORK_FOLDER.

The steps of examples/ci/ci.sh run against an installed prefix, as in a job whose cache has one. A program that
writes behind its buffer makes the job fail with a report in the artefacts. 
The files for CI systems call the steps in order."""
import json
import os
import re
import shutil
import subprocess
import sys

STEPS = ["install", "build", "test"]


def check(good, what):
    if not good:
        sys.exit("ci.py: " + what)


def step(project, name, environment):
    """Runs a step; returns its status and what it printed."""
    done = subprocess.run([os.path.join(project, "ci.sh"), name], env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def check_artefacts(project, devices):
    for device in devices:
        folder = os.path.join(project, "artefacts")
        log = open(os.path.join(folder, device + ".log")).read()
        check("saxpy: 100000 elements, 0 wrong" in log, f"{device}: {log}")
        kernels = json.load(open(os.path.join(folder, device + ".json")))["kernels"]
        check([k["kernel"] for k in kernels if k["kernel"] == "saxpy"], f"{device}: no statistics of saxpy")


def check_fault(project, environment, device):
    """An access behind the buffer fails the job, and the report is an artefact."""
    source = os.path.join(project, "saxpy.c")
    text = open(source).read()
    open(source, "w").write(text.replace("if (i < count)", "if (i < count + 4096)"))
    check(step(project, "build", environment)[0] == 0, "the program with the mistake does not build")
    status, printed = step(project, "test", dict(environment, DEVICES=device))
    check(status == 1 and f"{device}: failed with status" in printed, f"a mistake does not fail the job: {printed}")
    log = open(os.path.join(project, "artefacts", device + ".log")).read()
    check("kernel saxpy" in log or "saxpy" in log.split("elements")[0], f"no report of the mistake: {log}")


def commands(path):
    """The steps that a CI system's file calls, in order."""
    return re.findall(r"^\s*- (?:run: )?examples/ci/ci\.sh (\w+)$", open(path).read(), re.M)


def check_files(source):
    for name in ("github.yml", "gitlab.yml"):
        path = os.path.join(source, "docs", "ci", name)
        check(commands(path) == STEPS, f"{name}: {commands(path)}")
        try:
            import yaml
        except ImportError:
            print(f"{name}: no YAML reader for Python here, its form was not checked")
            continue
        check(isinstance(yaml.safe_load(open(path)), dict), f"{name} is no YAML mapping")


def main():
    cmake, build, source, work = sys.argv[1:]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    prefix, project = os.path.join(work, "prefix"), os.path.join(work, "ci")
    subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, capture_output=True)
    shutil.copytree(os.path.join(source, "examples", "ci"), project)
    unknown = os.environ.get("CMKIT_UNKNOWN_DEVICES", "").split()
    devices = [device for device in ("skl", "icllp", "tgllp") if device not in unknown]
    environment = dict(os.environ, CMKIT_PREFIX=prefix, DEVICES=" ".join(devices))
    for name in STEPS:
        status, printed = step(project, name, environment)
        check(status == 0, f"step {name}: status {status}: {printed}")
    check(printed.split("\n")[:len(devices)] == [d + ": passed" for d in devices], printed)
    check_artefacts(project, devices)
    check_fault(project, environment, devices[-1])
    status, printed = step(project, "install", dict(environment, CMKIT_PREFIX=os.path.join(work, "none"),
                                                    PATH="/usr/bin:/bin"))
    check(status == 1 and "neither CMKIT_PACKAGES nor CMKIT_SOURCE" in printed, f"no cmkit at all: {printed}")
    check(step(project, "deploy", environment)[0] == 1, "an unknown step is taken")
    check_files(source)


main()
