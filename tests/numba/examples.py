"""The examples of Numba's own documentation of CUDA, and further programs among its tests."""

import unittest

from numba import cuda

EXAMPLES = [
    "doc_examples." + name
    for name in (
        "test_cg test_cpu_gpu_compat test_laplace test_matmul test_montecarlo test_random test_reduction test_sessionize test_vecadd".split()
    )
] + ["cudapy." + name for name in "test_blackscholes test_laplace test_mandel test_montecarlo test_reduction test_nondet".split()]

assert cuda.is_available(), cuda.cuda_error()
found = unittest.defaultTestLoader.loadTestsFromNames("numba.cuda.tests." + name for name in EXAMPLES)
result = unittest.TextTestRunner(verbosity=2).run(found)
assert result.wasSuccessful() and not result.skipped and result.testsRun >= len(EXAMPLES)
