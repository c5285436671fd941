"""Operand values: the edges of a type and, beyond them, pseudo-random ones that are the same in every run."""
import random

from . import ieee


def generator(name):
    return random.Random("warpwright conformance " + name)


def bits_of(type_name):
    return int(type_name[1:])


def is_signed(type_name):
    return type_name[0] == "s"


def signed_value(bits, width):
    bits &= (1 << width) - 1
    return bits - (1 << width) if bits >> (width - 1) else bits


def interpret(type_name, bits):
    """The integer that a pattern means in a type."""
    width = bits_of(type_name)
    return signed_value(bits, width) if is_signed(type_name) else bits & ((1 << width) - 1)


def limits(type_name):
    width = bits_of(type_name)
    if is_signed(type_name):
        return -(1 << (width - 1)), (1 << (width - 1)) - 1
    return 0, (1 << width) - 1


def clamp(value, low, high):
    return max(low, min(high, value))


def integer_edges(width):
    top = 1 << (width - 1)
    ones = (1 << width) - 1
    return [0, 1, 2, 3, 7, 10, top - 1, top, top + 1, ones, ones - 1, ones // 3, ones // 5 * 4, 1 << (width // 2), (1 << (width // 2)) - 1]


def random_integer(rng, width):
    """A pattern of random length, so that small and large magnitudes both occur; every second one is negated."""
    value = rng.getrandbits(rng.randint(1, width))
    return (-value if rng.random() < 0.5 else value) & ((1 << width) - 1)


def integers(name, width, count):
    rng = generator(name)
    values = integer_edges(width)[:count]
    while len(values) < count:
        values.append(random_integer(rng, width))
    return values


def tuples(name, edges, fresh, arity, count):
    """`count` operand tuples: first edges against edges in a random order, then half edges and half random values."""
    rng = generator(name)
    result = []
    for index in range(count):
        if index < count // 2:
            result.append(tuple(rng.choice(edges) for _ in range(arity)))
        else:
            result.append(tuple(fresh(rng) if rng.random() < 0.8 else rng.choice(edges) for _ in range(arity)))
    return result


def integer_tuples(name, width, arity, count=64):
    return tuples(name, integer_edges(width), lambda rng: random_integer(rng, width), arity, count)


def float_edges(fmt):
    one = fmt.round(ieee.Fraction(1))
    largest = fmt.infinity - 1
    positive = [0, 1, fmt.min_normal - 1, fmt.min_normal, fmt.min_normal + 1, one - 1, one, one + 1, fmt.round(ieee.Fraction(3, 2)),
                fmt.round(ieee.Fraction(1, 3)), fmt.round(ieee.Fraction(5, 2)), largest, largest - 1, fmt.infinity]
    quiet_nan = fmt.infinity | (1 << (fmt.precision - 2))
    return positive + [bits | fmt.sign_bit for bits in positive] + [quiet_nan]


def random_float(fmt, spread):
    """A generator of values around one, with exponents within +-spread."""
    def fresh(rng):
        exponent = fmt.bias + rng.randint(-spread, spread)
        return rng.getrandbits(1) << (fmt.width - 1) | exponent << (fmt.precision - 1) | rng.getrandbits(fmt.precision - 1)
    return fresh


def float_tuples(name, fmt, arity, count=96, spread=None):
    spread = spread or min(12, fmt.bias // 2)
    return tuples(name, float_edges(fmt), random_float(fmt, spread), arity, count)


def columns(rows):
    return [list(column) for column in zip(*rows)]
