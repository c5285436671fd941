// Runs an agent under a stream of requests and notes everything that crosses its border.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stats/json.hpp"
#include "unit/mem/conformance/agent.hpp"
#include "unit/mem/conformance/lower_memory.hpp"
#include "unit/mem/conformance/traffic.hpp"

namespace warpwright::mem::conformance {

enum class Crossing : u8 { accepted, delivered, sentDown };

struct Event {
  u64 time = 0;
  Crossing crossing = Crossing::accepted;
  u32 port = 0;
  Request request;
  bool operator==(const Event&) const = default;
};

struct Outcome {
  std::vector<Event> events;
  stats::Json statistics;
  std::vector<std::string> complaints;
  u64 end = 0;
};

// With skip, ticks before nextUseful() without an exchange are left out; without it they are made, and must report no progress.
template <Agent A>
class Driver {
 public:
  Driver(A& agent, const Traffic& traffic, bool skip)
      : agent_(agent), traffic_(traffic), skip_(skip), below_(traffic), random_(traffic.seed) {
    pending_.resize(agent.inputs());
  }

  Outcome run() {
    bool flushed = !Flushable<A>;
    for (u64 quietSince = 0; now_ - quietSince < traffic_.patience; ++now_) {
      if (step()) quietSince = now_;
      if (!settled()) continue;
      if (!std::exchange(flushed, true)) {
        startFlush();
        continue;
      }
      finish();
      return std::move(outcome_);
    }
    complain("stuck: nothing crossed the border for " + std::to_string(traffic_.patience) + " ticks");
    finish();
    return std::move(outcome_);
  }

 private:
  // One tick with its exchanges; whether anything crossed.
  bool step() {
    bool in = offer();
    in |= answerFromBelow();
    const bool due = touched_ || in || now_ >= useful_;
    touched_ = false;
    if (due || !skip_) {
      const bool progress = agent_.tick(now_);
      if (progress && !due) complain("a tick before the announced useful time made progress");
      useful_ = agent_.nextUseful(now_);
      if (useful_ <= now_) complain("nextUseful lies not after the tick");
    }
    bool out = takeFromBelow();
    out |= takeOutputs();
    touched_ = touched_ || out;
    return in || out;
  }

  bool offer() {
    bool any = false;
    for (u32 port = 0; port < pending_.size(); ++port) {
      if (paused() || !willing(port, 1, traffic_.offerPercent)) continue;
      std::optional<Request>& next = pending_[port];
      if (!next && created_ < traffic_.requests) next = makeRequest(traffic_, created_++, port, random_);
      if (!next || !agent_.canAccept(port, *next)) continue;
      agent_.accept(port, *next, now_);
      note(Crossing::accepted, port, *next);
      next.reset();
      any = true;
    }
    return any;
  }

  bool answerFromBelow() {
    if constexpr (HasLowerSide<A>) return below_.answer(agent_, now_);
    return false;
  }

  bool takeFromBelow() {
    bool any = false;
    if constexpr (HasLowerSide<A>) {
      while (agent_.peekMiss() && below_.canTake() && willing(0, 2, traffic_.takePercent)) {
        const Request request = agent_.takeMiss();
        note(Crossing::sentDown, 0, request);
        below_.take(request, now_);
        any = true;
      }
    }
    return any;
  }

  bool takeOutputs() {
    bool any = false;
    for (u32 port = 0; port < agent_.outputs(); ++port) {
      const Request* ready = agent_.peek(port);
      if (!ready || !willing(port, 3, traffic_.takePercent)) continue;
      const Request seen = *ready;
      const Request taken = agent_.take(port);
      if (seen != taken) complain("take hands out something else than peek showed");
      note(Crossing::delivered, port, taken);
      any = true;
    }
    return any;
  }

  bool settled() const {
    if (created_ < traffic_.requests || !below_.empty()) return false;
    for (const auto& next : pending_) {
      if (next) return false;
    }
    return agent_.quiescent();
  }

  void startFlush() {
    if constexpr (Flushable<A>) agent_.flush();
    touched_ = true;
  }

  void finish() {
    outcome_.end = now_;
    outcome_.statistics = agent_.statistics(now_ + 1);
    stats::Conservation laws;
    agent_.check(laws);
    for (const std::string& violation : laws.violations()) complain(violation);
  }

  bool willing(u32 port, u64 what, u32 percent) const { return mix(mix(mix(traffic_.seed) + now_) + port * 8 + what) % 100 < percent; }
  // A pause covers pauseTicks from a tick that begins one.
  bool paused() const {
    return traffic_.pauseTicks != 0 && mix(traffic_.seed * 7 + now_ / traffic_.pauseTicks) % 100 < traffic_.pausePercent;
  }

  void note(Crossing crossing, u32 port, const Request& request) { outcome_.events.push_back({now_, crossing, port, request}); }
  void complain(const std::string& text) {
    if (outcome_.complaints.size() < 20) outcome_.complaints.push_back("tick " + std::to_string(now_) + ": " + text);
  }

  A& agent_;
  const Traffic& traffic_;
  bool skip_;
  LowerMemory below_;
  Random random_;
  std::vector<std::optional<Request>> pending_;  // offered and not yet accepted, by port
  u32 created_ = 0;
  u64 now_ = 0, useful_ = 0;
  bool touched_ = true;
  Outcome outcome_;
};

template <Agent A>
Outcome drive(A& agent, const Traffic& traffic, bool skip) {
  return Driver<A>(agent, traffic, skip).run();
}

}  // namespace warpwright::mem::conformance
