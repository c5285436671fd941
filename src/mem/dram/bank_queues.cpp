#include "mem/dram/bank_queues.hpp"

namespace warpwright::mem::dram {

BankQueues::BankQueues(u32 banks, u32 accesses) : accesses_(accesses), banks_(banks) {
  free_.reserve(accesses);
  for (u32 id = accesses; id-- > 0;) free_.push_back(static_cast<AccessId>(id));
}

AccessId BankQueues::add(const Access& access) {
  const AccessId id = free_.back();
  free_.pop_back();
  const Place& place = access.place;
  Bank& bank = banks_[place.bank];
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
  waiting_ |= u64{1} << place.bank;
  touch(place.bank);
  if (bank.hit == kNoAccess && isOpen(place.bank) && bank.row == place.row) bank.hit = id;
  return id;
}

void BankQueues::remove(AccessId id) {
  const Access& access = accesses_[id];
  Bank& bank = banks_[access.place.bank];
  touch(access.place.bank);
  if (bank.hit == id) bank.hit = nextOfRow(access.next, access.place.row);
  (access.previous == kNoAccess ? bank.first : accesses_[access.previous].next) = access.next;
  (access.next == kNoAccess ? bank.last : accesses_[access.next].previous) = access.previous;
  if (bank.first == kNoAccess) waiting_ &= ~(u64{1} << access.place.bank);
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
  if (!isOpen(access.place.bank)) return Command::activate;
  if (!isOpenAt(access.place)) return Command::precharge;
  return access.isWrite ? Command::write : Command::read;
}

bool BankQueues::hasOtherRow(const Place& place) const {
  for (AccessId id = banks_[place.bank].first; id != kNoAccess; id = accesses_[id].next) {
    if (accesses_[id].place.row != place.row) return true;
  }
  return false;
}

AccessId BankQueues::nextOfRow(AccessId from, u64 row) const {
  while (from != kNoAccess && accesses_[from].place.row != row) from = accesses_[from].next;
  return from;
}

}  // namespace warpwright::mem::dram
