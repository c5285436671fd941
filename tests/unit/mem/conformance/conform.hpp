// The conformance test of memory agents.
//
//   conform([] { return CacheAdapter(config); }, Traffic{.seed = 3});
//
// holds the agent to the protocol: each accepted request that wants a response gets exactly one, with its id, sender, address and sectors;
// none is lost, doubled or invented; the agent comes to rest; leaving out the ticks that nextUseful() calls useless changes neither times
// nor statistics; a second run gives identical bits; the conservation laws hold.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "unit/mem/conformance/drive.hpp"

namespace warpwright::mem::conformance {

// What must come out for an accepted request, if anything.
template <Agent A>
std::optional<Request> expected(const A& agent, const Request& request) {
  if constexpr (Carrier<A>) return request;
  (void)agent;
  if (!request.wantsResponse) return std::nullopt;
  Request response = request;
  response.isResponse = true;
  return response;
}

template <Agent A>
void expectEachAnsweredOnce(const A& agent, const Outcome& outcome) {
  std::map<u32, Request> open;
  for (const Event& event : outcome.events) {
    if (event.crossing == Crossing::accepted) {
      if (const auto answer = expected(agent, event.request)) open.emplace(event.request.id, *answer);
      continue;
    }
    if (event.crossing != Crossing::delivered) continue;
    const auto found = open.find(event.request.id);
    if (found == open.end()) {
      ADD_FAILURE() << "tick " << event.time << ": a response that nobody waits for, id " << event.request.id;
      return;
    }
    Request answer = event.request;
    answer.wasMissed = false;  // which caches answer in their own way
    EXPECT_EQ(found->second, answer) << "tick " << event.time << ": not what id " << event.request.id << " asked for";
    if constexpr (Carrier<A>) {
      EXPECT_EQ(agent.destination(event.request), event.port) << "id " << event.request.id;
    }
    open.erase(found);
  }
  EXPECT_TRUE(open.empty()) << open.size() << " requests without a response, the first has id " << open.begin()->first;
}

inline void expectSame(const Outcome& left, const Outcome& right, const char* what) {
  EXPECT_EQ(left.statistics, right.statistics) << what;
  EXPECT_EQ(left.end, right.end) << what;
  ASSERT_EQ(left.events.size(), right.events.size()) << what;
  for (std::size_t i = 0; i < left.events.size(); ++i) {
    ASSERT_EQ(left.events[i], right.events[i]) << what << ": event " << i << " at tick " << left.events[i].time << " and "
                                               << right.events[i].time << ", ids " << left.events[i].request.id << " and "
                                               << right.events[i].request.id;
  }
}

// `make` returns a fresh agent each time. Returns the outcome, for further checks.
template <class Make>
Outcome conform(Make make, const Traffic& traffic) {
  auto agent = make();
  const Outcome every = drive(agent, traffic, false);
  EXPECT_TRUE(every.complaints.empty()) << every.complaints.size() << " complaints, first: " << every.complaints.front();
  expectEachAnsweredOnce(agent, every);
  auto skipping = make();
  const Outcome skipped = drive(skipping, traffic, true);
  expectSame(every, skipped, "with and without skipping");
  auto again = make();
  expectSame(every, drive(again, traffic, false), "the same run twice");
  return every;
}

}  // namespace warpwright::mem::conformance
