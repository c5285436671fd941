#include "mechanisms/line_compression/decompressions.hpp"

#include <algorithm>
#include <utility>

#include "mechanisms/line_compression/routines/layout.hpp"
#include "mechanisms/line_compression/routines/routines.hpp"

namespace warpwright::mechanisms::line_compression {

Decompressions::Decompressions(const Settings& settings, u32 lineBytes, std::shared_ptr<const sm::AssistanceLink> link, LineReader read,
                               Ended ended, Statistics& statistics)
    : lineBytes_(lineBytes),
      bdiOrder_(settings.bdiOrder),
      variants_(variantsOf(settings)),
      link_(std::move(link)),
      read_(std::move(read)),
      ended_(std::move(ended)),
      stats_(statistics) {
  for (u8 encoding = 1; encoding < kEncodings; ++encoding) routines_[encoding] = routines::nameToDecompress(encoding);
}

// Where the encoding that worked last is taken, a line may have another than the one that makes it smallest.
compression::Variants Decompressions::variantsFor(u8 encoding) const {
  compression::Variants variants = variants_;
  if (bdiOrder_ == BdiOrder::last && codecOf(encoding) == compression::Codec::bdi) variants.bdiFirst = bdiEncodingIn(encoding);
  return variants;
}

std::optional<u32> Decompressions::ask(SlotId slot, GlobalAddress line, u8 encoding, sm::WarpSet held, Cycle now) {
  const std::string& routine = routines_[encoding];
  if (!link_->offered->knows(slot, routine)) return std::nullopt;
  const u32 ticket = freeTicket();
  Wanted& wanted = wanted_[ticket];
  std::array<std::byte, routines::kBufferBytes> buffer{};
  // Memory is ahead of what travels: what has another form by now cannot be compared.
  wanted.isKnown = read_(line, std::span(wanted.line).first(lineBytes_));
  if (wanted.isKnown) {
    const auto values = std::span(std::as_const(wanted.line)).first(lineBytes_);
    const compression::Variants variants = variantsFor(encoding);
    const auto packed = compression::compress(codecOf(encoding), values, variants);
    wanted.isKnown = packed && encodingOf(codecOf(encoding), values, variants) == encoding;
    if (wanted.isKnown) std::ranges::copy(*packed, buffer.begin() + routines::packedAt(encoding, lineBytes_, variants));
  }
  wanted.isInUse = link_->offered->ask({slot, routine, buffer, ticket, held}, *this, now);
  if (!wanted.isInUse) return std::nullopt;
  ++asked_;
  return ticket;
}

u32 Decompressions::freeTicket() {
  const auto free = std::ranges::find_if(wanted_, [](const Wanted& each) { return !each.isInUse; });
  if (free != wanted_.end()) return static_cast<u32>(free - wanted_.begin());
  wanted_.emplace_back();
  return static_cast<u32>(wanted_.size() - 1);
}

void Decompressions::assisted(u32 ticket, std::span<const std::byte> buffer, Cycle now) {
  Wanted& wanted = wanted_[ticket];
  wanted.isInUse = false;
  --asked_;
  compare(wanted, buffer);
  ended_(ticket, now);
}

void Decompressions::compare(const Wanted& wanted, std::span<const std::byte> buffer) {
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
