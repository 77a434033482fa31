"""Devices, programs and kernels: libcmrt's objects, and NumPy arrays as their arguments."""
import ctypes
import os
import tempfile
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy

from . import _find
from ._compile import compile_source

_VALUE, _BUFFER, _IMAGE, _LOCAL = 1, 2, 3, 5
_KINDS = {0: "unknown", 1: "value", 2: "buffer", 3: "image", 4: "sampler", 5: "shared local memory"}
_SHARED = 0
_WRITE = 2


class _Argument(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("access", ctypes.c_int), ("name", ctypes.c_char_p), ("type", ctypes.c_char_p),
                ("bytes", ctypes.c_uint32), ("dimensions", ctypes.c_uint32), ("media_block", ctypes.c_uint32),
                ("block_width", ctypes.c_uint32), ("block_rows", ctypes.c_uint32), ("reserved", ctypes.c_uint32 * 9)]


class _KernelInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("argument_count", ctypes.c_size_t),
                ("arguments", ctypes.POINTER(_Argument)), ("simd_size", ctypes.c_uint32),
                ("grf_count", ctypes.c_uint32), ("slm_bytes", ctypes.c_uint32), ("scratch_bytes", ctypes.c_uint32),
                ("barriers", ctypes.c_uint32), ("required_local", ctypes.c_uint32 * 3)]


class _Shape(ctypes.Structure):
    _fields_ = [("dimensions", ctypes.c_uint32), ("width", ctypes.c_size_t), ("height", ctypes.c_size_t),
                ("depth", ctypes.c_size_t)]


class Error(Exception):
    """A call of libcmrt failed. `status` is the name of its result, such as "CMRT_BAD_ARGUMENT"."""

    def __init__(self, status: str, message: str):
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> Tuple[Any, Tuple[str, str]]:
        return Error, (self.status, str(self))


_POINTERS = ("cmrt_device_name", "cmrt_device_platform", "cmrt_message", "cmrt_status_name", "cmrt_kernel_info",
             "cmrt_program_kernel", "cmrt_buffer_pointer")
_library: Optional[ctypes.CDLL] = None


def _lib() -> ctypes.CDLL:
    global _library
    if _library is None:
        library = _find.library()
        version = library.cmrt_version()
        if version // 10000 != 1:
            raise OSError(f"libcmrt has version {version // 10000}.{version // 100 % 100}, this package needs 1")
        for name in _POINTERS:
            getattr(library, name).restype = ctypes.c_void_p
        library.cmrt_program_kernel_count.restype = ctypes.c_size_t
        _library = library
    return _library


def _text(pointer: Optional[int]) -> str:
    return ctypes.string_at(pointer).decode(errors="replace") if pointer else ""


def _must(status: int) -> None:
    if status:
        raise Error(_text(_lib().cmrt_status_name(status)), _text(_lib().cmrt_message()))


class Image:
    """An image as an argument: an array of height x width elements, or height x width x channels.

    `format` is one of libcmrt's names, such as "rgba8" or "r32f"; its element must be as large as the array's.
    `dimensions` is 3 for an image of depth x height x width elements, 1 for a row of them.

    >>> source = '''
    ... extern "C" _GENX_MAIN_ void invert(SurfaceIndex image [[type("image2d_t read_write")]])
    ... {
    ...     matrix<uchar, 2, 4> block;
    ...     read(image, 0, 0, block);
    ...     block = 255 - block;
    ...     write(image, 0, 0, block);
    ... }
    ... '''
    >>> picture = numpy.arange(8, dtype=numpy.uint8).reshape(2, 4)
    >>> with Device("cpu") as device:
    ...     device.compile(source)["invert"](1, Image(picture, "r8u"))
    >>> print(picture)
    [[255 254 253 252]
     [251 250 249 248]]
    """

    def __init__(self, array: numpy.ndarray, format: str, dimensions: int = 2):
        if dimensions not in (1, 2, 3):
            raise ValueError(f"an image has 1 to 3 dimensions, not {dimensions}")
        self.array, self.format, self.dimensions = array, format, dimensions


Arrays = Union[numpy.ndarray, Image]
Counts = Union[int, Sequence[int]]


def _counts(counts: Counts, what: str) -> "ctypes.Array[ctypes.c_uint32]":
    numbers = [counts] if isinstance(counts, (int, numpy.integer)) else list(counts)
    if not 1 <= len(numbers) <= 3 or any(int(n) != n or not 0 < n < 1 << 32 for n in numbers):
        raise ValueError(f"{what}: 1 to 3 positive numbers, not {counts!r}")
    return (ctypes.c_uint32 * 3)(*([int(n) for n in numbers] + [1] * (3 - len(numbers))))


def check_array(array: Any, writes: bool, what: str) -> numpy.ndarray:
    """The array, if libcmrt can take its bytes as they are; TypeError or ValueError otherwise."""
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"{what}: a NumPy array, not {type(array).__name__}")
    if array.dtype.hasobject:
        raise TypeError(f"{what}: an array of numbers, not of {array.dtype}")
    if not array.dtype.isnative:
        raise TypeError(f"{what}: the array's byte order is not this machine's")
    if not array.flags.c_contiguous:
        raise ValueError(f"{what}: the array has gaps or another order; numpy.ascontiguousarray(a) makes one without")
    if writes and not array.flags.writeable:
        raise ValueError(f"{what}: the kernel may write to it, and the array is read-only")
    if array.nbytes == 0:
        raise ValueError(f"{what}: the array is empty")
    return array


_FLOATS = {"half": 2, "float": 4, "double": 8}
_INTEGERS = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "unsigned": 4, "signed": 4, "long": 8,
             "ulong": 8, "bool": 1, "size_t": 8, "int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2, "int32_t": 4,
             "uint32_t": 4, "int64_t": 8, "uint64_t": 8}


def _number(declared: str) -> Tuple[int, bool]:
    """Size of a type of numbers, and whether they are floats; of a vector's or matrix' elements. 0 for other types."""
    for shape in ("vector<", "matrix<"):
        if declared.startswith(shape):
            declared = declared[len(shape):].split(",")[0]
    words = [word for word in declared.split() if word not in ("const", "volatile")]
    if not words:
        return 0, False
    if words[-1] in _FLOATS:
        return _FLOATS[words[-1]], True
    size = _INTEGERS.get(words[-1], 0)
    if "long" in words:
        size = 8
    elif "short" in words:
        size = 2
    return size, False


def _value_bytes(value: Any, argument: _Argument, what: str) -> bytes:
    """The bytes of a scalar or vector. Python's own numbers take the type that the kernel wants."""
    size, declared = argument.bytes, argument.type.decode(errors="replace")
    number, is_float = _number(declared)
    if isinstance(value, (numpy.generic, numpy.ndarray)):
        if not value.dtype.isnative:
            raise TypeError(f"{what}: the byte order of {value.dtype} is not this machine's")
        if number == value.dtype.itemsize and value.dtype.kind in "iuf" and (value.dtype.kind == "f") != is_float:
            raise TypeError(f"{what}: is declared '{declared}', not {value.dtype}")
        data = numpy.ascontiguousarray(value).tobytes()
    elif isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{what}: a number or a NumPy scalar or array, not {type(value).__name__}")
    elif number == size and is_float or isinstance(value, float) and not number and size in (2, 4, 8):
        try:
            data = numpy.dtype(f"f{size}").type(value).tobytes()
        except OverflowError as problem:
            raise ValueError(f"{what}: {value} does not fit into {size} bytes") from problem
    elif isinstance(value, float) and number == size:
        raise TypeError(f"{what}: is declared '{declared}', not float; int({value}) is an integer")
    elif isinstance(value, int) and size in (1, 2, 4, 8):
        if not -(1 << (8 * size - 1)) <= value < 1 << (8 * size):
            raise ValueError(f"{what}: {value} does not fit into {size} bytes")
        data = (value % (1 << (8 * size))).to_bytes(size, "little")
    else:
        raise TypeError(f"{what}: has {size} bytes; a NumPy scalar or array says which they are")
    if len(data) != size:
        raise ValueError(f"{what}: has {size} bytes, not {len(data)}")
    return data


def _check_pointer(array: numpy.ndarray, argument: _Argument, what: str) -> None:
    """TypeError if the argument is declared as a pointer to numbers of another type than the array's."""
    declared = argument.type.decode(errors="replace")
    if not declared.endswith("*") or declared.count("*") != 1:
        return
    size, is_float = _number(declared[:-1])
    if size and (array.dtype.itemsize != size or (array.dtype.kind == "f") != is_float):
        raise TypeError(f"{what}: is declared '{declared}', the array is of {array.dtype}")


def _check_format(array: numpy.ndarray, name: str, channel: int, what: str) -> None:
    """TypeError for an array of floats where the format has integers, and the reverse."""
    if array.dtype.itemsize == channel and (array.dtype.kind == "f") != name.endswith("f"):
        raise TypeError(f"{what}: elements of {name} are {'floats' if name.endswith('f') else 'integers'}, "
                        f"the array is of {array.dtype}")


def _writes(argument: _Argument) -> bool:
    """Whether the kernel writes to a buffer or image. It may where the file does not say."""
    return argument.kind in (_BUFFER, _IMAGE) and bool(argument.access & _WRITE or not argument.access)


class _Memory:
    """A buffer or image of the device with an array's contents, for one launch."""

    def __init__(self, device: "Device", given: Arrays, argument: _Argument, what: str):
        self.device, self.writes = device, _writes(argument)
        self.is_image = isinstance(given, Image)
        self.array = check_array(given.array if isinstance(given, Image) else given, self.writes, what)
        self.handle = ctypes.c_void_p()
        if isinstance(given, Image):
            self._open_image(given, argument, what)
        else:
            _check_pointer(self.array, argument, what)
            _must(_lib().cmrt_buffer_open(device._handle, _SHARED, ctypes.c_size_t(self.array.nbytes),
                                          ctypes.byref(self.handle)))

    def _open_image(self, image: Image, argument: _Argument, what: str) -> None:
        library = _lib()
        for name in ("cmrt_image_bytes", "cmrt_format_bytes", "cmrt_format_channels"):
            getattr(library, name).restype = ctypes.c_size_t
        number = library.cmrt_format_find(image.format.encode())
        count = image.dimensions
        if self.array.ndim not in (count, count + 1):
            raise ValueError(f"{what}: an image of {count} dimensions is an array of {count} or {count + 1}, "
                             f"not {self.array.ndim}")
        depth, height, width = (1, 1, *self.array.shape[:count])[-3:]
        if number < 0:
            raise ValueError(f"{what}: no format '{image.format}'")
        wanted = library.cmrt_image_bytes(number, ctypes.c_size_t(width), ctypes.c_size_t(height)) * depth
        if wanted != self.array.nbytes:
            extents = "x".join(str(extent) for extent in (width, height, depth)[:count])
            raise ValueError(f"{what}: {extents} elements of {image.format} are {wanted} bytes, "
                             f"the array has {self.array.nbytes}")
        channel, rest = divmod(library.cmrt_format_bytes(number), library.cmrt_format_channels(number))
        if not rest:
            _check_format(self.array, image.format, channel, what)
        shape = _Shape(count, width, height, depth)
        _must(library.cmrt_image_open_shape(self.device._handle, ctypes.byref(shape), number, argument.access or 3,
                                            ctypes.byref(self.handle)))

    def upload(self, queue: ctypes.c_void_p) -> None:
        pointer = ctypes.c_void_p(self.array.ctypes.data)
        if self.is_image:
            _must(_lib().cmrt_image_write(queue, self.handle, pointer))
        else:
            _must(_lib().cmrt_buffer_write(queue, self.handle, ctypes.c_size_t(0), pointer,
                                           ctypes.c_size_t(self.array.nbytes)))

    def download(self, queue: ctypes.c_void_p) -> None:
        pointer = ctypes.c_void_p(self.array.ctypes.data)
        if not self.writes:
            return
        if self.is_image:
            _must(_lib().cmrt_image_read(queue, self.handle, pointer))
        else:
            _must(_lib().cmrt_buffer_read(queue, self.handle, ctypes.c_size_t(0), pointer,
                                          ctypes.c_size_t(self.array.nbytes)))

    def close(self) -> None:
        (_lib().cmrt_image_close if self.is_image else _lib().cmrt_buffer_close)(self.handle)


class Kernel:
    """A kernel. Calling it launches it, waits for its end, and copies what it wrote back to the arrays.

    >>> source = '''
    ... extern "C" _GENX_MAIN_ void places(SurfaceIndex s [[type("buffer_t")]])
    ... {
    ...     vector<uint, 4> v = cm_group_id(0) * 10;
    ...     write(s, cm_group_id(0) * 16, v);
    ... }
    ... '''
    >>> numbers = numpy.zeros(8, numpy.uint32)
    >>> with Device("cpu") as device:
    ...     places = device.compile(source)["places"]
    ...     print(places.arguments)
    ...     places(2, numbers)                        # two groups of one thread
    [('buffer', 's')]
    >>> print(numbers)
    [ 0  0  0  0 10 10 10 10]
    """

    def __init__(self, program: "Program", name: str):
        self.program, self.name = program, name
        self._handle = ctypes.c_void_p()
        _must(_lib().cmrt_kernel_open(program.handle(), name.encode(), ctypes.byref(self._handle)))

    @property
    def _info(self) -> _KernelInfo:
        self.program.handle()  # which may be closed
        return _KernelInfo.from_address(_lib().cmrt_kernel_info(self._handle))

    @property
    def arguments(self) -> List[Tuple[str, str]]:
        """Kind and name of each argument; the name is empty where the file does not say."""
        info = self._info
        return [(_KINDS[info.arguments[i].kind], info.arguments[i].name.decode()) for i in range(info.argument_count)]

    def writes(self, index: int) -> bool:
        """Whether the kernel writes to this argument's array."""
        return _writes(self._info.arguments[index])

    def __call__(self, groups: Counts, *arguments: Any, local: Counts = 1) -> None:
        """Launches groups x local threads. An array for each buffer, an Image for each image, numbers for values, and
        the size in bytes for shared local memory, in the kernel's order."""
        count = self._info.argument_count
        if len(arguments) != count:
            raise TypeError(f"kernel {self.name} has {count} arguments, not {len(arguments)}")
        sizes, threads = _counts(groups, "groups"), _counts(local, "local")
        memories: Dict[int, _Memory] = {}
        try:
            for i, value in enumerate(arguments):
                self._set(i, value, memories)
            self._launch(sizes, threads, list(memories.values()))
        finally:
            for memory in memories.values():
                memory.close()

    def _set(self, index: int, value: Any, memories: Dict[int, _Memory]) -> None:
        argument = self._info.arguments[index]
        what = f"argument {index} {argument.name.decode()} of kernel {self.name}".replace("  ", " ")
        place = ctypes.c_size_t(index)
        if argument.kind == _VALUE:
            data = _value_bytes(value, argument, what)
            _must(_lib().cmrt_kernel_set_value(self._handle, place, data, ctypes.c_size_t(len(data))))
        elif argument.kind == _LOCAL:
            _must(_lib().cmrt_kernel_set_local(self._handle, place, ctypes.c_size_t(int(value))))
        elif argument.kind in (_BUFFER, _IMAGE):
            if (argument.kind == _IMAGE) != isinstance(value, Image):
                wanted = "an Image" if argument.kind == _IMAGE else "a NumPy array"
                raise TypeError(f"{what}: {wanted}, not {type(value).__name__}")
            memory = memories.setdefault(index, _Memory(self.program.device, value, argument, what))
            call = _lib().cmrt_kernel_set_image if memory.is_image else _lib().cmrt_kernel_set_buffer
            _must(call(self._handle, place, memory.handle))
        else:
            raise TypeError(f"{what}: {_KINDS[argument.kind]} arguments are not supported by the Python package")

    def _launch(self, groups: Any, local: Any, memories: List[_Memory]) -> None:
        queue = self.program.device._queue
        for memory in memories:
            memory.upload(queue)
        _must(_lib().cmrt_launch(queue, self._handle, groups, local))
        _must(_lib().cmrt_wait(queue))
        for memory in memories:
            memory.download(queue)


class Program:
    """A compiled program: program["name"] is a kernel of it.

    >>> with Device("cpu") as device:
    ...     device.compile('extern "C" _GENX_MAIN_ void nothing() {}').kernels
    ['nothing']
    """

    def __init__(self, device: "Device", binary: bytes):
        self.device = device
        self._handle = ctypes.c_void_p()
        self._kernels: Dict[str, Kernel] = {}
        if device.is_cpu:  # the loader of shared libraries wants a file
            with tempfile.NamedTemporaryFile(suffix=".so") as file:
                file.write(binary)
                file.flush()
                _must(_lib().cmrt_program_load(device.handle(), os.fsencode(file.name), ctypes.byref(self._handle)))
        else:
            _must(_lib().cmrt_program_load_memory(device.handle(), binary, ctypes.c_size_t(len(binary)),
                                                  ctypes.byref(self._handle)))

    def handle(self) -> ctypes.c_void_p:
        """The library's program; ValueError after close()."""
        if not self._handle:
            raise ValueError("the program is closed")
        return self._handle

    @property
    def kernels(self) -> List[str]:
        """Names of the kernels."""
        count = _lib().cmrt_program_kernel_count(self.handle())
        return [_KernelInfo.from_address(_lib().cmrt_program_kernel(self._handle, ctypes.c_size_t(i))).name.decode()
                for i in range(count)]

    def __getitem__(self, name: str) -> Kernel:
        if name not in self._kernels:
            self._kernels[name] = Kernel(self, name)
        return self._kernels[name]

    def close(self) -> None:
        """Closes the program and its kernels: ValueError when they are used then."""
        for kernel in self._kernels.values():
            _lib().cmrt_kernel_close(kernel._handle)
        self._kernels = {}
        _lib().cmrt_program_close(self._handle)
        self._handle = ctypes.c_void_p()


class Device:
    """The first Intel GPU, or with "cpu" this machine.

    A context manager: its end closes the device and its programs.

    >>> with Device("cpu") as device:
    ...     device.platform
    'host'
    """

    def __init__(self, target: str = "gpu"):
        if target not in ("gpu", "cpu"):
            raise ValueError(f"a device is 'gpu' or 'cpu', not {target!r}")
        self.is_cpu = target == "cpu"
        self._programs: List[Program] = []
        self._handle, self._queue = ctypes.c_void_p(), ctypes.c_void_p()
        _must(_lib().cmrt_device_open(int(self.is_cpu), ctypes.byref(self._handle)))
        _must(_lib().cmrt_queue_open(self._handle, ctypes.byref(self._queue)))

    def handle(self) -> ctypes.c_void_p:
        """The library's device; ValueError after close()."""
        if not self._handle:
            raise ValueError("the device is closed")
        return self._handle

    @property
    def name(self) -> str:
        """The driver's name of the device."""
        return _text(_lib().cmrt_device_name(self.handle()))

    @property
    def platform(self) -> str:
        """What cmc -march= calls the device."""
        platform = _text(_lib().cmrt_device_platform(self.handle()))
        if not platform and not self.is_cpu:
            raise Error("CMRT_WRONG_PLATFORM", f"cmc does not compile for {self.name}")
        return "host" if self.is_cpu else platform

    def compile(self, source: str, options: Sequence[str] = ()) -> Program:
        """Compiles a string of CM for this device; CompileError if cmc refuses it."""
        return self.load(compile_source(source, self.platform, options))

    def load(self, binary: bytes) -> Program:
        """Loads what cmc has compiled."""
        self._programs.append(Program(self, bytes(binary)))
        return self._programs[-1]

    def close(self) -> None:
        """Closes the device and its programs."""
        for program in self._programs:
            program.close()
        self._programs = []
        if self._handle:
            _lib().cmrt_queue_close(self._queue)
            _lib().cmrt_device_close(self._handle)
        self._handle = ctypes.c_void_p()

    def __enter__(self) -> "Device":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
