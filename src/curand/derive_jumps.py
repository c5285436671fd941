#!/usr/bin/env python3
"""Writes include/warpwright_curand/jump_tables.hpp: how far the states of XORWOW and MRG32k3a jump in powers of two.

A state of XORWOW after n steps is q(T) applied to it, where T is one step and q the remainder of x^n by T's characteristic polynomial over
GF(2): five words for each power of two instead of a matrix of 800. The polynomial is found from the sequence of one bit (Berlekamp, Massey).
A state of MRG32k3a after n steps is the product with the n-th power of two matrices of three rows (L'Ecuyer).
"""

import random

BITS, MASK = 160, 0xFFFFFFFF
MODULUS = (4294967087, 4294944443)
STEP = (((0, 1, 0), (0, 0, 1), (-810728, 1403580, 0)), ((0, 1, 0), (0, 0, 1), (-1370589, 0, 527612)))


def next_state(state):
    shifted = state[0] ^ (state[0] >> 2)
    return state[1:] + [((state[4] ^ (state[4] << 4)) & MASK) ^ shifted ^ ((shifted << 1) & MASK)]


def characteristic_polynomial():
    random.seed(1)
    state, bits = [random.getrandbits(32) for _ in range(5)], []
    for _ in range(2 * BITS + 80):
        bits.append(state[0] & 1)
        state = next_state(state)
    connection, previous, length, gap = 1, 1, 0, 1
    for n, bit in enumerate(bits):
        for i in range(1, length + 1):
            bit ^= (connection >> i & 1) & bits[n - i]
        if not bit:
            gap += 1
            continue
        last = connection
        connection ^= previous << gap
        gap += 1
        if 2 * length <= n:
            length, previous, gap = n + 1 - length, last, 1
    assert length == BITS
    return int(f"{connection:0{BITS + 1}b}"[::-1], 2)


def square_modulo(value, modulus):
    spread = sum(1 << (2 * i) for i in range(BITS) if value >> i & 1)
    for i in range(2 * BITS - 2, BITS - 1, -1):
        if spread >> i & 1:
            spread ^= modulus << (i - BITS)
    return spread


def product(a, b, modulus):
    return tuple(tuple(sum(a[i][k] * b[k][j] for k in range(3)) % modulus for j in range(3)) for i in range(3))


def xorwow_row(value):
    return "{" + ", ".join(f"0x{value >> 32 * word & MASK:08x}" for word in range(BITS // 32)) + "},"


def mrg_row(matrices):
    return "{" + ", ".join(f"{value}u" for matrix in matrices for row in matrix for value in row) + "},"


def table(name, words, comment, rows):
    lines = "\n".join(f"  {row}" for row in rows)
    return f"// {comment}\nstatic __device__ const unsigned int {name}[{len(rows)}][{words}] = {{\n{lines}\n}};\n"


def main():
    modulus, polynomials = characteristic_polynomial(), [2]
    matrices = [STEP]
    for _ in range(67 + 63):
        polynomials.append(square_modulo(polynomials[-1], modulus))
    for _ in range(127 + 63):
        matrices.append(tuple(product(m, m, p) for m, p in zip(matrices[-1], MODULUS)))
    matrices[0] = tuple(tuple(tuple(v % p for v in row) for row in m) for m, p in zip(STEP, MODULUS))
    polynomials, matrices = [xorwow_row(value) for value in polynomials], [mrg_row(value) for value in matrices]
    print("// Jumps of generators. Made by derive_jumps.py.\n#pragma once\n\n// clang-format off\nnamespace warpwright::curand {\n")
    print(table("kXorwowSteps", 5, "x to the power of 2^k by the characteristic polynomial of a step, lowest coefficient first.", polynomials[:64]))
    print(table("kXorwowSequences", 5, "The same of 2^(67 + k).", polynomials[67:]))
    print(table("kMrgSteps", 18, "Both matrices of a step to the power of 2^k, row by row.", matrices[:64]))
    print(table("kMrgSubsequences", 18, "The same of 2^(76 + k).", matrices[76 : 76 + 64]))
    print(table("kMrgSequences", 18, "The same of 2^(127 + k).", matrices[127:]))
    print("}  // namespace warpwright::curand")


main()
