"""The process under gensim: opens the device, and does what comes through standard input."""
import os
import sys
from typing import Any, List

import numpy

from ._device import Device, Error, Image, Program
from ._simulated import receive, send


def _launch(program: Program, name: str, groups: Any, arguments: Any, local: Any) -> List[Any]:
    """The arrays that the kernel writes to, after the launch; None for all else."""
    kernel = program[name]
    kernel(groups, *arguments, local=local)
    arrays = [value.array if isinstance(value, Image) else value for value in arguments]
    return [array if kernel.writes(i) and isinstance(array, numpy.ndarray) else None for i, array in enumerate(arrays)]


def _answer(device: Device, programs: List[Program], request: Any) -> Any:
    what, *rest = request
    if what == "device":
        return device.name, device.platform
    if what == "load":
        programs.append(device.load(rest[0]))
        return len(programs) - 1
    if what == "kernels":
        return programs[rest[0]].kernels
    if what == "arguments":
        return programs[rest[0]][rest[1]].arguments
    return _launch(programs[rest[0]], *rest[1:])


def main() -> None:
    """Answers requests until standard input ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what kernels print is not part of the answers
    programs: List[Program] = []
    device = None
    while True:
        try:
            request = receive(sys.stdin.buffer)
        except EOFError:
            return
        try:
            device = device or Device()
            answer = _answer(device, programs, request)
        except (Error, TypeError, ValueError) as problem:
            answer = problem
        send(out, answer)


main()
