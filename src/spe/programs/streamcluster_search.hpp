// What the PPU does of streamcluster: it reads the stream, draws what is left to chance and decides how dear a centre is. Plain C++, which
// takes no time on an SPE.
#pragma once

#include <array>
#include <vector>

#include "spe/programs/streamcluster.hpp"

namespace warpwright::spe::streamcluster {

inline constexpr u32 kDimensions = 10;
inline constexpr u32 kMostPoints = 512;  // of a block, or of intermediate centres: up to 500, and what fills them up to fours
// The way of points that no centre has been measured for.
inline constexpr float kFarAway = 1e30f;

// Both structures that the thesis names: 40 bytes, which are in the stride family 1, and 16, in family 2.
struct PointData {
  std::array<float, kDimensions> coordinates{};
};
struct Point {
  float weight = 0;
  u32 number = 0;  // in the block as it was read: points change places
  u32 centre = 0;  // the place of the point that it belongs to
  float cost = kFarAway;
};

// Its points lie by fours: those that fill it up have no weight.
struct BlockOfPoints {
  u32 count = 0;  // without these
  std::vector<PointData> data;
  std::vector<Point> points;
};

struct Outcome {
  float ways = 0;  // the sum of all costs, of speedy()
  u32 centres = 0;
  float gained = 0;  // by refine()
};

// What the SPU does.
class Engine {
 public:
  virtual ~Engine() = default;
  // Takes over a block, whose first point becomes a centre, and in their order each other one that costs more than its threshold. All
  // points belong to the centre that is next to them.
  virtual Outcome speedy(const BlockOfPoints& block, const std::vector<float>& thresholds) = 0;
  // Opens those candidates one after the other that save more than the price of a centre, where others may close.
  virtual Outcome refine(float price, const std::vector<u32>& candidates) = 0;
  // As they are now.
  virtual std::vector<Point> points() = 0;
};

// For each block and for the intermediate centres: how many clusters there are, what they cost, and the points; at the end the coordinates
// of all centres. Points: of the stream, whole blocks.
Result clustered(Engine& engine, u32 points = kStreamPoints);

}  // namespace warpwright::spe::streamcluster
