"""The shapes of the plug-in's own unit tests of its CM kernels: unit-vision, unit-paged, unit-cached, unit-reorder.

The lists are those of OpenVINO's src/plugins/intel_gpu/tests: functional/.../transpose_vlsdpa (vision),
unit/test_cases/paged_attention_gpu_test.cpp, smoke_cm_xattention (paged, and cached for the cache of bytes), and
unit/test_cases/pa_kv_reorder_gpu_test.cpp (reorder). The references are NumPy's here. Left out, because they take more
than minutes: prompts of 1024 and 2048 tokens, and one token after 1023 and 1024.
"""
import itertools

import numpy as np

import blocks
import stateful

BEGINS = ([0, 16], [0, 16, 32], [0, 64, 128, 192, 256])
# new tokens, tokens before them, heads, heads of keys, size
PAGED = [(32, 0, 2, 2, 64), (32, 0, 4, 2, 64), (1, 31, 2, 2, 64), (1, 32, 2, 2, 64), (1, 127, 2, 2, 64),
         (1, 128, 2, 2, 64), (1, 129, 2, 2, 64), (1, 32, 28, 28, 128)]
CACHED = [(32, 0, 2, 2, 64), (32, 0, 4, 2, 64), (1, 31, 2, 2, 64), (1, 32, 2, 2, 64)]
# pairs of places, the one that is read and the one that is written, in two blocks of one head
REORDER = [[(20, 25)], [(100, 264)], [(30, 264), (100, 263)]]


def attend(core, name, table, precision):
    for tokens, past, heads, key_heads, size in table:
        stateful.attend(core, f"{name}:{tokens}+{past},{heads}/{key_heads}x{size}", (heads, key_heads, size),
                        [past, tokens] if past else [tokens], precision=precision)


def run(core, name):
    if name.startswith("unit-vision"):  # unit-vision-aligned: each head at a multiple of 64 bytes
        for heads, size, begins in itertools.product((1, 2), (16, 64, 128), BEGINS):
            if name == "unit-vision" or heads == 1 or size > 16:
                blocks.run_vision(core, heads, size, begins)
    elif name == "unit-paged":
        attend(core, name, PAGED, "f16")
    elif name == "unit-cached":
        attend(core, name, CACHED, "u8")
    elif name == "unit-reorder":
        for pairs in REORDER:
            blocks.run_reorder(core, name, 1, 16, [[0, 1]], [np.array(pairs, np.int32)])
    else:
        raise ValueError(f"no case '{name}'")
