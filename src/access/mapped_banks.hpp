// Conflicts in banks that words are assigned to by a table (parallel_memory) instead of low-order interleaving.
#pragma once

#include <array>
#include <vector>
#include <warpwright/parallel_memory/bank_table.hpp>

#include "access/scratch_set.hpp"
#include "base/types.hpp"

namespace warpwright::access {

// Passes of the banks for a group of lanes that are served together, by the rules of BankConflicts. What a bank reads or writes in a pass
// is a line: lanes that want words of one line are served together.
class MappedBanks {
 public:
  using BankTable = parallel_memory::BankTable;

  explicit MappedBanks(u32 bankShift) : bankShift_(bankShift) {}

  // The largest number of distinct lines that one bank is asked for.
  u32 degree(const BankTable& table, const u64* offsets, LaneMask lanes, u32 bytes);
  // One word a pass is broadcast; every other word is served to one lane, and every bank serves words of one line.
  u32 passesWithOneBroadcast(const BankTable& table, const u64* offsets, LaneMask lanes, u32 bytes);
  // Every update of a word takes a pass of its bank.
  u32 updatesOfOneBank(const BankTable& table, const u64* offsets, LaneMask lanes, u32 bytes);
  // Lines that the banks read or wrote in these passes.
  u32 lines() const { return lineAccesses_; }

 private:
  static constexpr u32 kMostWords = 256;  // of a group of lanes, as in BankConflicts

  template <class Visit>
  void forEachWord(const BankTable& table, const u64* offsets, LaneMask lanes, u32 bytes, Visit visit) const;
  void clear(const BankTable& table);

  u32 bankShift_;
  std::vector<u32> perBank_;
  ScratchSet<2 * kMostWords> lines_;
  std::array<u64, kMostWords> wanted_{};
  u32 lineAccesses_ = 0;
};

}  // namespace warpwright::access
