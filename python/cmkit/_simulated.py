"""A simulated GPU: a worker process under gensim, to which kernels and arrays go through a pipe."""
import pickle
import struct
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, List, Sequence, Tuple

import numpy

from . import _find
from ._compile import CompileError, compile_source
from ._device import Counts, Error, Image, check_array


def send(stream: IO[bytes], message: Any) -> None:
    """Writes one message."""
    data = pickle.dumps(message, protocol=4)
    stream.write(struct.pack("<Q", len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Reads one message; EOFError if the other side has ended."""
    head = stream.read(8)
    data = stream.read(struct.unpack("<Q", head)[0]) if len(head) == 8 else b""
    if not data:
        raise EOFError
    return pickle.loads(data)  # of our own child: no other process writes to the pipe


class SimulatedKernel:
    """A kernel on a simulated GPU, called like Kernel."""

    def __init__(self, program: "SimulatedProgram", name: str):
        self.program, self.name = program, name

    @property
    def arguments(self) -> List[Tuple[str, str]]:
        """Kind and name of each argument; the name is empty where the file does not say."""
        return self.program.device.request("arguments", self.program.number, self.name)

    def __call__(self, groups: Counts, *arguments: Any, local: Counts = 1) -> None:
        arrays = [value.array if isinstance(value, Image) else value for value in arguments]
        for i, array in enumerate(arrays):
            if isinstance(array, numpy.ndarray) and array.ndim:
                check_array(array, False, f"argument {i} of kernel {self.name}")
        results = self.program.device.request("launch", self.program.number, self.name, groups, arguments, local)
        for i, result in enumerate(results):
            if result is not None:
                check_array(arrays[i], True, f"argument {i} of kernel {self.name}")[...] = result


class SimulatedProgram:
    """A program on a simulated GPU, used like Program."""

    def __init__(self, device: "simulated", number: int):
        self.device, self.number = device, number

    @property
    def kernels(self) -> Sequence[str]:
        """Names of the kernels."""
        return self.device.request("kernels", self.number)

    def __getitem__(self, name: str) -> SimulatedKernel:
        return SimulatedKernel(self, name)


class simulated:
    """`with cmkit.simulated("tgllp") as device:` is a device as Device, simulated by gensim in a process of its own.

    `options` are words of gensim's command line, such as "--check". Error if the simulated GPU stops the process: its
    text has what gensim says.

    >>> with simulated("tgllp") as device:
    ...     device.platform
    'tgllp'
    """

    def __init__(self, gpu: str, options: Sequence[str] = ()):
        self._command = [_find.program("gensim"), "-d", gpu, *options, "--", sys.executable, "-m", "cmkit._worker"]
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, cwd=Path(__file__).resolve().parent.parent)
        try:
            self.name, self.platform = self.request("device")
        except Exception:
            self.close()
            raise

    def request(self, *message: Any) -> Any:
        """Sends a request to the worker and returns its answer, or raises its exception here."""
        process = self._process
        assert process.stdin and process.stdout and process.stderr
        if process.stdin.closed:
            raise ValueError("the device is closed")
        try:
            send(process.stdin, message)
            answer = receive(process.stdout)
        except (EOFError, BrokenPipeError):
            words = process.stderr.read().decode(errors="replace").strip()
            raise Error("CMRT_DRIVER", words or f"gensim ended with status {process.wait()}") from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def compile(self, source: str, options: Sequence[str] = ()) -> SimulatedProgram:
        """Compiles a string of CM for this device; CompileError if cmc refuses it."""
        return self.load(compile_source(source, self.platform, options))

    def load(self, binary: bytes) -> SimulatedProgram:
        """Loads what cmc has compiled."""
        return SimulatedProgram(self, self.request("load", bytes(binary)))

    def close(self) -> None:
        """Ends the worker."""
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass
        self._process.wait()

    def __enter__(self) -> "simulated":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


__all__ = ["CompileError", "simulated"]
