"""Attention within sequences, as vision encoders have it, and the moving of tokens within a paged cache.

These and paged attention (stateful.py) are what the plug-in has in CM besides an LSTM.
"""
import ctypes
import glob
import os

import numpy as np
import openvino as ov
import openvino.opset13 as op

import models
from models import HALF, INT

BLOCK = 256  # tokens of a block of the cache, with sparse attention


def parameter(name, dtype, *shape):
    result = op.parameter(ov.PartialShape(list(shape)), dtype, name=name)
    result.output(0).get_tensor().set_names({name})
    return result


def vision_attention(heads, size):
    """Attention whose mask the plug-in replaces with the beginnings of sequences: it knows Qwen's models by a hint."""
    inputs = [parameter(name, HALF, -1, heads, size) for name in "qkv"]
    mask = parameter("attention_mask", HALF, 1, -1, -1)
    turned = [op.transpose(each, models.axes(1, 0, 2)) for each in inputs]
    mixed = op.transpose(op.scaled_dot_product_attention(*turned, mask), models.axes(1, 0, 2))
    model = ov.Model([mixed], [*inputs, mask])
    model.set_rt_info("QWenVL", "model_type_hint")
    return model


def attended(query, key, value, begins):
    """The same in NumPy, each sequence for itself."""
    result = np.zeros(query.shape)
    for first, last in zip(begins[:-1], begins[1:]):
        q, k, v = (each[first:last].astype(np.float64) for each in (query, key, value))
        scores = np.einsum("qhs,khs->hqk", q, k) / query.shape[2] ** 0.5
        share = np.exp(scores - scores.max(2, keepdims=True))
        result[first:last] = np.einsum("hqk,khs->qhs", share / share.sum(2, keepdims=True), v)
    return result


def run_vision(core, heads, size, begins):
    values = [models.values(begins[-1], heads, size).astype(HALF) for _ in range(3)]
    compiled = core.compile_model(vision_attention(heads, size), "GPU", {"INFERENCE_PRECISION_HINT": "f16"})
    here = compiled([*values, np.array(begins, INT)])[0]
    lengths = np.diff(begins)
    models.report(f"vision{heads}x{size}:{'+'.join(map(str, lengths))}", here, attended(*values, begins), compiled)


def reordering(heads, size):
    """Rows of the caches of keys and values that are copied to other places: the plug-in makes one operation of it."""
    caches = [parameter(f"{kind}_cache.0_clone_for_{kind[0]}_update", HALF, -1, heads, BLOCK, size)
              for kind in ("key", "value")]
    for cache in caches:
        for name, value in (("num_k_heads", heads), ("k_head_size", size), ("num_v_heads", heads),
                            ("v_head_size", size)):
            cache.get_rt_info()[name] = value
    names = ("block_indices", "block_indices_begins", "block_update_indices", "block_update_indices_begins")
    numbers = [parameter(name, INT, -1) for name in names]
    zero = op.constant(np.int64(0))
    moved = [op.scatter_update(cache, numbers[0], op.gather(cache, numbers[2], zero), zero) for cache in caches]
    model = ov.Model([op.concat(moved, 0)], [*caches, *numbers])
    model.set_rt_info(True, "sparse_enabled")
    return model


def fuse(model):
    """Makes one operation of the copies, as OpenVINO's GenAI does before it compiles such a model: a pass of
    libopenvino.so that Python does not offer. What pybind11 calls a holder, a shared_ptr<Model>, lies behind a Python
    object's head (two words) and the pointer to its value."""
    folder = os.path.join(os.path.dirname(ov.__file__), "libs")
    library = ctypes.CDLL(glob.glob(os.path.join(folder, "libopenvino.so.*"))[0])
    one_pass = ctypes.create_string_buffer(4096)
    library["_ZN2ov4pass17PaKVReorderFusionC1ENS_7element4TypeE"](one_pass, ctypes.c_int(0))  # 0: keeps the type
    run_on_model = library["_ZN2ov4pass17PaKVReorderFusion12run_on_modelERKSt10shared_ptrINS_5ModelEE"]
    run_on_model.restype = ctypes.c_bool
    holder = ctypes.c_void_p(id(model._Model__model) + 3 * ctypes.sizeof(ctypes.c_void_p))
    if not run_on_model(one_pass, holder):
        raise RuntimeError("PaKVReorderFusion finds nothing to fuse")
    return model


def run_reorder(core, case, heads, size, sequences, moves):
    """sequences: the blocks of each. moves: for each, pairs of places, the one to read and the one to write."""
    compiled = core.compile_model(fuse(reordering(heads, size)), "GPU", {"INFERENCE_PRECISION_HINT": "f16",
                                                                         "KV_CACHE_PRECISION": "f16"})
    request, context = compiled.create_infer_request(), core.get_default_context("GPU")
    count = sum(map(len, sequences))
    caches = [models.values(count, heads, BLOCK, size).astype(HALF) for _ in range(2)]
    tensors = []
    for port, cache in zip(compiled.inputs, caches):
        tensor = context.create_tensor(port.element_type, ov.Shape(cache.shape), {})
        tensor.copy_from(ov.Tensor(cache))
        request.set_tensor(port.any_name, tensor)
        tensors.append(tensor)
    for port, value in zip(compiled.inputs[2:], (
            np.concatenate(sequences), np.cumsum([0, *map(len, sequences)]), np.concatenate(moves).reshape(-1),
            np.cumsum([0, *map(len, moves)]))):
        request.set_tensor(port.any_name, ov.Tensor(value.astype(INT)))
    request.infer()
    here = []
    for tensor, cache in zip(tensors, caches):
        got = ov.Tensor(ov.Type.f16, ov.Shape(cache.shape))
        tensor.copy_to(got)
        here.append(got.data.astype(np.float64))
        for own, pairs in zip(sequences, moves):
            for source, target in pairs:
                cache[own[target // BLOCK], :, target % BLOCK] = cache[own[source // BLOCK], :, source % BLOCK]
    models.report(case, np.array(here), np.array(caches), compiled)


def run(core, name):
    if name == "reorder":
        return run_reorder(core, name, 2, 64, [[3, 1], [0, 2]],
                           [np.array([[300, 5], [17, 6], [500, 261]]), np.array([[255, 256], [1, 0]])])
    shape, lengths = name[len("vision"):].split(":")
    heads, size = map(int, shape.split("x"))
    return run_vision(core, heads, size, [0, *np.cumsum([int(length) for length in lengths.split("+")]).tolist()])
