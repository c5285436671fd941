#include "sm/l0_instructions.hpp"

namespace warpwright::sm {

L0Instructions::L0Instructions(const config::Machine& machine)
    : lineBytes_(machine.l1i.lineBytes), lineInterval_(machine.sm.l0LineInterval), lines_(machine.sm.l0Bytes / machine.l1i.lineBytes) {
  waiting_.reserve(machine.warpsPerSm);
  // Each warp may miss a line, and the one behind it.
  if (machine.sm.l0PrefetchLines != 0) stream_.emplace(machine.sm.l0PrefetchLines, lineBytes_, 2 * machine.warpsPerSm);
}

bool L0Instructions::finds(GlobalAddress address) {
  const GlobalAddress line = lineOf(address);
  if (lines_[latest_].used == 0 || lines_[latest_].address != line) {
    const auto found = std::ranges::find_if(lines_, [&](const Line& each) { return each.used != 0 && each.address == line; });
    if (found == lines_.end()) return false;
    latest_ = static_cast<std::size_t>(found - lines_.begin());
  }
  lines_[latest_].used = ++uses_;
  return true;
}

bool L0Instructions::await(GlobalAddress address, u32 fetch, const mem::Origin& origin) {
  const GlobalAddress line = lineOf(address);
  ++missCount_;
  const bool isAsked = std::ranges::any_of(waiting_, [&](const Waiting& each) { return each.line == line; });
  if (isAsked || !stream_) {
    waiting_.push_back({line, fetch});
    if (!isAsked) misses_.push_back({line, origin});
    return false;
  }
  mem::Request request;
  request.address = line;
  request.lineBytes = lineBytes_;
  request.origin = origin;
  stream_->miss(request);
  if (stream_->answers().empty()) {
    waiting_.push_back({line, fetch});
    return false;
  }
  keep(stream_->takeAnswer().address);
  return true;
}

L0Instructions::Wanted L0Instructions::takeWanted(Cycle now) {
  mayAsk_ = now + lineInterval_;
  return nextWanted(now);
}

L0Instructions::Wanted L0Instructions::nextWanted(Cycle now) {
  if (stream_ && stream_->misses().empty()) {
    const mem::Request ahead = stream_->takeLine(now);
    return {ahead.address, ahead.origin, true};
  }
  if (stream_) {
    const mem::Request miss = stream_->takeMiss();
    return {miss.address, miss.origin};
  }
  const Wanted first = misses_.front();
  misses_.erase(misses_.begin());
  return first;
}

void L0Instructions::keep(GlobalAddress line) {
  if (finds(line)) return;
  const auto oldest = std::ranges::min_element(lines_, {}, &Line::used);
  *oldest = {line, ++uses_};
  latest_ = static_cast<std::size_t>(oldest - lines_.begin());
}

}  // namespace warpwright::sm
