#include "mechanisms/assist_warps/hardware.hpp"

#include <bit>

#include "mechanisms/assist_warps/annotation.hpp"

namespace warpwright::mechanisms::assist_warps {
namespace {

constexpr u32 kPriorityBits = 2, kNumberBits = 32, kTriggerKinds = static_cast<u32>(Trigger::missBelow) + 1;

u32 bitsFor(u32 choices) { return static_cast<u32>(std::bit_width(choices - 1)); }
u32 instructionBits(const config::Machine& machine) { return machine.sm.instructionBytes * 8; }
u64 bytesOf(u64 words, u32 bits) { return (words * bits + 7) / 8; }

}  // namespace

u32 entryBits(const Settings& settings, const config::Machine& machine) {
  const u32 places = 3 * bitsFor(settings.storeInstructions);
  return bitsFor(machine.warpsPerSm) + kLiveRegisters * kRegisterBits + machine.warpSize + kPriorityBits + places;
}

u32 mapEntryBits(const Settings& settings, const config::Machine& machine) {
  const u32 places = 2 * bitsFor(settings.storeInstructions);
  return bitsFor(kTriggerKinds) + kNumberBits + kLiveRegisters * kRegisterBits + machine.warpSize + kPriorityBits + places;
}

energy::Sram mapOf(const Settings& settings, const config::Machine& machine) {
  const u32 bits = mapEntryBits(settings, machine);
  return {bytesOf(settings.mapEntries, bits), bits, 1, 1};
}

energy::Sram storeOf(const Settings& settings, const config::Machine& machine) {
  return {bytesOf(settings.storeInstructions, instructionBits(machine)), instructionBits(machine), 1, 1};
}

// Those of normal and low priority, and one for each warp of high priority.
energy::Sram tableOf(const Settings& settings, const config::Machine& machine) {
  const u32 bits = entryBits(settings, machine);
  return {bytesOf(u64{settings.entries} + machine.warpsPerSm, bits), bits, 1, 1};
}

// An instruction with its warp ID, which a warp's own partition needs not.
energy::Sram bufferOf(const Settings& settings, const config::Machine& machine) {
  const u32 bits = instructionBits(machine) + bitsFor(machine.warpsPerSm);
  return {bytesOf(settings.lowEntries, bits), bits, 1, 1};
}

Hardware hardware(const Settings& settings, const config::Machine& machine) {
  const energy::Sram map = mapOf(settings, machine), store = storeOf(settings, machine), table = tableOf(settings, machine),
                     buffer = bufferOf(settings, machine);
  const auto bits = [](const energy::Sram& array) { return static_cast<double>(array.bytes * 8); };
  return {.numbers = {{"entry_bits", static_cast<double>(entryBits(settings, machine))},
                      {"map_bits", bits(map)},
                      {"table_bits", bits(table)},
                      {"store_bits", bits(store)},
                      {"buffer_bits", bits(buffer)}},
          .arrays = {{map, store, table, buffer}, machine.multiprocessors}};
}

}  // namespace warpwright::mechanisms::assist_warps
