#include "values/compact_form.hpp"

#include <bit>

namespace warpwright::values {

namespace {

constexpr LaneMask kEvenLanes(0x5555555555555555);

bool decodesToFirst(const CompactForm& form, const u32* lanes, u32 count) {
  const u32 stride = form.at(1) - form.base;
  u32 difference = lanes[0] ^ form.base;  // no early exit: the loop vectorises
  for (u32 lane = 1; lane < count; ++lane) difference |= (lanes[lane] - lanes[lane - 1]) ^ stride;
  return difference == 0;
}

bool decodesTo(const CompactForm& form, const u32* lanes, LaneMask active) {
  if (active.isPrefix()) return decodesToFirst(form, lanes, active.size());
  for (const LaneId lane : active) {
    if (lanes[lane] != form.at(lane)) return false;
  }
  return true;
}

// In a vector of the restricted form, both lanes of a pair are multiples of the stride and differ by it: their exclusive-or has the stride
// as its lowest bit, whether the carry goes further or not.
u8 log2Stride(u32 even, u32 odd) { return even == odd ? CompactForm::kUniform : static_cast<u8>(std::countr_zero(even ^ odd)); }

Encoding verified(const CompactForm& form, const u32* lanes, LaneMask active) {
  if (!decodesTo(form, lanes, active)) return {};
  return {Encoding::Outcome::encoded, form};
}

}  // namespace

Encoding Encoder::encode(const u32* lanes, LaneMask active) const {
  if (active.empty()) return {Encoding::Outcome::encoded, {}};
  const u32 first = active.least();
  if (active.hasOne()) return {Encoding::Outcome::encoded, {lanes[first], CompactForm::kUniform}};
  const LaneMask pairs = active & active.lowered(1) & kEvenLanes;  // the even lanes of complete pairs
  if (pairs.empty()) return {Encoding::Outcome::sparseMask, {}};

  const u32 even = pairs.least();
  const u8 shift = log2Stride(lanes[even], lanes[even + 1]);
  if (shift == CompactForm::kUniform) return verified({lanes[first], shift}, lanes, active);
  const u32 misalignment = lanes[first] & ((1U << shift) - 1);
  if (shift > maxLog2Stride_ || misalignment != 0) return {};
  return verified({lanes[first] - (first << shift), shift}, lanes, active);
}

void decode(const CompactForm& form, u32* lanes, u32 width) {
  const u32 stride = form.at(1) - form.base;
  for (u32 lane = 0; lane < width; ++lane) lanes[lane] = form.base + lane * stride;
}

}  // namespace warpwright::values
