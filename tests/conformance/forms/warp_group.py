"""wgmma: products of four warps, with matrices in shared memory that descriptors describe (PTX ISA, "Asynchronous Warpgroup Level Matrix
Multiply-Accumulate Instructions"). Layouts are written as the manual's table "Canonical Layouts" has them: shapes and strides of a matrix's
two coordinates, in elements, and a permutation of the bits of the address."""
import itertools
import operator

from . import matrix, values
from .case import Case, Column
from .integer import file_name
from .tensor import transfer

HOPPER = {"version": "8.0", "target": "sm_90a"}
MIXED = {"version": "8.4", "target": "sm_90a"}  # s8 by u8
WARPS = 4
THREADS = 32 * WARPS
ROWS = 64
SWIZZLES = {"none": (0, 0), "32": (3, 1), "64": (2, 2), "128": (1, 3)}  # bytes: code in a descriptor, bits that are permuted
DEPTH = {"f16": 16, "bf16": 16, "tf32": 8, "e4m3": 32, "e5m2": 32, "s8": 32, "u8": 32, "b1": 256}
WARP_SHAPES = {16: "m16n8k16", 32: "m16n8k8", 8: "m16n8k32", 1: "m16n8k256"}  # whose fragments of A are those of a warp, by bits
ALIGNMENT = 1024  # where the pattern of every swizzling mode begins


def encoded(value):
    return (value & 0x3ffff) >> 4


def index_of(coordinate, shape, strides):
    """The offset of a coordinate in one mode of a layout; the last extent is open."""
    offset = 0
    for extent, stride in zip(shape, strides):
        offset += coordinate % extent * stride
        coordinate //= extent
    return offset + coordinate * strides[len(shape)]


class Stored:
    """A matrix in shared memory: its bytes and its descriptor, but for the address. `lines` are the rows of A or the columns of B, `along`
    whether the elements of a line are neighbours; it begins `skip` bytes behind where the pattern does. The two distances, in bytes, leave no
    room between the parts that the swizzling mode makes."""

    def __init__(self, t, lines, swizzle, along, skip):
        self.bits, self.skip = matrix.BITS[t], skip
        self.code, self.permuted = SWIZZLES[swizzle]
        t_ = 128 // self.bits  # T of the manual: elements of 16 bytes
        wide = 1 << self.permuted
        count, depth = len(lines), len(lines[0])
        if along:
            self.stride = 128 * wide if self.permuted else 256
            self.leading = 128 if self.permuted == 0 else 0
            stride, leading = self.elements(self.stride), self.elements(self.leading)
            self.line = ((8,), (wide * t_, stride))
            self.depth = ((t_,), (1, t_ if self.permuted else leading))
        else:
            atoms = -(-count // (t_ * wide))
            first, second = (128 * wide, 128 * wide * atoms)  # from atom to atom across lines, and from eight places along k to the next
            self.leading, self.stride = (second, first) if self.permuted == 0 else (first, second)
            stride, leading = self.elements(self.stride), self.elements(self.leading)
            self.line = ((t_, wide), (1, t_, stride if self.permuted == 0 else leading))
            self.depth = ((8,), (wide * t_, leading if self.permuted == 0 else stride))
        self.data = bytearray()
        for line, k in itertools.product(range(count), range(depth)):
            self.put(self.place(line, k), matrix.encode(t, lines[line][k]))

    def elements(self, size):
        return size * 8 // self.bits

    def place(self, line, k):
        """In bits. The permutation is of the address in bytes: Swizzle<permuted, 4, 3> of CuTe."""
        place = (index_of(line, *self.line) + index_of(k, *self.depth)) * self.bits + 8 * self.skip
        byte = place // 8
        byte ^= (byte >> 7 & (1 << self.permuted) - 1) << 4
        return byte * 8 + place % 8

    def put(self, place, value):
        size = max(8, self.bits) // 8
        first = place // 8
        self.data += bytes(max(0, first + size - len(self.data)))
        word = int.from_bytes(self.data[first:first + size], "little") | value << place % 8
        self.data[first:first + size] = word.to_bytes(size, "little")

    def descriptor(self):
        return encoded(self.leading) << 16 | encoded(self.stride) << 32 | self.code << 62

    def words(self):
        data = bytes(self.data) + bytes(-len(self.data) % (4 * THREADS))
        return [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]


def sum_place(lane, i):
    return matrix.upper(lane, i // 2 % 2 == 0), i // 4 * 8 + matrix.place(lane) * 2 + i % 2


def fragments(t, content, count, layout):
    """Of all warps, each of which has 16 of the rows."""
    height = len(content) // WARPS
    return [word for warp in range(WARPS) for word in matrix.words(t, content[warp * height:(warp + 1) * height], count, layout)]


def into_shared(offset, words, target):
    lines = [f"mad.wide.u32 %p, %t, 4, %in;", "shl.b32 %w, %t, 2;", f"add.u32 %w, %w, {target};"]
    for first in range(0, 4 * len(words), 4 * THREADS):
        lines += [f"ld.global.b32 %v, [%p+{offset + first}];", f"st.shared.b32 [%w+{first}], %v;"]
    return lines


def descriptor_of(register, target, stored):
    return [f"add.u32 %w, {target}, {stored.skip};", "bfe.u32 %w, %w, 4, 14;", f"cvt.u64.u32 {register}, %w;",
            f"or.b64 {register}, {register}, 0x{stored.descriptor():x};"]


DECLARATIONS = ".reg .b32 %w, %v, %sa, %sb;\n.reg .b64 %da, %db;\n.reg .pred %k;"
FINISH = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"


class Product:
    """One instruction, with chosen matrices."""

    def __init__(self, n, types, name="", swizzles=("128", "128"), trans=None, registers=False, scale_d=True, scales=None, modifier="",
                 suffix="", multiply=operator.mul, near_limits=False, skips=(0, 0)):
        self.n, self.types, self.registers, self.scale_d, self.scales = n, types, registers, scale_d, scales
        d, a, b = types
        k = DEPTH[a]
        self.form = f"wgmma.mma_async.sync.aligned.m64n{n}k{k}.{modifier}{d}.{a}.{b}{suffix}"
        title = f"{self.form} {'a in registers' if registers else 'a in shared memory'} {name}".strip()
        rng = values.generator(title)
        self.title = title
        first, second = matrix.random_matrix(rng, a, ROWS, k), matrix.random_matrix(rng, b, k, n)
        self.sums = matrix.random_sums(rng, d, ROWS, n)
        if near_limits:
            self.sums = [[rng.choice([-2**31, 2**31 - 1, 2**31 - 5000, 0]) for _ in range(n)] for _ in range(ROWS)]
        sign = (scales or (1, 1))[0] * (scales or (1, 1))[1]
        start = self.sums if scale_d else [[0] * n for _ in range(ROWS)]
        self.result = matrix.product([[sign * x for x in row] for row in first] if sign < 0 else first, second, start, multiply)
        if modifier:
            self.result = [[values.clamp(int(x), -2**31, 2**31 - 1) for x in row] for row in self.result]
        self.trans = trans if trans is not None or a not in ("f16", "bf16") else (0, 0)
        along = [not each for each in self.trans or (0, 0)]
        self.first = first
        self.a = Stored(a, first, swizzles[0], along[0], skips[0])
        self.b = Stored(b, [list(column) for column in zip(*second)], swizzles[1], along[1], skips[1])

    def immediates(self):
        a = self.types[1]
        if a in ("s8", "u8", "b1"):
            return ""
        scales = self.scales or (1, 1)
        trans = () if self.trans is None else self.trans[1:] if self.registers else self.trans
        return "".join(f", {each}" for each in (*scales, *trans))

    def case(self):
        d, a, _ = self.types
        count = self.n // 2  # elements of D in a lane
        registers = count * matrix.BITS[d] // 32
        elements_a, layout_a = matrix.LAYOUTS[WARP_SHAPES[matrix.BITS[a]], matrix.BITS[a]][:2]
        in_registers = fragments(a, self.first, elements_a, layout_a) if self.registers else self.a.words()
        inputs = [Column("b32", in_registers), Column("b32", self.b.words()), Column("b32", fragments(d, self.sums, count, sum_place))]
        offsets = list(itertools.accumulate((column.bytes() for column in inputs), initial=0))
        body = [] if self.registers else ["mov.u32 %sa, tile_a;"]
        body += ["mov.u32 %sb, tile_b;", f"setp.{'eq' if self.scale_d else 'ne'}.u32 %k, %t, %t;"]
        body += transfer("ld", "in", "a", "b32", 4, offsets[0]) if self.registers else into_shared(offsets[0], in_registers, "%sa")
        body += into_shared(offsets[1], inputs[1].values, "%sb")
        body += transfer("ld", "in", "d", d if d == "f32" else "b32", registers, offsets[2])
        body += [] if self.registers else descriptor_of("%da", "%sa", self.a)
        body += descriptor_of("%db", "%sb", self.b)
        body += ["fence.proxy.async.shared::cta;", "bar.sync 0;", "wgmma.fence.sync.aligned;"]
        factor = matrix.vector("a", 4) if self.registers else "%da"
        body += [f"{self.form} {matrix.vector('d', registers)}, {factor}, %db, %k{self.immediates()};", FINISH]
        body += transfer("st", "out", "d", d if d == "f32" else "b32", registers, 0)
        declarations = f"{DECLARATIONS}\n.reg .b32 %a<4>;\n.reg .{matrix.register_type(d)} %d<{registers}>;"
        tiles = {"tile_b": inputs[1]} if self.registers else {"tile_a": inputs[0], "tile_b": inputs[1]}
        module = "\n".join(f".shared .align {ALIGNMENT} .b8 {name}[{column.bytes()}];" for name, column in tiles.items())
        return Case(file_name(self.title).replace(" ", "-"), self.title, "\n".join(body), inputs,
                    [Column("b32", fragments(d, self.result, count, sum_place))], declarations, module, threads=THREADS, raw=True, warp=32,
                    **(MIXED if set(self.types[1:]) == {"s8", "u8"} else HOPPER))


def layouts():
    """Every swizzling mode, of A and B along k and across lines."""
    half = ("f32", "f16", "f16")
    for swizzle, trans in itertools.product(SWIZZLES, itertools.product((0, 1), (0, 1))):
        how = "".join("mn" if each else "k" for each in trans)
        yield Product(16, half, f"{swizzle} {how}", (swizzle, swizzle), trans).case()
    # Steps along k within a pattern of 128 bytes: descriptors that begin behind its first chunks.
    yield Product(16, half, "second step", skips=(32, 32)).case()
    yield Product(16, half, "fourth step", skips=(96, 96)).case()
    yield Product(24, half, "different modes", ("64", "32"), (0, 1)).case()
    for t in ("tf32", "e4m3", "s8", "b1"):
        d = "f32" if t in ("tf32", "e4m3") else "s32"
        suffix = ".and.popc" if t == "b1" else ""
        multiply = operator.and_ if t == "b1" else operator.mul
        for swizzle in SWIZZLES:
            yield Product(8, (d, t, t), swizzle, (swizzle, swizzle), suffix=suffix, multiply=multiply).case()


def types():
    for n, (d, t) in itertools.product((8, 40), (("f16", "f16"), ("f32", "f16"), ("f32", "bf16"))):
        for registers in (False, True):
            yield Product(n, (d, t, t), registers=registers, trans=(0, int(registers))).case()
    yield Product(16, ("f32", "tf32", "tf32"), registers=True).case()
    for a, b, d in itertools.product(("e4m3", "e5m2"), ("e4m3", "e5m2"), ("f16", "f32")):
        yield Product(16, (d, a, b), registers=a != b).case()
    for a, b in itertools.product(("s8", "u8"), ("s8", "u8")):
        yield Product(16, ("s32", a, b), registers=a != b).case()
        yield Product(24, ("s32", a, b), "at the limits", registers=a == b, modifier="satfinite.", near_limits=True).case()
    yield Product(8, ("s32", "s8", "u8"), "at the limits", near_limits=True).case()  # without .satfinite sums wrap
    yield Product(16, ("s32", "b1", "b1"), registers=True, suffix=".and.popc", multiply=operator.and_).case()


def scales():
    half = ("f32", "f16", "f16")
    for a, b in ((-1, 1), (1, -1), (-1, -1)):
        yield Product(8, half, f"scaled {a} {b}".replace("-", "minus "), scales=(a, b), registers=a == b).case()
    for t, d in (("tf32", "f32"), ("e5m2", "f16"), ("bf16", "f32")):
        yield Product(8, (d, t, t), "scaled minus 1 1", scales=(-1, 1)).case()
    for types_ in (half, ("f16", "f16", "f16"), ("s32", "s8", "s8")):
        yield Product(8, types_, "without the sums before", scale_d=False).case()


def cases():
    for family in (layouts, types, scales):
        yield from family()
