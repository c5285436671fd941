// The commands of a DRAM channel.
#pragma once

#include <string_view>

#include "base/types.hpp"

namespace warpwright::mem::dram {

enum class Command : u8 {
  activate,        // opens a row of a bank
  precharge,       // closes the row of a bank
  prechargeAll,    // closes the rows of all banks of a rank
  read,            // one burst from the open row
  readPrecharge,   // … and closes the row
  write,           // one burst into the open row
  writePrecharge,  // … and closes the row
  refresh,         // all banks of a rank, which are closed
};
inline constexpr std::size_t kCommands = 8;

// As data sheets abbreviate it: "ACT", "PRE", "PREA", "RD", "RDA", "WR", "WRA", "REF".
std::string_view name(Command command);

// A set of commands: bit i for the command with number i.
using CommandSet = u8;
constexpr CommandSet bit(Command command) { return static_cast<CommandSet>(1u << static_cast<unsigned>(command)); }

inline constexpr CommandSet kReads = bit(Command::read) | bit(Command::readPrecharge);
inline constexpr CommandSet kWrites = bit(Command::write) | bit(Command::writePrecharge);
inline constexpr CommandSet kColumnCommands = kReads | kWrites;
inline constexpr CommandSet kRowCommands = static_cast<CommandSet>(~kColumnCommands);
inline constexpr CommandSet kAllCommands = 0xff;

constexpr bool contains(CommandSet set, Command command) { return (set & bit(command)) != 0; }

}  // namespace warpwright::mem::dram
