// Search for bank maps that are linear over GF(2) and serve given access patterns without conflict.
#pragma once

#include <functional>
#include <vector>
#include <warpwright/parallel_memory/conflicts.hpp>
#include <warpwright/parallel_memory/xor_map.hpp>

#include "base/types.hpp"

namespace warpwright::bank_search {

struct Problem {
  u32 q = 3;          // logarithm of the number of banks
  u32 n = 8;          // address bits that the bank may depend on
  bool wide = false;  // rows of two words, whose addresses differ by one exclusive-or, the line partner
  std::vector<parallel_memory::Pattern> patterns;
};

// Two lanes of an access: the exclusive-or of their addresses, the low n bits of it, and whether there is no more. A linear map gives them
// different banks exactly when it does not map `bits` to 0. They may share a row only when `isWhole` and `bits` is the line partner.
struct Difference {
  u64 bits = 0;
  bool isWhole = true;

  auto operator<=>(const Difference&) const = default;
};

// Of all pairs of lanes of all patterns from all base addresses, sorted, each once. The memory may be larger than 2^n words: addresses
// go on beyond.
std::vector<Difference> differencesOf(const Problem& problem);

// found: and no other takes fewer gates. stopped: at the limit, before it was known whether there is one, or a cheaper one.
enum class Outcome : u8 { found, none, stopped };

struct Result {
  Outcome outcome = Outcome::none;
  parallel_memory::XorMatrix matrix;  // the cheapest that was found; no masks: none was
  u32 gates = 0;                      // two-input XOR gates of it
  u64 maps = 0;                       // exhaustive search: how many there are, those that only rename banks counted once
};

// Hears now and then how far a search is: the steps that it has tried (0: a solver does not say) and what it has found.
using Watcher = std::function<void(u64 steps, const Result& soFar)>;

// Tries all maps, with as many steps at most.
Result searchExhaustively(const Problem& problem, u64 mostSteps, const Watcher& watcher = {});
// Asks a SAT solver for a map, then for cheaper ones until there is none; with as many conflicts of the solver at most
// before each answer.
Result searchWithSolver(const Problem& problem, u64 mostConflicts, const Watcher& watcher = {});

}  // namespace warpwright::bank_search
