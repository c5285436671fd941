"""Warpwright from Python: CUDA kernels on a simulated GPU, numpy arrays in and out, statistics as dictionaries and pandas frames.

    import numpy, warpwright
    gpu = warpwright.Simulator("gtx480")
    gpu.load_cuda('extern "C" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }')
    x = numpy.arange(32, dtype=numpy.float32)
    gpu.launch("twice", 1, 32, x)
    gpu.statistic("twice", "timing.counters.cycles")

pandas is needed for frames and matplotlib for plots; they are imported when something asks for them.
"""

from . import lab, plot
from ._native import Error, statistic_names
from ._native import version as __version__
from .machine import Machine, Mechanism, Setting, machine_keys, machines, mechanisms
from .simulator import DeviceArray, Kernel, KernelWarning, Parameter, Simulator, Stream, compile_cuda

__all__ = [
    "DeviceArray",
    "Error",
    "Kernel",
    "KernelWarning",
    "Machine",
    "Mechanism",
    "Parameter",
    "Setting",
    "Simulator",
    "Stream",
    "compile_cuda",
    "lab",
    "machine_keys",
    "machines",
    "mechanisms",
    "plot",
    "statistic_names",
]
