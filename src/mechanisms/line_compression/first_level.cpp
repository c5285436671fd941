#include "mechanisms/line_compression/first_level.hpp"

#include <algorithm>

namespace warpwright::mechanisms::line_compression {
FirstLevelLoads::FirstLevelLoads(const Settings& settings, const config::Cache& cache, const sm::StageContext& context,
                                 std::shared_ptr<const sm::AssistanceLink> link, LineReader read, Statistics& statistics)
    : lineBytes_(cache.lineBytes),
      latency_(settings.decompressLatency),
      below_(context.below),
      stats_(statistics),
      sets_(cache, settings.firstLevelTags, {}, statistics.firstLevelLookups) {
  if (link != nullptr)
    routines_.emplace(
        settings, lineBytes_, std::move(link), std::move(read), [this](u32 ticket, Cycle) { ended(ticket); }, statistics);
  context.cache.placeBy(sets_);
}

bool FirstLevelLoads::takes(const sm::LineAccess& access) const {
  return access.route == sm::Route::l1Data && access.request.type == mem::AccessType::globalRead && access.request.lineBytes == lineBytes_;
}

void FirstLevelLoads::accept(const sm::LineAccess& access, Cycle now) {
  const u32 index = freeLoad();
  loads_[index] = {access.request, access.warp, std::nullopt};
  mem::Request own = access.request;
  own.id = index;
  below_.ask({own, access.route, access.words, access.plan, access.warp}, now);
}

u32 FirstLevelLoads::freeLoad() {
  if (free_.empty()) {
    loads_.emplace_back();
    return static_cast<u32>(loads_.size() - 1);
  }
  const u32 index = free_.back();
  free_.pop_back();
  return index;
}

void FirstLevelLoads::fill(const mem::Request& response, Cycle now) {
  const u32 index = response.id % (1u << sm::StagesBelow::kOwnIdBits);
  if (response.encoding == 0) return answer(index);
  ++stats_.firstLevelLoads;
  if (!routines_) {
    stats_.decompressedInHardware();
    inHardware_.push_back({index, now + latency_});
    return;
  }
  ++stats_.decompressions;
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
  answers_.push_back(response);
  free_.push_back(index);
}

mem::Request FirstLevelLoads::takeResponse() {
  const mem::Request response = answers_.front();
  answers_.pop_front();
  return response;
}

bool FirstLevelLoads::tick(Cycle now) {
  bool any = false;
  for (; !inHardware_.empty() && inHardware_.front().ready <= now; any = true) {
    answer(inHardware_.front().load);
    inHardware_.pop_front();
  }
  return any;
}

}  // namespace warpwright::mechanisms::line_compression
