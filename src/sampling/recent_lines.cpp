#include "sampling/recent_lines.hpp"

#include <algorithm>

namespace warpwright::sampling {

void RecentLines::memory(const exec::MemoryEvent& event) {
  if (event.space != isa::Space::global) return;
  for (const LaneId lane : event.mask) touch(event.addresses[lane], event.bytesPerLane, sizes_.loads, event.isStore);
}

void RecentLines::texels(const exec::TexelEvent& event) {
  for (u32 i = 0; i < event.count; ++i) touch(event.addresses[i], event.bytes, sizes_.texels, event.isStore);
}

// Stores bring nothing along: first-level caches write through, and allocate nothing.
void RecentLines::touch(u64 address, u64 bytes, u64 unit, bool stores) {
  if (bytes == 0) return;
  const u64 whole = stores ? ~u64{0} : ~(unit - 1);
  const u64 begin = address & whole, end = (address + bytes + ~whole) & whole;
  for (u64 at = begin; at < end;) {
    const u64 endOfLine = (at / sizes_.line + 1) * sizes_.line, last = std::min(end, endOfLine) - 1;
    const u64 first = at % sizes_.line / kSectorBytes, sectors = (last - at / kSectorBytes * kSectorBytes) / kSectorBytes + 1;
    const u8 mask = static_cast<u8>(lowBits(static_cast<u32>(sectors)) << first);
    Line& line = lineAt(at);
    if (line.time == 0) ++count_;
    line.time = ++time_;
    line.touched |= mask;
    if (stores) line.stored |= mask;
    at = endOfLine;
  }
}

RecentLines::Line& RecentLines::lineAt(u64 address) {
  const u64 number = address / kPageBytes;
  if (last_ == nullptr || number != lastNumber_) {
    last_ = &pages_[number];
    last_->resize(kPageBytes / sizes_.line);
    lastNumber_ = number;
  }
  return (*last_)[address % kPageBytes / sizes_.line];
}

std::vector<TouchedLine> RecentLines::latest(u64 most) const {
  struct Timed {
    u64 time;
    TouchedLine line;
  };
  std::vector<Timed> all;
  all.reserve(count_);
  for (const auto& [number, page] : pages_) {
    for (u64 i = 0; i < page.size(); ++i) {
      const Line& line = page[i];
      if (line.time != 0) all.push_back({line.time, {GlobalAddress(number * kPageBytes + i * sizes_.line), line.touched, line.stored}});
    }
  }
  const auto isEarlier = [](const Timed& one, const Timed& other) { return one.time < other.time; };
  if (all.size() > most) {
    const auto first = all.end() - static_cast<std::ptrdiff_t>(most);
    std::nth_element(all.begin(), first, all.end(), isEarlier);
    all.erase(all.begin(), first);
  }
  std::sort(all.begin(), all.end(), isEarlier);
  std::vector<TouchedLine> lines;
  for (const Timed& each : all) lines.push_back(each.line);
  return lines;
}

void RecentLines::forget() {
  pages_.clear();
  last_ = nullptr;
  time_ = count_ = 0;
}

}  // namespace warpwright::sampling
