"""cvt between every pair of types, with rounding, .ftz and .sat (PTX ISA, Data Movement and Conversion: cvt)."""
from . import ieee, values
from .case import Case, size_of
from .integer import file_name
from .values import bits_of, clamp, integers, interpret, is_signed, limits

INTEGERS = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"]
FLOATS = ["f16", "f32", "f64"]
INTEGER_MODES = {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}


def case(form, source, patterns, destination, expected):
    """8-bit destinations are stored through a 32-bit register, to see the extension as well."""
    return Case(file_name(form), form, f"{form} %y0, %x0;", [(source, patterns)], [(destination, expected)])


def between_integers():
    for source in INTEGERS:
        for destination in INTEGERS:
            patterns = integers(f"cvt {source}", bits_of(source), 40)
            numbers = [interpret(source, p) for p in patterns]
            if source != destination:
                expected = [interpret(destination, n) for n in numbers]
                if bits_of(destination) < 32:
                    yield extended(f"cvt.{destination}.{source}", source, patterns, destination, expected)
                else:
                    yield case(f"cvt.{destination}.{source}", source, patterns, destination, expected)
            low, high = limits(destination)
            source_low, source_high = limits(source)
            if source_low < low or source_high > high:  # .sat is allowed where values can be lost
                saturated = [clamp(n, low, high) for n in numbers]
                yield case(f"cvt.sat.{destination}.{source}", source, patterns, destination, saturated)


def extended(form, source, patterns, destination, expected):
    """A destination narrower than its 32-bit register: the result is extended according to the destination type."""
    return Case(file_name(form), f"{form} into a 32-bit register", f"{form} %y0, %x0;", [(source, patterns)],
                [("s32" if is_signed(destination) else "u32", expected)])


def from_integers():
    for source in INTEGERS:
        for destination in FLOATS:
            fmt = ieee.FORMATS[destination]
            patterns = integers(f"cvt {source}", bits_of(source), 40)
            numbers = [interpret(source, p) for p in patterns]
            modes = ["rn", "rz", "rm", "rp"] if bits_of(source) > 16 or destination == "f16" else ["rn"]
            for mode in modes:
                expected = [fmt.round(ieee.Fraction(n), mode) for n in numbers]
                yield case(f"cvt.{mode}.{destination}.{source}", source, patterns, destination, expected)


def float_patterns(type_name, count=40):
    """Edges, values of every magnitude, and numbers near integers and their halves."""
    fmt = ieee.FORMATS[type_name]
    rng = values.generator("cvt " + type_name)
    halves = [fmt.round(ieee.Fraction(n, 2)) for n in range(-9, 10) if n]
    reach = min(70, fmt.bias - 1)
    return values.float_edges(fmt) + halves + [values.random_float(fmt, reach)(rng) for _ in range(count)]


def integer_result(fmt, bits, mode, source, destination):
    low, high = limits(destination)
    if fmt.is_nan(bits):
        # Zero, except that 64-bit results and f64 sources give the pattern with only the top bit set.
        return 1 << (bits_of(destination) - 1) if source == "f64" or bits_of(destination) == 64 else 0
    if fmt.is_infinite(bits):
        return low if fmt.negative(bits) else high
    value = fmt.value(bits)
    magnitude = ieee.round_integer(abs(value), mode, value < 0)
    return clamp(-magnitude if value < 0 else magnitude, low, high)


def to_integers():
    for source in FLOATS:
        fmt = ieee.FORMATS[source]
        patterns = float_patterns(source)
        for destination in INTEGERS:
            # NaN to 8- and 16-bit integers from f64 is left out: the manual's rule and its shorter wording differ.
            usable = [p for p in patterns if not (fmt.is_nan(p) and (bits_of(destination) < 32 or source == "f16"))]
            for name, mode in INTEGER_MODES.items():
                expected = [integer_result(fmt, p, mode, source, destination) for p in usable]
                yield case(f"cvt.{name}.{destination}.{source}", source, usable, destination, expected)
    flushed = [ieee.F32.flush(p) for p in float_patterns("f32")]
    for name, mode in (("rmi", "rm"), ("rpi", "rp")):
        expected = [integer_result(ieee.F32, p, mode, "f32", "s32") for p in flushed]
        yield case(f"cvt.{name}.ftz.s32.f32", "f32", float_patterns("f32"), "s32", expected)


def resized(source, destination, bits, mode):
    fmt, target = ieee.FORMATS[source], ieee.FORMATS[destination]
    if fmt.is_nan(bits):
        return ieee.NAN
    if fmt.is_infinite(bits):
        return ieee.signed(target, target.infinity, fmt.negative(bits))
    return target.round(fmt.value(bits), mode, fmt.negative(bits))


def between_floats():
    for source, destination in (("f16", "f32"), ("f16", "f64"), ("f32", "f64")):
        patterns = float_patterns(source)
        yield case(f"cvt.{destination}.{source}", source, patterns, destination, [resized(source, destination, p, "rn") for p in patterns])
    for source, destination in (("f64", "f32"), ("f64", "f16"), ("f32", "f16")):
        patterns = float_patterns(source) + near_overflow(source, destination)
        for mode in ("rn", "rz", "rm", "rp"):
            expected = [resized(source, destination, p, mode) for p in patterns]
            yield case(f"cvt.{mode}.{destination}.{source}", source, patterns, destination, expected)
    patterns = float_patterns("f32")
    flushed = [ieee.F32.flush(p) for p in patterns]
    yield case("cvt.ftz.f64.f32", "f32", patterns, "f64", [resized("f32", "f64", p, "rn") for p in flushed])
    patterns = float_patterns("f64")
    results = [resized("f64", "f32", p, "rn") for p in patterns]
    usable = [(p, r) for p, r in zip(patterns, results) if r == ieee.NAN or r & 0x7fffffff != ieee.F32.min_normal]
    yield case("cvt.rn.ftz.f32.f64", "f64", [p for p, _ in usable], "f32",
               [r if r == ieee.NAN else ieee.F32.flush(r) for _, r in usable])
    yield case("cvt.rn.sat.f32.f64", "f64", patterns, "f32", [ieee.saturate(ieee.F32, r) for r in results])


def near_overflow(source, destination):
    """Values about the largest finite and the smallest subnormal number of the smaller type, where rounding modes part."""
    fmt, target = ieee.FORMATS[source], ieee.FORMATS[destination]
    largest, least = target.value(target.infinity - 1), target.value(1)
    exact = [largest, largest * ieee.Fraction(4097, 4096), least, least / 2, least / 2 * ieee.Fraction(513, 512), least / 4, least * 3 / 2]
    return [fmt.round(sign * value) for value in exact for sign in (1, -1)]


def to_integral_floats():
    for t in ("f32", "f64"):
        fmt = ieee.FORMATS[t]
        patterns = float_patterns(t)

        def integral(bits, mode, fmt=fmt):
            if fmt.is_nan(bits):
                return ieee.NAN
            if fmt.is_infinite(bits):
                return bits
            value = fmt.value(bits)
            magnitude = ieee.round_integer(abs(value), mode, value < 0)
            return fmt.round(ieee.Fraction(-magnitude if value < 0 else magnitude), "rn", fmt.negative(bits))

        for name, mode in INTEGER_MODES.items():
            yield case(f"cvt.{name}.{t}.{t}", t, patterns, t, [integral(p, mode) for p in patterns])
        if t == "f32":
            yield case("cvt.rpi.ftz.f32.f32", t, patterns, t, [integral(fmt.flush(p), "rp") for p in patterns])
    patterns = float_patterns("f32")
    yield case("cvt.sat.f32.f32", "f32", patterns, "f32", [ieee.saturate(ieee.F32, p) for p in patterns])
    yield case("cvt.ftz.f32.f32", "f32", patterns, "f32", ["nan" if ieee.F32.is_nan(p) else ieee.F32.flush(p) for p in patterns])


def cases():
    for family in (between_integers, from_integers, to_integers, between_floats, to_integral_floats):
        yield from family()
