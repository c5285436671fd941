// What the harness needs of a memory agent; a test wraps its unit in an adapter with these members.
//
// Time is counted in ticks of the agent's own clock. In each tick the surroundings first hand in requests (accept) and responses from below
// (answer), then call tick(now), then take what is ready. A tick without such an exchange may be left out as long as it lies before
// nextUseful().
#pragma once

#include <concepts>

#include "mem/request.hpp"
#include "stats/conservation.hpp"
#include "stats/json.hpp"
#include "stats/statistics.hpp"

namespace warpwright::mem::conformance {

template <class A>
concept Agent = requires(A agent, const A constant, const Request& request, u64 now, u32 port, stats::Conservation& laws) {
  // Ports that take requests, and ports that hand out responses (caches, DRAM) or the requests themselves (networks).
  { constant.inputs() } -> std::convertible_to<u32>;
  { constant.outputs() } -> std::convertible_to<u32>;
  { constant.canAccept(port, request) } -> std::same_as<bool>;
  agent.accept(port, request, now);
  { constant.peek(port) } -> std::same_as<const Request*>;
  { agent.take(port) } -> std::same_as<Request>;
  { agent.tick(now) } -> std::same_as<bool>;
  { constant.nextUseful(now) } -> std::same_as<u64>;  // ~0: only an input can wake it
  // Nothing is under way.
  { constant.quiescent() } -> std::same_as<bool>;
  // Everything counted up to, not including, tick `now`.
  { agent.statistics(now) } -> std::same_as<stats::Json>;
  // Adds the unit's conservation laws, asked at the end.
  constant.check(laws);
};

// An agent with something below it: caches and partitions.
template <class A>
concept HasLowerSide = requires(A agent, const A constant, const Request& response, u64 now) {
  { constant.peekMiss() } -> std::same_as<const Request*>;
  { agent.takeMiss() } -> std::same_as<Request>;
  { constant.canFill(response) } -> std::same_as<bool>;
  agent.fill(response, now);
};

// An agent that carries requests to one of its outputs, unchanged, instead of answering them: networks.
template <class A>
concept Carrier = requires(const A constant, const Request& request) {
  { constant.destination(request) } -> std::convertible_to<u32>;
};

// An agent that writes back, one tick after another, what it still holds, once the stream has ended: caches.
template <class A>
concept Flushable = requires(A agent) {
  agent.flush();
};

}  // namespace warpwright::mem::conformance
