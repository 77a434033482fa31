"""Compiles a CM kernel of a folder with its macros, runs it under gensim and gives its results as arrays."""
import dataclasses
import pathlib
import re
import subprocess
import tempfile

import numpy

CURRENT = ["--driver", "current"]  # only the newest driver knows these
CHECKED = ["--check-scoreboard"]


@dataclasses.dataclass(frozen=True)
class Device:
    name: str
    register_bytes: int
    options: list  # of gensim

    @property
    def lanes(self):
        """Columns of a product of the systolic array."""
        return self.register_bytes // 4

    @property
    def blocks_2d(self):
        return self.register_bytes == 64

    @property
    def xe_arch(self):
        """OpenVINO's number: 2 for kernels that read 2D blocks."""
        return 2 if self.blocks_2d else 1


DEVICES = {device.name: device for device in (
    Device("dg2", 32, CHECKED),
    Device("pvc", 64, CHECKED),
    Device("lnl", 64, CURRENT),
    Device("bmg", 64, CURRENT),
)}


class Refused(Exception):
    """The compiler or the device did not take the kernel; the text is the first line that says why."""


class Left(Exception):
    """A case that is not tried on a device; the text says why."""


@dataclasses.dataclass
class Out:
    """A result: zeros (or the given contents) before the launch."""
    contents: numpy.ndarray

    @staticmethod
    def zeros(shape, dtype):
        return Out(numpy.zeros(shape, dtype))


def first_error(process):
    lines = (process.stderr + process.stdout).splitlines()
    return next((line for line in lines if re.search("error|fault|spill", line)), lines[-1] if lines else "no output")


class Lab:
    """One device and the folder of its kernels."""

    def __init__(self, root, bin_folder, device):
        self.root, self.bin, self.device = pathlib.Path(root), pathlib.Path(bin_folder), device
        self._folder = tempfile.TemporaryDirectory()
        self.work = pathlib.Path(self._folder.name)
        self._kernels = {}

    def find(self, name):
        """Returns the first file of that name; raises Left where there is none."""
        found = sorted(self.root.glob(f"**/{name}"))
        if not found:
            raise Left(f"{name} is not in the folder")
        return found[0]

    def embedded(self, name):
        """Returns the CM source that a script of that name holds as raw strings."""
        texts = re.findall("r\'\'\'(.*?)\'\'\'", self.find(name).read_text(), re.DOTALL)
        return "\n".join(text for text in texts if "_GENX_MAIN_" in text)

    def compile(self, file, macros, prefix="#include <cm/cm.h>\n#include <cm/cmtl.h>\n", spills=False):
        """Compiles a file, or text that includes files of the folder, with macros {name: value}; returns the binary."""
        key = (str(file), tuple(sorted(macros.items())))
        if key in self._kernels:
            return self._kernels[key]
        source = self.work / "kernel.cm"
        if isinstance(file, pathlib.Path):
            source.write_text(f'{prefix}#include "{file}"\n')
            folders = [file.parent, file.parent / "include"]
        else:
            source.write_text(prefix + file)
            folders = []
        binary = self.work / f"{len(self._kernels)}.bin"
        words = [self.bin / "cmc", f"-march={self.device.name.upper()}", "-Qxcm_register_file_size=256",
                 *([] if spills else ["-Werror=register-spills"]), *(f"-I{folder}" for folder in folders),
                 *(f"-D{name}={value}" for name, value in macros.items()), source, "-o", binary]
        process = subprocess.run(words, capture_output=True, text=True, check=False)
        if process.returncode:
            raise Refused("cmc: " + first_error(process))
        self._kernels[key] = binary
        return binary

    def run(self, binary, groups, local, *arguments, kernel=None):
        """Launches a kernel; returns the contents of its Outs, in order. A Python integer is an i32."""
        words, outs = [], []
        for number, argument in enumerate(arguments):
            if isinstance(argument, int):
                words.append(f"i32:{argument}")
            elif isinstance(argument, numpy.generic):
                kind = argument.dtype.kind + str(argument.dtype.itemsize * 8)
                words.append(f"{kind}:{argument}")
            else:
                array = argument.contents if isinstance(argument, Out) else argument
                file = self.work / f"argument{number}"
                array.tofile(file)
                words.append(f"buf:{file}")
                if isinstance(argument, Out):
                    words[-1] += f"@w={file}.out"
                    outs.append((pathlib.Path(f"{file}.out"), array))
        command = [self.bin / "gensim", "-d", self.device.name, *self.device.options, "--", self.bin / "cmrun",
                   *(["-k", kernel] if kernel else []), "-g", "x".join(map(str, groups)), "-l",
                   "x".join(map(str, local)), binary, *words]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        if process.returncode:
            raise Refused("run: " + first_error(process))
        return [numpy.fromfile(file, dtype=array.dtype).reshape(array.shape) for file, array in outs]


def bits(value):
    """The bits of a float, as an integer: some kernels take a factor in this form."""
    return int(numpy.float32(value).view(numpy.uint32))


def error(got, wanted):
    """The largest difference, in units of the largest value. NaN where either has one."""
    wanted = numpy.asarray(wanted, dtype=float)
    return float(numpy.abs(numpy.asarray(got, dtype=float) - wanted).max() / max(numpy.abs(wanted).max(), 1e-30))
