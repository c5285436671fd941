"""Kernels that Triton emitted (ptx/, by kernels.py) give the results of cases.py."""
import json
import pathlib
import unittest

import numpy
import warpwright

from cases import CASES

PTX = pathlib.Path(__file__).parent / "ptx"
LAUNCHES = json.loads((PTX / "launches.json").read_text())
CASE = {case.name: case for case in CASES}


def parameters_of(text, name):
    """How many parameters the entry has: those behind the source's are scratch memory, which no case uses."""
    head = text[text.index(f".entry {name}("):]
    return head[:head.index(")")].count(".param")


def arguments_of(case, arrays, count):
    given = [arrays[name] if name in arrays else numpy.float32(case.scalars[name]) if case.types[name] == "fp32" else case.scalars[name] for name in case.types]
    return given + [0] * (count - len(given))


def error_of(name, machine, **options):
    launch, text = LAUNCHES[name], (PTX / f"{name}.ptx").read_text()
    case = CASE[launch["case"]]
    gpu = warpwright.Simulator(machine, **options)
    gpu.load_ptx(text)
    arrays = {array: gpu.array(value) for array, value in case.arrays().items()}
    gpu.launch(launch["kernel"], case.grid, 32 * launch["warps"], *arguments_of(case, arrays, parameters_of(text, launch["kernel"])), shared_bytes=launch["shared"])
    return case.error({array: value.get() for array, value in arrays.items()}), case.tolerance


class TritonKernels(unittest.TestCase):
    def right(self, machine, names, **options):
        self.assertTrue(names)
        for name in names:
            with self.subTest(name, machine=machine):
                error, tolerance = error_of(name, machine, **options)
                self.assertLessEqual(error, tolerance)

    def test_functionally_without_races(self):
        self.right("h100", sorted(LAUNCHES), timed=False, checks=["races", "uninitialised"])

    def test_timed(self):
        self.right("h100", sorted(LAUNCHES))

    def test_each_case_was_compiled_as_it_says(self):
        self.assertEqual(set(LAUNCHES), {f"{case.name}.sm_{capability}" for case in CASES for capability in case.capabilities})


if __name__ == "__main__":
    unittest.main()
