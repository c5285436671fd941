// Earliest times of commands, from a timing table and the commands issued so far.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/time.hpp"
#include "config/dram.hpp"
#include "mem/dram/constraint.hpp"
#include "mem/dram/geometry.hpp"

namespace warpwright::mem::dram {

class Timing {
 public:
  Timing(const config::Dram& dram, std::span<const Constraint> table);

  // The first tick at which the table allows the command. Whether the bank is in the right state is the caller's business.
  DramTick earliest(Command command, const Location& location) const;
  // The parts of that: what the bank's own commands allow, and what channel and rank, and the bank group do.
  DramTick earliestInBank(Command command, u32 bank) const { return next_[3][bank][static_cast<std::size_t>(command)]; }
  DramTick earliestInGroup(Command command, u32 group) const { return next_[2][group][static_cast<std::size_t>(command)]; }
  DramTick earliestInRank(Command command, u32 rank) const {
    const auto c = static_cast<std::size_t>(command);
    return std::max(next_[0][0][c], next_[1][rank][c]);
  }
  void issue(Command command, const Location& location, DramTick now);

 private:
  using NextTimes = std::array<DramTick, kCommands>;
  struct Rule {
    Command following;
    u32 latency;
  };
  using Rules = std::array<std::vector<Rule>, kCommands>;  // by preceding command
  struct Window {
    Level level;
    CommandSet preceding, following;
    u32 latency, length;
    std::vector<DramTick> times;  // `length` for each part, the oldest at `oldest`
    std::vector<u32> oldest;
  };

  static std::size_t part(Level level, const Location& location);
  NextTimes& next(Level level, std::size_t part) { return next_[static_cast<std::size_t>(level)][part]; }
  void issueWindow(Window& window, Command command, const Location& location, DramTick now);

  std::array<std::vector<NextTimes>, kLevels> next_;
  std::array<Rules, kLevels> same_;
  std::array<Rules, kLevels> other_;
  std::vector<Window> windows_;
};

}  // namespace warpwright::mem::dram
