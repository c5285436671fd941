"""ld, st, atom, red and addressing (PTX ISA, Data Movement and Conversion; Parallel Synchronization: atom, red)."""
from . import ieee, values
from .case import Case, size_of
from .integer import file_name
from .values import bits_of, integer_tuples, interpret, random_integer

TYPES = ["b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"]
THREADS = 32


def register_for(type_name):
    if type_name in ("f32", "f64"):
        return type_name
    return f"b{max(16, bits_of(type_name))}"


def patterns(name, width, count):
    rng = values.generator(name)
    return [random_integer(rng, width) for _ in range(count)]


def vectors_of(type_name):
    return [n for n in (1, 2, 4) if n * size_of(type_name) <= 16]


def vector_operand(prefix, count):
    return f"%{prefix}0" if count == 1 else "{" + ", ".join(f"%{prefix}{i}" for i in range(count)) + "}"


def vector_suffix(count):
    return "" if count == 1 else f".v{count}"


# How a test reaches a space: declaration, and code that leaves the thread's 64-byte slot in %q.
SPACES = {
    "global": ("", "mad.wide.u32 %q, %i, 64, %scratch;"),
    "shared": (".shared .align 16 .b8 block[2048];", "mov.u64 %q, block;\nmad.wide.u32 %q, %i, 64, %q;"),
    "local": ("", "mov.u64 %q, slot;"),
    "": (".shared .align 16 .b8 block[2048];", "mov.u64 %q, block;\ncvta.shared.u64 %q, %q;\nmad.wide.u32 %q, %i, 64, %q;"),
}


def round_trip(type_name, count, space, load="", store="", name=None):
    """Every thread stores a vector to its slot in the space, reads it back in one load, and writes the result out."""
    size = size_of(type_name)
    elements = patterns(f"{type_name} {count}", 8 * size, THREADS * count)
    registers = (f".reg .b64 %q, %scratch;\n.reg .{register_for(type_name)} %v<{count}>;\n.reg .{register_for(type_name)} %w<{count}>;")
    module, reach = SPACES[space]
    if space == "local":
        registers = ".local .align 16 .b8 slot[64];\n" + registers
    dotted = f".{space}" if space else ""
    suffix = vector_suffix(count) + f".{type_name}"
    # The output buffer's second column serves as scratch memory in the global space.
    scratch_offset = (size * count * THREADS + 15) // 16 * 16
    body = f"add.u64 %scratch, %out, {scratch_offset};\n{reach}\nmad.wide.u32 %p, %i, {size * count}, %in;\n"
    body += "".join(f"ld.global.{type_name} %v{i}, [%p+{i * size}];\n" for i in range(count))
    body += f"st{dotted}{store}{suffix} [%q+16], {vector_operand('v', count)};\n"
    body += f"ld{dotted}{load}{suffix} {vector_operand('w', count)}, [%q+16];\n"
    body += f"mad.wide.u32 %p, %i, {size * count}, %out;\n"
    body += "".join(f"st.global.{type_name} [%p+{i * size}], %w{i};\n" for i in range(count))
    form = f"st{dotted}{store}{suffix}, ld{dotted}{load}{suffix}"
    name = name or f"memory-{space or 'generic'}{load.replace('.', '-')}{store.replace('.', '-')}{suffix.replace('.', '-')}"
    outs = [(type_name, elements)]
    if space == "global":
        outs.append(("b32", ["*"] * (THREADS * 16)))
    return Case(name, form, body, [(type_name, elements)], outs, registers=registers, module=module, threads=THREADS, raw=True)


def round_trips():
    for t in TYPES:
        for count in vectors_of(t):
            yield round_trip(t, count, "global")
    for space in ("shared", "local", ""):
        for t in TYPES:
            for count in vectors_of(t):
                yield round_trip(t, count, space)
    for load, store in ((".ca", ".wb"), (".cg", ".cg"), (".cs", ".cs"), (".lu", ".wt"), (".cv", ".wt"), (".volatile", ".volatile"),
                        (".relaxed.cta", ".relaxed.cta"), (".relaxed.gpu", ".relaxed.gpu"), (".relaxed.sys", ".relaxed.sys"),
                        (".acquire.cta", ".release.cta"), (".acquire.gpu", ".release.gpu"), (".acquire.sys", ".release.sys")):
        # The type comes after the space for qualified loads: ld.acquire.gpu.global.
        yield qualified("global", load, store)
    for load, store in ((".volatile", ".volatile"), (".relaxed.cta", ".relaxed.cta"), (".acquire.cta", ".release.cta")):
        yield qualified("shared", load, store)
        yield qualified("", load, store)
    for load, store in ((".ca", ".wb"), (".cg", ".cg"), (".relaxed.gpu", ".relaxed.gpu"), (".relaxed.sys", ".relaxed.sys"),
                        (".acquire.gpu", ".release.gpu")):
        yield qualified("", load, store)
    for space in ("global", "shared"):
        for t in ("u8", "u16", "f32", "u64", "f64"):
            yield qualified(space, ".volatile", ".volatile", t)
    for t in ("u32", "u64", "f32"):
        yield qualified("global", ".relaxed.gpu", ".relaxed.gpu", t, 2)
        yield qualified("", ".relaxed.gpu", ".relaxed.gpu", t, 2)


CACHE_OPERATORS = (".ca", ".cg", ".cs", ".lu", ".cv", ".wb", ".wt")


def qualified(space, load, store, type_name="u32", count=1):
    """Cache operators follow the space, orderings and scopes precede it."""
    suffix = vector_suffix(count) + f".{type_name}"
    plain = (type_name, count) == ("u32", 1)
    name = f"memory-{space or 'generic'}{load.replace('.', '-')}{store.replace('.', '-')}{'' if plain else suffix.replace('.', '-')}"
    case = round_trip(type_name, count, space, name=name)
    dotted = f".{space}" if space else ""
    def spelled(mnemonic, qualifier):
        return f"{mnemonic}{dotted}{qualifier}{suffix}" if qualifier in CACHE_OPERATORS else f"{mnemonic}{qualifier}{dotted}{suffix}"
    case.body = case.body.replace(f"st{dotted}{suffix} [%q+16]", f"{spelled('st', store)} [%q+16]")
    operand = vector_operand("w", count)
    case.body = case.body.replace(f"ld{dotted}{suffix} {operand}, [%q+16]", f"{spelled('ld', load)} {operand}, [%q+16]")
    case.form = f"{spelled('st', store)}, {spelled('ld', load)}"
    return case


def read_only():
    elements = patterns("nc", 32, THREADS)
    for form in ("ld.global.nc.u32", "ldu.global.u32", "ld.global.nc.L1::no_allocate.u32"):
        yield Case(file_name(form.replace("::", "-")), form, f"mad.wide.u32 %q, %i, 4, %in;\n{form} %y0, [%q];", [("u32", elements)],
                   [("u32", elements)], registers=".reg .b64 %q;", version="7.4")
    for t in TYPES:
        for count in vectors_of(t):
            yield read_only_vector(t, count)


def read_only_vector(type_name, count):
    """The elements of a vector come out in reverse order."""
    size = size_of(type_name)
    elements = patterns(f"nc {type_name}", 8 * size, count * THREADS)
    form = f"ld.global.nc{vector_suffix(count)}.{type_name}"
    body = f"mad.wide.u32 %p, %i, {size * count}, %in;\n{form} {vector_operand('v', count)}, [%p];\nmad.wide.u32 %p, %i, {size * count}, %out;\n"
    body += "\n".join(f"st.global.{type_name} [%p+{size * i}], %v{count - 1 - i};" for i in range(count))
    expected = [elements[i - i % count + count - 1 - i % count] for i in range(len(elements))]
    return Case(f"{file_name(form)}-vector", form, body, [(type_name, elements)], [(type_name, expected)],
                registers=f".reg .{register_for(type_name)} %v<{count}>;", threads=THREADS, raw=True)


def extension():
    """Loads of 8 and 16 bits into wider registers extend according to the type; stores cut."""
    for t in ("u8", "s8", "u16", "s16", "b8", "b16"):
        elements = patterns("extend", bits_of(t), THREADS)
        body = f"mad.wide.u32 %q, %i, {size_of(t)}, %in;\nld.global.{t} %y0, [%q];"
        expected = [interpret(t, e) for e in elements]
        yield Case(f"ld-{t}-into-b32", f"ld.global.{t} into a 32-bit register", body, [(t, elements)], [("b32", expected)],
                   registers=".reg .b64 %q;")
    for t in ("u32", "s32"):
        elements = patterns("extend wide", 32, THREADS)
        body = f"mad.wide.u32 %q, %i, 4, %in;\nld.global.{t} %y0, [%q];"
        yield Case(f"ld-{t}-into-b64", f"ld.global.{t} into a 64-bit register", body, [(t, elements)],
                   [("b64", [interpret(t, e) for e in elements])], registers=".reg .b64 %q;")
    elements = patterns("cut", 32, THREADS)
    body = "mad.wide.u32 %p, %i, 4, %in;\nld.global.u32 %v, [%p];\nmad.wide.u32 %p, %i, 1, %out;\nst.global.u8 [%p], %v;"
    yield Case("st-u8-from-b32", "st.global.u8 from a 32-bit register", body, [("u32", elements)], [("u8", elements)],
               registers=".reg .b32 %v;", raw=True)


def prefetches():
    elements = patterns("prefetch", 32, THREADS)
    body = ("mad.wide.u32 %q, %i, 4, %in;\nprefetch.global.L1 [%q];\nprefetch.global.L2 [%q];\ncvta.global.u64 %q, %q;\nprefetch.L2 [%q];\n"
            "prefetchu.L1 [%q];\nmov.u32 %y0, %x0;")
    yield Case("prefetch", "prefetch and prefetchu change nothing", body, [("u32", elements)], [("u32", elements)], registers=".reg .b64 %q;")
    body = ("mad.wide.u32 %q, %i, 4, %in;\ncp.async.bulk.prefetch.L2.global [%q], 64;\nshl.b32 %v, %t, 4;\n"
            "cp.async.bulk.prefetch.L2.global [%q+16], %v;\ncreatepolicy.fractional.L2::evict_last.b64 %c, 0f3F000000;\n"
            "cp.async.bulk.prefetch.L2.global.L2::cache_hint [%q], 128, %c;\nmov.u32 %y0, %x0;")
    yield Case("prefetch-bulk", "cp.async.bulk.prefetch changes nothing", body, [("u32", elements)], [("u32", elements)],
               registers=".reg .b64 %q, %c; .reg .b32 %v;", version="8.0", target="sm_90")


ATOMIC_TYPES = {
    "add": ["u32", "s32", "u64", "f32", "f64"],
    "and": ["b32", "b64"],
    "or": ["b32", "b64"],
    "xor": ["b32", "b64"],
    "exch": ["b32", "b64"],
    "inc": ["u32"],
    "dec": ["u32"],
    "min": ["u32", "s32", "u64", "s64"],
    "max": ["u32", "s32", "u64", "s64"],
    "cas": ["b32", "b64"],
}


def atomic_result(operation, type_name, old, operand, third=None):
    a, b = interpret_atomic(type_name, old), interpret_atomic(type_name, operand)
    if operation == "add":
        if type_name[0] == "f":
            return ieee.add(ieee.FORMATS[type_name], old, operand)
        return a + b
    table = {
        "and": lambda: old & operand,
        "or": lambda: old | operand,
        "xor": lambda: old ^ operand,
        "exch": lambda: operand,
        "inc": lambda: 0 if old >= operand else old + 1,
        "dec": lambda: operand if old == 0 or old > operand else old - 1,
        "min": lambda: min(a, b),
        "max": lambda: max(a, b),
        "cas": lambda: third if old == operand else old,
    }
    return table[operation]()


def interpret_atomic(type_name, bits):
    return bits if type_name[0] == "f" else interpret(type_name, bits)


def atomic_operands(operation, type_name):
    """Old values, operands and third operands, one per thread; compare-and-swap succeeds in every second thread."""
    if type_name[0] == "f":
        fresh = values.random_float(ieee.FORMATS[type_name], 6)
        rng = values.generator("atomic " + type_name)
        return [fresh(rng) for _ in range(THREADS)], [fresh(rng) for _ in range(THREADS)], None
    rows = integer_tuples(f"{operation} {type_name}", bits_of(type_name), 3, THREADS)
    old = [r[0] for r in rows]
    operand = [r[1] for r in rows]
    if operation == "cas":
        operand = [o if i % 2 == 0 else r for i, (o, r) in enumerate(zip(old, operand))]
    return old, operand, [r[2] for r in rows] if operation == "cas" else None


def atomic_case(operation, type_name, space, semantics="", reduction=False, spelling="{mnemonic}{semantics}{space}.{operation}"):
    """Each thread works on its own word, which holds the old value: out gets the word's end value and what atom returned."""
    old, operand, third = atomic_operands(operation, type_name)
    mnemonic = "red" if reduction else "atom"
    dotted = f".{space}" if space else ""
    form = spelling.format(mnemonic=mnemonic, semantics=semantics, space=dotted, operation=operation) + f".{type_name}"
    result = "" if reduction else "%y1, "
    operands = "%x1, %x2" if third else "%x1"
    size = size_of(type_name)
    if space == "global" or space == "":
        generic = "cvta.global.u64 %q, %q;\n" if space == "" else ""
        body = (f"mad.wide.u32 %q, %i, {size}, %in;\n{generic}{form} {result}[%q], {operands};\n"
                f"mad.wide.u32 %q, %i, {size}, %in;\nld.volatile.global.{type_name} %y0, [%q];")
        module = ""
    else:
        module = f".shared .align 8 .b8 block[{size * THREADS}];"
        body = (f"mov.u64 %q, block;\nmad.wide.u32 %q, %i, {size}, %q;\nst.shared.{type_name} [%q], %x0;\n"
                f"{form} {result}[%q], {operands};\nld.shared.{type_name} %y0, [%q];")
    ins = [(type_name, old), (type_name, operand)] + ([(type_name, third)] if third else [])
    ends = [atomic_result(operation, type_name, *row) for row in (zip(old, operand, third) if third else zip(old, operand))]
    outs = [(type_name, ends)] + ([] if reduction else [(type_name, old)])
    return Case(file_name(form), form, body, ins, outs, registers=".reg .b64 %q;", module=module)


def atomics():
    for operation, types in ATOMIC_TYPES.items():
        for t in types:
            for space in ("global", "shared", ""):
                yield atomic_case(operation, t, space)
            if operation not in ("exch", "cas"):
                yield atomic_case(operation, t, "global", reduction=True)
                yield atomic_case(operation, t, "shared", reduction=True)
    for semantics in (".relaxed.cta", ".acquire.gpu", ".release.gpu", ".acq_rel.sys", ".relaxed.gpu"):
        yield atomic_case("add", "u32", "global", semantics)
        yield atomic_case("cas", "b32", "global", semantics)
    # Older compilers put the scope, and some all qualifiers, behind.
    scope_last, all_last = "{mnemonic}{space}{semantics}.{operation}", "{mnemonic}.{operation}{semantics}{space}"
    for operation, t in (("add", "u32"), ("exch", "b32"), ("max", "s32"), ("min", "s32"), ("inc", "u32"), ("dec", "u32"), ("cas", "b32"),
                         ("and", "b32"), ("or", "b32"), ("xor", "b32")):
        yield atomic_case(operation, t, "global", ".sys", spelling=scope_last)
    for operation, t, semantics in (("add", "u32", ".release.gpu"), ("or", "b32", ".acq_rel.cta"), ("add", "u64", ".relaxed.cta")):
        yield atomic_case(operation, t, "", semantics, spelling=all_last)
    yield atomic_case("and", "b32", "", ".release.cta", reduction=True, spelling=all_last)
    yield atomic_case("add", "u32", "global", ".relaxed.gpu", reduction=True)
    yield atomic_case("max", "s32", "shared", ".release.cta", reduction=True)


def contended():
    """All threads of four blocks on one word: the end value does not depend on the order, the returned ones form a permutation."""
    threads, grid = 64, 4
    total = threads * grid
    operands = patterns("contended", 32, total)
    ends = {"add": sum(operands), "min": min(operands), "max": max(operands)}
    for name in ("and", "or", "xor"):
        value = operands[0]
        for operand in operands[1:]:
            value = {"and": value & operand, "or": value | operand, "xor": value ^ operand}[name]
        ends[name] = value
    starts = {"add": 0, "min": 0xffffffff, "max": 0, "and": 0xffffffff, "or": 0, "xor": 0}
    for name, end in ends.items():
        t = "u32" if name in ("add", "min", "max") else "b32"
        form = f"atom.global.{name}.{t}"
        body = f"mad.wide.u32 %p, %i, 4, %in;\nld.global.u32 %v, [%p];\n{form} %v, [%out], %v;"
        yield contended_case(f"{file_name(form)}-contended", f"{form}, all threads on one word", body, operands, starts[name], end, threads, grid)
        form = f"red.global.{name}.{t}"
        body = f"mad.wide.u32 %p, %i, 4, %in;\nld.global.u32 %v, [%p];\n{form} [%out], %v;"
        yield contended_case(f"{file_name(form)}-contended", f"{form}, all threads on one word", body, operands, starts[name], end, threads, grid)
    yield tickets(threads, grid)
    yield warp_tickets()


def contended_case(name, form, body, operands, start, end, threads, grid):
    """The word is the first of the output buffer; it starts at `start` because every thread first brings it there with a no-op
    compare-and-swap from the buffer's initial pattern."""
    initialise = f"mov.u32 %s, {start:#x};\natom.global.cas.b32 %t, [%out], {INITIAL:#x}, %s;\n"
    return Case(name, form, initialise + body, [("u32", operands)], [("u32", [end])], registers=".reg .b32 %v, %s;", threads=threads,
                grid=grid, raw=True)


INITIAL = 0xa5a5a5a5  # the runner fills the output buffer with this byte


def tickets(threads, grid):
    """atom.inc as a ticket counter: thread with ticket n marks slot n, so that every slot is marked once."""
    total = threads * grid
    body = ("mov.u64 %q, counter;\natom.global.inc.u32 %v, [%q], 0xffffffff;\nmad.wide.u32 %p, %v, 4, %out;\n"
            "ld.global.u32 %s, [%p];\nsub.u32 %s, %s, 0xa5a5a5a5;\nadd.u32 %s, %s, %v;\nadd.u32 %s, %s, 1;\nst.global.u32 [%p], %s;")
    return Case("atom-global-inc-u32-tickets", "atom.global.inc.u32 hands out each ticket once", body, (),
                [("u32", [n + 1 for n in range(total)])], registers=".reg .b32 %v, %s;\n.reg .b64 %q;",
                module=".global .align 4 .u32 counter = 0;", threads=threads, grid=grid, raw=True)


def warp_tickets():
    """As tickets, in shared memory and with atom.add."""
    body = ("mov.u64 %q, counter;\nsetp.eq.u32 %z, %t, 0;\nmov.u32 %s, 0;\n@%z st.shared.u32 [%q], %s;\nbar.sync 0;\n"
            "atom.shared.add.u32 %v, [%q], 1;\nmad.wide.u32 %p, %v, 4, %out;\nst.global.u32 [%p], %v;")
    return Case("atom-shared-add-u32-tickets", "atom.shared.add.u32 hands out each ticket once", body, (), [("u32", list(range(128)))],
                registers=".reg .b32 %v, %s;\n.reg .b64 %q;\n.reg .pred %z;", module=".shared .align 4 .u32 counter;", threads=128, raw=True)


def generic_addresses():
    """cvta to and from each space, and isspacep; %y is 1 where a generic address lies in the space."""
    module = ".shared .align 4 .b32 inShared;\n.const .align 4 .u32 inConst = 7;\n.global .align 4 .u32 inGlobal = 9;"
    queries = [("global", "mov.u64 %q, inGlobal;\ncvta.global.u64 %q, %q;"), ("shared", "mov.u64 %q, inShared;\ncvta.shared.u64 %q, %q;"),
               ("local", "mov.u64 %q, inLocal;\ncvta.local.u64 %q, %q;"), ("const", "mov.u64 %q, inConst;\ncvta.const.u64 %q, %q;")]
    for space, take in queries:
        tests = "\n".join(f"isspacep.{other} %z, %q;\nselp.u32 %y{i}, 1, 0, %z;" for i, other in enumerate(("global", "shared", "local", "const")))
        # A constant's generic address may lie in the global window as well: only .const itself is asked for.
        outs = [("u32", ["*" if space == "const" and other == "global" else int(space == other)] * THREADS)
                for other in ("global", "shared", "local", "const")]
        yield Case(f"isspacep-{space}", f"cvta.{space}.u64, isspacep.*", f"{take}\n{tests}", (), outs,
                   registers=".local .align 4 .b32 inLocal;\n.reg .b64 %q;\n.reg .pred %z;", module=module)
    elements = patterns("cvta", 32, THREADS)
    body = ("mov.u64 %q, block;\nmad.wide.u32 %q, %i, 4, %q;\nst.shared.u32 [%q], %x0;\ncvta.shared.u64 %g, %q;\nld.u32 %y0, [%g];\n"
            "cvta.to.shared.u64 %h, %g;\nld.shared.u32 %y1, [%h];\nsub.u64 %y2, %h, %q;")
    yield Case("cvta-shared", "cvta.shared.u64, cvta.to.shared.u64 are inverse", body, [("u32", elements)],
               [("u32", elements), ("u32", elements), ("u64", [0] * THREADS)], registers=".reg .b64 %q, %g, %h;",
               module=".shared .align 4 .b8 block[128];")
    body = ("mov.u64 %q, inLocal;\nst.local.u32 [%q+4], %x0;\ncvta.local.u64 %g, %q;\nld.u32 %y0, [%g+4];\nadd.u32 %v, %x0, 1;\n"
            "st.u32 [%g+8], %v;\nld.local.u32 %y1, [inLocal+8];\ncvta.to.local.u64 %h, %g;\nld.local.u32 %y2, [%h+8];")
    yield Case("cvta-local", "cvta.local.u64, cvta.to.local.u64 are inverse", body, [("u32", elements)],
               [("u32", elements), ("u32", [e + 1 for e in elements]), ("u32", [e + 1 for e in elements])],
               registers=".local .align 4 .b8 inLocal[16];\n.reg .b64 %q, %g, %h;\n.reg .b32 %v;")


def fences():
    for form in ("membar.cta", "membar.gl", "membar.sys", "fence.acq_rel.cta", "fence.acq_rel.gpu", "fence.acq_rel.sys", "fence.sc.cta",
                 "fence.sc.gpu", "fence.sc.sys"):
        elements = patterns(form, 32, THREADS)
        body = f"mad.wide.u32 %q, %i, 4, %out;\nst.global.u32 [%q], %x0;\n{form};\nld.global.u32 %y0, [%q];"
        yield Case(file_name(form), form, body, [("u32", elements)], [("u32", elements)], registers=".reg .b64 %q;")


def cases():
    for family in (round_trips, read_only, extension, prefetches, atomics, contended, generic_addresses, fences):
        yield from family()
