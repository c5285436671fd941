#include "exec/operations/bulk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "exec/bulk_transfer.hpp"
#include "exec/cluster.hpp"
#include "exec/dispatch.hpp"
#include "exec/mbarrier.hpp"
#include "exec/operations/access.hpp"
#include "exec/operations/cluster_access.hpp"
#include "exec/operations/separate_access.hpp"
#include "exec/step_recorder.hpp"

namespace warpwright::exec {
namespace {

using isa::AtomicOp;
using isa::BulkOp;
using isa::Space;
using isa::TensorMap;

constexpr u32 kBulkAlignment = 16, kTileAlignment = 128, kFetchedBytes = 32;

// What one lane's operation names.
struct BulkRequest {
  const isa::Bulk& what;
  LaneId lane;
  SharedOffset shared;
  u64 far = 0;  // address in global memory, or generic address of a tensor map
  SharedOffset barrier, source;
  u32 mask = 0, bytes = 0;
  std::array<s32, TensorMap::kMostDimensions> coordinates{};
};

BulkRequest requestOf(const Grid& grid, const Issue& issue, const LaneAddresses& shared, LaneId lane) {
  const Op& op = issue.op;
  const isa::Bulk& what = op.instruction->modifiers.bulk;
  const u32* list = source(issue.warp, op.sources[2]);
  const auto word = [&](u32 number) { return list[number * grid.lanes + lane]; };
  BulkRequest request{what, lane, SharedOffset(shared.lane[lane]), 0, SharedOffset(word(isa::kBulkBarrier)), {}, 0, 0, {}};
  const u32* far = source(issue.warp, op.sources[1]);
  request.far = grid.addressBits == 64 ? wide(grid, far, lane) : far[lane];
  request.mask = word(isa::kBulkMask) & 0xffff;
  if (what.dimensions == 0) {
    request.bytes = word(isa::kBulkBytes);
    request.source = SharedOffset(word(isa::kBulkSource));
    return request;
  }
  for (u32 i = 0; i < what.dimensions; ++i) request.coordinates[i] = static_cast<s32>(word(isa::kBulkCoordinates + i));
  return request;
}

// --- checks

void checkPlaced(Grid& grid, const Issue& issue, const BulkRequest& request, BadAccess access, u32 alignment) {
  if (access.address % alignment == 0) return;
  access.bytes = alignment;
  faultMisaligned(site(grid, issue), request.lane, access, grid.memory);
}

// Of a block of the cluster. False: the bytes are none of its, or there is no such block, which was to be no fault.
bool checkShared(Grid& grid, const Issue& issue, const BulkRequest& request, SharedOffset address, u64 bytes, BadAccess::Kind kind) {
  const SharedPlace place = placeOf(grid, issue.block, address);
  if (!place.block) {
    reportNobodyThere(grid, issue, request.lane, address);
    return false;
  }
  const u64 limit = place.block->sharedBytes;
  const u32 alignment = request.what.dimensions == 0 ? kBulkAlignment : kTileAlignment;
  const BadAccess access{kind, Space::shared, place.offset, static_cast<u32>(std::min<u64>(bytes, ~u32{0})), limit};
  checkPlaced(grid, issue, request, access, alignment);
  if (place.offset <= limit && bytes <= limit - place.offset) return true;
  if (checksBounds(grid, issue))
    faultOrWarn(grid, issue.pc, LaunchStatus::illegalAddress,
                [&] { return outOfBounds(site(grid, issue), request.lane, access, grid.memory); });
  return false;
}

bool checkRun(Grid& grid, const Issue& issue, LaneId lane, const GlobalRun& run, BadAccess::Kind kind) {
  const BadAccess access{kind, Space::global, run.address, run.bytes, 0};
  if (!grid.memory.find(run.address, run.bytes)) {
    if (!grid.request.checks.bounds) return false;
    const auto describe = [&] { return outOfBounds(site(grid, issue), lane, access, grid.memory); };
    if (!grid.memory.holds(run.address, run.bytes)) throw describe();
    faultOrWarn(grid, issue.pc, LaunchStatus::illegalAddress, describe);
  }
  if (kind == BadAccess::Kind::load && grid.request.checks.uninitialised && !grid.memory.wasWritten(run.address, run.bytes))
    faultOrWarn(grid, issue.pc, LaunchStatus::useOfUninitialised,
                [&] { return uninitialised(site(grid, issue), lane, access, grid.memory); });
  return true;
}

// The object must be there when the copy is issued: its bytes are counted from then on.
void checkBarrier(Grid& grid, const Issue& issue, const BulkRequest& request, const SharedPlace& place) {
  constexpr u32 kObjectBytes = 8;
  const u64 limit = place.block->sharedBytes;
  checkPlaced(grid, issue, request, {BadAccess::Kind::atomic, Space::shared, place.offset, kObjectBytes, limit}, kObjectBytes);
  const bool isInside = place.offset <= limit && kObjectBytes <= limit - place.offset;
  if (isInside && Mbarrier(*reinterpret_cast<const u64*>(place.block->sharedBase() + place.offset)).lives()) return;
  fault(site(grid, issue), request.lane, LaunchStatus::illegalInstruction,
        fmt::format("no mbarrier object at shared address {:#x} that a bulk copy is to complete", u64{request.barrier}),
        "one thread must execute mbarrier.init, and a fence (fence.mbarrier_init or fence.proxy.async) and a barrier must follow");
}

void checkSize(Grid& grid, const Issue& issue, const BulkRequest& request) {
  if (request.bytes % kBulkAlignment == 0) return;
  fault(site(grid, issue), request.lane, LaunchStatus::misalignedAddress,
        fmt::format("a bulk copy of {} bytes: the size must be a multiple of {}", request.bytes, kBulkAlignment),
        "round the size up, with room for it on both sides, or copy the rest with ordinary loads and stores");
}

// Writes of threads are seen by bulk copies behind a proxy fence alone (PTX ISA, "Async proxy").
void checkFenced(Grid& grid, const Issue& issue, SharedOffset offset, u64 bytes) {
  if (!issue.block.races || !issue.block.unfenced.anyWritten(offset, bytes)) return;
  noteUndefined(grid, issue.pc,
                "a bulk copy reads shared memory that threads have written since the last fence.proxy.async: it may find what was there "
                "before; let the threads that write execute fence.proxy.async, and a barrier follow, before the copy is issued");
}

// --- tensor maps

[[noreturn]] void badMap(Grid& grid, const Issue& issue, const BulkRequest& request, const std::string& problem) {
  fault(
      site(grid, issue), request.lane, LaunchStatus::illegalInstruction,
      fmt::format("the tensor map at {:#x} is of no use: {}", request.far, problem),
      "make it with cuTensorMapEncodeTiled, and pass it as a parameter that is const __grid_constant__ CUtensorMap, or keep it in constant "
      "or global memory; only tensormap.replace may change it");
}

// Parameters whose address is taken may lie in local memory, as compilers without __grid_constant__ put them: there they have the alignment
// of the frame.
void readMapBytes(Grid& grid, const Issue& issue, const BulkRequest& request, TensorMap& map) {
  const BadAccess access{BadAccess::Kind::load, Space::global, request.far, isa::kTensorMapBytes, 0};
  if (request.far / isa::kWindowBytes != isa::kLocalWindow / isa::kWindowBytes)
    checkPlaced(grid, issue, request, access, isa::kTensorMapAlignment);
  if (!readGeneric(grid, issue.block, issue.warp, request.lane, request.far, isa::kTensorMapBytes, &map))
    throw outOfBounds(site(grid, issue), request.lane, access, grid.memory);
  if (request.far >= isa::kLowestGlobal) readGlobal(grid, GlobalAddress(request.far), isa::kTensorMapBytes, &map);
}

TensorMap mapOf(Grid& grid, const Issue& issue, const BulkRequest& request) {
  TensorMap map;
  readMapBytes(grid, issue, request, map);
  if (const std::string problem = isa::problemOf(map); !problem.empty()) badMap(grid, issue, request, problem);
  if (map.dimensions() != request.what.dimensions)
    badMap(grid, issue, request,
           fmt::format("it is of a tensor of {} dimensions, and the instruction of one of {}", map.dimensions(), request.what.dimensions));
  if (map.interleave != TensorMap::Interleave::none) badMap(grid, issue, request, "interleaved tensors are not supported");
  return map;
}

isa::DataType typeOf(TensorMap::Element element) {
  using isa::DataType;
  constexpr DataType kTypes[TensorMap::kElements] = {DataType::u8,   DataType::u16, DataType::u32, DataType::s32, DataType::u64,
                                                     DataType::s64,  DataType::f16, DataType::f32, DataType::f32, DataType::f64,
                                                     DataType::bf16, DataType::f32, DataType::f32};
  return kTypes[static_cast<u32>(element)];
}

// --- issue

void noteIssue(const Issue& issue, const BulkRequest& request, BulkCopy& copy) {
  const isa::Instruction& instruction = *issue.op.instruction;
  copy.operation = request.what.operation;
  copy.reduction = instruction.modifiers.atomic;
  copy.type = instruction.sourceType;
  copy.swizzle = {};
  copy.element = {};
  copy.pc = issue.pc;
  copy.block = &issue.block;
  copy.warp = &issue.warp;
  copy.lane = request.lane;
}

// Room for the bytes, where shared memory has as many.
bool makeRoom(Grid& grid, const Issue& issue, const BulkRequest& request, BulkCopy& copy, u64 bytes) {
  const auto kind = copy.operation == BulkOp::store ? BadAccess::Kind::load : BadAccess::Kind::store;
  if (!checkShared(grid, issue, request, request.shared, bytes, kind)) return false;
  copy.data.resize(bytes);
  return true;
}

// As an H100 takes it, of loads and stores (data/hardware/h100-3/tensor-edges.csv); PTX does not say so.
void checkBegin(Grid& grid, const Issue& issue, const BulkRequest& request, const TensorMap& map) {
  const u32 inPiece = kPieceBytes / isa::sizeOf(map.element);
  if (request.coordinates[0] % static_cast<s32>(inPiece) == 0) return;
  fault(site(grid, issue), request.lane, LaunchStatus::illegalInstruction,
        fmt::format("a box begins at element {} of a tensor's rows, not at a multiple of {} bytes", request.coordinates[0], kPieceBytes),
        fmt::format("let the first coordinate be a multiple of {}", inPiece));
}

bool measureTile(Grid& grid, const Issue& issue, const BulkRequest& request, BulkCopy& copy) {
  const TensorMap map = mapOf(grid, issue, request);
  checkBegin(grid, issue, request, map);
  if (!makeRoom(grid, issue, request, copy, boxBytes(map))) return false;
  copy.swizzle = map.swizzle;
  copy.element = map.element;
  addRuns(map, request.coordinates, copy.operation == BulkOp::load ? RowEnd::element : RowEnd::piece, copy.runs);
  if (copy.operation == BulkOp::load) fillOutside(map, copy.data);
  if (copy.reduction == AtomicOp::none) return true;
  copy.type = typeOf(map.element);
  if (!atomicFunction(copy.reduction, copy.type, true)) badMap(grid, issue, request, "elements of its type have no such reduction");
  return true;
}

// What the copy moves: bytes of its data, and stretches of global memory. False: nothing, as the bounds are not kept.
bool measure(Grid& grid, const Issue& issue, const BulkRequest& request, BulkCopy& copy) {
  if (request.what.dimensions != 0) return measureTile(grid, issue, request, copy);
  checkSize(grid, issue, request);
  if (!makeRoom(grid, issue, request, copy, request.bytes)) return false;
  if (request.bytes != 0 && copy.operation != BulkOp::send) copy.runs.push_back({GlobalAddress(request.far), request.bytes, 0});
  return true;
}

bool checkRuns(Grid& grid, const Issue& issue, const BulkRequest& request, const BulkCopy& copy) {
  const auto kind = copy.operation == BulkOp::load     ? BadAccess::Kind::load
                    : copy.reduction == AtomicOp::none ? BadAccess::Kind::store
                                                       : BadAccess::Kind::atomic;
  if (request.what.dimensions == 0 && !copy.runs.empty())
    checkPlaced(grid, issue, request, {kind, Space::global, request.far, request.bytes, 0}, kBulkAlignment);
  return std::ranges::all_of(copy.runs, [&](const GlobalRun& run) { return checkRun(grid, issue, request.lane, run, kind); });
}

void readRuns(Grid& grid, const Issue& issue, const BulkRequest& request, BulkCopy& copy) {
  for (const GlobalRun& run : copy.runs) {
    readGlobal(grid, run.address, run.bytes, copy.data.data() + run.at);
    convertElements(copy.element, std::span(copy.data).subspan(run.at, run.bytes));
    if (!issue.block.races) continue;
    LaneAddresses one;
    one.lane[request.lane] = run.address;
    issue.block.races->access(issue.warp.index, {.pc = issue.pc, .bytes = run.bytes}, one, LaneMask::of(request.lane));
  }
}

// The bytes in shared memory that a send reads.
bool readSent(Grid& grid, const Issue& issue, const BulkRequest& request, BulkCopy& copy) {
  if (!checkShared(grid, issue, request, request.source, copy.bytes(), BadAccess::Kind::load)) return false;
  checkFenced(grid, issue, request.source, copy.bytes());
  copy.source = request.source;
  readBulkSource(grid, copy);
  return true;
}

bool addDestination(Grid& grid, const Issue& issue, const BulkRequest& request, BulkCopy& copy, SharedOffset to, SharedOffset barrier) {
  if (!checkShared(grid, issue, request, to, copy.bytes(), BadAccess::Kind::store)) return false;
  const SharedPlace data = placeOf(grid, issue.block, to), object = placeOf(grid, issue.block, barrier);
  if (data.block != object.block)
    fault(site(grid, issue), request.lane, LaunchStatus::illegalInstruction,
          "a bulk copy's bytes and its mbarrier object are of different blocks",
          "give the address of an object in the block that gets the bytes (mapa)");
  checkBarrier(grid, issue, request, object);
  copy.destinations.push_back({data.block, data.offset, object.offset, false});
  return true;
}

// Of a multicast, the same offsets in each block of the mask.
bool addDestinations(Grid& grid, const Issue& issue, const BulkRequest& request, BulkCopy& copy) {
  if (!request.what.multicast) return addDestination(grid, issue, request, copy, request.shared, request.barrier);
  const SharedOffset to = placeOf(grid, issue.block, request.shared).offset;
  const SharedOffset barrier = placeOf(grid, issue.block, request.barrier).offset;
  for (u32 rank = 0; rank < 16; ++rank) {
    const u64 block = (rank + 1) * isa::kClusterStride;
    if ((request.mask >> rank & 1) != 0 && !addDestination(grid, issue, request, copy, to + block, barrier + block)) return false;
  }
  return true;
}

void noteStored(Grid& grid, const Issue& issue, const BulkRequest& request, BulkCopy& copy) {
  copy.source = placeOf(grid, issue.block, request.shared).offset;
  checkFenced(grid, issue, copy.source, copy.bytes());
  copy.group = issue.warp.copies.bulkGroups[request.lane];
}

// Fills in the copy. False: it moves nothing.
bool prepare(Grid& grid, const Issue& issue, const BulkRequest& request, BulkCopy& copy) {
  noteIssue(issue, request, copy);
  if (!measure(grid, issue, request, copy) || !checkRuns(grid, issue, request, copy)) return false;
  if (copy.operation == BulkOp::store) {
    noteStored(grid, issue, request, copy);
    return true;
  }
  if (!addDestinations(grid, issue, request, copy)) return false;
  if (copy.operation == BulkOp::send) return readSent(grid, issue, request, copy);
  readRuns(grid, issue, request, copy);
  return true;
}

// Stepping, the copy engine tells when the bytes have come; else those who wait for them look.
void beginCopy(Grid& grid, const Issue& issue, const BulkRequest& request) {
  const u32 number = grid.bulk.add();
  BulkCopy& copy = grid.bulk[number];
  if (!prepare(grid, issue, request, copy)) return grid.bulk.remove(number);
  ++grid.progress.changes;
  const bool isStore = copy.operation == BulkOp::store;
  if (isStore) issue.warp.copies.bulk.push_back(number);
  if (grid.separate) return grid.separate->recorder->beginBulk({number, isStore, goesElsewhere(copy), copy.bytes(), copy.runs});
  for (u32 i = 0; i < copy.destinations.size(); ++i) copy.destinations[i].block->bulkArrivals.push_back({number, i});
  // A multicast to nobody.
  if (!isStore && copy.destinations.empty()) grid.bulk.remove(number);
}

// Nothing but time depends on it, and no address is a fault.
void prefetchTile(Grid& grid, const Issue& issue, const BulkRequest& request) {
  if (!grid.separate) return;
  std::vector<GlobalRun> runs;
  addRuns(mapOf(grid, issue, request), request.coordinates, RowEnd::element, runs);
  std::vector<u64> pieces;
  for (const GlobalRun& run : runs) {
    if (!grid.memory.find(run.address, run.bytes)) continue;
    for (GlobalAddress piece = alignDown(run.address, kFetchedBytes); piece < run.address + run.bytes; piece += kFetchedBytes)
      pieces.push_back(piece);
  }
  if (!pieces.empty()) grid.separate->recorder->prefetch(std::move(pieces), kFetchedBytes);
}

// Whether the thread of a store has committed it, with so many groups behind it or more.
bool isAwaited(const AsyncCopies& copies, const BulkCopy& copy, u32 allowed) {
  return u64{copy.group} + allowed < copies.bulkGroups[copy.lane];
}

}  // namespace

void copyBulk(Grid& grid, const Issue& issue) {
  const Op& op = issue.op;
  LaneAddresses shared;
  const u32* low = op.addressWords ? source(issue.warp, op.sources[0]) : nullptr;
  grid.addresses(low, op.addressWords == 2 ? low + grid.lanes : nullptr, op.offset, op.wraps, op.accessBytes(), issue.executing, shared);
  for (const LaneId lane : issue.executing) {
    const BulkRequest request = requestOf(grid, issue, shared, lane);
    request.what.operation == BulkOp::prefetch ? prefetchTile(grid, issue, request) : beginCopy(grid, issue, request);
  }
}

void commitBulk(Grid& grid, const Issue& issue) {
  ++grid.progress.changes;
  for (const LaneId lane : issue.executing) ++issue.warp.copies.bulkGroups[lane];
}

void waitForBulk(Grid& grid, const Issue& issue) {
  const u32* allowed = source(issue.warp, issue.op.sources[0]);
  const bool sourceOnly = issue.op.instruction->modifiers.bulk.sourceOnly;
  const AsyncCopies& copies = issue.warp.copies;
  for (std::size_t i = 0; i < copies.bulk.size();) {
    const u32 number = copies.bulk[i];
    BulkCopy& copy = grid.bulk[number];
    const bool isOfThread = issue.executing.contains(copy.lane) && isAwaited(copies, copy, allowed[copy.lane]);
    if (!isOfThread || (sourceOnly && copy.isRead)) {
      ++i;
    } else if (grid.separate) {
      return waitForSm(grid, issue);
    } else if (sourceOnly) {
      readBulkSource(grid, copy);
    } else {
      finishBulk(grid, number);  // which takes it off the list
    }
  }
}

}  // namespace warpwright::exec
