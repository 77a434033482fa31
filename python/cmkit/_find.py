"""Finds the library and the programs of cmkit."""
import ctypes
import os
import shutil
from pathlib import Path
from typing import Iterator


_SONAME = "libcmrt.so.1"


def _prefixes() -> Iterator[Path]:
    """The folders above this package: one of them is the prefix that it was installed to."""
    yield from list(Path(__file__).resolve().parents)[:6]


def program(name: str) -> str:
    """The path of a program of cmkit; FileNotFoundError if there is none."""
    chosen = os.environ.get("CMKIT_BIN")
    candidates = [Path(chosen)] if chosen else [prefix / "bin" for prefix in _prefixes()]
    for folder in candidates:
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    found = None if chosen else shutil.which(name)
    if not found:
        raise FileNotFoundError(f"no program {name}{' in ' + chosen if chosen else ''}: $CMKIT_BIN names its folder")
    return found


def library() -> ctypes.CDLL:
    """Loads libcmrt; OSError if there is none. Its names are global: gensim looks for Level Zero's among these."""
    chosen = os.environ.get("CMKIT_LIBRARY")
    if chosen:
        return ctypes.CDLL(chosen, ctypes.RTLD_GLOBAL)
    for prefix in _prefixes():
        for path in sorted(prefix.glob(f"lib/{_SONAME}")) + sorted(prefix.glob(f"lib/*/{_SONAME}")):
            return ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(_SONAME, ctypes.RTLD_GLOBAL)
