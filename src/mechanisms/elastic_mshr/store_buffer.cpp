#include "mechanisms/elastic_mshr/store_buffer.hpp"

#include <algorithm>

namespace warpwright::mechanisms::elastic_mshr {
namespace {

constexpr u32 kSector = mem::Request::kSectorBytes;

// Of a sector that both write to; nothing is known of the bytes of a sector where one of them does not know (`written`).
void mergeSector(mem::Request& into, u32 sector, bool isWhole, bool bothKnow, u32 bytes) {
  const u32 bit = u32{1} << sector;
  const u32 all = bothKnow ? into.written[sector] | bytes : 0;
  const bool isFull = isWhole || all == ~u32{0};
  into.written[sector] = isFull ? 0 : all;
  if (isFull) into.wholeSectors |= bit;
}

// Adds the sectors of a store whose line begins so many sectors behind that of the write.
void merge(mem::Request& write, const mem::Request& store, u32 shift) {
  for (u32 own = 0; own < store.lineBytes / kSector; ++own) {
    const u32 sector = own + shift, bit = u32{1} << sector;
    if ((store.sectors >> own & 1) == 0) continue;
    const bool isNew = (write.sectors & bit) == 0;
    const bool isWhole = (store.wholeSectors >> own & 1) != 0 || (write.wholeSectors & bit) != 0;
    write.sectors |= bit;
    if (isNew) write.written[sector] = 0;
    mergeSector(write, sector, isWhole, isNew || (write.written[sector] != 0 && store.written[own] != 0), store.written[own]);
  }
}

}  // namespace

StoreBuffer::StoreBuffer(u32 entries, u32 blockBytes)
    : blockBytes_(blockBytes), entries_(entries), stores_(std::size_t{entries} * kMostStores), closed_(entries) {}

bool StoreBuffer::covers(const Entry& entry, GlobalAddress blockAddress) const {
  return blockAddress >= entry.write.address && blockAddress - entry.write.address < entry.write.lineBytes;
}

u32 StoreBuffer::findOpen(GlobalAddress blockAddress) const {
  for (u32 number = 0; number < entries_.size(); ++number) {
    if (entries_[number].state == State::open && covers(entries_[number], blockAddress)) return number;
  }
  return kNone;
}

bool StoreBuffer::has(GlobalAddress blockAddress) const {
  for (const Entry& entry : entries_) {
    const bool isToBeSent = entry.state == State::open || entry.state == State::closed;
    if (isToBeSent && covers(entry, blockAddress)) return true;
  }
  return false;
}

bool StoreBuffer::isEmptying() const {
  return std::ranges::any_of(entries_, [](const Entry& entry) { return entry.state == State::closed || entry.state == State::sent; });
}

StoreBuffer::Outcome StoreBuffer::add(const mem::Request& store, u32 hyper, Cycle now) {
  const u32 number = findOpen(store.address);
  if (number != kNone) {
    join(number, store);
    return Outcome::joined;
  }
  if (isFull()) return Outcome::full;
  open(store, hyper, now);
  return Outcome::opened;
}

void StoreBuffer::open(const mem::Request& store, u32 hyper, Cycle now) {
  u32 number = 0;
  while (entries_[number].state != State::free) ++number;
  Entry& entry = entries_[number];
  entry = {.state = State::open, .write = store, .opened = now};
  entry.write.lineBytes = hyper * blockBytes_;
  entry.write.address = alignDown(store.address, entry.write.lineBytes);
  entry.write.sectors = entry.write.wholeSectors = 0;
  entry.write.written = {};
  entry.write.wantsResponse = false;
  entry.write.id = number;
  ++used_;
  join(number, store);
}

void StoreBuffer::join(u32 number, const mem::Request& store) {
  Entry& entry = entries_[number];
  merge(entry.write, store, static_cast<u32>(store.address - entry.write.address) / kSector);
  if (store.wantsResponse) {
    stores_[number * kMostStores + entry.stores++] = store;
    entry.write.wantsResponse = true;
  }
  if (++entry.taken == kMostStores || isComplete(entry)) closeEntry(number);
}

bool StoreBuffer::isComplete(const Entry& entry) const {
  return entry.write.wholeSectors == (u32{1} << entry.write.lineBytes / kSector) - 1;
}

void StoreBuffer::closeEntry(u32 number) {
  entries_[number].state = State::closed;
  closed_.push(number);
}

bool StoreBuffer::close(GlobalAddress blockAddress) {
  const u32 number = findOpen(blockAddress);
  if (number == kNone) return false;
  closeEntry(number);
  return true;
}

u32 StoreBuffer::oldestOpen() const {
  u32 oldest = kNone;
  for (u32 number = 0; number < entries_.size(); ++number) {
    if (entries_[number].state != State::open) continue;
    if (oldest == kNone || entries_[number].opened < entries_[oldest].opened) oldest = number;
  }
  return oldest;
}

void StoreBuffer::closeOldest() {
  const u32 number = oldestOpen();
  if (number != kNone) closeEntry(number);
}

std::optional<Cycle> StoreBuffer::oldest() const {
  const u32 number = oldestOpen();
  return number == kNone ? std::nullopt : std::optional(entries_[number].opened);
}

mem::Request StoreBuffer::take() {
  Entry& entry = entries_[closed_.front()];
  closed_.pop();
  entry.state = State::sent;
  if (!entry.write.wantsResponse) {
    entry.state = State::free;
    --used_;
  }
  return entry.write;
}

}  // namespace warpwright::mechanisms::elastic_mshr
