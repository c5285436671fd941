// How streamcluster reaches structures and words of the local store: with shuffles on the original SPE, in their layouts with SAMS.
#pragma once

#include "spe/programs/sorter.hpp"
#include "spe/programs/streamcluster_search.hpp"

namespace warpwright::spe::streamcluster {

inline constexpr s32 kDataBytes = sizeof(PointData), kPointBytes = sizeof(Point);
static_assert(kDataBytes == 40 && kPointBytes == 16);
inline constexpr s32 kWeightOffset = 0, kCentreOffset = 8, kCostOffset = 12;

// All coordinates of a point, from word 0 of the first on. The last half is zero in differences only.
using Place = std::array<Quad, 3>;
using Dimensions = std::array<Quad, kDimensions>;

// Fields of four points.
struct Four {
  Quad weight, centre, cost;
  std::array<Quad, 4> rows;  // the points themselves, where fields have to be put back into them
};

class Access {
 public:
  explicit Access(Spu& spu);

  Family layoutFor(s32 bytes) const;
  // The structures that accesses go to from now on. Words that are no structure's are in the layout of points.
  void toData() { setStride(kDataBytes); }
  void toPoints() { setStride(kPointBytes); }

  Quad word(const Quad& base, s32 offset = 0);
  Quad word(const Quad& base, const Quad& index);
  void setWord(const Quad& value, const Quad& base, s32 offset = 0);
  // Four words that lie at a multiple of sixteen bytes.
  Quad words(const Quad& base);
  void setWords(const Quad& value, const Quad& base);

  // Of data.
  Place place(const Quad& base);
  Quad squaredDistance(const Place& a, const Place& b);  // in word 0
  Dimensions dimensions(const Quad& base);               // of four points
  Dimensions spread(const Place& place);                 // each in all lanes

  // Of points, the first at a multiple of sixteen bytes.
  Four fields(const Quad& base);
  Quad costs(const Quad& base);
  void setCentresAndCosts(const Four& four, const Quad& base);

  Quad inAllLanes(const Quad& value);
  Quad sumOfLanes(const Quad& value);  // in word 0

 private:
  void setStride(s32 bytes);
  Quad low(const Quad& a, const Quad& b) { return sorter_.shuffle(a, b, {0, 4, 1, 5}); }
  Quad high(const Quad& a, const Quad& b) { return sorter_.shuffle(a, b, {2, 6, 3, 7}); }
  Place shifted(const Quad& base);
  Dimensions sorted(const Quad& base);

  Spu& spu_;
  Sorter sorter_;
  bool sams_;
  Quad lowBits_, bytesInOrder_, lowestByte_, firstTwo_;
};

}  // namespace warpwright::spe::streamcluster
