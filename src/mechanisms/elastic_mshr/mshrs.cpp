#include "mechanisms/elastic_mshr/mshrs.hpp"

#include <bit>

namespace warpwright::mechanisms::elastic_mshr {

Mshrs::Mshrs(const Geometry& geometry)
    : entryCount_(geometry.entries),
      secondaries_(geometry.secondaries),
      ways_(geometry.ways),
      setMask_(geometry.entries / geometry.ways - 1),
      free_(Set::first(geometry.entries)),
      loads_(u64{geometry.entries} * geometry.secondaries) {}

// An MSHR of the block itself comes before one that covers it: its data may be on their way already. Of several that cover it the first
// way is taken.
Mshrs::Verdict Mshrs::find(u64 block) const {
  const Set set = setOf(block), tagged = tagged_ & set;
  for (const u32 entry : tagged) {
    if (entries_[entry].block != block) continue;
    return {.outcome = entries_[entry].loads < secondaries_ ? Outcome::secondary : Outcome::noSecondary, .entry = entry};
  }
  const Set room = free_ & set;
  if (room.empty()) return {};
  const u32 entry = room.least();
  Verdict verdict{.outcome = Outcome::primary, .entry = entry};
  for (const u32 packet : hyper_) {
    if (!covers(packet, block)) continue;
    if (set.contains(packet)) return {.outcome = Outcome::reservation, .entry = entry, .packet = packet};
    verdict.isFalsePrimary = true;
  }
  return verdict;
}

u32 Mshrs::add(const Verdict& verdict, u64 block, u32 hyper, const mem::SectorBytes& bytes, const Load& load) {
  const u32 number = verdict.entry;
  Entry& entry = entries_[number];
  if (verdict.outcome != Outcome::secondary) {
    const bool isPrimary = verdict.outcome == Outcome::primary;
    entry = {.block = block, .packet = isPrimary ? number : verdict.packet, .hyper = isPrimary ? hyper : 1};
    free_.erase(number);
    tagged_.insert(number);
    if (entry.hyper > 1) hyper_.insert(number);
  }
  for (std::size_t sector = 0; sector < bytes.size(); ++sector) entry.used[sector] |= bytes[sector];
  const u32 secondary = number * secondaries_ + entry.loads++;
  loads_[secondary] = load;
  return secondary;
}

bool Mshrs::isOvertaken(const Verdict& verdict, u64 block) const {
  const u32 packet = verdict.outcome == Outcome::secondary ? entries_[verdict.entry].packet : verdict.packet;
  return (entries_[packet].stored >> (block - firstBlock(packet)) & 1) != 0;
}

void Mshrs::noteStore(u64 block) {
  for (const u32 entry : tagged_) {
    if (entries_[entry].packet == entry && covers(entry, block)) entries_[entry].stored |= 1u << (block - firstBlock(entry));
  }
}

bool Mshrs::hasNeighbour(u64 block, u32 hyper, Pc pc) const {
  const u64 neighbour = (block & ~u64{hyper - 1}) ^ hyper;
  for (const u32 entry : tagged_) {
    const Entry& other = entries_[entry];
    if (other.packet != entry || other.hyper != hyper || firstBlock(entry) != neighbour) continue;
    if (loads_[entry * secondaries_].request.origin.pc == pc) return true;
  }
  return false;
}

void Mshrs::release(u32 secondary) {
  const u32 number = secondary / secondaries_;
  if (--entries_[number].loads == 0) free_.insert(number);
}

u32 Mshrs::countBytes(const mem::SectorBytes& bytes) {
  u32 count = 0;
  for (const u32 each : bytes) count += static_cast<u32>(std::popcount(each));
  return count;
}

}  // namespace warpwright::mechanisms::elastic_mshr
