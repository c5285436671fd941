// Loads, stores and atomics: addresses, checks, the way to each space's bytes.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/lane_interleaving.hpp"
#include "exec/machine.hpp"
#include "isa/address_space.hpp"

namespace warpwright::exec {
namespace {

using isa::Space;

BadAccess::Kind kindOf(const Op& op) {
  if (op.handler == Handler::load) return BadAccess::Kind::load;
  return op.handler == Handler::store || op.handler == Handler::copyAsync ? BadAccess::Kind::store : BadAccess::Kind::atomic;
}

bool isAtomic(const Op& op) { return op.handler == Handler::atomic || op.handler == Handler::mbarrier; }

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

u64 mixed(u64 hash, u64 value) {
  hash = (hash ^ value) * 0x9e37'79b9'7f4a'7c15;
  return hash ^ hash >> 29;
}

}  // namespace

bool Machine::mayAccessDirectly() const { return !request_.observer && !request_.checks.races && !memory_.tracksInitialisation(); }

void Machine::access(const Issue& issue) {
  const Op& op = issue.op;
  if (issue.warp.isSpeculative && op.handler == Handler::store) [[unlikely]]
    return;
  LaneAddresses addresses;
  const u32* low = op.addressWords ? source(issue.warp, op.sources[0]) : nullptr;
  addresses_(low, op.addressWords == 2 ? low + lanes_ : nullptr, op.offset, op.wraps, op.accessBytes(), issue.executing, addresses);
  if ((op.space == Space::global || op.space == Space::generic) && awaitsAtomics(issue, addresses)) return;
  if (op.space != Space::generic) {
    accessSpace(issue, op.space, addresses, issue.executing);
  } else if (addresses.lowest >= isa::kLowestGlobal) {
    accessSpace(issue, Space::global, addresses, issue.executing);
  } else {
    accessMixed(issue, addresses);
  }
  if (op.polls && op.handler != Handler::mbarrier && !isDeferred()) notePoll(issue.block.index, issue.warp, op, issue.executing, addresses);
}

// A generic access that touches windows: lanes go to their spaces, one space after the other.
void Machine::accessMixed(const Issue& issue, const LaneAddresses& addresses) {
  LaneMask left = issue.executing;
  while (left) {
    const Space space = spaceOf(addresses.lane[left.least()]);
    LaneAddresses part = addresses;
    LaneMask lanes;
    for (const u32 lane : left) {
      if (spaceOf(addresses.lane[lane]) != space) continue;
      lanes.insert(lane);
      part.lane[lane] -= windowOf(space);
    }
    summarise(part, lanes, issue.op.accessBytes());
    accessSpace(issue, space, part, lanes);
    left &= ~lanes;
  }
}

void Machine::accessSpace(const Issue& issue, Space space, LaneAddresses& addresses, LaneMask mask) {
  Op& op = issue.op;
  const u32 bytes = op.accessBytes();
  if (op.handler == Handler::mbarrier && space != Space::shared) [[unlikely]] {
    fault(site(issue), mask.least(), LaunchStatus::illegalAddress, "an mbarrier operation outside shared memory",
          "mbarrier objects live in the shared memory of a block");
  }
  if (addresses.anyBits & (bytes - 1)) [[unlikely]]
    checkAlignment(issue, space, addresses, mask);
  const LaneMask wanted = mask;
  u64 base = 0;
  switch (space) {
    case Space::shared:
      mask = checkLimit(issue, space, addresses, mask, issue.block.sharedBytes);
      base = issue.block.sharedBase();
      break;
    case Space::local:
      mask = checkLimit(issue, space, addresses, mask, issue.block.localBytes);
      break;
    case Space::constant:
      mask = checkLimit(issue, space, addresses, mask, request_.launch->program->program.constantBytes);
      base = request_.launch->program->constantBase;
      break;
    case Space::param:
      mask = checkLimit(issue, space, addresses, mask, parameters_.size());
      base = reinterpret_cast<u64>(parameters_.data());
      break;
    default: {
      const AllocationCache& cache = op.cache;
      const bool known =
          addresses.lowest >= cache.begin && addresses.highest + bytes <= cache.end && cache.generation == memory_.generation();
      if (!known) [[unlikely]]
        mask = checkGlobal(issue, addresses, mask);
    }
  }
  if (mask != wanted) [[unlikely]]
    readZero(issue, wanted & ~mask);
  if (mask.empty()) return;
  if (memory_.tracksInitialisation() && !issue.warp.isSpeculative) trackInitialisation(issue, space, addresses, mask);
  if (space == Space::local) return accessLocal(issue, addresses, mask);
  if (request_.observer) raiseMemory(issue, space, addresses, mask);
  if (issue.block.races && !issue.warp.isHelper) followRaces(issue, space, addresses, mask);
  if (space == Space::global && separate_) return performSeparately(issue, addresses, mask);
  perform(issue, base, addresses, mask);
}

void Machine::perform(const Issue& issue, u64 base, const LaneAddresses& addresses, LaneMask mask) {
  const Op& op = issue.op;
  if (op.handler == Handler::mbarrier) return mbarrier(issue, base, addresses, mask);
  if (op.handler == Handler::load) {
    op.transfer(base, addresses, mask, op.elements, registers(issue.warp, op.destinations[0]));
    return;
  }
  if (op.handler == Handler::store) {
    changes_ += storesAnew(base, addresses, mask, source(issue.warp, op.sources[1]), op.elementBytes, op.elements);
    op.transfer(base, addresses, mask, op.elements, const_cast<u32*>(source(issue.warp, op.sources[1])));
    return;
  }
  const u32* c = op.sources[2].present ? source(issue.warp, op.sources[2]) : nullptr;
  u32* result = op.destinations[0].present ? registers(issue.warp, op.destinations[0]) : nullptr;
  const bool changed = op.atomic(base, addresses, mask, source(issue.warp, op.sources[1]), c, result, lanes_);
  if (!changed) return;
  ++changes_;
  issue.warp.hearNews();
}

// Whether a store changes what is there. Only a machine that is stepped asks: there, a loop that stores the same again and again is found
// to have no effect.
bool Machine::storesAnew(u64 base, const LaneAddresses& addresses, LaneMask mask, const u32* planes, u32 elementBytes, u32 elements) const {
  if (!separate_) return true;
  const u32 pieceBytes = std::min(elementBytes, 4u), pieces = elements * (elementBytes / pieceBytes);
  for (const u32 lane : mask) {
    const auto* old = reinterpret_cast<const std::byte*>(base + addresses.lane[lane]);
    for (u32 piece = 0; piece < pieces; ++piece)
      if (std::memcmp(old + piece * pieceBytes, planes + piece * lanes_ + lane, pieceBytes) != 0) return true;
  }
  return false;
}

u64 Machine::interleaved(u64 offset, u32 lane) const { return interleavedPlace(offset, lane, vectorBytes(request_.limits.warpSize)); }

// Local memory is interleaved word by word among the lanes, so that the same offset in every lane is one piece of memory.
void Machine::accessLocal(const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  const Op& op = issue.op;
  if (request_.observer) raiseMemory(issue, Space::local, addresses, mask);
  const bool wide = op.elementBytes == 8;
  const u32 pieceBytes = wide ? 4 : op.elementBytes;
  const u32 pieces = op.elements * (wide ? 2 : 1);
  LaneAddresses place;
  for (u32 piece = 0; piece < pieces; ++piece) {
    if (addresses.uniform) {
      const u64 first = interleaved(addresses.lane[mask.least()] + piece * pieceBytes, 0);
      for (u32 lane = 0; lane < lanes_; ++lane) place.lane[lane] = first + 4 * lane;
    } else {
      for (u32 lane = 0; lane < lanes_; ++lane) place.lane[lane] = interleaved(addresses.lane[lane] + piece * pieceBytes, lane);
    }
    place.uniform = false;
    place.consecutive = addresses.uniform && pieceBytes == 4;
    if (op.handler == Handler::atomic) {
      if (wide)
        fault(site(issue), mask.least(), LaunchStatus::illegalAddress, "64-bit atomic operation on local memory",
              "use global or shared memory");
      perform(issue, issue.warp.local, place, mask);
    } else if (op.handler == Handler::load) {
      op.wordOrNarrow()(issue.warp.local, place, mask, 1, registers(issue.warp, op.destinations[0]) + piece * lanes_);
    } else {
      u32* const planes = const_cast<u32*>(source(issue.warp, op.sources[1])) + piece * lanes_;
      changes_ += storesAnew(issue.warp.local, place, mask, planes, pieceBytes, 1);
      op.wordOrNarrow()(issue.warp.local, place, mask, 1, planes);
    }
  }
}

void Machine::faultOrWarn(u32 pc, LaunchStatus status, const std::function<Fault()>& describe) {
  if (request_.checks.onFault == OnFault::stop) throw describe();
  if (tolerated_.insert({pc, status}).second) result_.tolerated.push_back(describe().message + "\n  the kernel goes on, as was asked for");
}

// What lanes get that read where no memory is.
void Machine::readZero(const Issue& issue, LaneMask lanes) {
  const Op& op = issue.op;
  if (op.handler == Handler::mbarrier || !op.destinations[0].present) return;
  u32* const planes = registers(issue.warp, op.destinations[0]);
  const u32 words = op.elements * (op.elementBytes == 8 ? 2 : 1);
  for (const u32 lane : lanes) {
    for (u32 word = 0; word < words; ++word) planes[word * lanes_ + lane] = 0;
  }
}

// The lanes whose range lies in an allocation. Others are a fault, or are left out when bounds are not checked. Where faults are tolerated
// all of the device's memory may be touched, as by a GPU, whose pages hold neighbours of an allocation.
LaneMask Machine::checkGlobal(const Issue& issue, LaneAddresses& addresses, LaneMask mask) {
  const u32 bytes = issue.op.accessBytes();
  tighten(addresses, mask);
  AllocationCache& cache = issue.op.cache;
  if (addresses.lowest >= cache.begin && addresses.highest < cache.end && bytes <= cache.end - addresses.highest &&
      cache.generation == memory_.generation()) {
    return mask;
  }
  if (addresses.highest + bytes > addresses.lowest) {
    if (const Allocation* allocation = memory_.find(addresses.lowest, addresses.highest + bytes - addresses.lowest)) {
      cache = {allocation->address, allocation->end(), memory_.generation()};
      return mask;
    }
  }
  for (const u32 lane : mask) {
    const u64 address = addresses.lane[lane];
    if (memory_.find(address, bytes)) continue;
    mask.erase(lane);
    if (!checksBounds(issue)) continue;
    const auto describe = [&] { return outOfBounds(site(issue), lane, {kindOf(issue.op), Space::global, address, bytes, 0}, memory_); };
    if (!memory_.holds(address, bytes)) throw describe();
    faultOrWarn(issue.pc, LaunchStatus::illegalAddress, describe);
    mask.insert(lane);
  }
  return mask;
}

// A lane's access that ends behind the last byte of its space: a fault, unless it is to be left out.
[[gnu::noinline]] void Machine::beyondLimit(const Issue& issue, Space space, u32 lane, u64 address, u64 limit) {
  if (space == Space::local && kernel_.hasCalls() && issue.op.addressWords == 1 &&
      issue.op.sources[0].offset == isa::kStackRegister * lanes_) {
    fault(site(issue), lane, LaunchStatus::stackOverflow,
          "the stack is exhausted: a thread has " + std::to_string(limit) + " bytes of local memory", stackRemedy(request_.limits));
  }
  if (!checksBounds(issue)) return;
  const BadAccess access{kindOf(issue.op), space, address, issue.op.accessBytes(), limit};
  faultOrWarn(issue.pc, LaunchStatus::illegalAddress, [&] { return outOfBounds(site(issue), lane, access, memory_); });
}

// The lanes whose range lies below the limit. Others are a fault, or are left out.
LaneMask Machine::checkLimit(const Issue& issue, Space space, const LaneAddresses& addresses, LaneMask mask, u64 limit) {
  const u32 bytes = issue.op.accessBytes();
  if (addresses.highest <= limit && bytes <= limit - addresses.highest) [[likely]]
    return mask;
  for (const u32 lane : mask) {
    const u64 address = addresses.lane[lane];
    if (address <= limit && bytes <= limit - address) [[likely]]
      continue;
    beyondLimit(issue, space, lane, address, limit);
    mask.erase(lane);
  }
  return mask;
}

void Machine::checkAlignment(const Issue& issue, Space space, const LaneAddresses& addresses, LaneMask mask) {
  if (!checksBounds(issue)) return;
  const u32 bytes = issue.op.accessBytes();
  for (const u32 lane : mask) {
    if (addresses.lane[lane] % bytes == 0) continue;
    faultMisaligned(site(issue), lane, {kindOf(issue.op), space, addresses.lane[lane], bytes, 0}, memory_);
  }
}

// Whether something was written of each element that a lane reads: bytes between the members of a structure may lack a value. Single bytes
// of local memory may be such, or an object without members, that unoptimised code copies.
bool Machine::wasWritten(const Issue& issue, Space space, u32 lane, u64 address) const {
  const Op& op = issue.op;
  const WrittenMemory* const own = issue.block.written.get();
  for (u32 element = 0; element < op.elements; ++element, address += op.elementBytes) {
    bool any = true;
    if (space == Space::global) any = memory_.wasWritten(address, op.elementBytes);
    if (space == Space::shared && own) any = own->shared.anyWritten(address, op.elementBytes);
    if (space == Space::local && own && op.elementBytes > 1)
      any = own->local[issue.warp.index].anyWritten(own->placeOf(lane, address), op.elementBytes);
    if (!any) return false;
  }
  return true;
}

void Machine::noteWritten(const Issue& issue, Space space, u32 lane, u64 address) {
  const u32 bytes = issue.op.accessBytes();
  WrittenMemory* const own = issue.block.written.get();
  if (space == Space::global && !separate_) memory_.markInitialised(address, bytes);
  if (space == Space::shared && own) own->shared.mark(address, bytes);
  if (space == Space::local && own) own->local[issue.warp.index].mark(own->placeOf(lane, address), bytes);
}

void Machine::trackInitialisation(const Issue& issue, Space space, const LaneAddresses& addresses, LaneMask mask) {
  const Op& op = issue.op;
  const u32 bytes = op.accessBytes();
  const bool begins = op.handler == Handler::mbarrier && op.instruction->modifiers.mbarrier == isa::MbarrierOp::init;
  // What the compiler moves between registers and memory is as defined as the registers.
  const bool reads = op.handler != Handler::store && !begins && !op.instruction->spill;
  for (const u32 lane : mask) {
    const u64 address = addresses.lane[lane];
    const bool isBuffered = space == Space::global && separate_ && separate_->stores.mayHold(address, bytes);
    if (request_.checks.uninitialised && reads && !isBuffered && !wasWritten(issue, space, lane, address)) {
      faultOrWarn(issue.pc, LaunchStatus::useOfUninitialised, [&] {
        return uninitialised(site(issue), lane, {kindOf(op), space, address, bytes, ownBytes(issue.block, space)}, memory_);
      });
    }
    if (op.handler != Handler::load) noteWritten(issue, space, lane, address);
  }
}

void Machine::followRaces(const Issue& issue, Space space, const LaneAddresses& addresses, LaneMask mask) {
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
  const bool isDeferred = separate_ && isAtomic(op) && !access.inShared;
  access.acquires = access.strong && op.handler != Handler::store && !isDeferred;
  access.bytes = op.accessBytes();
  if (op.handler == Handler::store) access.values = source(issue.warp, op.sources[1]);
  access.elementBytes = op.elementBytes;
  access.lanes = lanes_;
  issue.block.races->access(issue.warp.index, access, addresses, mask);
}

void Machine::noteFence(const Issue& issue) {
  if (issue.op.instruction->opcode != isa::Opcode::fence) return;
  issue.block.races->fence(issue.warp.index, issue.op.instruction->modifiers.scope == isa::Scope::cta);
}

void Machine::raiseMemory(const Issue& issue, Space space, const LaneAddresses& addresses, LaneMask mask) {
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
  if (op.handler == Handler::load) event.values = registers(issue.warp, op.destinations[0]);
  if (op.handler == Handler::store) event.values = source(issue.warp, op.sources[1]);
  request_.observer->memory(event);
}

// Counts polls that read again what they read before. Only scheduling depends on it.
void Machine::notePoll(u64 block, Warp& warp, const Op& op, LaneMask mask, const LaneAddresses& addresses) const {
  if (!op.destinations[0].present) return;
  u64 hash = mixed(block, mask.bits() ^ addresses.lowest);
  const u32* plane = registers(warp, op.destinations[0]);
  for (const u32 lane : mask) {
    hash = mixed(hash, op.elementBytes == 8 ? wide(plane, lane) : plane[lane]);
  }
  if (hash == warp.polled[op.poll]) {
    ++warp.polls;
    return;
  }
  warp.polled[op.poll] = hash;
  warp.hearNews();
}

bool Machine::accessLocalBytes(const Warp& warp, u32 lane, u64 offset, u32 bytes, void* data, bool write) const {
  if (offset > shape_.localBytes || bytes > shape_.localBytes - offset) return false;
  auto* to = static_cast<std::byte*>(data);
  for (u32 i = 0; i < bytes; ++i) {
    auto* place = reinterpret_cast<std::byte*>(warp.local + interleaved(offset + i, lane));
    (write ? *place : to[i]) = write ? to[i] : *place;
  }
  return true;
}

bool Machine::readGeneric(const Block& block, const Warp& warp, u32 lane, u64 address, u32 bytes, void* to) const {
  const Space space = spaceOf(address);
  const u64 offset = address - windowOf(space);
  const auto copy = [&](u64 base, u64 limit) {
    if (offset > limit || bytes > limit - offset) return false;
    std::memcpy(to, reinterpret_cast<const void*>(base + offset), bytes);
    return true;
  };
  switch (space) {
    case Space::local:
      return accessLocalBytes(warp, lane, offset, bytes, to, false);
    case Space::shared:
      return copy(block.sharedBase(), block.sharedBytes);
    case Space::constant:
      return copy(request_.launch->program->constantBase, request_.launch->program->program.constantBytes);
    case Space::param:
      return copy(reinterpret_cast<u64>(parameters_.data()), parameters_.size());
    default:
      if (!memory_.find(address, bytes)) return false;
      std::memcpy(to, GlobalMemory::hostPointer(address), bytes);
      return true;
  }
}

}  // namespace warpwright::exec
