"""What a kernel asks of its environment, and how it may end: vprintf, malloc, free, __assertfail (CUDA C++ programming guide, "Formatted
Output", "Dynamic Global Memory Allocation and Operations", "Assertion"), trap and brkpt (PTX ISA, "Miscellaneous Instructions")."""
from . import values
from .case import Case

ENVIRONMENT = """
    .extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
    .extern .func (.param .b64 r) malloc (.param .b64 bytes);
    .extern .func free (.param .b64 address);
    .extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);"""


def text(name, contents):
    data = contents.encode() + b"\0"
    return f".global .align 1 .b8 {name}[{len(data)}] = {{{', '.join(str(byte) for byte in data)}}};"


def call(target, arguments, result=""):
    """`arguments` and `result` are (type, register)."""
    lines = ["{"]
    for number, (t, register) in enumerate(arguments):
        lines += [f".param .{t} a{number};", f"st.param.{t} [a{number}], {register};"]
    names = ", ".join(f"a{number}" for number in range(len(arguments)))
    if result:
        lines += [f".param .{result[0]} r0;", f"call.uni (r0), {target}, ({names});", f"ld.param.{result[0]} {result[1]}, [r0];"]
    else:
        lines.append(f"call.uni {target}, ({names});")
    return "\n".join(lines + ["}"])


REGISTERS = """
    .local .align 8 .b8 stack[64];
    .reg .b64 %f, %a, %l, %x<4>;
    .reg .b32 %r, %u<4>;
    .reg .f64 %d;
    .reg .pred %k;"""


def address_of(register, name):
    return f"mov.u64 {register}, {name};\ncvta.global.u64 {register}, {register};"


# Format, and the arguments: how each is stored, its bits, and what Python's own formatting makes of it.
PRINTED = [
    ("none", "plain text, 100%%\n", []),
    ("integers", "%d %u %x %X %o %c|\n", [(32, -7 & 0xffffffff, -7), (32, 4000000000, 4000000000), (32, 0xbeef, 0xbeef), (32, 0xbeef, 0xbeef),
                                         (32, 8, 8), (32, 65, "A")]),
    ("widths", "[%5d] [%-5d] [%05d] [%+d] [%.3d]\n", [(32, 42, 42)] * 4 + [(32, 7, 7)]),
    ("long", "%lld %llu %llx\n", [(64, -(2**40) & (1 << 64) - 1, -(2**40)), (64, 2**63, 2**63), (64, 0xfedcba9876543210, 0xfedcba9876543210)]),
    ("doubles", "%f %.3f %e %g %10.2f|\n", [("f", 0x3ff8000000000000, 1.5), ("f", 0x400921fb54442d18, 3.141592653589793),
                                           ("f", 0x40f86a0000000000, 100000.0), ("f", 0x3f50624dd2f1a9fc, 0.001), ("f", 0xc004000000000000, -2.5)]),
    ("mixed", "%d:%f:%d\n", [(32, 1, 1), ("f", 0x4000000000000000, 2.0), (32, 3, 3)]),
]


def python_format(pattern):
    return pattern.replace("%ll", "%")


def printing():
    for name, pattern, arguments in PRINTED:
        lines, offset = [], 0
        for kind, bits, _ in arguments:
            size = 4 if kind == 32 else 8
            offset = (offset + size - 1) // size * size
            lines += [f"mov.b{8 * size} %{'u0' if size == 4 else 'x0'}, {bits};", f"st.local.b{8 * size} [stack+{offset}], %{'u0' if size == 4 else 'x0'};"]
            offset += size
        body = "\n".join([*lines, address_of("%f", "format"), "mov.u64 %a, stack;", "cvta.local.u64 %a, %a;",
                          call("vprintf", [("b64", "%f"), ("b64", "%a")], ("b32", "%r")), "st.global.b32 [%out], %r;"])
        yield Case(f"vprintf-{name}", f"vprintf: {name}", body, [], [("b32", [len(arguments)])], REGISTERS, ENVIRONMENT + "\n" + text("format", pattern),
                   threads=1, raw=True, prints=python_format(pattern) % tuple(shown for _, _, shown in arguments))


def printed_strings():
    module = ENVIRONMENT + "\n" + text("format", "%s|%8s|%-8s|%.2s\n") + "\n" + text("word", "warp")
    stores = "\n".join(f"st.local.b64 [stack+{8 * i}], %x0;" for i in range(4))
    body = "\n".join([address_of("%f", "format"), address_of("%x0", "word"), stores, "mov.u64 %a, stack;", "cvta.local.u64 %a, %a;",
                      call("vprintf", [("b64", "%f"), ("b64", "%a")], ("b32", "%r")), "st.global.b32 [%out], %r;"])
    yield Case("vprintf-strings", "vprintf: strings", body, [], [("b32", [4])], REGISTERS, module, threads=1, raw=True,
               prints="%s|%8s|%-8s|%.2s\n" % (("warp",) * 4))


def allocation():
    """Every thread gets a block of its own, aligned to 16 bytes, and gives it back; too much is refused with a null pointer."""
    rows = values.integers("malloc", 32, 64)
    size, block = ("b64", "%l"), ("b64", "%a")
    body = "\n".join(["mov.u64 %l, 40;", call("malloc", [size], block), "st.u32 [%a+36], %x0;", "bar.sync 0;", "ld.u32 %y0, [%a+36];",
                      "cvt.u32.u64 %r, %a;", "and.b32 %y1, %r, 15;", call("free", [block]), "mov.u64 %l, 0x10000000000;",
                      call("malloc", [size], block), "mov.b64 %y2, %a;", call("free", [block])])
    yield Case("malloc-free", "malloc, free", body, [("b32", rows)], [("b32", rows), ("b32", [0] * 64), ("b64", [0] * 64)],
               ".reg .b64 %l, %a;\n.reg .b32 %r;", ENVIRONMENT)


def endings():
    for name in ("trap", "brkpt"):
        ending = {"trap": "trap", "brkpt": "breakpoint"}[name]
        yield Case(name, name, f"setp.eq.u32 %k, %t, 5;\n@%k {name};", [], [], ".reg .pred %k;", threads=32, raw=True, ends=ending)
        yield Case(f"{name}-not-reached", f"{name} under a guard that no thread passes",
                   f"setp.gt.u32 %k, %t, 99;\n@%k {name};\nmov.u32 %y0, 7;", [], [("u32", [7] * 32)], ".reg .pred %k;")
    strings = {"message": "x > 0", "file": "app.cu", "function": "void kernel(int)"}
    module = "\n".join([ENVIRONMENT, *(text(name, contents) for name, contents in strings.items())])
    body = "\n".join(["setp.ne.u32 %k, %t, 3;", "@%k bra over;", address_of("%x0", "message"), address_of("%x1", "file"),
                      address_of("%x2", "function"), "mov.u64 %x3, 1;", "mov.u32 %u0, 77;",
                      call("__assertfail", [("b64", "%x0"), ("b64", "%x1"), ("b32", "%u0"), ("b64", "%x2"), ("b64", "%x3")]), "over:"])
    yield Case("assertfail", "__assertfail", body, [], [], REGISTERS, module, threads=32, raw=True, ends="assertion",
               prints="app.cu:77: void kernel(int): block: [0,0,0], thread: [3,0,0] Assertion `x > 0` failed.\n")


def cases():
    for family in (printing, printed_strings, allocation, endings):
        yield from family()
