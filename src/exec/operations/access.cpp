// Loads, stores and atomics: addresses, checks, the way to each space's bytes.
#include "exec/operations/access.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/lane_interleaving.hpp"
#include "exec/operations/async.hpp"
#include "exec/operations/cluster_access.hpp"
#include "exec/operations/separate_access.hpp"
#include "exec/step_recorder.hpp"
#include "isa/address_space.hpp"

namespace warpwright::exec {
namespace {

using isa::Space;

BadAccess::Kind kindOf(const Op& op) {
  if (op.handler == Handler::load) return BadAccess::Kind::load;
  return op.handler == Handler::store || op.handler == Handler::copyAsync ? BadAccess::Kind::store : BadAccess::Kind::atomic;
}

// The space that a generic address lies in.
Space spaceOf(u64 address) {
  switch (address / isa::kWindowBytes) {
    case isa::kSharedWindow / isa::kWindowBytes:
      return Space::shared;
    case isa::kLocalWindow / isa::kWindowBytes:
      return Space::local;
    case isa::kConstantWindow / isa::kWindowBytes:
      return Space::constant;
    case isa::kParamWindow / isa::kWindowBytes:
      return Space::param;
    default:
      return Space::global;
  }
}

u64 windowOf(Space space) {
  switch (space) {
    case Space::shared:
      return isa::kSharedWindow;
    case Space::local:
      return isa::kLocalWindow;
    case Space::constant:
      return isa::kConstantWindow;
    case Space::param:
      return isa::kParamWindow;
    default:
      return 0;
  }
}

u64 ownBytes(const Block& block, Space space) { return space == Space::local ? block.localBytes : block.sharedBytes; }

u64 pollHash(u64 hash, u64 value) {
  hash = (hash ^ value) * 0x9e37'79b9'7f4a'7c15;
  return hash ^ hash >> 29;
}

u64 interleaved(const Grid& grid, u64 offset, LaneId lane) {
  return interleavedOffset(offset, lane, vectorBytes(grid.request.limits.warpSize));
}

// Whether a store changes what is there. Only a machine that is stepped asks: there, a loop that stores the same again and again is found
// to have no effect.
bool storesAnew(const Grid& grid, u64 base, const LaneAddresses& addresses, LaneMask mask, const u32* planes, u32 elementBytes,
                u32 elements) {
  if (!grid.separate) return true;
  const u32 pieceBytes = std::min(elementBytes, 4u), pieces = elements * (elementBytes / pieceBytes);
  for (const LaneId lane : mask) {
    const auto* old = reinterpret_cast<const std::byte*>(base + addresses.lane[lane]);
    for (u32 piece = 0; piece < pieces; ++piece)
      if (std::memcmp(old + piece * pieceBytes, planes + piece * grid.lanes + lane, pieceBytes) != 0) return true;
  }
  return false;
}

void perform(Grid& grid, const Issue& issue, u64 base, const LaneAddresses& addresses, LaneMask mask, const KeptSources* kept = nullptr) {
  const Op& op = issue.op;
  if (op.handler == Handler::load) {
    op.transfer(base, addresses, mask, op.elements, registers(issue.warp, op.destinations[0]));
    return;
  }
  const u32* const b = kept ? kept->b.data() : source(issue.warp, op.sources[1]);
  if (op.handler == Handler::store) {
    grid.progress.changes += storesAnew(grid, base, addresses, mask, b, op.elementBytes, op.elements);
    op.transfer(base, addresses, mask, op.elements, const_cast<u32*>(b));
    return;
  }
  const u32* c = !op.sources[2].present ? nullptr : kept ? kept->c.data() : source(issue.warp, op.sources[2]);
  u32* result = op.destinations[0].present ? registers(issue.warp, op.destinations[0]) : nullptr;
  const bool changed = op.atomic(base, addresses, mask, b, c, result, grid.lanes);
  if (!changed) return;
  ++grid.progress.changes;
  issue.warp.hearNews();
}

}  // namespace

void raiseMemory(const Grid& grid, const Issue& issue, Space space, const LaneAddresses& addresses, LaneMask mask) {
  const Op& op = issue.op;
  MemoryEvent event;
  event.warp = {issue.block.index, issue.warp.index};
  event.pc = issue.pc;
  event.instruction = op.instruction;
  event.space = space;
  event.isAtomic = isAtomic(op);
  event.isLoad = op.handler == Handler::load || (event.isAtomic && op.destinations[0].present);
  event.isStore = op.handler != Handler::load;
  event.mask = mask;
  event.bytesPerLane = op.accessBytes();
  event.spread = addresses.uniform ? Spread::uniform : addresses.consecutive ? Spread::consecutive : Spread::scattered;
  event.addresses = addresses.lane;
  // What comes from another SM is not there yet.
  const bool isLater = grid.separate && grid.separate->recorder->record().isRemote;
  if (op.handler == Handler::load && !isLater) event.values = registers(issue.warp, op.destinations[0]);
  if (op.handler == Handler::store) event.values = source(issue.warp, op.sources[1]);
  grid.request.observer->memory(event);
}

namespace {

// Local memory is interleaved word by word among the lanes, so that the same offset in every lane is one piece of memory.
void accessLocal(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  const Op& op = issue.op;
  if (grid.request.observer) raiseMemory(grid, issue, Space::local, addresses, mask);
  const bool wide = op.elementBytes == 8;
  const u32 pieceBytes = wide ? 4 : op.elementBytes;
  const u32 pieces = op.elements * (wide ? 2 : 1);
  LaneAddresses interleavedAt;
  for (u32 piece = 0; piece < pieces; ++piece) {
    if (addresses.uniform) {
      const u64 first = interleaved(grid, addresses.lane[mask.least()] + piece * pieceBytes, LaneId{0});
      for (u32 lane = 0; lane < grid.lanes; ++lane) interleavedAt.lane[lane] = first + 4 * lane;
    } else {
      for (const LaneId lane : LaneMask::first(grid.lanes))
        interleavedAt.lane[lane] = interleaved(grid, addresses.lane[lane] + piece * pieceBytes, lane);
    }
    interleavedAt.uniform = false;
    interleavedAt.consecutive = addresses.uniform && pieceBytes == 4;
    if (op.handler == Handler::atomic) {
      if (wide)
        fault(site(grid, issue), mask.least(), LaunchStatus::illegalAddress, "64-bit atomic operation on local memory",
              "use global or shared memory");
      perform(grid, issue, issue.warp.local, interleavedAt, mask);
    } else if (op.handler == Handler::load) {
      op.wordOrNarrow()(issue.warp.local, interleavedAt, mask, 1, registers(issue.warp, op.destinations[0]) + piece * grid.lanes);
    } else {
      u32* const planes = const_cast<u32*>(source(issue.warp, op.sources[1])) + piece * grid.lanes;
      grid.progress.changes += storesAnew(grid, issue.warp.local, interleavedAt, mask, planes, pieceBytes, 1);
      op.wordOrNarrow()(issue.warp.local, interleavedAt, mask, 1, planes);
    }
  }
}

// The lanes whose range lies in an allocation. Others are a fault, or are left out when bounds are not checked. Where faults are tolerated
// all of the device's memory may be touched, as by a GPU, whose pages hold neighbours of an allocation.
LaneMask checkGlobal(Grid& grid, const Issue& issue, LaneAddresses& addresses, LaneMask mask) {
  const u32 bytes = issue.op.accessBytes();
  tighten(addresses, mask);
  AllocationCache& cache = issue.op.cache;
  if (addresses.lowest >= cache.begin && addresses.highest < cache.end && bytes <= cache.end - addresses.highest &&
      cache.generation == grid.memory.generation()) {
    return mask;
  }
  if (addresses.highest + bytes > addresses.lowest) {
    if (const Allocation* allocation = grid.memory.find(GlobalAddress(addresses.lowest), addresses.highest + bytes - addresses.lowest)) {
      cache = {allocation->address, allocation->end(), grid.memory.generation()};
      return mask;
    }
  }
  for (const LaneId lane : mask) {
    const GlobalAddress address(addresses.lane[lane]);
    if (grid.memory.find(address, bytes)) continue;
    mask.erase(lane);
    if (!checksBounds(grid, issue)) continue;
    const auto describe = [&] {
      return outOfBounds(site(grid, issue), lane, {kindOf(issue.op), Space::global, address, bytes, 0}, grid.memory);
    };
    if (!grid.memory.holds(address, bytes)) throw describe();
    faultOrWarn(grid, issue.pc, LaunchStatus::illegalAddress, describe);
    mask.insert(lane);
  }
  return mask;
}

void followRaces(Grid& grid, const Issue& issue, Space space, const Block& home, const LaneAddresses& addresses, LaneMask mask,
                 const KeptSources* kept = nullptr) {
  if (space != Space::shared && space != Space::global) return;
  const Op& op = issue.op;
  const isa::Modifiers& modifiers = op.instruction->modifiers;
  const isa::Ordering ordering = modifiers.ordering;
  BlockRaces::Access access;
  access.pc = issue.pc;
  access.inShared = space == Space::shared;
  access.writes = op.handler != Handler::load;
  access.strong = isAtomic(op) || ordering != isa::Ordering::weak || modifiers.cache == isa::CacheOp::cv;
  access.releases = ordering == isa::Ordering::release || ordering == isa::Ordering::acq_rel || ordering == isa::Ordering::sc;
  access.blockOnly = modifiers.scope == isa::Scope::cta;
  const bool isDeferred = grid.separate && isAtomic(op) && !access.inShared;
  access.acquires = access.strong && op.handler != Handler::store && !isDeferred;
  access.bytes = op.accessBytes();
  if (op.handler == Handler::store) access.values = kept ? kept->b.data() : source(issue.warp, op.sources[1]);
  access.elementBytes = op.elementBytes;
  access.lanes = grid.lanes;
  access.home = home.races.get();
  issue.block.races->access(issue.warp.index, access, addresses, mask);
  if (!access.inShared || !access.writes) return;
  for (const LaneId lane : mask) issue.block.unfenced.mark(addresses.lane[lane], access.bytes);
}

}  // namespace

void readZero(Grid& grid, const Issue& issue, LaneMask lanes) {
  const Op& op = issue.op;
  if (op.handler == Handler::mbarrier || !op.destinations[0].present) return;
  u32* const planes = registers(issue.warp, op.destinations[0]);
  const u32 words = op.elements * (op.elementBytes == 8 ? 2 : 1);
  for (const LaneId lane : lanes) {
    for (u32 word = 0; word < words; ++word) planes[word * grid.lanes + lane] = 0;
  }
}

namespace {

void noteWritten(Grid& grid, const Issue& issue, Space space, const Block& home, LaneId lane, u64 address) {
  const u32 bytes = issue.op.accessBytes();
  WrittenMemory* const own = home.written.get();
  if (space == Space::global && !grid.separate) grid.memory.markInitialised(GlobalAddress(address), bytes);
  if (space == Space::shared && own) own->shared.mark(address, bytes);
  if (space == Space::local && own) own->local[issue.warp.index].mark(own->byteOf(lane, address), bytes);
}

// Whether something was written of each element that a lane reads: bytes between the members of a structure may lack a value. Single bytes
// of local memory may be such, or an object without members, that unoptimised code copies.
bool wasWritten(const Grid& grid, const Issue& issue, Space space, const Block& home, LaneId lane, u64 address) {
  const Op& op = issue.op;
  const WrittenMemory* const own = home.written.get();
  for (u32 element = 0; element < op.elements; ++element, address += op.elementBytes) {
    bool any = true;
    if (space == Space::global) any = grid.memory.wasWritten(GlobalAddress(address), op.elementBytes);
    if (space == Space::shared && own) any = own->shared.anyWritten(address, op.elementBytes);
    if (space == Space::local && own && op.elementBytes > 1)
      any = own->local[issue.warp.index].anyWritten(own->byteOf(lane, address), op.elementBytes);
    if (!any) return false;
  }
  return true;
}

void trackInitialisation(Grid& grid, const Issue& issue, Space space, const Block& home, const LaneAddresses& addresses, LaneMask mask) {
  const Op& op = issue.op;
  const u32 bytes = op.accessBytes();
  const bool begins = op.handler == Handler::mbarrier && op.instruction->modifiers.mbarrier == isa::MbarrierOp::init;
  // What the compiler moves between registers and memory is as defined as the registers.
  const bool reads = op.handler != Handler::store && !begins && !op.instruction->spill;
  for (const LaneId lane : mask) {
    const u64 address = addresses.lane[lane];
    const bool isBuffered = space == Space::global && grid.separate && grid.separate->stores.mayHold(GlobalAddress(address), bytes);
    if (grid.request.checks.uninitialised && reads && !isBuffered && !wasWritten(grid, issue, space, home, lane, address)) {
      faultOrWarn(grid, issue.pc, LaunchStatus::useOfUninitialised, [&] {
        return uninitialised(site(grid, issue), lane, {kindOf(op), space, address, bytes, ownBytes(issue.block, space)}, grid.memory);
      });
    }
    if (op.handler != Handler::load) noteWritten(grid, issue, space, home, lane, address);
  }
}

bool isSpeculativeStore(const Issue& issue) { return issue.warp.isSpeculative && issue.op.handler == Handler::store; }

// What speculative helpers store reaches nothing but the memory of their warp's helpers.
bool storesInVain(const Issue& issue) { return isSpeculativeStore(issue) && issue.op.space != Space::shared; }

LaneMask ownOf(const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  for (const LaneId lane : mask)
    if (!issue.block.isOfHelpers(issue.warp.index, addresses.lane[lane], issue.op.accessBytes())) mask.erase(lane);
  return mask;
}

}  // namespace

void beyondLimit(Grid& grid, const Issue& issue, Space space, LaneId lane, u64 address, u64 limit) {
  if (space == Space::local && grid.kernel.hasCalls() && issue.op.addressWords == 1 &&
      issue.op.sources[0].offset == isa::kStackRegister * grid.lanes) {
    fault(site(grid, issue), lane, LaunchStatus::stackOverflow,
          "the stack is exhausted: a thread has " + std::to_string(limit) + " bytes of local memory", stackRemedy(grid.request.limits));
  }
  if (!checksBounds(grid, issue)) return;
  const BadAccess access{kindOf(issue.op), space, address, issue.op.accessBytes(), limit};
  faultOrWarn(grid, issue.pc, LaunchStatus::illegalAddress, [&] { return outOfBounds(site(grid, issue), lane, access, grid.memory); });
}

void accessShared(Grid& grid, const Issue& issue, Block& home, const LaneAddresses& addresses, LaneMask mask, const KeptSources* kept) {
  if (grid.memory.tracksInitialisation()) trackInitialisation(grid, issue, Space::shared, home, addresses, mask);
  if (issue.block.races) followRaces(grid, issue, Space::shared, home, addresses, mask, kept);
  if (issue.op.handler == Handler::mbarrier) return mbarrier(grid, issue, home, addresses, mask, kept);
  perform(grid, issue, home.sharedBase(), addresses, mask, kept);
}

namespace {

// What a helper accesses within its reach is the block's own, or its helpers'; the rest is a fault, or is left out.
LaneMask checkOwners(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  const u32 bytes = issue.op.accessBytes();
  for (const LaneId lane : mask) {
    const u64 address = addresses.lane[lane], limit = issue.block.sharedBytes;
    if (address <= limit && bytes <= limit - address) continue;
    if (issue.block.isOfHelpers(issue.warp.index, address, bytes)) continue;
    beyondLimit(grid, issue, Space::shared, lane, address, limit);
    mask.erase(lane);
  }
  return mask;
}

void accessSpace(Grid& grid, const Issue& issue, Space space, LaneAddresses& addresses, LaneMask mask) {
  Op& op = issue.op;
  const u32 bytes = op.accessBytes();
  if (op.handler == Handler::mbarrier && space != Space::shared) [[unlikely]] {
    fault(site(grid, issue), mask.least(), LaunchStatus::illegalAddress, "an mbarrier operation outside shared memory",
          "mbarrier objects live in the shared memory of a block");
  }
  if (addresses.anyBits & (bytes - 1)) [[unlikely]]
    checkAlignment(grid, issue, space, addresses, mask);
  const LaneMask wanted = mask;
  u64 base = 0;
  switch (space) {
    case Space::shared:
      if (addresses.highest >= isa::kClusterStride && !issue.warp.isHelper) [[unlikely]]
        return accessCluster(grid, issue, addresses, mask);
      mask = checkLimit(grid, issue, space, addresses, mask, issue.block.sharedReach(issue.warp));
      if (issue.warp.isHelper) [[unlikely]]
        mask = checkOwners(grid, issue, addresses, mask);
      if (isSpeculativeStore(issue)) [[unlikely]]
        mask = ownOf(issue, addresses, mask);
      base = issue.block.sharedBase();
      break;
    case Space::local:
      mask = checkLimit(grid, issue, space, addresses, mask, issue.block.localBytes);
      break;
    case Space::constant:
      mask = checkLimit(grid, issue, space, addresses, mask, grid.request.launch->program->program.constantBytes);
      base = grid.request.launch->program->constantBase;
      break;
    case Space::param:
      mask = checkLimit(grid, issue, space, addresses, mask, grid.parameters.size());
      base = reinterpret_cast<u64>(grid.parameters.data());
      break;
    default: {
      const AllocationCache& cache = op.cache;
      const bool known =
          addresses.lowest >= cache.begin && addresses.highest + bytes <= cache.end && cache.generation == grid.memory.generation();
      if (!known) [[unlikely]]
        mask = checkGlobal(grid, issue, addresses, mask);
    }
  }
  if (mask != wanted) [[unlikely]]
    readZero(grid, issue, wanted & ~mask);
  if (mask.empty()) return;
  if (grid.memory.tracksInitialisation() && !issue.warp.isSpeculative)
    trackInitialisation(grid, issue, space, issue.block, addresses, mask);
  if (space == Space::local) return accessLocal(grid, issue, addresses, mask);
  if (grid.request.observer) raiseMemory(grid, issue, space, addresses, mask);
  if (issue.block.races && !issue.warp.isHelper) followRaces(grid, issue, space, issue.block, addresses, mask);
  if (space == Space::global && grid.separate) return performSeparately(grid, issue, addresses, mask);
  if (op.handler == Handler::mbarrier) return mbarrier(grid, issue, issue.block, addresses, mask);
  perform(grid, issue, base, addresses, mask);
}

// A generic access that touches windows: lanes go to their spaces, one space after the other.
void accessMixed(Grid& grid, const Issue& issue, const LaneAddresses& addresses) {
  LaneMask left = issue.executing;
  while (left) {
    const Space space = spaceOf(addresses.lane[left.least()]);
    LaneAddresses part = addresses;
    LaneMask lanes;
    for (const LaneId lane : left) {
      if (spaceOf(addresses.lane[lane]) != space) continue;
      lanes.insert(lane);
      part.lane[lane] -= windowOf(space);
    }
    summarise(part, lanes, issue.op.accessBytes());
    accessSpace(grid, issue, space, part, lanes);
    left &= ~lanes;
  }
}

}  // namespace

void access(Grid& grid, const Issue& issue) {
  const Op& op = issue.op;
  if (storesInVain(issue)) [[unlikely]]
    return;
  LaneAddresses addresses;
  const u32* low = op.addressWords ? source(issue.warp, op.sources[0]) : nullptr;
  grid.addresses(low, op.addressWords == 2 ? low + grid.lanes : nullptr, op.offset, op.wraps, op.accessBytes(), issue.executing, addresses);
  if ((op.space == Space::global || op.space == Space::generic) && awaitsAtomics(grid, issue, addresses)) return;
  if (op.space != Space::generic) {
    accessSpace(grid, issue, op.space, addresses, issue.executing);
  } else if (addresses.lowest >= isa::kLowestGlobal) {
    accessSpace(grid, issue, Space::global, addresses, issue.executing);
  } else {
    accessMixed(grid, issue, addresses);
  }
  if (op.polls && op.handler != Handler::mbarrier && !isDeferred(grid))
    notePoll(grid, issue.block.index, issue.warp, op, issue.executing, addresses);
}

void faultOrWarn(Grid& grid, Pc pc, LaunchStatus status, const std::function<Fault()>& describe) {
  if (grid.request.checks.onFault == OnFault::stop) throw describe();
  if (grid.findings.tolerated.insert({pc, status}).second)
    grid.result.tolerated.push_back(describe().message + "\n  the kernel goes on, as was asked for");
}

// The lanes whose range lies below the limit. Others are a fault, or are left out.
LaneMask checkLimit(Grid& grid, const Issue& issue, Space space, const LaneAddresses& addresses, LaneMask mask, u64 limit) {
  const u32 bytes = issue.op.accessBytes();
  if (addresses.highest <= limit && bytes <= limit - addresses.highest) [[likely]]
    return mask;
  for (const LaneId lane : mask) {
    const u64 address = addresses.lane[lane];
    if (address <= limit && bytes <= limit - address) [[likely]]
      continue;
    beyondLimit(grid, issue, space, lane, address, limit);
    mask.erase(lane);
  }
  return mask;
}

void checkAlignment(Grid& grid, const Issue& issue, Space space, const LaneAddresses& addresses, LaneMask mask) {
  if (!checksBounds(grid, issue)) return;
  const u32 bytes = issue.op.accessBytes();
  for (const LaneId lane : mask) {
    if (addresses.lane[lane] % bytes == 0) continue;
    faultMisaligned(site(grid, issue), lane, {kindOf(issue.op), space, addresses.lane[lane], bytes, 0}, grid.memory);
  }
}

void noteFence(const Issue& issue) {
  if (issue.op.instruction->opcode != isa::Opcode::fence) return;
  if (issue.op.instruction->modifiers.asyncProxy) issue.block.unfenced.forget(0, issue.block.sharedBytes);
  issue.block.races->fence(issue.warp.index, issue.op.instruction->modifiers.scope == isa::Scope::cta);
}

// Counts polls that read again what they read before. Only scheduling depends on it.
void notePoll(const Grid& grid, u64 block, Warp& warp, const Op& op, LaneMask mask, const LaneAddresses& addresses) {
  if (!op.destinations[0].present) return;
  u64 hash = pollHash(block, mask.bits() ^ addresses.lowest);
  const u32* plane = registers(warp, op.destinations[0]);
  for (const LaneId lane : mask) {
    hash = pollHash(hash, op.elementBytes == 8 ? wide(grid, plane, lane) : plane[lane]);
  }
  if (hash == warp.polled[op.poll]) {
    ++warp.polls;
    return;
  }
  warp.polled[op.poll] = hash;
  warp.hearNews();
}

bool accessLocalBytes(const Grid& grid, const Warp& warp, LaneId lane, u64 offset, u32 bytes, void* data, bool write) {
  if (offset > grid.shape.localBytes || bytes > grid.shape.localBytes - offset) return false;
  auto* to = static_cast<std::byte*>(data);
  for (u32 i = 0; i < bytes; ++i) {
    auto* byte = reinterpret_cast<std::byte*>(warp.local + interleaved(grid, offset + i, lane));
    (write ? *byte : to[i]) = write ? to[i] : *byte;
  }
  return true;
}

bool readGeneric(const Grid& grid, const Block& block, const Warp& warp, LaneId lane, u64 address, u32 bytes, void* to) {
  const Space space = spaceOf(address);
  const u64 offset = address - windowOf(space);
  const auto copy = [&](u64 base, u64 limit) {
    if (offset > limit || bytes > limit - offset) return false;
    std::memcpy(to, reinterpret_cast<const void*>(base + offset), bytes);
    return true;
  };
  switch (space) {
    case Space::local:
      return accessLocalBytes(grid, warp, lane, offset, bytes, to, false);
    case Space::shared:
      return copy(block.sharedBase(), block.sharedBytes);
    case Space::constant:
      return copy(grid.request.launch->program->constantBase, grid.request.launch->program->program.constantBytes);
    case Space::param:
      return copy(reinterpret_cast<u64>(grid.parameters.data()), grid.parameters.size());
    default:
      if (!grid.memory.find(GlobalAddress(address), bytes)) return false;
      std::memcpy(to, GlobalMemory::hostPointer(GlobalAddress(address)), bytes);
      return true;
  }
}

bool mayAccessDirectly(const Grid& grid) {
  return !grid.request.observer && !grid.injector && !grid.request.checks.races && !grid.memory.tracksInitialisation();
}

}  // namespace warpwright::exec
