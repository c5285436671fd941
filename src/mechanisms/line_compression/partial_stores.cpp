#include "mechanisms/line_compression/partial_stores.hpp"

#include <numeric>

namespace warpwright::mechanisms::line_compression {

PartialStores::PartialStores(u32 entries, u32 lineBytes, sm::StagesBelow& below, Statistics& statistics)
    : lineBytes_(lineBytes),
      wholeLine_((1u << lineBytes / mem::Request::kSectorBytes) - 1),
      below_(below),
      stats_(statistics),
      stores_(entries),
      free_(entries) {
  std::iota(free_.rbegin(), free_.rend(), 0);
  due_.reserve(entries);
}

bool PartialStores::takes(const sm::LineAccess& access) const {
  const mem::Request& request = access.request;
  return request.type == mem::AccessType::globalWrite && request.lineBytes == lineBytes_ && request.wholeSectors != wholeLine_ &&
         request.wantsResponse;
}

void PartialStores::accept(const sm::LineAccess& access, Cycle now) {
  mem::Request own = access.request;
  const sm::LineAccess ours{own, access.route, access.words, access.plan, access.warp};
  if (free_.empty()) {
    ++stats_.partialOverflows;
    own.mustMerge = true;
    return below_.pass(ours, now);
  }
  ++stats_.partialStores;
  const u32 index = free_.back();
  free_.pop_back();
  stores_[index] = {State::sent, access.request, access.route, access.plan, access.warp};
  own.id = index;
  below_.ask(ours, now);
}

void PartialStores::fill(const mem::Request& response, Cycle) {
  const u32 index = response.id % (1u << sm::StagesBelow::kOwnIdBits);
  Store& store = stores_[index];
  if (store.state == State::resent || (store.state == State::sent && response.encoding == 0)) return answer(index);
  if (store.state == State::sent) ++stats_.refusedStores;
  store.state = store.state == State::sent ? State::fetching : State::resent;
  due_.push_back(index);
}

mem::Request PartialStores::ofLine(const Store& store, mem::AccessType type, u32 index) const {
  mem::Request request = store.request;
  request.type = type;
  request.sectors = wholeLine_;
  request.wholeSectors = isWrite(type) ? wholeLine_ : 0;
  request.written = {};
  request.id = index;
  return request;
}

bool PartialStores::tick(Cycle now) {
  bool any = false;
  for (; !due_.empty(); any = true, due_.erase(due_.begin())) {
    const u32 index = due_.front();
    const Store& store = stores_[index];
    const auto type = store.state == State::fetching ? mem::AccessType::globalRead : mem::AccessType::globalWrite;
    const mem::Request request = ofLine(store, type, index);
    const sm::LineAccess access{request, store.route, nullptr, store.plan, store.warp};
    if (!below_.canAccept(access)) return any;
    below_.ask(access, now);
  }
  return any;
}

void PartialStores::answer(u32 index) {
  answers_.push_back(stores_[index].request);
  answers_.back().isResponse = true;
  free_.push_back(index);
}

mem::Request PartialStores::takeResponse() {
  const mem::Request response = answers_.front();
  answers_.erase(answers_.begin());
  return response;
}

}  // namespace warpwright::mechanisms::line_compression
