"""Atomic operations on 16-bit numbers and packed pairs (PTX ISA, "atom", "red"). Every thread works on a place of its own, so that both the
old value and the rounded sum are known."""
from . import ieee, narrow, values
from .case import Case
from .integer import file_name
from .values import columns, float_tuples

HOPPER = {"version": "8.1", "target": "sm_90"}


def at_own_place(form, size, operands, ins, outs, space="global", elements=1, loads="", name=None, **where):
    """%y0, the last output, becomes what the place holds afterwards."""
    pointer = "%g" if space == "global" else "%s"
    body = f"""
        mad.wide.u32 %g, %t, {size * elements}, %out;
        mov.u32 %s, tile;
        mad.lo.u32 %s, %t, {size * elements}, %s;
        st.{space}.b{8 * size} [{pointer}], %x0;
        {form} {operands.replace("ADDRESS", pointer)};
        {loads or f"ld.{space}.b{8 * size} %y0, [{pointer}];"}
        bar.sync 0;"""
    module = f".shared .align 16 .b8 tile[{size * elements * len(outs[0][1])}];"
    return Case(name or file_name(form), form, body, ins, outs, ".reg .b64 %g;\n.reg .b32 %s;", module, **(where or HOPPER))


def compare_and_swap():
    rng = values.generator("atom.cas.b16")
    old = [rng.getrandbits(16) for _ in range(64)]
    wanted = [x if i % 2 else rng.getrandbits(16) for i, x in enumerate(old)]
    new = [rng.getrandbits(16) for _ in range(64)]
    after = [n if o == w else o for o, w, n in zip(old, wanted, new)]
    for space in ("global", "shared"):
        for order in ("", ".acq_rel.gpu"):
            form = f"atom{order}.{space}.cas.b16"
            yield at_own_place(form, 2, "%y1, [ADDRESS], %x1, %x2", [("b16", old), ("b16", wanted), ("b16", new)], [("b16", after), ("b16", old)],
                               space, version="7.0", target="sm_75")


def finite_rows(t, name, count=64):
    fmt = narrow.FORMATS[t]
    return [row for row in float_tuples(name, fmt, 2, 4 * count) if not any(fmt.is_nan(x) for x in row)
            and ieee.add(fmt, *row) != ieee.NAN][:count]


def additions():
    for t in ("f16", "bf16"):
        rows = finite_rows(t, f"atom add {t}")
        sums = [ieee.add(narrow.FORMATS[t], *row) for row in rows]
        olds, addends = columns(rows)
        where = HOPPER if t == "bf16" else {"version": "7.0", "target": "sm_75"}
        for space in ("global", "shared"):
            form = f"atom.{space}.add.noftz.{t}"
            yield at_own_place(form, 2, "%y1, [ADDRESS], %x1", [("b16", olds), ("b16", addends)], [("b16", sums), ("b16", olds)], space, **where)
            form = f"red.{space}.add.noftz.{t}"
            yield at_own_place(form, 2, "[ADDRESS], %x1", [("b16", olds), ("b16", addends)], [("b16", sums)], space,
                               name=file_name(form) + "-one-a-thread", **where)
            form = f"atom.relaxed.gpu.{space}.add.noftz.{t}x2"
            pairs = [narrow.packed(column) for column in (olds, addends, sums)]
            yield at_own_place(form, 4, "%y1, [ADDRESS], %x1", [("b32", pairs[0]), ("b32", pairs[1])], [("b32", pairs[2]), ("b32", pairs[0])],
                               space, **where)


def vectors():
    """Vectors of numbers, each of which is an operation of its own."""
    functions = {"add": ieee.add, "min": ieee.minimum, "max": ieee.maximum}
    for t in ("f16", "bf16"):
        fmt = narrow.FORMATS[t]
        rows = [row for row in finite_rows(t, f"atom vectors {t}", 96) if not all(fmt.is_zero(x) for x in row)]
        for name, function in functions.items():
            for count in (2, 4, 8):
                yield vector(f"atom.global.{name}.noftz.v{count}.{t}", count, 2, rows, [function(fmt, *row) for row in rows])
                if count < 8:
                    pairs = [(b << 16 | a, d << 16 | c) for (a, c), (b, d) in zip(rows[0::2], rows[1::2])]
                    results = narrow.packed([function(fmt, *row) for row in rows])
                    yield vector(f"atom.global.{name}.noftz.v{count}.{t}x2", count, 4, pairs, results)


def vector(form, count, size, rows, results):
    threads = len(results) // count
    olds, operands = (column[:threads * count] for column in columns(rows))
    bits = 8 * size
    names = ["{" + ", ".join(f"%{letter}{i}" for i in range(count)) + "}" for letter in "abc"]
    loads = "\n".join(f"ld.global.b{bits} %a{i}, [%p+{size * i}];\nst.global.b{bits} [%q+{size * i}], %a{i};" for i in range(count))
    second = (size * threads * count + 15) // 16 * 16
    body = f"""
        mad.wide.u32 %p, %t, {size * count}, %in;
        mad.wide.u32 %q, %t, {size * count}, %out;
        {loads}
        {chr(10).join(f"ld.global.b{bits} %b{i}, [%p+{second + size * i}];" for i in range(count))}
        {form} {names[2]}, [%q], {names[1]};
        {chr(10).join(f"st.global.b{bits} [%q+{second + size * i}], %c{i};" for i in range(count))}"""
    column = f"b{bits}"
    return Case(file_name(form), form, body, [(column, olds), (column, operands)], [(column, results[:threads * count]), (column, olds)],
                f".reg .b{bits} %a<8>, %b<8>, %c<8>;\n.reg .b64 %q;", threads=threads, raw=True, **HOPPER)


def cases():
    for family in (compare_and_swap, additions, vectors):
        yield from family()
