// Memory without a limit beyond the first-level caches of an SM: whatever is asked for is there after a fixed time
// (sm.memory.perfect_latency).
#pragma once

#include <deque>

#include "mem/request.hpp"
#include "sm/ports/network_client.hpp"

namespace warpwright::sm {

class PerfectMemory {
 public:
  // latency: cycles from a request to its answer, 1 or more.
  explicit PerfectMemory(u32 latency) : latency_(latency) {}

  // Takes the next request of a client that has one; an atomic is given to `pass`, as only the memory partitions put atomics in order.
  template <class Pass>
  void take(NetworkClient& client, Cycle now, Pass pass) {
    mem::Request request = client.takeRequest(now);
    if (request.type == mem::AccessType::atomic) return pass(request);
    if (!request.wantsResponse) return;
    request.isResponse = true;
    answers_.push_back({request, now + latency_, &client});
  }

  // Answers what is due, as far as the clients take it. True when anything moved.
  bool answer(Cycle now) {
    bool any = false;
    for (std::size_t index = 0; index < answers_.size() && answers_[index].ready <= now;) {
      Answer& answer = answers_[index];
      if (!answer.client->canFill(answer.request)) {
        ++index;
        continue;
      }
      answer.client->fill(answer.request, now);
      answers_.erase(answers_.begin() + static_cast<std::ptrdiff_t>(index));
      any = true;
    }
    return any;
  }
  Cycle nextUseful() const { return answers_.empty() ? kNever : answers_.front().ready; }

 private:
  struct Answer {
    mem::Request request;
    Cycle ready{};
    NetworkClient* client = nullptr;
  };

  u32 latency_;
  std::deque<Answer> answers_;  // in the order of their times
};

}  // namespace warpwright::sm
