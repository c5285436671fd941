#include "mem/dram/bank_queues.hpp"

namespace warpwright::mem::dram {

BankQueues::BankQueues(u32 banks, u32 accesses) : accesses_(accesses), banks_(banks) {
  free_.reserve(accesses);
  for (u32 id = accesses; id-- > 0;) free_.push_back(static_cast<AccessId>(id));
}

AccessId BankQueues::add(const Access& access) {
  const AccessId id = free_.back();
  free_.pop_back();
  const Location& location = access.location;
  Bank& bank = banks_[location.bank];
  Access& added = accesses_[id] = access;
  added.number = arrivals_++;
  added.outcome = RowOutcome::hit;
  added.previous = bank.last;
  added.next = kNoAccess;
  if (bank.last == kNoAccess) {
    bank.first = id;
  } else {
    accesses_[bank.last].next = id;
  }
  bank.last = id;
  waiting_ |= u64{1} << location.bank;
  touch(location.bank);
  if (bank.hit == kNoAccess && isOpen(location.bank) && bank.row == location.row) bank.hit = id;
  return id;
}

void BankQueues::remove(AccessId id) {
  const Access& access = accesses_[id];
  Bank& bank = banks_[access.location.bank];
  touch(access.location.bank);
  if (bank.hit == id) bank.hit = nextOfRow(access.next, access.location.row);
  (access.previous == kNoAccess ? bank.first : accesses_[access.previous].next) = access.next;
  (access.next == kNoAccess ? bank.last : accesses_[access.next].previous) = access.previous;
  if (bank.first == kNoAccess) waiting_ &= ~(u64{1} << access.location.bank);
  free_.push_back(id);
}

void BankQueues::activated(u32 bank, u64 row) {
  open_ |= u64{1} << bank;
  touch(bank);
  banks_[bank].row = row;
  banks_[bank].hit = nextOfRow(banks_[bank].first, row);
}

void BankQueues::closed(u32 bank) {
  open_ &= ~(u64{1} << bank);
  touch(bank);
  banks_[bank].hit = kNoAccess;
}

Command BankQueues::nextCommand(AccessId id) const {
  const Access& access = accesses_[id];
  if (!isOpen(access.location.bank)) return Command::activate;
  if (!isOpenAt(access.location)) return Command::precharge;
  return access.isWrite ? Command::write : Command::read;
}

bool BankQueues::hasOtherRow(const Location& location) const {
  for (AccessId id = banks_[location.bank].first; id != kNoAccess; id = accesses_[id].next) {
    if (accesses_[id].location.row != location.row) return true;
  }
  return false;
}

AccessId BankQueues::nextOfRow(AccessId from, u64 row) const {
  while (from != kNoAccess && accesses_[from].location.row != row) from = accesses_[from].next;
  return from;
}

}  // namespace warpwright::mem::dram
