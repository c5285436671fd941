#include "exec/matrix_multiply.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "isa/semantics/convert.hpp"
#include "isa/semantics/environment.hpp"
#include "isa/semantics/small_float.hpp"

namespace warpwright::exec {
namespace {

using isa::MatrixElement;
using isa::semantics::Brain;
using isa::semantics::Half;

constexpr u32 kMostElements = 4096;  // of a matrix: 16 x 256
template <typename T>
using Elements = std::array<T, kMostElements>;

u64 bitsAt(const u32* planes, u32 stride, u32 lane, u32 element, u32 bits) {
  if (bits == 64) return planes[2 * element * stride + lane] | static_cast<u64>(planes[(2 * element + 1) * stride + lane]) << 32;
  const u32 position = element * bits;
  return planes[position / 32 * stride + lane] >> position % 32 & (bits == 32 ? ~u32{0} : (1u << bits) - 1);
}

void setBits(u32* planes, u32 stride, u32 lane, u32 element, u32 bits, u64 value) {
  if (bits == 64) {
    planes[2 * element * stride + lane] = static_cast<u32>(value);
    planes[(2 * element + 1) * stride + lane] = static_cast<u32>(value >> 32);
    return;
  }
  const u32 position = element * bits;
  u32& word = planes[position / 32 * stride + lane];
  const u32 mask = (bits == 32 ? ~u32{0} : (1u << bits) - 1) << position % 32;
  word = (word & ~mask) | (static_cast<u32>(value) << position % 32 & mask);
}

float fromSmall(isa::SmallFormat format, u64 bits) {
  isa::Modifiers modifiers;
  modifiers.small = format;
  return isa::semantics::widen(isa::semantics::fromSmall(modifiers, static_cast<u32>(bits)));
}

float toFloat(MatrixElement element, u64 bits) {
  constexpr u32 kTf32Mask = 0xffff'e000;
  switch (element) {
    case MatrixElement::f16:
      return isa::semantics::widen(Half{static_cast<u16>(bits)});
    case MatrixElement::bf16:
      return isa::semantics::widen(Brain{static_cast<u16>(bits)});
    case MatrixElement::tf32:
      return std::bit_cast<float>(static_cast<u32>(bits) & kTf32Mask);
    case MatrixElement::e4m3:
      return fromSmall(isa::SmallFormat::e4m3, bits);
    case MatrixElement::e5m2:
      return fromSmall(isa::SmallFormat::e5m2, bits);
    default:
      return std::bit_cast<float>(static_cast<u32>(bits));
  }
}

s32 toInteger(MatrixElement element, u64 bits) {
  switch (element) {
    case MatrixElement::s4:
      return static_cast<s32>(static_cast<u32>(bits) << 28) >> 28;
    case MatrixElement::s8:
      return static_cast<s8>(bits);
    default:
      return static_cast<s32>(bits);
  }
}

template <typename T>
T decoded(MatrixElement element, u64 bits) {
  if constexpr (std::is_same_v<T, float>) return toFloat(element, bits);
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(bits);
  if constexpr (std::is_same_v<T, s32>) return toInteger(element, bits);
  if constexpr (std::is_same_v<T, s64>) return toInteger(element, bits);
}

u64 encoded(MatrixElement element, float value) {
  if (element == MatrixElement::f16) return isa::semantics::narrow<Half>(isa::Rounding::nearest, value).bits;
  constexpr u32 kNan = 0x7fff'ffff;
  return std::isnan(value) ? kNan : std::bit_cast<u32>(value);
}
u64 encoded(MatrixElement, double value) {
  constexpr u64 kNan = 0x7fff'ffff'ffff'ffff;
  return std::isnan(value) ? kNan : std::bit_cast<u64>(value);
}

template <typename T>
void gather(MatrixElement element, const FragmentMap& map, const u32* planes, u32 stride, Elements<T>& to) {
  for (u32 lane = 0; lane < kMatrixLanes; ++lane) {
    for (u32 e = 0; e < map.perLane; ++e)
      to[map.index[lane * map.perLane + e]] = decoded<T>(element, bitsAt(planes, stride, lane, e, map.bits));
  }
}

template <typename T, typename Encode>
void scatter(const FragmentMap& map, const Elements<T>& from, u32* planes, u32 stride, Encode encode) {
  for (u32 lane = 0; lane < kMatrixLanes; ++lane) {
    for (u32 e = 0; e < map.perLane; ++e) setBits(planes, stride, lane, e, map.bits, encode(from[map.index[lane * map.perLane + e]]));
  }
}

struct MultiplyAdd {
  void operator()(float& sum, float a, float b) const { sum = static_cast<float>(static_cast<double>(sum) + static_cast<double>(a) * b); }
  void operator()(double& sum, double a, double b) const { sum = std::fma(a, b, sum); }
  void operator()(s64& sum, s32 a, s32 b) const { sum += s64{a} * b; }
};

struct CountDifferent {
  void operator()(s64& sum, s32 a, s32 b) const { sum += a ^ b; }
};

// Factors of type T, sums of type Sum. Not inlined, as RoundingScope wants.
template <typename T, typename Sum, typename Accumulate = MultiplyAdd, typename Encode>
[[gnu::noinline]] void multiplyAs(const MatrixPlan& plan, const MatrixRegisters& registers, Encode encode) {
  const isa::Matrix& m = plan.matrix;
  Elements<T> a, b;
  Elements<Sum> sums;
  gather(m.a, plan.a, registers.a, registers.stride, a);
  gather(m.b, plan.b, registers.b, registers.stride, b);
  gather(m.c, plan.c, registers.c, registers.stride, sums);
  for (u32 row = 0; row < plan.tiles * m.m; ++row) {
    const T* tileB = b.data() + row / m.m * m.k * m.n;
    Sum* to = sums.data() + row * m.n;
    for (u32 k = 0; k < m.k; ++k) {
      const T factor = a[row * m.k + k];
      for (u32 column = 0; column < m.n; ++column) Accumulate{}(to[column], factor, tileB[k * m.n + column]);
    }
  }
  scatter(plan.d, sums, registers.d, registers.stride, encode);
}

}  // namespace

MatrixPlan::MatrixPlan(const isa::Matrix& of)
    : matrix(of),
      tiles(tilesOf(of)),
      d(fragmentMap(of, isa::MatrixOperand::d)),
      a(fragmentMap(of, isa::MatrixOperand::a)),
      b(fragmentMap(of, isa::MatrixOperand::b)),
      c(fragmentMap(of, isa::MatrixOperand::c)) {}

void multiply(const MatrixPlan& plan, const MatrixRegisters& registers, const isa::Modifiers& modifiers) {
  const MatrixElement result = plan.matrix.d;
  if (result == MatrixElement::f64) {
    const isa::semantics::RoundingScope scope(modifiers.rounding);
    multiplyAs<double, double>(plan, registers, [&](double value) { return encoded(result, value); });
  } else if (result != MatrixElement::s32) {
    multiplyAs<float, float>(plan, registers, [&](float value) { return encoded(result, value); });
  } else {
    constexpr s64 kLeast = std::numeric_limits<s32>::min(), kMost = std::numeric_limits<s32>::max();
    const auto encode = [&](s64 value) { return static_cast<u32>(modifiers.saturate ? std::clamp(value, kLeast, kMost) : value); };
    plan.matrix.exclusive ? multiplyAs<s32, s64, CountDifferent>(plan, registers, encode) : multiplyAs<s32, s64>(plan, registers, encode);
  }
}

}  // namespace warpwright::exec
