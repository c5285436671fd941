#!/usr/bin/env python3
"""Kernels in Triton, and what Triton's compiler makes of them.

usage: kernels.py FOLDER [--run]     writes FOLDER/NAME.sm_NN.ptx and FOLDER/launches.json; with --run, launches each case on a GPU too and says
                                     how far its results are from the expected ones

Needs Triton (written with 3.6). The tests need neither: they run the files in `ptx`, which this program wrote, on the inputs of cases.py.
"""
import json
import sys
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.language.extra import libdevice

from cases import CASES


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + at, mask=at < columns, other=float("-inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * columns + at, powers / tl.sum(powers, axis=0), mask=at < columns)


@triton.jit
def layer_norm(x, weight, bias, out, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(values, axis=0) / columns
    centred = tl.where(inside, values - mean, 0.0)
    scale = tl.rsqrt(tl.sum(centred * centred, axis=0) / columns + epsilon)
    result = centred * scale * tl.load(weight + at, mask=inside, other=0.0) + tl.load(bias + at, mask=inside, other=0.0)
    tl.store(out + row * columns + at, result.to(tl.float16), mask=inside)


@triton.jit
def matmul(a, b, c, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr):
    across = tl.cdiv(N, BN)
    rows = (tl.program_id(0) // across) * BM + tl.arange(0, BM)
    columns = (tl.program_id(0) % across) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    a_at = a + rows[:, None] * stride_a + inner[None, :]
    b_at = b + inner[:, None] * stride_b + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        a_tile = tl.load(a_at, mask=(rows[:, None] < M) & (inner[None, :] + k < K), other=0.0)
        b_tile = tl.load(b_at, mask=(columns[None, :] < N) & (inner[:, None] + k < K), other=0.0)
        total = tl.dot(a_tile, b_tile, total, input_precision=PRECISION)
        a_at += BK
        b_at += BK * stride_b
    tl.store(c + rows[:, None] * stride_c + columns[None, :], total.to(c.dtype.element_ty), mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def matmul_i8(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, N: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=tl.int32)
    for k in range(0, K, BK):
        inner = k + tl.arange(0, BK)
        total += tl.dot(tl.load(a + rows[:, None] * K + inner[None, :]), tl.load(b + inner[:, None] * N + columns[None, :]), out_dtype=tl.int32)
    tl.store(c + rows[:, None] * N + columns[None, :], total)


@triton.jit
def attention(q, k, v, out, scale, LENGTH: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(1) * LENGTH * D
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    depth = tl.arange(0, D)
    query = tl.load(q + head + rows[:, None] * D + depth[None, :])
    highest = tl.full((BM,), float("-inf"), dtype=tl.float32)
    weight = tl.zeros((BM,), dtype=tl.float32)
    total = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, LENGTH, BN):
        columns = start + tl.arange(0, BN)
        keys = tl.load(k + head + columns[None, :] * D + depth[:, None])
        scores = tl.dot(query, keys) * scale
        scores = tl.where(rows[:, None] >= columns[None, :], scores, float("-inf"))
        higher = tl.maximum(highest, tl.max(scores, axis=1))
        powers = tl.exp2(scores - higher[:, None])
        correction = tl.exp2(highest - higher)
        weight = weight * correction + tl.sum(powers, axis=1)
        total = total * correction[:, None]
        total = tl.dot(powers.to(tl.float16), tl.load(v + head + columns[:, None] * D + depth[None, :]), total)
        highest = higher
    tl.store(out + head + rows[:, None] * D + depth[None, :], (total / weight[:, None]).to(tl.float16))


@triton.jit
def column_sums(x, out, rows, columns, BR: tl.constexpr, BC: tl.constexpr):
    r = tl.program_id(0) * BR + tl.arange(0, BR)
    c = tl.program_id(1) * BC + tl.arange(0, BC)
    inside = (r[:, None] < rows) & (c[None, :] < columns)
    values = tl.load(x + r[:, None] * columns + c[None, :], mask=inside, other=0)
    tl.atomic_add(out + c, tl.sum(values, axis=0), mask=c < columns)


@triton.jit
def running_sums(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    tl.store(out + row * columns + at, tl.cumsum(tl.load(x + row * columns + at, mask=at < columns, other=0), axis=0), mask=at < columns)


@triton.jit
def sort_rows(x, out, COLUMNS: tl.constexpr):
    at = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    tl.store(out + at, tl.sort(tl.load(x + at)))


@triton.jit
def largest_places(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    tl.store(out + row, tl.argmax(tl.load(x + row * columns + at, mask=at < columns, other=float("-inf")), axis=0))


@triton.jit
def counts(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    found = tl.histogram(tl.load(x + at, mask=at < n, other=0), BINS, mask=at < n)
    tl.atomic_add(out + tl.arange(0, BINS), found)


@triton.jit
def turned(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    r = tl.arange(0, ROWS)
    c = tl.arange(0, COLUMNS)
    tile = tl.load(x + r[:, None] * COLUMNS + c[None, :])
    tl.store(out + c[:, None] * ROWS + r[None, :], tl.trans(tile))


@triton.jit
def activations(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    values = tl.load(x + at, mask=inside)
    gelu = 0.5 * values * (1.0 + tl.erf(values * 0.7071067811865476))
    tl.store(out + at, gelu + tl.sigmoid(values) + tl.sin(values) * tl.cos(values) + libdevice.tanh(values) + tl.log(1.0 + values * values), mask=inside)


@triton.jit
def dropped(x, out, n, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, at) > 0.25
    tl.store(out + at, tl.where(keep, tl.load(x + at, mask=at < n), 0.0), mask=at < n)


@triton.jit
def gathered(table, places, out, WIDTH: tl.constexpr):
    row = tl.load(places + tl.program_id(0))
    at = tl.arange(0, WIDTH)
    tl.store(out + tl.program_id(0) * WIDTH + at, tl.load(table + row * WIDTH + at))


@triton.jit
def claimed(owner, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    place = owner + at // 4
    before = tl.atomic_cas(place, tl.zeros((BLOCK,), dtype=tl.int32), tl.full((BLOCK,), 1, dtype=tl.int32))
    tl.atomic_add(out, tl.sum((before == 0).to(tl.int32), axis=0))
    tl.atomic_max(out + 1, tl.max(at, axis=0))


def compiled(case, capability):
    kernel = globals()[case.kernel]
    signature = {name: case.types.get(name, "constexpr") for name in kernel.arg_names}
    divisible = {(place,): [["tt.divisibility", 16]] for place, name in enumerate(kernel.arg_names) if signature[name].startswith("*") or name in case.divisible}
    source = ASTSource(fn=kernel, signature=signature, constexprs=case.constants, attrs=divisible)
    return triton.compile(source, target=GPUTarget("cuda", capability, 32), options={"num_warps": case.warps, "num_stages": case.stages})


def without_debug(ptx):
    """Without the sections for debuggers, which are most of the text, and the path of this file."""
    return ptx.split("\t.section\t.debug", 1)[0].replace(str(Path(__file__).resolve().parent), "tests/triton")


def run_on_gpu(case):
    import torch
    arrays = {name: torch.from_numpy(value.copy()).cuda() for name, value in case.arrays().items()}
    arguments = {**arrays, **case.scalars, **case.constants}
    globals()[case.kernel][case.grid](**arguments, num_warps=case.warps, num_stages=case.stages)
    return case.error({name: value.cpu().numpy() for name, value in arrays.items()})


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    launches = {}
    for case in CASES:
        for capability in case.capabilities:
            try:
                made = compiled(case, capability)
            except Exception as error:
                print(f"{case.name} for sm_{capability}: {str(error).splitlines()[:1]}", flush=True)
                continue
            name = f"{case.name}.sm_{capability}"
            (folder / f"{name}.ptx").write_text(without_debug(made.asm["ptx"]))
            launches[name] = {"case": case.name, "kernel": made.metadata.name, "shared": made.metadata.shared, "warps": made.metadata.num_warps}
        if "--run" in sys.argv:
            try:
                print(f"{case.name} on the GPU: largest error {run_on_gpu(case):g}, allowed {case.tolerance:g}", flush=True)
            except Exception as error:
                print(f"{case.name} on the GPU: {error}", flush=True)
    (folder / "launches.json").write_text(json.dumps(launches, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
