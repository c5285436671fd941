"""Launches of the kernels of kernels.py: inputs, expected results from NumPy, and how they are compiled."""
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np


@dataclass
class Case:
    name: str
    kernel: str
    arrays: Callable[[], dict[str, np.ndarray]]  # name of the parameter to its contents before the launch
    expected: Callable[[dict[str, np.ndarray]], dict[str, np.ndarray]]  # from those, of the parameters that the kernel writes
    types: dict[str, str]  # Triton's of the parameters that are no constants, in the kernel's order
    scalars: dict[str, Any] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    grid: tuple[int, ...] = (1,)
    warps: int = 4
    stages: int = 3
    tolerance: float = 0.0  # the largest difference allowed
    divisible: tuple[str, ...] = ()  # scalars that the compiler may take for multiples of 16
    capabilities: tuple[int, ...] = (80,)  # what it is compiled for: others where the code differs by more than its name

    def error(self, after):
        """The largest difference between `after`, the arrays once the kernel has run, and the expected results."""
        pairs = [(after[name].astype(np.float64), want.astype(np.float64)) for name, want in self.expected(self.arrays()).items()]
        return max(float(np.abs(got - want).max()) for got, want in pairs)


def random(seed):
    return np.random.default_rng(seed)


def vectors():
    return {"x": random(1).standard_normal(10_000, np.float32), "y": random(2).standard_normal(10_000, np.float32), "out": np.zeros(10_000, np.float32)}


def softmax_of(a):
    powers = np.exp(a["x"].astype(np.float64) - a["x"].max(axis=1, keepdims=True))
    return {"out": powers / powers.sum(axis=1, keepdims=True)}


def norm_arrays():
    r = random(3)
    return {"x": r.standard_normal((24, 500)).astype(np.float16), "weight": r.standard_normal(500, np.float32), "bias": r.standard_normal(500, np.float32),
            "out": np.zeros((24, 500), np.float16)}


def normed(a):
    x = a["x"].astype(np.float64)
    centred = x - x.mean(axis=1, keepdims=True)
    return {"out": centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5) * a["weight"] + a["bias"]}


def matrices(kind, m, n, k, out=np.float32):
    def arrays():
        r = random(4)
        return {"a": r.standard_normal((m, k)).astype(kind), "b": r.standard_normal((k, n)).astype(kind), "c": np.zeros((m, n), out)}
    return arrays


def product(a):
    return {"c": a["a"].astype(np.float64) @ a["b"].astype(np.float64)}


def matmul(name, kind, m, n, k, tile, **more):
    bm, bn, bk = tile
    triton_kind = {np.float16: "*fp16", np.float32: "*fp32"}[kind]
    return Case(name, "matmul", matrices(kind, m, n, k), product,
                {"a": triton_kind, "b": triton_kind, "c": "*fp32", **{of: "i32" for of in ("M", "N", "K", "stride_a", "stride_b", "stride_c")}},
                {"M": m, "N": n, "K": k, "stride_a": k, "stride_b": n, "stride_c": n},
                {"BM": bm, "BN": bn, "BK": bk, "PRECISION": more.pop("precision", "ieee")}, (-(-m // bm) * -(-n // bn),), **more)


def bytes_matrices():
    r = random(5)
    return {"a": r.integers(-128, 128, (64, 128), np.int8), "b": r.integers(-128, 128, (128, 64), np.int8), "c": np.zeros((64, 64), np.int32)}


def heads():
    r = random(6)
    return {**{name: r.standard_normal((2, 128, 64)).astype(np.float16) for name in "qkv"}, "out": np.zeros((2, 128, 64), np.float16)}


SCALE = 0.125 * 1.44269504  # 1 / sqrt(64), and base 2 for exp2


def attended(a):
    q, k, v = (a[name].astype(np.float64) for name in "qkv")
    scores = q @ k.transpose(0, 2, 1) * SCALE * np.log(2)
    scores[:, np.triu(np.ones((128, 128), bool), 1)] = -np.inf
    powers = np.exp(scores - scores.max(axis=2, keepdims=True))
    return {"out": powers / powers.sum(axis=2, keepdims=True) @ v}


def activated(a):
    from math import erf
    x = a["x"].astype(np.float64)
    gelu = 0.5 * x * (1 + np.vectorize(erf)(x / np.sqrt(2)))
    return {"out": gelu + 1 / (1 + np.exp(-x)) + np.sin(x) * np.cos(x) + np.tanh(x) + np.log(1 + x * x)}


def philox(seed, offsets):
    """The first word of Philox-4x32-10, key (seed, 0), counter (offset, 0, 0, 0)."""
    c = [offsets.astype(np.uint64), *(np.zeros_like(offsets, np.uint64) for _ in range(3))]
    key, low = [seed & 0xFFFFFFFF, seed >> 32], np.uint64(0xFFFFFFFF)
    for _ in range(10):
        p, q = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(q >> np.uint64(32)) ^ c[1] ^ np.uint64(key[0]), q & low, (p >> np.uint64(32)) ^ c[3] ^ np.uint64(key[1]), p & low]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c[0].astype(np.uint32)


def uniform(words):
    """Triton's way from a word to [0, 1): its absolute value (of the complement, if negative), times 2**-31 and a little less."""
    signed = words.view(np.int32)
    return np.where(signed < 0, -signed.astype(np.int64) - 1, signed).astype(np.float32) * np.float32(4.6566127342e-10)


def kept(a):
    return {"out": np.where(uniform(philox(12345, np.arange(4000))) > 0.25, a["x"], 0)}


CASES = [
    Case("add", "add", vectors, lambda a: {"out": a["x"] + a["y"]}, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}, {"n": 10_000}, {"BLOCK": 1024}, (10,),
         divisible=("n",)),
    Case("add-any-length", "add", vectors, lambda a: {"out": np.where(np.arange(10_000) < 9_777, a["x"] + a["y"], 0)},
         {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}, {"n": 9_777}, {"BLOCK": 512}, (20,), warps=8),
    Case("softmax", "softmax", lambda: {"x": random(7).standard_normal((32, 781), np.float32) * 4, "out": np.zeros((32, 781), np.float32)}, softmax_of,
         {"x": "*fp32", "out": "*fp32", "columns": "i32"}, {"columns": 781}, {"BLOCK": 1024}, (32,), tolerance=1e-6),
    Case("layer-norm", "layer_norm", norm_arrays, normed, {"x": "*fp16", "weight": "*fp32", "bias": "*fp32", "out": "*fp16", "columns": "i32", "epsilon": "fp32"},
         {"columns": 500, "epsilon": 1e-5}, {"BLOCK": 512}, (24,), tolerance=0.01),
    matmul("matmul-f16", np.float16, 128, 128, 96, (64, 64, 32), divisible=("stride_a", "stride_b", "stride_c"), tolerance=1e-3, capabilities=(75, 80, 90)),
    matmul("matmul-f16-edges", np.float16, 100, 72, 50, (32, 64, 16), warps=2, stages=2, tolerance=1e-3, capabilities=(75, 80)),
    matmul("matmul-f16-wide", np.float16, 128, 256, 128, (128, 128, 64), divisible=("stride_a", "stride_b", "stride_c", "K"), warps=8, stages=4, tolerance=1e-3,
           capabilities=(80, 90)),
    matmul("matmul-f32", np.float32, 64, 64, 64, (32, 32, 32), tolerance=1e-4, capabilities=(75, 80)),
    matmul("matmul-tf32", np.float32, 128, 64, 64, (64, 64, 32), precision="tf32", divisible=("stride_a", "stride_b", "stride_c"), tolerance=0.05, capabilities=(80, 90)),
    matmul("matmul-tf32x3", np.float32, 64, 64, 64, (64, 64, 32), precision="tf32x3", tolerance=1e-4, capabilities=(80, 90)),
    Case("matmul-i8", "matmul_i8", bytes_matrices, lambda a: {"c": a["a"].astype(np.int32) @ a["b"].astype(np.int32)},
         {"a": "*i8", "b": "*i8", "c": "*i32", "K": "i32"}, {"K": 128}, {"BM": 32, "BN": 32, "BK": 32, "N": 64}, (2, 2), divisible=("K",)),
    Case("attention", "attention", heads, attended, {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp16", "scale": "fp32"}, {"scale": SCALE},
         {"LENGTH": 128, "D": 64, "BM": 64, "BN": 32}, (2, 2), tolerance=0.005, capabilities=(75, 80, 90)),
    Case("column-sums", "column_sums", lambda: {"x": random(8).integers(-99, 99, (300, 200)).astype(np.int32), "out": np.zeros(200, np.int32)},
         lambda a: {"out": a["x"].sum(axis=0)}, {"x": "*i32", "out": "*i32", "rows": "i32", "columns": "i32"}, {"rows": 300, "columns": 200}, {"BR": 64, "BC": 32}, (5, 7)),
    Case("running-sums", "running_sums", lambda: {"x": random(9).integers(-99, 99, (16, 700)).astype(np.int32), "out": np.zeros((16, 700), np.int32)},
         lambda a: {"out": np.cumsum(a["x"], axis=1)}, {"x": "*i32", "out": "*i32", "columns": "i32"}, {"columns": 700}, {"BLOCK": 1024}, (16,)),
    Case("sort-rows", "sort_rows", lambda: {"x": random(10).standard_normal((8, 512), np.float32), "out": np.zeros((8, 512), np.float32)},
         lambda a: {"out": np.sort(a["x"], axis=1)}, {"x": "*fp32", "out": "*fp32"}, {}, {"COLUMNS": 512}, (8,)),
    Case("largest-places", "largest_places", lambda: {"x": random(11).standard_normal((32, 900), np.float32), "out": np.zeros(32, np.int32)},
         lambda a: {"out": a["x"].argmax(axis=1)}, {"x": "*fp32", "out": "*i32", "columns": "i32"}, {"columns": 900}, {"BLOCK": 1024}, (32,)),
    Case("counts", "counts", lambda: {"x": random(12).integers(0, 64, 5000).astype(np.int32), "out": np.zeros(64, np.int32)},
         lambda a: {"out": np.bincount(a["x"], minlength=64)}, {"x": "*i32", "out": "*i32", "n": "i32"}, {"n": 5000}, {"BLOCK": 1024, "BINS": 64}, (5,)),
    Case("turned", "turned", lambda: {"x": random(13).standard_normal((64, 32), np.float32), "out": np.zeros((32, 64), np.float32)}, lambda a: {"out": a["x"].T},
         {"x": "*fp32", "out": "*fp32"}, {}, {"ROWS": 64, "COLUMNS": 32}),
    Case("activations", "activations", lambda: {"x": random(14).standard_normal(4000, np.float32) * 2, "out": np.zeros(4000, np.float32)}, activated,
         {"x": "*fp32", "out": "*fp32", "n": "i32"}, {"n": 4000}, {"BLOCK": 512}, (8,), tolerance=1e-5),
    Case("dropped", "dropped", lambda: {"x": random(15).standard_normal(4000, np.float32), "out": np.zeros(4000, np.float32)}, kept,
         {"x": "*fp32", "out": "*fp32", "n": "i32", "seed": "i32"}, {"n": 4000, "seed": 12345}, {"BLOCK": 512}, (8,)),
    Case("gathered", "gathered", lambda: {"table": random(16).standard_normal((50, 128)).astype(np.float16), "places": random(17).integers(0, 50, 40), "out": np.zeros((40, 128), np.float16)},
         lambda a: {"out": a["table"][a["places"]]}, {"table": "*fp16", "places": "*i64", "out": "*fp16"}, {}, {"WIDTH": 128}, (40,), warps=1),
    Case("claimed", "claimed", lambda: {"owner": np.zeros(512, np.int32), "out": np.zeros(2, np.int32)},
         lambda a: {"owner": np.ones(512, np.int32), "out": np.array([512, 2047])}, {"owner": "*i32", "out": "*i32", "n": "i32"}, {"n": 2048}, {"BLOCK": 256}, (8,), capabilities=(75, 80)),
]
