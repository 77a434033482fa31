#!/usr/bin/env python3
"""Runs OpenVINO's CM kernel of attention over whole sequences on simulated GPUs, against attention in float64.

attention.py FOLDER BIN [DEVICE...]: FOLDER holds cm_sdpa_vlen.cm and cm_attention_common.hpp somewhere (OpenVINO's
src/plugins/intel_gpu/src/graph/impls/cm, or the repository of its developers' scripts); BIN holds cmc, cmrun and
gensim. Devices: dg2 pvc lnl bmg (default: all). Needs NumPy. Exit status 1: a result is wrong.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy

SHAPES = [  # heads, heads of keys and values, size of a head, lengths of the sequences
    (2, 2, 80, [40, 24]),
    (2, 1, 64, [64]),
    (4, 2, 128, [48, 16]),
    (2, 2, 72, [33]),
    (2, 2, 96, [40, 24]),
]
# If the kernel reads 2D blocks, a head must start at a multiple of 64 bytes (SPV_INTEL_2d_block_io).
BLOCK_ALIGNMENT = 64
REGISTER_BYTES = {"dg2": 32, "pvc": 64, "lnl": 64, "bmg": 64}
CURRENT = ("lnl", "bmg")  # only the newest driver knows them


def folder_of(root, name):
    """Returns the folder of the first file of that name."""
    found = sorted(pathlib.Path(root).rglob(name))
    if not found:
        sys.exit(f"{root} has no {name}")
    return found[0].parent


def reference(query, key, value, lengths):
    """Attention within each sequence, rounded once at the end."""
    out = numpy.zeros(query.shape)
    group = query.shape[1] // key.shape[1]
    start = 0
    for length in lengths:
        rows = slice(start, start + length)
        for head in range(query.shape[1]):
            q, k, v = query[rows, head], key[rows, head // group], value[rows, head // group]
            scores = q @ k.T / numpy.sqrt(q.shape[1])
            weights = numpy.exp(scores - scores.max(axis=1, keepdims=True))
            out[rows, head] = weights / weights.sum(axis=1, keepdims=True) @ v
        start += length
    return out


def compile_kernel(bin_folder, root, device, shape, work):
    heads, kv_heads, size, _ = shape
    source = folder_of(root, "cm_sdpa_vlen.cm")
    words = [f"{bin_folder}/cmc", f"-march={device.upper()}", "-Qxcm_register_file_size=256", "-Werror=register-spills",
             f"-I{source}", f"-I{folder_of(root, 'cm_attention_common.hpp')}", str(source / "cm_sdpa_vlen.cm"),
             "-DKERNEL_NAME=cm_sdpa_vlen", f"-DCMFLA_NUM_HEADS={heads}", f"-DCMFLA_NUM_KV_HEADS={kv_heads}",
             f"-DCMFLA_HEAD_SIZE={size}", f"-DCMFLA_SCALE_FACTOR={1 / size ** 0.5}", f"-DCMFLA_IS_CAUSAL=0",
             f"-DCMFLA_KV_BLK={2 if size <= 64 else 1}", "-DCMFLA_Q_SCALED_BY_LOG2=1", "-DCMFLA_USE_TREE_SOFTMAX=0",
             "-o", f"{work}/kernel.bin"]
    subprocess.run(words, check=True)


def run(bin_folder, device, shape, arrays, work):
    heads, kv_heads, size, lengths = shape
    step = REGISTER_BYTES[device] * 8 // 32  # rows of queries of a thread
    threads = min(16, (max(lengths) + step - 1) // step)
    options = ["-d", device] + (["--driver", "current"] if device in CURRENT else ["--check-scoreboard"])
    for name, array in arrays.items():
        array.tofile(f"{work}/{name}")
    buffers = [f"buf:{work}/{name}" for name in ("query", "key", "value")]
    words = [f"{bin_folder}/gensim", *options, "--", f"{bin_folder}/cmrun", "-g", f"{heads}x{len(lengths)}", "-l",
             f"1x{threads}", f"{work}/kernel.bin", *buffers, f"buf:{arrays['query'].nbytes}:zero@w={work}/out",
             f"buf:{work}/starts", "i32:0", "i32:0", "i32:0", "i32:0", f"i32:{heads * size}", f"i32:{kv_heads * size}",
             f"i32:{kv_heads * size}"]
    subprocess.run(words, check=True)
    return numpy.fromfile(f"{work}/out", dtype=numpy.float16).reshape(arrays["query"].shape)


def try_shape(bin_folder, root, device, shape, work):
    """Returns the largest error, in units of the largest value."""
    heads, kv_heads, size, lengths = shape
    random = numpy.random.default_rng(21)
    arrays = {name: random.normal(size=(sum(lengths), count, size)).astype(numpy.float16)
              for name, count in (("query", heads), ("key", kv_heads), ("value", kv_heads))}
    arrays["starts"] = numpy.cumsum([0] + lengths).astype(numpy.int32)
    compile_kernel(bin_folder, root, device, shape, work)
    wanted = reference(*(arrays[name].astype(float) for name in ("query", "key", "value")), lengths)
    got = run(bin_folder, device, shape, arrays, work).astype(float)
    return numpy.abs(got - wanted).max() / numpy.abs(wanted).max()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    root, bin_folder, devices = sys.argv[1], sys.argv[2], sys.argv[3:] or list(REGISTER_BYTES)
    bound = 2.0 ** -8  # weights and partial sums are halves
    failed = 0
    for device in devices:
        for shape in SHAPES:
            if REGISTER_BYTES[device] == 64 and shape[2] * 2 % BLOCK_ALIGNMENT:
                print(f"{device} {shape}: left out, its heads are not aligned to {BLOCK_ALIGNMENT} bytes")
                continue
            with tempfile.TemporaryDirectory() as work:
                error = try_shape(bin_folder, root, device, shape, work)
            failed += not error <= bound
            print(f"{device} {shape}: largest error {error:.2e}, bound {bound:.2e}", flush=True)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
