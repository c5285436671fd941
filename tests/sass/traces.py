"""Small traces of SASS, as Accel-Sim's tracer and its post-processing write them."""
import lzma
import pathlib

FULL = 0xFFFFFFFF


def instruction(pc, opcode, written=(), read=(), mask=FULL, addresses=None, width=4):
    """A line of a trace. addresses: of the lanes in the mask, or (first, stride)."""
    fields = [f"{pc:04x}", f"{mask:08x}", str(len(written)), *(f"R{number}" for number in written), opcode]
    fields += [str(len(read)), *(f"R{number}" for number in read)]
    if addresses is None:
        fields.append("0")
    elif isinstance(addresses, tuple):
        first, stride = addresses
        fields += [str(width), "1", f"{first:#x}", str(stride)]
    else:
        deltas = [str(after - before) for before, after in zip(addresses, addresses[1:])]
        fields += [str(width), "2", f"{addresses[0]:#x}", *deltas]
    return " ".join(fields) + " "


class Program:
    """The instructions of a warp, whose PCs follow one another."""

    def __init__(self):
        self.lines, self.pc = [], 0

    def add(self, *arguments, **named):
        self.lines.append(instruction(self.pc, *arguments, **named))
        self.pc += 16
        return self

    def jump(self, pc):
        self.pc = pc
        return self

    def end(self):
        return self.add("EXIT").lines


def header(name, grid, block, registers=32, shared=0, sm=70, version=3, extra=()):
    lines = [
        f"-kernel name = {name}",
        "-kernel id = 1",
        f"-grid dim = ({grid[0]},{grid[1]},{grid[2]})",
        f"-block dim = ({block[0]},{block[1]},{block[2]})",
        f"-shmem = {shared}",
        f"-nregs = {registers}",
        f"-binary version = {sm}",
        "-cuda stream id = 0",
        "-shmem base_addr = 0x00007f2a4c000000",
        "-local mem base_addr = 0x00007f2a4a000000",
        "-nvbit version = 1.5.5",
        f"-accelsim tracer version = {version}",
        *extra,
        "",
        "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]",
        "",
    ]
    return lines


def trace(name, warp, grid=(1, 1, 1), block=(32, 1, 1), **named):
    """The text of a kernel's trace. warp(block, warp): the lines of a warp."""
    lines = header(name, grid, block, **named)
    warps = (block[0] * block[1] * block[2] + 31) // 32
    for number in range(grid[0] * grid[1] * grid[2]):
        place = number % grid[0], number // grid[0] % grid[1], number // grid[0] // grid[1]
        lines += ["", "#BEGIN_TB", "", "thread block = {},{},{}".format(*place)]
        for index in range(warps):
            instructions = warp(number, index)
            lines += ["", f"warp = {index}", f"insts = {len(instructions)}", *instructions]
        lines += ["", "#END_TB"]
    return "\n".join(lines) + "\n"


def write(folder, kernels, copies=(), compressed=False):
    """A folder of traces with its list."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    commands = [f"MemcpyHtoD,{address:#018x},{count}" for address, count in copies]
    for number, text in enumerate(kernels, 1):
        name = f"kernel-{number}.traceg" + (".xz" if compressed else "")
        data = text.encode()
        (folder / name).write_bytes(lzma.compress(data) if compressed else data)
        commands.append(name)
    (folder / "kernelslist.g").write_text("\n".join(commands) + "\n")
    return folder


GLOBAL = 0x7F2A10000000


def chain(opcode, length, turns):
    """A warp whose instructions wait for one another, in a loop."""

    def warp(_block, _warp):
        program = Program()
        for _ in range(turns):
            program.jump(0)
            for _ in range(length):
                program.add(opcode, (4,), (4, 8))
            program.add("BRA")
        return program.end()

    return trace("chain", warp)


def constants():
    """A load from the constant bank, which the tracer writes without its address."""
    return trace("constants", lambda _block, _warp: Program().add("LDC", (4,)).add("FADD", (5,), (4, 4)).end())


def strides():
    """A warp that walks through memory, a line at a time, by one instruction."""

    def warp(_block, _warp):
        program = Program()
        for turn in range(64):
            program.jump(0).add("LDG.E", (4,), (2,), addresses=(GLOBAL + turn * 128, 4))
            program.add("FADD", (5,), (4, 5)).add("IADD3", (2,), (2, 6, 255)).add("BRA")
        return program.end()

    return trace("strides", warp)


def load(opcode, stride, count=1, first=GLOBAL):
    """A warp that loads, and waits for what it gets."""

    def warp(_block, _warp):
        program = Program()
        for number in range(count):
            program.add(opcode, (4,), (2,), addresses=(first + number * 32 * max(stride, 4), stride))
            program.add("FADD", (5,), (4, 4))
        return program.end()

    return trace(f"load_{stride}", warp, shared=8192)


def diverged():
    """An if and an else of 8 and 24 lanes."""

    def warp(_block, _warp):
        some, others = 0x000000FF, 0xFFFFFF00
        program = Program()
        program.add("S2R", (0,)).add("ISETP.GE.AND", (), (0,)).add("BSSY").add("BRA", mask=others)
        program.add("FADD", (4,), (4, 4), mask=some).add("BSYNC", mask=some)
        program.jump(0x80).add("FMUL", (4,), (4, 4), mask=others).add("BSYNC", mask=others)
        program.jump(0xA0).add("STG.E", (), (2, 4), addresses=(GLOBAL, 4))
        return program.end()

    return trace("diverged", warp)


def tiles(blocks=24, warps=4):
    """Loads, shared memory with a barrier, atomics and stores, by many blocks."""

    def warp(block, index):
        at = GLOBAL + (block * warps + index) * 128
        program = Program()
        program.add("S2R", (0,)).add("IMAD.WIDE", (2,), (0, 6, 8))
        program.add("LDG.E", (4,), (2,), addresses=(at, 4))
        program.add("STS", (), (1, 4), addresses=(index * 128, 4))
        program.add("BAR.SYNC", (), ())
        for step in range(8):
            program.add("LDS", (5,), (1,), addresses=(0, 4 * (1 + (step + block) % 8)))
            program.add("FFMA", (6,), (5, 4, 6))
        program.add("BAR.SYNC", (), ())
        program.add("RED.E.ADD.F32.FTZ.RN.STRONG.GPU", (), (2, 6), addresses=(GLOBAL + 0x100000, 0))
        scattered = [GLOBAL + 0x200000 + (lane * 7919 + block * 104729 + index) % 65536 * 4 for lane in range(32)]
        program.add("STG.E", (), (2, 6), addresses=scattered)
        return program.end()

    return trace("tiles", warp, grid=(blocks // 2, 2, 1), block=(warps * 32, 1, 1), shared=warps * 128)
