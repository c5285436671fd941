// From the accesses of a warp instruction to what the load/store unit has to do.
#include <bit>

#include "sm/address_spaces.hpp"
#include "sm/sm.hpp"

namespace warpwright::sm {
namespace {

using isa::Space;
using mem::AccessType;

constexpr u32 kWordBytes = 4;
constexpr u32 kLayoutLanes = 32;  // of the registers' layout, in machines with links

// The words of the line that lanes of `mask` touch, `bytes` each from its place on. Word p of lane l is in plane p, lane l, of `values`;
// without values the words are touched in part.
void noteWords(mem::WordAccess& words, const Transaction& line, const u64* places, LaneMask mask, u32 bytes, const u32* values) {
  words = {};
  words.whole = values != nullptr;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    const auto lane = static_cast<u32>(std::countr_zero(rest));
    for (u32 piece = 0; piece < bytes; piece += kWordBytes) {
      const u64 offset = places[lane] + piece - line.address;  // of a place before the line: beyond it
      if (offset >= line.lineBytes) continue;
      words.mask |= u64{1} << offset / kWordBytes;
      if (values != nullptr) words.values[offset / kWordBytes] = values[piece / kWordBytes * kLayoutLanes + lane];
    }
  }
}

// Null when the access does not move whole words.
const u32* wordValues(const exec::StepRecord& record, const exec::AccessRecord& access) {
  return isa::sizeOf(record.instruction->type) < kWordBytes ? nullptr : access.values;
}

bool passesL1(const isa::Instruction& instruction, const config::Sm& sm) {
  using isa::CacheOp;
  using isa::Ordering;
  const isa::Modifiers& modifiers = instruction.modifiers;
  if (modifiers.ordering != Ordering::weak) return true;  // must see what other SMs wrote
  if (modifiers.cache == CacheOp::cg || modifiers.cache == CacheOp::cv || modifiers.cache == CacheOp::cs) return true;
  return !sm.cacheGlobalLoads && modifiers.cache != CacheOp::ca && modifiers.cache != CacheOp::nc;
}

// Where a warp's private memory lies: word w of lane l is word l of vector w (Collange and Kouyoumdjian, "Affine Vector Cache for memory
// bandwidth savings", section 2.2).
struct PrivateVectors {
  u64 first, apart;  // bytes
};

PrivateVectors inPieces(const config::Machine& machine, u64 warp, u64 bytesPerThread) {
  const u64 vector = u64{machine.warpSize} * kWordBytes, vectors = (bytesPerThread + kWordBytes - 1) / kWordBytes;
  const u64 spacing = machine.sm.localSpacing;
  return {kLocalBase + warp * ((vectors * vector + spacing - 1) / spacing * spacing), vector};
}

PrivateVectors interleaved(const config::Machine& machine, u32 sm, u32 slot) {
  constexpr u64 kMostOfSm = u64{1} << 31;  // 512 KB a thread of 64 warps of 64 lanes
  const u64 vector = u64{machine.warpSize} * kWordBytes;
  return {kLocalBase + sm * kMostOfSm + slot * vector, machine.warpsPerSm * vector};
}

}  // namespace

void Sm::addAccess(MemoryOperation& operation, u32 slot, const exec::StepRecord& record, const exec::AccessRecord& access) {
  const isa::Instruction& instruction = *record.instruction;
  const u64* addresses = access.addresses.data();
  if (access.isTexel) {
    operation.isTexture = true;
    const AccessType type = access.isStore ? AccessType::globalWrite : AccessType::textureRead;
    return addRequests(operation, texelLines_.list(access.addresses, access.bytes), type, access.isStore ? Route::network : Route::texture);
  }
  switch (access.space) {
    case Space::shared:
      return addShared(operation, slot, record, access);
    case Space::local:
      operation.isLocal = true;
      return addLocal(operation, slot, record, access);
    case Space::constant:
    case Space::param: {
      std::array<u64, kMaxWarpSize> places;
      const u64 base = access.space == Space::constant ? kConstantBase : kParameterBase;
      // Of lanes that read one address, one stands for all.
      const LaneMask lanes = access.spread == Spread::uniform ? access.mask & (~access.mask + 1) : access.mask;
      for (LaneMask rest = lanes; rest; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        places[lane] = base + addresses[lane];
      }
      return addRequests(operation, constantLines_.access(places.data(), lanes, access.bytes, true), AccessType::constantRead,
                         Route::l1Constant);
    }
    default:
      break;
  }
  operation.isGlobal = true;
  if (access.isAtomic)
    return addRequests(operation, dataLines_.access(addresses, access.mask, access.bytes, false, access.spread), AccessType::atomic,
                       Route::network);
  const bool beside = !access.isStore && passesL1(instruction, machine_.sm);
  const auto lines = dataLines_.access(addresses, access.mask, access.bytes, !access.isStore && !beside, access.spread);
  addRequests(operation, lines, access.isStore ? AccessType::globalWrite : AccessType::globalRead, beside ? Route::network : Route::l1Data);
  if (!beside) addWords(operation, lines, addresses, access.mask, access.bytes, wordValues(record, access));
}

void Sm::addShared(MemoryOperation& operation, u32 slot, const exec::StepRecord& record, const exec::AccessRecord& access) {
  const Resident& block = *warps_[slot].block;
  const parallel_memory::BankTable* table = block.running->plan->bankTable.get();
  const u64* addresses = access.addresses.data();
  SharedService service;
  if (sharedLink_) {
    const auto first = static_cast<u32>(std::countr_zero(block.slots));
    service =
        sharedLink_->access({first, addresses, access.mask, access.bytes, access.isStore, access.isAtomic, wordValues(record, access)});
  }
  const LaneMask lanes = access.mask & ~service.lanes;
  if (access.isAtomic) {
    banks_.atomic(addresses, lanes, access.bytes, table);
  } else {
    banks_.access(addresses, lanes, access.bytes, service.lanes == 0 ? access.spread : Spread::unknown, table);
  }
  for (u32 phase = 0; phase < banks_.phases(); ++phase) operation.bankPhases.push_back({banks_.firstLane(phase), banks_.degree(phase)});
  const u32 passes = std::max(banks_.passes() + service.bankPasses, service.passes);
  operation.sharedPasses += passes;
  operation.sharedDelay = std::max(operation.sharedDelay, service.delay);
  if (passes == banks_.passes()) return;
  operation.bankPhases.push_back({static_cast<u32>(std::countr_zero(access.mask)), passes - banks_.passes()});
}

void Sm::addLocal(MemoryOperation& operation, u32 slot, const exec::StepRecord& record, const exec::AccessRecord& access) {
  const u64 bytesPerThread = warps_[slot].block->running->plan->localPerThread;
  const PrivateVectors vectors = machine_.sm.localSpacing == 0 ? interleaved(machine_, number_, slot)
                                                               : inPieces(machine_, u64{number_} * kMostWarps + slot, bytesPerThread);
  const AccessType type = access.isStore ? AccessType::localWrite : AccessType::localRead;
  const u32 pieceBytes = std::min(access.bytes, kWordBytes);
  const Spread spread = access.spread == Spread::uniform && pieceBytes == kWordBytes ? Spread::consecutive : Spread::unknown;
  const u32* values = wordValues(record, access);
  for (u32 piece = 0; piece < access.bytes; piece += pieceBytes) {
    std::array<u64, kMaxWarpSize> places;
    for (LaneMask rest = access.mask; rest; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const u64 offset = access.addresses[lane] + piece;
      places[lane] = vectors.first + offset / kWordBytes * vectors.apart + u64{lane} * kWordBytes + offset % kWordBytes;
    }
    const auto lines = dataLines_.access(places.data(), access.mask, pieceBytes, true, spread);
    addRequests(operation, lines, type, Route::l1Data);
    addWords(operation, lines, places.data(), access.mask, pieceBytes, values);
    if (values != nullptr) values += kLayoutLanes;
  }
}

// What an access link may want to know of the requests added last, one a line.
void Sm::addWords(MemoryOperation& operation, std::span<const Transaction> lines, const u64* places, LaneMask mask, u32 bytes,
                  const u32* values) {
  if (!ports_.link() || lines.empty()) return;
  RoutedRequest* request = &operation.requests.back() - lines.size() + 1;
  for (const Transaction& line : lines) {
    request++->words = static_cast<u32>(operation.words.size());
    noteWords(operation.words.emplace_back(), line, places, mask, bytes, values);
  }
}

void Sm::addRequests(MemoryOperation& operation, std::span<const Transaction> transactions, AccessType type, Route route) {
  for (const Transaction& transaction : transactions) {
    RoutedRequest routed;
    routed.route = route;
    routed.request.address = transaction.address;
    routed.request.lineBytes = transaction.lineBytes;
    routed.request.sectors = transaction.sectors;
    routed.request.wholeSectors = mem::isWrite(type) ? transaction.wholeSectors : 0;
    if (mem::isWrite(type)) routed.request.written = transaction.written;
    routed.request.type = type;
    routed.request.origin = operation.origin;
    routed.request.operations = static_cast<u16>(type == AccessType::atomic ? transaction.lanes : 0);
    operation.requests.push_back(routed);
  }
}

}  // namespace warpwright::sm
