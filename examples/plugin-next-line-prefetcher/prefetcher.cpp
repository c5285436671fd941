#include "prefetcher.hpp"

namespace next_line {
namespace {

// Prefetches that wait for the cache; chosen. What finds no place is dropped, as prefetches may be.
constexpr std::size_t kMostWaiting = 16;

}  // namespace

bool Prefetcher::takes(const sm::LineAccess& access) const {
  return settings_.degree != 0 && access.route == sm::Route::l1Data && access.request.type == mem::AccessType::globalRead;
}

void Prefetcher::accept(const sm::LineAccess& access, Cycle now) {
  const GlobalAddress line = lineOf(access.request.address);
  const bool isThere = cache_.holds(line);
  below_.pass(access, now);
  judge(line);
  if (isThere && settings_.trigger == Trigger::miss) return;
  ++counters_.triggers;
  for (u32 i = 1; i <= settings_.degree; ++i) ask(line + u64{i} * lineBytes_);
}

// What became of the prefetch of a line that is read now.
void Prefetcher::judge(GlobalAddress line) {
  if (underWay_.contains(line)) {
    ++counters_.late;
    underWay_.erase(line);
    return;
  }
  if (unread_.erase(line) == 0) return;
  ++(cache_.holds(line) ? counters_.useful : counters_.lost);
}

void Prefetcher::ask(GlobalAddress line) {
  if (cache_.holds(line) || std::find(waiting_.begin(), waiting_.end(), line) != waiting_.end()) return;
  if (waiting_.size() == kMostWaiting) {
    ++counters_.refused;
    return;
  }
  waiting_.push_back(line);
}

bool Prefetcher::tick(Cycle now) {
  if (waiting_.empty()) return false;
  const GlobalAddress line = waiting_.front();
  // A read may have fetched it meanwhile.
  if (cache_.holds(line)) {
    waiting_.pop_front();
    return true;
  }
  mem::Request request;
  request.address = line;
  request.lineBytes = lineBytes_;
  request.sectors = (1u << lineBytes_ / mem::Request::kSectorBytes) - 1;
  request.type = mem::AccessType::prefetch;
  request.born = now;
  const sm::LineAccess access{request, sm::Route::l1Data, nullptr};
  if (!below_.canAccept(access)) return false;
  below_.ask(access, now);
  waiting_.pop_front();
  underWay_.insert(line);
  ++counters_.issued;
  return true;
}

void Prefetcher::fill(const mem::Request& response, Cycle) {
  // One that was read meanwhile has been judged.
  if (underWay_.erase(lineOf(response.address)) != 0) unread_.insert(lineOf(response.address));
}

void Prefetcher::invalidate() {
  waiting_.clear();
  counters_.lost += unread_.size();
  unread_.clear();
}

}  // namespace next_line
