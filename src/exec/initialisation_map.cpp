#include "exec/initialisation_map.hpp"

#include <algorithm>
#include <cstring>

namespace warpwright::exec {

InitialisationMap::InitialisationMap(u64 bytes)
    : pages_(Reservation::anywhere((bytes + kHostPage - 1) / kHostPage)), notes_(Reservation::anywhere(bytes)) {}

void InitialisationMap::set(u64 offset, u64 bytes, Page state) {
  if (bytes == 0) return;
  const u64 end = offset + bytes;
  const u64 firstWhole = (offset + kHostPage - 1) / kHostPage, endWhole = end / kHostPage;
  if (firstWhole > endWhole) return setPart(offset, bytes, state);
  setPart(offset, firstWhole * kHostPage - offset, state);
  std::memset(&page(firstWhole), static_cast<int>(state), endWhole - firstWhole);
  setPart(endWhole * kHostPage, end - endWhole * kHostPage, state);
}

// Of one page.
void InitialisationMap::setPart(u64 offset, u64 bytes, Page state) {
  if (bytes == 0) return;
  const u64 number = offset / kHostPage;
  Page& all = page(number);
  if (all == state) return;
  if (all != Page::mixed) std::memset(noteOf(number * kHostPage), static_cast<int>(all), kHostPage);
  all = Page::mixed;
  std::memset(noteOf(offset), static_cast<int>(state), bytes);
}

bool InitialisationMap::contains(u64 offset, u64 bytes, bool written) const {
  const Page state = written ? Page::written : Page::untouched;
  for (const u64 end = offset + bytes; offset < end;) {
    const u64 part = std::min(end, (offset / kHostPage + 1) * kHostPage) - offset;
    const Page all = page(offset / kHostPage);
    if (all == state) return true;
    if (all == Page::mixed && std::memchr(noteOf(offset), static_cast<int>(state), part)) return true;
    offset += part;
  }
  return false;
}

}  // namespace warpwright::exec
