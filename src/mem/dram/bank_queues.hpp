// The column accesses that wait for their banks, in order of arrival, and which row each bank has open.
#pragma once

#include <utility>
#include <vector>

#include "base/time.hpp"
#include "base/types.hpp"
#include "config/dram.hpp"
#include "mem/dram/command.hpp"
#include "mem/dram/geometry.hpp"

namespace warpwright::mem::dram {

// What an access found: its row open, its bank closed, or another row open.
enum class RowOutcome : u8 { hit, miss, conflict };

using AccessId = u16;
inline constexpr AccessId kNoAccess = 0xffff;
static_assert(config::kMostColumnAccesses < kNoAccess);

// A request to DRAM is one or more column accesses.
struct Access {
  Location location;
  u64 number = 0;        // in order of arrival
  DramTick notBefore{};  // first tick in which it can cause a command
  u16 request = 0;
  bool isWrite = false;
  bool wantsResponse = true;
  RowOutcome outcome = RowOutcome::hit;
  AccessId previous = kNoAccess, next = kNoAccess;  // in the bank's list
};

class BankQueues {
 public:
  // Room for `accesses` at once.
  BankQueues(u32 banks, u32 accesses);

  // Appends the access, of which number, outcome and links are set here. There must be room.
  AccessId add(const Access& access);
  void remove(AccessId id);
  void activated(u32 bank, u64 row);
  void closed(u32 bank);

  Access& operator[](AccessId id) { return accesses_[id]; }
  const Access& operator[](AccessId id) const { return accesses_[id]; }
  u64 waiting() const { return waiting_; }  // bit b: accesses wait for bank b
  u64 open() const { return open_; }        // bit b: bank b has a row open
  bool isOpen(u32 bank) const { return (open_ >> bank & 1) != 0; }
  // The banks of which accesses or rows have changed since the last call.
  u64 takeChanged() { return std::exchange(changed_, 0); }
  // What the access needs next.
  Command nextCommand(AccessId id) const;
  bool isOpenAt(const Location& location) const { return isOpen(location.bank) && banks_[location.bank].row == location.row; }
  // The oldest access to the bank, and the oldest one to its open row.
  AccessId oldest(u32 bank) const { return banks_[bank].first; }
  AccessId oldestHit(u32 bank) const { return banks_[bank].hit; }
  // Whether another access to the same row came later than this one.
  bool hasLaterHit(AccessId id) const { return nextOfRow(accesses_[id].next, accesses_[id].location.row) != kNoAccess; }
  // Whether an access to another row than this one's waits for the bank.
  bool hasOtherRow(const Location& location) const;

 private:
  struct Bank {
    AccessId first = kNoAccess, last = kNoAccess, hit = kNoAccess;
    u64 row = 0;
  };

  void touch(u32 bank) { changed_ |= u64{1} << bank; }
  AccessId nextOfRow(AccessId from, u64 row) const;

  std::vector<Access> accesses_;
  std::vector<AccessId> free_;
  std::vector<Bank> banks_;
  u64 waiting_ = 0, open_ = 0, changed_ = 0, arrivals_ = 0;
};

}  // namespace warpwright::mem::dram
