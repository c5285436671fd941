#!/usr/bin/env python3
"""Derives the polynomials of the device math library and prints include/warpwright/math/polynomials.h.

Each polynomial interpolates its function at Chebyshev nodes, computed with 60 digits (mpmath), which is within a small factor of the
minimax polynomial of that degree. The greatest relative error that the header states is measured on 400 points with the rounded
coefficients in exact arithmetic.

Usage: derive_polynomials.py > ../include/warpwright/math/polynomials.h
"""
import struct
import sys

import mpmath as mp

mp.mp.dps = 60


def chebyshev_fit(f, a, b, degree):
    """Monomial coefficients, lowest first, of the interpolant of f at the Chebyshev nodes of [a, b]."""
    n = degree + 1
    nodes = [(a + b) / 2 + (b - a) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    values = [f(x) for x in nodes]
    # Newton's divided differences, then expansion; 60 digits leave ample room.
    coefficients = list(values)
    for j in range(1, n):
        for i in range(n - 1, j - 1, -1):
            coefficients[i] = (coefficients[i] - coefficients[i - 1]) / (nodes[i] - nodes[i - j])
    result = [mp.mpf(0)]
    for i in range(n - 1, -1, -1):
        shifted = [mp.mpf(0)] + result
        for k in range(len(result)):
            shifted[k] -= nodes[i] * result[k]
        shifted[0] += coefficients[i]
        result = shifted
    return result[:n]


def to_f32(x):
    return mp.mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def to_f64(x):
    return mp.mpf(float(x))


def evaluate(coefficients, x):
    total = mp.mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def hexadecimal(x, single):
    return float(x).hex() + ("f" if single else "")


def emit(name, text, f, a, b, degree, single=False):
    a, b = mp.mpf(a), mp.mpf(b)
    rounded = [(to_f32 if single else to_f64)(c) for c in chebyshev_fit(f, a, b, degree)]
    worst = mp.mpf(0)
    scale = max(abs(f(a + (b - a) * (i + mp.mpf(1) / 2) / 400)) for i in range(0, 400, 8))
    for i in range(400):
        x = a + (b - a) * (i + mp.mpf(1) / 2) / 400
        worst = max(worst, abs(evaluate(rounded, x) - f(x)) / scale)
    error = "0" if worst == 0 else "2^%.1f" % float(mp.log(worst, 2))
    kind = "float" if single else "double"
    print("// %s on [%s, %s]; error %s of its greatest value." % (text, mp.nstr(a, 6), mp.nstr(b, 6), error))
    print("WARPWRIGHT_MATH %s %s(%s x) {" % (kind, name, kind))
    print("  %s p = %s;" % (kind, hexadecimal(rounded[-1], single)))
    for c in reversed(rounded[:-1]):
        print("  p = fma(p, x, %s);" % hexadecimal(c, single))
    print("  return p;\n}\n")
    sys.stdout.flush()


def at_root(f, series):
    """f(sqrt(z)), with the limit at z = 0."""
    return lambda z: series if z == 0 else f(mp.sqrt(z))


def exp_tail(x):
    return mp.mpf(1) / 2 + x / 6 if abs(x) < 1e-30 else (mp.expm1(x) - x) / x**2


def log_tail(x):
    """log(1+x) = x - x^2/2 + x^3 * this."""
    return mp.mpf(1) / 3 - x / 4 if abs(x) < 1e-30 else (mp.log1p(x) - x + x * x / 2) / x**3


def erfcx(x):
    return mp.exp(x * x) * mp.erfc(x)


def erfcx_of_q(q):
    x = 4 * (1 + q) / (1 - q)
    return (1 + 2 * x) * erfcx(x) if x < 1000 else (1 + 2 * x) / (x * mp.sqrt(mp.pi)) * (1 - 1 / (2 * x * x) + 3 / (4 * x**4))


def inverse_erf_complement(y):
    """x with erfc(x) = y, for 0 < y <= 1."""
    x = mp.sqrt(-mp.log(y * mp.sqrt(mp.pi))) if y < 0.1 else mp.mpf(1) / 2
    for _ in range(200):
        step = (mp.erfc(x) - y) * mp.exp(x * x) * mp.sqrt(mp.pi) / 2
        x += step / (1 - x * step)  # Halley's method
        if abs(step) < mp.mpf(10) ** -50 * (1 + abs(x)):
            return x
    return x


def inverse_erf_of_w(w):
    """erfinv(x) / x with w = -log(1 - x^2)."""
    if w == 0:
        return mp.sqrt(mp.pi) / 2
    x = mp.sqrt(-mp.expm1(-w))
    y = mp.exp(-w) / (1 + x)
    return inverse_erf_complement(y) / x


def inverse_erfc_of_s(s):
    """erfcinv(y) / s with s = sqrt(-log(y (2 - y)))."""
    w = s * s
    x2 = -mp.expm1(-w)
    y = mp.exp(-w) / (1 + mp.sqrt(x2))
    return inverse_erf_complement(y) / s


def stirling(z):
    """x (log gamma(x) - (x - 1/2) log x + x - log(2 pi)/2) with z = 1/x^2."""
    if z == 0:
        return mp.mpf(1) / 12
    x = 1 / mp.sqrt(z)
    return x * (mp.loggamma(x) - (x - mp.mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2)


def lgamma2(t):
    return (mp.loggamma(2 + t) / t).real if t != 0 else 1 - mp.euler


def bessel_phase(order, part):
    """The slowly varying factors of J and Y: sqrt(pi x/2) (J + iY) exp(-i chi), chi = x - order pi/2 - pi/4; u = (8/x)^2."""

    def f(u):
        if u == 0:
            return mp.mpf(1) if part == 0 else mp.mpf(-1 if order == 0 else 3) / 8
        x = 8 / mp.sqrt(u)
        chi = x - order * mp.pi / 2 - mp.pi / 4
        j, y, scale = mp.besselj(order, x), mp.bessely(order, x), mp.sqrt(mp.pi * x / 2)
        if part == 0:
            return scale * (j * mp.cos(chi) + y * mp.sin(chi))
        return x * scale * (y * mp.cos(chi) - j * mp.sin(chi))

    return f


def bessel_y_regular(order):
    """The part of Y without its singularity, of v = x^2/32 - 1."""

    def f(v):
        x = mp.sqrt(32 * (v + 1))
        if order == 0:
            return mp.bessely(0, x) - 2 / mp.pi * mp.log(x) * mp.besselj(0, x)
        return (mp.bessely(1, x) - 2 / mp.pi * (mp.log(x) * mp.besselj(1, x) - 1 / x)) / x

    return f


print("""// Generated by src/cc/math/derive_polynomials.py; do not edit.
#pragma once

#include "warpwright/math/define.h"

namespace warpwright::math {
""")

LN2_HALF = mp.log(2) / 2 * (1 + mp.mpf(2) ** -20)
EIGHTH_TURN2 = (mp.pi / 4) ** 2 * (1 + mp.mpf(2) ** -20)
ATANH_END = (3 - 2 * mp.sqrt(2)) ** 2 * (1 + mp.mpf(2) ** -20)
sin_tail = at_root(lambda x: (mp.sin(x) / x - 1) / x**2, -mp.mpf(1) / 6)
cos_tail = at_root(lambda x: (mp.cos(x) - 1 + x * x / 2) / x**4, mp.mpf(1) / 24)
atan_tail = at_root(lambda x: (mp.atan(x) / x - 1) / x**2, -mp.mpf(1) / 3)
asin_tail = at_root(lambda x: (mp.asin(x) / x - 1) / x**2, mp.mpf(1) / 6)
atanh_tail = at_root(lambda x: (mp.atanh(x) / x - 1) / x**2, mp.mpf(1) / 3)
erf_tail = at_root(lambda x: mp.erf(x) / x - 1, 2 / mp.sqrt(mp.pi) - 1)

emit("polyExpTail", "(exp(x) - 1 - x) / x^2", exp_tail, -LN2_HALF, LN2_HALF, 10)
emit("polyAtanhTail", "(atanh(s)/s - 1) / x with x = s^2,", atanh_tail, 0, ATANH_END, 8)
emit("polyAtanhTail2", "((atanh(s)/s - 1) / x - 1/3) / x with x = s^2,",
     at_root(lambda s: ((mp.atanh(s) / s - 1) / s**2 - mp.mpf(1) / 3) / s**2, mp.mpf(1) / 5), 0, ATANH_END, 7)
emit("polySinTail", "(sin(r)/r - 1) / x with x = r^2,", sin_tail, 0, EIGHTH_TURN2, 6)
emit("polyCosTail", "(cos(r) - 1 + x/2) / x^2 with x = r^2,", cos_tail, 0, EIGHTH_TURN2, 6)
emit("polyAtanTail", "(atan(r)/r - 1) / x with x = r^2,", atan_tail, 0, 1, 21)
emit("polyAsinTail", "(asin(r)/r - 1) / x with x = r^2,", asin_tail, 0, mp.mpf(1) / 4, 15)
emit("polyCbrt", "cbrt(x)", mp.cbrt, 1, 2, 4)
emit("polyErfTail", "erf(r)/r - 1 with x = r^2,", erf_tail, 0, 1, 13)
emit("polyErfcx", "(1 + 2r) erfcx(r) with x = (r - 4)/(r + 4),", erfcx_of_q, -1, 1, 26)
emit("polyErfinvCentral", "erfinv(r)/r with x = 3.125 + log(1 - r^2), negated: x = w - 3.125,",
     lambda x: inverse_erf_of_w(x + mp.mpf("3.125")), -3.125, 3.125, 22)
emit("polyErfcinvMiddle", "erfcinv(y)/s with s = sqrt(-log(y(2 - y))), x = s - 3.25,",
     lambda x: inverse_erfc_of_s(x + mp.mpf("3.25")), -0.76, 0.76, 18)
emit("polyErfcinvFar", "erfcinv(y)/s with x = 1/s - 0.1875,",
     lambda x: inverse_erfc_of_s(1 / (x + mp.mpf("0.1875"))), 1 / 27.5 - 0.1875, 0.0630, 26)
emit("polyGamma", "gamma(2 + x)", lambda t: mp.gamma(2 + t), 0, 1, 17)
emit("polyLgamma2", "lgamma(2 + x) / x", lgamma2, -0.5, 0.5, 19)
emit("polyStirling", "the remainder of Stirling's series times r, with x = 1/r^2,", stirling, 0, mp.mpf(1) / 64, 7)
for order in (0, 1):
    emit("polyJ%d" % order, "J%d(r)%s with x = r^2/32 - 1," % (order, "/r" if order else ""),
         (lambda v: mp.besselj(0, mp.sqrt(32 * (v + 1)))) if order == 0
         else (lambda v: mp.besselj(1, mp.sqrt(32 * (v + 1))) / mp.sqrt(32 * (v + 1)) if v != -1 else mp.mpf(1) / 2), -1, 1, 17)
    emit("polyY%d" % order, "the regular part of Y%d(r)%s with x = r^2/32 - 1," % (order, "/r" if order else ""), bessel_y_regular(order), -1, 1, 17)
    emit("polyBesselP%d" % order, "the in-phase factor of J%d and Y%d with x = (8/r)^2," % (order, order), bessel_phase(order, 0), 0, 1, 14)
    emit("polyBesselQ%d" % order, "r times their quadrature factor with x = (8/r)^2,", bessel_phase(order, 1), 0, 1, 14)
    emit("polyI%d" % order, "I%d(r)%s with x = r^2/64," % (order, "/r" if order else ""),
         (lambda u: mp.besseli(0, 8 * mp.sqrt(u))) if order == 0
         else (lambda u: mp.besseli(1, 8 * mp.sqrt(u)) / (8 * mp.sqrt(u)) if u != 0 else mp.mpf(1) / 2), 0, 1, 17)
    emit("polyI%dFar" % order, "sqrt(r) exp(-r) I%d(r) with x = 16/r - 1," % order,
         lambda x, order=order: mp.sqrt(16 / (1 + x)) * mp.exp(-16 / (1 + x)) * mp.besseli(order, 16 / (1 + x)) if x > -0.9999999
         else 1 / mp.sqrt(2 * mp.pi), -1, 1, 24)

emit("polyExpTail", "(exp(x) - 1 - x) / x^2", exp_tail, -LN2_HALF, LN2_HALF, 4, True)
emit("polyLogTail", "(log(1 + x) - x + x^2/2) / x^3", log_tail, -mp.mpf(1) / 3, mp.mpf(1) / 3, 8, True)
emit("polySinTail", "(sin(r)/r - 1) / x with x = r^2,", sin_tail, 0, EIGHTH_TURN2, 3, True)
emit("polyCosTail", "(cos(r) - 1 + x/2) / x^2 with x = r^2,", cos_tail, 0, EIGHTH_TURN2, 2, True)
emit("polyAtanTail", "(atan(r)/r - 1) / x with x = r^2,", atan_tail, 0, 1, 9, True)
emit("polyAsinTail", "(asin(r)/r - 1) / x with x = r^2,", asin_tail, 0, mp.mpf(1) / 4, 5, True)
emit("polyAtanhTail", "(atanh(s)/s - 1) / x with x = s^2,", atanh_tail, 0, ATANH_END, 3, True)
emit("polyErfTail", "erf(r)/r - 1 with x = r^2,", erf_tail, 0, 1, 7, True)

print("}  // namespace warpwright::math")
