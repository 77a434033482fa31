"""Attention over a paged cache: OpenVINO's kernels that fill it, and that read it for prompts and for single tokens.

The cache of keys is [blocks][heads][tokens of a block][size], in halves or in bytes. Bytes by token have a scale and a
zero point for each token behind a head's bytes; keys by channel have them for each 16 tokens and channel.
"""
import dataclasses

import numpy

from lab import Out, error

SUB_BLOCK = 16  # tokens that share scales, by channel
PLAIN, BY_TOKEN, BY_CHANNEL = 0, 1, 2
MODES = {PLAIN: "plain", BY_TOKEN: "by token", BY_CHANNEL: "by channel"}
LEAST_RANGE = 2.0 ** -4  # of the values that share a scale: zero points are halves
FINITE = 77
# Partial products are sums of single precision of halves that are rounded once; weights are halves.
BOUND = 2.0 ** -8


@dataclasses.dataclass(frozen=True)
class Shape:
    heads: int
    kv_heads: int
    size: int
    block: int  # tokens
    sequences: tuple  # (tokens of the past, new tokens) each

    def __str__(self):
        return (f"{self.heads}/{self.kv_heads} heads of {self.size}, blocks of {self.block}, "
                f"past+new {' '.join(f'{past}+{new}' for past, new in self.sequences)}")


PROMPTS = (
    Shape(4, 2, 128, 256, ((0, 300),)),
    Shape(2, 2, 64, 256, ((0, 40), (256, 70))),
    Shape(4, 1, 96, 16, ((37, 50), (0, 129))),
    Shape(2, 1, 128, 16, ((100, 33),)),
    Shape(2, 1, 256, 16, ((20, 70),)),
)
TOKENS = (
    Shape(8, 2, 128, 256, ((299, 1),)),
    Shape(4, 4, 64, 256, ((700, 1), (17, 1))),
    Shape(8, 1, 96, 16, ((129, 1), (5, 1))),
    Shape(4, 2, 128, 16, ((255, 1),)),
)
DRAFTS = (  # several tokens of a sequence that is being decoded; the kernel masks the last block, not the partition
    Shape(8, 2, 128, 256, ((299, 3),)),
    Shape(4, 1, 64, 256, ((260, 5), (17, 2))),
)


def quantise(rows):
    """Rows of halves as bytes, with the step and the zero point of each row (last axis), as halves."""
    low, high = rows.min(axis=-1, keepdims=True), rows.max(axis=-1, keepdims=True)
    scale = 255.0 / numpy.maximum(high - low, LEAST_RANGE)
    zero = (-low * scale).astype(numpy.float16)
    data = numpy.clip(numpy.rint(rows * scale + zero), 0, 255).astype(numpy.uint8)
    return data, (1 / scale).astype(numpy.float16), zero


class Cache:
    """A cache of one tensor, with its values as the kernels should read them."""

    def __init__(self, rows, mode, shape, table, blocks, unused):
        """rows: for each sequence the tokens, [tokens][heads][size]; table: for each sequence the blocks' numbers."""
        heads, size, block = shape.kv_heads, shape.size, shape.block
        groups = block // SUB_BLOCK
        extra = {PLAIN: 0, BY_TOKEN: block * 4, BY_CHANNEL: groups * size * 4}[mode]
        if mode == PLAIN:
            self.memory = numpy.full((blocks, heads, block, size), unused, numpy.float16)
        else:
            self.memory = numpy.full((blocks, heads, block * size + extra), 0xff, numpy.uint8)
        self.values = [sequence.astype(float) for sequence in rows]
        for number, sequence in enumerate(rows):
            for start in range(0, len(sequence), block):
                part = sequence[start:start + block].swapaxes(0, 1)  # [heads][tokens][size]
                place = self.memory[table[number][start // block]]
                if mode == PLAIN:
                    place[:, :part.shape[1]] = part
                else:
                    values = self._pack(place, part.astype(float), mode, shape)
                    self.values[number][start:start + block] = values.swapaxes(0, 1)

    @staticmethod
    def _pack(place, part, mode, shape):
        """Writes the bytes of one block; returns what they stand for."""
        heads, count, size = part.shape
        data = place[:, :shape.block * size].reshape(heads, shape.block, size)
        scales = place[:, shape.block * size:].view(numpy.float16)
        values = numpy.empty(part.shape)
        if mode == BY_TOKEN:
            packed, step, zero = quantise(part)
            data[:, :count] = packed
            scales[:, :count], scales[:, shape.block:shape.block + count] = step[..., 0], zero[..., 0]
            return (packed - zero.astype(float)) * step.astype(float)
        groups = shape.block // SUB_BLOCK
        for group in range(0, (count + SUB_BLOCK - 1) // SUB_BLOCK):
            tokens = slice(group * SUB_BLOCK, min((group + 1) * SUB_BLOCK, count))
            packed, step, zero = quantise(part[:, tokens].swapaxes(1, 2))
            data[:, tokens] = packed.swapaxes(1, 2)
            scales[:, group * size:(group + 1) * size] = step[..., 0]
            scales[:, (groups + group) * size:(groups + group + 1) * size] = zero[..., 0]
            values[:, tokens] = ((packed - zero.astype(float)) * step.astype(float)).swapaxes(1, 2)
        return values


class Problem:
    """Random inputs of a shape, and the attention in float64.

    unused: what stands where the cache has no token. A kernel that multiplies it by a weight of 0 needs a number.
    """

    def __init__(self, shape, mode, unused=numpy.nan, seed=21):
        random = numpy.random.default_rng(seed)
        self.shape, self.mode = shape, mode
        lengths = [past + new for past, new in shape.sequences]
        used = [(length + shape.block - 1) // shape.block for length in lengths]
        blocks = sum(used) + 1  # one belongs to nobody
        numbers = random.permutation(blocks)
        starts = numpy.cumsum([0] + used)
        self.table = [numbers[starts[i]:starts[i + 1]] for i in range(len(used))]
        self.block_indices = numbers[:starts[-1]].astype(numpy.int32)
        self.block_begins = starts.astype(numpy.int32)
        self.past = numpy.array([past for past, _ in shape.sequences], numpy.int32)
        self.begins = numpy.cumsum([0] + [new for _, new in shape.sequences]).astype(numpy.int32)
        draw = lambda count, heads: random.normal(size=(count, heads, shape.size)).astype(numpy.float16)
        self.query = draw(self.begins[-1], shape.heads)
        self.rows = {name: [draw(length, shape.kv_heads) for length in lengths] for name in ("key", "value")}
        self.key = Cache(self.rows["key"], mode, shape, self.table, blocks, unused)
        self.value = Cache(self.rows["value"], min(mode, BY_TOKEN), shape, self.table, blocks, unused)

    def reference(self, allowed=None):
        """Attention of each new token to the tokens up to it; allowed(sequence, head): more of a mask, or None."""
        shape = self.shape
        out = numpy.zeros((self.begins[-1], shape.heads, shape.size))
        for number, (past, new) in enumerate(shape.sequences):
            rows = slice(self.begins[number], self.begins[number + 1])
            later = numpy.arange(past + new)[None, :] > past + numpy.arange(new)[:, None]
            for head in range(shape.heads):
                kv_head = head // (shape.heads // shape.kv_heads)
                key, value = self.key.values[number][:, kv_head], self.value.values[number][:, kv_head]
                scores = self.query[rows, head].astype(float) @ key.T / numpy.sqrt(shape.size)
                hidden = later if allowed is None else later | ~allowed(number, head)
                scores[hidden] = -numpy.inf
                weights = numpy.exp(scores - scores.max(axis=1, keepdims=True))
                out[rows, head] = weights / weights.sum(axis=1, keepdims=True) @ value
        return out

    @property
    def tables(self):
        return self.past, self.block_indices, self.block_begins, self.begins


def base(lab, shape, mode):
    return {"XE_ARCH": lab.device.xe_arch, "KV_STEP": lab.device.lanes, "WG_SIZE": 16, "CAUSAL_MASK": 1,
            "KV_CACHE_COMPRESSION": mode, "SUB_BLOCK_SIZE": SUB_BLOCK, "HAS_QQ_BIAS": 0, "HEAD_SIZE": shape.size,
            "HEADS_NUM": shape.heads, "KV_HEADS_NUM": shape.kv_heads, "SCALE_FACTOR": 1 / shape.size ** 0.5,
            "KV_BLOCK_SIZE": shape.block, "CLEAN_UNUSED_KVCACHE": 1, "REDUCE_SPLIT_SIZE": 16}


def multi_macros(lab, shape, mode, sparse=1):
    rows = 16 * lab.device.lanes // (2 if shape.size == 256 else 1)
    return {**base(lab, shape, mode), "KERNEL_NAME": "pa_multi_token", "CMFLA_NUM_HEADS": shape.heads,
            "CMFLA_NUM_KV_HEADS": shape.kv_heads, "CMFLA_HEAD_SIZE": shape.size,
            "CMFLA_SCALE_FACTOR": 1 / shape.size ** 0.5, "CMFLA_IS_CAUSAL": 1, "CMPA_BLOCK_SZ": shape.block,
            "CMPA_WG_SEQ_LEN": rows, "SPARSE_BLOCK_SIZE": sparse}, rows


def groups_of_queries(problem, rows):
    """Where each work-group's queries start, and their sequence."""
    pairs = [(start, number) for number in range(len(problem.past))
             for start in range(problem.begins[number], problem.begins[number + 1], rows)]
    return numpy.array(pairs, numpy.int32)


def prompt(lab, shape, mode):
    problem = Problem(shape, mode)
    macros, rows = multi_macros(lab, shape, mode)
    kernel = lab.compile(lab.find("pa_multi_token.cm"), macros)
    pairs = groups_of_queries(problem, rows)
    got, = lab.run(kernel, (1, shape.heads, len(pairs)), (1, 1, 16), problem.query, problem.key.memory,
                   problem.value.memory, *problem.tables, pairs, Out.zeros(problem.query.shape, numpy.float16),
                   len(problem.query))
    return error(got, problem.reference()), BOUND


def partitions(shape):
    size = max(128, shape.block)
    return size, max((past + new + size - 1) // size for past, new in shape.sequences)


def chunks(lab, shape, size):
    """How many times a thread takes how many heads: so many that their scores take less than all registers."""
    heads = shape.heads // shape.kv_heads
    most = max(1, min(8, (256 * lab.device.register_bytes - 1) // (4 * size)))
    chunk = max(count for count in range(1, min(heads, most) + 1) if heads % count == 0)
    return heads // chunk, chunk


def token(lab, shape, mode):
    problem = Problem(shape, mode, unused=FINITE)
    size, count = partitions(shape)
    times, chunk = chunks(lab, shape, size)
    macros = {**base(lab, shape, mode), "KV_PARTITION_SIZE": size, "Q_head_chunks_per_kv_head": times,
              "Q_head_chunk_size": chunk}
    sequences = len(shape.sequences)
    chosen = numpy.arange(sequences, dtype=numpy.int32)
    kernel = lab.compile(lab.find("pa_single_token.cm"), {**macros, "KERNEL_NAME": "pa_single_token"})
    groups = (sequences, shape.kv_heads * times, count)
    parts, sums = lab.run(kernel, groups, (1, 1, 1), problem.query, problem.key.memory, problem.value.memory,
                          *problem.tables, chosen,
                          Out.zeros((sequences, shape.heads, count, shape.size), numpy.float32),
                          Out.zeros((sequences, shape.heads, count), numpy.float32), 1, sequences)
    kernel = lab.compile(lab.find("pa_single_token_finalization.cm"), {**macros, "KERNEL_NAME": "finalization"})
    got, = lab.run(kernel, (sequences, shape.heads, shape.size // 16), (1, 1, 1), parts,
                   Out.zeros(problem.query.shape, numpy.float16), sums, problem.begins, chosen, sequences, count)
    return error(got, problem.reference()), BOUND


def draft(lab, shape, mode):
    problem = Problem(shape, mode, unused=FINITE)
    size, count = partitions(shape)
    chunk, tile = shape.heads // shape.kv_heads, 2
    macros = {**base(lab, shape, mode), "KV_PARTITION_SIZE": size, "Q_head_chunks_per_kv_head": 1,
              "Q_head_chunk_size": chunk, "TILE_Q": tile}
    tiles = numpy.array([(number, start, min(tile, new - start)) for number, (_, new) in enumerate(shape.sequences)
                         for start in range(0, new, tile)], numpy.int32)
    rows = len(tiles) * tile
    kernel = lab.compile(lab.find("pa_small_q.cm"), {**macros, "KERNEL_NAME": "pa_small_q"})
    parts, sums = lab.run(kernel, (len(tiles), shape.kv_heads, count), (1, 1, 1), problem.query, problem.key.memory,
                          problem.value.memory, *problem.tables, tiles,
                          Out.zeros((rows, shape.heads, count, shape.size), numpy.float32),
                          Out.zeros((rows, shape.heads, count), numpy.float32), 0, len(tiles))
    kernel = lab.compile(lab.find("pa_small_q_finalization.cm"), {**macros, "KERNEL_NAME": "finalization"})
    got, = lab.run(kernel, (rows, shape.heads, shape.size // 16), (1, 1, 1), parts,
                   Out.zeros(problem.query.shape, numpy.float16), sums, problem.begins, tiles, rows, count)
    return error(got, problem.reference()), BOUND


def cases(device):
    """Yields (name, function of a lab that returns the error and its bound)."""
    for run, shapes, label in ((prompt, PROMPTS, "pa_multi_token"), (token, TOKENS, "pa_single_token"),
                               (draft, DRAFTS, "pa_small_q")):
        for shape in shapes:
            for mode, name in MODES.items():
                yield f"{label}, {name}, {shape}", lambda lab, run=run, shape=shape, mode=mode: run(lab, shape, mode)
