// From the accesses of a warp instruction to what the load/store unit has to do.
#include <bit>

#include "sm/sm.hpp"

namespace warpwright::sm {
namespace {

using isa::Space;
using mem::AccessType;

// Where spaces without addresses of their own lie as the memory system sees them: beyond every address of a host process (2^47), within the
// 48 bits that the address map takes.
constexpr u64 kLocalBase = u64{1} << 47, kConstantBase = kLocalBase + (u64{1} << 45), kParameterBase = kConstantBase + (u64{1} << 32);

constexpr u32 kWordBytes = 4;

bool passesL1(const isa::Instruction& instruction, const config::Sm& sm) {
  using isa::CacheOp;
  using isa::Ordering;
  const isa::Modifiers& modifiers = instruction.modifiers;
  if (modifiers.ordering != Ordering::weak) return true;  // must see what other SMs wrote
  if (modifiers.cache == CacheOp::cg || modifiers.cache == CacheOp::cv || modifiers.cache == CacheOp::cs) return true;
  return !sm.cacheGlobalLoads && modifiers.cache != CacheOp::ca && modifiers.cache != CacheOp::nc;
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
      if (access.isAtomic) {
        banks_.atomic(addresses, access.mask, access.bytes);
      } else {
        banks_.access(addresses, access.mask, access.bytes, access.spread);
      }
      operation.sharedPasses += banks_.passes();
      for (u32 phase = 0; phase < banks_.phases(); ++phase) operation.bankPhases.push_back({banks_.firstLane(phase), banks_.degree(phase)});
      return;
    case Space::local:
      operation.isLocal = true;
      return addLocal(operation, slot, access);
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
  if (access.isStore)
    return addRequests(operation, dataLines_.access(addresses, access.mask, access.bytes, false, access.spread), AccessType::globalWrite,
                       Route::l1Data);
  const bool beside = passesL1(instruction, machine_.sm);
  addRequests(operation, dataLines_.access(addresses, access.mask, access.bytes, !beside, access.spread), AccessType::globalRead,
              beside ? Route::network : Route::l1Data);
}

// Word w of lane l lies at word w * warp size + l of the warp's piece (Collange and Kouyoumdjian, "Affine Vector Cache for memory bandwidth
// savings", section 2.2).
void Sm::addLocal(MemoryOperation& operation, u32 slot, const exec::AccessRecord& access) {
  const Warp& warp = warps_[slot];
  const u64 warpBytes = (warp.block->running->plan->localPerThread + kWordBytes) * machine_.warpSize;
  const u64 base = kLocalBase + (u64{number_} * kMostWarps + slot) * ((warpBytes + 4095) / 4096 * 4096);
  const AccessType type = access.isStore ? AccessType::localWrite : AccessType::localRead;
  const u32 pieceBytes = std::min(access.bytes, kWordBytes);
  const Spread spread = access.spread == Spread::uniform && pieceBytes == kWordBytes ? Spread::consecutive : Spread::unknown;
  for (u32 piece = 0; piece < access.bytes; piece += pieceBytes) {
    std::array<u64, kMaxWarpSize> places;
    for (LaneMask rest = access.mask; rest; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const u64 offset = access.addresses[lane] + piece;
      places[lane] = base + (offset / kWordBytes * machine_.warpSize + lane) * kWordBytes + offset % kWordBytes;
    }
    addRequests(operation, dataLines_.access(places.data(), access.mask, pieceBytes, true, spread), type, Route::l1Data);
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
    routed.request.type = type;
    routed.request.operations = static_cast<u16>(type == AccessType::atomic ? transaction.lanes : 0);
    operation.requests.push_back(routed);
  }
}

}  // namespace warpwright::sm
