"""setp, set, selp and slct (PTX ISA, Comparison and Selection Instructions)."""
from . import ieee, values
from .case import Case
from .integer import file_name
from .values import bits_of, columns, float_tuples, integer_tuples, interpret

ORDERED = {"eq": (0,), "ne": (-1, 1), "lt": (-1,), "le": (-1, 0), "gt": (1,), "ge": (1, 0)}
UNSIGNED_NAMES = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def integer_comparisons(type_name):
    if type_name[0] == "b":
        return ["eq", "ne"]
    names = list(ORDERED)
    return names + list(UNSIGNED_NAMES) if type_name[0] == "u" else names


def integer_holds(name, type_name, a, b):
    a, b = interpret(type_name, a), interpret(type_name, b)
    return ((a > b) - (a < b)) in ORDERED[UNSIGNED_NAMES.get(name, name)]


FLOAT_COMPARISONS = list(ORDERED) + ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]


def float_holds(name, fmt, a, b):
    order = ieee.compare(fmt, a, b)
    if name in ("num", "nan"):
        return (order is None) == (name == "nan")
    if order is None:
        return len(name) == 3
    return order in ORDERED[name[:2]]


def predicate_case(form, type_name, rows, holds):
    return Case(file_name(form), form, f"{form} %p0, %x0, %x1;\nselp.u32 %y0, 1, 0, %p0;",
                [(type_name, column) for column in columns(rows)], [("u32", [int(holds(*row)) for row in rows])],
                registers=".reg .pred %p0;")


def close_floats(name, fmt):
    """Pairs of which a third are equal, opposite zeros among them."""
    rows = float_tuples(name, fmt, 2)
    return [(a, a) if index % 3 == 0 else (a, b) for index, (a, b) in enumerate(rows)] + [(0, fmt.sign_bit), (fmt.sign_bit, 0)]


def close_integers(name, width):
    return [(a, a) if index % 3 == 0 else (a, b) for index, (a, b) in enumerate(integer_tuples(name, width, 2))]


def setp():
    for t in ("b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64"):
        for name in integer_comparisons(t):
            yield predicate_case(f"setp.{name}.{t}", t, close_integers("setp " + t, bits_of(t)),
                                 lambda a, b, name=name, t=t: integer_holds(name, t, a, b))
    for t in ("f32", "f64"):
        fmt = ieee.FORMATS[t]
        for name in FLOAT_COMPARISONS:
            rows = close_floats("setp " + t, fmt)
            yield predicate_case(f"setp.{name}.{t}", t, rows, lambda a, b, name=name, fmt=fmt: float_holds(name, fmt, a, b))
            if t == "f32":
                yield predicate_case(f"setp.{name}.ftz.f32", t, rows,
                                     lambda a, b, name=name, fmt=fmt: float_holds(name, fmt, fmt.flush(a), fmt.flush(b)))


COMBINE = {"and": lambda a, b: a and b, "or": lambda a, b: a or b, "xor": lambda a, b: a != b}


def setp_combined():
    """setp.lt.op p|q, a, b, c gives p = (a < b) op c and q = !(a < b) op c, here also with !c."""
    rows = [(a, b, c & 1) for (a, b), (c,) in zip(close_integers("combine", 32), integer_tuples("combined", 32, 1))]
    ins = [("s32", [r[0] for r in rows]), ("s32", [r[1] for r in rows]), ("u32", [r[2] for r in rows])]
    for name, combine in COMBINE.items():
        for bang in ("", "!"):
            form = f"setp.lt.{name}.s32"
            body = (f"setp.ne.u32 %p2, %x2, 0;\n{form} %p0|%p1, %x0, %x1, {bang}%p2;\n"
                    "selp.u32 %y0, 1, 0, %p0;\nselp.u32 %y1, 1, 0, %p1;")
            first, second = [], []
            for a, b, c in rows:
                less, operand = integer_holds("lt", "s32", a, b), bool(c) != (bang == "!")
                first.append(int(combine(less, operand)))
                second.append(int(combine(not less, operand)))
            yield Case(file_name(form) + ("-negated" if bang else ""), f"{form} p|q, a, b, {bang}c", body, ins,
                       [("u32", first), ("u32", second)], registers=".reg .pred %p<3>;")
    fmt = ieee.F32
    frows = [(a, b, c & 1) for (a, b), (c,) in zip(close_floats("combine", fmt), integer_tuples("combined float", 32, 1, 98))]
    for name, combine in COMBINE.items():
        form = f"setp.geu.{name}.f32"
        body = f"setp.ne.u32 %p1, %x2, 0;\n{form} %p0, %x0, %x1, %p1;\nselp.u32 %y0, 1, 0, %p0;"
        yield Case(file_name(form), form, body, [("f32", [r[0] for r in frows]), ("f32", [r[1] for r in frows]), ("u32", [r[2] for r in frows])],
                   [("u32", [int(combine(float_holds("geu", fmt, a, b), bool(c))) for a, b, c in frows])],
                   registers=".reg .pred %p<2>;")


def set_instruction():
    """set gives all ones, or 1.0, for true."""
    results = {"u32": 0xffffffff, "s32": 0xffffffff, "f32": 0x3f800000}
    for destination, truth in results.items():
        for t, name in (("u32", "lt"), ("s32", "ge"), ("b64", "ne"), ("u16", "hi"), ("s64", "le"), ("f32", "gtu"), ("f64", "eq")):
            form = f"set.{name}.{destination}.{t}"
            if t[0] == "f":
                rows = close_floats(form, ieee.FORMATS[t])
                holds = [float_holds(name, ieee.FORMATS[t], *row) for row in rows]
            else:
                rows = close_integers(form, bits_of(t))
                holds = [integer_holds(name, t, *row) for row in rows]
            yield Case(file_name(form), form, f"{form} %y0, %x0, %x1;", [(t, column) for column in columns(rows)],
                       [(destination, [truth if h else 0 for h in holds])])
    rows = close_integers("set and", 32)
    choice = [index & 1 for index in range(len(rows))]
    yield Case("set-lt-and-u32-s32", "set.lt.and.u32.s32", "setp.ne.u32 %p0, %x2, 0;\nset.lt.and.u32.s32 %y0, %x0, %x1, %p0;",
               [("s32", [r[0] for r in rows]), ("s32", [r[1] for r in rows]), ("u32", choice)],
               [("u32", [0xffffffff if integer_holds("lt", "s32", *r) and c else 0 for r, c in zip(rows, choice)])],
               registers=".reg .pred %p0;")


def selection():
    for t in ("b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64"):
        width = bits_of(t)
        rows = integer_tuples("selp " + t, width, 2)
        choice = [(index * 7 // 3) & 1 for index in range(len(rows))]
        yield Case(f"selp-{t}", f"selp.{t}", f"setp.ne.u32 %p0, %x2, 0;\nselp.{t} %y0, %x0, %x1, %p0;",
                   [(t, [r[0] for r in rows]), (t, [r[1] for r in rows]), ("u32", choice)],
                   [(t, [r[0] if c else r[1] for r, c in zip(rows, choice)])], registers=".reg .pred %p0;")
        selectors = values.integers("slct", 32, len(rows))
        yield Case(f"slct-{t}-s32", f"slct.{t}.s32", f"slct.{t}.s32 %y0, %x0, %x1, %x2;",
                   [(t, [r[0] for r in rows]), (t, [r[1] for r in rows]), ("s32", selectors)],
                   [(t, [r[0] if interpret("s32", s) >= 0 else r[1] for r, s in zip(rows, selectors)])])
    # A selector of NaN takes the second operand; -0 counts as zero; .ftz makes negative subnormals zero.
    fmt = ieee.F32
    edges = values.float_edges(fmt)
    rows = integer_tuples("slct f32", 32, 2, len(edges))
    for ftz in ("", ".ftz"):
        form = f"slct{ftz}.b32.f32"
        def first(c, ftz=ftz):
            return not fmt.is_nan(c) and (fmt.is_zero(fmt.flush(c) if ftz else c) or not fmt.negative(c))
        yield Case(file_name(form), form, f"{form} %y0, %x0, %x1, %x2;",
                   [("b32", [r[0] for r in rows]), ("b32", [r[1] for r in rows]), ("f32", edges)],
                   [("b32", [r[0] if first(c) else r[1] for r, c in zip(rows, edges)])])


def cases():
    for family in (setp, setp_combined, set_instruction, selection):
        yield from family()
