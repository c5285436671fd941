#include "mem/partition/slice.hpp"

#include <algorithm>

namespace warpwright::mem {

Slice::Slice(const config::Partition& config, const config::Cache& l2, Interleave share, AtomicResult result, bool skip,
             const PlacementPart& placement, std::optional<u32> crossing)
    : latency_{config.latency, config.latency + crossing.value_or(0)},
      responsesPerTick_(std::max(l2.ports, 1u)),
      result_(result),
      skip_(skip),
      ways_(crossing ? u32{kWays} : 1),
      below_(config.dramQueue),
      arrived_(config.fillQueue),
      atomics_(config),
      output_(config.outputQueue) {
  if (crossing) partner_.emplace(l2.mshrs);
  // What waits, and a request a tick on the way.
  for (u32 way = 0; way < ways_; ++way) inputs_[way] = DelayQueue<Request, L2Clock>(config.inputQueue + latency_[way]);
  if (l2.bytes == 0) return;
  cache_.emplace(l2, Atomics::here, share);
  placement_ = placement.make({l2, share});
  if (placement_) cache_->placeBy(*placement_);
}

void Slice::accept(const Request& request, L2Tick now, u64 onTheLink) {
  wake_ = {};
  if (request.isForPartner()) return partner_->accept(request);
  const Way way = wayOf(request);
  inputs_[way].push(request, now + (latency_[way] + onTheLink));
}

Request Slice::takeFirst(RingQueue<Request>& queue) {
  const Request first = queue.front();
  queue.pop();
  return first;
}

Request Slice::takeForPartner() {
  wake_ = {};
  return takeFirst(partner_->answers());
}

Request Slice::takePartnerMiss() {
  wake_ = {};
  return takeFirst(partner_->misses());
}

void Slice::fillForPartner(const Request& response, L2Tick now) {
  wake_ = {};
  partner_->fill(response, *cache_, now);
}

Request Slice::takeResponse() {
  wake_ = {};
  return takeFirst(output_);
}

const Request* Slice::peekMiss() const {
  if (cache_) return cache_->peekMiss();
  return below_.empty() ? nullptr : &below_.front();
}

Request Slice::takeMiss() {
  wake_ = {};
  return cache_ ? cache_->takeMiss() : takeFirst(below_);
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
  bool progress = moveInputs(now, stats);
  if (cache_) progress |= cache_->tick(now);
  if (partner_) progress |= partner_->tick(*cache_);
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
  L2Tick next = atomics_.nextUseful();
  for (u32 way = 0; way < ways_; ++way) next = std::min(next, inputs_[way].nextReady());
  return cache_ ? std::min(next, cache_->nextUseful(now)) : next;
}

bool Slice::quiescent() const {
  const auto isEmpty = [](const auto& queue) { return queue.empty(); };
  return std::all_of(inputs_.begin(), inputs_.end(), isEmpty) && below_.empty() && arrived_.empty() && output_.empty() &&
         (!partner_ || partner_->quiescent()) && atomics_.empty() && (!cache_ || cache_->quiescent());
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

// The ways take turns at being first.
bool Slice::moveInputs(L2Tick now, PartitionStats& stats) {
  const u32 first = firstWay_;
  bool any = false;
  for (u32 i = 0; i < ways_; ++i) {
    const u32 way = (first + i) % ways_;
    if (!moveInput(inputs_[way], now, stats)) continue;
    firstWay_ = (way + 1) % ways_;
    any = true;
  }
  return any;
}

bool Slice::moveInput(DelayQueue<Request, L2Clock>& input, L2Tick now, PartitionStats& stats) {
  input.advance(now);
  bool any = false;
  while (const Request* next = input.peek()) {
    if (!canLeaveInput(*next)) break;
    stats.inputQueueTicks += now - input.readyAt();
    if (cache_) {
      cache_->accept(*next, now);
    } else {
      atomicsBelow_ += next->type == AccessType::atomic ? 1 : 0;
      below_.push(*next);
    }
    input.drop();
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
