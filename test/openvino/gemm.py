"""Products of matrices of OpenVINO's developers (tests/gemm/test.py): halves, and halves by 4-bit weights."""
import numpy

from lab import Out, error

GROUP = 128  # rows of weights that share a scale
SHAPES = ((512, 256, 384), (256, 512, 128))  # rows, columns, depth
BOUND = 2.0 ** -10  # sums of integers in single precision, rounded to halves once


def macros(device):
    """The blocks of the script: of a sub-group and of a group."""
    wide = device.blocks_2d
    return {"_SG_SIZE": device.lanes, "_BLOCK_SG_M": 64, "_BLOCK_SG_N": 32 if wide else 16, "_SG_M": 4 if wide else 2,
            "_SG_N": 8 if wide else 16}


def source(lab):
    """The script's kernels. Those with 4-bit weights compute with nibbles as denormal halves: they need that mode."""
    text = lab.embedded("gemm/test.py").replace(
        "_GENX_MAIN_ void gemm_a16w4", "_GENX_FLOAT_CONTROL_(CM_DENORM_HF_ALLOW) _GENX_MAIN_ void gemm_a16w4")
    return f'#include "{lab.find("gemm/kernel.hpp")}"\n' + text


def launch(lab, kernel, name, shape, *arguments):
    rows, columns, _ = shape
    used = macros(lab.device)
    groups = rows // (used["_BLOCK_SG_M"] * used["_SG_M"]) * (columns // (used["_BLOCK_SG_N"] * used["_SG_N"]))
    return lab.run(kernel, (groups, 1), (used["_SG_N"], used["_SG_M"]), *arguments, kernel=name)[0]


def halves(lab, shape):
    rows, columns, depth = shape
    random = numpy.random.default_rng(4)
    a, b = (random.integers(-1, 2, size).astype(numpy.float16) for size in ((rows, depth), (depth, columns)))
    kernel = lab.compile(source(lab), {**macros(lab.device), "_BLOCK_WG_K": 64})
    got = launch(lab, kernel, f"gemm_nocopy_xe{lab.device.xe_arch}", shape, a, numpy.ascontiguousarray(b.T),
                 Out.zeros((rows, columns), numpy.float16), rows, columns, depth, depth, depth, columns, 0, 0)
    return error(got, a.astype(float) @ b.astype(float)), BOUND


def nibbles(values):
    """Packs pairs of small integers of the last axis into bytes, the even one low."""
    return ((values[..., ::2] & 15) | (values[..., 1::2] & 15) << 4).astype(numpy.uint8)


def weights(lab, shape):
    rows, columns, depth = shape
    random = numpy.random.default_rng(5)
    a = random.integers(-1, 2, (rows, depth)).astype(numpy.float16)
    packed = random.integers(0, 3, (depth, columns))
    scales = random.integers(-4, 5, (depth // GROUP, columns)).astype(numpy.float16)
    zeros = random.integers(0, 3, (depth // GROUP, columns))
    b = (packed - zeros.repeat(GROUP, axis=0)) * scales.astype(float).repeat(GROUP, axis=0)
    kernel = lab.compile(source(lab), {**macros(lab.device), "_BLOCK_WG_K": 128})
    got = launch(lab, kernel, f"gemm_a16w4_xe{lab.device.xe_arch}", shape, a, nibbles(packed.T), scales,
                 nibbles(zeros), Out.zeros((rows, columns), numpy.float16), rows, columns, depth, depth, depth, columns,
                 0, 0)
    return error(got, a.astype(float) @ b), BOUND


def cases(device):
    del device
    for shape in SHAPES:
        size = "x".join(map(str, shape))
        yield f"gemm_nocopy, halves, {size}", lambda lab, shape=shape: halves(lab, shape)
        yield f"gemm_a16w4, {size}", lambda lab, shape=shape: weights(lab, shape)
