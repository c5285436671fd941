#include "spe/programs/complex_multiplication.hpp"

#include <cmath>

#include "spe/programs/loops.hpp"

namespace warpwright::spe::complex_multiplication {
namespace {

constexpr u32 kComplexBytes = 8, kBatchBytes = 4 * kComplexBytes;
constexpr u32 kA = 0x2000, kB = kA + kCount * kComplexBytes, kC = kB + kCount * kComplexBytes;
// Batches of a round of the loop. Chosen: the published counts leave 0.65 instructions a batch for the loop itself.
constexpr u32 kUnrolled = 10;
static_assert(kIterations % kUnrolled == 0);

// Multiples of small powers of two around zero.
float realPart(u32 i, u32 which) { return 0.25f * static_cast<float>((i * 7 + which * 3) % 33) - 4.0f; }
float imaginaryPart(u32 i, u32 which) { return 0.125f * static_cast<float>((i * 5 + which * 11) % 65) - 4.0f; }

struct Complex {
  float re, im;
};
Complex value(u32 i, u32 which) { return {realPart(i, which), imaginaryPart(i, which)}; }

// In the order in which both forms compute.
Complex product(const Complex& a, const Complex& b) {
  const float minus = std::fma(-a.im, b.im, 0.0f);
  const float mixed = std::fma(a.im, b.re, 0.0f);
  return {std::fma(a.re, b.re, minus), std::fma(a.re, b.im, mixed)};
}

// As they come by DMA: structures, in the layout for views of their fields where there is one.
void fill(Spu& spu) {
  const Family family = spu.machine().sams ? Family(familyOf(kComplexBytes / 4)) : std::nullopt;
  for (u32 i = 0; i < kCount; ++i) {
    for (const u32 which : {0u, 1u}) {
      const u32 word = ((which == 0 ? kA : kB) + i * kComplexBytes) / 4;
      spu.localStore().write(word, family, std::bit_cast<u32>(value(i, which).re));
      spu.localStore().write(word + 1, family, std::bit_cast<u32>(value(i, which).im));
    }
  }
}

struct Parts {
  Quad re, im;
};

struct Constants {
  Quad zero, takesRe, takesIm, mergesLow, mergesHigh;
};

Constants constantsOf(Spu& spu) {
  return {spu.constant(0.0f), spu.pattern(wordPattern(0, 2, 4, 6)), spu.pattern(wordPattern(1, 3, 5, 7)),
          spu.pattern(wordPattern(0, 4, 1, 5)), spu.pattern(wordPattern(2, 6, 3, 7))};
}

Parts multiply(Spu& spu, const Parts& a, const Parts& b, const Quad& zero) {
  const Quad minus = spu.fnms(a.im, b.im, zero);
  const Quad mixed = spu.fma(a.im, b.re, zero);
  const Quad im = spu.fma(a.re, b.im, mixed);
  return {spu.fma(a.re, b.re, minus), im};
}

// Loads bring two structures each, whose fields are sorted, and the products' fields are merged again: six shuffles.
void batchWithShuffles(Spu& spu, const Constants& constants, const std::array<Quad, 3>& pointers, s32 offset) {
  const Quad a0 = spu.lqd(pointers[0], offset), a1 = spu.lqd(pointers[0], offset + 16);
  const Quad b0 = spu.lqd(pointers[1], offset), b1 = spu.lqd(pointers[1], offset + 16);
  Parts a, b;
  a.re = spu.shufb(a0, a1, constants.takesRe);
  b.re = spu.shufb(b0, b1, constants.takesRe);
  a.im = spu.shufb(a0, a1, constants.takesIm);
  b.im = spu.shufb(b0, b1, constants.takesIm);
  const Parts c = multiply(spu, a, b, constants.zero);
  const Quad low = spu.shufb(c.re, c.im, constants.mergesLow);
  const Quad high = spu.shufb(c.re, c.im, constants.mergesHigh);
  spu.stqd(low, pointers[2], offset);
  spu.stqd(high, pointers[2], offset + 16);
}

// A load brings a field of four structures.
void batchWithViews(Spu& spu, const Constants& constants, const std::array<Quad, 3>& pointers, s32 offset) {
  Parts a, b;
  a.re = spu.lqwsd(pointers[0], offset);
  b.re = spu.lqwsd(pointers[1], offset);
  a.im = spu.lqwsd(pointers[0], offset + 4);
  b.im = spu.lqwsd(pointers[1], offset + 4);
  const Parts c = multiply(spu, a, b, constants.zero);
  spu.stqwsd(c.im, pointers[2], offset + 4);
  spu.stqwsd(c.re, pointers[2], offset);
}

}  // namespace

Result run(Spu& spu) {
  fill(spu);
  const Constants constants = constantsOf(spu);
  std::array<Quad, 3> pointers{spu.ila(kA), spu.ila(kB), spu.ila(kC)};
  const bool views = spu.machine().sams;
  if (views) spu.setstride(kComplexBytes);
  repeat(spu, kIterations / kUnrolled, [&] {
    for (u32 i = 0; i < kUnrolled; ++i)
      (views ? batchWithViews : batchWithShuffles)(spu, constants, pointers, static_cast<s32>(i * kBatchBytes));
    for (Quad& pointer : pointers) pointer = spu.ai(pointer, kUnrolled * kBatchBytes);
  });
  const Family family = views ? Family(familyOf(kComplexBytes / 4)) : std::nullopt;
  Result result;
  for (u32 word = 0; word < 2 * kCount; ++word) result.push_back(spu.localStore().read(kC / 4 + word, family));
  return result;
}

Result expected() {
  Result result;
  for (u32 i = 0; i < kCount; ++i) {
    const Complex c = product(value(i, 0), value(i, 1));
    result.push_back(std::bit_cast<u32>(c.re));
    result.push_back(std::bit_cast<u32>(c.im));
  }
  return result;
}

}  // namespace warpwright::spe::complex_multiplication
