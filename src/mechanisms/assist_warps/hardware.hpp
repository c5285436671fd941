// What the structures of section 4.3 take of a chip. The paper gives no sizes: these follow from what each has to hold.
#pragma once

#include "config/machine.hpp"
#include "mechanisms/assist_warps/settings.hpp"
#include "mechanisms/hardware.hpp"

namespace warpwright::mechanisms::assist_warps {

// Live registers that an entry of the table names: an address of two, a value, and a result.
inline constexpr u32 kLiveRegisters = 4, kRegisterBits = 8;

// Of an entry of the table (figure 5): warp ID, live registers, active mask, priority, SR.ID, Inst.ID, SR.End. A routine is found by where
// it begins in the store, so that SR.ID has as many bits as Inst.ID.
u32 entryBits(const Settings& settings, const config::Machine& machine);

// Of an entry of the map from triggers to routines: the event and its number (a period, a line), and what the table gets of the routine:
// live registers, active mask, priority, where it begins and ends.
u32 mapEntryBits(const Settings& settings, const config::Machine& machine);

// Of an SM: the map of triggers, the assist warp store, the table, and the partition of the instruction buffer for low priority.
energy::Sram mapOf(const Settings& settings, const config::Machine& machine);
energy::Sram storeOf(const Settings& settings, const config::Machine& machine);
energy::Sram tableOf(const Settings& settings, const config::Machine& machine);
energy::Sram bufferOf(const Settings& settings, const config::Machine& machine);

// entry_bits, map_bits, table_bits, store_bits, buffer_bits, of an SM.
Hardware hardware(const Settings& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::assist_warps
