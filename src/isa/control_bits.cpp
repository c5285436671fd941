#include "isa/control_bits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::isa {
namespace {

bool hasDestination(const Instruction& instruction) {
  return std::any_of(instruction.destinations.begin(), instruction.destinations.end(), [](const Operand& operand) {
    return operand.kind == Operand::Kind::reg || (operand.kind == Operand::Kind::predicate && operand.index != kTruePredicate);
  });
}

std::string counterText(u8 counter) { return counter == ControlBits::kNoCounter ? "-" : fmt::format("{}", counter); }

}  // namespace

std::string toText(const ControlBits& bits) {
  std::string waits(kDependenceCounters, '-');
  for (u32 counter = 0; counter < kDependenceCounters; ++counter)
    if (bits.waits >> counter & 1) waits[counter] = static_cast<char>('0' + counter);
  return fmt::format("B{}:R{}:W{}:{}:S{:02}", waits, counterText(bits.readCounter), counterText(bits.writeCounter), bits.yield ? 'Y' : '-',
                     bits.stall);
}

Production productionOf(const Instruction& instruction, const IssueTiming& timing) {
  const OpcodeInfo& row = info(instruction.opcode);
  if (row.flow == Flow::barrier) return hasDestination(instruction) ? Production::variable : Production::none;
  if (row.flow != Flow::next) return Production::none;
  if (row.family == Family::memory || row.family == Family::texture || unitOf(instruction) == Unit::sfu) return Production::variable;
  const u32 latency = timing.latency[static_cast<std::size_t>(latencyOf(instruction))];
  return latency <= kMostStall ? Production::fixed : Production::variable;
}

}  // namespace warpwright::isa
