"""Installs and runs the clients of test/clients, with gensim and without, and reads what a run has cost.

A client is a folder with a file client.py. Its first line of documentation says what it runs. It has
    DEVICES         where it runs: "icllp", or "dg2:current" for the newest driver
    DEBIAN          packages and the version that the client was written for: {"hashcat": "6.2.6"}
    WHEELS          packages of the Python package index with their versions: {"openvino": "2026.4.1"}
    run(on)         runs it on one device (an On) and returns what ran; raises Wrong or Failed
and, if it wants, SECONDS, the limit of one command.
"""
import fnmatch
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import venv

import profile_run

SECONDS = 300
INTEL_ICD, POCL_ICD = "/etc/OpenCL/vendors/intel.icd", "/etc/OpenCL/vendors/pocl.icd"
MOST_TEXT = 160  # characters of a message in the report's line


class Skipped(Exception):
    """The client cannot run here; the text says why."""


class Wrong(Exception):
    """The client ran, and a result is wrong; the text says which."""


class Failed(Exception):
    """A command ended with a fault, a status or the time limit."""


def one_line(text):
    text = " ".join(str(text).split())
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 3] + "..."


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no output"


def why(output):
    """The line of a failed program's output that says most: gensim's, an error, or the last one."""
    for pattern in (r"^gensim: (fault|error|.*GB).*", r"^.*\b(E|e)rror\b.*", r"^.*(abort|terminate).*"):
        found = re.search(pattern, output, re.MULTILINE)
        if found:
            return found.group(0)
    return last_line(output)


def debian_version(package):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", package], capture_output=True,
                          text=True)
    words = done.stdout.split()
    return words[1] if done.returncode == 0 and words and words[0] == "installed" else None


def upstream(version):
    """6.2.6 of 1:6.2.6+ds1-1+b1."""
    return re.split(r"[+~-]", version.split(":")[-1])[0]


def find_debian(packages):
    """Installs what is missing, as root; raises Skipped where it cannot or where a version is another one."""
    if not shutil.which("dpkg-query"):
        raise Skipped("it is one of Debian's packages, and this is not Debian")
    missing = [package for package in packages if debian_version(package) is None]
    if missing:
        if os.geteuid() != 0:
            raise Skipped("not installed: apt-get install " + " ".join(missing))
        done = subprocess.run(["apt-get", "install", "-q", "-y", "--no-install-recommends", *missing],
                              capture_output=True, text=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
        if done.returncode:
            raise Skipped("apt-get install: " + one_line(last_line(done.stderr)))
    for package, wanted in packages.items():
        found = upstream(debian_version(package))
        if found != wanted:
            raise Skipped(f"{package} is {found} here; this test is for {wanted}")


def find_wheels(folder, wheels, system=False):
    """The python of a virtual environment with `wheels`, made in `folder` if needed; raises Skipped."""
    python = os.path.join(folder, "bin", "python")
    wanted = sorted(f"{name}=={version}" for name, version in wheels.items())
    mark = os.path.join(folder, "wheels.json")
    if os.path.exists(mark):
        with open(mark, encoding="utf-8") as file:
            if json.load(file) == wanted:
                return python
    shutil.rmtree(folder, ignore_errors=True)
    try:
        venv.create(folder, with_pip=True, system_site_packages=system)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Skipped(f"no virtual environment: {one_line(error)}") from error
    done = subprocess.run([python, "-m", "pip", "install", "-q", "--retries", "1", *wanted], capture_output=True,
                          text=True)
    if done.returncode:
        raise Skipped(f"pip install {' '.join(wanted)}: {one_line(last_line(done.stderr))}")
    with open(mark, "w", encoding="utf-8") as file:
        json.dump(wanted, file)
    return python


def find_source(folder, name, version):
    """The unpacked source distribution NAME VERSION of the Python package index below `folder`; raises Skipped."""
    tree = os.path.join(folder, f"{name}-{version}")
    if not os.path.isdir(tree):
        done = subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--retries", "1", "--no-deps",
                               "--no-binary", name, f"{name}=={version}", "-d", folder], capture_output=True, text=True)
        archive = f"{tree}.tar.gz"
        if done.returncode or not os.path.exists(archive):
            raise Skipped(f"pip download {name}=={version}: {one_line(last_line(done.stderr))}")
        shutil.unpack_archive(archive, folder)
    return tree


class On:
    """One client on one device: where its commands run, and what they cost."""

    def __init__(self, gensim, device, work, folder, seconds=SECONDS):
        self.gensim_path = gensim
        self.device, _, self.driver = device.partition(":")
        self.work, self.folder, self.seconds = work, folder, seconds
        self.python = sys.executable
        self.version = ""
        self.only = "*"
        self.profiles = False  # whether gensim's commands are sampled
        self.log = os.path.join(work, "log")
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(os.path.join(work, "home"))

    def chosen(self, names):
        """Those of a client's parts that --only names; raises Skipped if it names none."""
        found = [name for name in names if fnmatch.fnmatch(name, self.only)]
        if not found:
            raise Skipped(f"--only {self.only} names none of {', '.join(names)}")
        return found

    def _environment(self, more):
        home = os.path.join(self.work, "home")
        current = os.path.join(os.path.expanduser("~"), ".cache", "cmkit", "current")
        here = {"HOME": home, "XDG_CACHE_HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home,
                "LC_ALL": "C.UTF-8",
                "CMKIT_CURRENT": os.environ.get("CMKIT_CURRENT", current),
                "PYTHONPATH": os.path.dirname(os.path.abspath(__file__))}
        return {**os.environ, **here, **more}

    def _run(self, command, environment, seconds):
        with open(self.log, "a", encoding="utf-8") as log:
            log.write("$ " + " ".join(command) + "\n")
        process = subprocess.Popen(command, cwd=self.work, env=environment, stdin=subprocess.DEVNULL, text=True,
                                   errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            output, _ = process.communicate(timeout=seconds or self.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            self._log(output)
            raise Failed(f"{os.path.basename(command[-1])} did not end in {seconds or self.seconds} s") from None
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        self._log(output)
        return process.returncode, output

    def _log(self, output):
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(output + "\n")

    def gensim(self, command, environment=None, seconds=None, statuses=(0,), options=()):
        """Runs `command` on the simulated device and returns what it prints; raises Failed for another status."""
        here = {} if self.driver else {"OCL_ICD_VENDORS": INTEL_ICD}
        prefix = [self.gensim_path, "-d", self.device, "--stats", os.path.join(self.work, "stats-%p.json"), *options]
        prefix += ["--driver", self.driver] if self.driver else []
        if self.profiles:
            prefix = [*profile_run.command(self.work), *prefix]
        status, output = self._run([*prefix, "--", *command], self._environment({**here, **(environment or {})}),
                                   seconds)
        if status not in statuses:
            raise Failed(f"{os.path.basename(command[0])} ended with {status}: {why(output)}")
        return output

    def plain(self, command, environment=None, seconds=None, statuses=(0,)):
        """Runs `command` without gensim; OpenCL programs find PoCL."""
        status, output = self._run(list(command), self._environment({"OCL_ICD_VENDORS": POCL_ICD,
                                                                     **(environment or {})}), seconds)
        if status not in statuses:
            raise Failed(f"{os.path.basename(command[0])} without gensim ended with {status}: {why(output)}")
        return output

    def cost(self):
        """Executed instructions, and the kernel with most of them and its share, of all commands so far."""
        kernels = {}
        for path in glob.glob(os.path.join(self.work, "stats-*.json")):
            try:
                with open(path, encoding="utf-8") as file:
                    for kernel in json.load(file)["kernels"]:
                        name = kernel["kernel"] or kernel["kernel_hash"]
                        kernels[name] = kernels.get(name, 0) + kernel["instructions"]
            except (ValueError, KeyError):
                continue  # the program was killed while it wrote them
        total = sum(kernels.values())
        if not total:
            return 0, "-"
        name = max(kernels, key=kernels.get)
        return total, f"{name} {100 * kernels[name] // total}%"


def count(number, what):
    return f"{number} {what}" + ("" if number == 1 else "s")
