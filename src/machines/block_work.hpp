// How much work the blocks of a grid are, in the order in which they are dispatched: what tells how long those take that are left out.
#pragma once

#include <span>
#include <vector>

#include "exec/block_order.hpp"

namespace warpwright::machines {

class BlockWork {
 public:
  // work: by block, in units of any kind, none of 0. places: for blocks, on the whole machine. order: in which they are dispatched where
  // the machine runs a sample; null: by their numbers.
  BlockWork(const std::vector<u64>& work, u64 places, const exec::BlockOrder* order = nullptr);
  // Blocks of which nothing is known: equal ones.
  static BlockWork ofEqual(u64 blocks, u64 places) { return {std::vector<u64>(blocks, 1), places}; }

  u64 blocks() const { return before_.size() - 1; }
  u64 places() const { return places_; }
  u64 all() const { return before_.back(); }
  // Of so many blocks, the first.
  u64 upTo(u64 blocks) const { return before_[blocks]; }
  u64 behind(u64 blocks) const { return all() - upTo(blocks); }

  // So many of the first blocks show what all are like: blocks behind them that are more than a tenth larger or smaller than any of these
  // make up no more than a hundredth of the work.
  u64 alikeFrom() const { return alikeFrom_; }

  // How much longer than with perfect balance the first blocks take where each goes to the place that is free first, and each place does a
  // unit of work in a unit of time: what all places wait for the last. starts: when places are free first, others at 0. Of the whole
  // grid, in the order of numbers.
  double tail(u64 blocks, std::span<const double> starts = {}) const { return tailOf(before_, blocks, starts); }
  double tail(std::span<const double> starts = {}) const { return tailOf(byNumber_, blocks(), starts); }

 private:
  u64 sizeOf(u64 block) const { return before_[block + 1] - before_[block]; }
  double tailOf(const std::vector<u64>& before, u64 blocks, std::span<const double> starts) const;
  bool areAlike(u64 blocks) const;

  // Work of the blocks before each, and of all: in the order of numbers, and of dispatch.
  std::vector<u64> byNumber_, before_;
  u64 places_, alikeFrom_;
};

}  // namespace warpwright::machines
