// What parts of an SM ask of routines that run beside its warps: a part that must do something with data hands them to a routine, and hears
// when it has ended. Who runs routines (Parts::helpers) offers it; the baseline has neither.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/time.hpp"
#include "base/types.hpp"
#include "mem/request.hpp"
#include "sm/warp_set.hpp"

namespace warpwright::sm {

class AssistanceClient {
 public:
  virtual ~AssistanceClient() = default;
  // Of what it asked for with this ticket: what the routine has left in its buffer; empty: it did not come to its end. In the cycle in
  // which it is told, it asks for nothing.
  virtual void assisted(u32 ticket, std::span<const std::byte> buffer, Cycle now) = 0;
};

struct AssistanceRequest {
  SlotId slot;                        // of the warp beside which the routine runs
  std::string_view routine;           // a function's name
  std::span<const std::byte> buffer;  // what its buffer begins with
  u32 ticket = 0;                     // the client's own
  WarpSet held{};                     // of a routine of high priority: others that wait for it, too
};

class Assistance {
 public:
  virtual ~Assistance() = default;
  // Whether the slot has a warp of a launch that has the routine, so that it may ever run there.
  virtual bool knows(SlotId slot, std::string_view routine) const = 0;
  // False: not now; nothing has happened. Of high priority any number may be asked for where it is known; they come one after the other.
  virtual bool ask(const AssistanceRequest& request, AssistanceClient& client, Cycle now) = 0;
  // Beside the slot's warp: the client, who asked with this ticket, has no more use for it. Of low priority it is dropped, or
  // killed; whether the client is told then is left open.
  virtual void cancel(SlotId slot, u32 ticket, const AssistanceClient& client) = 0;
  // The warp that missed the line first, of those that wait for this response to come to the first-level data or texture cache.
  virtual std::optional<SlotId> waiterFor(const mem::Request& response) const = 0;
  // All of them.
  virtual WarpSet waitersFor(const mem::Request& response) const = 0;
};

// The parts of an SM are made one after the other: who asks gets this, and whoever offers assistance puts it here before time begins.
struct AssistanceLink {
  Assistance* offered = nullptr;  // null: nobody
};

}  // namespace warpwright::sm
