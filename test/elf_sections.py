"""Reads sections of 64-bit ELF files, for tests: sections(DATA), section(PATH, NAME)."""
import struct
import sys


def sections(data):
    """Name, contents of each section of an ELF file."""
    start, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    heads = [struct.unpack_from("<IIQQQQ", data, start + i * size) for i in range(count)]
    strings = data[heads[names][4]:]
    for name, kind, _, _, offset, length in heads:
        yield strings[name:strings.index(b"\0", name)].decode(), data[offset:offset + length]


def section(path, name):
    """The contents of a file's section; ends the program if it has none of that name."""
    with open(path, "rb") as file:
        data = file.read()
    for found, contents in sections(data):
        if found == name:
            return contents
    sys.exit(f"{path}: no section {name}")
