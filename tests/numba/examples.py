"""The examples of Numba's own documentation of CUDA, as Numba's tests have them."""

import unittest

from numba import cuda
from numba.cuda.tests import doc_examples

assert cuda.is_available(), cuda.cuda_error()
found = unittest.defaultTestLoader.discover(doc_examples.__path__[0], top_level_dir=doc_examples.__path__[0].rsplit("/numba/", 1)[0])
result = unittest.TextTestRunner(verbosity=2).run(found)
# One needs NVIDIA's own Python binding.
ran = result.testsRun - len(result.skipped)
assert result.wasSuccessful() and ran >= 9, f"{ran} examples ran"
