"""darktable: its own test of OpenCL, which builds all its kernels, and an export with OpenCL and without."""
import os
import re

import shared

DEVICES = ["skl", "icllp", "tgllp", "dg2"]
DEBIAN = {"darktable": "4.2.1"}
SIZE = (48, 32)
WORST = 4  # of 255: functions of powers and roots differ in the last bits between the processor and the GPU
# Without a profile it measures the device, finds it slow and disables it.
OPENCL = ["--conf", "opencl=TRUE", "--conf", "opencl_scheduling_profile=very fast GPU", "-d", "opencl"]


def picture(path):
    """A colour gradient as a PPM file."""
    width, height = SIZE
    with open(path, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % SIZE +
                   bytes(value for y in range(height) for x in range(width) for value in (5 * x, 7 * y, x * y % 256)))


def samples(path):
    """The samples of a PPM file."""
    with open(path, "rb") as file:
        data = file.read()
    head = re.match(rb"P6\s+(?:#[^\n]*\n\s*)*(\d+)\s+(\d+)\s+(\d+)\s", data)
    if not head:
        raise shared.Wrong(f"{os.path.basename(path)} is no picture")
    wide, body = int(head.group(3)) > 255, data[head.end():]
    return list(body[::2]) if wide else list(body)


def export(on, to, run, options):
    return run(["darktable-cli", "in.ppm", to, "--core", "--configdir", os.path.join(on.work, to + ".config"),
                "--cachedir", os.path.join(on.work, to + ".cache"), *options])


def run(on):
    test = on.gensim(["darktable-cltest"])
    built = len(re.findall(r"trying to compile source", test))
    if "FINALLY: opencl is AVAILABLE" not in test:
        raise shared.Wrong("darktable-cltest finds no device: " + shared.last_line(test))
    picture(os.path.join(on.work, "in.ppm"))
    log = export(on, "gpu.ppm", on.gensim, OPENCL)
    export(on, "cpu.ppm", on.plain, ["--disable-opencl"])
    if "opencl_summary_statistics" not in log:
        raise shared.Wrong("the export did not use OpenCL")
    gpu, cpu = (samples(os.path.join(on.work, name)) for name in ("gpu.ppm", "cpu.ppm"))
    difference = max(abs(x - y) for x, y in zip(gpu, cpu)) if len(gpu) == len(cpu) else 255
    if difference > WORST:
        raise shared.Wrong(f"the export differs by {difference} of 255")
    return f"darktable-cltest ({built} programs), an export, worst difference {difference} of 255"
