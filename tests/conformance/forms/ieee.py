"""IEEE 754 binary arithmetic on bit patterns, exact: values are rationals, and rounding happens once, here.

Every operation takes and returns integers that hold the bits of a value. NaN results are the string "nan": PTX leaves their
payload open for f64 and fixes it for f32, and the suite only asks for a NaN.
"""
from fractions import Fraction
from math import isqrt

NAN = "nan"


class Format:
    """A binary interchange format: `precision` counts the hidden bit."""

    def __init__(self, width, precision):
        self.width = width
        self.precision = precision
        self.exponent_bits = width - precision
        self.bias = (1 << (self.exponent_bits - 1)) - 1
        self.sign_bit = 1 << (width - 1)
        self.infinity = ((1 << self.exponent_bits) - 1) << (precision - 1)
        self.min_normal = 1 << (precision - 1)  # bits
        self.min_exponent = 1 - self.bias - (precision - 1)  # of the last place of subnormals

    def is_nan(self, bits):
        return bits & ~self.sign_bit > self.infinity

    def is_infinite(self, bits):
        return bits & ~self.sign_bit == self.infinity

    def is_zero(self, bits):
        return bits & ~self.sign_bit == 0

    def is_subnormal(self, bits):
        return 0 < bits & ~self.sign_bit < self.min_normal

    def negative(self, bits):
        return bits & self.sign_bit != 0

    def flush(self, bits):
        """A subnormal becomes the zero of its sign."""
        return bits & self.sign_bit if self.is_subnormal(bits) else bits

    def value(self, bits):
        """The rational value of a finite pattern."""
        magnitude = bits & ~self.sign_bit
        fraction = magnitude & (self.min_normal - 1)
        exponent = magnitude >> (self.precision - 1)
        if exponent:
            fraction |= self.min_normal
            exponent -= 1
        result = Fraction(fraction) * power_of_two(exponent + self.min_exponent)
        return -result if self.negative(bits) else result

    def round(self, value, mode="rn", zero_sign=False):
        """The pattern nearest to a rational in the given direction; `zero_sign` is the sign of an exact zero."""
        if value == 0:
            return self.sign_bit if zero_sign else 0
        negative = value < 0
        magnitude = -value if negative else value
        last_place = max(floor_log2(magnitude) - (self.precision - 1), self.min_exponent)
        scaled = magnitude / power_of_two(last_place)
        integer = round_integer(scaled, mode, negative)
        # Significands and exponents are adjacent: carrying out of one increments the other.
        if integer < self.min_normal:
            bits = integer
        else:
            bits = integer + ((last_place - self.min_exponent) << (self.precision - 1))
        if bits >= self.infinity:
            away = mode == "rn" or mode == ("rm" if negative else "rp")
            bits = self.infinity if away else self.infinity - 1
        return bits | (self.sign_bit if negative else 0)


F16 = Format(16, 11)
F32 = Format(32, 24)
F64 = Format(64, 53)
FORMATS = {"f16": F16, "f32": F32, "f64": F64}


def power_of_two(exponent):
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def floor_log2(value):
    estimate = value.numerator.bit_length() - value.denominator.bit_length()
    return estimate if power_of_two(estimate) <= value else estimate - 1


def round_integer(value, mode, negative=False):
    """Rounds a non-negative rational, the magnitude of a number with the given sign, to an integer."""
    whole, rest = divmod(value.numerator, value.denominator)
    if rest == 0:
        return whole
    if mode == "rn":
        twice = 2 * rest
        up = twice > value.denominator or (twice == value.denominator and whole % 2 == 1)
    else:
        up = mode == ("rm" if negative else "rp")
    return whole + up


def add(fmt, a, b, mode="rn"):
    if fmt.is_nan(a) or fmt.is_nan(b):
        return NAN
    if fmt.is_infinite(a):
        return NAN if fmt.is_infinite(b) and a != b else a
    if fmt.is_infinite(b):
        return b
    return fmt.round(fmt.value(a) + fmt.value(b), mode, sum_zero_sign(fmt.negative(a), fmt.negative(b), mode))


def sum_zero_sign(first, second, mode):
    """The sign of a sum that is exactly zero, from the signs of its terms."""
    return first if first == second else mode == "rm"


def sub(fmt, a, b, mode="rn"):
    return NAN if fmt.is_nan(b) else add(fmt, a, b ^ fmt.sign_bit, mode)


def mul(fmt, a, b, mode="rn"):
    if fmt.is_nan(a) or fmt.is_nan(b):
        return NAN
    negative = fmt.negative(a) != fmt.negative(b)
    if fmt.is_infinite(a) or fmt.is_infinite(b):
        return NAN if fmt.is_zero(a) or fmt.is_zero(b) else signed(fmt, fmt.infinity, negative)
    return fmt.round(fmt.value(a) * fmt.value(b), mode, negative)


def fma(fmt, a, b, c, mode="rn"):
    if fmt.is_nan(a) or fmt.is_nan(b) or fmt.is_nan(c):
        return NAN
    negative = fmt.negative(a) != fmt.negative(b)
    if fmt.is_infinite(a) or fmt.is_infinite(b):
        if fmt.is_zero(a) or fmt.is_zero(b):
            return NAN
        product = signed(fmt, fmt.infinity, negative)
        return NAN if fmt.is_infinite(c) and c != product else product
    if fmt.is_infinite(c):
        return c
    exact = fmt.value(a) * fmt.value(b) + fmt.value(c)
    return fmt.round(exact, mode, sum_zero_sign(negative, fmt.negative(c), mode))


def div(fmt, a, b, mode="rn"):
    if fmt.is_nan(a) or fmt.is_nan(b):
        return NAN
    negative = fmt.negative(a) != fmt.negative(b)
    if fmt.is_infinite(a):
        return NAN if fmt.is_infinite(b) else signed(fmt, fmt.infinity, negative)
    if fmt.is_infinite(b):
        return signed(fmt, 0, negative)
    if fmt.is_zero(b):
        return NAN if fmt.is_zero(a) else signed(fmt, fmt.infinity, negative)
    return fmt.round(fmt.value(a) / fmt.value(b), mode, negative)


def rcp(fmt, a, mode="rn"):
    return div(fmt, fmt.round(Fraction(1)), a, mode)


def sqrt(fmt, a, mode="rn"):
    if fmt.is_nan(a):
        return NAN
    if fmt.is_zero(a):
        return a
    if fmt.negative(a):
        return NAN
    if fmt.is_infinite(a):
        return a
    # The root to 2 * precision + 4 bits, with a last bit that says whether anything follows: enough to round it right.
    value = fmt.value(a)
    exponent = floor_log2(value) // 2 - (2 * fmt.precision + 4)
    scaled = value / power_of_two(2 * exponent)
    root = isqrt(scaled.numerator // scaled.denominator)
    exact = root * root == scaled
    return fmt.round(Fraction(2 * root + (0 if exact else 1)) * power_of_two(exponent - 1), mode)


def minimum(fmt, a, b):
    if fmt.is_nan(a) or fmt.is_nan(b):
        return NAN if fmt.is_nan(a) and fmt.is_nan(b) else (b if fmt.is_nan(a) else a)
    return a if order_key(fmt, a) <= order_key(fmt, b) else b


def maximum(fmt, a, b):
    if fmt.is_nan(a) or fmt.is_nan(b):
        return NAN if fmt.is_nan(a) and fmt.is_nan(b) else (b if fmt.is_nan(a) else a)
    return a if order_key(fmt, a) >= order_key(fmt, b) else b


def order_key(fmt, bits):
    magnitude = bits & ~fmt.sign_bit
    return -magnitude if fmt.negative(bits) else magnitude


def saturate(fmt, bits):
    """The .sat modifier: clamps to [0, 1]; NaN becomes +0."""
    if bits == NAN or fmt.is_nan(bits) or fmt.negative(bits):
        return 0
    return min(bits, fmt.round(Fraction(1)))


def signed(fmt, magnitude, negative):
    return magnitude | (fmt.sign_bit if negative else 0)


def compare(fmt, a, b):
    """-1, 0, 1, or None when unordered."""
    if fmt.is_nan(a) or fmt.is_nan(b):
        return None
    x, y = order_key(fmt, a), order_key(fmt, b)
    return (x > y) - (x < y)
