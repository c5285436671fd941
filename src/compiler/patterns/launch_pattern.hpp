// What the trees of an access pattern come to at a launch (section 6.3.2): one of two skeletons with numbers as parameters.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "compiler/patterns/access_pattern.hpp"

namespace warpwright::compiler {

// What the trees are evaluated with.
struct LaunchValues {
  Dim3 grid, block;
  std::span<const u8> parameters;                    // the parameter block
  std::span<const GlobalAddress> variableAddresses;  // by isa::Program::variables
  u32 addressBits = 64;
};

// a tid.z + b ctaid.y + c tid.y + d ctaid.x + e tid.x + f, modulo 2^64
struct IndexSum {
  s64 a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;

  u64 at(Dim3 thread, Dim3 block) const;
  bool operator==(const IndexSum&) const = default;
};

// y[high : low] << shift
struct BitSection {
  u32 high = 0, low = 0, shift = 0;

  bool operator==(const BitSection&) const = default;
};

// Skeleton 1: y. Skeleton 2: the sum of one or two sections of y, the lower first, times alpha, plus beta. As far as that is possible the
// lower begins at bit 0 of y; it has no shift.
struct LaunchPattern {
  PatternFailure failure = PatternFailure::none;
  IndexSum y;
  std::vector<BitSection> sections;  // none: skeleton 1
  s64 alpha = 1, beta = 0;
  std::vector<s64> steps;  // bytes by which the address moves in each iteration of a loop, one a loop: versions that differ in f alone
  u64 addressMask = ~u64{0};

  bool operator==(const LaunchPattern&) const = default;

  bool isKnown() const { return failure == PatternFailure::none; }
  bool isSkewed() const { return !sections.empty(); }
  // Of a thread of a block, by their indices, in the first iteration of all loops.
  u64 addressOf(Dim3 thread, Dim3 block) const;
};

// One for each version that the compiler has kept, where these are of skeletons; else one that says why there is none.
std::vector<LaunchPattern> evaluateVersions(const AccessPattern& pattern, const LaunchValues& launch);
// Of an access whose versions are the same at this launch; else PatternFailure::versions: which path will be taken is not known when a
// launch begins.
LaunchPattern evaluate(const AccessPattern& pattern, const LaunchValues& launch);

}  // namespace warpwright::compiler
