#include "mechanisms/line_compression/assisted_arrivals.hpp"

#include <algorithm>

#include "mechanisms/line_compression/routines/layout.hpp"
#include "mechanisms/line_compression/routines/routines.hpp"

namespace warpwright::mechanisms::line_compression {

AssistedArrivals::AssistedArrivals(u32 lineBytes, std::shared_ptr<const sm::AssistanceLink> link, LineReader read, Statistics& statistics)
    : lineBytes_(lineBytes), link_(std::move(link)), read_(std::move(read)), stats_(statistics) {
  for (u8 encoding = 1; encoding < kEncodings; ++encoding) routines_[encoding] = routines::nameToDecompress(encoding);
}

void AssistedArrivals::accept(const mem::Request& response, Cycle now) {
  ++stats_.compressedArrivals;
  ++stats_.decompressions;
  makeWhole(response, now);
  passing_ = response;
  passing_->pieces = passing_->encoding = 0;
}

// What nobody waits for, as a line that was prefetched, is made whole by nobody.
void AssistedArrivals::makeWhole(const mem::Request& response, Cycle now) {
  const sm::WarpSet waiting = link_->offered->waitersFor(response.address);
  const std::optional<SlotId> first = link_->offered->waiterFor(response.address);
  const std::string& routine = routines_[response.encoding];
  if (!first || !link_->offered->knows(*first, routine)) {
    ++stats_.unassistedLines;
    return;
  }
  const u32 ticket = freeTicket();
  Wanted& wanted = wanted_[ticket];
  std::array<std::byte, routines::kBufferBytes> buffer{};
  // Memory is ahead of what travels: what has another form by now cannot be compared.
  wanted.isKnown = read_(response.address, std::span(wanted.line).first(lineBytes_));
  if (wanted.isKnown) {
    const auto line = std::span(std::as_const(wanted.line)).first(lineBytes_);
    const auto packed = compression::compress(codecOf(response.encoding), line);
    wanted.isKnown = packed && encodingOf(codecOf(response.encoding), line) == response.encoding;
    if (wanted.isKnown) std::ranges::copy(*packed, buffer.begin() + routines::packedAt(response.encoding, lineBytes_));
  }
  wanted.isInUse = link_->offered->ask({*first, routine, buffer, ticket, waiting}, *this, now);
  if (wanted.isInUse) ++asked_;
}

u32 AssistedArrivals::freeTicket() {
  const auto free = std::ranges::find_if(wanted_, [](const Wanted& each) { return !each.isInUse; });
  if (free != wanted_.end()) return static_cast<u32>(free - wanted_.begin());
  wanted_.emplace_back();
  return static_cast<u32>(wanted_.size() - 1);
}

void AssistedArrivals::assisted(u32 ticket, std::span<const std::byte> buffer, Cycle) {
  Wanted& wanted = wanted_[ticket];
  wanted.isInUse = false;
  --asked_;
  if (buffer.empty()) {
    ++stats_.unassistedLines;
    return;
  }
  if (!wanted.isKnown) {
    ++stats_.changedLines;
    return;
  }
  ++stats_.comparedLines;
  stats_.wrongLines += !std::ranges::equal(buffer.first(lineBytes_), std::span(wanted.line).first(lineBytes_));
}

}  // namespace warpwright::mechanisms::line_compression
