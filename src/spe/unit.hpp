// The execution units of an SPU: on which of the two pipes they are, and after how many cycles their results can be used.
#pragma once

#include <array>
#include <string_view>

#include "base/types.hpp"

namespace warpwright::spe {

enum class Pipe : u8 { even, odd };

enum class Unit : u8 {
  fixedPoint,
  wordShift,
  singlePrecision,
  floatingInteger,
  nothingEven,
  shuffle,
  loadStore,
  branch,
  branchHint,
  channel,
  nothingOdd,
};
inline constexpr std::size_t kUnits = 11;

struct UnitKind {
  std::string_view name;
  Pipe pipe;
  u32 latency;  // cycles, of the original SPE
};

// IBM, "Cell Broadband Engine Programming Tutorial", release 3.0 (2007), "Pipelines and dual-issue rules", table 1. A load takes 6 cycles
// there; its SAMS form, and how long stores and branches take, are the machine's (machine.hpp).
inline constexpr std::array<UnitKind, kUnits> kUnitKinds{{
    {"fixed point", Pipe::even, 2},
    {"word shift", Pipe::even, 4},
    {"single precision", Pipe::even, 6},
    {"floating integer", Pipe::even, 7},
    {"nop", Pipe::even, 1},
    {"shuffle", Pipe::odd, 4},
    {"load/store", Pipe::odd, 6},
    {"branch", Pipe::odd, 4},
    {"branch hint", Pipe::odd, 15},
    {"channel", Pipe::odd, 6},
    {"lnop", Pipe::odd, 1},
}};
static_assert(kUnitKinds[static_cast<std::size_t>(Unit::nothingOdd)].name == "lnop");

constexpr const UnitKind& kindOf(Unit unit) { return kUnitKinds[static_cast<std::size_t>(unit)]; }

}  // namespace warpwright::spe
