// What the baseline's energy is accounted by.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/integers.hpp"

namespace warpwright::energy {

// Where the energy of an event comes from.
enum class Origin : u8 {
  table,   // an entry of the table, UNIT.NAME
  arrays,  // the estimate of an array from the machine's sizes (sram.hpp), with wires and table entries where it has some
  dram,    // currents of the machine's kind of DRAM (dram.hpp)
};

struct Event {
  std::string unit, name;  // "l1d", "tag"
  std::string_view per;    // what there is one of
  std::string_view text;
  Origin origin;

  std::string path() const { return unit + "." + name; }
};

// In the order of units; the events of a unit stand together.
std::span<const Event> events();
// Null when none has this path.
const Event* findEvent(std::string_view path);

// Lengths of wires that a table gives, and its entry of what a wire costs: "wire.bit_millimetre".
std::span<const std::string_view> lengths();
inline constexpr std::string_view kWire = "wire.bit_millimetre";

}  // namespace warpwright::energy
