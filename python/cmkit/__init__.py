"""C for Metal kernels from Python: compile a string, launch it with NumPy arrays, on an Intel GPU, simulated or not, or
on the CPU.

    >>> import numpy, cmkit
    >>> source = '''
    ... extern "C" _GENX_MAIN_ void scale(SurfaceIndex s [[type("buffer_t")]], uint factor)
    ... {
    ...     vector<uint, 8> v;
    ...     read(s, 0, v);
    ...     v *= factor;
    ...     write(s, 0, v);
    ... }
    ... '''
    >>> numbers = numpy.arange(8, dtype=numpy.uint32)
    >>> with cmkit.simulated("tgllp") as device:      # or: with cmkit.Device() as device
    ...     device.compile(source)["scale"](1, numbers, 3)
    >>> print(numbers)
    [ 0  3  6  9 12 15 18 21]

The library is libcmrt, the programs are cmc and gensim: those of the prefix that this package lies in, else those on
the path; $CMKIT_LIBRARY and $CMKIT_BIN name others.
"""
from ._compile import CompileError, compile_source
from ._device import Device, Error, Image, Kernel, Program
from ._simulated import simulated

__all__ = ["CompileError", "Device", "Error", "Image", "Kernel", "Program", "compile_source", "simulated"]
