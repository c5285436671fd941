"""mma.sync: fragments in registers, of every shape and type (PTX ISA, "Multiply-and-Accumulate Instruction: mma"). Factors are chosen such
that every order of additions gives the same sums."""
import operator
import re

from . import matrix, values
from .case import Case, Column
from .integer import file_name

INTEGER = {"version": "7.0", "target": "sm_80"}
SINCE = {"f16": INTEGER, "bf16": INTEGER, "tf32": INTEGER, "b1": {"version": "7.1", "target": "sm_80"},
         "e4m3": {"version": "8.7", "target": "sm_89"}, "e5m2": {"version": "8.7", "target": "sm_89"}}


def per_lane(base, column, count, size):
    """Statements that leave in %p where the lane's registers lie in a column at an offset of a buffer."""
    return [f"mad.wide.u32 %p, %t, {count * size}, %{base};", f"add.u64 %p, %p, {column};"]


def transfer(operation, base, name, t, count, offset):
    size = 8 if t == "f64" else 4
    lines = per_lane(base, offset, count, size)
    for i in range(count):
        at, register = f"[%p+{i * size}]", f"%{name}{i}"
        operands = f"{register}, {at}" if operation == "ld" else f"{at}, {register}"
        lines.append(f"{operation}.global.{matrix.register_type(t)} {operands};")
    return lines


def multiplication(name, form, types, registers, columns, expected, where, warp=32):
    """A case of one instruction d, a, b, c on fragments that lie in columns of the buffers."""
    d, a, b, c = types
    inputs = [Column(matrix.column_type(t), column) for t, column in zip((a, b, c), columns)]
    offset, body = 0, []
    for letter, t, column in zip("abc", (a, b, c), inputs):
        body += transfer("ld", "in", letter, t, registers[letter], offset)
        offset += column.bytes()
    operands = ", ".join(matrix.vector(letter, registers[letter]) for letter in "dabc")
    body.append(f"{form} {operands};")
    body += transfer("st", "out", "d", d, registers["d"], 0)
    declarations = "\n".join(f".reg .{matrix.register_type(t)} %{letter}<{registers[letter]}>;" for letter, t in zip("dabc", types))
    return Case(name, form, "\n".join(body), inputs, [Column(matrix.column_type(d), expected)], declarations, threads=32, raw=True,
                warp=warp, **where)


def count_of(t, elements):
    return max(1, elements * matrix.BITS[t] // max(32, matrix.BITS[t]))


def sums_of(shape):
    m = int(re.match(r"m(\d+)", shape).group(1))
    return (4, matrix.accumulator) if m == 16 else (2, matrix.short_accumulator)


def dimensions(shape):
    return tuple(map(int, re.match(r"m(\d+)n(\d+)k(\d+)", shape).groups()))


def in_groups(shape, types, modifier="", suffix="", where=None, multiply=operator.mul, near_limits=False):
    d, a, b, c = types
    m, n, k = dimensions(shape)
    form = f"mma.sync.aligned.{shape}.row.col.{modifier}{d}.{a}.{b}.{c}{suffix}"
    rng = values.generator(form)
    elements_a, layout_a, elements_b, layout_b = matrix.LAYOUTS[shape, matrix.BITS[a]]
    elements_c, layout_c = sums_of(shape)
    first, second = matrix.random_matrix(rng, a, m, k), matrix.random_matrix(rng, b, k, n)
    third = matrix.random_sums(rng, c, m, n)
    if near_limits:
        third = [[rng.choice([-2**31, 2**31 - 1, 2**31 - 5000, 0]) for _ in range(n)] for _ in range(m)]
    result = matrix.product(first, second, third, multiply)
    if modifier == "satfinite.":
        result = [[values.clamp(int(x), -2**31, 2**31 - 1) for x in row] for row in result]
    registers = {"a": count_of(a, elements_a), "b": count_of(b, elements_b), "c": count_of(c, elements_c), "d": count_of(d, elements_c)}
    columns = [matrix.words(a, first, elements_a, layout_a), matrix.words(b, second, elements_b, layout_b),
               matrix.words(c, third, elements_c, layout_c)]
    name = file_name(form) + ("-at-the-limits" if near_limits else "")
    return multiplication(name, form, types, registers, columns, matrix.words(d, result, elements_c, layout_c),
                          where or SINCE.get(a, INTEGER))


def floating():
    for shape in ("m16n8k8", "m16n8k16"):
        yield in_groups(shape, ("f16", "f16", "f16", "f16"))
        yield in_groups(shape, ("f32", "f16", "f16", "f32"))
        yield in_groups(shape, ("f32", "bf16", "bf16", "f32"))
    for shape in ("m16n8k4", "m16n8k8"):
        yield in_groups(shape, ("f32", "tf32", "tf32", "f32"))
    yield in_groups("m8n8k4", ("f64",) * 4)
    for shape in ("m16n8k4", "m16n8k8", "m16n8k16"):
        yield in_groups(shape, ("f64",) * 4, where={"version": "7.8", "target": "sm_90"})
    for shape in ("m16n8k16", "m16n8k32"):
        for a in ("e4m3", "e5m2"):
            for b in ("e4m3", "e5m2"):
                for sum_ in ("f16", "f32"):
                    yield in_groups(shape, (sum_, a, b, sum_))


def integers():
    for shape, pair in (("m8n8k16", ("s8", "u8")), ("m16n8k16", ("s8", "u8")), ("m16n8k32", ("s8", "u8")),
                        ("m8n8k32", ("s4", "u4")), ("m16n8k32", ("s4", "u4")), ("m16n8k64", ("s4", "u4"))):
        for a in pair:
            for b in pair:
                yield in_groups(shape, ("s32", a, b, "s32"))
                yield in_groups(shape, ("s32", a, b, "s32"), "satfinite.", near_limits=True)
        yield in_groups(shape, ("s32", *pair, "s32"), near_limits=True)  # without .satfinite sums wrap


def bits():
    for shape in ("m8n8k128", "m16n8k128", "m16n8k256"):
        for name, multiply in (("xor", operator.xor), ("and", operator.and_)):
            yield in_groups(shape, ("s32", "b1", "b1", "s32"), suffix=f".{name}.popc", multiply=multiply)


def special_numbers():
    """Infinities and NaNs in the first row of A."""
    for t, infinity, nan, one in (("f16", 0x7c00, 0x7e00, 0x3c00), ("bf16", 0x7f80, 0x7fc0, 0x3f80)):
        form = f"mma.sync.aligned.m16n8k8.row.col.f32.{t}.{t}.f32"
        # Row 0 starts with an infinity, row 1 with a NaN, row 2 with both infinities; everything else is 1.
        specials = {(0, 0): infinity, (1, 0): nan, (2, 0): infinity, (2, 1): infinity | 0x8000}
        elements_a, layout_a, elements_b, _ = matrix.LAYOUTS["m16n8k8", 16]
        first = [specials.get(layout_a(lane, i), one) for lane in matrix.LANES for i in range(elements_a)]
        joined = [high << 16 | low for low, high in zip(first[0::2], first[1::2])]
        expected = []
        for lane in matrix.LANES:
            for i in range(4):
                row, _ = matrix.accumulator(lane, i)
                expected.append({0: 0x7f800000, 1: "nan", 2: "nan"}.get(row, 0x41000000))  # 8
        case = multiplication(f"mma-m16n8k8-{t}-special-numbers", form, ("f32", t, t, "f32"), {"a": 2, "b": 1, "c": 4, "d": 4},
                              [joined, [one << 16 | one] * 32, [0] * 128], expected, INTEGER)
        case.outs[0].type = "f32"
        yield case


# m8n8k4 of f16: lanes 4q … 4q+3 and 16+4q … 16+4q+3 hold the q-th of four independent products.
def quad(lane):
    return lane % 16 // 4


def high(lane):
    return 0 if lane < 16 else 4


def quad_pairs():
    for layout_a in ("row", "col"):
        for layout_b in ("row", "col"):
            for d, c in (("f16", "f16"), ("f32", "f16"), ("f32", "f32")):
                yield quad_pair(layout_a, layout_b, d, c)


def quad_pair(layout_a, layout_b, d, c):
    form = f"mma.sync.aligned.m8n8k4.{layout_a}.{layout_b}.{d}.f16.f16.{c}"
    rng = values.generator(form)
    first = [matrix.random_matrix(rng, "f16", 8, 4) for _ in range(4)]
    second = [matrix.random_matrix(rng, "f16", 4, 8) for _ in range(4)]
    third = [matrix.random_sums(rng, c, 8, 8) for _ in range(4)]
    result = [matrix.product(*factors) for factors in zip(first, second, third)]

    def place_a(lane, i):
        return (lane % 4 + high(lane), i) if layout_a == "row" else (i % 4 + high(lane), lane % 4)

    def place_b(lane, i):
        return (lane % 4, i + high(lane)) if layout_b == "row" else (i, lane % 4 + high(lane))

    def place_sum(t):
        if t == "f16":
            return lambda lane, i: (lane % 4 + high(lane), i)
        return lambda lane, i: ((lane & 1) + (i & 2) + high(lane), (i & 4) + (lane & 2) + (i & 1))

    def gathered(t, matrices, count, layout):
        each = count_of(t, count)
        by_quad = [matrix.words(t, m, count, layout) for m in matrices]
        return [by_quad[quad(lane)][lane * each + i] for lane in matrix.LANES for i in range(each)]

    registers = {"a": 2, "b": 2, "c": count_of(c, 8), "d": count_of(d, 8)}
    columns = [gathered("f16", first, 4, place_a), gathered("f16", second, 4, place_b), gathered(c, third, 8, place_sum(c))]
    return multiplication(file_name(form), form, (d, "f16", "f16", c), registers, columns, gathered(d, result, 8, place_sum(d)),
                          {"version": "6.4", "target": "sm_75"})


def cases():
    for family in (floating, integers, bits, special_numbers, quad_pairs):
        yield from family()
