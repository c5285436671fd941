"""Matrices as the warp-level matrix instructions hold them: the encodings of their elements, exact products, and which element lies where
in the registers of which lane (PTX ISA, "Matrix Fragments for mma.m…n…k…", written out shape by shape)."""
from fractions import Fraction

from . import ieee, narrow, values

LANES = range(32)
BITS = {"b1": 1, "s4": 4, "u4": 4, "s8": 8, "u8": 8, "e4m3": 8, "e5m2": 8, "f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "s32": 32, "f64": 64}
FLOATING = {"f16": ieee.F16, "bf16": narrow.BF16, "f32": ieee.F32, "f64": ieee.F64}
SMALL = {"e4m3": narrow.E4M3, "e5m2": narrow.E5M2}


def encode(t, value):
    """The bits of a number that the type holds exactly."""
    if t in FLOATING:
        return FLOATING[t].round(Fraction(value))
    if t == "tf32":
        return narrow.TF32.round(Fraction(value)) << 13
    if t in SMALL:
        return SMALL[t].encode(ieee.F32.round(Fraction(value)), False)
    return int(value) & (1 << BITS[t]) - 1


def fresh(rng, t):
    """A factor whose products and their sums are exact in every order, also in f16."""
    if t == "b1":
        return rng.getrandbits(1)
    if t[0] in "su":
        low, high = values.limits(t)
        return rng.choice([low, high, rng.randint(low, high), rng.randint(low, high)])
    return Fraction(rng.randint(-4, 4), 4) if t in SMALL else Fraction(rng.randint(-8, 8), 4)


def random_matrix(rng, t, rows, columns):
    return [[fresh(rng, t) for _ in range(columns)] for _ in range(rows)]


def random_sums(rng, t, rows, columns):
    limit = 10**6 if t == "s32" else 64
    scale = 1 if t == "s32" else 4
    return [[Fraction(rng.randint(-limit, limit), scale) for _ in range(columns)] for _ in range(rows)]


def product(a, b, c, multiply=lambda x, y: x * y):
    return [[c[i][j] + sum(multiply(a[i][k], b[k][j]) for k in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]


def group(lane):
    return lane >> 2


def place(lane):
    return lane % 4


def upper(lane, condition):
    return group(lane) if condition else group(lane) + 8


def accumulator(lane, i):
    return upper(lane, i < 2), place(lane) * 2 + (i & 1)


def short_accumulator(lane, i):
    return group(lane), place(lane) * 2 + (i & 1)


# Per shape and width of the factors: elements of A and of B in a lane, and where each lies.
LAYOUTS = {
    ("m16n8k8", 16): (4, lambda l, i: (upper(l, i < 2), place(l) * 2 + (i & 1)),
                      2, lambda l, i: (place(l) * 2 + i, group(l))),
    ("m16n8k16", 16): (8, lambda l, i: (upper(l, i < 2 or 4 <= i < 6), place(l) * 2 + (i & 1) + (8 if i >= 4 else 0)),
                       4, lambda l, i: (place(l) * 2 + (i & 1) + (8 if i >= 2 else 0), group(l))),
    ("m16n8k4", 32): (2, lambda l, i: (upper(l, i == 0), place(l)), 1, lambda l, i: (place(l), group(l))),
    ("m16n8k8", 32): (4, lambda l, i: (upper(l, i in (0, 2)), place(l) + (4 if i >= 2 else 0)),
                      2, lambda l, i: (place(l) + (4 if i == 1 else 0), group(l))),
    ("m8n8k4", 64): (1, lambda l, i: (group(l), place(l)), 1, lambda l, i: (place(l), group(l))),
    ("m16n8k4", 64): (2, lambda l, i: (upper(l, i == 0), place(l)), 1, lambda l, i: (place(l), group(l))),
    ("m16n8k8", 64): (4, lambda l, i: (upper(l, i in (0, 2)), place(l) + (4 if i >= 2 else 0)),
                      2, lambda l, i: (place(l) + (4 if i == 1 else 0), group(l))),
    ("m16n8k16", 64): (8, lambda l, i: (upper(l, i % 2 == 0), (i * 2 if i % 2 == 0 else i * 2 - 2) + place(l)),
                       4, lambda l, i: (place(l) + i * 4, group(l))),
    ("m8n8k16", 8): (4, lambda l, i: (group(l), place(l) * 4 + i), 4, lambda l, i: (place(l) * 4 + i, group(l))),
    ("m16n8k16", 8): (8, lambda l, i: (upper(l, i < 4), place(l) * 4 + (i & 3)), 4, lambda l, i: (place(l) * 4 + i, group(l))),
    ("m16n8k32", 8): (16, lambda l, i: (upper(l, i < 4 or 8 <= i < 12), place(l) * 4 + (i & 3) + (16 if i >= 8 else 0)),
                      8, lambda l, i: (place(l) * 4 + (i & 3) + (16 if i >= 4 else 0), group(l))),
    ("m8n8k32", 4): (8, lambda l, i: (group(l), place(l) * 8 + i), 8, lambda l, i: (place(l) * 8 + i, group(l))),
    ("m16n8k32", 4): (16, lambda l, i: (upper(l, i < 8), place(l) * 8 + (i & 7)), 8, lambda l, i: (place(l) * 8 + i, group(l))),
    ("m16n8k64", 4): (32, lambda l, i: (upper(l, i < 8 or 16 <= i < 24), place(l) * 8 + (i & 7) + (32 if i >= 16 else 0)),
                      16, lambda l, i: (place(l) * 8 + (i & 7) + (32 if i >= 8 else 0), group(l))),
    ("m8n8k128", 1): (32, lambda l, i: (group(l), place(l) * 32 + i), 32, lambda l, i: (place(l) * 32 + i, group(l))),
    ("m16n8k128", 1): (64, lambda l, i: (upper(l, i < 32), place(l) * 32 + (i & 31)), 32, lambda l, i: (place(l) * 32 + i, group(l))),
    ("m16n8k256", 1): (128, lambda l, i: (upper(l, i < 32 or 64 <= i < 96), place(l) * 32 + (i & 31) + (128 if i >= 64 else 0)),
                       64, lambda l, i: (place(l) * 32 + (i & 31) + (128 if i >= 32 else 0), group(l))),
}


def words(t, matrix, count, layout):
    """The registers of all lanes, lane after lane: 32 bits each, or 64 of an f64."""
    width = max(32, BITS[t])
    packed = width // BITS[t]
    result = []
    for lane in LANES:
        elements = []
        for i in range(count):
            row, column = layout(lane, i)
            elements.append(encode(t, matrix[row][column]))
        for first in range(0, count, packed):
            result.append(sum(bits << BITS[t] * n for n, bits in enumerate(elements[first:first + packed])))
    return result


def register_type(t):
    return "f64" if t == "f64" else "f32" if t == "f32" else "b32"


def column_type(t):
    return "b64" if t == "f64" else "b32"


def vector(name, count):
    return "{" + ", ".join(f"%{name}{i}" for i in range(count)) + "}"
