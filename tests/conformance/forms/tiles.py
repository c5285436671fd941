"""wmma: matrices in memory, loaded, multiplied and stored (PTX ISA, "Matrix Data-types", "wmma.load", "wmma.store", "wmma.mma"); and the
moves of 8x8 matrices: ldmatrix, stmatrix, movmatrix. Which lane holds what in a fragment of wmma is the machine's own business, so that
only whole operations are tested."""
import itertools
import operator
from fractions import Fraction

from . import ieee, matrix, values
from .case import Case, Column
from .integer import file_name
from .tensor import dimensions

LAYOUTS = ("row", "col")
UNTOUCHED = 0xa5


def registers_of(shape, t, part):
    """Registers of a fragment: 8 of f16 factors always; otherwise what the elements fill."""
    m, n, k = dimensions(shape)
    if t == "f16":
        return 8 if part in "ab" else 4
    elements = {"a": m * k, "b": k * n, "c": m * n, "d": m * n}[part] // 32
    return max(1, elements * matrix.BITS[t] // max(32, matrix.BITS[t]))


def memory_type(t):
    return f"b{max(8, matrix.BITS[t])}"


def extents(shape, part, layout):
    """Rows, columns and the length of a line in memory."""
    m, n, k = dimensions(shape)
    rows, columns = {"a": (m, k), "b": (k, n), "c": (m, n), "d": (m, n)}[part]
    return rows, columns, columns if layout == "row" else rows


def stored(t, content, layout, stride, fill):
    """A matrix in memory: lines `stride` elements apart, `fill` bytes between them; elements below a byte share one, low bits first."""
    rows, columns = len(content), len(content[0])
    lines, length = (rows, columns) if layout == "row" else (columns, rows)
    bits = matrix.BITS[t]
    packed = max(1, 8 // bits)
    gap = int.from_bytes(bytes([fill]) * max(1, bits // 8), "little")
    result = []
    for line in range(lines):
        elements = [matrix.encode(t, content[line][i] if layout == "row" else content[i][line]) for i in range(length)]
        for first in range(0, length, packed):
            result.append(sum(e << bits * n for n, e in enumerate(elements[first:first + packed])))
        if line + 1 < lines:
            result += [gap] * ((stride - length) // packed)
    return result


def into_shared(offset, size):
    """Copies bytes of the input to the start of shared memory, and leaves its address in %s."""
    lines = ["mov.u32 %s, tile;", "shl.b32 %w, %t, 2;", "add.u32 %w, %w, %s;", f"mad.wide.u32 %p, %t, 4, %in;"]
    for first in range(0, size, 128):
        guard = [] if first + 128 <= size else [f"setp.lt.u32 %c, %t, {(size - first) // 4};"]
        at = "@%c " if guard else ""
        lines += guard + [f"{at}ld.global.b32 %v, [%p+{offset + first}];", f"{at}st.shared.b32 [%w+{first}], %v;"]
    return lines + ["bar.sync 0;"]


def declaration(t, letter, count):
    return f".reg .{matrix.register_type(t)} %{letter}<{count}>;"


def gap_of(t):
    """Elements of padding that keep every line at a multiple of 16 bytes."""
    return 128 // matrix.BITS[t]


class Tile:
    """One operand of a multiplication: its matrix, and how it lies in memory."""

    def __init__(self, part, shape, t, layout, content, padded):
        self.part, self.shape, self.type, self.layout, self.content = part, shape, t, layout, content
        self.length = extents(shape, part, layout)[2]
        self.stride = self.length + (gap_of(t) if padded else 0)
        self.padded = padded

    def column(self, fill=0):
        return Column(memory_type(self.type), stored(self.type, self.content, self.layout, self.stride, fill))

    def access(self, space, address):
        verb = "store" if self.part == "d" else "load"
        registers = matrix.vector(self.part, registers_of(self.shape, self.type, self.part))
        stride = f", {self.stride}" if self.padded else ""
        at = f"[{address}]{stride}"
        operands = f"{at.replace(stride, '')}, {registers}{stride}" if verb == "store" else f"{registers}, {at}"
        return f"wmma.{verb}.{self.part}.sync.aligned.{self.layout}.{self.shape}.{space}.{self.type} {operands};"


def multiplication(index, shape, types, layouts, operation="", suffix="", multiply=operator.mul, near_limits=False, where=None):
    d, a, b, c = types
    m, n, k = dimensions(shape)
    named = f"{d}.{c}" if a == "f16" else f"{d}.{a}.{b}.{c}"
    form = f"wmma.mma{operation}.sync.aligned.{layouts[0]}.{layouts[1]}.{shape}.{named}{suffix}"
    rng = values.generator(form)
    first, second = matrix.random_matrix(rng, a, m, k), matrix.random_matrix(rng, b, k, n)
    third = matrix.random_sums(rng, c, m, n)
    if near_limits:
        third = [[rng.choice([-2**31, 2**31 - 1, 2**31 - 5000, 0]) for _ in range(n)] for _ in range(m)]
    result = matrix.product(first, second, third, multiply)
    if suffix == ".satfinite":
        result = [[values.clamp(int(x), -2**31, 2**31 - 1) for x in row] for row in result]
    padded = index % 2 == 1
    tiles = [Tile("a", shape, a, layouts[0], first, padded), Tile("b", shape, b, layouts[1], second, padded),
             Tile("c", shape, c, LAYOUTS[index % 2], third, padded), Tile("d", shape, d, LAYOUTS[index // 2 % 2], result, padded)]
    return tiled_case(file_name(form), form, tiles, shared=index % 3 == 0, where=where)


def tiled_case(name, form, tiles, shared, where):
    inputs = [tile.column() for tile in tiles[:3]]
    body, offset = [], 0
    if shared:
        body += into_shared(0, inputs[0].bytes())
    for number, (tile, column) in enumerate(zip(tiles, inputs)):
        if number == 0 and shared:
            body.append(tile.access("shared", "%s"))
        else:
            body.append(tile.access("global", f"%in+{offset}"))
        offset += column.bytes()
    operands = ", ".join(matrix.vector(t.part, registers_of(t.shape, t.type, t.part)) for t in (tiles[3], *tiles[:3]))
    body += [f"{form} {operands};", tiles[3].access("global", "%out")]
    registers = "\n".join(declaration(t.type, t.part, registers_of(t.shape, t.type, t.part)) for t in tiles)
    module = f".shared .align 32 .b8 tile[{inputs[0].bytes()}];" if shared else ""
    if shared:
        registers += "\n.reg .b32 %s, %w, %v;\n.reg .pred %c;"
    return Case(name, form, "\n".join(body), inputs, [tiles[3].column(UNTOUCHED)], registers, module, threads=32, raw=True, warp=32, **where)


SHAPES = ("m16n16k16", "m32n8k16", "m8n32k16")
TURING = {"version": "7.0", "target": "sm_75"}
AMPERE = {"version": "7.1", "target": "sm_80"}
PAIRS = tuple(itertools.product(LAYOUTS, LAYOUTS))


def multiplications():
    index = 0

    def case(*arguments, **named):
        nonlocal index
        index += 1
        return multiplication(index, *arguments, **named)

    for shape in SHAPES:
        pairs = PAIRS if shape == SHAPES[0] else PAIRS[1:3]
        for layouts in pairs:
            for d, c in itertools.product(("f16", "f32"), repeat=2):
                yield case(shape, (d, "f16", "f16", c), layouts, where=TURING)
            yield case(shape, ("f32", "bf16", "bf16", "f32"), layouts, where=AMPERE)
            for t in ("s8", "u8"):
                yield case(shape, ("s32", t, t, "s32"), layouts, where=TURING)
                yield case(shape, ("s32", t, t, "s32"), layouts, suffix=".satfinite", near_limits=True, where=TURING)
    for layouts in PAIRS:
        yield case("m16n16k8", ("f32", "tf32", "tf32", "f32"), layouts, where=AMPERE)
        yield case("m8n8k4", ("f64",) * 4, layouts, where=AMPERE)
    for t in ("s4", "u4"):
        yield case("m8n8k32", ("s32", t, t, "s32"), ("row", "col"), where=TURING)
        yield case("m8n8k32", ("s32", t, t, "s32"), ("row", "col"), suffix=".satfinite", near_limits=True, where=TURING)
    yield case("m8n8k128", ("s32", "b1", "b1", "s32"), ("row", "col"), ".xor.popc", multiply=operator.xor, where=TURING)
    yield case("m8n8k128", ("s32", "b1", "b1", "s32"), ("row", "col"), ".and.popc", multiply=operator.and_, where=AMPERE)


def roundings():
    """f64 with a direction: one product an element, so that there is one rounding."""
    shape = "m8n8k4"
    types = "f64.f64.f64.f64"
    for mode, at_end in itertools.product(("rn", "rz", "rm", "rp"), (False, True)):  # compilers write the mode last
        form = f"wmma.mma.sync.aligned.row.col.{shape}." + (f"{types}.{mode}" if at_end else f"{mode}.{types}")
        rng = values.generator("wmma rounding")

        def number():
            return ieee.F64.value(rng.getrandbits(52) | rng.getrandbits(1) << 63 | 0x3ff << 52)

        first = [[number(), 0, 0, 0] for _ in range(8)]
        second = [[number() for _ in range(8)]] + [[Fraction(0)] * 8 for _ in range(3)]
        third = [[number() for _ in range(8)] for _ in range(8)]
        exact = matrix.product(first, second, third)
        result = [[ieee.F64.value(ieee.F64.round(x, mode)) for x in row] for row in exact]
        tiles = [Tile(part, shape, "f64", layout, content, False)
                 for part, layout, content in (("a", "row", first), ("b", "col", second), ("c", "row", third), ("d", "row", result))]
        yield tiled_case(file_name(form), form, tiles, False, AMPERE)


def copies():
    """wmma.load.c and wmma.store.d alone turn a matrix round when their layouts differ."""
    for shape, t, where in (*((s, t, TURING) for s in SHAPES for t in ("f16", "f32", "s32")), ("m16n16k8", "f32", AMPERE), ("m8n8k4", "f64", AMPERE),
                            ("m8n8k32", "s32", TURING), ("m8n8k128", "s32", TURING)):
        m, n, _ = dimensions(shape)
        for source, target in (("row", "col"), ("col", "row")):
            form = f"wmma.load.c.{source}, wmma.store.d.{target} {shape} {t}"
            content = matrix.random_sums(values.generator(form), t, m, n)
            loaded, written = Tile("c", shape, t, source, content, False), Tile("d", shape, t, target, content, True)
            count = registers_of(shape, t, "c")
            body = [loaded.access("global", "%in"), written.access("global", "%out").replace("%d", "%c")]
            yield Case(f"wmma-copy-{shape}-{t}-{source}-{target}", form, "\n".join(body), [loaded.column()], [written.column(UNTOUCHED)],
                       declaration(t, "c", count), threads=32, raw=True, warp=32, **where)


# Moves of 8x8 matrices of 16-bit elements. Element (r, c) belongs to lane 4r + c/2, half c % 2 of its register.

def fragment(rows, transposed):
    def element(row, column):
        return rows[column][row] if transposed else rows[row][column]

    return [element(lane // 4, lane % 4 * 2 + 1) << 16 | element(lane // 4, lane % 4 * 2) for lane in matrix.LANES]


def eight_by_eight(rng):
    return [[rng.getrandbits(16) for _ in range(8)] for _ in range(8)]


def row_words(rows):
    return [word for row in rows for word in (row[i + 1] << 16 | row[i] for i in range(0, 8, 2))]


def lanes_first(fragments):
    return [f[lane] for lane in matrix.LANES for f in fragments]


def moves():
    for count in (1, 2, 4):
        for transposed in (False, True):
            for space in ("", ".shared", ".shared::cta"):
                yield load_of_rows(count, transposed, space)
                yield store_of_rows(count, transposed, space)
    rng = values.generator("movmatrix")
    rows = eight_by_eight(rng)
    form = "movmatrix.sync.aligned.m8n8.trans.b16"
    yield Case(file_name(form), form, f"{form} %y0, %x0;", [("b32", fragment(rows, False))], [("b32", fragment(rows, True))], warp=32,
               version="7.8", target="sm_75")


def moved(name, count, transposed, space):
    return f"{name}.sync.aligned.m8n8.x{count}" + (".trans" if transposed else "") + f"{space}.b16"


def address_of_row(space):
    """In %s the address of row (lane % 8) of matrix (lane / 8), the rows in an order of the test's own: matrix j at row 8 * (3 - j)."""
    generic = "" if space else "cvta.shared.u64 %g, %g;"
    return f"""
        mov.u32 %w, tile;
        xor.b32 %v, %t, 24;
        shl.b32 %v, %v, 4;
        add.u32 %w, %w, %v;
        cvt.u64.u32 %g, %w;
        {generic}""", "%w" if space else "%g"


REGISTERS = ".reg .b32 %w, %v, %q, %r<4>;\n.reg .b64 %g;"
TILE = ".shared .align 16 .b8 tile[512];"


def load_of_rows(count, transposed, space):
    form = moved("ldmatrix", count, transposed, space)
    rng = values.generator(form)
    matrices = [eight_by_eight(rng) for _ in range(4)]
    in_memory = [word for j in (3, 2, 1, 0) for word in row_words(matrices[j])]
    address, at = address_of_row(space)
    outputs = "\n".join(f"st.global.b32 [%p+{4 * i}], %r{i};" for i in range(count))
    body = f"""
        mov.u32 %q, tile;
        shl.b32 %v, %t, 4;
        add.u32 %q, %q, %v;
        mad.wide.u32 %p, %t, 16, %in;
        ld.global.v4.b32 {{%r0, %r1, %r2, %r3}}, [%p];
        st.shared.v4.b32 [%q], {{%r0, %r1, %r2, %r3}};
        bar.sync 0;
        {address}
        {form} {matrix.vector("r", count)}, [{at}];
        mad.wide.u32 %p, %t, {4 * count}, %out;
        {outputs}"""
    return Case(file_name(form), form, body, [("b32", in_memory)], [("b32", lanes_first([fragment(m, transposed) for m in matrices[:count]]))],
                REGISTERS, TILE, threads=32, raw=True, warp=32, version="7.8", target="sm_90")


def store_of_rows(count, transposed, space):
    form = moved("stmatrix", count, transposed, space)
    rng = values.generator(form)
    matrices = [eight_by_eight(rng) for _ in range(count)]
    address, at = address_of_row(space)
    untouched = [0x11111111] * 32
    in_memory = [word for j in (3, 2, 1, 0) for word in (row_words(matrices[j]) if j < count else untouched)]
    inputs = "\n".join(f"ld.global.b32 %r{i}, [%p+{4 * i}];" for i in range(count))
    body = f"""
        mov.u32 %q, tile;
        shl.b32 %v, %t, 4;
        add.u32 %q, %q, %v;
        mov.b32 %w, 0x11111111;
        st.shared.v4.b32 [%q], {{%w, %w, %w, %w}};
        bar.sync 0;
        mad.wide.u32 %p, %t, {4 * count}, %in;
        {inputs}
        {address}
        {form} [{at}], {matrix.vector("r", count)};
        bar.sync 0;
        ld.shared.v4.b32 {{%r0, %r1, %r2, %r3}}, [%q];
        mad.wide.u32 %p, %t, 16, %out;
        st.global.v4.b32 [%p], {{%r0, %r1, %r2, %r3}};"""
    return Case(file_name(form), form, body, [("b32", lanes_first([fragment(m, transposed) for m in matrices]))], [("b32", in_memory)],
                REGISTERS, TILE, threads=32, raw=True, warp=32, version="7.8", target="sm_90")


def cases():
    for family in (multiplications, roundings, copies, moves):
        yield from family()
