"""The simulated GPU: code, arrays, launches, statistics."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy

from . import _native, statistics
from .machine import Machine

if TYPE_CHECKING:
    from pandas import DataFrame

Extent = Union[int, tuple[int, ...]]
Argument = Union["DeviceArray", numpy.ndarray, numpy.generic, bool, int, float, bytes]


class KernelWarning(UserWarning):
    """What the checks report of a kernel that went on."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel."""

    name: str
    bytes: int
    is_float: bool


@dataclass(frozen=True)
class Kernel:
    """What is known of a kernel: its names in the PTX and in the source, what a thread and a block need, its parameters."""

    name: str
    signature: str
    registers: int
    shared_bytes: int
    local_bytes: int
    parameters: tuple[Parameter, ...]


def compile_cuda(text: str, name: str = "module.cu", options: Sequence[str] = ()) -> str:
    """The PTX of CUDA C++, for `Simulator.load_ptx`: to look at, or to load many times. See `Simulator.load_cuda`."""
    ptx, remarks = _native.compile_cuda(text, name, list(options))
    if remarks:
        warnings.warn(remarks, stacklevel=2)
    return ptx


class DeviceArray:
    """An array in device memory, in C order. `Simulator.array`, `empty`, `zeros` and `symbol` make them."""

    def __init__(self, session: _native.Session, address: int, shape: tuple[int, ...], dtype: numpy.dtype):
        self._session = session
        self.address = address
        self.shape = shape
        self.dtype = dtype

    @property
    def size(self) -> int:
        """Elements."""
        return int(numpy.prod(self.shape, dtype=numpy.int64))

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def get(self) -> numpy.ndarray:
        """A copy on the host; waits for all launches."""
        values = numpy.empty(self.shape, self.dtype)
        if values.nbytes:
            self._session.read(self.address, _bytes_of(values))
        return values

    def set(self, values: Any) -> None:
        """Copies values from the host, which are converted and broadcast as numpy's assignment does; waits for all launches."""
        staged = numpy.empty(self.shape, self.dtype)
        staged[...] = values
        if staged.nbytes:
            self._session.write(self.address, _bytes_of(staged))

    def free(self) -> None:
        """Gives the memory back; waits for all launches. Without it, the memory lives as long as the simulator."""
        self._session.free(self.address)

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None) -> numpy.ndarray:
        return self.get() if dtype is None else self.get().astype(dtype)

    def __repr__(self) -> str:
        return f"<DeviceArray {self.shape} {self.dtype} at {self.address:#x}>"


class Stream:
    """Launches that run one after the other, beside those of other streams. `Simulator.stream` makes them."""

    def __init__(self, number: int):
        self.number = number


class Simulator:
    """A simulated GPU with its memory, for one thread at a time.

    machine: a `Machine`, the name of a preset, or a machine file.
    timed: simulate every cycle; False: results and profile only, much faster.
    threads: of the host, for a timed simulation; the results are the same with any number.
    max_registers: of a thread; None: as many as the machine has.
    address_bits: of device addresses, as the PTX says: 32 or 64.
    lines: charge stalls to source lines, for `lines()`.
    checks: beside the usual ones, "races", "uninitialised", "synchronisation", "neighbours" or "all" (docs/checks.md).
    stop_on_fault: False: kernels that access memory out of bounds go on, with a KernelWarning.
    energy: name or file of a table of energies (docs/energy.md), "40nm".
    trace, konata, series: files that `write_traces()` writes (docs/traces.md), of the core cycles in trace_window (the last one not
    included; a series has all), with a row of the series every trace_interval cycles.
    """

    def __init__(
        self,
        machine: str | Machine = "v100",
        *,
        timed: bool = True,
        threads: int = 1,
        max_registers: int | None = None,
        address_bits: int = 64,
        lines: bool = False,
        checks: str | Sequence[str] = (),
        stop_on_fault: bool = True,
        energy: str | None = None,
        trace: str | os.PathLike | None = None,
        konata: str | os.PathLike | None = None,
        series: str | os.PathLike | None = None,
        trace_window: tuple[int, int] | None = None,
        trace_interval: int = 1000,
    ):
        options = _native.Options()
        if isinstance(machine, Machine):
            options.machine, options.overrides = machine.name, machine.overrides
        else:
            options.machine = machine
        options.timed = timed
        options.threads = threads
        options.max_registers = max_registers or 0
        options.address_bits = address_bits
        options.lines = lines
        options.checks = checks if isinstance(checks, str) else ",".join(checks)
        options.stop_on_fault = stop_on_fault
        options.energy = energy or ""
        for name, file in (("trace", trace), ("konata", konata), ("series", series)):
            setattr(options, name, os.fspath(file) if file is not None else "")
        if trace_window is not None:
            options.trace_from, options.trace_until = trace_window
        options.trace_interval = trace_interval
        self._session = _native.Session(options, _print)

    # Code.

    def load(self, file: str | os.PathLike, options: Sequence[str] = ()) -> None:
        """Loads a file: PTX where its name ends in .ptx, CUDA C++ otherwise."""
        name = os.fspath(file)
        with open(name, encoding="utf-8") as opened:
            text = opened.read()
        if name.endswith(".ptx"):
            self.load_ptx(text, name)
        else:
            self.load_cuda(text, name, options)

    def load_ptx(self, text: str, name: str = "module.ptx") -> None:
        """Compiles and loads PTX; `name` serves messages."""
        self._session.load(text, name)

    def load_cuda(self, text: str, name: str = "module.cu", options: Sequence[str] = ()) -> None:
        """Compiles and loads CUDA C++. `options` are those of warpwright-cc (docs/warpwright-cc.md): "-DN=4", "-I", "include".
        Kernels have the names that the source gives them, mangled or not; a template must be instantiated in the text. What the compiler
        remarks is a warning."""
        remarks = self._session.load_cuda(text, name, list(options))
        if remarks:
            warnings.warn(remarks, stacklevel=2)

    def kernels(self) -> list[str]:
        """The kernels that are loaded, by their names in the PTX."""
        return self._session.kernels()

    def kernel(self, name: str) -> Kernel:
        """What is known of a kernel."""
        info = self._session.kernel(name)
        parameters = tuple(Parameter(**each) for each in info.pop("parameters"))
        return Kernel(parameters=parameters, **info)

    # Memory.

    def array(self, values: Any, dtype: Any = None) -> DeviceArray:
        """A copy of the values in device memory."""
        values = numpy.asarray(values, dtype)
        result = self.empty(values.shape, values.dtype)
        result.set(values)
        return result

    def empty(self, shape: int | tuple[int, ...], dtype: Any = numpy.float32) -> DeviceArray:
        """Device memory that nobody has written."""
        dtype = numpy.dtype(dtype)
        if dtype.hasobject:
            raise TypeError(f"elements of {dtype} are Python objects, which no kernel can read")
        shape = (shape,) if isinstance(shape, (int, numpy.integer)) else tuple(shape)
        result = DeviceArray(self._session, 0, shape, dtype)
        result.address = self._session.allocate(max(result.nbytes, 1))
        return result

    def zeros(self, shape: int | tuple[int, ...], dtype: Any = numpy.float32) -> DeviceArray:
        """Device memory full of zeros."""
        result = self.empty(shape, dtype)
        result.set(0)
        return result

    def symbol(self, name: str, dtype: Any, shape: int | tuple[int, ...] | None = None) -> DeviceArray:
        """A __device__ or __constant__ variable, by its name in the PTX or the source, as an array of its own memory. Without a shape,
        as many elements as it has bytes for."""
        dtype = numpy.dtype(dtype)
        address, size = self._session.symbol(name)
        if shape is None:
            shape = size // dtype.itemsize
        result = DeviceArray(self._session, address, (shape,) if isinstance(shape, int) else tuple(shape), dtype)
        if result.nbytes != size:
            raise _native.Error(f"error: variable '{name}' has {size} bytes, an array of shape {result.shape} of {dtype} has {result.nbytes}")
        return result

    # Launches.

    def launch(self, kernel: str, grid: Extent, block: Extent, *arguments: Argument, shared_bytes: int = 0, stream: Stream | None = None) -> None:
        """Runs a kernel, to its end or, with a stream, when something waits for it (`synchronize`, a copy).

        Numbers become what the parameter is; a numpy scalar is taken as it is, and `bytes`, or the scalar of a structured type, for a
        structure. A DeviceArray is its address. A numpy array is copied to the device for this launch and, where it may be written, back
        when the kernel has ended; with a stream it cannot be.
        """
        known = self.kernel(kernel)
        parameters = known.parameters
        if len(arguments) != len(parameters):
            raise _native.Error(f"error: '{kernel}' takes {len(parameters)} arguments, not {len(arguments)}")
        lent: list[tuple[numpy.ndarray, DeviceArray]] = []
        try:
            for position, (value, declared) in enumerate(zip(arguments, _declared(known.signature, len(parameters)))):
                _require_elements(kernel, position, value, declared)
            packed = [self._packed(position, *each, lent, stream) for position, each in enumerate(zip(arguments, parameters))]
            number = 0 if stream is None else stream.number
            self._session.launch(number, kernel, _extent(grid), _extent(block), packed, shared_bytes)
            for values, device in lent:
                if values.flags.writeable:
                    values[...] = device.get()
        finally:
            for _, device in lent:
                device.free()
            self._warn()

    def stream(self, priority: int = 0) -> Stream:
        """A new stream; blocks of streams with lower priority numbers come first."""
        return Stream(self._session.create_stream(priority))

    def synchronize(self) -> None:
        """Waits for all launches. The first that fails is an Error; those that had not ended by then are given up."""
        try:
            self._session.synchronize()
        finally:
            self._warn()

    @property
    def nanoseconds(self) -> int:
        """Simulated time of all launches so far; a lower bound in a simulation that is not timed."""
        return self._session.nanoseconds()

    def write_traces(self) -> None:
        """Writes the files that the simulator was asked for, with what was traced so far."""
        self._session.write_traces()

    # Statistics.

    @property
    def machine(self) -> str:
        """The machine file that describes the machine, every key with its value."""
        return self._session.machine()

    @property
    def statistics(self) -> dict[str, Any]:
        """All that was counted so far, as `warpwright run --json` writes it."""
        return json.loads(self._session.statistics())

    def statistic(self, kernel: str, path: str) -> float | None:
        """One number of a kernel by its dotted path ("timing.counters.cycles"), summed over its launches so far. None: it was not launched,
        or has no such number here. A path that no kernel ever has is an Error that names the nearest."""
        return self._session.statistic(kernel, path)

    def frame(self, *paths: str) -> DataFrame:
        """A pandas frame: a row a kernel, a column each of the paths, or every number."""
        return statistics.kernel_frame(self.statistics["kernels"], paths)

    def launches(self) -> DataFrame:
        """A pandas frame with a row for each timed launch."""
        return statistics.launch_frame(self.statistics["kernels"])

    def lines(self) -> DataFrame:
        """A pandas frame with a row for each source line; `Simulator(lines=True)` charges stalls to them, too."""
        return statistics.line_frame(self.statistics["kernels"])

    def _packed(self, position: int, value: Argument, parameter: Parameter, lent: list, stream: Stream | None) -> bytes:
        try:
            if isinstance(value, numpy.ndarray):
                value = self._lend(value, lent, stream)
            return _argument_bytes(value, parameter)
        except (OverflowError, TypeError) as error:
            raise _native.Error(f"error: argument {position}, for a parameter of {parameter.bytes} bytes: {error}") from error

    def _lend(self, values: numpy.ndarray, lent: list, stream: Stream | None) -> DeviceArray:
        if stream is not None:
            raise TypeError("a numpy array cannot be copied back from a launch that nobody waits for: use Simulator.array()")
        device = self.array(values)
        lent.append((values, device))
        return device

    def _warn(self) -> None:
        for text in self._session.take_warnings():
            warnings.warn(text, KernelWarning, stacklevel=3)


def _argument_bytes(value: Argument, parameter: Parameter) -> bytes:
    if isinstance(value, DeviceArray):
        return value.address.to_bytes(parameter.bytes, "little")
    if isinstance(value, bytes):
        return value
    if isinstance(value, numpy.generic):
        return value.tobytes()
    if parameter.is_float and isinstance(value, (int, float)):
        return numpy.dtype(f"f{parameter.bytes}").type(value).tobytes()
    if isinstance(value, int):
        return value.to_bytes(parameter.bytes, "little", signed=value < 0)
    raise TypeError(f"{value!r} is no value for it; numpy scalars and bytes are taken as they are")


# What elements of a pointer's target look like to numpy: kind and bytes.
_ELEMENTS = {"float": ("f", 4), "double": ("f", 8), "__half": ("f", 2), "half": ("f", 2), "char": ("i", 1), "signed char": ("i", 1), "unsigned char": ("i", 1),
             "short": ("i", 2), "unsigned short": ("i", 2), "int": ("i", 4), "unsigned int": ("i", 4), "long": ("i", 8), "unsigned long": ("i", 8),
             "long long": ("i", 8), "unsigned long long": ("i", 8)}


def _declared(signature: str, count: int) -> list[str]:
    """The types of the parameters, as the source has them; empty texts where the signature does not tell them."""
    inside = signature[signature.find("(") + 1:signature.rfind(")")] if "(" in signature else ""
    types, depth = [""], 0
    for letter in inside:
        depth += (letter in "<(") - (letter in ">)")
        if letter == "," and depth == 0:
            types.append("")
        else:
            types[-1] += letter
    types = [each.strip() for each in types]
    return types if len(types) == count else [""] * count


def _require_elements(kernel: str, position: int, value: Argument, declared: str) -> None:
    """An array of other elements than the pointer's would be read as what it is not. Bytes are taken for anything."""
    wanted = _ELEMENTS.get(declared.removesuffix("*").replace("const", "").strip()) if declared.endswith("*") else None
    dtype = numpy.dtype(value.dtype) if isinstance(value, (numpy.ndarray, DeviceArray)) else None
    if wanted is None or dtype is None or dtype.kind not in "iufb" or dtype == numpy.uint8:
        return
    if (dtype.kind if dtype.kind == "f" else "i", dtype.itemsize) == wanted:
        return
    raise _native.Error(f"error: argument {position} of '{kernel}' is an array of {dtype}, and the parameter a '{declared}'\n"
                        f"  remedy: convert it with astype(), or pass view('uint8') if its bytes are meant")


def _bytes_of(values: numpy.ndarray) -> numpy.ndarray:
    return values.reshape(-1).view(numpy.uint8)


def _extent(sizes: Extent) -> tuple[int, int, int]:
    sizes = (sizes,) if isinstance(sizes, (int, numpy.integer)) else tuple(sizes)
    if not 1 <= len(sizes) <= 3 or not all(0 <= int(size) < 2**32 for size in sizes):
        raise _native.Error(f"error: {sizes} is no size of a grid or block\n  remedy: give one to three numbers")
    x, y, z = (int(size) for size in sizes + (1,) * (3 - len(sizes)))
    return x, y, z


def _print(text: str) -> None:
    sys.stdout.write(text)
