// What crosses from one domain to another: items that arrive after a latency, with credits that come back after the same latency. Sender
// and receiver may run in parallel for a quantum of at most that latency; exchange() between quanta hands over what was sent.
#pragma once

#include <algorithm>

#include "base/ring_queue.hpp"
#include "base/time.hpp"

namespace warpwright::engine {

class ChannelBase {
 public:
  // capacity: credits; at least 1. latency: core cycles, at least the quantum.
  ChannelBase(u32 capacity, u64 latency) : capacity_(capacity), latency_(latency) {}
  virtual ~ChannelBase() = default;
  ChannelBase(const ChannelBase&) = delete;
  ChannelBase& operator=(const ChannelBase&) = delete;

  u64 latency() const { return latency_; }
  // Between quanta only.
  virtual void exchange() = 0;

 protected:
  const u32 capacity_;
  const u64 latency_;
};

template <class T>
class Channel final : public ChannelBase {
 public:
  Channel(u32 capacity, u64 latency)
      : ChannelBase(capacity, latency), outbox_(capacity), inbox_(capacity), spent_(capacity), returned_(capacity) {}

  // --- sender
  bool canSend(Cycle now) {
    while (!returned_.empty() && returned_.front() <= now) {
      returned_.pop();
      --inFlight_;
    }
    return inFlight_ < capacity_;
  }
  // The earliest time at which a credit known of comes back; kNever: none.
  Cycle nextCredit() const { return returned_.empty() ? kNever : returned_.front(); }
  // The earliest time, from `now` on, at which canSend() holds as far as known between quanta; kNever: when credits come back.
  Cycle canSendAt(Cycle now) const {
    if (inFlight_ < capacity_) return now;
    return returned_.empty() ? kNever : std::max(now, returned_.front());
  }
  // Only when canSend(now).
  void send(T item, Cycle now) {
    outbox_.push({now + latency_, std::move(item)});
    ++inFlight_;
  }
  bool idle() const { return inFlight_ == 0; }

  // --- receiver
  bool ready(Cycle now) const { return !inbox_.empty() && inbox_.front().time <= now; }
  Cycle nextArrival() const { return inbox_.empty() ? kNever : inbox_.front().time; }
  const T& front() const { return inbox_.front().item; }
  T take(Cycle now) {
    T item = std::move(inbox_.front().item);
    inbox_.pop();
    spent_.push(now + latency_);
    return item;
  }

  // --- neither runs
  void exchange() override {
    for (; !outbox_.empty(); outbox_.pop()) inbox_.push(std::move(outbox_.front()));
    for (; !spent_.empty(); spent_.pop()) returned_.push(spent_.front());
  }

 private:
  struct Arrival {
    Cycle time;
    T item;
  };
  RingQueue<Arrival> outbox_, inbox_;
  RingQueue<Cycle> spent_, returned_;
  u32 inFlight_ = 0;
};

}  // namespace warpwright::engine
