#include "embed/launch_queues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.hpp"

namespace warpwright {

u32 LaunchQueues::create(int priority) {
  queues_.push_back({priority, {}});
  return static_cast<u32>(queues_.size() - 1);
}

void LaunchQueues::add(u32 stream, runtime::Launch launch) {
  if (stream >= queues_.size()) throw Error(fmt::format("there is no stream {}", stream), {}, "createStream() makes streams");
  if (const auto problem = device_.check(launch); problem.fault != runtime::LaunchFault::none)
    throw Error(problem.message, {}, problem.remedy);
  launch.priority = queues_[stream].priority;
  device_.announce(launch);
  queues_[stream].waiting.push_back(std::move(launch));
}

void LaunchQueues::finish() {
  try {
    const u64 begin = now_;
    for (std::size_t queue = 0; queue < queues_.size(); ++queue) submitNext(queue, begin);
    device_.run();
    device_.runPatiently();
    device_.endWaiting();
  } catch (...) {
    forgetAll();
    throw;
  }
  if (failure_.empty()) return;
  forgetAll();
  throw Error(std::exchange(failure_, {}));
}

void LaunchQueues::submitNext(std::size_t queue, u64 startNanoseconds) {
  std::deque<runtime::Launch>& waiting = queues_[queue].waiting;
  if (waiting.empty() || !failure_.empty()) return;
  runtime::Launch launch = std::move(waiting.front());
  waiting.pop_front();
  launch.startNanoseconds = startNanoseconds;
  device_.submit(launch, [this, queue](const runtime::LaunchOutcome& outcome) { ended(queue, outcome); });
}

void LaunchQueues::ended(std::size_t queue, const runtime::LaunchOutcome& outcome) {
  now_ = std::max(now_, outcome.endNanoseconds);
  std::ranges::copy(outcome.warnings, std::back_inserter(warnings_));
  std::ranges::copy(outcome.tolerated, std::back_inserter(warnings_));
  if (outcome.status != exec::LaunchStatus::completed && failure_.empty()) failure_ = outcome.message;
  submitNext(queue, outcome.endNanoseconds);
}

void LaunchQueues::forgetAll() {
  for (Queue& queue : queues_) queue.waiting.clear();
  device_.abandon();
}

std::vector<std::string> LaunchQueues::takeWarnings() { return std::exchange(warnings_, {}); }

}  // namespace warpwright
