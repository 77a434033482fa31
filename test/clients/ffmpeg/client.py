"""ffmpeg's OpenCL filters, all but one of Debian's, on two frames of a test picture, compared with PoCL's."""
import os

import shared

DEVICES = ["skl", "icllp", "tgllp", "dg2"]
DEBIAN = {"ffmpeg": "5.1.9", "pocl-opencl-icd": "3.1"}
SIZE = "64x48"
WORST = 2  # of 255: the last bits of float functions differ between compilers
ONE, TWO, THREE = 1, 2, 3  # inputs

# Filter, number of inputs, pixel format. tonemap_opencl is left out: PoCL has no images for it.
FILTERS = [
    ("avgblur_opencl=3", ONE, "yuv420p"),
    ("boxblur_opencl=2:1", ONE, "yuv420p"),
    ("colorkey_opencl=red:0.3:0.1", ONE, "rgba"),
    ("convolution_opencl=0m=0 -1 0 -1 5 -1 0 -1 0", ONE, "yuv420p"),
    ("dilation_opencl=threshold0=30", ONE, "yuv420p"),
    ("erosion_opencl=threshold0=30", ONE, "yuv420p"),
    ("nlmeans_opencl=s=3:p=3:r=5", ONE, "yuv420p"),
    ("pad_opencl=80:60:8:6", ONE, "yuv420p"),
    ("prewitt_opencl", ONE, "yuv420p"),
    ("roberts_opencl", ONE, "yuv420p"),
    ("sobel_opencl", ONE, "yuv420p"),
    ("transpose_opencl=clock", ONE, "yuv420p"),
    ("unsharp_opencl", ONE, "yuv420p"),
    ("deshake_opencl", ONE, "yuv420p"),
    ("program_opencl=source=invert.cl:kernel=invert", ONE, "rgba"),
    ("overlay_opencl=4:4", TWO, "yuv420p"),
    ("xfade_opencl=wipeleft:duration=0.04:offset=0", TWO, "yuv420p"),
    ("remap_opencl", THREE, "rgba"),
    ("openclsrc=source=invert.cl:kernel=stripes:size=64x48:format=rgba:rate=25", 0, "rgba"),
]
INVERT = """__kernel void invert(__write_only image2d_t to, unsigned int frame, __read_only image2d_t from) {
    const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(to, at, (float4)(1) - read_imagef(from, sampler, at));
}
__kernel void stripes(__write_only image2d_t to, unsigned int frame) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(to, at, (float4)((at.x + frame) % 8 / 8.0f, at.y % 4 / 4.0f, 0.5f, 1.0f));
}
"""


def command(output, text, inputs, pixels):
    start = ["ffmpeg", "-v", "error", "-y", "-init_hw_device", "opencl=gpu:0.0", "-filter_hw_device", "gpu"]
    sources = [["-f", "lavfi", "-i", f"{source}=s={SIZE}:d=0.08:r=25"]
               for source in ["testsrc2", "testsrc", "smptebars"][:inputs]]
    if text == "remap_opencl":  # not the pixels at 0: the filter's sampler leaves those outside of a picture undefined
        sources[1:] = [["-f", "lavfi", "-i", f"nullsrc=s={SIZE}:d=0.08:r=25,format=gray16le,geq=lum={axis}"]
                       for axis in ("max(1\\,W-1-X)", "max(1\\,H-1-Y)")]
    names = "".join(f"[u{i}]" for i in range(inputs))
    uploads = "".join(f"[{i}:v]format={pixels if text != 'remap_opencl' or i == 0 else 'gray16le'},hwupload[u{i}];"
                      for i in range(inputs))
    graph = f"{uploads}{names}{text},hwdownload,format={pixels}[out]"
    return start + sum(sources, []) + ["-filter_complex", graph, "-map", "[out]", "-frames:v", "2", "-f", "rawvideo",
                                       output]


def compare(name, left, right):
    with open(left, "rb") as a, open(right, "rb") as b:
        here, there = a.read(), b.read()
    if not here or len(here) != len(there):
        raise shared.Wrong(f"{name}: {len(here)} bytes; PoCL's are {len(there)}")
    worst = max(abs(x - y) for x, y in zip(here, there))
    if worst > WORST:
        raise shared.Wrong(f"{name}: a sample differs by {worst} of 255 from PoCL's")
    return worst


def run(on):
    with open(os.path.join(on.work, "invert.cl"), "w", encoding="utf-8") as file:
        file.write(INVERT)
    worst, wrong = 0, []
    rows = {row[0].split("=")[0]: row for row in FILTERS}
    for name in on.chosen(rows):
        row = rows[name]
        try:
            on.gensim(command("gpu.raw", *row))
            on.plain(command("cpu.raw", *row))
            worst = max(worst, compare(name, os.path.join(on.work, "gpu.raw"), os.path.join(on.work, "cpu.raw")))
        except (shared.Wrong, shared.Failed) as reason:
            wrong.append(f"{name}: {reason}")
    if wrong:
        raise shared.Wrong(f"{len(wrong)} of {len(on.chosen(rows))} filters; " + "; ".join(wrong))
    return f"{len(on.chosen(rows))} filters, worst difference {worst} of 255"
