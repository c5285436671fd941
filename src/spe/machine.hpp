// What an SPE is like: the original, or one with a SAMS local store.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/types.hpp"

namespace warpwright::spe {

// The order in which the instructions of a block stand.
enum class Order : u8 { program, scheduled };

// What each member means, and where its value comes from: fields().
struct Machine {
  std::string name = "original";
  bool sams = false;
  u32 inboundStages = 0, outboundStages = 0;
  u32 hintLatency = 15;
  u32 fetchBytes = 64, fetchesAhead = 2;
  u32 dmaLatency = 320, dmaBytesPerCycle = 8, dmaQueue = 16, dmaPortBytes = 128;
  Order order = Order::program;

  // In cycles. Of the original SPE: Gou, section 4.4.2. Stores and fetches take the inbound path of SAMS alone, and with a fetch a taken
  // branch does (table 4.5).
  u32 loadLatency() const { return 6 + inboundStages + outboundStages; }  // until the result can be used
  u32 storeLatency() const { return 4 + inboundStages; }                  // until a load finds it
  u32 branchPenalty() const { return 18 + inboundStages; }  // of a taken branch without a hint, or of one whose hint was wrong
  u32 fetchLatency() const { return 6 + inboundStages; }    // until the instructions can be issued: a load's way
};

struct Field {
  std::string_view name, unit;
  u32 minimum = 0, maximum = 0;
  bool powerOfTwo = false;
  std::string_view text;
  std::variant<u32 Machine::*, bool Machine::*, Order Machine::*> member;

  std::string key() const;  // "spe.fetches_ahead"
  std::string rangeText() const;
  std::string valueText(const Machine& machine) const;  // as TOML has it
};
std::span<const Field> fields();
const Field* findField(std::string_view key);

// SPEs by name: "original", "sams", …
struct Kind {
  std::string_view name, text;
  bool sams = false;
  u32 inboundStages = 0, outboundStages = 0;
};
std::span<const Kind> kinds();

// Throws Error for a name that there is not, with the nearest one.
Machine machineOf(const std::string& name);
// The same with settings "spe.fetches_ahead=0", of which later ones replace earlier ones. Throws Error for what no field takes.
Machine machineOf(const std::string& name, std::span<const std::string> settings);
// Every field with its value, as TOML: what tells one machine from another.
std::string toToml(const Machine& machine);
// The SPEs and the fields, for people.
std::string machinesText();

}  // namespace warpwright::spe
