// The last stage of accesses to all other spaces: requests for lines, by the rules of the cache that serves them.
#pragma once

#include <optional>
#include <span>

#include "access/bank_conflicts.hpp"
#include "config/machine.hpp"
#include "sm/access/stage.hpp"
#include "sm/coalescing.hpp"

namespace warpwright::sm {

// Whether a load, or a prefetch, of global memory goes past the first-level cache.
bool passesL1(const LaneAccess& access, const config::Sm& sm);

class Coalescers final : public LaneStage {
 public:
  // notesWords: requests for global and private memory carry their words, for line stages.
  Coalescers(const config::Machine& machine, SmId sm, bool notesWords);

  void access(LaneAccess& access, MemoryOperation& operation, Cycle now) override;
  bool isTimed() const override { return false; }

 private:
  void texels(const LaneAccess& access, MemoryOperation& operation);
  void constants(const LaneAccess& access, MemoryOperation& operation);
  void global(const LaneAccess& access, MemoryOperation& operation);
  void privateMemory(const LaneAccess& access, MemoryOperation& operation);
  void prefetch(const LaneAccess& access, MemoryOperation& operation);
  void addRequests(MemoryOperation& operation, std::span<const Transaction> transactions, mem::AccessType type, Route route) const;
  void addRepeats(MemoryOperation& operation, std::span<const Transaction> lines, const LaneAccess& access) const;
  void addPasses(MemoryOperation& operation, const u64* addresses, const LaneAccess& access, Spread spread);
  // Words of the requests added last, one a line; addresses: by lane, as the memory system sees them.
  void addWords(MemoryOperation& operation, std::span<const Transaction> lines, const u64* addresses, const LaneAccess& access) const;

  const config::Machine& machine_;
  const SmId sm_;
  const bool notesWords_, countsRepeats_;
  CoalescingUnit dataLines_, constantLines_, texelLines_;  // by the cache that serves them
  std::optional<access::BankConflicts> dataBanks_;         // of the data cache; nothing: it gives what its lines have
};

}  // namespace warpwright::sm
