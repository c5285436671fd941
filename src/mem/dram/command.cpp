#include "mem/dram/command.hpp"

#include <array>

namespace warpwright::mem::dram {

std::string_view name(Command command) {
  static constexpr std::array<std::string_view, kCommands> kNames = {"ACT", "PRE", "PREA", "RD", "RDA", "WR", "WRA", "REF"};
  return kNames[static_cast<std::size_t>(command)];
}

}  // namespace warpwright::mem::dram
