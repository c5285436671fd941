#include "spe/programs/fluid_cells.hpp"

#include <array>
#include <bit>
#include <cmath>

namespace warpwright::spe::fluidanimate {
namespace {

// Numbers from 0 to 1 that are the same everywhere.
class Chance {
 public:
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 40) / static_cast<double>(1u << 24);
  }
  double around(double width) { return (next() - 0.5) * width; }

 private:
  u64 state_ = 1;
};

using Point = std::array<double, 3>;

void put(std::vector<u32>& memory, u32 cell, u32 field, u32 particle, const Point& point) {
  for (u32 i = 0; i < 3; ++i) memory[cell * kCellWords + field + 3 * particle + i] = std::bit_cast<u32>(static_cast<float>(point[i]));
}

// What is outside, or would be the eleventh of its cell, is left out, as the thesis bounds a cell.
void add(std::vector<u32>& memory, const Point& position, const Point& velocity) {
  constexpr std::array<u32, 3> kExtent{kWide, kDeep, kHigh};
  std::array<u32, 3> at{};
  for (u32 i = 0; i < 3; ++i) {
    const double cell = position[i] / kRadius;
    if (cell < 0 || cell >= kExtent[i]) return;
    at[i] = static_cast<u32>(cell);
  }
  const u32 cell = (at[2] * kDeep + at[1]) * kWide + at[0];
  u32& count = memory[cell * kCellWords + kCount];
  if (count == kMost) return;
  put(memory, cell, kPosition, count, position);
  put(memory, cell, kVelocity, count, velocity);
  ++count;
}

// How far below its surface particles settle above which there would be so much fluid if it were at rest: pressure grows with density only,
// and holds what is above, so that density grows exponentially with depth.
double settledDepth(double restDepth) {
  constexpr double kScale = kStiffness / -kGravity;
  return kScale * std::log1p(restDepth / kScale);
}

// Particles in a lattice, each moved by up to a quarter of the distance, that at rest would fill two thirds of the domain, and hardly move
// on. Above them one place in eight has a drop of the splash, which flies.
void fill(std::vector<u32>& memory) {
  constexpr u32 kColumns = static_cast<u32>(kWide * kRadius / kSpacing), kRows = static_cast<u32>(kDeep * kRadius / kSpacing);
  constexpr u32 kLayers = static_cast<u32>(kHigh * kRadius / kSpacing), kSettled = kLayers * 2 / 3;
  const double surface = settledDepth(kSettled * kSpacing);
  Chance chance;
  for (u32 layer = 0; layer < kLayers; ++layer)
    for (u32 row = 0; row < kRows; ++row)
      for (u32 column = 0; column < kColumns; ++column) {
        const bool settled = layer < kSettled;
        if (!settled && chance.next() >= 0.125) continue;
        const auto place = [&](u32 index) { return (index + 0.5 + chance.around(0.5)) * kSpacing; };
        Point position{};
        position[0] = place(column);
        position[1] = place(row);
        const double above = kSettled * kSpacing - place(layer);  // less than none: of the splash
        position[2] = surface - (settled ? settledDepth(above) : above);
        Point velocity{};
        for (double& each : velocity) each = chance.around(settled ? 0.05 : 1);
        add(memory, position, velocity);
      }
}

// Densities are sums that begin at nothing, accelerations begin with gravity.
void prepare(std::vector<u32>& memory) {
  for (u32 cell = 0; cell < kCells; ++cell)
    for (u32 particle = 0; particle < kMost; ++particle) {
      put(memory, cell, kPosition, particle, {kFar, 0, 0});
      put(memory, cell, kAcceleration, particle, {0, 0, kGravity});
    }
}

void tabulate(std::vector<u32>& memory, u32 plane) {
  const u32 table = kTables + plane * kTableWords;
  for (u32 cell = plane * kPlaneCells; cell < (plane + 1) * kPlaneCells; ++cell) {
    if (memory[cell * kCellWords + kCount] == 0) continue;
    u32 entry = table + kHeadWords + memory[table]++ * kEntryWords;
    const std::vector<u32> neighbours = neighboursAfter(memory, cell);
    memory[entry++] = localAddressOf(cell);
    memory[entry++] = static_cast<u32>(neighbours.size());
    for (const u32 neighbour : neighbours) memory[entry++] = localAddressOf(neighbour);
  }
}

}  // namespace

std::vector<u32> neighboursAfter(const std::vector<u32>& memory, u32 cell) {
  std::vector<u32> result;
  const s32 x = static_cast<s32>(cell % kWide), y = static_cast<s32>(cell / kWide % kDeep), z = static_cast<s32>(cell / kPlaneCells);
  constexpr s32 kAll = 27;
  for (s32 i = kAll / 2 + 1; i < kAll; ++i) {
    const s32 nextX = x + i % 3 - 1, nextY = y + i / 3 % 3 - 1, nextZ = z + i / 9 - 1;
    const bool inside = nextX >= 0 && nextX < s32{kWide} && nextY >= 0 && nextY < s32{kDeep} && nextZ < s32{kHigh};
    if (!inside) continue;
    const u32 other = static_cast<u32>((nextZ * s32{kDeep} + nextY) * s32{kWide} + nextX);
    if (memory[other * kCellWords + kCount] != 0) result.push_back(other);
  }
  return result;
}

std::vector<u32> mainMemory() {
  std::vector<u32> memory(kTables + kHigh * kTableWords);
  prepare(memory);
  fill(memory);
  for (u32 plane = 0; plane < kHigh; ++plane) tabulate(memory, plane);
  return memory;
}

}  // namespace warpwright::spe::fluidanimate
