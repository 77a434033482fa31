"""Compiles CM source with cmc."""
import subprocess
from typing import Sequence

from . import _find


class CompileError(Exception):
    """cmc refused the source: the text has its messages, with the lines that they are about."""


def compile_source(source: str, platform: str, options: Sequence[str] = ()) -> bytes:
    """Compiles a string for a platform that `cmc -march=` knows, several with commas between them, or for "host".

    Returns what cmc writes: a zebin, a fat binary, or a library. `options` are words of cmc's command line.

    >>> binary = compile_source('extern "C" _GENX_MAIN_ void nothing() {}', "TGLLP", ["-O0"])
    >>> binary[:4]
    b'\\x7fELF'
    >>> compile_source("int x = ;", "TGLLP")
    Traceback (most recent call last):
    cmkit._compile.CompileError: <string>:1:9: error: expected expression
        1 | int x = ;
          |         ^
    """
    command = [_find.program("cmc"), f"-march={platform}", *options, "--input-name=<string>", "-o", "-", "-"]
    run = subprocess.run(command, input=source.encode(), capture_output=True, check=False)
    if run.returncode != 0:
        raise CompileError(run.stderr.decode(errors="replace").strip() or f"cmc ended with status {run.returncode}")
    return run.stdout
