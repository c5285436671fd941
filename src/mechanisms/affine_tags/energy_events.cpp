#include "mechanisms/affine_tags/energy_events.hpp"

#include "energy/sram.hpp"

namespace warpwright::mechanisms::affine_tags {
namespace {

constexpr const char* kUnit = "affine_tags";
constexpr u32 kTagBits = 6;      // two for the register and each of its halves (Collange, Defour and Zhang, sections 5 and 6)
constexpr u32 kScalarBits = 64;  // base and stride

// One word for each register of a warp, in as many banks as the registers lie in.
energy::Sram besideRegisters(const config::Machine& machine, u32 bits) {
  const u64 registers = machine.registersPerSm / machine.warpSize;
  return {registers * bits / 8, bits, machine.sm.registerBanks, machine.sm.registerBankPorts};
}

}  // namespace

std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  std::vector<energy::CountedEvent> events;
  energy::Power leakage;
  const auto add = [&](const char* read, const char* readCounter, const char* write, const char* writeCounter, u32 bits) {
    const energy::SramEstimate array = energy::estimate(besideRegisters(machine, bits), table.nanometres);
    leakage += array.leakage;
    events.push_back({kUnit, read, kCounters, readCounter, array.read});
    events.push_back({kUnit, write, kCounters, writeCounter, array.write});
  };
  // Tags that a compiler wrote come with the instruction.
  if (settings.detection == Detection::registers) add("tag_read", "tags_read", "tag_write", "tags_written", kTagBits);
  if (settings.operandsApart || settings.scalarPipe)
    add("scalar_read", "bank_reads_saved", "scalar_write", "bank_writes_saved", kScalarBits);
  const double cycle = 1 / (static_cast<double>(machine.coreClockKhz) * 1e3);
  events.push_back({kUnit, "leakage", kCounters, "", energyOf(static_cast<double>(machine.multiprocessors) * leakage, cycle)});
  return events;
}

}  // namespace warpwright::mechanisms::affine_tags
