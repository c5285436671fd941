#include "mechanisms/line_compression/assisted_arrivals.hpp"

namespace warpwright::mechanisms::line_compression {

AssistedArrivals::AssistedArrivals(const Settings& settings, u32 lineBytes, std::shared_ptr<const sm::AssistanceLink> link, LineReader read,
                                   Statistics& statistics)
    : firstLevel_(settings.firstLevel),
      stats_(statistics),
      decompressions_(
          settings, lineBytes, std::move(link), std::move(read), [](u32, Cycle) {}, statistics) {}

void AssistedArrivals::accept(const mem::Request& response, Cycle now) {
  ++stats_.compressedArrivals;
  ++stats_.decompressions;
  if (!makeWhole(response, now)) ++stats_.unassistedLines;
  passing_ = response;
  passing_->pieces = passing_->encoding = 0;
}

// Beside the warp that missed it first, or for whose sake a stage has asked for it. What nobody is known to have asked for is made whole by
// nobody.
bool AssistedArrivals::makeWhole(const mem::Request& response, Cycle now) {
  const sm::Assistance& assistance = decompressions_.assistance();
  std::optional<SlotId> first = assistance.waiterFor(response);
  if (!first && response.origin.isKnown()) first = SlotId{response.origin.slot};
  if (!first) return false;
  return decompressions_.ask(*first, response.address, response.encoding, assistance.waitersFor(response), now).has_value();
}

}  // namespace warpwright::mechanisms::line_compression
