#include "spe/programs/streamcluster_access.hpp"

namespace warpwright::spe::streamcluster {
namespace {

constexpr s32 kQuadBytes = 16;

BytePattern all(u8 from) {
  BytePattern bytes{};
  bytes.fill(from);
  return bytes;
}

}  // namespace

Access::Access(Spu& spu) : spu_(spu), sorter_(spu), sams_(spu.machine().sams) {
  firstTwo_ = spu.constant(Words{~0u, ~0u, 0, 0});
  if (sams_) return;
  lowBits_ = spu.constant(Words{15, 15, 15, 15});
  bytesInOrder_ = spu.pattern(wordPattern(0, 1, 2, 3));
  lowestByte_ = spu.pattern(all(3));
}

Family Access::layoutFor(s32 bytes) const { return sams_ ? Family(familyOf(static_cast<u32>(bytes) / 4)) : std::nullopt; }

void Access::setStride(s32 bytes) {
  if (sams_) spu_.setstride(static_cast<u32>(bytes));
}

// ---- words

// The original brings the quad that has it, and turns it by where it lies in there.
Quad Access::word(const Quad& base, s32 offset) {
  if (sams_) return spu_.lqwsfd(base, offset);
  const Quad address = offset == 0 ? base : spu_.ai(base, offset);
  return spu_.rotqby(spu_.lqd(address, 0), address);
}

Quad Access::word(const Quad& base, const Quad& index) {
  if (sams_) return spu_.lqwsfx(base, index);
  return word(spu_.a(base, index));
}

void Access::setWord(const Quad& value, const Quad& base, s32 offset) {
  if (sams_) return spu_.stwwsfd(value, base, offset);
  const Quad old = spu_.lqd(base, offset);
  spu_.stqd(spu_.shufb(value, old, spu_.cwd(base, offset)), base, offset);
}

Quad Access::words(const Quad& base) { return sams_ ? spu_.lqwsfd(base, 0) : spu_.lqd(base, 0); }

void Access::setWords(const Quad& value, const Quad& base) { sams_ ? spu_.stqwsfd(value, base, 0) : spu_.stqd(value, base, 0); }

// ---- data

Place Access::place(const Quad& base) {
  if (!sams_) return shifted(base);
  return {spu_.lqwsfd(base, 0), spu_.lqwsfd(base, kQuadBytes), spu_.lqwsfd(base, 2 * kQuadBytes)};
}

// Three quads from any word on: two aligned loads for each, of which neighbours share one.
Place Access::shifted(const Quad& base) {
  std::array<Quad, 4> aligned;
  for (s32 i = 0; i < 4; ++i) aligned[static_cast<std::size_t>(i)] = spu_.lqd(base, kQuadBytes * i);
  const Quad shift = spu_.and_(base, lowBits_);
  const Quad pattern = spu_.a(bytesInOrder_, spu_.shufb(shift, shift, lowestByte_));
  Place place;
  for (std::size_t i = 0; i < place.size(); ++i) place[i] = spu_.shufb(aligned[i], aligned[i + 1], pattern);
  return place;
}

Quad Access::squaredDistance(const Place& a, const Place& b) {
  Place difference;
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] = spu_.fs(a[i], b[i]);
  difference[2] = spu_.and_(difference[2], firstTwo_);
  Quad sum = spu_.fm(difference[0], difference[0]);
  for (std::size_t i = 1; i < difference.size(); ++i) sum = spu_.fma(difference[i], difference[i], sum);
  return sumOfLanes(sum);
}

Dimensions Access::dimensions(const Quad& base) {
  if (!sams_) return sorted(base);
  Dimensions dimensions;
  for (s32 d = 0; d < static_cast<s32>(kDimensions); ++d) dimensions[static_cast<std::size_t>(d)] = spu_.lqwsd(base, 4 * d);
  return dimensions;
}

// Ten quads have four points. Two dimensions of a point are in one half of a quad, the same half for each second point.
Dimensions Access::sorted(const Quad& base) {
  Dimensions quads, result;
  for (s32 i = 0; i < static_cast<s32>(kDimensions); ++i) quads[static_cast<std::size_t>(i)] = spu_.lqd(base, kQuadBytes * i);
  const auto pairs = [&](u32 point, u32 d) {
    const u32 first = point * kDimensions + d, second = first + 2 * kDimensions;
    return first % 4 == 0 ? low(quads[first / 4], quads[second / 4]) : high(quads[first / 4], quads[second / 4]);
  };
  for (u32 d = 0; d < kDimensions; d += 2) {
    const Quad even = pairs(0, d), odd = pairs(1, d);
    result[d] = low(even, odd);
    result[d + 1] = high(even, odd);
  }
  return result;
}

Dimensions Access::spread(const Place& place) {
  Dimensions result;
  for (u32 d = 0; d < kDimensions; ++d) result[d] = sorter_.shuffle(place[d / 4], place[d / 4], {d % 4, d % 4, d % 4, d % 4});
  return result;
}

// ---- points

Four Access::fields(const Quad& base) {
  Four four;
  if (sams_) {
    four.weight = spu_.lqwsd(base, kWeightOffset);
    four.centre = spu_.lqwsd(base, kCentreOffset);
    four.cost = spu_.lqwsd(base, kCostOffset);
    return four;
  }
  auto& rows = four.rows;
  for (s32 i = 0; i < 4; ++i) rows[static_cast<std::size_t>(i)] = spu_.lqd(base, kPointBytes * i);
  four.weight = low(low(rows[0], rows[2]), low(rows[1], rows[3]));
  const Quad even = high(rows[0], rows[2]), odd = high(rows[1], rows[3]);
  four.centre = low(even, odd);
  four.cost = high(even, odd);
  return four;
}

Quad Access::costs(const Quad& base) {
  if (sams_) return spu_.lqwsd(base, kCostOffset);
  std::array<Quad, 4> rows;
  for (s32 i = 0; i < 4; ++i) rows[static_cast<std::size_t>(i)] = spu_.lqd(base, kPointBytes * i);
  return high(high(rows[0], rows[2]), high(rows[1], rows[3]));
}

void Access::setCentresAndCosts(const Four& four, const Quad& base) {
  if (sams_) {
    spu_.stqwsd(four.centre, base, kCentreOffset);
    spu_.stqwsd(four.cost, base, kCostOffset);
    return;
  }
  const std::array<Quad, 2> pairs{low(four.centre, four.cost), high(four.centre, four.cost)};
  for (u32 i = 0; i < 4; ++i) {
    const std::array<u32, 4> lanes = i % 2 == 0 ? std::array<u32, 4>{0, 1, 4, 5} : std::array<u32, 4>{0, 1, 6, 7};
    spu_.stqd(sorter_.shuffle(four.rows[i], pairs[i / 2], lanes), base, kPointBytes * static_cast<s32>(i));
  }
}

// ---- lanes

Quad Access::inAllLanes(const Quad& value) { return sorter_.shuffle(value, value, {0, 0, 0, 0}); }

Quad Access::sumOfLanes(const Quad& value) {
  const Quad halves = spu_.fa(value, spu_.rotqbyi(value, 8));
  return spu_.fa(halves, spu_.rotqbyi(halves, 4));
}

}  // namespace warpwright::spe::streamcluster
