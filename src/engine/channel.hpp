// What crosses from one domain to another: items that arrive after a latency, with credits that come back after the same latency. Sender
// and receiver may run in parallel for a quantum of at most that latency. Each channel has two sides, used in turns: in one quantum the
// ends write to one, and at the beginning of the next they read what the other end wrote there, while writing to the other.
#pragma once

#include <algorithm>
#include <array>

#include "base/ring_queue.hpp"
#include "base/time.hpp"

namespace warpwright::engine {

// What one end does is in no cache line that the other writes meanwhile.
inline constexpr std::size_t kCacheLine = 64;

class ChannelBase {
 public:
  // capacity: credits; at least 1. latency: core cycles, at least the quantum.
  ChannelBase(u32 capacity, u64 latency) : capacity_(capacity), latency_(latency) {}
  virtual ~ChannelBase() = default;
  ChannelBase(const ChannelBase&) = delete;
  ChannelBase& operator=(const ChannelBase&) = delete;

  u64 latency() const { return latency_; }

  // An end turns to a side before its domain runs, on the thread that runs the domain, and takes what the other end left on the other
  // side. Both turn to the same one. An end whose domain does not run need not turn, unless the other end has left something for it.
  virtual void turnSender(u32 side) = 0;
  virtual void turnReceiver(u32 side) = 0;

  // What an end has left for the other since it turned; kNever: nothing.
  virtual Cycle firstSent() const = 0;      // when the first item arrives
  virtual Cycle firstReturned() const = 0;  // when the first credit is back
  // The sender has no credit that it knows of.
  virtual bool isOutOfCredits() const = 0;

  // Both ends turn, with neither running.
  void exchange() {
    side_ ^= 1;
    turnSender(side_);
    turnReceiver(side_);
  }

 protected:
  const u32 capacity_;
  const u64 latency_;

 private:
  u32 side_ = 0;  // of exchange()
};

template <class T>
class Channel final : public ChannelBase {
 public:
  Channel(u32 capacity, u64 latency)
      : ChannelBase(capacity, latency),
        sent_{Queue<Arrival>(capacity), Queue<Arrival>(capacity)},
        spent_{Queue<Cycle>(capacity), Queue<Cycle>(capacity)},
        sender_(capacity),
        receiver_(capacity) {}

  // --- sender
  bool canSend(Cycle now) {
    while (!sender_.returned.empty() && sender_.returned.front() <= now) {
      sender_.returned.pop();
      --sender_.inFlight;
    }
    return sender_.inFlight < capacity_;
  }
  // The earliest time at which a credit known of comes back; kNever: none.
  Cycle nextCredit() const { return sender_.returned.empty() ? kNever : sender_.returned.front(); }
  // The earliest time, from `now` on, at which canSend() holds as far as known between quanta; kNever: when credits come back.
  Cycle canSendAt(Cycle now) const {
    if (sender_.inFlight < capacity_) return now;
    return sender_.returned.empty() ? kNever : std::max(now, sender_.returned.front());
  }
  // Only when canSend(now).
  void send(const T& item, Cycle now) {
    Arrival& arrival = sent_[sender_.side].items.extend();
    arrival.time = now + latency_;
    arrival.item = item;
    ++sender_.inFlight;
  }
  bool idle() const { return sender_.inFlight == 0; }

  // --- receiver
  bool ready(Cycle now) const { return !receiver_.inbox.empty() && receiver_.inbox.front().time <= now; }
  Cycle nextArrival() const { return receiver_.inbox.empty() ? kNever : receiver_.inbox.front().time; }
  const T& front() const { return receiver_.inbox.front().item; }
  T take(Cycle now) {
    T item = std::move(receiver_.inbox.front().item);
    drop(now);
    return item;
  }
  // take(), when front() has shown enough.
  void drop(Cycle now) {
    receiver_.inbox.pop();
    spent_[receiver_.side].items.push(now + latency_);
  }

  // --- both
  // Between quanta: nothing has been sent that has not been taken.
  bool isEmpty() const { return receiver_.inbox.empty() && sent_[0].items.empty() && sent_[1].items.empty(); }
  void turnSender(u32 side) override {
    sender_.side = side;
    for (auto& spent = spent_[side ^ 1].items; !spent.empty(); spent.pop()) sender_.returned.push(spent.front());
  }
  void turnReceiver(u32 side) override {
    receiver_.side = side;
    for (auto& sent = sent_[side ^ 1].items; !sent.empty(); sent.pop()) receiver_.inbox.push(std::move(sent.front()));
  }
  Cycle firstSent() const override {
    const auto& sent = sent_[sender_.side].items;
    return sent.empty() ? kNever : sent.front().time;
  }
  Cycle firstReturned() const override {
    const auto& spent = spent_[receiver_.side].items;
    return spent.empty() ? kNever : spent.front();
  }
  bool isOutOfCredits() const override { return sender_.inFlight >= capacity_; }

 private:
  struct Arrival {
    Cycle time;
    T item;
  };
  template <class Item>
  struct alignas(kCacheLine) Queue {
    explicit Queue(u32 capacity) : items(capacity) {}
    RingQueue<Item> items;
  };
  struct alignas(kCacheLine) Sender {
    explicit Sender(u32 capacity) : returned(capacity) {}
    RingQueue<Cycle> returned;
    u32 inFlight = 0, side = 0;
  };
  struct alignas(kCacheLine) Receiver {
    explicit Receiver(u32 capacity) : inbox(capacity) {}
    RingQueue<Arrival> inbox;
    u32 side = 0;
  };

  std::array<Queue<Arrival>, 2> sent_;  // by side
  std::array<Queue<Cycle>, 2> spent_;
  Sender sender_;
  Receiver receiver_;
};

}  // namespace warpwright::engine
