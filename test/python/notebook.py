"""Runs the cells of a notebook, and checks the picture that its last one shows.

notebook.py FILE.ipynb [PICTURE.png]    the picture is also written there

Jupyter is not needed: a cell's last expression is its value, as there. The notebook itself compares the kernel's
results with NumPy's. Here the PNG is unpacked again and compared with the pixels, and must have a look: many colours,
and a black part.
"""
import ast
import json
import struct
import sys
import zlib

import numpy


def run(cells):
    """The value of the last cell."""
    names, value = {}, None
    for number, cell in enumerate(cells):
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        place = f"cell {number}"
        exec(compile(tree, place, "exec"), names)
        value = eval(compile(ast.Expression(last.value), place, "eval"), names) if last else None
    return value


def unpacked(png):
    """The pixels of a PNG of RGB bytes whose rows are not filtered."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at:at + 8])
        data = png[at + 8:at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size:at + 12 + size])[0] == zlib.crc32(name + data), name
        chunks[name] = data
        at += 12 + size
    width, height, bits, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (bits, colour, list(chunks)[-1]) == (8, 2, b"IEND")
    rows = numpy.frombuffer(zlib.decompress(chunks[b"IDAT"]), numpy.uint8).reshape(height, width * 3 + 1)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3)


def main():
    """Status 1 and a traceback where something is wrong."""
    notebook = json.load(open(sys.argv[1], encoding="utf-8"))
    assert notebook["nbformat"] == 4
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] for cell in code), "outputs are not kept"
    picture = run(code)
    png = picture._repr_png_()
    if len(sys.argv) > 2:
        open(sys.argv[2], "wb").write(png)
    numpy.testing.assert_array_equal(unpacked(png), picture.pixels)
    colours = numpy.unique(picture.pixels.reshape(-1, 3), axis=0)
    black = (picture.pixels == 0).all(axis=2).mean()
    assert len(colours) > 20 and 0.1 < black < 0.5, (len(colours), black)
    print(f"notebook: {len(code)} cells, {len(colours)} colours, {black:.0%} black")


main()
