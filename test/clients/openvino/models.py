"""Runs a model of OpenVINO on the GPU and on the processor and prints the difference: models.py CASE...

Models are built from operations with seeded weights. For each case it prints
    case NAME DIFFERENCE LARGEST PRIMITIVES
the largest difference, the largest expected value, and the implementations that the plug-in chose, without doubles.
"""
import sys

import numpy as np
import openvino as ov
import openvino.opset13 as op

HALF, FULL, INT = np.float16, np.float32, np.int32
random = np.random.default_rng(1)


def weights(*shape, scale=0.2):
    return op.constant((random.standard_normal(shape) * scale).astype(FULL))


def values(*shape):
    return random.standard_normal(shape).astype(FULL)


def axes(*numbers):
    return op.constant(np.array(numbers, dtype=np.int64))


def linear(x, inputs, outputs):
    return op.matmul(x, weights(outputs, inputs), False, True)


def rms_norm(x, width):
    mean = op.reduce_mean(op.power(x, op.constant(FULL(2))), axes(-1), True)
    return op.multiply(op.divide(x, op.sqrt(op.add(mean, op.constant(FULL(1e-5))))), weights(width, scale=1))


def convolution(x, inputs, outputs, size=3):
    pad = [size // 2] * 2
    return op.convolution(x, weights(outputs, inputs, size, size), [1, 1], pad, pad, [1, 1])


def cnn(quantized):
    x = op.parameter([1, 3, 16, 16], FULL)
    inner = x
    for inputs, outputs in ((3, 32), (32, 32)):
        if quantized:
            low, high = op.constant(FULL(-2)), op.constant(FULL(2))
            inner = op.fake_quantize(inner, low, high, low, high, 256)
            kernel = op.fake_quantize(weights(outputs, inputs, 3, 3), op.constant(FULL(-1)), op.constant(FULL(1)),
                                      op.constant(FULL(-1)), op.constant(FULL(1)), 255)
            inner = op.relu(op.convolution(inner, kernel, [1, 1], [1, 1], [1, 1], [1, 1]))
        else:
            inner = op.relu(convolution(inner, inputs, outputs))
    pooled = op.reduce_mean(op.max_pool(inner, [2, 2], [1, 1], [0, 0], [0, 0], [2, 2]).output(0), axes(2, 3), False)
    return ov.Model([op.softmax(linear(pooled, 32, 64), 1)], [x]), [values(1, 3, 16, 16)]


def attention(x, tokens, heads, size):
    def split(y):
        return op.transpose(op.reshape(y, axes(0, 0, heads, size), True), axes(0, 2, 1, 3))
    query, key, value = (split(linear(x, heads * size, heads * size)) for _ in range(3))
    mixed = op.scaled_dot_product_attention(query, key, value)
    return op.reshape(op.transpose(mixed, axes(0, 2, 1, 3)), axes(0, 0, heads * size), True)


def encoder():
    tokens, heads, size = 32, 2, 32
    width = heads * size
    x = op.parameter([1, tokens, width], FULL)
    inner = x
    for _ in range(2):
        inner = op.add(inner, attention(op.mvn(inner, axes(-1), True, 1e-5, "inside_sqrt"), tokens, heads, size))
        hidden = op.gelu(linear(op.mvn(inner, axes(-1), True, 1e-5, "inside_sqrt"), width, 64), "erf")
        inner = op.add(inner, linear(hidden, 64, width))
    return ov.Model([inner], [x]), [values(1, tokens, width)]


def norms():
    """Group normalization of a picture and RMS normalization of its rows."""
    x = op.parameter([1, 16, 8, 16], FULL)
    grouped = op.group_normalization(x, weights(16, scale=1), weights(16, scale=1), 4, 1e-5)
    return ov.Model([rms_norm(grouped, 16)], [x]), [values(1, 16, 8, 16)]


def moe(router=op.softmax):
    """32 experts of which the two best of each token are mixed."""
    tokens, width, experts = 8, 32, 32
    x = op.parameter([tokens, width], FULL)
    chosen = op.topk(router(linear(x, width, experts), 1), op.constant(INT(2)), 1, "max", "value")
    gates = op.divide(chosen.output(0), op.reduce_sum(chosen.output(0), axes(1), True))
    hot = op.one_hot(chosen.output(1), op.constant(INT(experts)), op.constant(FULL(1)), op.constant(FULL(0)), -1)
    share = op.reduce_sum(op.multiply(hot, op.unsqueeze(gates, axes(-1))), axes(1), False)
    each = op.unsqueeze(x, axes(0))
    hidden = op.swish(op.matmul(each, weights(experts, width, 64), False, False))
    outputs = op.matmul(hidden, weights(experts, 64, width), False, False)
    mixed = op.multiply(outputs, op.unsqueeze(op.transpose(share, axes(1, 0)), axes(-1)))
    return ov.Model([op.reduce_sum(mixed, axes(0), False)], [x]), [values(tokens, width)]


def by_powers(x, axis):
    """The softmax in operations that the plug-in does not take for a router. It fuses routers where there are systolic
    arrays, and then refuses the rest of this model: "MoERouterFused ... hasn't been found in primitive_ids map"."""
    powers = op.exp(x)
    return op.divide(powers, op.reduce_sum(powers, axes(axis), True))


def lora():
    """A matrix product to which a product of two narrow ones is added."""
    x = op.parameter([8, 64], FULL)
    narrow = op.multiply(op.matmul(x, weights(32, 64), False, True), weights(1, 32, scale=1))
    return ov.Model([op.add(linear(x, 64, 64), op.matmul(narrow, weights(64, 32), False, True))], [x]), [values(8, 64)]


MODELS = {"cnn": lambda: cnn(False), "int8": lambda: cnn(True), "encoder": encoder, "norms": norms, "moe": moe,
          "moe-plain": lambda: moe(by_powers), "lora": lora}


def primitives(compiled):
    """Implementations of the compiled model: "cm::..." are kernels from CM source."""
    found = []
    for node in compiled.get_runtime_model().get_ops():
        name = node.get_rt_info()["primitiveType"].astype(str) if "primitiveType" in node.get_rt_info() else ""
        name = name.split("__")[0]
        if name and name not in found and name != "wait_for_events":
            found.append(name)
    return ",".join(found)


def report(name, here, there, compiled):
    here, there = (np.asarray(value, dtype=np.float64) for value in (here, there))
    worst = np.abs(here - there).max() if np.isfinite(here).all() else float("inf")
    print("case", name, f"{worst:.3g}", f"{np.abs(there).max():.3g}", primitives(compiled), flush=True)


def run(core, name):
    model, inputs = MODELS[name]()
    there = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(inputs)[0]
    compiled = core.compile_model(model, "GPU", {"INFERENCE_PRECISION_HINT": "f16"})
    report(name, compiled(inputs)[0], there, compiled)


def main():
    core = ov.Core()
    if "GPU" not in core.available_devices:
        sys.exit(f"OpenVINO finds no GPU: it has {core.available_devices}")
    for name in sys.argv[1:]:
        if name in MODELS:
            run(core, name)
        elif name.startswith(("vision", "reorder")):
            import blocks
            blocks.run(core, name)
        elif name.startswith("unit-"):
            import unit
            unit.run(core, name)
        else:
            import stateful
            stateful.run(core, name)


if __name__ == "__main__":
    main()
