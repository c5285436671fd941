#include "sm/access/coalescers.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "base/memory_units.hpp"
#include "sm/access/private_memory.hpp"
#include "sm/access/shared_geometry.hpp"
#include "sm/address_spaces.hpp"
#include "sm/launch_plan.hpp"

namespace warpwright::sm {
namespace {

using isa::Space;
using mem::AccessType;

// What a cache's requests come in; those that no cache serves go to the network in lines like the data cache's.
u32 lineBytesOf(const config::Cache& cache, const config::Cache& data) { return cache.bytes == 0 ? data.lineBytes : cache.lineBytes; }

CoalescingUnit coalescing(const config::Machine& machine, u32 lineBytes) {
  return {machine.sm.coalescing, machine.warpSize, lineBytes, machine.sm.loadStore.width};
}

// The words of the line that the lanes touch, at `addresses` by lane. Without values the words are touched in part.
void noteWords(mem::WordAccess& words, const Transaction& line, const u64* addresses, const LaneAccess& access) {
  words = {};
  words.whole = access.values != nullptr;
  for (const LaneId lane : access.lanes) {
    for (u32 piece = 0; piece < access.bytes; piece += kWordBytes) {
      const u64 offset = addresses[lane] + piece - line.address;  // of a byte before the line: beyond it
      if (offset >= line.lineBytes) continue;
      words.mask |= u64{1} << offset / kWordBytes;
      if (words.whole) words.values[offset / kWordBytes] = access.values[piece / kWordBytes * access.valueLanes + lane];
    }
  }
}

// Lanes that update the word of the line which most of them do, beyond the first. A line may have more than one transaction.
u32 repeatsIn(const Transaction& line, const LaneAccess& access) {
  u32 most = 1;
  for (const LaneId lane : access.lanes) {
    const u64 address = access.addresses[lane];
    if (address - line.address >= line.lineBytes) continue;  // of a byte before the line: beyond it
    u32 same = 0;
    for (const LaneId other : access.lanes) same += access.addresses[other] == address;
    most = std::max(most, same);
  }
  return std::min(most, line.lanes) - 1;
}

// The lanes of an access to global or private memory whose addresses are compared.
void noteCoalesced(DataMoved& moved, LaneMask lanes) {
  ++moved.accesses;
  moved.lanes += static_cast<u32>(countLanes(lanes));
}

}  // namespace

bool passesL1(const LaneAccess& access, const config::Sm& sm) {
  using isa::CacheOp;
  if (access.ordering != isa::Ordering::weak) return true;  // must see what other SMs wrote
  if (access.cache == CacheOp::cg || access.cache == CacheOp::cv || access.cache == CacheOp::cs) return true;
  return !sm.cacheGlobalLoads && access.cache != CacheOp::ca && access.cache != CacheOp::nc;
}

Coalescers::Coalescers(const config::Machine& machine, SmId sm, bool notesWords)
    : machine_(machine),
      sm_(sm),
      notesWords_(notesWords),
      countsRepeats_(machine.partition.atomicRepeatTime != 0 || machine.partition.atomicRepeatLatency != 0),
      dataLines_(coalescing(machine, machine.l1d.lineBytes)),
      constantLines_(coalescing(machine, lineBytesOf(machine.l1c, machine.l1d))),
      texelLines_(coalescing(machine, lineBytesOf(machine.textureCache, machine.l1d))) {
  if (machine.sm.unifiedBanks && machine.l1d.bytes != 0) dataBanks_.emplace(sharedGeometry(machine));
}

void Coalescers::access(LaneAccess& access, MemoryOperation& operation, Cycle) {
  if (access.space == Space::shared) return;
  if (access.isPrefetch) {
    prefetch(access, operation);
  } else if (access.isTexel) {
    texels(access, operation);
  } else if (access.space == Space::local) {
    privateMemory(access, operation);
  } else if (access.space == Space::constant || access.space == Space::param) {
    constants(access, operation);
  } else {
    global(access, operation);
  }
  access.lanes.clear();
}

void Coalescers::addRequests(MemoryOperation& operation, std::span<const Transaction> transactions, AccessType type, Route route) const {
  for (const Transaction& transaction : transactions) {
    RoutedRequest& routed = operation.requests.emplace_back();
    routed.route = route;
    routed.request.address = transaction.address;
    routed.request.lineBytes = transaction.lineBytes;
    routed.request.sectors = transaction.sectors;
    routed.request.wholeSectors = mem::isWrite(type) ? transaction.wholeSectors : 0;
    if (mem::isWrite(type)) routed.request.written = transaction.written;
    routed.request.type = type;
    routed.request.headerBytes = static_cast<u8>(machine_.network.headerBytes);
    routed.request.origin = operation.origin;
    routed.request.wantsResponse = type != AccessType::prefetch;
    routed.request.operations = static_cast<u16>(type == AccessType::atomic ? transaction.lanes : 0);
  }
}

void Coalescers::texels(const LaneAccess& access, MemoryOperation& operation) {
  operation.isTexture = true;
  operation.moved.cacheWords += access.count * std::max(access.bytes / kWordBytes, 1u);
  const AccessType type = access.isStore ? AccessType::globalWrite : AccessType::textureRead;
  addRequests(operation, texelLines_.list({access.addresses, access.count}, access.bytes), type,
              access.isStore ? Route::network : Route::texture);
}

void Coalescers::constants(const LaneAccess& access, MemoryOperation& operation) {
  std::array<u64, kMaxWarpSize> addresses;
  const GlobalAddress base = access.space == Space::constant ? access.plan->request.launch->program->constantBase : kParameterBase;
  // Of lanes that read one address, one stands for all.
  const LaneMask lanes = access.spread == Spread::uniform ? LaneMask::of(access.lanes.least()) : access.lanes;
  operation.moved.cacheWords += lanes.size() * std::max(access.bytes / kWordBytes, 1u);
  for (const LaneId lane : lanes) {
    addresses[lane] = base + access.addresses[lane];
  }
  addRequests(operation, constantLines_.access(addresses.data(), lanes, access.bytes, true), AccessType::constantRead, Route::l1Constant);
}

void Coalescers::global(const LaneAccess& access, MemoryOperation& operation) {
  operation.isGlobal = true;
  noteCoalesced(operation.moved, access.lanes);
  operation.moved.cacheWords += access.words();
  const bool isLoad = !access.isStore && !access.isAtomic;
  const bool beside = access.isAtomic || (isLoad && passesL1(access, machine_.sm));
  const AccessType type = access.isAtomic ? AccessType::atomic : access.isStore ? AccessType::globalWrite : AccessType::globalRead;
  const auto lines = dataLines_.access(access.addresses, access.lanes, access.bytes, isLoad && !beside, access.spread);
  addRequests(operation, lines, type, beside ? Route::network : Route::l1Data);
  if (access.isAtomic && countsRepeats_) addRepeats(operation, lines, access);
  if (isLoad && !beside) addPasses(operation, access.addresses, access, access.spread);
  addWords(operation, lines, access.addresses, access);
}

// Words of a lane's access lie in vectors of their own.
void Coalescers::privateMemory(const LaneAccess& access, MemoryOperation& operation) {
  operation.isLocal = true;
  noteCoalesced(operation.moved, access.lanes);
  operation.moved.cacheWords += access.words();
  const PrivateVectors vectors = privateVectors(machine_, sm_, SlotId{access.origin.slot}, access.plan->localPerThread);
  const AccessType type = access.isStore ? AccessType::localWrite : AccessType::localRead;
  const u32 pieceBytes = std::min(access.bytes, kWordBytes);
  const Spread spread = access.spread == Spread::uniform && pieceBytes == kWordBytes ? Spread::consecutive : Spread::unknown;
  LaneAccess part = access;
  part.bytes = pieceBytes;
  for (u32 piece = 0; piece < access.bytes; piece += pieceBytes) {
    std::array<u64, kMaxWarpSize> addresses;
    for (const LaneId lane : access.lanes) {
      addresses[lane] = vectors.addressOf(access.addresses[lane] + piece, lane);
    }
    const auto lines = dataLines_.access(addresses.data(), access.lanes, pieceBytes, true, spread);
    addRequests(operation, lines, type, Route::l1Data);
    if (!access.isStore) addPasses(operation, addresses.data(), part, spread);
    addWords(operation, lines, addresses.data(), part);
    if (part.values != nullptr) part.values += part.valueLanes;
  }
}

// It goes where a load would go, and brings whole lines (PTX ISA, "prefetch") or the bytes that are named. What holds no lines for it gets
// nothing.
void Coalescers::prefetch(const LaneAccess& access, MemoryOperation& operation) {
  operation.isPrefetch = true;
  noteCoalesced(operation.moved, access.lanes);
  const Route route = passesL1(access, machine_.sm) ? Route::network : Route::l1Data;
  if (route == Route::network && machine_.l2.bytes == 0 && machine_.llc.bytes == 0) return;
  if (access.count != 0)
    return addRequests(operation, dataLines_.list({access.addresses, access.count}, access.bytes), AccessType::prefetch, route);
  std::array<u64, kMaxWarpSize> addresses;
  const PrivateVectors vectors = privateVectors(machine_, sm_, SlotId{access.origin.slot}, access.plan->localPerThread);
  for (const LaneId lane : access.lanes) {
    const u64 address = access.addresses[lane];
    addresses[lane] = access.space == Space::local ? vectors.addressOf(address, lane) : address;
  }
  const std::size_t before = operation.requests.size();
  addRequests(operation, dataLines_.access(addresses.data(), access.lanes, 1, true), AccessType::prefetch, route);
  for (std::size_t i = before; i < operation.requests.size(); ++i) {
    mem::Request& request = operation.requests[i].request;
    request.sectors = (1u << request.lineBytes / mem::Request::kSectorBytes) - 1;
  }
}

// Of an atomic, whose requests were added last, one a line.
void Coalescers::addRepeats(MemoryOperation& operation, std::span<const Transaction> lines, const LaneAccess& access) const {
  RoutedRequest* request = operation.requests.data() + operation.requests.size() - lines.size();
  for (const Transaction& line : lines) request++->request.repeats = static_cast<u16>(repeatsIn(line, access));
}

// Of a load that the data cache serves.
void Coalescers::addPasses(MemoryOperation& operation, const u64* addresses, const LaneAccess& access, Spread spread) {
  if (!dataBanks_) return;
  dataBanks_->access(addresses, access.lanes, access.bytes, spread);
  operation.cachePasses += dataBanks_->passes();
}

void Coalescers::addWords(MemoryOperation& operation, std::span<const Transaction> lines, const u64* addresses,
                          const LaneAccess& access) const {
  if (!notesWords_ || lines.empty()) return;
  RoutedRequest* request = &operation.requests.back() - lines.size() + 1;
  for (const Transaction& line : lines) {
    request++->words = static_cast<u32>(operation.words.size());
    mem::WordAccess& words = operation.words.emplace_back();
    noteWords(words, line, addresses, access);
    for (u32 sector = 0; sector < words.bytes.size(); ++sector)
      words.bytes[sector] = (line.wholeSectors >> sector & 1) != 0 ? ~u32{0} : line.written[sector];
  }
}

}  // namespace warpwright::sm
