// What responses of the network pass before they come to whoever has asked: a mechanism that must do something with them first. The
// baseline has nothing there.
#pragma once

#include "base/time.hpp"
#include "mem/request.hpp"

namespace warpwright::sm {

// On the core clock. In a cycle: take() of what is ready, tick(), accept(). Responses come and go with the ids that they have in the
// network.
class ArrivalStage {
 public:
  virtual ~ArrivalStage() = default;

  // What it does not take goes on at once.
  virtual bool takes(const mem::Request& response) const = 0;
  virtual bool canAccept(const mem::Request& response) const = 0;
  virtual void accept(const mem::Request& response, Cycle now) = 0;
  // What goes on next, as soon as its client has room; null: nothing is ready.
  virtual const mem::Request* peek() const = 0;
  virtual mem::Request take() = 0;

  // True when something changed.
  virtual bool tick(Cycle now) = 0;
  // After tick(now): no tick before it changes anything unless something is exchanged.
  virtual Cycle nextUseful(Cycle now) const = 0;
  virtual bool quiescent() const = 0;
};

}  // namespace warpwright::sm
