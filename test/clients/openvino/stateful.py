"""Decoders whose keys and values stay on the GPU: a language model with state, and paged attention."""
import numpy as np
import openvino as ov
import openvino.opset13 as op
from openvino.op import _PagedAttentionExtension
from openvino.op.util import Variable, VariableInfo

import models
from models import FULL, HALF, INT

WIDTH, HEADS, SIZE, WORDS, LAYERS = 64, 2, 32, 64, 2
BLOCK = 256  # tokens of a block of the cache, with sparse attention


def remembered(new, name):
    """Returns the keys and values of earlier tokens, followed by those of the new ones."""
    info = VariableInfo()
    info.data_shape, info.data_type, info.variable_id = ov.PartialShape([-1, HEADS, -1, SIZE]), ov.Type.f32, name
    variable = Variable(info)
    nothing = op.constant(np.zeros((1, HEADS, 0, SIZE), dtype=FULL))
    every = op.concat([ov.opset6.read_value(nothing, variable), new], 2)
    return every, ov.opset6.assign(every, variable)


def layer(x, mask, number):
    def split(y):
        return op.transpose(op.reshape(y, models.axes(0, 0, HEADS, SIZE), True), models.axes(0, 2, 1, 3))
    normal = models.rms_norm(x, WIDTH)
    query, key, value = (split(models.linear(normal, WIDTH, WIDTH)) for _ in range(3))
    keys, keep_keys = remembered(key, f"keys{number}")
    values, keep_values = remembered(value, f"values{number}")
    mixed = op.scaled_dot_product_attention(query, keys, values, mask)
    flat = op.reshape(op.transpose(mixed, models.axes(0, 2, 1, 3)), models.axes(0, 0, WIDTH), True)
    x = op.add(x, models.linear(flat, WIDTH, WIDTH))
    normal = models.rms_norm(x, WIDTH)
    gated = op.multiply(op.swish(models.linear(normal, WIDTH, 128)), models.linear(normal, WIDTH, 128))
    return op.add(x, models.linear(gated, 128, WIDTH)), [keep_keys, keep_values]


def decoder():
    words = op.parameter(ov.PartialShape([1, -1]), np.int64)
    mask = op.parameter(ov.PartialShape([1, 1, -1, -1]), FULL)
    x, kept = op.gather(models.weights(WORDS, WIDTH, scale=1), words, models.axes(0)), []
    x = op.reshape(x, models.axes(0, -1, WIDTH), True)
    for number in range(LAYERS):
        x, more = layer(x, mask, number)
        kept += more
    logits = models.linear(models.rms_norm(x, WIDTH), WIDTH, WORDS)
    return ov.Model([op.result(logits)], kept, [words, mask])


def logits(compiled, steps):
    """The last token's logits after a prompt and after each further word."""
    request, past, found = compiled.create_infer_request(), 0, []
    for words in steps:
        count = words.shape[1]
        hidden = np.arange(past + count)[None, :] > past + np.arange(count)[:, None]
        mask = np.where(hidden, FULL(-10000), FULL(0))[None, None]
        found.append(request.infer([words, mask])[0][0, -1].copy())
        past += count
    return np.array(found)


def run_decoder(core):
    model = decoder()
    steps = [models.random.integers(0, WORDS, (1, count)) for count in (7, 1, 1)]
    there = logits(core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}), steps)
    compiled = core.compile_model(model, "GPU", {"INFERENCE_PRECISION_HINT": "f16"})
    models.report("decoder", logits(compiled, steps), there, compiled)


def run_lstm(core):
    """Both directions; the sizes are those for which the plug-in has a kernel in CM."""
    tokens, inputs, hidden = 4, 64, 128

    def half(*shape):
        return op.constant((models.random.standard_normal(shape) * 0.1).astype(HALF))
    x = op.parameter([1, tokens, inputs], HALF)
    sequence = op.lstm_sequence(x, half(1, 2, hidden), half(1, 2, hidden), op.constant(np.array([tokens], INT)),
                                half(2, 4 * hidden, inputs), half(2, 4 * hidden, hidden), half(2, 4 * hidden), hidden,
                                "bidirectional", ["sigmoid", "tanh", "tanh"])
    model, value = ov.Model([sequence.output(0)], [x]), models.values(1, tokens, inputs).astype(HALF)
    there = core.compile_model(model, "CPU")([value])[0]
    compiled = core.compile_model(model, "GPU", {"INFERENCE_PRECISION_HINT": "f16"})
    models.report("lstm", compiled([value])[0], there, compiled)


def paged_attention(heads, key_heads, size):
    """One layer of paged attention with the inputs of sparse attention."""
    empty = [np.empty(0, dtype) for dtype in (HALF, INT)]

    def parameter(name, dtype, *shape):
        result = op.parameter(ov.PartialShape(list(shape)), dtype, name=name)
        result.output(0).get_tensor().set_names({name})
        return result
    numbers = [parameter(name, INT, -1) for name in ("past_lens", "subsequence_begins", "block_indices",
                                                     "block_indices_begins")]
    tensors = [parameter("query", HALF, -1, heads * size), parameter("key", HALF, -1, key_heads * size),
               parameter("value", HALF, -1, key_heads * size), parameter("key_cache.0", HALF, -1, -1, -1, -1),
               parameter("value_cache.0", HALF, -1, -1, -1, -1)]
    longest = parameter("max_context_len", INT)
    sparse = [parameter("xattention_threshold.0", HALF, -1), parameter("xattention_block_size", INT),
              parameter("xattention_stride", INT)]
    none, whole = op.constant(empty[0]), op.constant(empty[1])
    zero = op.constant(INT(0))
    inputs = [*tensors, *numbers, op.constant(HALF(size ** -0.5)), zero, none, longest, zero, whole, whole, none,
              *sparse, op.constant(np.empty((0, 0, 0, 0), HALF)), zero, whole, whole, whole, whole,
              op.constant(np.empty(0, np.uint8)), whole]
    paged = _PagedAttentionExtension([node.output(0) for node in inputs])
    for name, value in (("num_k_heads", key_heads), ("k_head_size", size), ("num_v_heads", key_heads),
                        ("v_head_size", size)):
        paged.get_rt_info()[name] = value
    return ov.Model([paged.output(0)], [*tensors, *numbers, longest, *sparse])


def attended(query, key, value, past, size):
    """Attention in NumPy: as many query heads in turn use a key head as there are more of them."""
    result = np.zeros(query.shape, np.float64)
    query, key, value = (each.astype(np.float64) for each in (query, key, value))
    share_of = query.shape[1] // key.shape[1]
    for head in range(query.shape[1] // size):
        part = slice(head * size, (head + 1) * size)
        keys = slice(head // share_of * size, (head // share_of + 1) * size)
        scores = query[:, part] @ key[:, keys].T / size**0.5
        scores[np.arange(len(key))[None, :] > past + np.arange(len(query))[:, None]] = -np.inf
        share = np.exp(scores - scores.max(1, keepdims=True))
        result[:, part] = share / share.sum(1, keepdims=True) @ value[:, keys]
    return result


def attend(core, case, shape, steps, block=128, precision="f16", threshold=0.9):
    """Reports paged attention of that shape (heads, heads of keys, size) over the steps, each some tokens at once."""
    heads, key_heads, size = shape
    how = {"INFERENCE_PRECISION_HINT": "f16", "KV_CACHE_PRECISION": precision}
    if precision != "f16":  # this alone would make bytes of the cache
        how["KEY_CACHE_QUANT_MODE"] = "BY_TOKEN"
    compiled = core.compile_model(paged_attention(*shape), "GPU", how)
    request, context = compiled.create_infer_request(), core.get_default_context("GPU")
    total = sum(steps)
    for port in compiled.inputs:
        if "cache" in port.any_name:
            sides = [1 + total // BLOCK if side.is_dynamic else side.get_length() for side in port.partial_shape]
            request.set_tensor(port.any_name, context.create_tensor(port.element_type, ov.Shape(sides), {}))
    data = {name: models.values(total, width).astype(HALF)
            for name, width in (("query", heads * size), ("key", key_heads * size), ("value", key_heads * size))}
    here, there, first = [], [], 0
    for last in np.cumsum(steps).tolist():
        blocks = np.arange((last + BLOCK - 1) // BLOCK, dtype=INT)
        for name, value in {**{name: rows[first:last] for name, rows in data.items()},
                            "past_lens": np.array([first], INT),
                            "subsequence_begins": np.array([0, last - first], INT),
                            "block_indices": blocks, "block_indices_begins": np.array([0, len(blocks)], INT),
                            "max_context_len": np.array(last, INT),
                            "xattention_threshold.0": np.array([threshold], HALF),
                            "xattention_block_size": np.array(block, INT),
                            "xattention_stride": np.array(16, INT)}.items():
            request.set_tensor(name, ov.Tensor(value.copy(order="C")))
        request.infer()
        here.append(request.get_output_tensor(0).data.reshape(last - first, -1).astype(np.float64))
        there.append(attended(data["query"][first:last], data["key"][:last], data["value"][:last], first, size))
        first = last
    models.report(case, np.concatenate(here), np.concatenate(there), compiled)


def run_paged(core, case):
    """A prompt, then one token, then two at once. The name says how many tokens the prompt has, and after a colon each:
    the size of sparse attention's blocks (default 128), the cache's type (default f16), dense."""
    prompt, *how = case[len("paged"):].split(":")
    attend(core, case, (2, 1, 64), [int(prompt), 1, 2], next((int(word) for word in how if word.isdigit()), 128),
           next((word for word in how if word in ("i8", "u8")), "f16"), 1.0 if "dense" in how else 0.9)


def run(core, name):
    if name.startswith("paged"):
        return run_paged(core, name)
    return {"decoder": run_decoder, "lstm": run_lstm}[name](core)
