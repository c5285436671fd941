"""Kernels that ran on a GPU and in the simulator: their names, their halves, their times, and how far these are apart."""
import hashlib
import math
import re
import statistics
from typing import NamedTuple

HALVES = ["held-back", "development"]


def short_name(signature):
    """Without what it returns, the scopes of its names, and its parameters: `void a::f<a::T>(int*)` is `f<T>`."""
    return re.sub(r"\w+::", "", signature.replace("(anonymous namespace)::", "").split("(")[0].removeprefix("void "))


def half_of(kernel):
    return HALVES[hashlib.sha256(kernel.encode()).digest()[0] >> 7]


class Kernel(NamedTuple):
    """All its launches together, in microseconds. `code`: for how long SMs waited for instructions."""
    workload: str
    size: str
    kernel: str
    launches: int
    gpu: float
    ours: float
    code: float

    @property
    def error(self):
        return self.ours / self.gpu - 1

    def row(self):
        return [self.workload, self.size, self.kernel, str(self.launches), f"{self.gpu:.2f}", f"{self.ours:.2f}", f"{self.error:+.0%}", f"{self.code:.2f}"]


def by_kernel(launches):
    """Launches: workload, size, kernel, number, then times."""
    kernels = {}
    for workload, size, name, _, *times in launches:
        kernels.setdefault((workload, size, name), []).append(times)
    sums = {key: [len(times), *map(sum, zip(*times))] for key, times in kernels.items()}
    return [Kernel(*key, *each) for key, each in sums.items()]


def correlation(pairs):
    """None where one side is always the same."""
    return statistics.correlation(*zip(*pairs)) if all(len(set(side)) > 1 for side in zip(*pairs)) else None


def correlation_text(value):
    return "" if value is None else f"{value:.2f}"


class Errors(NamedTuple):
    """Of a group of kernels: the mean and the median of |error|, the mean of the logarithms of ours / GPU as a factor, the correlation of the logarithms."""
    kernels: int
    mean: float
    median: float
    factor: float
    correlation: float | None

    def row(self):
        return [str(self.kernels), f"{self.mean:.0%}", f"{self.median:.0%}", f"{self.factor:.2f}", correlation_text(self.correlation)]


LEAST = 3  # kernels of which figures say something


def errors_of(kernels):
    errors = [abs(kernel.error) for kernel in kernels]
    logarithms = [(math.log(kernel.gpu), math.log(kernel.ours)) for kernel in kernels]
    factor = math.exp(statistics.mean(ours - gpu for gpu, ours in logarithms))
    return Errors(len(kernels), statistics.mean(errors), statistics.median(errors), factor, correlation(logarithms))


class Compared(NamedTuple):
    """What was counted of a kernel, there and here."""
    workload: str
    size: str
    kernel: str
    quantity: str
    gpu: float
    ours: float
