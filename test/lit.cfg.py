# Configures the lit tests of the programs. CMake passes the folder with the programs and the versioned names of LLVM's
# tools.
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

import lit.formats

config.name = "cmkit"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".cm", ".ll"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

bin_dir = lit_config.params["bin"]
# The suite's name keeps the folders of suites that run at the same time apart.
config.test_exec_root = os.path.join(lit_config.params["work"], "lit")

config.environment["PATH"] = os.path.pathsep.join([bin_dir, os.environ["PATH"]])
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"  # tests import from the source folder
config.environment["CMKIT_OBJCOPY"] = lit_config.params["filecheck"].replace("FileCheck", "llvm-objcopy")
config.environment["CMKIT_LLVM_VERSION"] = lit_config.params["llvm"]  # for check.py
for name in ("CMKIT_FINALIZER", "LD_LIBRARY_PATH", "HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]


def program(name):
    return shlex.quote(os.path.join(bin_dir, name))


# Longest first: %cmc is the beginning of nothing else today, and must not become it.
config.substitutions += [
    ("%FileCheck", shlex.quote(lit_config.params["filecheck"])),
    ("%dwarfdump", shlex.quote(lit_config.params["filecheck"].replace("FileCheck", "llvm-dwarfdump"))),
    ("%readelf", shlex.quote(lit_config.params["filecheck"].replace("FileCheck", "llvm-readelf"))),
    ("%llvm-as", shlex.quote(lit_config.params["filecheck"].replace("FileCheck", "llvm-as"))),
    ("%clang", shlex.quote(lit_config.params["filecheck"].replace("FileCheck", "clang"))),
    ("%remarkutil", shlex.quote(lit_config.params["filecheck"].replace("FileCheck", "llvm-remarkutil"))),
    ("%release", lit_config.params["llvm"]),
    ("%python", shlex.quote(sys.executable)),
    ("%cm-frontend", program("cm-frontend")),
    ("%cm-precompile", program("cm-precompile")),
    ("%gensim", program("gensim")),
    ("%cmrun", program("cmrun")),
    ("%cmc", program("cmc")),
    ("%check", shlex.quote(os.path.join(config.test_source_root, "frontend", "misuse", "check.py"))),
]
# Sources of the project that tests share with other tests and with the demo.
config.substitutions.append(("%root", shlex.quote(os.path.dirname(config.test_source_root))))

for name in ("gensim", "cmrun"):
    if os.access(os.path.join(bin_dir, name), os.X_OK):
        config.available_features.add(name)


# What some lines need: %if FEATURE %{ ... %}, and what is said when it is not there.
unknown = lit_config.params.get("unknown", "").split("|")
for device in ("skl", "icllp", "tgllp"):
    if device in unknown:
        lit_config.note(f"left out: what runs on {device}, which the installed drivers of Intel do not know")
    else:
        config.available_features.add(f"driver-{device}")
for feature, program_name, package in (
        ("check-genx", os.path.join(bin_dir, "cm-check-genx"), "intel-vc-intrinsics-dev"),
        ("llvm-14", "llvm-as-14", "llvm-14")):
    if shutil.which(program_name):
        config.available_features.add(feature)
    else:
        lit_config.note(f"left out: what needs {os.path.basename(program_name)} (package {package})")
finalizer = shutil.which(os.environ.get("CMKIT_FINALIZER") or "GenX_IR")
if finalizer:
    with open(finalizer, "rb") as file:  # as visa_emit/finalize.c tells them apart
        recent = b"Paired surface can not be" in file.read()
    config.available_features.add("recent-finalizer" if recent else "old-finalizer")


def can_mount():
    """True if a full file system can be mounted, which takes root's rights."""
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "none", folder], capture_output=True)
        if mounted.returncode == 0:
            subprocess.run(["umount", folder], check=True)
        return mounted.returncode == 0


if can_mount():
    config.available_features.add("mount")
if os.geteuid() != 0:
    config.available_features.add("file-modes")  # root reads files without permissions
