#!/usr/bin/env python3
"""generate.py SEED [COUNT]: prints COUNT random CM kernels that look like real ones, `hunt_SEED` and so on.

A kernel loads blocks, runs two to eleven stages, and writes its variables. A stage is an idiom that CM kernels are made
of: a filter with taps, a matrix product, a loop that carries a matrix and reads its rows at run time, a sorting
network, a reduction in halves, divergent and uniform branches, tables, bit mixing, packing of bytes, a search for the
best block, pictures added with weights. Sizes, types, strides, loop forms and operand orders are random. All arithmetic
is exact (integers, or floats with small integers), so that every compiler must give the same bytes.

One seed always gives the same kernel, whatever COUNT is. Limits: 4096 bytes are read from `in`, at most 8192 are
written."""
import random
import sys

INPUT_BYTES = 4096
RESULT_BYTES = 5120  # of the variables; block_copy() writes behind them
BYTES = {"uchar": 1, "char": 1, "ushort": 2, "short": 2, "uint": 4, "int": 4, "float": 4}


class Variable:
    def __init__(self, name, kind, rows, columns):
        self.name, self.kind, self.rows, self.columns = name, kind, rows, columns

    @property
    def count(self):
        return self.rows * self.columns

    @property
    def bytes(self):
        return self.count * BYTES[self.kind]

    @property
    def is_matrix(self):
        return self.rows > 1

    def type(self):
        if self.is_matrix:
            return f"matrix<{self.kind}, {self.rows}, {self.columns}>"
        return f"vector<{self.kind}, {self.columns}>"

    def flat(self):
        return f"{self.name}.format<{self.kind}>()" if self.is_matrix else self.name


class Kernel:
    """The text of one kernel as it grows. `at` is the next unread byte of the input."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed, self.lines, self.depth, self.at, self.names, self.live = seed, [], 1, 0, 0, []
        self.copied = False

    # ---- text ----

    def put(self, text):
        self.lines.append("    " * self.depth + text)

    def open(self, text):
        self.put(text + " {")
        self.depth += 1

    def close(self, text="}"):
        self.depth -= 1
        self.put(text)

    def otherwise(self, text="} else {"):
        self.close(text)
        self.depth += 1

    def name(self, prefix="v"):
        self.names += 1
        return f"{prefix}{self.names}"

    # ---- random choices ----

    def one(self, *choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def small(self):
        return self.random.randrange(1, 16)

    # ---- variables ----

    def load(self, kind, rows, columns, limit=None):
        """A variable with input; floats are small integers. `limit`: values are taken modulo it."""
        variable = Variable(self.name("m" if rows > 1 else "v"), kind, rows, columns)
        source = "uchar" if kind == "float" else kind
        size = variable.count * BYTES[source]
        size += -size % 16
        if self.at + size > INPUT_BYTES:
            self.at = self.random.randrange(0, 64) * 16
        raw = self.name("raw")
        self.put(f"vector<{source}, {size // BYTES[source]}> {raw};")
        self.put(f"cm_svm_block_read(in + {self.at}, {raw});")
        self.at += size
        self.put(f"{variable.type()} {variable.name};")
        value = f"{raw}.select<{variable.count}, 1>(0)"
        if kind == "float" or limit:
            value += f" & {(limit or 16) - 1}"
        self.put(f"{variable.flat()} = {value};")
        return variable

    def declare(self, kind, rows, columns, value="0"):
        variable = Variable(self.name("m" if rows > 1 else "v"), kind, rows, columns)
        self.put(f"{variable.type()} {variable.name}{f' = {value}' if value else ''};")
        return variable

    def keep(self, variable):
        self.live.append(variable)

    def any_live(self, kind=None, least=1):
        found = [v for v in self.live if (not kind or v.kind == kind) and v.count >= least]
        return self.random.choice(found) if found else None

    def trips(self, count):
        """A loop over `count` rounds: unrolled, constant, or with a bound that only the run knows."""
        counter = self.name("i")
        form = self.random.randrange(3)
        if form == 0:
            self.put("#pragma unroll")
        bound = f"(n & 0) + {count}" if form == 2 else str(count)
        self.open(f"for (int {counter} = 0; {counter} < {bound}; {counter}++)")
        return counter

    # ---- the whole ----

    def text(self, stages):
        self.put("vector<uint, 4> head;")
        self.put("cm_svm_block_read(in, head);")
        self.put("int n = head(0) & 7;")
        limit = self.one(2400, 2400, 2400, 3300)  # all registers hold 4096
        for _ in range(self.random.randrange(2, 7 if limit == 2400 else 12)):
            self.random.choice(stages)(self)
            if sum(v.bytes for v in self.live) > limit:
                break
        at = 0
        for variable in self.live:
            size = variable.bytes + -variable.bytes % 16
            if at + size > RESULT_BYTES:
                break
            result = self.name("out")
            self.put(f"vector<{variable.kind}, {size // BYTES[variable.kind]}> {result} = 0;")
            self.put(f"{result}.select<{variable.count}, 1>(0) = {variable.flat()};")
            self.put(f"cm_svm_block_write(out + {at}, {result});")
            at += size
        head = (f'extern "C" _GENX_MAIN_ void hunt_{self.seed}(svmptr_t in [[type("svmptr_t")]], '
                'svmptr_t out [[type("svmptr_t")]])')
        return "\n".join([head, "{", *self.lines, "}", ""])


# ---- stages: each leaves its results in k.live ----

def filter_taps(k):
    """A sum of shifted selects with weights, as every convolution along a row has it."""
    kind, taps, lanes = k.one("uchar", "short", "ushort", "float"), k.one(3, 4, 5, 7), k.one(8, 16, 24, 32, 48)
    step = k.one(1, 1, 2, 3)
    source = k.load(kind, 1, lanes + taps * step)
    total = k.declare(k.one("float", "int", "int", "short"), 1, lanes)
    weights = [k.small() for _ in range(taps)]
    if k.chance(50):
        table = k.name("weights")
        number = k.one("short", "int", "float")
        if total.kind == "short" and kind != "uchar":
            number = "int"  # a float beyond the range of words has no defined value as a word
        k.put(f"static const {number} {table}[] = {{{', '.join(map(str, weights))}}};")
        i = k.trips(taps)
        k.put(f"{total.name} += {source.name}.select<{lanes}, 1>({i} * {step}) * {table}[{i}];")
        k.close()
    else:
        for i, weight in enumerate(weights):
            k.put(f"{total.name} += {f'{weight} * ' if k.chance(60) else ''}{source.name}.select<{lanes}, 1>({i * step});")
    if total.kind != "float" and k.chance(60):
        rounded = k.declare("uchar", 1, lanes, None)
        k.put(f"{rounded.name} = vector<uchar, {lanes}>(({total.name} + 8) >> 4, SAT);" if k.chance(50)
              else f"{rounded.name} = {total.name} >> {k.one(2, 4)};")
        k.keep(rounded)
    k.keep(total)


def stencil(k):
    """Neighbours in two dimensions of a byte or word block."""
    rows, columns = k.one(4, 6, 8), k.one(8, 16, 24)
    block = k.load(k.one("uchar", "uchar", "short"), rows + 2, columns + 2 + k.one(0, 6))
    total = k.declare(k.one("float", "int", "ushort"), rows, columns)
    if k.chance(50):
        i, j = k.trips(3), k.trips(3)
        k.put(f"{total.name} += {block.name}.select<{rows}, 1, {columns}, 1>({i}, {j});")
        k.close()
        k.close()
    else:
        for i, j, w in ((0, 1, 1), (1, 0, 1), (1, 2, 1), (2, 1, 1), (1, 1, -4)):
            k.put(f"{total.name} += {w} * {block.name}.select<{rows}, 1, {columns}, 1>({i}, {j});")
    if k.chance(50):
        result = k.declare("uchar", rows, columns, None)
        k.put(f"{result.name} = {total.name}{' * 0.125f' if total.kind == 'float' else ' / 8' if k.chance(50) else ' >> 3'};")
        k.keep(result)
    k.keep(total)


def matrix_product(k):
    """acc += a(i, j) * b.row(j), or by columns, with float or integer elements."""
    kind, rows, depth, columns = k.one("float", "float", "int", "short"), k.one(2, 4, 6, 8), k.one(2, 4, 8), k.one(8,
        16)
    a, b = k.load(kind, rows, depth, 16), k.load(kind, depth, columns, 16)
    total = k.declare(kind, rows, columns)
    j = k.trips(depth)
    if k.chance(60):
        i = k.trips(rows)
        k.put(f"{total.name}.row({i}) += {a.name}({i}, {j}) * {b.name}.row({j});")
        k.close()
    else:
        left = k.name("left")
        k.put(f"matrix<{kind}, {rows}, {columns}> {left} = {a.name}.column({j}).replicate<{rows}, 1, {columns}, 0>(0);")
        k.put(f"{total.name} += {left} * matrix<{kind}, {rows}, {columns}>({b.name}.row({j}).replicate<{rows}>());")
    k.close()
    k.keep(total)


def carried_matrix(k):
    """A loop that reads and updates rows and columns of one matrix at run-time places (Floyd-Warshall, elimination)."""
    kind, size = k.one("ushort", "short", "int", "float"), k.one(4, 8, 16)
    m = k.load(kind, size, size, 64)
    i = k.trips(size) if k.chance(50) else None
    if not i:
        i = k.name("i")
        k.open(f"for (int {i} = 0; {i} < n; {i}++)")
    row, column = k.name("r"), k.name("c")
    index = f"{i} & {size - 1}" if k.chance(30) else i
    k.put(f"vector<{kind}, {size}> {row} = {m.name}.row({index}), {column} = {m.name}.column({index});")
    form = k.random.randrange(4)
    if form == 0:
        k.put("#pragma unroll")
        k.open(f"for (int j = 0; j < {size}; j++)")
        k.put(f"{m.name}.row(j) = cm_min<{kind}>({m.name}.row(j), {row} + {column}(j));")
        k.close()
    elif form == 1:
        k.put(f"{m.name}.column({index}) = {row};")
        k.put(f"{m.name}.row({index}) = {column};")
    elif form == 2:
        k.put(f"{m.name}.column({index}) += {row};")
    else:
        k.put(f"{m.name}.row({index}) = cm_max<{kind}>({row}, {column});")
    k.close()
    k.keep(m)


def sorting_network(k):
    """Bitonic or odd-even compare and exchange with selects and constant masks."""
    kind, lanes = k.one("int", "uint", "ushort", "float"), k.one(8, 16, 32)
    v = k.load(kind, 1, lanes, 256)
    steps = [s for s in (1, 2, 4, 8, 16) if s < lanes]
    for step in k.random.sample(steps, k.random.randrange(1, len(steps) + 1)):
        form = k.random.randrange(3)
        low, high = k.name("low"), k.name("high")
        groups = lanes // (2 * step)
        if form == 0:
            k.put(f"matrix<{kind}, {groups}, {2 * step}> {k.name('g')} = {v.name};")
            g = f"g{k.names}"
            k.put(f"matrix<{kind}, {groups}, {step}> {low} = {g}.select<{groups}, 1, {step}, 1>(0, 0), "
                  f"{high} = {g}.select<{groups}, 1, {step}, 1>(0, {step});")
            k.put(f"{g}.select<{groups}, 1, {step}, 1>(0, 0) = cm_min<{kind}>({low}, {high});")
            k.put(f"{g}.select<{groups}, 1, {step}, 1>(0, {step}) = cm_max<{kind}>({low}, {high});")
            k.put(f"{v.name} = {g};")
        elif form == 1 and step == 1:
            k.put(f"vector<{kind}, {lanes // 2}> {low} = {v.name}.select<{lanes // 2}, 2>(0), {high} = {v.name}.select<{lanes // 2}, 2>(1);")
            k.put(f"{v.name}.select<{lanes // 2}, 2>(0) = cm_min<{kind}>({low}, {high});")
            k.put(f"{v.name}.select<{lanes // 2}, 2>(1) = cm_max<{kind}>({low}, {high});")
        else:
            other, lane = k.name("other"), k.name("lane")
            k.put(f"vector<ushort, {lanes}> {lane};")
            k.put(f"cm_vector_assign({lane}.select_all(), 0, 1);")
            k.put(f"vector<{kind}, {lanes}> {other} = {v.name}.iselect(vector<ushort, {lanes}>({lane} ^ {step}));")
            k.put(f"vector<ushort, {lanes}> {low} = ({v.name} > {other}) ^ (({lane} & {step}) != 0);")
            k.put(f"{v.name}.merge({other}, {low});")
    k.keep(v)


def reduction(k):
    """One number of a vector: by intrinsics, by halves, by a loop, with its place."""
    kind, lanes = k.one("int", "uint", "short", "float"), k.one(16, 32, 64)
    v = k.load(kind, 1, lanes, 256)
    result = k.declare("float" if kind == "float" else "int", 1, 4)
    form = k.random.randrange(5)
    if form == 0:
        k.put(f"{result.name}(0) = cm_sum<{result.kind}>({v.name});")
        k.put(f"{result.name}(1) = cm_reduced_max<{kind}>({v.name});")
    elif form == 1:
        s = k.name("s")
        k.put(f"vector<{result.kind}, {lanes}> {s} = {v.name};")
        half = lanes // 2
        while half:
            k.put(f"{s}.select<{half}, 1>(0) += {s}.select<{half}, 1>({half});")
            half //= 2
        k.put(f"{result.name}(0) = {s}(0);")
    elif form == 2:
        i = k.trips(lanes)
        k.put(f"{result.name}({i} & 3) += {v.name}({i});")
        k.close()
    elif form == 3:
        k.put(f"{kind} {k.name('best')} = cm_reduced_max<{kind}>({v.name});")
        best = f"best{k.names}"
        if lanes <= 32:
            k.put(f"{result.name}(0) = cm_fbl<uint>(cm_pack_mask({v.name} == {best}));")
        k.put(f"{result.name}(1) = {best};")
    else:
        best, place = k.name("best"), k.name("place")
        part = lanes // 4
        k.put(f"vector<{kind}, {part}> {best} = {v.name}.select<{part}, 1>(0);")
        k.put(f"vector<ushort, {part}> {place} = 0;")
        for i in range(1, 4):
            k.put(f"{place}.merge({i}, {v.name}.select<{part}, 1>({i * part}) < {best});")
            k.put(f"{best} = cm_min<{kind}>({best}, {v.name}.select<{part}, 1>({i * part}));")
        k.keep(Variable(best, kind, 1, part))
        k.keep(Variable(place, "ushort", 1, part))
    k.keep(result)


def prefix_sum(k):
    kind, lanes = k.one("int", "uint", "ushort", "float"), k.one(8, 16, 32)
    v = k.load(kind, 1, lanes, 16)
    step = 1
    while step < lanes:
        if k.chance(70):
            k.put(f"{v.name}.select<{lanes - step}, 1>({step}) += {v.name}.select<{lanes - step}, 1>(0);")
        else:
            moved = k.name("moved")
            k.put(f"vector<{kind}, {lanes}> {moved} = 0;")
            k.put(f"{moved}.select<{lanes - step}, 1>({step}) = {v.name}.select<{lanes - step}, 1>(0);")
            k.put(f"{v.name} += {moved};")
        step *= 2
    k.keep(v)


def divergent_loop(k):
    """Lanes that count until their own condition holds."""
    lanes = k.one(8, 16, 32)
    v, count = k.load("int", 1, lanes, 64), k.declare("int", 1, lanes)
    k.open("SIMD_DO_WHILE_BEGIN")
    form = k.random.randrange(3)
    if form == 0:
        k.put(f"SIMD_IF_BEGIN (({v.name} & 1) != 0) {{ {v.name} = {v.name} * 3 + 1; }} SIMD_ELSE {{ {v.name} >>= 1; }} SIMD_IF_END;")
    elif form == 1:
        k.put(f"SIMD_IF_BEGIN ({v.name} < 3) {{ SIMD_BREAK; }} SIMD_IF_END;")
        k.put(f"{v.name} -= {k.small()};")
    else:
        k.put(f"{v.name} = {v.name} - ({v.name} >> 2) - 1;")
    k.put(f"{count.name} += 1;")
    k.close(f"}} SIMD_DO_WHILE_END (({v.name} > 1) & ({count.name} < 20));")
    k.keep(v)
    k.keep(count)


def divergent_if(k):
    lanes = k.one(8, 16, 32)
    kind = k.one("int", "float", "short")
    v, w = k.load(kind, 1, lanes, 64), k.load(kind, 1, lanes, 64)
    k.open(f"SIMD_IF_BEGIN ({v.name} {k.one('<', '>', '==', '!=')} {k.one(w.name, str(k.small()))})")
    k.put(f"{v.name} += {w.name};")
    if k.chance(50):
        k.put("#pragma unroll")
        k.open(f"for (int i = 0; i < {k.one(2, 3, 4)}; i++)")
        k.put(f"{w.name} += {v.name};")
        k.close()
    if k.chance(50):
        k.otherwise("} SIMD_ELSE {")
        k.put(f"{v.name} = {w.name} - {k.small()};")
    k.close("} SIMD_IF_END;")
    k.keep(v)
    k.keep(w)


def uniform_branch(k):
    """Scalar conditions from data, and masks that are the same in all lanes."""
    lanes = k.one(8, 16, 32)
    kind = k.one("int", "ushort", "uchar", "float")
    v = k.load(kind, 1, lanes, 64)
    form = k.random.randrange(4)
    if form == 0:
        k.open(f"if ({v.name}(0) > {k.small()})")
        k.put(f"{v.name} += {k.small()};")
        if k.chance(50):
            k.otherwise()
            k.put(f"{v.name} = cm_max<{kind}>({v.name}, {k.small()});")
        k.close()
    elif form == 1:
        k.open(f"if (({v.name} > {k.small()}).{k.one('any', 'all')}())")
        k.put(f"{v.name} = {v.name} * 2;")
        k.close()
    elif form == 2:
        mask = k.name("mask")
        k.put(f"vector<{k.one('ushort', 'int')}, {lanes}> {mask} = n > {k.one(2, 3, 4)};")
        k.put(f"{v.name}.merge({k.small()}, {mask});")
    else:
        i = k.trips(k.one(4, 8))
        k.put(f"if ({i} > n) {v.name} += {i};")
        k.close()
    k.keep(v)


def table_rounds(k):
    """Rounds with a constant table and state words, as hashes have them."""
    lanes, rounds, words = k.one(1, 8, 16), k.one(4, 8, 16), k.one(4, 8)
    state = k.load("uint", words, lanes if lanes > 1 else 4)
    table = k.name("k")
    numbers = ", ".join(hex(k.random.getrandbits(32)) for _ in range(rounds))
    k.put(f"static const uint {table}[] = {{{numbers}}};")
    i = k.trips(rounds)
    s = state.name
    width = state.columns
    a, b = k.small(), k.small() + 16
    t = k.name("t")
    k.put(f"vector<uint, {width}> {t} = {s}.row({words - 1}) + (({s}.row(1) << {a}) | ({s}.row(1) >> {32 - a})) + {table}[{i}];")
    k.put(f"{t} ^= ({s}.row(0) & {s}.row(2)) ^ (~{s}.row(0) & {s}.row(3)) ^ ({s}.row(1) >> {b - 8});")
    for row in range(words - 1, 0, -1):
        k.put(f"{s}.row({row}) = {s}.row({row - 1});")
    k.put(f"{s}.row(0) = {t};")
    k.close()
    k.keep(state)


def table_lookup(k):
    """Places that are known at run time: tables in registers, lanes chosen by index, dynamic offsets."""
    lanes, entries = k.one(8, 16), k.one(32, 64)
    kind = k.one("uchar", "short", "uint", "float")
    table = k.load(kind, 1, entries, 128)
    index = k.load("ushort", 1, lanes, entries)
    result = k.declare(kind, 1, lanes, None)
    form = k.random.randrange(4)
    if form == 0:
        k.put(f"{result.name} = {table.name}.iselect({index.name});")
    elif form == 1:
        k.put(f"{result.name} = 0;")
        i = k.trips(lanes)
        k.put(f"{result.name}({i}) = {table.name}({index.name}({i}));")
        k.close()
    elif form == 2:
        k.put(f"{result.name} = {table.name}.select<{lanes}, 1>(n{k.one('', ' + 1', ' * 2')});")
    else:
        k.put(f"{result.name} = 0;")
        i = k.trips(lanes)
        k.put(f"{table.name}({index.name}({i}) & {entries - 1}) += 1;")
        k.close()
        k.keep(table)
    k.keep(result)


def butterflies(k):
    """An eight-point transform on rows or columns: sums and differences with strided regions."""
    kind, n = k.one("short", "int", "float"), 8
    m = k.load(kind, n, n, 64)
    ways = k.random.sample(["row", "column"], k.one(1, 2))
    for way in ways:
        half = n // 2
        names = [k.name("t") for _ in range(n)]
        for i in range(half):
            k.put(f"vector<{kind}, {n}> {names[i]} = {m.name}.{way}({i}) + {m.name}.{way}({n - 1 - i}), "
                  f"{names[half + i]} = {m.name}.{way}({i}) - {m.name}.{way}({n - 1 - i});")
        order = list(range(n))
        k.random.shuffle(order)
        for i, j in enumerate(order):
            shift = f" {k.one('+', '-')} {names[(j + 3) % n]}" if k.chance(50) else ""
            k.put(f"{m.name}.{way}({i}) = {names[j]}{shift};")
    k.keep(m)


def transpose(k):
    kind, n = k.one("uchar", "ushort", "int", "float"), k.one(4, 8, 16)
    m = k.load(kind, n, n)
    t = k.declare(kind, n, n, None)
    form = k.random.randrange(3)
    if form == 0:
        k.put("#pragma unroll")
        k.open(f"for (int i = 0; i < {n}; i++)")
        k.put(f"{t.name}.row(i) = {m.name}.column(i);" if k.chance(50) else f"{t.name}.column(i) = {m.name}.row(i);")
        k.close()
    elif form == 1:
        for i in range(0, n, 4):
            k.put(f"{t.name}.select<4, 1, {n}, 1>({i}, 0).format<{kind}>() = "
                  f"{m.name}.format<{kind}>().replicate<4, 1, {n}, {n}>({i});")
    else:
        i = k.trips(n)
        k.put(f"{t.name}.row({i}) = {m.name}.column({n - 1} - {i});")
        k.close()
    k.keep(t)


def pixel_math(k):
    """Bytes to wider numbers and back: blends, averages, saturation, channel extraction."""
    lanes = k.one(16, 32, 64)
    a, b = k.load("uchar", 1, lanes), k.load("uchar", 1, lanes)
    result = k.declare("uchar", 1, lanes, None)
    form = k.random.randrange(6)
    weight = k.one("n", str(k.small()))
    if form == 0:
        k.put(f"{result.name} = ({a.name} * {weight} + {b.name} * (16 - {weight}) + 8) >> 4;")
    elif form == 1:
        k.put(f"{result.name} = cm_avg<uchar>({a.name}, {b.name});")
    elif form == 2:
        k.put(f"{result.name} = cm_add<uchar>({a.name}, {b.name}, SAT);")
    elif form == 3:
        quarter = lanes // 4
        luma = k.declare("ushort", 1, quarter, None)
        k.put(f"{luma.name} = ({a.name}.select<{quarter}, 4>(0) * 77 + {a.name}.select<{quarter}, 4>(1) * 150 + "
              f"{a.name}.select<{quarter}, 4>(2) * 29) >> 8;")
        k.keep(luma)
        k.put(f"{result.name} = {a.name};")
        k.put(f"{result.name}.select<{quarter}, 4>(3) = {luma.name};")
    elif form == 4:
        k.put(f"{result.name} = cm_abs<short>({a.name} - {b.name});")
        sums = k.declare("int", 1, lanes // 4, None)
        k.put(f"{sums.name} = {result.name}.select<{lanes // 4}, 4>(0) + {result.name}.select<{lanes // 4}, 4>(1) + "
              f"{result.name}.select<{lanes // 4}, 4>(2) + {result.name}.select<{lanes // 4}, 4>(3);")
        k.keep(sums)
    else:
        packed = k.load("uint", 1, lanes // 4)
        for c in range(4):
            k.put(f"{result.name}.select<{lanes // 4}, 4>({c}) = ({packed.name} >> {8 * c}) & 0xff;")
        k.put(f"{result.name} += {a.name};")
    k.keep(result)


def packing(k):
    """Small fields put together and taken apart."""
    lanes = k.one(8, 16, 32)
    a = k.load("uint", 1, lanes)
    form = k.random.randrange(4)
    if form == 0:
        nibbles = k.declare("uchar", 1, lanes, None)
        shift = k.one(0, 4, 8, 12, 28)
        k.put(f"{nibbles.name} = ({a.name} >> {shift}) & 15;")
        k.keep(nibbles)
    elif form == 1:
        words = k.declare("ushort", 1, 2 * lanes, None)
        k.put(f"{words.name}.select<{lanes}, 2>(0) = {a.name} & 0xffff;")
        k.put(f"{words.name}.select<{lanes}, 2>(1) = {a.name} >> 16;")
        k.keep(words)
    elif form == 2:
        total = k.declare("uint", 1, lanes)
        i = k.trips(4)
        k.put(f"{total.name} += ({a.name} >> ({i} * 8)) & 0xff;")
        k.close()
        k.keep(total)
    else:
        bits = k.declare("ushort", 1, lanes, None)
        k.put(f"{bits.name} = ({a.name} & {1 << k.random.randrange(0, 31)}) != 0;")
        mask = k.declare("uint", 1, 4)
        k.put(f"{mask.name}(0) = cm_pack_mask({bits.name});")
        k.put(f"{mask.name}(1) = cm_sum<uint>({bits.name});")
        k.keep(bits)
        k.keep(mask)


def complex_math(k):
    """Pairs of numbers side by side: strided regions in sources and destinations."""
    kind, pairs = k.one("float", "int", "short"), k.one(8, 16)
    a, b = k.load(kind, 1, 2 * pairs, 16), k.load(kind, 1, 2 * pairs, 16)
    c = k.declare(kind, 1, 2 * pairs, None)

    def part(variable, which):
        return f"{variable.name}.select<{pairs}, 2>({which})"

    k.put(f"{part(c, 0)} = {part(a, 0)} * {part(b, 0)} - {part(a, 1)} * {part(b, 1)};")
    k.put(f"{part(c, 1)} = {part(a, 0)} * {part(b, 1)} + {part(a, 1)} * {part(b, 0)};")
    k.keep(c)


def combine(k):
    """Earlier results meet: conversions between kinds and shapes."""
    a = k.any_live(least=8)
    b = k.any_live(least=8)
    if not a or not b:
        return filter_taps(k)
    lanes = min(a.count, b.count)
    lanes = max(x for x in (8, 16, 32, 64) if x <= lanes)
    c = k.declare(k.one("int", "short", "uint"), 1, lanes, None)
    k.put(f"{c.name} = vector<int, {lanes}>({a.flat()}.select<{lanes}, 1>(0)) {k.one('+', '-', '^')} "
          f"vector<int, {lanes}>({b.flat()}.select<{lanes}, 1>({b.count - lanes}));")
    k.keep(c)


def rolling_rows(k):
    """A window of rows that moves through memory: values carried from round to round."""
    lanes, rows = k.one(16, 32), k.one(4, 8)
    kind = k.one("uchar", "short")
    before, here = k.load(kind, 1, lanes), k.load(kind, 1, lanes)
    out = k.declare("int", rows, lanes if lanes * rows <= 128 else 16)
    i = k.trips(rows)
    size = lanes * BYTES[kind]
    after = k.name("next")
    k.put(f"vector<{kind}, {lanes}> {after};")
    k.put(f"cm_svm_block_read(in + {i} * {size}, {after});")
    k.put(f"{out.name}.row({i}) = ({before.name} + 2 * {here.name} + {after}).select<{out.columns}, 1>(0);")
    k.put(f"{before.name} = {here.name};")
    k.put(f"{here.name} = {after};")
    k.close()
    k.keep(out)


def polynomial(k):
    lanes, kind = k.one(8, 16, 32, 64), k.one("float", "int", "short")
    x = k.load(kind, 1, lanes, 4)
    y = k.declare(kind, 1, lanes, str(k.small()))
    if k.chance(50):
        for _ in range(k.one(2, 3, 4)):
            k.put(f"{y.name} = {y.name} * {x.name} + {k.small()};")
    else:
        i = k.trips(k.one(2, 3, 4))
        k.put(f"{y.name} = {y.name} * {x.name} + {i};")
        k.close()
    k.keep(y)


def motion_search(k):
    """The block that fits best: candidates at run-time places, the best one is carried whole through a loop."""
    rows, columns = k.one(4, 8, 8), k.one(8, 16, 16)
    here, area = k.load("uchar", rows, columns), k.load("uchar", rows + 4, columns + 8)
    best, cost, place = k.declare("uchar", rows, columns), k.name("cost"), k.name("place")
    k.put(f"uint {cost} = 100000;")
    k.put(f"int {place} = 0;")
    i = k.trips(k.one(2, 4))
    block, apart = k.name("block"), k.name("apart")
    k.put(f"matrix<uchar, {rows}, {columns}> {block} = {area.name}.select<{rows}, 1, {columns}, 1>({i}, {k.one(i, f'{i} * 2', 'n', '4')});")
    if k.chance(50):
        k.put(f"matrix<short, {rows}, {columns}> {apart} = cm_abs<short>({here.name} - {block});")
        k.put(f"uint {apart}s = cm_sum<uint>({apart}.format<short>());")
    else:
        k.put(f"vector<ushort, {columns}> {apart} = 0;")
        j = k.trips(rows)
        k.put(f"{apart} += cm_abs<ushort>({here.name}.row({j}) - {block}.row({j}));")
        k.close()
        k.put(f"uint {apart}s = cm_sum<uint>({apart});")
    k.open(f"if ({apart}s < {cost})")
    k.put(f"{best.name} = {block};")
    k.put(f"{cost} = {apart}s;")
    k.put(f"{place} = {i};")
    k.close()
    k.close()
    numbers = k.declare("uint", 1, 4)
    k.put(f"{numbers.name}(0) = {cost};")
    k.put(f"{numbers.name}(1) = {place};")
    k.keep(best)
    k.keep(numbers)


def weighted_pictures(k):
    """Several pictures added with weights that depend on how near they are (noise filters)."""
    rows, columns = k.one(4, 8, 8), k.one(8, 16)
    here = k.load("uchar", rows, columns)
    total, weights = k.declare(k.one("ushort", "int", "float"), rows, columns), k.name("weights")
    k.put(f"{total.name} = {here.name} * 4;")
    k.put(f"int {weights} = 4;")
    for _ in range(k.one(1, 2, 3)):
        other, weight = k.load("uchar", rows, columns), k.name("weight")
        far = k.name("far")
        k.put(f"matrix<short, {rows}, {columns}> {far} = {here.name} - {other.name};")
        k.put(f"int {weight} = cm_sum<int>(cm_abs<short>({far}).format<short>()) < {k.one(500, 2000, 6000)} ? {k.small()} : 1;")
        form = k.random.randrange(3)
        if form == 0:
            k.put(f"{total.name} += {other.name} * {weight};")
        elif form == 1:
            i = k.trips(rows)
            k.put(f"{total.name}.row({i}) += {other.name}.row({i}) * {weight};")
            k.close()
        else:
            k.open(f"if ({weight} > 1)")
            k.put(f"{total.name} += {other.name} * {weight};")
            k.otherwise()
            k.put(f"{total.name} += {other.name};")
            k.close()
        k.put(f"{weights} += {weight};")
    result = k.declare("uchar", rows, columns, None)
    if total.kind == "float":
        k.put(f"{result.name} = {total.name} * 0.0625f;")
    else:
        k.put(f"{result.name} = {k.one(f'({total.name} + 8) >> 4', f'{total.name} >> 4')};")
    numbers = k.declare("int", 1, 4)
    k.put(f"{numbers.name}(0) = {weights};")
    k.keep(result)
    k.keep(numbers)


def fields(k):
    """Rows of two fields put together, those between averaged, by a uniform choice."""
    rows, columns = k.one(4, 8), k.one(16, 32)
    top, bottom = k.load("uchar", rows, columns), k.load("uchar", rows, columns)
    frame = k.declare("uchar", 2 * rows, columns, "0")
    k.put(f"{frame.name}.select<{rows}, 2, {columns}, 1>(0, 0) = {top.name};")
    k.open(f"if (n > {k.one(1, 3, 6)})")
    k.put(f"{frame.name}.select<{rows}, 2, {columns}, 1>(1, 0) = {bottom.name};")
    k.otherwise()
    if k.chance(50):
        i = k.trips(rows - 1)
        k.put(f"{frame.name}.row(2 * {i} + 1) = cm_avg<uchar>({top.name}.row({i}), {top.name}.row({i} + 1));")
        k.close()
    else:
        k.put(f"{frame.name}.select<{rows - 1}, 2, {columns}, 1>(1, 0) = cm_avg<uchar>({top.name}.select<{rows - 1}, 1, "
              f"{columns}, 1>(0, 0), {top.name}.select<{rows - 1}, 1, {columns}, 1>(1, 0));")
    k.put(f"{frame.name}.row({2 * rows - 1}) = {top.name}.row({rows - 1});")
    k.close()
    k.keep(frame)


def block_statistics(k):
    """Sums, squares and differences of neighbours for each part of a block."""
    part = k.one(4, 4, 8)
    rows, columns = 2 * part, k.one(16, 16, 32)
    m = k.load("uchar", rows, columns)
    across, down = columns // part, rows // part
    sums, squares = k.declare(k.one("ushort", "int"), down, across), k.declare("int", down, across)
    if k.chance(50):
        i, j = k.trips(part), k.trips(part)
        value = f"{m.name}.select<{down}, {part}, {across}, {part}>({i}, {j})"
        k.put(f"{sums.name} += {value};")
        k.put(f"{squares.name} += matrix<int, {down}, {across}>({value}) * {value};")
        k.close()
        k.close()
    else:
        for i in range(down):
            for j in range(across):
                piece = k.name("piece")
                k.put(f"matrix<{k.one('short', 'int')}, {part}, {part}> {piece} = {m.name}.select<{part}, 1, {part}, 1>({i * part}, {j * part});")
                k.put(f"{sums.name}({i}, {j}) = cm_sum<int>({piece});")
                k.put(f"{squares.name}({i}, {j}) = cm_sum<int>({piece} * {piece});")
    if k.chance(50):
        edges = k.declare("ushort", 1, columns)
        i = k.trips(rows - 1)
        k.put(f"{edges.name} += cm_abs<ushort>({m.name}.row({i}) - {m.name}.row({i} + 1));")
        k.close()
        k.keep(edges)
    k.keep(sums)
    k.keep(squares)


def histogram(k):
    """Bins of bytes, by scalar increments or by comparing with each bin."""
    lanes, bins = k.one(16, 32), k.one(8, 16)
    v = k.load("uchar", 1, lanes)
    counts = k.declare(k.one("ushort", "uint"), 1, bins)
    shift = 9 - bins.bit_length()
    if k.chance(50):
        i = k.trips(lanes)
        k.put(f"{counts.name}({v.name}({i}) >> {shift}) += 1;")
        k.close()
    else:
        i = k.trips(bins)
        k.put(f"{counts.name}({i}) += cm_cbit(cm_pack_mask(({v.name} >> {shift}) == {i}));")
        k.close()
    k.keep(counts)


def between_pixels(k):
    """Bilinear values at fractions of a pixel: first along rows, then along columns."""
    rows, columns = k.one(4, 8), k.one(8, 16)
    m = k.load("uchar", rows + 1, columns + 8)
    fx, fy = k.name("fx"), k.name("fy")
    k.put(f"int {fx} = n & 3, {fy} = {k.one('head(1) & 3', '2', 'n >> 1')};")
    kind = k.one("short", "ushort", "int")
    flat, result = k.declare(kind, rows + 1, columns, None), k.declare("uchar", rows, columns, None)
    left, right = (f"{m.name}.select<{rows + 1}, 1, {columns}, 1>(0, {x})" for x in (0, 1))
    k.put(f"{flat.name} = {left} * (4 - {fx}) + {right} * {fx};")
    above, below = (f"{flat.name}.select<{rows}, 1, {columns}, 1>({y}, 0)" for y in (0, 1))
    k.put(f"{result.name} = ({above} * (4 - {fy}) + {below} * {fy} + 8) >> 4;")
    k.keep(result)


def whole_choice(k):
    """A large matrix that is one of several, chosen by uniform conditions, then used by rows."""
    kind, rows, columns = k.one("uchar", "short", "int", "float"), k.one(4, 8), k.one(8, 16)
    a, b = k.load(kind, rows, columns, 64), k.load(kind, rows, columns, 64)
    m = k.declare(kind, rows, columns, None)
    form = k.random.randrange(3)
    if form == 0:
        k.open(f"if (n > {k.one(2, 4)})")
        k.put(f"{m.name} = {a.name};")
        k.otherwise()
        k.put(f"{m.name} = {b.name};")
        k.close()
    elif form == 1:
        k.put(f"{m.name} = {a.name};")
        i = k.trips(k.one(2, 3))
        k.put(f"if (n == {i}) {m.name} = {b.name};")
        k.put(f"{m.name}.row({i}) += {b.name}.row({i});")
        k.close()
    else:
        k.put(f"{m.name} = {a.name};")
        k.put(f"if (n & 1) {m.name}.select<{rows // 2}, 1, {columns}, 1>(0, 0) = {b.name}.select<{rows // 2}, 2, {columns}, 1>(0, 0);")
        k.put(f"if (n & 2) {m.name} += {b.name};")
    k.keep(m)
    if k.chance(40):
        k.keep(a)


def block_copy(k):
    """Many blocks through registers, with channels swapped or rows put elsewhere, written where no result goes."""
    if k.copied:
        return filter_taps(k)
    k.copied = True
    blocks, form = k.one(8, 8, 16, 24), k.random.randrange(3)
    part = k.name("part")
    k.put(f"vector<uint, 32> {part}[{blocks}];")
    start = k.random.randrange(0, (INPUT_BYTES - 128 * blocks) // 16) * 16
    k.put("#pragma unroll")
    k.open(f"for (int i = 0; i < {blocks}; i++)")
    k.put(f"cm_svm_block_read(in + {start} + i * 128, {part}[i]);")
    k.close()
    if k.chance(60):
        k.put("#pragma unroll")
        k.open(f"for (int i = 0; i < {blocks}; i++)")
        if k.chance(50):
            k.put(f"{part}[i] = ({part}[i] & 0xff00ff00) | (({part}[i] & 0xff) << 16) | (({part}[i] >> 16) & 0xff);")
        else:
            k.put(f"vector<uchar, 128> bytes = {part}[i].format<uchar>();")
            k.put(f"bytes.select<32, 4>(0) = {part}[i].format<uchar>().select<32, 4>(2);")
            k.put(f"bytes.select<32, 4>(2) = {part}[i].format<uchar>().select<32, 4>(0);")
            k.put(f"{part}[i] = bytes.format<uint>();")
        k.close()
    k.put("#pragma unroll")
    if form == 0:
        k.open(f"for (int i = 0; i < {blocks}; i++)")
        k.put(f"cm_svm_block_write(out + {RESULT_BYTES} + i * 128, {part}[{blocks - 1} - i]);")
    else:
        k.open("for (int j = 0; j < 4; j++)")
        k.put(f"matrix<uint, {blocks}, 8> rows;")
        if form == 1:
            k.put("#pragma unroll")
        k.open(f"for (int i = 0; i < {blocks}; i++)")
        k.put(f"rows.row(i) = {part}[i].select<8, 1>(j * 8);")
        k.close()
        k.put("#pragma unroll")
        k.open(f"for (int i = 0; i < {blocks}; i += 4)")
        k.put(f"cm_svm_block_write(out + {RESULT_BYTES} + j * {32 * blocks} + i * 32, rows.select<4, 1, 8, 1>(i, 0).format<uint>());")
        k.close()
    k.close()


def many_bins(k):
    """A histogram with a bin for each value, by increments of single elements."""
    bins, rows, columns = k.one(32, 64, 128, 256), k.one(1, 2, 4), k.one(16, 32)
    m = k.load("uchar", rows + 1, columns)
    bytes = k.one(2, 2, 4)
    counts = k.declare("ushort" if bytes == 2 else "uint", 1, bins)
    i, j = k.trips(rows), k.trips(columns)
    shift = 9 - bins.bit_length()
    k.put(f"{counts.name}({m.name}({i}, {j}){f' >> {shift}' if shift else ''}) += 1;")
    k.close()
    k.close()
    k.keep(counts)


def near_pixels(k):
    """Each pixel with its neighbours, by weights that depend on how near their values are."""
    rows, columns = k.one(4, 8), k.one(8, 16)
    block = k.load("uchar", rows + 2, columns + 8)
    kind = k.one("short", "ushort", "int")
    here, total, weights = k.name("here"), k.declare(kind, rows, columns), k.declare(kind, rows, columns, "4")
    k.put(f"matrix<short, {rows}, {columns}> {here} = {block.name}.select<{rows}, 1, {columns}, 1>(1, 1);")
    k.put(f"{total.name} = {here} * 4;")
    i, j = k.trips(3), k.trips(3)
    other, near = k.name("other"), k.name("near")
    k.put(f"matrix<short, {rows}, {columns}> {other} = {block.name}.select<{rows}, 1, {columns}, 1>({i}, {j});")
    form = k.random.randrange(3)
    if form == 0:
        k.put(f"matrix<short, {rows}, {columns}> {near} = 0;")
        k.put(f"{near}.merge(2, cm_abs<short>({here} - {other}) < {k.one(20, 60)});")
    elif form == 1:
        k.put(f"matrix<short, {rows}, {columns}> {near} = cm_max<short>(8 - (cm_abs<short>({here} - {other}) >> 3), 0);")
    else:
        k.put(f"matrix<ushort, {rows}, {columns}> {near} = cm_abs<short>({here} - {other}) < {k.one(20, 60)};")
    k.put(f"{total.name} += {near} * {other};")
    k.put(f"{weights.name} += {near};")
    k.close()
    k.close()
    result = k.declare("uchar", rows, columns, None)
    form = k.random.randrange(3)
    if form == 0:
        k.put(f"{result.name} = {total.name} / {weights.name};")
    elif form == 1:
        k.put(f"{result.name} = {total.name} >> 3;")
    else:
        k.put(f"matrix<float, {rows}, {columns}> {k.name('sum')} = {total.name};")
        k.put(f"{result.name} = sum{k.names} * 0.125f;")
    k.keep(result)
    k.keep(weights)


STAGES = [filter_taps, stencil, matrix_product, carried_matrix, sorting_network, reduction, prefix_sum, divergent_loop,
          divergent_if, uniform_branch, table_rounds, table_lookup, butterflies, transpose, pixel_math, packing,
          complex_math, combine, rolling_rows, polynomial, motion_search, weighted_pictures, fields, block_statistics,
          histogram, between_pixels, whole_choice, block_copy, many_bins, near_pixels]


def kernel(seed, names=()):
    """The kernel of a seed; with names, one of these stages only."""
    return Kernel(seed).text([stage for stage in STAGES if not names or stage.__name__ in names])


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or not all(word.isdigit() for word in sys.argv[1:]):
        sys.exit(__doc__.split("\n", maxsplit=1)[0])
    first = int(sys.argv[1])
    for seed in range(first, first + int(sys.argv[2] if len(sys.argv) == 3 else 1)):
        print(kernel(seed))
