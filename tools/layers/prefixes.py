#!/usr/bin/env python3
"""Checks that external names carry a prefix of their folder, as tools/layers/prefixes.txt lists them.

prefixes.py [--root DIR] BUILD-FOLDER    status 1 names each function, variable and type without a prefix of its folder

Functions and variables are read with nm from the objects that compile_commands.json of the build folder names, types
from headers.
"""
import collections
import ctypes
import os
import re
import subprocess
import sys

import layers

LIST = "tools/layers/prefixes.txt"
TYPE = re.compile(r"^(?:struct|enum|union) (\w+)(?: \{|$)|^typedef\b.*?(\w+)(?:\([^()]*\))?;$|^\}\s*(\w+);$", re.M)
C_LIBRARY = ctypes.CDLL(None)


class Prefixes:
    """Folder to its prefixes, and the prefixes that all folders below one may use."""

    def __init__(self, path):
        self.own, self.below = collections.defaultdict(list), collections.defaultdict(list)
        owner = {}
        with open(path) as rows:
            for number, line in enumerate(rows, 1):
                row = re.fullmatch(r"(\S+?)(/\*\*)?: +(\S.*)", line.strip())
                if not row:
                    if line.strip() and not line.startswith("#"):
                        sys.exit(f"{LIST}:{number}: not 'FOLDER: PREFIX...'")
                    continue
                folder, words = row[1], row[3].split()
                (self.below if row[2] else self.own)[folder] += words
                for word in words:
                    key = (area_of(folder), word)
                    if owner.setdefault(key, folder) != folder:
                        sys.exit(f"{LIST}:{number}: '{word}' is a prefix of {owner[key]}")

    def folders(self):
        return set(self.own)

    def folder_of(self, path):
        """The folder of the list that a file belongs to, or None."""
        folder = os.path.dirname(path)
        while folder and folder not in self.own:
            folder = os.path.dirname(folder)
        return folder or None

    def fits(self, folder, name):
        """Whether the longest prefix of the area that `name` begins with is one of `folder`."""
        best, length = False, 0
        for other, words in list(self.own.items()) + list(self.below.items()):
            if area_of(other) != area_of(folder):
                continue
            mine = other == folder or (words is self.below.get(other) and folder.startswith(other + "/"))
            for word in words:
                if (name == word or name.startswith(word + "_")) and len(word) > length:
                    best, length = mine, len(word)
        return best


def area_of(folder):
    """Folders of one area are linked together: a prefix is unique in it."""
    return folder if folder.startswith("runtime/cmrun") else folder.split("/")[0]


def external_symbols(built):
    """(file, symbol) of each function and variable that a C object exports; of C++ those that stand in no namespace of
    ours.
    """
    by_output = {output: path for path, output in built.items()}
    lines = subprocess.run(["nm", "-A", "-P", "--defined-only"] + sorted(by_output), capture_output=True, text=True,
                           check=True).stdout
    for line in lines.splitlines():
        output, symbol, kind = re.match(r"(.*?): (\S+) (\S)", line).groups()
        if kind in "TDBRC" and not re.match(r"_ZN?K?5cmkit", symbol):
            yield by_output[output], symbol


def types(path):
    with open(os.path.join(layers.ROOT, path), errors="replace") as header:
        for found in TYPE.finditer(header.read()):
            yield found[1] or found[2] or found[3]


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--root"]:
        layers.ROOT, arguments = os.path.abspath(arguments[1]), arguments[2:]
    if len(arguments) != 1:
        sys.exit(__doc__)
    prefixes = Prefixes(os.path.join(layers.ROOT, LIST))
    symbols = [(path, name, "exports") for path, name in external_symbols(layers.objects(arguments[0]))]
    symbols += [(path, name, "defines the type") for path in layers.source_files() if path.endswith(".h")
                and prefixes.folder_of(path)
                and not path.startswith("frontend/") for name in types(path)]
    # A stand-in (sim/stream/dispatcher_none.c) has the name of the function that it replaces, which its own folder
    # defines.
    proper = {(area_of(prefixes.folder_of(path)), name) for path, name, _ in symbols
              if prefixes.folder_of(path) and prefixes.fits(prefixes.folder_of(path), name)}
    checked, failed = 0, 0
    for path, name, does in sorted(symbols):
        folder = prefixes.folder_of(path)
        if not folder or name == "main" or (
                path.startswith(layers.INTERPOSES) and (hasattr(C_LIBRARY, name) or re.match("(ze|cl)[A-Z]", name))):
            continue
        checked += 1
        if not prefixes.fits(folder, name) and (area_of(folder), name) not in proper:
            print(f"{path} {does} {name}: no prefix of {folder} ({' '.join(prefixes.own[folder])})")
            failed = 1
    print(f"{checked} external names in {len(prefixes.folders())} folders")
    return failed if checked else 1


if __name__ == "__main__":
    sys.exit(main())
