// The addresses of a kernel's accesses, as small as the trace writes them.
#pragma once

#include <array>
#include <vector>

#include "base/spread.hpp"
#include "sass/instruction_line.hpp"

namespace warpwright::sass {

// By lane; of lanes that do not execute anything.
using LaneAddresses = std::array<u64, kMaxWarpSize>;

class AddressStore {
 public:
  // Keeps what the line has and numbers it.
  u32 add(const InstructionLine& line);
  // Of an access by the lanes of the line's mask.
  void expand(u32 number, LaneMask lanes, LaneAddresses& into) const;
  // How they lie to one another, `bytes` a lane; lanes: as for expand().
  Spread spreadOf(u32 number, LaneMask lanes, u32 bytes) const;

 private:
  static constexpr u32 kNone = ~u32{0};
  struct Kept {
    u64 first = 0;
    s64 stride = 0;
    u32 deltas = kNone;  // where they begin
  };
  std::vector<Kept> kept_;
  std::vector<s64> deltas_;
};

}  // namespace warpwright::sass
