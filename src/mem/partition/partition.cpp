#include "mem/partition/partition.hpp"

#include <algorithm>

namespace warpwright::mem {
namespace {

constexpr std::size_t kFirstRecords = 1024;

}  // namespace

Partition::Partition(const config::Partition& config, const config::Cache& l2, const config::Cache& lastLevel, const AddressMap& map,
                     bool skip, const PlacementPart& placement, PartitionId number)
    : map_(&map),
      number_(number),
      hasPartner_(config.halves == 2),
      fromPartner_(config.halfBytesPerTick),
      toDram_(config.dramQueue),
      fromDram_(config.fillQueue) {
  // All that its slices can have under way: what is asked of the partner never holds up what is asked of DRAM, so that two partners do not
  // wait for each other.
  if (hasPartner_) toPartner_.reserve(config.slices * l2.mshrs);
  const std::optional<u32> crossing = hasPartner_ ? std::optional(2 * config.halfLatency) : std::nullopt;
  for (u32 port = 0; port < config.networkPorts; ++port) firstOutput_.push_back(port);
  const bool cached = l2.bytes != 0 || lastLevel.bytes != 0;
  for (u32 i = 0; i < config.slices; ++i) {
    slices_.emplace_back(config, l2, map.sliceShare(), cached ? AtomicResult::staysInCache : AtomicResult::goesBelow, skip, placement,
                         crossing);
  }
  if (lastLevel.bytes != 0) lastLevel_.emplace(lastLevel, Atomics::here, map.partitionShare());
  performed_.reserve(kFirstRecords);
}

void Partition::accept(const Request& request, L2Tick now) {
  if (request.isForPartner()) {
    ++stats_.partnerReads;
  } else {
    ++stats_.requests[request.type];
    stats_.responsesDue += request.wantsResponse ? 1 : 0;
    stats_.bytesFromNetwork += request.wireBytes();
  }
  const u64 onTheLink = request.crosses ? fromPartner_.book(request.wireBytes(), now) : 0;
  slices_[map_->slice(request.address)].accept(request, now, onTheLink);
  changed_ = true;
}

std::size_t Partition::nextOutput(u32 port) const {
  std::size_t slice = firstOutput_[port];
  for (std::size_t i = port; i < slices_.size(); i += networkPorts(), slice = behindAtPort(slice)) {
    if (slices_[slice].peekResponse()) return slice;
  }
  return slices_.size();
}

std::size_t Partition::nextForPartner() const {
  std::size_t slice = firstForPartner_;
  for (std::size_t i = 0; i < slices_.size(); ++i, slice = behind(slice)) {
    if (slices_[slice].peekForPartner()) return slice;
  }
  return slices_.size();
}

const Request* Partition::peekResponse(u32 port) const {
  const bool isPartners = port == networkPorts();
  const std::size_t slice = isPartners ? nextForPartner() : nextOutput(port);
  if (slice == slices_.size()) return nullptr;
  return isPartners ? slices_[slice].peekForPartner() : slices_[slice].peekResponse();
}

Request Partition::takeResponse(u32 port) {
  if (port == networkPorts()) return takeForPartner();
  const std::size_t slice = nextOutput(port);
  firstOutput_[port] = behindAtPort(slice);
  changed_ = true;
  Request response = slices_[slice].takeResponse();
  ++stats_.responses[response.type];
  stats_.bytesToNetwork += response.wireBytes();
  return response;
}

Request Partition::takeForPartner() {
  const std::size_t slice = nextForPartner();
  firstForPartner_ = behind(slice);
  changed_ = true;
  return slices_[slice].takeForPartner();
}

Request Partition::takeFarMiss() {
  const Request request = toPartner_.front();
  toPartner_.pop();
  stats_.bytesToPartner += request.wireBytes();
  changed_ = true;
  return request;
}

void Partition::fillFromAfar(const Request& response, L2Tick now) {
  fromPartner_.book(response.wireBytes(), now);
  slices_[map_->slice(response.address)].fill(response, now);
  changed_ = true;
}

Request Partition::takeMiss() {
  const Request request = toDram_.front();
  toDram_.pop();
  changed_ = true;
  stats_.bytesToDram += request.wireBytes();
  return request;
}

void Partition::fill(const Request& response, L2Tick) {
  stats_.bytesFromDram += response.wireBytes();
  fromDram_.push(response);
  changed_ = true;
}

// What comes up goes first, so that it meets free entries; what goes down arrives in the next tick.
bool Partition::tick(L2Tick now) {
  waitingForDram_.tickBegins(now, toDram_.size());
  waitingForFill_.tickBegins(now, fromDram_.size());
  bool progress = moveFills(now);
  if (lastLevel_) progress |= lastLevel_->tick(now);
  progress |= moveFromLastLevel(now);
  for (Slice& slice : slices_) progress |= slice.tick(now, stats_, performed_);
  // The partner's reads and the own ones take turns.
  const bool partnerFirst = now.ticks % 2 == 0;
  if (hasPartner_ && partnerFirst) progress |= movePartnerMisses();
  progress |= moveMisses(now);
  if (hasPartner_ && !partnerFirst) progress |= movePartnerMisses();
  progress |= moveToDram();
  progress |= continueFlush();
  waitingForDram_.tickEnds(toDram_.size());
  waitingForFill_.tickEnds(fromDram_.size());
  changed_ = progress;
  return progress;
}

// What changed something may have freed an entry for which something else waits.
L2Tick Partition::nextUseful(L2Tick now) const {
  if (changed_) return now + 1;
  L2Tick next = lastLevel_ ? lastLevel_->nextUseful(now) : kNeverOf<L2Clock>;
  for (const Slice& slice : slices_) next = std::min(next, std::max(slice.nextUseful(), now + 1));
  return next;
}

bool Partition::quiescent() const {
  return toDram_.empty() && fromDram_.empty() && toPartner_.empty() && !flushesLastLevel_ && (!lastLevel_ || lastLevel_->quiescent()) &&
         std::all_of(slices_.begin(), slices_.end(), [](const Slice& slice) { return slice.quiescent(); });
}

void Partition::place(GlobalAddress address, u32 sectors, L2Tick now) {
  if (slices_[map_->slice(address)].place(address, sectors, now)) changed_ = true;
}

void Partition::touch(const TouchedLine& touched, L2Tick now) {
  if (slices_[map_->slice(touched.address)].touch(touched, now)) changed_ = true;
}

void Partition::flush() {
  for (Slice& slice : slices_) {
    slice.flush();
  }
  flushesLastLevel_ = lastLevel_.has_value();
  changed_ = true;
}

PartitionStats Partition::statistics(L2Tick until) {
  PartitionStats result = stats_;
  result.dramQueueTicks = waitingForDram_.total(until);
  result.fillQueueTicks = waitingForFill_.total(until);
  for (Slice& slice : slices_) {
    result.atomicTicks += slice.atomicTicks();
    slice.addQueues(result, until);
    if (slice.cache()) stats::merge(result.l2, slice.cache()->statistics(until));
  }
  if (lastLevel_) result.lastLevel = lastLevel_->statistics(until);
  return result;
}

std::vector<SliceLoad> Partition::sliceLoads(L2Tick until) {
  std::vector<SliceLoad> loads;
  for (Slice& slice : slices_)
    loads.push_back({slice.cache() ? slice.cache()->statistics(until).accesses.total() : 0, slice.atomicTicks()});
  return loads;
}

void Partition::countByOrigin() {
  for (Slice& slice : slices_) {
    if (slice.cache()) slice.cache()->countByOrigin();
  }
  if (lastLevel_) lastLevel_->countByOrigin();
}

void Partition::forEachTable(const VisitTable& visit) {
  for (Slice& slice : slices_) {
    if (slice.cache()) visit(*slice.cache()->origins(), false);
  }
  if (lastLevel_) visit(*lastLevel_->origins(), true);
}

bool Partition::moveFills(L2Tick now) {
  bool any = false;
  while (!fromDram_.empty()) {
    const Request& response = fromDram_.front();
    if (!lastLevel_) {
      if (!fillSlice(response, now)) return any;
    } else {
      if (!lastLevel_->canFill(response)) return any;
      lastLevel_->fill(response, now);
    }
    fromDram_.pop();
    any = true;
  }
  return any;
}

bool Partition::moveFromLastLevel(L2Tick now) {
  if (!lastLevel_) return false;
  bool any = false;
  while (const Request* response = lastLevel_->peekResponse()) {
    if (!fillSlice(*response, now)) return any;
    lastLevel_->takeResponse();
    any = true;
  }
  return any;
}

bool Partition::fillSlice(const Request& response, L2Tick now) {
  Slice& slice = slices_[map_->slice(response.address)];
  if (response.isForPartner()) {
    slice.fillForPartner(response, now);
    return true;
  }
  if (!slice.canFill(response)) return false;
  slice.fill(response, now);
  return true;
}

// One request a slice and tick, slices taking turns at being first.
bool Partition::moveMisses(L2Tick now) {
  bool any = false;
  std::size_t next = firstMiss_;
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    Slice& slice = slices_[next];
    next = behind(next);
    const Request* miss = slice.peekMiss();
    if (!miss) continue;
    const bool far = isFar(*miss);
    if (!goesDown(*miss, far)) continue;
    sendDown(slice.takeMiss(), far, now);
    firstMiss_ = next;
    any = true;
  }
  return any;
}

bool Partition::movePartnerMisses() {
  bool any = false;
  for (Slice& slice : slices_) {
    const Request* miss = slice.peekPartnerMiss();
    if (!miss || toDram_.full()) continue;
    ++stats_.partnerMisses;
    stats_.bytesForPartner += miss->wireBytes();
    toDram_.push(slice.takePartnerMiss());
    any = true;
  }
  return any;
}

bool Partition::goesDown(const Request& miss, bool isFar) const {
  if (isFar) return !toPartner_.full();
  return lastLevel_ ? lastLevel_->canAccept(miss) : !toDram_.full();
}

void Partition::sendDown(Request miss, bool isFar, L2Tick now) {
  if (isFar) {
    miss.crosses = true;
    return toPartner_.push(miss);
  }
  if (lastLevel_) return lastLevel_->accept(miss, now + 1);
  toDram_.push(miss);
}

bool Partition::moveToDram() {
  if (!lastLevel_) return false;
  bool any = false;
  while (lastLevel_->peekMiss() && !toDram_.full()) {
    toDram_.push(lastLevel_->takeMiss());
    any = true;
  }
  return any;
}

bool Partition::continueFlush() {
  if (!flushesLastLevel_) return false;
  for (Slice& slice : slices_) {
    if (slice.cache() && !slice.quiescent()) return false;
  }
  flushesLastLevel_ = false;
  lastLevel_->flush();
  return true;
}

}  // namespace warpwright::mem
