#include "sm/memory_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "sm/schedulers/scheduler.hpp"

namespace warpwright::sm {
namespace {

std::unique_ptr<L1Cache> makeCache(const config::Cache& cache) {
  return cache.bytes == 0 ? nullptr : std::make_unique<L1Cache>(cache, mem::Atomics::below);
}

}  // namespace

MemoryPorts::MemoryPorts(const config::Machine& machine, u32 sm, const mem::AddressMap& map, NetworkPort& out, NetworkPort& in, bool skip)
    : sm_(static_cast<u16>(sm)),
      skip_(skip),
      map_(map),
      out_(out),
      in_(in),
      fetchLineBytes_(machine.l1i.lineBytes),
      headerBytes_(static_cast<u8>(machine.network.headerBytes)),
      direct_(machine.sm.directQueue),
      directFetch_(machine.sm.directQueue) {
  caches_[kData] = std::make_unique<L1Cache>(machine.l1d, mem::Atomics::below);
  caches_[kConstant] = makeCache(machine.l1c);
  caches_[kTexture] = makeCache(machine.textureCache);
  caches_[kInstruction] = makeCache(machine.l1i);
  if (machine.sm.prefetchLines != 0)
    stream_ = std::make_unique<InstructionStream>(machine.sm.prefetchLines, machine.l1i.lineBytes, machine.l1i.mshrs);
}

template <class S>
S& MemoryPorts::addStage(const std::function<std::unique_ptr<S>(const StageContext&)>& make, OperationSource& operations) {
  if (stages_.size() == kMostStages) {
    throw Error(fmt::format("more than {} stages between the lanes of an SM and its caches", kMostStages), {}, "leave out a mechanism");
  }
  constexpr bool isLine = std::is_same_v<S, LineStage>;
  const auto number = static_cast<u32>(stages_.size());
  below_.push_back(std::make_unique<Below>(*this, number, isLine ? static_cast<u32>(lineStages_.size() + 1) : 0));
  std::unique_ptr<S> stage = make({*caches_[kData], *below_.back(), operations});
  S& made = *stage;
  stages_.push_back(std::move(stage));
  return made;
}

void MemoryPorts::addStages(const StageList<LaneStage>& lanes, const StageList<LineStage>& lines, OperationSource& operations) {
  for (const auto& make : lanes.all()) laneStages_.push_back(&addStage<LaneStage>(make, operations));
  for (const auto& make : lines.all()) lineStages_.push_back(&addStage<LineStage>(make, operations));
}

bool MemoryPorts::canAccept(std::size_t first, const LineAccess& access) const {
  for (std::size_t i = first; i < lineStages_.size(); ++i) {
    if (lineStages_[i]->takes(access)) return lineStages_[i]->canAccept(access);
  }
  const L1Cache* cache = caches_[static_cast<u32>(access.route)].get();
  return cache ? cache->canAccept(access.request) : !direct_.full();
}

void MemoryPorts::accept(std::size_t first, const LineAccess& access, Cycle now) {
  for (std::size_t i = first; i < lineStages_.size(); ++i) {
    if (!lineStages_[i]->takes(access)) continue;
    wake_ = {};
    return lineStages_[i]->accept(access, now);
  }
  if (L1Cache* cache = caches_[static_cast<u32>(access.route)].get()) {
    wake_ = {};
    return cache->accept(access.request, now);
  }
  direct_.push(access.request);
  waiting_.insert(kDirect);
}

void MemoryPorts::Below::ask(const LineAccess& access, Cycle now) {
  mem::Request own = access.request;
  own.id |= (stage_ + 1) << kAskerShift;
  ports_.accept(lines_, {own, access.route, access.words}, now);
}

bool MemoryPorts::canFetch(Cycle) const {
  const L1Cache* cache = caches_[kInstruction].get();
  return cache ? cache->canAccept({}) : !directFetch_.full();
}

std::optional<Cycle> MemoryPorts::fetch(u64 address, u32 id, Cycle now, const mem::Origin& origin) {
  mem::Request request;
  L1Cache* cache = caches_[kInstruction].get();
  request.lineBytes = fetchLineBytes_;
  request.address = address & ~u64{request.lineBytes - 1};
  const u32 firstSector = static_cast<u32>(address - request.address) / mem::Request::kSectorBytes;
  request.sectors = 1u << firstSector;
  request.type = mem::AccessType::instructionRead;
  request.headerBytes = headerBytes_;
  request.origin = origin;
  request.id = id;
  request.born = now;
  if (!cache) {
    directFetch_.push(request);
    waiting_.insert(kDirectFetch);
    return {};
  }
  const std::optional<Cycle> answer = cache->bookHit(request, now);
  if (answer) return answer;
  cache->accept(request, now);
  wake_ = {};
  return {};
}

bool MemoryPorts::tick(Cycle now) {
  bool progressed = stream_ && answerFromStream(now);
  progressed |= in_.ready(now) && receive(now);
  if (!skip_ || wake_ <= now) progressed |= tickCaches(now);
  if (waiting_) progressed |= transmit(now);
  return progressed;
}

// Whether whoever asked takes the answer.
bool MemoryPorts::canDeliver(const mem::Request& response) const {
  const u32 asker = (response.id >> kAskerShift) % kAskers;
  return asker == 0 || stages_[asker - 1]->canFill(response);
}

void MemoryPorts::deliver(const mem::Request& response, Cycle now) {
  const u32 asker = response.id >> kAskerShift;
  if (asker == 0) return answers_.push_back({false, response.id});
  mem::Request own = response;
  own.id &= (1u << kAskerShift) - 1;
  stages_[asker - 1]->fill(own, now);
  wake_ = {};
}

bool MemoryPorts::takeResponses(u32 sender, Cycle now) {
  L1Cache& cache = *caches_[sender];
  bool any = false;
  if (sender == kInstruction) {
    for (; cache.peekResponse(); any = true) answers_.push_back({true, cache.takeResponse().id});
    return any;
  }
  for (; cache.peekResponse() && canDeliver(*cache.peekResponse()); any = true) deliver(cache.takeResponse(), now);
  undelivered_.erase(sender);
  if (!cache.peekResponse()) return any;
  undelivered_.insert(sender);
  wake_ = std::min(wake_, now + 1);
  return any;
}

bool MemoryPorts::receive(Cycle now) {
  const u32 sender = in_.front().id >> kTagShift;
  L1Cache* cache = cacheOf(sender);
  AccessStage* stage = stageOf(sender);
  if (cache && !cache->canFill(in_.front())) return false;
  if (stage && !stage->canFill(in_.front())) return false;
  if (sender == kDirect && !canDeliver(in_.front())) return false;
  mem::Request response = in_.take(now);
  bytesReceived_ += response.wireBytes();
  response.id &= (1u << kTagShift) - 1;
  if (cache) {
    cache->fill(response, now);
    wake_ = {};
  } else if (stage) {
    stage->fill(response, now);
    wake_ = {};
  } else if (sender == kStream) {
    stream_->arrived(response.address);
    wake_ = {};
  } else if (sender == kDirectFetch) {
    answers_.push_back({true, response.id});
  } else {
    deliver(response, now);
  }
  return true;
}

bool MemoryPorts::tickStages(Cycle now) {
  bool progressed = false;
  for (u32 i = 0; i < stages_.size(); ++i) {
    AccessStage& stage = *stages_[i];
    if (!skip_ || stage.nextUseful(previous(now)) <= now) progressed |= stage.tick(now);
    for (; stage.peekResponse() && canDeliver(*stage.peekResponse()); progressed = true) deliver(stage.takeResponse(), now);
    if (stage.peekResponse()) wake_ = now + 1;
    if (stage.peekMiss()) waiting_.insert(kFirstStage + i);
  }
  return progressed;
}

bool MemoryPorts::tickCaches(Cycle now) {
  bool progressed = false;
  wake_ = kNever;
  progressed |= tickStages(now);
  for (u32 sender = 0; sender < caches_.size(); ++sender) {
    L1Cache* cache = caches_[sender].get();
    if (!cache) continue;
    if (!skip_ || cache->nextUseful(previous(now)) <= now || undelivered_.contains(sender)) {
      progressed |= cache->tick(now);
      progressed |= takeResponses(sender, now);
      if (cache->peekMiss()) waiting_.insert(sender);
    }
    wake_ = std::min(wake_, cache->nextUseful(now));
  }
  for (const auto& stage : stages_) wake_ = std::min(wake_, stage->nextUseful(now));
  if (stream_) tickStream(now);
  return progressed;
}

// What the instruction cache misses goes to the stream first.
void MemoryPorts::tickStream(Cycle now) {
  L1Cache& cache = *caches_[kInstruction];
  while (cache.peekMiss()) stream_->miss(cache.takeMiss());
  wake_ = std::min(wake_, stream_->answers().empty() ? cache.nextUseful(now) : now + 1);
  waiting_.erase(kInstruction);
  if (!stream_->misses().empty()) waiting_.insert(kInstruction);
  if (stream_->wantsLine()) waiting_.insert(kStream);
}

bool MemoryPorts::answerFromStream(Cycle now) {
  L1Cache& cache = *caches_[kInstruction];
  if (stream_->answers().empty() || !cache.canFill(stream_->answers().front())) return false;
  cache.fill(stream_->takeAnswer(), now);
  wake_ = {};
  return true;
}

// One request a cycle, the senders in turn.
bool MemoryPorts::transmit(Cycle now) {
  if (!out_.canSend(now)) return false;
  const u32 sender = waiting_.nextFrom(next_);
  mem::Request request = takeWaiting(sender, now);
  request.id |= sender << kTagShift;
  request.origin.sm = sm_;
  request.memoryPort = static_cast<u16>(map_.port(request.address));
  request.headerBytes = headerBytes_;
  bytesSent_ += request.wireBytes();
  out_.send(request, now);
  next_ = sender + 1;
  return true;
}

mem::Request MemoryPorts::takeWaiting(u32 sender, Cycle now) {
  mem::Request request;
  bool more = false;
  if (sender == kStream) {
    request = stream_->takeLine(now);
    more = stream_->wantsLine();
  } else if (sender == kInstruction && stream_) {
    request = stream_->takeMiss();
    more = !stream_->misses().empty();
  } else if (L1Cache* cache = cacheOf(sender)) {
    request = cache->takeMiss();
    more = cache->peekMiss() != nullptr;
    wake_ = {};
  } else if (AccessStage* stage = stageOf(sender)) {
    request = stage->takeMiss();
    more = stage->peekMiss() != nullptr;
    wake_ = {};
  } else {
    RingQueue<mem::Request>& queue = sender == kDirectFetch ? directFetch_ : direct_;
    request = queue.front();
    queue.pop();
    more = !queue.empty();
  }
  if (!more) waiting_.erase(sender);
  return request;
}

Cycle MemoryPorts::nextUseful(Cycle now) const {
  const Cycle next = std::max(now, std::min(in_.nextArrival(), wake_));
  return waiting_.empty() ? next : std::min(next, out_.canSendAt(now));
}

bool MemoryPorts::idle() const {
  const auto isIdle = [](const auto& cache) { return !cache || cache->quiescent(); };
  const auto isQuiet = [](const auto& stage) { return stage->quiescent(); };
  return direct_.empty() && std::all_of(stages_.begin(), stages_.end(), isQuiet) && (!stream_ || stream_->quiescent()) &&
         directFetch_.empty() && answers_.empty() && std::all_of(caches_.begin(), caches_.end(), isIdle);
}

std::span<const Answer> MemoryPorts::takeAnswers() {
  taken_.swap(answers_);
  answers_.clear();
  return taken_;
}

void MemoryPorts::invalidate() {
  for (const auto& stage : stages_) stage->invalidate();
  for (const u32 sender : {kData, kConstant, kTexture}) {
    if (caches_[sender]) caches_[sender]->invalidate();
  }
}

void MemoryPorts::countByOrigin() {
  for (const auto& cache : caches_) {
    if (cache) cache->countByOrigin();
  }
}

// visit(part of mem::Traffic, table).
template <class Visit>
void MemoryPorts::forEachTable(Visit visit) const {
  using T = mem::Traffic;
  constexpr std::pair<Sender, mem::CacheUse T::*> kParts[] = {
      {kData, &T::l1d}, {kConstant, &T::l1c}, {kTexture, &T::texture}, {kInstruction, &T::l1i}};
  for (const auto& [sender, part] : kParts) {
    if (caches_[sender] && caches_[sender]->origins()) visit(part, *caches_[sender]->origins());
  }
}

void MemoryPorts::beginLaunch(u32 launch) {
  forEachTable([&](auto, auto& table) { table.begin(launch); });
}

void MemoryPorts::endLaunch(u32 launch, mem::TrafficByPc& into) {
  forEachTable([&](auto part, auto& table) { takeLaunch(into, part, table, launch); });
}

void MemoryPorts::addTraffic(mem::Traffic& into) const {
  forEachTable([&](auto part, auto& table) { stats::merge(into.*part, table.total()); });
}

}  // namespace warpwright::sm
