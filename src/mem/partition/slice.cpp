#include "mem/partition/slice.hpp"

#include <algorithm>

namespace warpwright::mem {

Slice::Slice(const config::Partition& config, const config::Cache& l2, Interleave share, AtomicResult result, bool skip,
             const PlacementPart& placement)
    : latency_(config.latency),
      responsesPerTick_(std::max(l2.ports, 1u)),
      result_(result),
      skip_(skip),
      input_(config.inputQueue + config.latency),  // what waits, and a request a tick on the way
      below_(config.dramQueue),
      arrived_(config.fillQueue),
      atomics_(config),
      output_(config.outputQueue) {
  if (l2.bytes == 0) return;
  cache_.emplace(l2, Atomics::here, share);
  placement_ = placement.make({l2, share});
  if (placement_) cache_->placeBy(*placement_);
}

void Slice::accept(const Request& request, L2Tick now) {
  input_.push(request, now + latency_);
  wake_ = {};
}

Request Slice::takeResponse() {
  wake_ = {};
  const Request response = output_.front();
  output_.pop();
  return response;
}

const Request* Slice::peekMiss() const {
  if (cache_) return cache_->peekMiss();
  return below_.empty() ? nullptr : &below_.front();
}

Request Slice::takeMiss() {
  wake_ = {};
  if (cache_) return cache_->takeMiss();
  const Request request = below_.front();
  below_.pop();
  return request;
}

bool Slice::canFill(const Request& response) const { return cache_ ? cache_->canFill(response) : !arrived_.full(); }

void Slice::fill(const Request& response, L2Tick now) {
  wake_ = {};
  if (cache_) {
    cache_->fill(response, now);
  } else {
    arrived_.push(response);
  }
}

bool Slice::tick(L2Tick now, PartitionStats& stats, std::vector<PerformedAtomic>& performed) {
  if (skip_ && now < wake_) return false;
  waitingBelow_.tickBegins(now, below_.size());
  waitingAbove_.tickBegins(now, arrived_.size());
  waitingForAtomics_.tickBegins(now, atomics_.size());
  waitingForOutput_.tickBegins(now, output_.size());
  bool progress = moveInput(now, stats);
  if (cache_) progress |= cache_->tick(now);
  progress |= moveResponses(now, stats);
  progress |= atomics_.tick(now, performed);
  progress |= finishAtomics();
  waitingBelow_.tickEnds(below_.size());
  waitingAbove_.tickEnds(arrived_.size());
  waitingForAtomics_.tickEnds(atomics_.size());
  waitingForOutput_.tickEnds(output_.size());
  // A tick that changed something may have freed an entry for which something else waits.
  wake_ = progress ? now + 1 : partsUseful(now);
  return progress;
}

void Slice::addQueues(PartitionStats& stats, L2Tick until) const {
  stats.dramQueueTicks += waitingBelow_.total(until);
  stats.fillQueueTicks += waitingAbove_.total(until);
  stats.atomicsQueueTicks += waitingForAtomics_.total(until);
  stats.outputQueueTicks += waitingForOutput_.total(until);
}

L2Tick Slice::partsUseful(L2Tick now) const {
  const L2Tick next = std::min(input_.nextReady(), atomics_.nextUseful());
  return cache_ ? std::min(next, cache_->nextUseful(now)) : next;
}

bool Slice::quiescent() const {
  return input_.empty() && below_.empty() && arrived_.empty() && output_.empty() && atomics_.empty() && (!cache_ || cache_->quiescent());
}

bool Slice::place(GlobalAddress address, u32 sectors, L2Tick now) {
  wake_ = {};
  return cache_ && cache_->place(address, sectors, now);
}

bool Slice::touch(const TouchedLine& touched, L2Tick now) {
  wake_ = {};
  return cache_ && cache_->touch(touched, now);
}

void Slice::flush() {
  if (cache_) cache_->flush();
  wake_ = {};
}

bool Slice::moveInput(L2Tick now, PartitionStats& stats) {
  input_.advance(now);
  bool any = false;
  while (const Request* next = input_.peek()) {
    if (!canLeaveInput(*next)) break;
    stats.inputQueueTicks += now - input_.readyAt();
    const Request request = input_.take();
    if (cache_) {
      cache_->accept(request, now);
    } else {
      atomicsBelow_ += request.type == AccessType::atomic ? 1 : 0;
      below_.push(request);
    }
    any = true;
  }
  return any;
}

// Without a cache, no more atomics are under way than the unit can hold: their responses then always find room, whatever waits to go
// down. Otherwise responses, blocked by the unit, could block the DRAM channel that the unit's writes need.
bool Slice::canLeaveInput(const Request& request) const {
  if (cache_) return cache_->canAccept(request);
  return !below_.full() && (request.type != AccessType::atomic || atomicsBelow_ < atomics_.capacity());
}

// Responses of the cache, or from below without one, to the way out or to the atomics unit, in their order.
bool Slice::moveResponses(L2Tick now, PartitionStats& stats) {
  for (u32 moved = 0; moved < responsesPerTick_; ++moved) {
    const Request* next = peekArrived();
    if (!next) return moved != 0;
    if (next->type == AccessType::atomic) {
      if (!atomics_.canAccept()) return moved != 0;
      stats.atomicOperations += next->operations;
      atomics_.accept(*next, now);
    } else {
      if (output_.full()) return moved != 0;
      output_.push(*next);
    }
    dropArrived();
  }
  return true;
}

bool Slice::finishAtomics() {
  bool any = false;
  const bool writes = result_ == AtomicResult::goesBelow;
  while (atomics_.peek() && !output_.full() && !(writes && below_.full())) {
    const Request done = atomics_.take();
    output_.push(done);
    any = true;
    if (!cache_) --atomicsBelow_;
    if (!writes) continue;
    Request write = done;
    write.type = AccessType::globalWrite;
    write.isResponse = write.wantsResponse = false;
    write.wholeSectors = write.sectors;
    write.operations = write.repeats = 0;
    write.encoding = write.pieces = 0;
    below_.push(write);
  }
  return any;
}

const Request* Slice::peekArrived() const {
  if (cache_) return cache_->peekResponse();
  return arrived_.empty() ? nullptr : &arrived_.front();
}

void Slice::dropArrived() {
  if (cache_) {
    cache_->takeResponse();
  } else {
    arrived_.pop();
  }
}

}  // namespace warpwright::mem
