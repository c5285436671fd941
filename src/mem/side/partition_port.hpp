// What a port of a memory partition sees of the networks.
#pragma once

#include <algorithm>

#include "engine/channel.hpp"
#include "mem/side/network_sections.hpp"

namespace warpwright::mem {

class PartitionPort {
 public:
  virtual ~PartitionPort() = default;

  // The request that has arrived; null: there is none.
  virtual const Request* peek(Cycle now) const = 0;
  virtual Request take(Cycle now) = 0;
  virtual bool canSend(const Request& response, Cycle now) = 0;
  virtual void send(const Request& response, Cycle now) = 0;

  // The earliest cycle, from `now` on, at which peek() shows something, as far as is known, and the request; kNever: none.
  struct Arrival {
    Cycle time = kNever;
    const Request* request = nullptr;
  };
  virtual Arrival next(Cycle now) const = 0;
  // The same of canSend(), if nothing else changes.
  virtual Cycle canSendAt(const Request& response, Cycle now) const = 0;
};

// The partition and the networks go in step.
class DirectPort final : public PartitionPort {
 public:
  DirectPort(RequestSection& requests, ResponseSection& responses, MemoryPortId port)
      : requests_(requests), responses_(responses), port_(port) {}

  const Request* peek(Cycle) const override { return requests_.network().peek(port_); }
  Request take(Cycle) override { return requests_.network().take(port_); }
  bool canSend(const Request& response, Cycle) override { return responses_.network().canAccept(port_, response); }
  void send(const Request& response, Cycle now) override { responses_.network().accept(port_, response, responses_.time(now)); }
  Arrival next(Cycle now) const override {
    const Request* request = peek(now);
    return {request ? now : kNever, request};
  }
  Cycle canSendAt(const Request& response, Cycle now) const override {
    return responses_.network().canAccept(port_, response) ? now : kNever;
  }

 private:
  RequestSection& requests_;
  ResponseSection& responses_;
  MemoryPortId port_;
};

// They are domains of their own.
class ChannelPort final : public PartitionPort {
 public:
  ChannelPort(RequestChannel& requests, RequestChannel& responses) : requests_(requests), responses_(responses) {}

  const Request* peek(Cycle now) const override { return requests_.ready(now) ? &requests_.front() : nullptr; }
  Request take(Cycle now) override { return requests_.take(now); }
  bool canSend(const Request&, Cycle now) override { return responses_.canSend(now); }
  void send(const Request& response, Cycle now) override { responses_.send(response, now); }
  Arrival next(Cycle now) const override {
    const Cycle time = requests_.nextArrival();
    if (time == kNever) return {};
    return {std::max(now, time), &requests_.front()};
  }
  Cycle canSendAt(const Request&, Cycle now) const override { return responses_.canSendAt(now); }

 private:
  RequestChannel& requests_;
  RequestChannel& responses_;
};

}  // namespace warpwright::mem
