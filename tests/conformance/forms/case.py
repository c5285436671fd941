"""One test: an instruction form in a kernel, its inputs and what must come out; and how that is written as a PTX file.

The kernel `k(out, in)` gets two buffers, of which the output starts as bytes 0xa5. Each holds the columns of the case one after the other, every column starting at a multiple of
16 bytes and holding one element per thread (columns with `count` given hold that many instead). The header of the file says:

    // form: TEXT              what is tested
    // threads: N              threads of a block (default 32)
    // grid: N                 blocks (default 1)
    // shared: N               bytes of dynamic shared memory (default 0)
    // ends: STATUS            how the launch ends when not as it should: trap, breakpoint, assertion
    // prints: "TEXT"          what the kernel prints, with the escapes of C
    // warp: N                 lanes of a warp, where the result depends on it; other files hold for every warp size
    // param TYPE: V...        another parameter of the kernel, p0, p1 ...: a scalar, or an array when there are several values
    // in TYPE: V...           a column of the input buffer
    // out TYPE: V...          a column of the output buffer, compared bit by bit
    // out TYPE ulp X: V...    ... within X units in the last place of the type
    // out TYPE abs X: V...    ... within X
    // out TYPE rel X: V...    ... within X times the expected value

and a line that starts with more spaces continues the one before. A value is hexadecimal bits, "nan" (any NaN) or "*" (anything).
"""
import json
import re

ALIGNMENT = 16


def size_of(type_name):
    return int(re.search(r"\d+", type_name).group()) // 8


def mask(type_name):
    return (1 << (8 * size_of(type_name))) - 1


class Column:
    def __init__(self, type_name, values, tolerance=""):
        self.type = type_name
        self.values = list(values)
        self.tolerance = tolerance

    def bytes(self):
        return (size_of(self.type) * len(self.values) + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT

    def text(self, direction):
        tolerance = " " + self.tolerance if self.tolerance else ""
        digits = 2 * size_of(self.type)
        words = [v if isinstance(v, str) else f"0x{v & mask(self.type):0{digits}x}" for v in self.values]
        return wrap(f"// {direction} {self.type}{tolerance}:", words)


def wrap(head, words, width=120):
    lines = [head]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > width:
            lines.append("//  ")
        lines[-1] += " " + word
    return "\n".join(lines)


def register_type(type_name):
    """The register class that holds a value of a memory type: 8-bit values live in 16-bit registers."""
    if type_name in ("f32", "f64"):
        return type_name
    return "b" + str(max(16, 8 * size_of(type_name)))


def memory_type(type_name):
    return "b16" if type_name in ("f16", "bf16") else type_name


class Case:
    """`body` reads %x0, %x1 ... (the thread's elements of the inputs) and writes %y0, %y1 ...; %i is the thread's index, %in
    and %out the addresses of the buffers in the global space. With `raw` it loads and stores for itself."""

    def __init__(self, name, form, body, ins=(), outs=(), registers="", module="", version="7.0", target="sm_75", threads=None,
                 grid=1, shared=0, address=64, raw=False, directives="", assembles=True, params=(), warp=None, ends=None, prints=None):
        self.name, self.form, self.body = name, form, body
        self.ins = [c if isinstance(c, Column) else Column(*c) for c in ins]
        self.outs = [c if isinstance(c, Column) else Column(*c) for c in outs]
        self.registers, self.module, self.version, self.target = registers, module, version, target
        self.grid, self.shared, self.address, self.raw, self.directives = grid, shared, address, raw, directives
        self.warp, self.ends, self.prints = warp, ends, prints
        self.assembles = assembles  # by a current ptxas
        self.params = [Column(*p) for p in params]
        self.threads = threads or len(self.outs[0].values) // grid

    def offsets(self, columns):
        position = 0
        for column in columns:
            yield position
            position += column.bytes()

    def input_offset(self, index):
        return list(self.offsets(self.ins))[index]

    def output_offset(self, index):
        return list(self.offsets(self.outs))[index]

    def header(self):
        lines = [f"// form: {self.form}", f"// threads: {self.threads}"]
        if self.grid != 1:
            lines.append(f"// grid: {self.grid}")
        if self.shared:
            lines.append(f"// shared: {self.shared}")
        if self.warp:
            lines.append(f"// warp: {self.warp}")
        if self.ends:
            lines.append(f"// ends: {self.ends}")
        if self.prints is not None:
            lines.append("// prints: " + json.dumps(self.prints))
        lines += [column.text("param") for column in self.params]
        lines += [column.text("in") for column in self.ins]
        lines += [column.text("out") for column in self.outs]
        return "\n".join(lines)

    def prologue(self):
        a = self.address
        lines = []
        for buffer in ("in", "out"):
            lines.append(f"ld.param.u{a} %{buffer}, [{buffer}];")
            lines.append(f"cvta.to.global.u{a} %{buffer}, %{buffer};")
        lines += ["mov.u32 %i, %ctaid.x;", "mov.u32 %n, %ntid.x;", "mov.u32 %t, %tid.x;", "mad.lo.u32 %i, %i, %n, %t;"]
        return lines

    def element(self, buffer, type_name):
        multiply = "mad.wide.u32" if self.address == 64 else "mad.lo.u32"
        return f"{multiply} %p, %i, {size_of(type_name)}, %{buffer};"

    def loads(self):
        for number, (column, offset) in enumerate(zip(self.ins, self.offsets(self.ins))):
            yield self.element("in", column.type)
            yield f"ld.global.{memory_type(column.type)} %x{number}, [%p+{offset}];"

    def stores(self):
        for number, (column, offset) in enumerate(zip(self.outs, self.offsets(self.outs))):
            yield self.element("out", column.type)
            yield f"st.global.{memory_type(column.type)} [%p+{offset}], %y{number};"

    def declarations(self):
        lines = [f".reg .b{self.address} %in, %out, %p;", ".reg .b32 %i, %n, %t;"]
        if not self.raw:
            lines += [f".reg .{register_type(c.type)} %x{number};" for number, c in enumerate(self.ins)]
            lines += [f".reg .{register_type(c.type)} %y{number};" for number, c in enumerate(self.outs)]
        return lines + lines_of(self.registers)

    def kernel(self):
        body = self.declarations() + self.prologue()
        if not self.raw:
            body += self.loads()
        body += lines_of(self.body)
        if not self.raw:
            body += self.stores()
        body.append("ret;")
        text = "\n".join("  " + line if not line.endswith(":") else line for line in body)
        directives = f"\n{self.directives}" if self.directives else ""
        return f".visible .entry k({self.signature()}){directives}\n{{\n{text}\n}}\n"

    def signature(self):
        parameters = [f".param .u{self.address} {buffer}" for buffer in ("out", "in")]
        for number, column in enumerate(self.params):
            size = size_of(column.type) * len(column.values)
            if len(column.values) == 1:
                parameters.append(f".param .{column.type} p{number}")
            else:
                parameters.append(f".param .align {size_of(column.type)} .b8 p{number}[{size}]")
        return ", ".join(parameters)

    def file(self):
        module = "\n".join(lines_of(self.module)) + "\n\n" if self.module else ""
        return (f"{self.header()}\n\n.version {self.version}\n.target {self.target}\n.address_size {self.address}\n\n"
                f"{module}{self.kernel()}")


def lines_of(text):
    """The lines of an indented block; a statement list on one line is cut at its semicolons by the caller, not here."""
    return [line.strip() for line in text.strip().splitlines() if line.strip()] if text else []
