#include "profile/footprint.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::profile {

u64 countSectors(const SectorBits& bits) {
  u64 count = 0;
  for (const u64 word : bits) count += static_cast<u64>(std::popcount(word));
  return count;
}

u64 countSectors(const TouchedSectors& touched) {
  u64 count = 0;
  for (const auto& [page, bits] : touched) count += countSectors(bits);
  return count;
}

void merge(TouchedSectors& into, const TouchedSectors& from) {
  for (const auto& [page, bits] : from) {
    SectorBits& known = into[page];
    for (std::size_t i = 0; i < bits.size(); ++i) known[i] |= bits[i];
  }
}

void SectorMap::touch(std::span<const u64> sectors) {
  for (const u64 sector : sectors) {
    const u64 number = sector / kSectorsPerPage, index = sector % kSectorsPerPage;
    if (last_ == nullptr || number != lastNumber_) {
      last_ = &pages_[number];
      lastNumber_ = number;
    }
    (*last_)[index / 64] |= u64{1} << (index % 64);
  }
}

u64 countLines(const SectorBits& bits) {
  constexpr u64 kFirstOfLine = 0x1111'1111'1111'1111;  // four sectors a line
  u64 count = 0;
  for (const u64 word : bits) count += static_cast<u64>(std::popcount((word | word >> 1 | word >> 2 | word >> 3) & kFirstOfLine));
  return count;
}

Footprint::Region& Footprint::region(u64 number) {
  for (Region& each : regions_) {
    if (each.number == number) return each;
  }
  regions_.push_back({number, std::vector<std::unique_ptr<Page>>(kPagesPerRegion)});
  return regions_.back();
}

Footprint::Page& Footprint::page(u64 number) {
  if (last_ != nullptr && last_->number == number && last_->listed) return *last_;
  std::unique_ptr<Page>& slot = region(number / kPagesPerRegion).pages[number % kPagesPerRegion];
  if (!slot) {
    slot = std::make_unique<Page>();
    slot->number = number;
  }
  if (!slot->listed) {
    slot->listed = true;
    touched_.push_back(slot.get());
  }
  last_ = slot.get();
  return *last_;
}

void Footprint::touch(std::span<const u64> sectors, bool load, bool store) {
  requests_ += sectors.size();
  const u64 loads = load ? 1 : 0, stores = store ? 1 : 0;
  for (const u64 sector : sectors) {
    Page& where = page(sector / kSectorsPerPage);
    const u64 index = sector % kSectorsPerPage;
    where.loaded[index / 64] |= loads << (index % 64);
    where.stored[index / 64] |= stores << (index % 64);
    u16& requests = where.requests[index];
    requests = static_cast<u16>(requests + (requests != kMostRequests ? 1 : 0));
  }
}

void Footprint::merge(const Footprint& other) {
  requests_ += other.requests_;
  for (const Page* from : other.touched_) {
    Page& into = page(from->number);
    for (std::size_t i = 0; i < into.loaded.size(); ++i) {
      into.loaded[i] |= from->loaded[i];
      into.stored[i] |= from->stored[i];
    }
    for (std::size_t i = 0; i < into.requests.size(); ++i)
      into.requests[i] = static_cast<u16>(std::min<u32>(kMostRequests, u32{into.requests[i]} + from->requests[i]));
  }
}

FootprintCounters Footprint::take(TouchedSectors& all) {
  FootprintCounters counters;
  for (Page* each : touched_) {
    SectorBits& known = all[each->number];
    SectorBits either;
    for (std::size_t i = 0; i < either.size(); ++i) {
      either[i] = each->loaded[i] | each->stored[i];
      known[i] |= either[i];
    }
    counters.sectors += countSectors(either);
    counters.sectorsLoaded += countSectors(each->loaded);
    counters.sectorsStored += countSectors(each->stored);
    counters.lines += countLines(either);
    for (const u16 requests : each->requests) {
      if (requests != 0) counters.reuse.add(requests);
    }
    const u64 number = each->number;
    *each = Page{};
    each->number = number;
  }
  counters.requests = requests_;
  touched_.clear();
  last_ = nullptr;
  requests_ = 0;
  return counters;
}

}  // namespace warpwright::profile
