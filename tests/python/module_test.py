"""The module as its users have it."""

import contextlib
import functools
import io
import os
import pathlib
import signal
import tempfile
import threading
import unittest
import warnings

import numpy
import warpwright
from warpwright import Error, KernelWarning, Machine, Simulator

SOURCE = r"""
#include <cstdio>
__constant__ float factor = 2;
__device__ int table[2][3];
struct Pair { int first; double second; };
__global__ void scale(float* x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by * factor;
}
__global__ void pick(Pair pair, double* out, unsigned char small, long long large) {
  out[0] = pair.first; out[1] = pair.second; out[2] = small; out[3] = large;
}
__global__ void append(int* list, int number) { list[list[0]++ + 1] = number; }
__global__ void race(int* at) { *at = threadIdx.x; }
__global__ void hello(int x) { printf("hello %d\n", x); }
__global__ void work(volatile int* x, int steps) { for (int i = 0; i < steps; ++i) x[threadIdx.x] += i; }
__global__ void fillTable() { table[threadIdx.y][threadIdx.x] = threadIdx.y * 10 + threadIdx.x; }
"""


def functional(**options):
    return loaded(Simulator("gtx480", timed=False, **options))


@functools.cache
def ptx():
    return warpwright.compile_cuda(SOURCE, "kernels.cu")


def loaded(gpu):
    gpu.load_ptx(ptx(), "kernels.cu")
    return gpu


class Arrays(unittest.TestCase):
    def test_go_in_and_out(self):
        gpu = functional()
        for dtype in ("int8", "uint16", "float16", "float64", "complex64", [("a", "i4"), ("b", "f8")]):
            values = numpy.zeros((3, 4), dtype)
            values.view(numpy.uint8)[...] = numpy.arange(values.nbytes, dtype=numpy.uint8).reshape(3, -1)
            self.assertEqual(gpu.array(values).get().tobytes(), values.tobytes())
        self.assertEqual(gpu.array(numpy.arange(6).reshape(2, 3).T).get().tolist(), [[0, 3], [1, 4], [2, 5]])
        self.assertEqual(gpu.zeros((2, 2), "int32").get().tolist(), [[0, 0], [0, 0]])
        self.assertEqual(gpu.empty(0).get().shape, (0,))
        self.assertEqual(gpu.array(3.5).get().shape, ())
        device = gpu.empty((2, 3), "int16")
        device.set([1, 2, 3])
        self.assertEqual(numpy.asarray(device).tolist(), [[1, 2, 3], [1, 2, 3]])
        self.assertEqual((len(device), device.size, device.nbytes), (2, 6, 12))
        device.free()
        with self.assertRaisesRegex(Error, "was freed before"):
            device.free()
        with self.assertRaisesRegex(TypeError, "Python objects"):
            gpu.array([None])

    def test_are_lent_to_launches(self):
        gpu = functional()
        x = numpy.arange(8, dtype=numpy.float32)
        every_other = x[::2]
        gpu.launch("scale", 1, 32, every_other, 1, 4)
        self.assertEqual(x.tolist(), [0, 1, 4, 3, 8, 5, 12, 7])
        x.setflags(write=False)
        gpu.launch("scale", 1, 32, x, 5, 8)
        self.assertEqual(x[2], 4)
        with self.assertRaisesRegex(Error, "cannot be copied back"):
            gpu.launch("scale", 1, 32, x, 1, 4, stream=gpu.stream())

    def test_are_variables(self):
        gpu = functional()
        self.assertEqual(gpu.symbol("factor", "float32").get().tolist(), [2])
        gpu.symbol("factor", "float32").set(10)
        x = gpu.array([1, 2], "float32")
        gpu.launch("scale", 1, 32, x, 0.5, 2)
        self.assertEqual(x.get().tolist(), [5, 10])
        gpu.launch("fillTable", 1, (3, 2))
        self.assertEqual(gpu.symbol("table", "int32", (2, 3)).get().tolist(), [[0, 1, 2], [10, 11, 12]])
        with self.assertRaisesRegex(Error, "did you mean 'table'"):
            gpu.symbol("tabel", "int32")
        with self.assertRaisesRegex(Error, "has 24 bytes"):
            gpu.symbol("table", "int32", (2, 2))


class Launches(unittest.TestCase):
    def test_take_what_parameters_are(self):
        gpu = functional()
        pair = numpy.zeros((), numpy.dtype([("first", "i4"), ("second", "f8")], align=True))
        pair["first"], pair["second"] = -7, 2.5
        out = numpy.zeros(4)
        gpu.launch("pick", 1, 1, pair[()], out, 255, -(2**40))
        self.assertEqual(out.tolist(), [-7, 2.5, 255, -(2**40)])
        gpu.launch("pick", 1, 1, pair.tobytes(), out, numpy.uint8(3), True)
        self.assertEqual(out.tolist(), [-7, 2.5, 3, 1])
        for wrong, message in (
            ((out, 256, 0), "int too big"),
            ((out, 1.5, 0), "1.5 is no value for it"),
            ((out, numpy.int32(1), 0), "has 4 bytes, the parameter 1"),
            ((out, 1), "takes 4 arguments, not 3"),
        ):
            with self.assertRaisesRegex(Error, message):
                gpu.launch("pick", 1, 1, pair[()], *wrong)

    def test_name_what_is_wrong(self):
        gpu = functional()
        x = gpu.zeros(4)
        with self.assertRaisesRegex(Error, r"out of bounds(.|\n)*kernels.cu:8(.|\n)*remedy"):
            gpu.launch("scale", 2, 256, x, 1, 500)
        with self.assertRaisesRegex(Error, "there is no kernel 'scal'"):
            gpu.launch("scal", 1, 1)
        with self.assertRaisesRegex(Error, "no size of a grid"):
            gpu.launch("scale", (1, 1, 1, 1), 1, x, 1, 1)
        with self.assertRaisesRegex(Error, "broken.cu:1:28: error: use of undeclared"):
            gpu.load_cuda("__global__ void broken() { x = 1; }", "broken.cu")
        with self.assertRaisesRegex(Error, "bad.ptx"):
            gpu.load_ptx(".version nonsense", "bad.ptx")
        self.assertTrue(issubclass(Error, RuntimeError))

    def test_have_the_elements_that_the_source_declares(self):
        gpu = functional()
        for wrong in (numpy.ones(3), numpy.ones(3, "int32"), numpy.ones(3, "float16")):
            with self.assertRaisesRegex(Error, f"array of {wrong.dtype}, and the parameter a 'float\\*'"):
                gpu.launch("scale", 1, 32, wrong, 2.0, 3)
            with self.assertRaisesRegex(Error, "astype"):
                gpu.launch("scale", 1, 32, gpu.array(wrong), 2.0, 3)
        values = numpy.ones(3, "float32")
        gpu.launch("scale", 1, 32, values.view("uint8"), 2.0, 3)
        gpu.launch("append", 1, 1, gpu.array(numpy.zeros(9, "uint32")), 5)
        numpy.testing.assert_array_equal(values, [4, 4, 4])

    def test_load_files(self):
        gpu = Simulator("gtx480", timed=False)
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "twice.cu")
            source.write_text('extern "C" __global__ void twice(int* x) { x[threadIdx.x] *= N; }')
            gpu.load(source, ["-DN=2"])
            ptx = pathlib.Path(folder, "stop.ptx")
            ptx.write_text(".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry stop() { ret; }")
            gpu.load(ptx)
        self.assertEqual(gpu.kernels(), ["twice", "stop"])
        gpu.launch("stop", 1, 1)
        kernel = gpu.kernel("twice")
        self.assertEqual((len(kernel.parameters), kernel.parameters[0].bytes, kernel.shared_bytes), (1, 8, 0))

    def test_wait_in_streams(self):
        gpu = functional()
        numbers = gpu.zeros(4, "int32")
        stream = gpu.stream()
        for number in (5, 6):
            gpu.launch("append", 1, 1, numbers, number, stream=stream)
        self.assertEqual(gpu.nanoseconds, 0)
        gpu.synchronize()
        self.assertGreater(gpu.nanoseconds, 0)
        self.assertEqual(numbers.get().tolist(), [2, 5, 6, 0])

    def test_print_and_warn(self):
        gpu = functional(checks=["synchronisation", "races"], stop_on_fault=False)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            gpu.launch("hello", 1, 1, 7)
        self.assertEqual(printed.getvalue(), "hello 7\n")
        with self.assertRaisesRegex(Error, "race in global memory"):
            gpu.launch("race", 1, 64, gpu.zeros(1, "int32"))
        with self.assertWarnsRegex(KernelWarning, "out of bounds"):
            gpu.launch("scale", 1, 32, gpu.zeros(4), 1, 5)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            gpu.launch("scale", 1, 32, gpu.zeros(4), 1, 4)
        with self.assertWarnsRegex(UserWarning, "unused variable"):
            gpu.load_cuda("__global__ void odd() { int unused; }", options=["-Wall"])

    def test_end_with_ctrl_c(self):
        gpu = functional()
        x = gpu.zeros(32, "int32")
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            gpu.launch("work", 1, 32, x, 2_000_000_000)
        gpu.launch("work", 1, 32, x, 2)


class Statistics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.series = pathlib.Path(cls.folder.name, "series.csv")
        cls.gpu = loaded(Simulator("gtx480", lines=True, energy="40nm", series=cls.series, trace_interval=100))
        cls.gpu.launch("scale", 2, 64, numpy.ones(128, numpy.float32), 1, 128)
        cls.gpu.launch("scale", 1, 32, numpy.ones(128, numpy.float32), 1, 128)
        cls.gpu.launch("fillTable", 1, (3, 2))
        cls.gpu.write_traces()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_are_dictionaries(self):
        kernels = self.gpu.statistics["kernels"]
        self.assertEqual([each["launches"] for each in kernels], [2, 1])
        cycles = kernels[0]["timing"]["counters"]["cycles"]
        self.assertGreater(cycles, 100)
        self.assertEqual(self.gpu.statistic("scale", "timing.counters.cycles"), cycles)
        self.assertGreater(self.gpu.statistic("scale", "timing.energy.total.value"), 0)
        self.assertIsNone(functional().statistic("scale", "threads"))

    def test_must_be_spelt_right(self):
        with self.assertRaisesRegex(Error, "did you mean 'timing.counters.cycles'"):
            self.gpu.statistic("scale", "timing.counter.cycles")
        with self.assertRaisesRegex(Error, "did you mean 'timing.counters.cycles'"):
            self.gpu.frame("timing.counter.cycles")
        self.assertIn("timing.counters.cycles", warpwright.statistic_names())

    def test_are_frames(self):
        frame = self.gpu.frame("threads", "timing.counters.cycles")
        self.assertEqual(list(frame.columns), ["threads", "timing.counters.cycles"])
        self.assertEqual(frame["threads"].to_dict(), {"scale(float*, float, int)": 160, "fillTable()": 6})
        self.assertGreater(len(self.gpu.frame().columns), 500)
        launches = self.gpu.launches()
        self.assertEqual(launches["grid"].to_dict(), {1: "2x1x1", 2: "1x1x1", 3: "1x1x1"})
        self.assertEqual(launches["counters.cycles"].sum(), frame["timing.counters.cycles"].sum())
        lines = self.gpu.lines()
        file = lines.index[0][1]
        row = lines.loc[("scale(float*, float, int)", file, 8)]
        self.assertEqual(row["counters.global.loads.requests"], 5)
        self.assertTrue(any(name.startswith("timing.") for name in lines.columns))
        self.assertTrue(functional().lines().empty)
        self.assertTrue(functional().launches().empty)

    def test_are_plotted(self):
        shares = warpwright.plot.slot_shares(self.gpu)
        self.assertEqual(len(shares), 2)
        for total in shares.sum(axis=1):
            self.assertAlmostEqual(total, 1)
        axes = warpwright.plot.stalls(self.gpu)
        self.assertEqual(len(axes.patches), shares.size)
        self.assertEqual(len(warpwright.plot.bars(self.gpu.frame("threads")).patches), 2)
        self.assertEqual(len(warpwright.plot.series(self.series, "warp_ipc", "thread_ipc").lines), 2)
        with self.assertRaisesRegex(Error, "there is no column 'ipc'"):
            warpwright.plot.series(self.series, "ipc")
        with self.assertRaisesRegex(Error, "simulate with time"):
            warpwright.plot.stalls(functional())


class Machines(unittest.TestCase):
    def test_are_objects(self):
        self.assertIn("gtx480", warpwright.machines())
        machine = Machine("gtx480", {"l1d.ways": 8})
        self.assertEqual(machine["l1d.ways"], 8)
        self.assertEqual(machine.replace({"sm.warps": 32})["l1d.ways"], 8)
        self.assertEqual(Simulator(machine, timed=False).machine, machine.text)
        self.assertEqual(repr(machine), "Machine('gtx480', {'l1d.ways': 8})")
        self.assertIn("l1d.ways", machine)
        self.assertEqual(warpwright.machine_keys()["l1d.ways"].unit, "ways")
        for wrong in ({"l1d.way": 8}, {"l1d.ways": 1000}, {"l1d.ways": True}):
            with self.assertRaises(Error):
                machine.replace(wrong)

    def test_have_mechanisms(self):
        mechanism = warpwright.mechanisms()["affine-tags"]
        self.assertTrue(mechanism.text and mechanism.paper)
        machine = Machine("gtx480").add(mechanism)
        self.assertEqual(machine.mechanisms, ["affine-tags"])
        gpu = loaded(Simulator(machine))
        gpu.launch("fillTable", 1, (3, 2))
        self.assertIn("affine_tags", gpu.statistics["kernels"][0]["mechanisms"])
        with self.assertRaisesRegex(Error, "did you mean 'avc'"):
            Machine("gtx480").add("avx")

    def test_have_settings(self):
        avc = warpwright.mechanisms()["avc"]
        name, setting = next((each for each in avc.settings.items() if each[1].default.isdigit()))
        machine = Machine("fermi-avc-32").add("avc", {name: setting.default})
        self.assertEqual(machine[f"mechanism.avc.{name}"], int(setting.default))
        self.assertTrue(avc.counts)


class Packages(unittest.TestCase):
    def test_that_are_missing_are_named(self):
        from warpwright._optional import require

        with self.assertRaisesRegex(ImportError, "apt-get install python3-nothing"):
            require("no_such_module", "python3-nothing")


if __name__ == "__main__":
    unittest.main()
