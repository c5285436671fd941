// Earliest times of commands, from a timing table and the commands issued so far.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "config/dram.hpp"
#include "mem/dram/constraint.hpp"
#include "mem/dram/geometry.hpp"

namespace warpwright::mem::dram {

class Timing {
 public:
  Timing(const config::Dram& dram, std::span<const Constraint> table);

  // The first tick at which the table allows the command. Whether the bank is in the right state is the caller's business.
  u64 earliest(Command command, const Place& place) const;
  void issue(Command command, const Place& place, u64 now);

 private:
  using NextTimes = std::array<u64, kCommands>;
  struct Rule {
    Command following;
    u32 latency;
  };
  using Rules = std::array<std::vector<Rule>, kCommands>;  // by preceding command
  struct Window {
    Level level;
    CommandSet preceding, following;
    u32 latency, length;
    std::vector<u64> times;  // `length` for each part, the oldest at `oldest`
    std::vector<u32> oldest;
  };

  static std::size_t part(Level level, const Place& place);
  NextTimes& next(Level level, std::size_t part) { return next_[static_cast<std::size_t>(level)][part]; }
  void issueWindow(Window& window, Command command, const Place& place, u64 now);

  std::array<std::vector<NextTimes>, kLevels> next_;
  std::array<Rules, kLevels> same_;
  std::array<Rules, kLevels> other_;
  std::vector<Window> windows_;
};

}  // namespace warpwright::mem::dram
