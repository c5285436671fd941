"""Arithmetic in f32 and f64 (PTX ISA, Floating Point Instructions): exact forms bit by bit, approximate ones within the manual's error."""
import math
import struct

from . import ieee, values
from .case import Case
from .integer import file_name
from .values import columns, float_tuples

ROUNDINGS = ["rn", "rz", "rm", "rp"]


def to_float(type_name, bits):
    return struct.unpack("<f" if type_name == "f32" else "<d", bits.to_bytes(4 if type_name == "f32" else 8, "little"))[0]


def from_float(type_name, value):
    """The nearest pattern of the type; values beyond its range become infinite."""
    if math.isnan(value):
        return ieee.NAN
    fmt = ieee.FORMATS[type_name]
    if math.isinf(value):
        return ieee.signed(fmt, fmt.infinity, value < 0)
    return fmt.round(ieee.Fraction(value), "rn", math.copysign(1, value) < 0)


def flushing(fmt, function):
    """The .ftz modifier: subnormal operands and results become zeros of their sign."""
    def flushed(*operands):
        result = function(*(fmt.flush(operand) for operand in operands))
        return result if result == ieee.NAN else fmt.flush(result)
    return flushed


def operation(form, type_name, function, arity, rows=None, tolerance="", ftz=False, sat=False):
    fmt = ieee.FORMATS[type_name]
    rows = rows or float_tuples(form, fmt, arity)
    rows = [row for row in rows if not ambiguous(fmt, row, function, ftz)]
    if ftz:
        function = flushing(fmt, function)
    expected = [function(*row) for row in rows]
    if sat:
        expected = [ieee.saturate(fmt, value) for value in expected]
    operands = ", ".join(f"%x{index}" for index in range(arity))
    return Case(file_name(form), form, f"{form} %y0, {operands};", [(type_name, column) for column in columns(rows)],
                [(type_name, expected, tolerance)])


def ambiguous(fmt, row, function, ftz):
    """Whether a flushed result depends on testing for subnormals before or after rounding, which the manual leaves open."""
    if not ftz:
        return False
    result = function(*(fmt.flush(operand) for operand in row))
    return result != ieee.NAN and result & ~fmt.sign_bit == fmt.min_normal


def variants(mnemonic, function, arity, modes=("", "rn", "rz", "rm", "rp"), sat=True):
    """Every rounding mode in both types; for f32 also .ftz and .sat. An empty mode is the default, round to nearest."""
    for mode in modes:
        dotted = f".{mode}" if mode else ""
        for t in ("f32", "f64"):
            fmt = ieee.FORMATS[t]
            def exact(*operands, fmt=fmt, mode=mode or "rn"):
                return function(fmt, *operands, mode)
            yield operation(f"{mnemonic}{dotted}.{t}", t, exact, arity)
            if t == "f64":
                continue
            yield operation(f"{mnemonic}{dotted}.ftz.f32", t, exact, arity, ftz=True)
            if sat:
                yield operation(f"{mnemonic}{dotted}.sat.f32", t, exact, arity, sat=True)
                yield operation(f"{mnemonic}{dotted}.ftz.sat.f32", t, exact, arity, ftz=True, sat=True)


def exact_arithmetic():
    yield from variants("add", ieee.add, 2)
    yield from variants("sub", ieee.sub, 2)
    yield from variants("mul", ieee.mul, 2)
    yield from variants("fma", ieee.fma, 3, ROUNDINGS)
    yield from variants("mad", ieee.fma, 3, ROUNDINGS)
    yield from variants("div", ieee.div, 2, ROUNDINGS, sat=False)
    yield from variants("rcp", ieee.rcp, 1, ROUNDINGS, sat=False)
    yield from variants("sqrt", ieee.sqrt, 1, ROUNDINGS, sat=False)


def opposite_zeros(fmt, row):
    return fmt.is_zero(row[0]) and fmt.is_zero(row[1]) and row[0] != row[1]


def selection():
    for t in ("f32", "f64"):
        fmt = ieee.FORMATS[t]
        for mnemonic, function in (("min", ieee.minimum), ("max", ieee.maximum)):
            for ftz in ([False, True] if t == "f32" else [False]):
                form = f"{mnemonic}{'.ftz' if ftz else ''}.{t}"
                # Which of two opposite zeros is returned is left open before PTX ISA 7.0.
                rows = [r for r in float_tuples(form, fmt, 2) if not opposite_zeros(fmt, [fmt.flush(v) if ftz else v for v in r])]
                yield operation(form, t, lambda a, b, fmt=fmt, f=function: f(fmt, a, b), 2, rows, ftz=ftz)
        yield operation(f"abs.{t}", t, lambda a, fmt=fmt: ieee.NAN if fmt.is_nan(a) else a & ~fmt.sign_bit, 1)
        yield operation(f"neg.{t}", t, lambda a, fmt=fmt: ieee.NAN if fmt.is_nan(a) else a ^ fmt.sign_bit, 1)
        def copy_sign(a, b, fmt=fmt):
            return (a & fmt.sign_bit) | (b & ~fmt.sign_bit)
        rows = [row for row in float_tuples(f"copysign.{t}", fmt, 2) if not fmt.is_nan(row[1])]
        yield operation(f"copysign.{t}", t, copy_sign, 2, rows)
    yield operation("abs.ftz.f32", "f32", lambda a: ieee.NAN if ieee.F32.is_nan(a) else a & 0x7fffffff, 1, ftz=True)
    yield operation("neg.ftz.f32", "f32", lambda a: ieee.NAN if ieee.F32.is_nan(a) else a ^ 0x80000000, 1, ftz=True)
    for mnemonic, function in (("min", ieee.minimum), ("max", ieee.maximum)):
        def strict(a, b, function=function):
            return ieee.NAN if ieee.F32.is_nan(a) or ieee.F32.is_nan(b) else function(ieee.F32, a, b)
        form = f"{mnemonic}.NaN.f32"
        rows = [row for row in float_tuples(form, ieee.F32, 2) if not opposite_zeros(ieee.F32, row)]
        case = operation(form, "f32", strict, 2, rows)
        case.target = "sm_80"
        yield case


def test_properties():
    properties = {
        "finite": lambda f, a: not f.is_nan(a) and not f.is_infinite(a),
        "infinite": lambda f, a: f.is_infinite(a),
        "number": lambda f, a: not f.is_nan(a),
        "notanumber": lambda f, a: f.is_nan(a),
        "normal": lambda f, a: not (f.is_nan(a) or f.is_infinite(a) or f.is_zero(a) or f.is_subnormal(a)),
        "subnormal": lambda f, a: f.is_subnormal(a),
    }
    for t in ("f32", "f64"):
        fmt = ieee.FORMATS[t]
        patterns = values.float_edges(fmt)
        for name, holds in properties.items():
            form = f"testp.{name}.{t}"
            # Zero is neither normal nor subnormal by name, but the manual counts it as .normal's complement only for subnormals.
            rows = [p for p in patterns if not (fmt.is_zero(p) and name in ("normal", "subnormal"))]
            yield Case(file_name(form), form, f"{form} %p0, %x0;\nselp.u32 %y0, 1, 0, %p0;", [(t, rows)],
                       [("u32", [int(holds(fmt, p)) for p in rows])], registers=".reg .pred %p0;")


def normal_positive(form, low, high, count=64, type_name="f32"):
    """Values spread evenly over exponents between two powers of two."""
    rng = values.generator(form)
    fmt = ieee.FORMATS[type_name]
    return [((fmt.bias + rng.randint(low, high - 1)) << (fmt.precision - 1)) | rng.getrandbits(fmt.precision - 1) for _ in range(count)]


def evaluate(type_name, function):
    def on_bits(*operands):
        return from_float(type_name, function(*(to_float(type_name, operand) for operand in operands)))
    return on_bits


def special(form, type_name, rows):
    """Exact results at special operands: zeros, infinities and NaN."""
    operands = ", ".join(f"%x{index}" for index in range(len(rows[0][0])))
    return Case(file_name(form) + "-special", f"{form} at special values", f"{form} %y0, {operands};",
                [(type_name, column) for column in columns([row[0] for row in rows])], [(type_name, [row[1] for row in rows])])


INF, NEG_INF, QNAN, ONE, NEG_ONE, NEG_ZERO = 0x7f800000, 0xff800000, 0x7fc00000, 0x3f800000, 0xbf800000, 0x80000000


def approximations():
    both_signs = normal_positive("approx", -125, 125)
    both_signs = [v | (0x80000000 if i % 3 == 0 else 0) for i, v in enumerate(both_signs)]
    dividends = normal_positive("dividend", -60, 60)
    divisors = normal_positive("divisor", -60, 60)
    for suffix in ("approx", "approx.ftz", "full", "full.ftz"):
        yield operation(f"div.{suffix}.f32", "f32", evaluate("f32", lambda a, b: a / b), 2, list(zip(dividends, divisors)), "ulp 2")
    for ftz in ("", ".ftz"):
        yield operation(f"rcp.approx{ftz}.f32", "f32", evaluate("f32", lambda a: 1 / a), 1, [(v,) for v in both_signs], "ulp 1")
        positive = [(v,) for v in normal_positive("root", -125, 126)]
        yield operation(f"sqrt.approx{ftz}.f32", "f32", evaluate("f32", math.sqrt), 1, positive, f"rel {2**-23!r}")
        yield operation(f"rsqrt.approx{ftz}.f32", "f32", evaluate("f32", lambda a: 1 / math.sqrt(a)), 1, positive, f"rel {2**-22.4!r}")
        angles = [from_float("f32", -2 * math.pi + 4 * math.pi * k / 95) for k in range(1, 95)]
        for name, function in (("sin", math.sin), ("cos", math.cos)):
            yield operation(f"{name}.approx{ftz}.f32", "f32", evaluate("f32", function), 1, [(v,) for v in angles], f"abs {2**-20.5!r}")
        exponents = [from_float("f32", -120 + 240 * k / 95) for k in range(96)]
        yield operation(f"ex2.approx{ftz}.f32", "f32", evaluate("f32", lambda a: 2.0**a), 1, [(v,) for v in exponents], "ulp 2")
        near_one = [(from_float("f32", 0.5 + 1.5 * k / 63),) for k in range(64)]
        yield operation(f"lg2.approx{ftz}.f32", "f32", evaluate("f32", math.log2), 1, near_one, f"abs {2**-22!r}")
    far = [(v,) for v in normal_positive("log", 2, 120)] + [(v,) for v in normal_positive("log small", -120, -2)]
    case = operation("lg2.approx.f32", "f32", evaluate("f32", math.log2), 1, far, f"rel {2**-22!r}")
    case.name, case.form = "lg2-approx-f32-wide", "lg2.approx.f32 far from one"
    yield case
    arguments = [(from_float("f32", -8 + 16 * k / 95),) for k in range(96)]
    yield operation("tanh.approx.f32", "f32", evaluate("f32", math.tanh), 1, arguments, f"rel {2**-10.9!r}")


def approximations_in_double():
    # The manual: rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 work on the upper words alone, about 20 bits of mantissa.
    patterns = [(v,) for v in normal_positive("double", -300, 300, 64, "f64")]
    yield operation("rsqrt.approx.f64", "f64", evaluate("f64", lambda a: 1 / math.sqrt(a)), 1, patterns, f"rel {2**-19!r}")
    yield operation("rcp.approx.ftz.f64", "f64", evaluate("f64", lambda a: 1 / a), 1, patterns, f"rel {2**-19!r}")


def special_values():
    yield special("rcp.approx.f32", "f32", [((0,), INF), ((NEG_ZERO,), NEG_INF), ((INF,), 0), ((NEG_INF,), NEG_ZERO), ((QNAN,), "nan")])
    yield special("sqrt.approx.f32", "f32", [((0,), 0), ((NEG_ZERO,), NEG_ZERO), ((INF,), INF), ((NEG_INF,), "nan"), ((NEG_ONE,), "nan"),
                                             ((QNAN,), "nan")])
    yield special("rsqrt.approx.f32", "f32", [((0,), INF), ((NEG_ZERO,), NEG_INF), ((INF,), 0), ((NEG_INF,), "nan"), ((NEG_ONE,), "nan"),
                                              ((QNAN,), "nan")])
    yield special("sin.approx.f32", "f32", [((0,), 0), ((NEG_ZERO,), NEG_ZERO), ((INF,), "nan"), ((NEG_INF,), "nan"), ((QNAN,), "nan")])
    yield special("cos.approx.f32", "f32", [((0,), ONE), ((NEG_ZERO,), ONE), ((INF,), "nan"), ((NEG_INF,), "nan"), ((QNAN,), "nan")])
    yield special("ex2.approx.f32", "f32", [((0,), ONE), ((NEG_ZERO,), ONE), ((INF,), INF), ((NEG_INF,), 0), ((QNAN,), "nan")])
    yield special("lg2.approx.f32", "f32", [((ONE,), 0), ((0,), NEG_INF), ((NEG_ZERO,), NEG_INF), ((INF,), INF), ((NEG_ONE,), "nan"),
                                            ((QNAN,), "nan")])
    large = 0x7f000000  # 2^127: beyond 2^126 the quotient of div.approx is zero, or NaN for an infinite dividend
    yield special("div.approx.f32", "f32", [((ONE, 0), INF), ((NEG_ONE, 0), NEG_INF), ((0, 0), "nan"), ((INF, INF), "nan"), ((ONE, INF), 0),
                                            ((QNAN, ONE), "nan"), ((ONE, large), 0), ((INF, large), "nan")])
    yield special("div.full.f32", "f32", [((ONE, 0), INF), ((NEG_ONE, 0), NEG_INF), ((0, 0), "nan"), ((INF, INF), "nan"), ((ONE, INF), 0),
                                          ((QNAN, ONE), "nan"), ((large, large), ONE)])


def canonical_nan():
    """f32 arithmetic gives one NaN, 0x7fffffff."""
    body = "add.f32 %y0, %x0, %x1;\nmul.f32 %y1, %x0, %x1;\nfma.rn.f32 %y2, %x0, %x1, %x1;\nmin.f32 %y3, %x0, %x0;"
    nans = [QNAN, 0x7f800001, 0xffc12345, 0xffffffff]
    result = [0x7fffffff] * len(nans)
    yield Case("canonical-nan-f32", "add, mul, fma, min of f32 NaNs", body, [("f32", nans), ("f32", [ONE, 0, INF, NEG_ONE])],
               [("b32", result)] * 4, registers="")


def cases():
    for family in (exact_arithmetic, selection, test_properties, approximations, approximations_in_double, special_values, canonical_nan):
        yield from family()
