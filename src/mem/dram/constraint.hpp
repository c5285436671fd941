// Timing rules of DRAM as data: "after the preceding command, the following one waits at least so long".
#pragma once

#include <span>
#include <vector>

#include "config/dram.hpp"
#include "mem/dram/command.hpp"

namespace warpwright::mem::dram {

// The part of a channel to which both commands of a rule go.
enum class Level : u8 { channel, rank, bankGroup, bank };
inline constexpr std::size_t kLevels = 4;

enum class Scope : u8 {
  same,   // both commands go to the same part
  other,  // they go to different parts of the level
};

struct Constraint {
  Level level;
  CommandSet preceding, following;
  u32 (*latency)(const config::Dram&);  // ticks from the one command to the other
  u32 window = 1;                       // counts from the preceding command that lies so many back
  Scope scope = Scope::same;
};

// The rules of a kind of DRAM: the rows of several groups that kinds have in common.
std::vector<Constraint> timingTable(config::DramKind kind);

}  // namespace warpwright::mem::dram
