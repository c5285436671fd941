#include "sm/pipeline/operand_reads.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::sm {

OperandReads::OperandReads(const config::Machine& machine)
    : banks_(machine.sm.registerBanks / machine.schedulersPerSm),
      window_(machine.sm.operandWindow),
      cache_(machine.sm.operandCache),
      wanted_(banks_) {
  for (u32 port = 0; port < machine.sm.registerBankPorts; ++port) portsOfBank_ |= u64{1} << port * banks_;
  for (u32 first = 0; first < machine.schedulersPerSm; ++first) {
    SubCore& core = cores_.emplace_back(banks_, machine.sm.registerBankPorts);
    for (u32 slot = first; slot < machine.warpsPerSm; slot += machine.schedulersPerSm) core.slots.insert(slot);
  }
}

WarpSet OperandReads::refused(Cycle now) const {
  WarpSet refused;
  for (const SubCore& core : cores_) {
    if (core.open > now) refused |= core.slots;
  }
  return refused;
}

Cycle OperandReads::nextUseful(Cycle now) const {
  Cycle next = kNever;
  for (const SubCore& core : cores_) {
    if (core.open >= now) next = std::min(next, core.open);
  }
  return next;
}

OperandReads::Reads OperandReads::issue(const InstructionInfo& info, SlotId slot, Cycle now) {
  SubCore& core = cores_[slot % cores_.size()];
  Reads reads;
  std::fill(wanted_.begin(), wanted_.end(), 0);
  for (u32 i = 0; i < info.readCount; ++i) {
    if (cache_ && isKept(core, info, i, slot)) {
      ++reads.cached;
    } else {
      ++wanted_[info.reads[i] % banks_];
    }
  }
  const Cycle entersAllocate = std::max(now + 2, core.allocateFree);
  Cycle first = entersAllocate + 1;
  while (!hasPorts(core, first)) ++first;
  book(core, first, now);
  core.allocateFree = first;
  core.open = Cycle{entersAllocate.ticks - 1};
  reads.held = static_cast<u32>(first - (now + 3));
  heldCycles_ += reads.held;
  cachedReads_ += reads.cached;
  return reads;
}

// A read of a bank in the place of an operand leaves nothing there but what is marked, whether it finds its register or not (listing 4).
bool OperandReads::isKept(SubCore& core, const InstructionInfo& info, u32 read, SlotId slot) {
  const u32 place = info.places[read];
  if (place >= kPlaces) return false;
  const u8 number = info.reads[read];
  Kept& kept = core.kept[number % banks_][place];
  const bool found = kept.slot == slot && kept.number == number;
  kept = {(info.control.reuse >> place & 1) != 0 ? slot : kNoWarp, number};
  return found;
}

// More registers of a bank than the window has cycles take as many as they need.
bool OperandReads::hasPorts(const SubCore& core, Cycle first) const {
  const u32 ports = static_cast<u32>(std::popcount(portsOfBank_));
  for (u32 bank = 0; bank < banks_; ++bank) {
    const u32 cycles = std::max(window_, (wanted_[bank] + ports - 1) / ports);
    u32 free = 0;
    for (u32 cycle = 0; cycle < cycles; ++cycle)
      for (u32 port = 0; port < ports; ++port) free += core.calendar.isFree(bank + port * banks_, first + cycle) ? 1 : 0;
    if (free < wanted_[bank]) return false;
  }
  return true;
}

void OperandReads::book(SubCore& core, Cycle first, Cycle now) {
  for (u32 bank = 0; bank < banks_; ++bank)
    for (u32 i = 0; i < wanted_[bank]; ++i) core.calendar.bookOneOf(portsOfBank_ << bank, first, now);
}

}  // namespace warpwright::sm
