"""What kernels of Numba are made of, against numpy."""

import math
import subprocess
import sys
import unittest

import numpy
from numba import cuda, float32, vectorize
from numba.cuda import libdevice
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float64

BLOCK = 64


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


@cuda.jit
def functions(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i, 0] = math.sin(x[i])
        out[i, 1] = math.exp(x[i])
        out[i, 2] = math.pow(x[i], 1.5)
        out[i, 3] = math.erf(x[i])
        out[i, 4] = libdevice.cbrt(x[i])
        out[i, 5] = math.sqrt(x[i])


@cuda.jit
def transpose(x, out):
    tile = cuda.shared.array((16, 17), float32)
    i, j = cuda.grid(2)
    tile[cuda.threadIdx.y, cuda.threadIdx.x] = x[j, i]
    cuda.syncthreads()
    i = cuda.blockIdx.y * 16 + cuda.threadIdx.x
    j = cuda.blockIdx.x * 16 + cuda.threadIdx.y
    out[j, i] = tile[cuda.threadIdx.x, cuda.threadIdx.y]


@cuda.jit
def histogram(x, bins, extremes):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(bins, x[i], 1)
        cuda.atomic.max(extremes, 0, x[i])
        cuda.atomic.min(extremes, 1, x[i])


@cuda.jit
def warp(out):
    lane = cuda.laneid
    out[lane, 0] = cuda.shfl_down_sync(0xFFFFFFFF, lane, 3)
    out[lane, 1] = cuda.shfl_xor_sync(0xFFFFFFFF, lane, 1)
    out[lane, 2] = cuda.ballot_sync(0xFFFFFFFF, lane < 5)
    out[lane, 3] = cuda.any_sync(0xFFFFFFFF, lane == 9)
    out[lane, 4] = cuda.match_any_sync(0xFFFFFFFF, lane // 8)
    out[lane, 5] = cuda.popc(lane)


@cuda.jit("void(int32[:, ::1])")
def sweep(rows):
    column = cuda.grid(1)
    grid = cuda.cg.this_grid()
    for row in range(1, rows.shape[0]):
        rows[row, column] = rows[row - 1, rows.shape[1] - column - 1] + 1
        grid.sync()


@cuda.jit(device=True)
def horner(x, coefficients):
    value = 0.0
    for c in coefficients:
        value = value * x + c
    return value


@cuda.jit
def polynomial(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = horner(x[i], (1.0, -2.0, 3.0))


@cuda.jit
def monte_carlo(states, out):
    i = cuda.grid(1)
    inside = 0
    for _ in range(20):
        x = xoroshiro128p_uniform_float64(states, i)
        y = xoroshiro128p_uniform_float64(states, i)
        if x * x + y * y <= 1.0:
            inside += 1
    out[i] = inside


@vectorize(["float64(float64, float64)"], target="cuda")
def hypotenuse(x, y):
    return math.sqrt(x * x + y * y)


@cuda.reduce
def total(a, b):
    return a + b


FAULT = """
import numpy
from numba import cuda

@cuda.jit
def beyond(x):
    x[cuda.grid(1) + 1000] = 1

beyond[1, 1](numpy.zeros(4, numpy.int32))
"""


class Kernels(unittest.TestCase):
    def test_add(self):
        x, y = numpy.arange(200.0), numpy.ones(200)
        out = cuda.device_array(200)
        add[4, BLOCK](cuda.to_device(x), cuda.to_device(y), out)
        numpy.testing.assert_array_equal(out.copy_to_host(), x + y)

    def test_functions(self):
        x = numpy.linspace(0.01, 9, 100)
        out = numpy.zeros((100, 6))
        functions[2, BLOCK](x, out)
        exact = numpy.array([[math.sin(v), math.exp(v), v**1.5, math.erf(v), v ** (1 / 3), math.sqrt(v)] for v in x])
        numpy.testing.assert_allclose(out, exact, rtol=1e-15, atol=1e-16)

    def test_shared_memory(self):
        x = numpy.arange(32 * 48, dtype=numpy.float32).reshape(32, 48)
        out = numpy.zeros((48, 32), numpy.float32)
        transpose[(3, 2), (16, 16)](x, out)
        numpy.testing.assert_array_equal(out, x.T)

    def test_atomics(self):
        x = numpy.random.default_rng(1).integers(3, 10, 500).astype(numpy.int32)
        bins, extremes = numpy.zeros(10, numpy.int32), numpy.array([0, 99], numpy.int32)
        histogram[8, BLOCK](x, bins, extremes)
        numpy.testing.assert_array_equal(bins, numpy.bincount(x, minlength=10))
        self.assertEqual(extremes.tolist(), [x.max(), x.min()])

    def test_warps(self):
        out = numpy.zeros((32, 6), numpy.int64)
        warp[1, 32](out)
        for lane in range(32):
            group = 0xFF << (lane // 8 * 8)
            expected = [lane + 3 if lane < 29 else lane, lane ^ 1, 0b11111, 1, group, lane.bit_count()]
            self.assertEqual((out[lane] & 0xFFFFFFFF).tolist(), expected)

    def test_cooperative_launches(self):
        rows = numpy.zeros((6, 128), numpy.int32)
        rows[0] = numpy.arange(128)
        sweep[4, 32](rows)
        for row in range(1, 6):
            numpy.testing.assert_array_equal(rows[row], rows[row - 1][::-1] + 1)

    def test_device_functions(self):
        x = numpy.linspace(-1, 1, 50)
        out = numpy.zeros(50)
        polynomial[1, BLOCK](x, out)
        numpy.testing.assert_allclose(out, x * x - 2 * x + 3)

    def test_random_numbers(self):
        states = create_xoroshiro128p_states(BLOCK, seed=1)
        out = numpy.zeros(BLOCK, numpy.int32)
        monte_carlo[1, BLOCK](states, out)
        self.assertAlmostEqual(4 * out.sum() / (20 * BLOCK), math.pi, delta=0.2)

    def test_vectorize_and_reduce(self):
        numpy.testing.assert_array_equal(hypotenuse(numpy.array([3.0, 5.0]), numpy.array([4.0, 12.0])), [5, 13])
        self.assertEqual(total(numpy.arange(1000.0)), 499500)

    def test_streams_and_events(self):
        stream = cuda.stream()
        begin, end = cuda.event(), cuda.event()
        with stream.auto_synchronize():
            out = cuda.device_array(200, stream=stream)
            begin.record(stream)
            add[4, BLOCK, stream](cuda.to_device(numpy.ones(200), stream), cuda.to_device(numpy.ones(200), stream), out)
            end.record(stream)
        end.synchronize()
        self.assertGreater(cuda.event_elapsed_time(begin, end), 0)
        self.assertEqual(set(out.copy_to_host()), {2.0})


    def test_faults_are_found(self):
        child = subprocess.run([sys.executable, "-c", FAULT], capture_output=True, text=True)
        self.assertNotEqual(child.returncode, 0)
        self.assertRegex(child.stderr, "store of 4 bytes at global address 0x[0-9a-f]+ is out of bounds")
        self.assertIn("[700]", child.stderr)


if __name__ == "__main__":
    unittest.main()
