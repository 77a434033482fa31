"""Attention within sequences of different lengths: OpenVINO's cm_sdpa_vlen."""
import numpy

from lab import Left, Out, error

SHAPES = [  # heads, heads of keys and values, size of a head, lengths of the sequences
    (2, 2, 80, [40, 24]),
    (2, 1, 64, [64]),
    (4, 2, 128, [48, 16]),
    (2, 2, 72, [33]),
    (2, 2, 96, [40, 24]),
]
# If the kernel reads 2D blocks, a head must start at a multiple of 64 bytes (SPV_INTEL_2d_block_io).
BLOCK_ALIGNMENT = 64
BOUND = 2.0 ** -8  # weights and partial sums are halves


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


def attempt(lab, shape):
    heads, kv_heads, size, lengths = shape
    if lab.device.blocks_2d and size * 2 % BLOCK_ALIGNMENT:
        raise Left(f"its heads are not aligned to {BLOCK_ALIGNMENT} bytes")
    random = numpy.random.default_rng(21)
    query, key, value = (random.normal(size=(sum(lengths), count, size)).astype(numpy.float16)
                         for count in (heads, kv_heads, kv_heads))
    starts = numpy.cumsum([0] + lengths).astype(numpy.int32)
    kernel = lab.compile(lab.find("cm_sdpa_vlen.cm"), {
        "KERNEL_NAME": "cm_sdpa_vlen", "CMFLA_NUM_HEADS": heads, "CMFLA_NUM_KV_HEADS": kv_heads,
        "CMFLA_HEAD_SIZE": size, "CMFLA_SCALE_FACTOR": 1 / size ** 0.5, "CMFLA_IS_CAUSAL": 0,
        "CMFLA_KV_BLK": 2 if size <= 64 else 1, "CMFLA_Q_SCALED_BY_LOG2": 1, "CMFLA_USE_TREE_SOFTMAX": 0})
    threads = min(16, (max(lengths) + lab.device.lanes - 1) // lab.device.lanes)
    result = Out.zeros(query.shape, numpy.float16)
    got, = lab.run(kernel, (heads, len(lengths)), (1, threads), query, key, value, result, starts, 0, 0, 0, 0,
                   heads * size, kv_heads * size, kv_heads * size)
    return error(got, reference(*(array.astype(float) for array in (query, key, value)), lengths)), BOUND


def cases(device):
    """Yields (name, function of a lab that returns the error and its bound)."""
    del device
    for shape in SHAPES:
        heads, kv_heads, size, lengths = shape
        yield (f"cm_sdpa_vlen, {heads}/{kv_heads} heads of {size}, lengths {' '.join(map(str, lengths))}",
               lambda lab, shape=shape: attempt(lab, shape))
