// What exchanges packets with the network through an SM's port: first-level caches, stages of the way of data accesses, the instruction
// stream, and queues of what has no cache.
#pragma once

#include "base/time.hpp"
#include "mem/request.hpp"

namespace warpwright::sm {

// When the clients of a port next have something to do. They share one: in a cycle before it, none of them is looked at.
class WakeUp {
 public:
  Cycle time() const { return time_; }
  void atOnce() { time_ = {}; }
  void never() { time_ = kNever; }
  void noLaterThan(Cycle time) { time_ = std::min(time_, time); }

 private:
  Cycle time_{};
};

// Whatever is put into a client or taken from it wakes the port's clients; nobody else has to remember that. In a cycle: fill(), then
// tick(), then takeRequest().
class NetworkClient {
 public:
  // number: of the client at its port.
  NetworkClient(u32 number, WakeUp& wakeUp) : number_(number), wakeUp_(wakeUp) {}
  NetworkClient(const NetworkClient&) = delete;
  NetworkClient& operator=(const NetworkClient&) = delete;
  virtual ~NetworkClient() = default;

  u32 number() const { return number_; }

  // A response from the network. Bits of the id above the client's own are of no meaning to canFill() and absent in fill().
  virtual bool canFill(const mem::Request& response) const = 0;
  void fill(const mem::Request& response, Cycle now) {
    wakeUp_.atOnce();
    doFill(response, now);
  }

  // Its requests to the network, one after the other.
  virtual bool hasRequest() const = 0;
  mem::Request takeRequest(Cycle now) {
    wakeUp_.atOnce();
    return doTakeRequest(now);
  }

  // Its own work of the cycle, and what it has to answer goes out. True when anything moved.
  virtual bool tick(Cycle) { return false; }
  // The next cycle in which tick() does something if nobody puts anything into it.
  virtual Cycle nextUseful(Cycle) const { return kNever; }
  // Nothing waits in it, and nothing that it asked for is under way.
  virtual bool quiescent() const = 0;

 protected:
  void wake() { wakeUp_.atOnce(); }

 private:
  virtual void doFill(const mem::Request& response, Cycle now) = 0;
  virtual mem::Request doTakeRequest(Cycle now) = 0;

  const u32 number_;
  WakeUp& wakeUp_;
};

}  // namespace warpwright::sm
