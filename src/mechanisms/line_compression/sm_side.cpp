#include "mechanisms/line_compression/sm_side.hpp"

namespace warpwright::mechanisms::line_compression {

StoreStage::StoreStage(const Settings& settings, u32 lineBytes, sm::StagesBelow& below, Statistics& statistics)
    : lineBytes_(lineBytes),
      wholeLine_((1u << lineBytes / mem::Request::kSectorBytes) - 1),
      latency_(settings.compressLatency),
      codecs_(codecsOf(settings.codec)),
      variants_(variantsOf(settings)),
      below_(below),
      stats_(statistics),
      queue_(settings.smEntries) {}

bool StoreStage::takes(const sm::LineAccess& access) const {
  const mem::Request& request = access.request;
  return request.type == mem::AccessType::globalWrite && request.lineBytes == lineBytes_ && request.wholeSectors == wholeLine_ &&
         access.words != nullptr && access.words->whole && isOfChosenKernel(access);
}

void StoreStage::accept(const sm::LineAccess& access, Cycle now) {
  const Form form = formOf(codecs_, std::as_bytes(std::span(access.words->values)).first(lineBytes_), variants_);
  ++stats_.stores, ++stats_.bufferedStores;
  stats_.compressedInHardware();
  Waiting waiting{access.request, access.route, access.words, access.plan};
  if (form.encoding != 0) {
    waiting.request.pieces = form.pieces;
    waiting.request.encoding = form.encoding;
    ++stats_.compressedStores;
  }
  if (latency_ == 0) return below_.pass(waiting.access(), now);
  queue_.push(waiting, now + latency_);
}

bool StoreStage::tick(Cycle now) {
  bool changed = queue_.advance(now);
  for (; queue_.peek() != nullptr && below_.canAccept(queue_.peek()->access()); changed = true) {
    const Waiting next = queue_.take();
    below_.pass(next.access(), now);
  }
  return changed;
}

Cycle StoreStage::nextUseful(Cycle now) const { return queue_.peek() != nullptr ? now + 1 : std::max(queue_.nextReady(), now + 1); }

Arrivals::Arrivals(const Settings& settings, Statistics& statistics)
    : latency_(settings.decompressLatency), firstLevel_(settings.firstLevel), stats_(statistics), queue_(settings.smEntries) {}

void Arrivals::accept(const mem::Request& response, Cycle now) {
  ++stats_.compressedArrivals;
  stats_.decompressedInHardware();
  mem::Request whole = response;
  whole.pieces = whole.encoding = 0;
  queue_.push(whole, now + latency_);
}

}  // namespace warpwright::mechanisms::line_compression
