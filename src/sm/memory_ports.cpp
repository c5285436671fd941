#include "sm/memory_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "sm/schedulers/scheduler.hpp"

namespace warpwright::sm {

MemoryPorts::MemoryPorts(const config::Machine& machine, SmId sm, const mem::AddressMap& map, NetworkPort& out, NetworkPort& in, bool skip)
    : sm_(sm),
      skip_(skip),
      map_(map),
      half_(machine.partition.halves == 2 ? std::optional(sm < machine.multiprocessors / 2 ? 0U : 1U) : std::nullopt),
      out_(out),
      in_(in),
      perfectFetch_(machine.sm.perfectFetch),
      fetchLineBytes_(machine.l1i.lineBytes),
      headerBytes_(static_cast<u8>(machine.network.headerBytes)) {
  caches_[kData] = &add<DataCache>(kData, machine.l1d);
  if (machine.l1c.bytes != 0) caches_[kConstant] = &add<DataCache>(kConstant, machine.l1c);
  if (machine.l15c.bytes != 0) behindConstants_ = &add<CacheBehind>(kBehind, machine.l15c, *caches_[kConstant]);
  if (machine.textureCache.bytes != 0) caches_[kTexture] = &add<DataCache>(kTexture, machine.textureCache);
  if (machine.sm.prefetchLines != 0)
    stream_ = std::make_unique<InstructionStream>(machine.sm.prefetchLines, machine.l1i.lineBytes, machine.l1i.mshrs);
  if (machine.l1i.bytes != 0) instructions_ = &add<InstructionCache>(kInstruction, machine.l1i, stream_.get());
  if (stream_) streamLines_ = &add<StreamLines>(kStream, *stream_);
  direct_ = &add<DirectQueue>(kDirect, DirectQueue::Kind::data, machine.sm.directQueue);
  directFetch_ = &add<DirectQueue>(kDirectFetch, DirectQueue::Kind::instructions, machine.sm.directQueue);
  bulk_ = &add<BulkEngine>(kBulk, machine);
  if (machine.sm.perfectLatency != 0) perfect_.emplace(machine.sm.perfectLatency);
}

template <class Client, class... Arguments>
Client& MemoryPorts::add(u32 sender, Arguments&&... arguments) {
  auto client = std::make_unique<Client>(PortContext{sender, answers_, wakeUp_, skip_}, std::forward<Arguments>(arguments)...);
  Client& made = *client;
  clients_[sender] = std::move(client);
  return made;
}

template <class S>
S& MemoryPorts::addStage(const std::function<std::unique_ptr<S>(const StageContext&)>& make, OperationSource& operations) {
  if (stages_.size() == kMostStages) {
    throw Error(fmt::format("more than {} stages between the lanes of an SM and its caches", kMostStages), {}, "leave out a mechanism");
  }
  constexpr bool isLine = std::is_same_v<S, LineStage>;
  const auto number = static_cast<u32>(stages_.size());
  below_.push_back(std::make_unique<Below>(*this, number, isLine ? static_cast<u32>(lineStages_.size() + 1) : 0));
  std::unique_ptr<S> stage = make({caches_[kData]->cache(), *below_.back(), operations});
  S& made = *stage;
  stages_.push_back(&made);
  stageClients_.push_back(&add<StageClient>(kFirstStage + number, std::move(stage)));
  answers_.addStage(*stageClients_.back());
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
  const DataCache* cache = caches_[static_cast<u32>(access.route)];
  return cache ? cache->cache().canAccept(access.request) : !direct_->full();
}

void MemoryPorts::accept(std::size_t first, const LineAccess& access, Cycle now) {
  for (std::size_t i = first; i < lineStages_.size(); ++i) {
    if (!lineStages_[i]->takes(access)) continue;
    wakeUp_.atOnce();
    return lineStages_[i]->accept(access, now);
  }
  if (DataCache* cache = caches_[static_cast<u32>(access.route)]) return cache->accept(access.request, now);
  queue(kDirect, *direct_, access.request);
}

void MemoryPorts::queue(Sender sender, DirectQueue& queue, const mem::Request& request) {
  queue.push(request);
  waiting_.insert(sender);
}

void MemoryPorts::Below::ask(const LineAccess& access, Cycle now) {
  mem::Request own = access.request;
  own.id = Answers::idOf(stage_, own.id);
  ports_.accept(lines_, {own, access.route, access.words, access.plan, access.warp}, now);
}

bool MemoryPorts::canFetch(Cycle) const {
  if (perfectFetch_) return true;
  return instructions_ ? instructions_->cache().canAccept({}) : !directFetch_->full();
}

std::optional<Cycle> MemoryPorts::fetch(GlobalAddress address, u32 id, Cycle now, const mem::Origin& origin) {
  if (perfectFetch_) return now;
  mem::Request request;
  request.lineBytes = fetchLineBytes_;
  request.address = alignDown(address, request.lineBytes);
  const u32 firstSector = static_cast<u32>(address - request.address) / mem::Request::kSectorBytes;
  request.sectors = 1u << firstSector;
  request.type = mem::AccessType::instructionRead;
  request.headerBytes = headerBytes_;
  request.origin = origin;
  request.id = id;
  request.born = now;
  if (instructions_) return instructions_->fetch(request, now);
  queue(kDirectFetch, *directFetch_, request);
  return {};
}

bool MemoryPorts::tick(Cycle now) {
  bool progressed = stream_ && instructions_->takeFromStream(now);
  if (arrivals_) progressed |= moveArrivals(now);
  progressed |= in_.ready(now) && receive(now);
  if (perfect_) progressed |= perfect_->answer(now);
  if (!skip_ || wakeUp_.time() <= now) progressed |= tickClients(now);
  if (waiting_) progressed |= transmit(now);
  return progressed;
}

bool MemoryPorts::receive(Cycle now) {
  const mem::Request& next = in_.front();
  const bool isHeld = arrivals_ && arrivals_->takes(next);
  if (!(isHeld ? arrivals_->canAccept(next) : clientOf(next).canFill(next))) return false;
  mem::Request response = in_.take(now);
  bytesReceived_ += response.wireBytes();
  if (isHeld) {
    arrivals_->accept(response, now);
  } else {
    deliver(clientOf(response), response, now);
  }
  return true;
}

void MemoryPorts::deliver(NetworkClient& client, mem::Request& response, Cycle now) {
  response.id %= kTag;
  client.fill(response, now);
}

// One response a cycle, as the network brings.
bool MemoryPorts::moveArrivals(Cycle now) {
  const bool changed = arrivals_->tick(now);
  const mem::Request* next = arrivals_->peek();
  if (next == nullptr || !clientOf(*next).canFill(*next)) return changed;
  mem::Request response = arrivals_->take();
  deliver(clientOf(response), response, now);
  return true;
}

// Those with work of their own, in the order in which they do it. visit() gets each as what it is, which saves the hot loop virtual calls.
template <class Visit>
void MemoryPorts::forEachWorking(Visit visit) {
  for (StageClient* stage : stageClients_) visit(*stage);
  if (behindConstants_) visit(*behindConstants_);
  for (DataCache* cache : caches_) {
    if (cache) visit(*cache);
  }
  if (instructions_) visit(*instructions_);
  if (streamLines_) visit(*streamLines_);
  visit(*bulk_);
}

bool MemoryPorts::tickClients(Cycle now) {
  bool progressed = false;
  wakeUp_.never();
  forEachWorking([&](auto& client) {
    progressed |= client.tick(now);
    if (client.hasRequest()) waiting_.insert(client.number());
  });
  forEachWorking([&](auto& client) { wakeUp_.noLaterThan(client.nextUseful(now)); });
  return progressed;
}

// One request a cycle, the senders in turn.
bool MemoryPorts::transmit(Cycle now) {
  if (!out_.canSend(now)) return false;
  if (perfect_) {
    transmitPerfectly(now);
    return true;
  }
  const u32 sender = waiting_.nextFrom(next_);
  NetworkClient& client = *clients_[sender];
  mem::Request request = client.takeRequest(now);
  if (!client.hasRequest()) waiting_.erase(sender);
  toNetwork(request, sender, now);
  next_ = sender + 1;
  return true;
}

// All that is asked for, as far as the network takes the atomics in it.
void MemoryPorts::transmitPerfectly(Cycle now) {
  for (const u32 sender : waiting_) {
    NetworkClient& client = *clients_[sender];
    while (client.hasRequest() && out_.canSend(now))
      perfect_->take(client, now, [&](mem::Request atomic) { toNetwork(atomic, sender, now); });
    if (!client.hasRequest()) waiting_.erase(sender);
  }
}

void MemoryPorts::toNetwork(mem::Request& request, u32 sender, Cycle now) {
  request.id += sender * kTag;
  request.origin.sm = static_cast<u16>(sm_);
  addressTo(request);
  request.headerBytes = headerBytes_;
  bytesSent_ += request.wireBytes();
  out_.send(request, now);
}

// What is read is asked of the own half of L2, where there are two; the rest goes to where the address lies.
void MemoryPorts::addressTo(mem::Request& request) const {
  const bool crosses = half_ && map_.half(request.address) != *half_;
  const bool isRead = !mem::isWrite(request.type) && request.type != mem::AccessType::atomic;
  request.memoryPort = static_cast<u16>(crosses && isRead ? map_.nearPort(request.address, *half_) : map_.port(request.address));
  request.crosses = crosses && !isRead;
}

Cycle MemoryPorts::nextUseful(Cycle now) const {
  Cycle next = std::max(now, std::min(in_.nextArrival(), wakeUp_.time()));
  if (perfect_) next = std::max(now, std::min(next, perfect_->nextUseful()));
  if (arrivals_) next = std::max(now, std::min(next, arrivals_->peek() ? now : arrivals_->nextUseful(previous(now))));
  return waiting_.empty() ? next : std::min(next, out_.canSendAt(now));
}

bool MemoryPorts::idle() const {
  return answers_.empty() && (!arrivals_ || arrivals_->quiescent()) &&
         std::all_of(clients_.begin(), clients_.end(), [](const auto& client) { return !client || client->quiescent(); });
}

void MemoryPorts::placeCode(GlobalAddress address, u64 bytes, Cycle now) {
  if (!instructions_ || bytes == 0) return;
  mem::Cache<CoreClock>& cache = instructions_->cache();
  const u32 sectors = lowBits(static_cast<u32>(fetchLineBytes_ / mem::Request::kSectorBytes));
  for (GlobalAddress line = alignDown(address, fetchLineBytes_); line < address + bytes; line += fetchLineBytes_)
    cache.place(line, sectors, now);
}

void MemoryPorts::invalidate() {
  for (AccessStage* stage : stages_) stage->invalidate();
  for (DataCache* cache : caches_) {
    if (cache) cache->cache().invalidate();
  }
  if (behindConstants_) behindConstants_->cache().invalidate();
}

void MemoryPorts::limitDataCache(u32 ways, bool isAlone) {
  if (!isAlone) ways = std::min(ways, dataWays_);
  if (ways == dataWays_) return;
  dataWays_ = ways;
  dataCache()->limitWays(ways);
}

void MemoryPorts::countByOrigin() {
  for (L1Cache* cache : {dataCache(), constantCache(), secondConstantCache(), textureCache(), instructionCache()}) {
    if (cache) cache->countByOrigin();
  }
}

// visit(part of mem::Traffic, table).
template <class Visit>
void MemoryPorts::forEachTable(Visit visit) const {
  using T = mem::Traffic;
  const std::pair<L1Cache*, mem::CacheUse T::*> parts[] = {{dataCache(), &T::l1d},
                                                           {constantCache(), &T::l1c},
                                                           {secondConstantCache(), &T::l15c},
                                                           {textureCache(), &T::texture},
                                                           {instructionCache(), &T::l1i}};
  for (const auto& [cache, part] : parts) {
    if (cache && cache->origins()) visit(part, *cache->origins());
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
