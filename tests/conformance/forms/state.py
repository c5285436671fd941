"""mov, special registers, variables with initialisers, kernel parameters, dynamic shared memory, and 32-bit addresses."""
import struct

from . import values
from .case import Case
from .integer import file_name
from .values import random_integer

THREADS = 32


def patterns(name, width=32, count=THREADS):
    rng = values.generator(name)
    return [random_integer(rng, width) for _ in range(count)]


def moves():
    for t in ("b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64"):
        elements = patterns("mov", int(t[1:]))
        yield Case(f"mov-{t}", f"mov.{t}", f"mov.{t} %y0, %x0;", [(t, elements)], [(t, elements)])
    literals = [("u32", "4294967295", 0xffffffff), ("s32", "-5", -5), ("u32", "0x1234ABCDU", 0x1234abcd), ("u32", "0b1011", 11), ("u32", "0777", 0o777),
                ("u64", "0xFEDCBA9876543210", 0xfedcba9876543210), ("s64", "-9223372036854775807", -9223372036854775807),
                ("f32", "0f3FC00000", 0x3fc00000), ("f64", "0d3FF8000000000000", 0x3ff8000000000000), ("f32", "1.5", 0x3fc00000),
                ("f64", "-2.5e3", struct.unpack("<Q", struct.pack("<d", -2500.0))[0]), ("u32", "(1 << 5) + 6 * 7 - 3", 71),
                ("s32", "-17 / 5", -3), ("u32", "(5 > 3) ? 11 : 22", 11), ("u32", "~0xF0 & 0xFF", 0x0f)]
    body = "\n".join(f"mov.{t} %y{i}, {text};" for i, (t, text, _) in enumerate(literals))
    yield Case("mov-literals", "mov of every kind of literal and constant expression", body, (), [(t, [v] * 4) for t, _, v in literals])


def packing():
    shorts = [patterns(f"short {i}", 16) for i in range(4)]
    words = [patterns(f"word {i}") for i in range(2)]
    halves = [("b16", s) for s in shorts]
    joined2 = [b << 16 | a for a, b in zip(*shorts[:2])]
    joined4 = [d << 48 | c << 32 | b << 16 | a for a, b, c, d in zip(*shorts)]
    joined = [b << 32 | a for a, b in zip(*words)]
    yield Case("mov-pack-b32", "mov.b32 d, {a, b}", "mov.b32 %y0, {%x0, %x1};", halves[:2], [("b32", joined2)])
    yield Case("mov-pack-b64-2", "mov.b64 d, {a, b}", "mov.b64 %y0, {%x0, %x1};", [("b32", w) for w in words], [("b64", joined)])
    yield Case("mov-pack-b64-4", "mov.b64 d, {a, b, c, d}", "mov.b64 %y0, {%x0, %x1, %x2, %x3};", halves, [("b64", joined4)])
    yield Case("mov-unpack-b32", "mov.b32 {a, b}, d", "mov.b32 {%y0, %y1}, %x0;", [("b32", joined2)], [("b16", shorts[0]), ("b16", shorts[1])])
    yield Case("mov-unpack-b64-2", "mov.b64 {a, b}, d", "mov.b64 {%y0, %y1}, %x0;", [("b64", joined)], [("b32", words[0]), ("b32", words[1])])
    yield Case("mov-unpack-b64-4", "mov.b64 {a, b, c, d}, e", "mov.b64 {%y0, %y1, %y2, %y3}, %x0;", [("b64", joined4)], [("b16", s) for s in shorts])
    yield Case("mov-unpack-discard", "mov.b64 {_, b}, d", "mov.b64 {_, %y0}, %x0;", [("b64", joined)], [("b32", words[1])], version="7.1")
    yield Case("mov-unpack-f64", "mov.b64 of an f64 into words", "mov.b64 {%y0, %y1}, %x0;", [("f64", joined)], [("b32", words[0]), ("b32", words[1])])
    yield Case("mov-b32-f32", "mov.b32 between f32 and b32 registers", "mov.b32 %y0, %x0;", [("f32", words[0])], [("b32", words[0])])


def special_registers():
    threads, grid = 64, 3
    total = threads * grid
    def reads(name, register, expected, form=None):
        return Case(name, form or f"mov.u32 of %{register}", f"mov.u32 %y0, %{register};", (), [("u32", expected)], threads=threads, grid=grid)
    index = list(range(total))
    yield reads("sreg-tid-x", "tid.x", [i % threads for i in index])
    yield reads("sreg-tid-y", "tid.y", [0] * total)
    yield reads("sreg-tid-z", "tid.z", [0] * total)
    yield reads("sreg-ntid-x", "ntid.x", [threads] * total)
    yield reads("sreg-ntid-y", "ntid.y", [1] * total)
    yield reads("sreg-ntid-z", "ntid.z", [1] * total)
    yield reads("sreg-ctaid-x", "ctaid.x", [i // threads for i in index])
    yield reads("sreg-ctaid-y", "ctaid.y", [0] * total)
    yield reads("sreg-ctaid-z", "ctaid.z", [0] * total)
    yield reads("sreg-nctaid-x", "nctaid.x", [grid] * total)
    yield reads("sreg-nctaid-y", "nctaid.y", [1] * total)
    yield reads("sreg-nctaid-z", "nctaid.z", [1] * total)
    yield reads("sreg-laneid", "laneid", [i % 32 for i in index])
    yield reads("sreg-warp-size", "nwarpid", ["*"] * total)
    masks = {"eq": lambda n: 1 << n, "lt": lambda n: (1 << n) - 1, "le": lambda n: (2 << n) - 1, "gt": lambda n: -(2 << n), "ge": lambda n: -(1 << n)}
    for name, mask_of in masks.items():
        yield reads(f"sreg-lanemask-{name}", f"lanemask_{name}", [mask_of(i % 32) for i in index])
    yield Case("sreg-warp-sz", "the constant WARP_SZ", "mov.u32 %y0, WARP_SZ;", (), [("u32", [32] * THREADS)])
    for register, width in (("clock", 32), ("clock64", 64), ("globaltimer", 64)):
        body = f"mov.u{width} %a, %{register};\nbar.warp.sync 0xffffffff;\nmov.u{width} %b, %{register};\nsetp.le.u{width} %z, %a, %b;\nselp.u32 %y0, 1, 0, %z;"
        yield Case(f"sreg-{register}", f"%{register} does not run backwards", body, (), [("u32", [1] * THREADS)],
                   registers=f".reg .b{width} %a, %b;\n.reg .pred %z;")
    body = ("mov.u32 %a, %smid;\nmov.u32 %b, %nsmid;\nsetp.lt.u32 %z, %a, %b;\nselp.u32 %y0, 1, 0, %z;\nmov.u32 %a, %warpid;\nmov.u32 %b, %nwarpid;\n"
            "setp.lt.u32 %z, %a, %b;\nselp.u32 %y1, 1, 0, %z;")
    yield Case("sreg-smid-warpid", "%smid < %nsmid, %warpid < %nwarpid", body, (), [("u32", [1] * THREADS), ("u32", [1] * THREADS)],
               registers=".reg .b32 %a, %b;\n.reg .pred %z;")
    yield Case("sreg-dynamic-smem-size", "%dynamic_smem_size", "mov.u32 %y0, %dynamic_smem_size;", (), [("u32", [640] * THREADS)], shared=640)
    yield Case("sreg-tid-wide", "cvt.u64.u32 of %tid.x", "cvt.u64.u32 %y0, %tid.x;", (), [("u64", list(range(THREADS)))])
    yield Case("sreg-tid-arithmetic", "special registers as operands of arithmetic",
               "mov.u32 %a, %tid.x;\nshl.b32 %a, %a, 3;\nadd.u32 %y0, %a, 1;", (), [("u32", [8 * t + 1 for t in range(THREADS)])],
               registers=".reg .b32 %a;")


def variables():
    table = patterns("table", 32, 8)
    for space in ("global", "const"):
        text = ", ".join(str(v) for v in table)
        for t, elements in (("u32", table), ("u8", [v & 0xff for v in table]), ("u16", [v & 0xffff for v in table]), ("u64", [v * 0x100000001 for v in table])):
            size = int(t[1:]) // 8
            text = ", ".join(str(v) for v in elements)
            yield Case(f"variable-{space}-{t}", f".{space} .{t} array with an initialiser",
                       f"and.b32 %v, %i, 7;\nmov.u64 %q, table;\nmad.wide.u32 %q, %v, {size}, %q;\nld.{space}.{t} %y0, [%q];", (),
                       [(t, [elements[i % 8] for i in range(THREADS)])], registers=".reg .b32 %v;\n.reg .b64 %q;",
                       module=f".{space} .align 8 .{t} table[8] = {{{text}}};")
        yield Case(f"variable-{space}-f32", f".{space} .f32 array with decimal and hexadecimal initialisers",
                   f"ld.{space}.f32 %y0, [table];\nld.{space}.f32 %y1, [table+4];\nld.{space}.f32 %y2, [table+8];", (),
                   [("f32", [0x3fc00000] * THREADS), ("f32", [0xc0200000] * THREADS), ("f32", [0] * THREADS)],
                   module=f".{space} .align 4 .f32 table[3] = {{1.5, 0fC0200000}};")
        yield Case(f"variable-{space}-2d", f".{space} .s32 table[2][3] with nested initialisers",
                   "\n".join(f"ld.{space}.s32 %y{i}, [table+{4 * i}];" for i in range(6)), (),
                   [("s32", [v] * THREADS) for v in (1, -2, 0, 4, 0, 0)], module=f".{space} .align 4 .s32 table[2][3] = {{{{1, -2}}, {{4}}}};")
    yield Case("variable-global-scalar", ".global .u64 with an initialiser, and one without", "ld.global.u64 %y0, [given];\nld.global.u64 %y1, [zero];",
               (), [("u64", [0x123456789abcdef0] * THREADS), ("u64", [0] * THREADS)],
               module=".global .align 8 .u64 given = 0x123456789ABCDEF0;\n.global .align 8 .u64 zero;")
    yield Case("variable-pointer", ".global .u64 initialised with another variable's address and with generic()",
               "ld.global.u64 %q, [pointer];\nld.global.u32 %y0, [%q];\nld.global.u64 %q, [pointer+8];\nld.u32 %y1, [%q];\n"
               "ld.const.u64 %q, [constPointer];\nld.u32 %y2, [%q];", (),
               [("u32", [22] * THREADS), ("u32", [33] * THREADS), ("u32", [11] * THREADS)], registers=".reg .b64 %q;",
               module=".global .align 4 .u32 table[3] = {11, 22, 33};\n.global .align 8 .u64 pointer[2] = {table+4, generic(table)+8};\n"
                      ".const .align 8 .u64 constPointer = generic(table);")
    yield Case("variable-vector", ".global .v4 .f32 variable", "ld.global.v4.f32 {%y0, %y1, %y2, %y3}, [quad];", (),
               [("f32", [v] * THREADS) for v in (0x3f800000, 0x40000000, 0x40400000, 0x40800000)],
               module=".global .align 16 .v4 .f32 quad = {1.0, 2.0, 3.0, 4.0};")
    yield Case("variable-local-array", ".local array indexed at run time",
               "mov.u64 %q, slots;\nmov.u32 %v, 0;\nfill:\nmad.wide.u32 %g, %v, 4, %q;\nmad.lo.u32 %w, %v, %v, %i;\nst.local.u32 [%g], %w;\nadd.u32 %v, %v, 1;\n"
               "setp.lt.u32 %z, %v, 16;\n@%z bra fill;\nand.b32 %v, %i, 15;\nmad.wide.u32 %g, %v, 4, %q;\nld.local.u32 %y0, [%g];", (),
               [("u32", [(t & 15) ** 2 + t for t in range(THREADS)])],
               registers=".local .align 4 .b8 slots[64];\n.reg .b64 %q, %g;\n.reg .b32 %v, %w;\n.reg .pred %z;")
    yield Case("variable-shared-two", "two .shared variables, one in the kernel", "mad.lo.u32 %v, %i, 4, 0;\nmov.u32 %w, first;\nadd.u32 %w, %w, %v;\n"
               "st.shared.u32 [%w], %i;\nmov.u32 %w, second;\nadd.u32 %w, %w, %v;\nmul.lo.u32 %u, %i, 9;\nst.shared.u32 [%w], %u;\nbar.sync 0;\n"
               "mov.u32 %w, first;\nadd.u32 %w, %w, %v;\nld.shared.u32 %y0, [%w];\nmov.u32 %w, second;\nadd.u32 %w, %w, %v;\nld.shared.u32 %y1, [%w];", (),
               [("u32", list(range(THREADS))), ("u32", [9 * t for t in range(THREADS)])],
               registers=".shared .align 4 .b8 second[128];\n.reg .b32 %v, %w, %u;", module=".shared .align 4 .b8 first[128];")
    elements = patterns("dynamic")
    body = ("mov.u64 %q, dynamic;\nmad.wide.u32 %g, %i, 4, %q;\nst.shared.u32 [%g], %x0;\nbar.sync 0;\nxor.b32 %v, %i, 31;\nmad.wide.u32 %g, %v, 4, %q;\n"
            "ld.shared.u32 %y0, [%g];")
    yield Case("variable-shared-dynamic", ".extern .shared array sized at launch", body, [("u32", elements)], [("u32", elements[::-1])],
               registers=".reg .b64 %q, %g;\n.reg .b32 %v;", module=".extern .shared .align 16 .b8 dynamic[];", shared=128)
    yield Case("param-generic", "cvta.param is not needed: ld.param with an offset", "ld.param.u32 %v, [out];\nld.param.u32 %w, [out+4];\nmov.b64 %q, {%v, %w};\n"
               "ld.param.u64 %g, [out];\nsub.u64 %y0, %q, %g;", (), [("u64", [0] * THREADS)], registers=".reg .b64 %q, %g;\n.reg .b32 %v, %w;")


def parameters():
    """Kernel parameters of every type, structures, and vectors of them."""
    for t in ("u8", "s8", "b8", "u16", "s16", "b16", "u32", "s32", "b32", "f32", "u64", "s64", "b64", "f64"):
        value = patterns(f"parameter {t}", int(t[1:]), 2)[1]
        yield Case(f"ld-param-{t}", f"ld.param.{t}", f"ld.param.{t} %y0, [p1];", (), [(t, [value] * 4)], params=[("u8", [0xee]), (t, [value])])
    for t, count in (("u8", 2), ("u8", 4), ("u16", 4), ("u32", 2), ("u32", 4), ("f32", 4), ("u64", 2), ("f64", 2)):
        elements = patterns(f"structure {t}", int(t[1:]), 2 * count)
        targets = ", ".join(f"%y{i}" for i in range(count))
        size = int(t[1:]) // 8 * count
        yield Case(f"ld-param-v{count}-{t}", f"ld.param.v{count}.{t} of a structure", f"ld.param.v{count}.{t} {{{targets}}}, [p0+{size}];", (),
                   [(t, [e] * 4) for e in elements[count:]], params=[(t, elements)])
    elements = patterns("indexed parameter", 32, 8)
    body = "mov.b64 %q, p0;\nand.b32 %v, %i, 7;\nmad.wide.u32 %q, %v, 4, %q;\nld.param.u32 %y0, [%q];"
    yield Case("ld-param-indexed", "ld.param through a register", body, (), [("u32", elements * 4)], registers=".reg .b64 %q;\n.reg .b32 %v;",
               params=[("u32", elements)])


CONSTANT_VECTORS = [("u8", 4), ("u16", 2), ("u32", 2), ("f32", 4), ("f64", 1), ("u64", 2), ("s8", 1), ("s16", 1)]


def constants():
    for t, count in CONSTANT_VECTORS:
        size = int(t[1:]) // 8
        elements = patterns(f"constant {t}", 8 * size, 8 * count)
        data = ", ".join(str(byte) for e in elements for byte in e.to_bytes(size, "little"))
        suffix = f".v{count}.{t}" if count > 1 else f".{t}"
        targets = "{" + ", ".join(f"%y{i}" for i in range(count)) + "}" if count > 1 else "%y0"
        body = f"and.b32 %v, %i, 7;\nmov.u64 %q, table;\nmad.wide.u32 %q, %v, {size * count}, %q;\nld.const{suffix} {targets}, [%q];"
        yield Case(f"ld-const{suffix.replace('.', '-')}", f"ld.const{suffix}", body, (),
                   [(t, [elements[(i % 8) * count + part] for i in range(THREADS)]) for part in range(count)],
                   registers=".reg .b32 %v;\n.reg .b64 %q;", module=f".const .align 16 .b8 table[{8 * size * count}] = {{{data}}};")


def blocks():
    """Scopes, parameterised registers and comments."""
    body = "{\n.reg .b32 %v;\nmov.u32 %v, 5;\n{\n.reg .b32 %v;\nmov.u32 %v, 6;\nadd.u32 %y0, %v, 1;\n}\nadd.u32 %y1, %v, 1;\n}"
    yield Case("scope-nested", "a register declared again in an inner block", body, (), [("u32", [7] * 4), ("u32", [6] * 4)])
    body = "mov.u32 %w9, 1; /* a comment\nover lines */ add.u32 %w10, %w9, 2; // and one to the end\nmov.u32 %y0, %w10;"
    yield Case("register-range", "registers declared as a range, comments", body, (), [("u32", [3] * 4)], registers=".reg .b32 %w<11>;")
    body = ".pragma \"nounroll\";\nmov.u32 %y0, %ntid.x;"
    yield Case("directives", ".maxntid, .minnctapersm, .pragma", body, (), [("u32", [64] * 64)], directives=".maxntid 64, 1, 1\n.minnctapersm 2")


def narrow_addresses():
    a, b = patterns("narrow a"), patterns("narrow b")
    common = {"address": 32, "version": "3.2", "target": "sm_35", "assembles": False}
    yield Case("address-32-add", "add.u32 with 32-bit addresses", "add.u32 %y0, %x0, %x1;", [("u32", a), ("u32", b)],
               [("u32", [x + y for x, y in zip(a, b)])], **common)
    yield Case("address-32-shared", "shared memory with 32-bit addresses",
               "mov.u32 %q, block;\nmad.lo.u32 %g, %i, 4, %q;\nst.shared.u32 [%g], %x0;\nbar.sync 0;\nxor.b32 %v, %i, 1;\nmad.lo.u32 %g, %v, 4, %q;\n"
               "ld.shared.u32 %y0, [%g];", [("u32", a)], [("u32", [a[t ^ 1] for t in range(THREADS)])], registers=".reg .b32 %q, %g, %v;",
               module=".shared .align 4 .b8 block[128];", **common)
    yield Case("address-32-generic", "cvta.u32, isspacep and generic accesses with 32-bit addresses",
               "mov.u32 %q, block;\ncvta.shared.u32 %q, %q;\nmad.lo.u32 %g, %i, 4, %q;\nst.u32 [%g], %x0;\nld.u32 %y0, [%g];\nisspacep.shared %z, %g;\n"
               "selp.u32 %y1, 1, 0, %z;\ncvta.to.shared.u32 %g, %g;\nld.shared.u32 %y2, [%g];", [("u32", a)],
               [("u32", a), ("u32", [1] * THREADS), ("u32", a)], registers=".reg .b32 %q, %g;\n.reg .pred %z;",
               module=".shared .align 4 .b8 block[128];", **common)
    yield Case("address-32-local", "local memory with 32-bit addresses",
               "mov.u32 %q, slot;\nst.local.u32 [%q+4], %x0;\ncvta.local.u32 %q, %q;\nld.u32 %y0, [%q+4];", [("u32", a)], [("u32", a)],
               registers=".local .align 4 .b8 slot[8];\n.reg .b32 %q;", **common)
    yield Case("address-32-pointer", "pointers of 32 bits in initialised variables", "ld.global.u32 %q, [pointer];\nld.global.u32 %y0, [%q];", (),
               [("u32", [22] * THREADS)], registers=".reg .b32 %q;",
               module=".global .align 4 .u32 table[3] = {11, 22, 33};\n.global .align 4 .u32 pointer = table+4;", **common)
    yield Case("address-32-call", "calls and function addresses of 32 bits",
               "mov.u32 %f, double;\n{\n.param .b32 first;\n.param .b32 back;\nst.param.b32 [first], %x0;\n"
               "prototype: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (back), %f, (first), prototype;\nld.param.b32 %y0, [back];\n}",
               [("u32", a)], [("u32", [2 * x for x in a])], registers=".reg .b32 %f;",
               module=".func (.param .b32 result) double(.param .b32 a)\n{\n.reg .b32 %r;\nld.param.u32 %r, [a];\nadd.u32 %r, %r, %r;\n"
                      "st.param.b32 [result], %r;\nret;\n}", **common)


LANE_DEPENDENT = ("laneid", "lanemask", "WARP_SZ", "bar.warp")


def cases():
    for family in (moves, packing, special_registers, variables, parameters, constants, blocks, narrow_addresses):
        for case in family():
            if any(word in case.body for word in LANE_DEPENDENT):
                case.warp = 32
            yield case
