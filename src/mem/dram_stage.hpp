// What may stand between a memory partition and its DRAM channel: latencies, codecs, caches of metadata. The baseline has nothing there.
#pragma once

#include "base/time.hpp"
#include "mem/request.hpp"

namespace warpwright::mem {

// A memory agent (docs/memory-system.md) on the L2 clock, with the partition, or another stage, above it and the channel, or another stage,
// below. In each L2 tick it is first handed the responses that have come from below, then tick() is called, then its responses are taken;
// it is handed requests when the partition has made its tick, and what it asks for is taken at any time from then on. So what it passes on
// without delay may be visible as soon as it is handed in, and costs no time.
//
// It may send requests of its own, and answers those itself: for as long as they are under way, their ids and `sm` have to tell them from
// those of the partition, whose requests come back as they were sent (with another encoding or number of pieces, if it likes). They
// lie in the channel's share of the addresses. On the way up nothing may wait for anything on the way down.
class DramStage {
 public:
  virtual ~DramStage() = default;

  virtual bool canAccept(const Request& request) const = 0;
  virtual void accept(const Request& request, L2Tick now) = 0;
  virtual const Request* peekResponse() const = 0;
  virtual Request takeResponse() = 0;

  virtual const Request* peekMiss() const = 0;
  virtual Request takeMiss() = 0;
  virtual bool canFill(const Request& response) const = 0;
  virtual void fill(const Request& response, L2Tick now) = 0;

  // False: nothing changed.
  virtual bool tick(L2Tick now) = 0;
  // After tick(now): no tick before it changes anything unless something is exchanged; all ones: never on its own.
  virtual L2Tick nextUseful(L2Tick now) const = 0;
  // Nothing is under way.
  virtual bool quiescent() const = 0;
};

}  // namespace warpwright::mem
