"""Tests the Python package on simulated GPUs and on the CPU, against NumPy's own arithmetic, and its errors."""
import doctest
import sys
import unittest

import numpy

import cmkit

SOURCE = """
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void scale(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                  float factor, int offset)
{
    int at = cm_group_id(0) * 16;
    vector<float, 16> v;
    read(in, at * 4, v);
    v = v * factor + offset;
    write(out, at * 4, v);
}
extern "C" _GENX_MAIN_ void first(float *numbers, const unsigned short *count)
{
    numbers[0] = 7 + count[0];
}
extern "C" _GENX_MAIN_ void invert(SurfaceIndex image [[type("image2d_t read_write")]])
{
    matrix<uchar, 8, 16> m;
    read(image, cm_group_id(0) * 16, cm_group_id(1) * 8, m);
    m = 255 - m;
    write(image, cm_group_id(0) * 16, cm_group_id(1) * 8, m);
}
extern "C" _GENX_MAIN_ void twice(SurfaceIndex image [[type("image3d_t read_write")]])
{
    vector<uint, 8> x;
    for (int k = 0; k < 8; k++)
        x(k) = k;
    matrix<uint, 1, 8> texels;
    read_typed(image, CM_R_ENABLE, texels, x, cm_group_id(0), cm_group_id(1));
    texels *= 2;
    write_typed(image, CM_R_ENABLE, texels, x, cm_group_id(0), cm_group_id(1));
}
"""


class OnEachDevice:
    def setUp(self):
        self.device = self.open()
        self.program = self.device.compile(SOURCE)

    def tearDown(self):
        self.device.close()

    def test_scale(self):
        self.assertEqual(sorted(self.program.kernels), ["first", "invert", "scale", "twice"])
        numbers = numpy.random.default_rng(1).random(64).astype(numpy.float32)
        result = numpy.zeros_like(numbers)
        self.assertEqual(self.program["scale"].arguments,
                         [("buffer", "in"), ("buffer", "out"), ("value", "factor"), ("value", "offset")])
        for factor in (2.0, 4, numpy.float32(0.5)):
            self.program["scale"](4, numbers, result, factor, -3)
            wanted = numpy.float32(factor) * numbers - 3
            numpy.testing.assert_array_max_ulp(result, wanted.astype(numpy.float32), 4)

    def test_image(self):
        picture = numpy.random.default_rng(2).integers(0, 256, (16, 32), dtype=numpy.uint8)
        wanted = 255 - picture
        self.program["invert"]((2, 2), cmkit.Image(picture, "r8u"))
        numpy.testing.assert_array_equal(picture, wanted)

    def test_volume(self):
        volume = numpy.random.default_rng(3).integers(0, 1 << 32, (3, 2, 8), dtype=numpy.uint32)
        wanted = volume * 2
        self.program["twice"]((2, 3), cmkit.Image(volume, "r32u", dimensions=3))
        numpy.testing.assert_array_equal(volume, wanted)
        with self.assertRaisesRegex(cmkit.Error, "is an image of 3 dimensions, not of 2"):
            self.program["twice"]((2, 3), cmkit.Image(volume[0], "r32u"))
        with self.assertRaisesRegex(ValueError, "an array of 3 or 4, not 2"):
            self.program["twice"]((2, 3), cmkit.Image(volume[0], "r32u", dimensions=3))

    def test_pointers(self):
        numbers, count = numpy.zeros(4, numpy.float32), numpy.full(2, 5, numpy.uint16)
        self.program["first"](1, numbers, count)
        self.assertEqual(numbers[0], 12)
        for wrong in (numpy.float64, numpy.int32, numpy.float16):
            with self.assertRaisesRegex(TypeError, r"argument 0 numbers .* declared 'float ?\*', the array is of"):
                self.program["first"](1, numbers.astype(wrong), count)
        with self.assertRaisesRegex(TypeError, "argument 1 count .* the array is of float32"):
            self.program["first"](1, numbers, numbers)

    def test_refused(self):
        good = numpy.zeros(64, numpy.float32)
        scale = self.program["scale"]

        def refuses(kind, words, *arguments):
            with self.assertRaisesRegex(kind, words):
                scale(4, *arguments)

        refuses(TypeError, "has 4 arguments, not 2", good, good)
        refuses(TypeError, "a NumPy array, not list", [1.0] * 64, good, 1.0, 0)
        refuses(TypeError, "not of object", numpy.array([None] * 64), good, 1.0, 0)
        refuses(TypeError, "byte order", good.astype(">f4"), good, 1.0, 0)
        refuses(ValueError, "gaps or another order", numpy.zeros(128, numpy.float32)[::2], good, 1.0, 0)
        constant = good.copy()
        constant.flags.writeable = False
        refuses(ValueError, "is read-only", good, constant, 1.0, 0)
        refuses(ValueError, "empty", numpy.zeros(0), good, 1.0, 0)
        refuses(ValueError, "has 4 bytes, not 8", good, good, numpy.float64(1), 0)
        refuses(ValueError, "does not fit into 4 bytes", good, good, 1.0, 1 << 32)
        refuses(TypeError, "a number", good, good, "1", 0)
        refuses(TypeError, "argument 3 offset .* declared 'int', not float", good, good, 1.0, 2.5)
        refuses(TypeError, "argument 3 offset .* declared 'int', not float32", good, good, 1.0, numpy.float32(2))
        refuses(TypeError, "argument 2 factor .* declared 'float', not int32", good, good, numpy.int32(1), 0)
        refuses(ValueError, "does not fit into 4 bytes", good, good, 10 ** 400, 0)
        with self.assertRaisesRegex(ValueError, "groups: 1 to 3 positive numbers"):
            scale(0, good, good, 1.0, 0)
        with self.assertRaisesRegex(ValueError, "no format 'rgb9'"):
            self.program["invert"](1, cmkit.Image(numpy.zeros((8, 16), numpy.uint8), "rgb9"))
        with self.assertRaisesRegex(ValueError, "are 512 bytes, the array has 128"):
            self.program["invert"](1, cmkit.Image(numpy.zeros((8, 16), numpy.uint8), "rgba8"))
        with self.assertRaisesRegex(TypeError, "elements of r32u are integers, the array is of float32"):
            self.program["invert"](1, cmkit.Image(numpy.zeros((8, 16), numpy.float32), "r32u"))
        with self.assertRaises(cmkit.Error) as problem:
            self.program["nothing"](1)
        self.assertEqual(problem.exception.status, "CMRT_NO_KERNEL")
        with self.assertRaisesRegex(cmkit.CompileError, r"<string>:1:9: error: expected expression"):
            self.device.compile("int x = ;")


    def test_closed(self):
        scale, numbers = self.program["scale"], numpy.zeros(64, numpy.float32)
        self.device.close()
        uses = (lambda: scale(4, numbers, numbers, 1.0, 0), lambda: self.program["scale"](4, numbers, numbers, 1.0, 0),
                lambda: self.program["invert"](1, numbers), lambda: self.program.kernels,
                lambda: self.device.compile(SOURCE))
        for use in uses:
            with self.assertRaisesRegex(ValueError, "the (device|program) is closed"):
                use()
        self.device.close()


class Simulated(OnEachDevice, unittest.TestCase):
    def open(self):
        return cmkit.simulated("tgllp")

    def test_wrong_program(self):
        with self.assertRaises(cmkit.Error) as problem:
            self.device.load(cmkit.compile_source(SOURCE, "SKL,ICLLP"))
        self.assertEqual(problem.exception.status, "CMRT_WRONG_PLATFORM")

    def test_spirv_of_work_items(self):
        capability_kernel, entry_point = (2 << 16 | 17, 6), (4 << 16 | 15, 6, 1, 0)
        words = (0x07230203, 0x00010000, 0, 2, 0, *capability_kernel, *entry_point)
        with self.assertRaisesRegex(cmkit.Error, "not of CM: it lacks the capability VectorComputeINTEL") as problem:
            self.device.load(numpy.array(words, numpy.uint32).tobytes())
        self.assertEqual(problem.exception.status, "CMRT_BAD_FILE")

    def test_unknown_gpu(self):
        with self.assertRaisesRegex(cmkit.Error, "banana"):
            cmkit.simulated("banana")


class OnTheCpu(OnEachDevice, unittest.TestCase):
    def open(self):
        return cmkit.Device("cpu")


def load_tests(loader, tests, pattern):
    """The examples of the doc comments are tests, too."""
    for module in (cmkit, cmkit._compile, cmkit._device, cmkit._simulated):
        tests.addTests(doctest.DocTestSuite(module))
    return tests


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=0))
