// What the PPU does for `fluidanimate`: the fluid in cells, and for each plane of them a table of what the SPU has to go through.
#pragma once

#include <vector>

#include "base/types.hpp"

namespace warpwright::spe::fluidanimate {

// ---- the grid, whose cells are as wide as particles reach

inline constexpr u32 kWide = 9, kDeep = 9, kHigh = 30;
inline constexpr u32 kPlaneCells = kWide * kDeep, kCells = kPlaneCells * kHigh;
inline constexpr u32 kMost = 10;  // particles of a cell

// ---- a cell: arrays of structures, as words. The last quad has the number of particles, and fills up a line of the local store.

inline constexpr u32 kPosition = 0, kVelocity = 3 * kMost, kAcceleration = 6 * kMost, kDensity = 9 * kMost, kCount = 10 * kMost;
inline constexpr u32 kCellWords = 104;

// ---- the fluid: water in particles 5 mm apart. Radius, stiffness and viscosity are those of PARSEC's fluidanimate: about twenty
// neighbours in reach, and 4.9 particles in a cell at rest.

inline constexpr double kSpacing = 0.005, kRadius = 1.695 * kSpacing;
inline constexpr double kRestDensity = 1000, kMass = kRestDensity * kSpacing * kSpacing * kSpacing;
inline constexpr double kStiffness = 3, kViscosity = 0.4, kGravity = -9.8;
// Where the slots of a cell that have no particle are: out of reach of all.
inline constexpr float kFar = 1000;

// ---- main memory: the cells, plane by plane, and behind them a table for each plane. It begins with a quad that has the number of cells
// with particles; then, for each of them, its address in the local store, how many of the neighbours after it have particles, and their
// addresses.

inline constexpr u32 kMostNeighbours = 13;
inline constexpr u32 kHeadWords = 4, kEntryWords = 16;
static_assert(2 + kMostNeighbours <= kEntryWords);
inline constexpr u32 kTableWords = kHeadWords + kPlaneCells * kEntryWords;
inline constexpr u32 kTables = kCells * kCellWords;

// Planes lie in the local store one round of a ring after another.
inline constexpr u32 kRing = 4, kPlaneBytes = kPlaneCells * kCellWords * 4;
inline constexpr u32 kLocalCells = 0x8000, kLocalTables = kLocalCells + kRing * kPlaneBytes;
static_assert(kLocalTables + 2 * kTableWords * 4 < 256 * 1024);
inline constexpr u32 localAddressOf(u32 cell) {
  return kLocalCells + cell / kPlaneCells % kRing * kPlaneBytes + cell % kPlaneCells * kCellWords * 4;
}

std::vector<u32> mainMemory();
// The neighbours of a cell that come after it and have particles: with the cell itself, each pair of cells once.
std::vector<u32> neighboursAfter(const std::vector<u32>& memory, u32 cell);

}  // namespace warpwright::spe::fluidanimate
