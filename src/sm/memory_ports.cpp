#include "sm/memory_ports.hpp"

#include <algorithm>

namespace warpwright::sm {
namespace {

constexpr u32 kDirectQueue = 8;

std::unique_ptr<L1Cache> makeCache(const config::Cache& cache) {
  return cache.bytes == 0 ? nullptr : std::make_unique<L1Cache>(cache, mem::Atomics::below);
}

}  // namespace

MemoryPorts::MemoryPorts(const config::Machine& machine, u32 sm, const mem::AddressMap& map, NetworkPort& out, NetworkPort& in)
    : sm_(static_cast<u16>(sm)),
      map_(map),
      out_(out),
      in_(in),
      fetchLineBytes_(machine.l1i.lineBytes),
      direct_(kDirectQueue),
      directFetch_(kDirectQueue) {
  caches_[kData] = std::make_unique<L1Cache>(machine.l1d, mem::Atomics::below);
  caches_[kConstant] = makeCache(machine.l1c);
  caches_[kTexture] = makeCache(machine.textureCache);
  caches_[kInstruction] = makeCache(machine.l1i);
}

bool MemoryPorts::canSend(const RoutedRequest& request, Cycle) const {
  const L1Cache* cache = caches_[static_cast<u32>(request.route)].get();
  return cache ? cache->canAccept(request.request) : !direct_.full();
}

void MemoryPorts::send(const RoutedRequest& request, Cycle now) {
  if (L1Cache* cache = caches_[static_cast<u32>(request.route)].get()) return cache->accept(request.request, now);
  direct_.push(request.request);
}

bool MemoryPorts::canFetch(Cycle) const {
  const L1Cache* cache = caches_[kInstruction].get();
  return cache ? cache->canAccept({}) : !directFetch_.full();
}

void MemoryPorts::fetch(u64 address, u32 id, Cycle now) {
  mem::Request request;
  L1Cache* cache = caches_[kInstruction].get();
  request.lineBytes = fetchLineBytes_;
  request.address = address / request.lineBytes * request.lineBytes;
  const u32 firstSector = static_cast<u32>(address - request.address) / mem::Request::kSectorBytes;
  request.sectors = 1u << firstSector;
  request.type = mem::AccessType::instructionRead;
  request.id = id;
  request.born = now;
  if (cache) return cache->accept(request, now);
  directFetch_.push(request);
}

bool MemoryPorts::tick(Cycle now) {
  const bool received = receive(now);
  const bool ticked = tickCaches(now);
  return transmit(now) || ticked || received;
}

bool MemoryPorts::receive(Cycle now) {
  if (!in_.ready(now)) return false;
  const u32 sender = in_.front().id >> kTagShift;
  L1Cache* cache = cacheOf(sender);
  if (cache && !cache->canFill(in_.front())) return false;
  mem::Request response = in_.take(now);
  bytesReceived_ += response.wireBytes();
  response.id &= (1u << kTagShift) - 1;
  if (cache) {
    cache->fill(response, now);
  } else {
    answers_.push_back({sender == kDirectFetch, response.id});
  }
  return true;
}

bool MemoryPorts::tickCaches(Cycle now) {
  bool progressed = false;
  for (u32 sender = 0; sender < caches_.size(); ++sender) {
    L1Cache* cache = caches_[sender].get();
    if (!cache || cache->nextUseful(previous(now)) > now) continue;
    progressed |= cache->tick(now);
    for (; cache->peekResponse(); progressed = true) answers_.push_back({sender == kInstruction, cache->takeResponse().id});
  }
  return progressed;
}

// One request a cycle, the senders in turn.
bool MemoryPorts::transmit(Cycle now) {
  for (u32 i = 0; i < kSenders; ++i) {
    const u32 sender = (next_ + i) % kSenders;
    L1Cache* cache = cacheOf(sender);
    RingQueue<mem::Request>& queue = sender == kDirectFetch ? directFetch_ : direct_;
    const bool isQueue = sender == kDirect || sender == kDirectFetch;
    const mem::Request* waiting = nullptr;
    if (cache) waiting = cache->peekMiss();
    if (isQueue && !queue.empty()) waiting = &queue.front();
    if (!waiting) continue;
    if (!out_.canSend(now)) return false;
    mem::Request request = *waiting;
    if (cache) {
      cache->takeMiss();
    } else {
      queue.pop();
    }
    request.id |= sender << kTagShift;
    request.sm = sm_;
    request.partition = static_cast<u16>(map_.partition(request.address));
    bytesSent_ += request.wireBytes();
    out_.send(request, now);
    next_ = sender + 1;
    return true;
  }
  return false;
}

Cycle MemoryPorts::nextUseful(Cycle now) const {
  Cycle next = std::max(now, in_.nextArrival());
  bool waiting = !direct_.empty() || !directFetch_.empty();
  for (const auto& cache : caches_) {
    if (!cache) continue;
    next = std::min(next, std::max(now, cache->nextUseful(previous(now))));
    waiting = waiting || cache->peekMiss() != nullptr;
  }
  if (waiting) next = std::min(next, out_.canSendAt(now));
  return next;
}

bool MemoryPorts::idle() const {
  const auto isIdle = [](const auto& cache) { return !cache || cache->quiescent(); };
  return direct_.empty() && directFetch_.empty() && answers_.empty() && std::all_of(caches_.begin(), caches_.end(), isIdle);
}

std::span<const Answer> MemoryPorts::takeAnswers() {
  taken_.swap(answers_);
  answers_.clear();
  return taken_;
}

void MemoryPorts::invalidate() {
  for (const u32 sender : {kData, kConstant, kTexture}) {
    if (caches_[sender]) caches_[sender]->invalidate();
  }
}

}  // namespace warpwright::sm
