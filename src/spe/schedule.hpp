// List scheduling of a block for the two pipes of an SPU.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "spe/instruction.hpp"
#include "spe/machine.hpp"

namespace warpwright::spe {

// The order in which the instructions of the block stand in the code, as indices. Those with the longest way to the end of the block come
// first. A branch stays last; accesses to the local store that may touch the same bytes keep their order.
std::vector<u32> scheduled(const Block& block, const Machine& machine);

// The same, remembered: what has been ordered before is not ordered again.
class Schedules {
 public:
  explicit Schedules(const Machine& machine) : machine_(machine) {}
  const std::vector<u32>& of(const Block& block);

 private:
  // All that the order of a block depends on: its instructions, which of them each reads from, and which accesses meet where one stores.
  std::string keyOf(const Block& block);

  const Machine& machine_;
  std::unordered_map<std::string, std::vector<u32>> known_;
  std::vector<u64> writers_;  // by value: the place of the instruction that wrote it, among all so far
  u64 before_ = 1;            // instructions of earlier blocks
};

}  // namespace warpwright::spe
