#include "profile/data/line_contents.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/memory_units.hpp"

namespace warpwright::profile {
namespace {

std::span<const std::byte> inMemory(GlobalAddress address) { return {exec::GlobalMemory::hostPointer(address), access::kLineBytes}; }

}  // namespace

// The device's own memory may be read wherever it is; of the host's only what the program has registered.
bool LineContents::isWithin(GlobalAddress address) const {
  return memory_.holds(address, access::kLineBytes) || memory_.find(address, access::kLineBytes) != nullptr;
}

void LineContents::touch(std::span<const u64> sectors, bool load, bool store) {
  for (const u64 sector : sectors) {
    const GlobalAddress address(sector * kSectorBytes / access::kLineBytes * access::kLineBytes);
    const u32 index = static_cast<u32>(address % kPageBytes / access::kLineBytes);
    const u64 bit = u64{1} << index;
    const auto known = pages_.find(address / kPageBytes);
    const bool isNews =
        known == pages_.end() || (load && (known->second.loaded & bit) == 0) || (store && (known->second.stored & bit) == 0);
    if (!isNews || !isWithin(address)) continue;
    Page& page = known == pages_.end() ? pages_[address / kPageBytes] : known->second;
    if (load && (page.loaded & bit) == 0) std::ranges::copy(inMemory(address), page.line(index).begin());
    page.loaded |= load ? bit : 0;
    page.stored |= store ? bit : 0;
  }
}

void LineContents::merge(const LineContents& other) {
  for (const auto& [number, from] : other.pages_) {
    Page& into = pages_[number];
    for (u32 index = 0; index < kLinesPerPage; ++index) {
      const u64 bit = u64{1} << index;
      if ((from.loaded & bit) != 0 && (into.loaded & bit) == 0) std::ranges::copy(from.line(index), into.line(index).begin());
    }
    into.loaded |= from.loaded;
    into.stored |= from.stored;
  }
}

void LineContents::forEach(const std::function<void(const Line&)>& visit) const {
  std::vector<u64> numbers;
  for (const auto& [number, page] : pages_) numbers.push_back(number);
  std::ranges::sort(numbers);
  for (const u64 number : numbers) {
    const Page& page = pages_.at(number);
    for (u32 index = 0; index < kLinesPerPage; ++index) {
      const u64 bit = u64{1} << index;
      Line line{GlobalAddress(number * kPageBytes + u64{index} * access::kLineBytes), {}, {}};
      if ((page.loaded & bit) != 0) line.loaded = page.line(index);
      if ((page.stored & bit) != 0) line.stored = inMemory(line.address);
      if (!line.loaded.empty() || !line.stored.empty()) visit(line);
    }
  }
}

}  // namespace warpwright::profile
