#include "mechanisms/line_compression/first_level.hpp"

#include <algorithm>

namespace warpwright::mechanisms::line_compression {
namespace {

// As many as the cache has on their way at once, and more could not be answered.
u32 mostLoads(const config::Cache& cache) {
  return cache.mshrs * cache.mergesPerMshr + cache.inputQueue + (cache.hitLatency + 1) * cache.ports;
}

}  // namespace

FirstLevelLoads::FirstLevelLoads(const Settings& settings, const config::Cache& cache, const sm::StageContext& context,
                                 std::shared_ptr<const sm::AssistanceLink> link, LineReader read, Statistics& statistics)
    : lineBytes_(cache.lineBytes),
      latency_(settings.decompressLatency),
      below_(context.below),
      stats_(statistics),
      sets_(cache, settings.firstLevelTags, {}, statistics.firstLevelLookups),
      loads_(mostLoads(cache)),
      answers_(mostLoads(cache)),
      inHardware_(mostLoads(cache)) {
  if (link != nullptr)
    routines_.emplace(
        lineBytes_, std::move(link), std::move(read), [this](u32 ticket, Cycle) { ended(ticket); }, statistics);
  for (u32 index = static_cast<u32>(loads_.size()); index-- > 0;) free_.push_back(index);
  context.cache.placeBy(sets_);
}

bool FirstLevelLoads::takes(const sm::LineAccess& access) const {
  return access.route == sm::Route::l1Data && access.request.type == mem::AccessType::globalRead && access.request.lineBytes == lineBytes_;
}

void FirstLevelLoads::accept(const sm::LineAccess& access, Cycle now) {
  const u32 index = free_.back();
  free_.pop_back();
  loads_[index] = {access.request, access.warp, std::nullopt};
  mem::Request own = access.request;
  own.id = index;
  below_.ask({own, access.route, access.words, access.plan, access.warp}, now);
}

void FirstLevelLoads::fill(const mem::Request& response, Cycle now) {
  const u32 index = response.id % (1u << sm::StagesBelow::kOwnIdBits);
  if (response.encoding == 0) return answer(index);
  ++stats_.firstLevelLoads;
  ++stats_.decompressions;
  if (!routines_) return inHardware_.push(index, now + latency_);
  if (askRoutine(loads_[index], response.encoding, now)) return;
  ++stats_.unassistedLines;
  answer(index);
}

bool FirstLevelLoads::askRoutine(Load& load, u8 encoding, Cycle now) {
  if (!load.warp) return false;
  load.ticket = routines_->ask(*load.warp, alignDown(load.request.address, lineBytes_), encoding, {}, now);
  return load.ticket.has_value();
}

void FirstLevelLoads::ended(u32 ticket) {
  const auto load = std::ranges::find_if(loads_, [&](const Load& each) { return each.ticket == ticket; });
  load->ticket.reset();
  answer(static_cast<u32>(load - loads_.begin()));
}

void FirstLevelLoads::answer(u32 index) {
  mem::Request response = loads_[index].request;
  response.isResponse = true;
  answers_.push(response);
  free_.push_back(index);
}

mem::Request FirstLevelLoads::takeResponse() {
  const mem::Request response = answers_.front();
  answers_.pop();
  return response;
}

bool FirstLevelLoads::tick(Cycle now) {
  const bool changed = inHardware_.advance(now);
  while (inHardware_.peek() != nullptr) answer(inHardware_.take());
  return changed;
}

}  // namespace warpwright::mechanisms::line_compression
