"""Integer arithmetic, logic, shifts, bit fields and carry chains (PTX ISA, Integer Arithmetic, Extended Precision, Logic and Shift)."""
from . import values
from .case import Case
from .values import bits_of, clamp, columns, integer_tuples, interpret, is_signed, limits

SIGNED = ["s16", "s32", "s64"]
UNSIGNED = ["u16", "u32", "u64"]


def file_name(form):
    return form.replace(".", "-").replace("::", "-").replace(" ", "-")


def operation(form, types, result_type, function, rows=None, body=None, version="7.0"):
    """A case for `form` whose operands have the given types; `function` maps operand integers to the result."""
    rows = rows if rows is not None else mixed_rows(form, types)
    operands = ", ".join(f"%x{index}" for index in range(len(types)))
    expected = [function(*(interpret(t, v) for t, v in zip(types, row))) for row in rows]
    return Case(file_name(form), form, body or f"{form} %y0, {operands};", list(zip(types, columns(rows))), [(result_type, expected)],
                version=version)


def mixed_rows(form, types):
    widths = [bits_of(t) for t in types]
    rows = integer_tuples(form, max(widths), len(types))
    return [tuple(v & ((1 << w) - 1) for v, w in zip(row, widths)) for row in rows]


def wide(type_name):
    return type_name[0] + str(2 * bits_of(type_name))


def truncated_quotient(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def divisible(type_name, rows):
    """Division by zero and the one quotient that does not fit are unspecified."""
    lowest = limits(type_name)[0]
    def defined(row):
        a, b = (interpret(type_name, v) for v in row)
        return b != 0 and not (b == -1 and a == lowest)
    return [row for row in rows if defined(row)]


def arithmetic():
    for t in SIGNED + UNSIGNED:
        width = bits_of(t)
        yield operation(f"add.{t}", [t, t], t, lambda a, b: a + b)
        yield operation(f"sub.{t}", [t, t], t, lambda a, b: a - b)
        yield operation(f"mul.lo.{t}", [t, t], t, lambda a, b: a * b)
        yield operation(f"mul.hi.{t}", [t, t], t, lambda a, b, w=width: (a * b) >> w)
        yield operation(f"mad.lo.{t}", [t, t, t], t, lambda a, b, c: a * b + c)
        yield operation(f"mad.hi.{t}", [t, t, t], t, lambda a, b, c, w=width: ((a * b) >> w) + c)
        if width < 64:
            yield operation(f"mul.wide.{t}", [t, t], wide(t), lambda a, b: a * b)
            yield operation(f"mad.wide.{t}", [t, t, wide(t)], wide(t), lambda a, b, c: a * b + c)
        rows = divisible(t, integer_tuples(f"div.{t}", width, 2, 80))
        yield operation(f"div.{t}", [t, t], t, truncated_quotient, rows)
        yield operation(f"rem.{t}", [t, t], t, lambda a, b: a - b * truncated_quotient(a, b), rows)
        yield operation(f"min.{t}", [t, t], t, min)
        yield operation(f"max.{t}", [t, t], t, max)
        yield operation(f"sad.{t}", [t, t, t], t, lambda a, b, c: c + abs(a - b))
    for t in SIGNED:
        yield operation(f"abs.{t}", [t], t, abs)
        yield operation(f"neg.{t}", [t], t, lambda a: -a)
    low, high = limits("s32")
    yield operation("add.sat.s32", ["s32", "s32"], "s32", lambda a, b: clamp(a + b, low, high))
    yield operation("sub.sat.s32", ["s32", "s32"], "s32", lambda a, b: clamp(a - b, low, high))
    yield operation("mad.hi.sat.s32", ["s32", "s32", "s32"], "s32", lambda a, b, c: clamp(((a * b) >> 32) + c, low, high))
    yield operation("add.s32 immediate", ["s32"], "s32", lambda a: a - 77, body="add.s32 %y0, %x0, -77;")
    yield operation("sub.s64 immediate", ["s64"], "s64", lambda a: 0x123456789abc - a, body="sub.s64 %y0, 0x123456789abc, %x0;")


def low24(type_name, value):
    return interpret(type_name[0] + "24", value)


def multiply24():
    low, high = limits("s32")
    for t in ("s32", "u32"):
        def product(a, b, t=t):
            return low24(t, a) * low24(t, b)
        yield operation(f"mul24.lo.{t}", [t, t], t, product)
        yield operation(f"mul24.hi.{t}", [t, t], t, lambda a, b: product(a, b) >> 16)
        yield operation(f"mad24.lo.{t}", [t, t, t], t, lambda a, b, c: product(a, b) + c)
        yield operation(f"mad24.hi.{t}", [t, t, t], t, lambda a, b, c: (product(a, b) >> 16) + c)
    yield operation("mad24.hi.sat.s32", ["s32", "s32", "s32"], "s32",
                    lambda a, b, c: clamp((low24("s32", a) * low24("s32", b) >> 16) + c, low, high))


def dot_products():
    def byte(type_name, word, index):
        return interpret(type_name[0] + "8", word >> (8 * index))

    def half(type_name, word, index):
        return interpret(type_name[0] + "16", word >> (16 * index))

    for a in ("s32", "u32"):
        for b in ("s32", "u32"):
            result = "s32" if "s32" in (a, b) else "u32"
            def four(x, y, c, a=a, b=b):
                return c + sum(byte(a, x, i) * byte(b, y, i) for i in range(4))
            yield operation(f"dp4a.{a}.{b}", [a, b, result], result, four)
            for mode, first in (("lo", 0), ("hi", 2)):
                def two(x, y, c, a=a, b=b, first=first):
                    return c + sum(half(a, x, i) * byte(b, y, first + i) for i in range(2))
                yield operation(f"dp2a.{mode}.{a}.{b}", [a, b, result], result, two)


def highest_bit(type_name, value, shift):
    width = bits_of(type_name)
    pattern = ~value if is_signed(type_name) and value < 0 else value
    if pattern == 0:
        return -1
    position = pattern.bit_length() - 1
    return width - 1 - position if shift else position


def counting():
    for t in ("b32", "b64"):
        width = bits_of(t)
        yield operation(f"popc.{t}", [t], "u32", lambda a: bin(a).count("1"))
        yield operation(f"clz.{t}", [t], "u32", lambda a, w=width: w - a.bit_length())
        yield operation(f"brev.{t}", [t], t, lambda a, w=width: int(f"{a:0{w}b}"[::-1], 2))
    for t in ("s32", "u32", "s64", "u64"):
        yield operation(f"bfind.{t}", [t], "u32", lambda a, t=t: highest_bit(t, a, False))
        yield operation(f"bfind.shiftamt.{t}", [t], "u32", lambda a, t=t: highest_bit(t, a, True))
    for t in ("b16", "b32", "b64"):
        yield operation(f"cnot.{t}", [t], t, lambda a: int(a == 0))


def extract(type_name, value, position, length):
    """bfe as the manual defines it: bits beyond the top of the value repeat the sign bit of the field."""
    width = bits_of(type_name)
    position, length = position & 0xff, length & 0xff
    if length == 0:
        return 0
    pattern = value & ((1 << width) - 1)
    last = min(position + length - 1, width - 1)
    sign = is_signed(type_name) and (pattern >> last) & 1
    result = 0
    for index in range(width):
        inside = index < length and position + index < width
        bit = (pattern >> (position + index)) & 1 if inside else sign
        result |= bit << index
    return result


def insert(width, field, base, position, length):
    position, length = position & 0xff, length & 0xff
    result = base
    for index in range(length):
        if position + index >= width:
            break
        target = 1 << (position + index)
        result = result | target if (field >> index) & 1 else result & ~target
    return result


def field_rows(name, width, arity, extreme=255):
    rng = values.generator(name)
    edge = [0, 1, width // 2, width - 1, width, width + 1, extreme]
    rows = integer_tuples(name, width, arity)
    return [row + (rng.choice(edge) if rng.random() < 0.3 else rng.randrange(width), rng.choice(edge) if rng.random() < 0.3 else
                   rng.randrange(width)) for row in rows]


def bit_fields():
    for t in ("s32", "u32", "s64", "u64"):
        width = bits_of(t)
        yield operation(f"bfe.{t}", [t, "u32", "u32"], t, lambda a, p, n, t=t: extract(t, a, p, n), field_rows("bfe", width, 1))
    for t in ("b32", "b64"):
        width = bits_of(t)
        yield operation(f"bfi.{t}", [t, t, "u32", "u32"], t, lambda a, b, p, n, w=width: insert(w, a, b, p, n),
                        field_rows("bfi", width, 2))
    rows = field_rows("bmsk", 32, 0)
    def bit_mask(position, length, clamped):
        if clamped:
            position, length = min(position, 32), min(length, 32)
        else:
            position, length = position & 31, length & 31
        return ((1 << length) - 1) << position
    yield operation("bmsk.clamp.b32", ["u32", "u32"], "b32", lambda p, n: bit_mask(p, n, True), rows, version="7.6")
    yield operation("bmsk.wrap.b32", ["u32", "u32"], "b32", lambda p, n: bit_mask(p, n, False), rows, version="7.6")


def extension():
    rows = [(row[0], row[1]) for row in field_rows("szext", 32, 1)]
    for mode in ("clamp", "wrap"):
        for t in ("s32", "u32"):
            def extend(a, n, t=t, mode=mode):
                length = min(n, 32) if mode == "clamp" else n & 31
                return interpret(t[0] + str(length), a) if length else 0
            yield operation(f"szext.{mode}.{t}", [t, "u32"], t, extend, rows, version="7.6")


def logic():
    for t in ("b16", "b32", "b64"):
        yield operation(f"and.{t}", [t, t], t, lambda a, b: a & b)
        yield operation(f"or.{t}", [t, t], t, lambda a, b: a | b)
        yield operation(f"xor.{t}", [t, t], t, lambda a, b: a ^ b)
        yield operation(f"not.{t}", [t], t, lambda a: ~a)
    for table in (0x00, 0x1a, 0x40, 0x80, 0x96, 0xca, 0xe8, 0xfe):
        def look_up(a, b, c, table=table):
            result = 0
            for bit in range(32):
                index = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1)
                result |= (table >> index & 1) << bit
            return result
        case = operation("lop3.b32", ["b32"] * 3, "b32", look_up, body=f"lop3.b32 %y0, %x0, %x1, %x2, {table:#04x};")
        case.name, case.form = f"lop3-b32-{table:02x}", f"lop3.b32 with table {table:#04x}"
        yield case


def shift_rows(name, width):
    rng = values.generator(name)
    amounts = [0, 1, width // 2, width - 1, width, width + 1, 255, 0xffffffff]
    return [(row[0], rng.choice(amounts) if rng.random() < 0.4 else rng.randrange(width)) for row in integer_tuples(name, width, 1)]


def shifts():
    for t in ("b16", "b32", "b64"):
        width = bits_of(t)
        yield operation(f"shl.{t}", [t, "u32"], t, lambda a, n, w=width: a << min(n, w), shift_rows("shl" + t, width))
    for t in ("b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64"):
        width = bits_of(t)
        yield operation(f"shr.{t}", [t, "u32"], t, lambda a, n, w=width: a >> min(n, w), shift_rows("shr" + t, width))
    for direction in ("l", "r"):
        for mode in ("clamp", "wrap"):
            def funnel(low, high, n, direction=direction, mode=mode):
                n = min(n, 32) if mode == "clamp" else n & 31
                both = high << 32 | low
                return both << n >> 32 if direction == "l" else both >> n
            rows = [row + (amount[1],) for row, amount in zip(integer_tuples("shf", 32, 2), shift_rows("shf", 32))]
            yield operation(f"shf.{direction}.{mode}.b32", ["b32", "b32", "u32"], "b32", funnel, rows)


def permute(a, b, selector):
    source = b << 32 | a
    result = 0
    for index in range(4):
        control = selector >> (4 * index) & 0xf
        byte = source >> (8 * (control & 7)) & 0xff
        if control & 8:
            byte = 0xff if byte & 0x80 else 0
        result |= byte << (8 * index)
    return result


# Bytes selected for result bytes 3, 2, 1, 0, by the low bits of the selector (PTX ISA, prmt).
PERMUTE_MODES = {
    "f4e": ["3210", "4321", "5432", "6543"],
    "b4e": ["5670", "6701", "7012", "0123"],
    "rc8": ["0000", "1111", "2222", "3333"],
    "ecl": ["3210", "3211", "3222", "3333"],
    "ecr": ["0000", "1110", "2210", "3210"],
    "rc16": ["1010", "3232", "1010", "3232"],
}


def permutations():
    yield operation("prmt.b32", ["b32"] * 3, "b32", permute)
    for mode, tables in PERMUTE_MODES.items():
        def by_mode(a, b, selector, tables=tables):
            return permute(a, b, int(tables[selector & 3], 16))
        yield operation(f"prmt.b32.{mode}", ["b32"] * 3, "b32", by_mode)


def chain(name, form, body, ins, outs, registers=""):
    return Case(name, form, body, ins, outs, registers=registers)


def carry_chains():
    rows = integer_tuples("carry", 64, 2)
    halves = [(a & 0xffffffff, a >> 32, b & 0xffffffff, b >> 32) for a, b in rows]
    ins = [("u32", column) for column in columns(halves)]
    sums = [a + b for a, b in rows]
    differences = [a - b for a, b in rows]
    for t in ("u32", "s32"):
        yield chain(f"add-cc-{t}", f"add.cc.{t}, addc.cc.{t}, addc.{t}: 64-bit sum and its carry",
                    f"add.cc.{t} %y0, %x0, %x2;\naddc.cc.{t} %y1, %x1, %x3;\naddc.{t} %y2, 0, 0;", ins,
                    [("u32", sums), ("u32", [s >> 32 for s in sums]), ("u32", [s >> 64 for s in sums])])
        yield chain(f"sub-cc-{t}", f"sub.cc.{t}, subc.cc.{t}, subc.{t}: 64-bit difference and its borrow",
                    f"sub.cc.{t} %y0, %x0, %x2;\nsubc.cc.{t} %y1, %x1, %x3;\nsubc.{t} %y2, 0, 0;", ins,
                    [("u32", differences), ("u32", [d >> 32 for d in differences]), ("u32", [-int(d < 0) for d in differences])])
    wide_rows = integer_tuples("carry64", 64, 4)
    pairs = [((b << 64) | a, (d << 64) | c) for a, b, c, d in wide_rows]
    wide_ins = [("u64", column) for column in columns(wide_rows)]
    yield chain("add-cc-u64", "add.cc.u64, addc.u64: 128-bit sum", "add.cc.u64 %y0, %x0, %x2;\naddc.u64 %y1, %x1, %x3;", wide_ins,
                [("u64", [x + y for x, y in pairs]), ("u64", [(x + y) >> 64 for x, y in pairs])])
    yield chain("sub-cc-u64", "sub.cc.u64, subc.u64: 128-bit difference", "sub.cc.u64 %y0, %x0, %x2;\nsubc.u64 %y1, %x1, %x3;", wide_ins,
                [("u64", [x - y for x, y in pairs]), ("u64", [(x - y) >> 64 for x, y in pairs])])
    yield from long_multiply()
    yield from multiply_chains("u32")
    yield from multiply_chains("u64")


def long_multiply():
    """The product of two 64-bit numbers in four 32-bit words, as compilers expand it."""
    rows = integer_tuples("long multiply", 64, 2)
    words = [(a & 0xffffffff, a >> 32, b & 0xffffffff, b >> 32) for a, b in rows]
    body = ("mul.lo.u32 %y0, %x0, %x2;\nmul.hi.u32 %y1, %x0, %x2;\n"
            "mad.lo.cc.u32 %y1, %x0, %x3, %y1;\nmadc.hi.u32 %y2, %x0, %x3, 0;\n"
            "mad.lo.cc.u32 %y1, %x1, %x2, %y1;\nmadc.hi.cc.u32 %y2, %x1, %x2, %y2;\naddc.u32 %y3, 0, 0;\n"
            "mad.lo.cc.u32 %y2, %x1, %x3, %y2;\nmadc.hi.u32 %y3, %x1, %x3, %y3;")
    yield Case("madc-hi-u32-long", "madc.hi.u32, madc.hi.cc.u32 in a 64 x 64 bit product", body, [("u32", column) for column in columns(words)],
               [("u32", [a * b >> (32 * i) for a, b in rows]) for i in range(4)])
    # Row by row, the carry of each word going into the next through madc.lo.cc.
    body = ("mul.lo.u32 %y0, %x0, %x2;\nmul.hi.u32 %h, %x0, %x2;\nmul.lo.u32 %l, %x1, %x3;\nmul.hi.u32 %y3, %x1, %x3;\n"
            "mad.lo.cc.u32 %y1, %x0, %x3, %h;\nmadc.hi.cc.u32 %y2, %x0, %x3, %l;\naddc.u32 %y3, %y3, 0;\n"
            "mad.lo.cc.u32 %y1, %x1, %x2, %y1;\nmadc.hi.cc.u32 %y2, %x1, %x2, %y2;\nmadc.lo.cc.u32 %y3, %x0, 0, %y3;")
    yield Case("madc-lo-cc-u32-long", "madc.lo.cc.u32 at the end of a 64 x 64 bit product", body, [("u32", column) for column in columns(words)],
               [("u32", [a * b >> (32 * i) for a, b in rows]) for i in range(4)], registers=".reg .b32 %h, %l;")


def multiply_chains(t):
    """a * b + c over two words of product and addend, with the carries through mad.lo.cc and madc.hi.cc."""
    width = bits_of(t)
    rows = integer_tuples("madc" + t, width, 4)
    totals = [a * b + (d << width | c) for a, b, c, d in rows]
    yield chain(f"mad-cc-{t}", f"mad.lo.cc.{t}, madc.hi.cc.{t}, addc.{t}: double-width multiply-add and its carry",
                f"mad.lo.cc.{t} %y0, %x0, %x1, %x2;\nmadc.hi.cc.{t} %y1, %x0, %x1, %x3;\naddc.{t} %y2, 0, 0;",
                [(t, column) for column in columns(rows)],
                [(t, totals), (t, [x >> width for x in totals]), (t, [x >> (2 * width) for x in totals])])
    high_sums = [((a * b) >> width) + c for a, b, c, d in rows]
    finals = [(((a * b) & ((1 << width) - 1)) + d + (h >> width)) for (a, b, c, d), h in zip(rows, high_sums)]
    yield chain(f"mad-hi-cc-{t}", f"mad.hi.cc.{t}, madc.lo.{t}", f"mad.hi.cc.{t} %y0, %x0, %x1, %x2;\nmadc.lo.{t} %y1, %x0, %x1, %x3;",
                [(t, column) for column in columns(rows)], [(t, high_sums), (t, finals)])


def predicates():
    """Logic on predicates, from comparisons with zero."""
    rows = integer_tuples("pred", 32, 2)
    rows = [(a & 1, b & 1) for a, b in rows[:32]]
    ins = [("u32", column) for column in columns(rows)]
    set_up = "setp.ne.u32 %p0, %x0, 0;\nsetp.ne.u32 %p1, %x1, 0;\n"
    for form, function in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)):
        yield Case(f"{form}-pred", f"{form}.pred", f"{set_up}{form}.pred %p2, %p0, %p1;\nselp.u32 %y0, 1, 0, %p2;", ins,
                   [("u32", [function(a, b) for a, b in rows])], registers=".reg .pred %p<3>;")
    yield Case("not-pred", "not.pred, mov.pred", f"{set_up}not.pred %p2, %p0;\nmov.pred %p3, %p2;\nselp.u32 %y0, 1, 0, %p3;", ins,
               [("u32", [1 - a for a, b in rows])], registers=".reg .pred %p<4>;")


def cases():
    for family in (arithmetic, multiply24, dot_products, counting, bit_fields, extension, logic, shifts, permutations, carry_chains,
                   predicates):
        yield from family()
