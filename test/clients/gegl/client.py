"""GEGL, the library of GIMP's operations: chains of operations with OpenCL and without."""
import os

import shared

DEVICES = ["skl", "icllp", "tgllp", "dg2"]
DEBIAN = {"gegl": "0.4.42"}
SIZE = (64, 48)
WORST = 3  # of 255
CHAINS = [["gaussian-blur", "std-dev-x=2", "std-dev-y=2"], ["brightness-contrast", "contrast=1.4"],
          ["box-blur", "radius=3"], ["edge-sobel"], ["levels", "in-low=0.1", "gamma=1.2"], ["pixelize"],
          ["color-temperature"]]


def picture(path):
    """A colour gradient as a PPM file."""
    width, height = SIZE
    with open(path, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % SIZE +
                   bytes(value for y in range(height) for x in range(width) for value in (3 * x, 5 * y, x * y % 256)))


def samples(path):
    with open(path, "rb") as file:
        return file.read()[-3 * SIZE[0] * SIZE[1]:]


def run(on):
    picture(os.path.join(on.work, "in.ppm"))
    worst = 0
    for chain in CHAINS:
        on.gensim(["gegl", "in.ppm", "-o", "gpu.ppm", "--", *chain], {"GEGL_USE_OPENCL": "yes"})
        on.plain(["gegl", "in.ppm", "-o", "cpu.ppm", "--", *chain], {"GEGL_USE_OPENCL": "no"})
        gpu, cpu = (samples(os.path.join(on.work, name)) for name in ("gpu.ppm", "cpu.ppm"))
        difference = max(abs(x - y) for x, y in zip(gpu, cpu)) if len(gpu) == len(cpu) else 255
        if difference > WORST:
            raise shared.Wrong(f"{chain[0]} differs by {difference} of 255")
        worst = max(worst, difference)
    return f"{len(CHAINS)} operations, worst difference {worst} of 255"
