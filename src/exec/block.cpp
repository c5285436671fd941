#include "exec/block.hpp"

#include <algorithm>

namespace warpwright::exec {
namespace {

constexpr u32 kRegisterAlignment = 16;  // words of a 64-byte line

u64 aligned(u64 address) { return (address + 63) / 64 * 64; }

}  // namespace

bool Warp::canRun() const {
  const auto paths = tree.paths();
  return std::any_of(paths.begin(), paths.end(), [](const Path& path) { return path.state == PathState::ready && !path.polling; });
}

WrittenMemory::WrittenMemory(const BlockShape& shape)
    : sharedBytes(shape.sharedBytes), localBytes(shape.localBytes), lanes(shape.warpSize), shared(sharedBytes) {
  for (u32 warp = 0; warp < shape.warps(); ++warp) local.emplace_back(localBytes * lanes);
}

void WrittenMemory::forgetAll() {
  shared.forget(0, sharedBytes);
  for (InitialisationMap& map : local) map.forget(0, localBytes * lanes);
}

Block::Block(const BlockShape& shape, u32 slotNumber, const u32* pool, const u32* threadIds)
    : slot(slotNumber), warps(shape.warps()), sharedBytes(shape.sharedBytes), localBytes(shape.localBytes), shape_(shape) {
  const u64 wordsPerWarp = u64{shape.registers} * shape.lanes;
  registers_.resize(wordsPerWarp * warps.size() + kRegisterAlignment);
  u32* firstRegisters = reinterpret_cast<u32*>(aligned(reinterpret_cast<u64>(registers_.data())));
  position_.resize(u64{kIndexPlanes} * shape.lanes / PlaneLine::kWords);
  const bool hasHelpers = shape.helperBytes != 0 || shape.helperTableBytes != 0;
  const u64 reach = hasHelpers ? helperOffset(shape.warps()) : shape.sharedBytes;
  shared.resize((reach + 7) / 8 + 1);
  const u64 localPerWarp = shape.localBytes * shape.warpSize;
  local_ = Reservation::anywhere(localPerWarp * warps.size());
  for (u32 i = 0; i < warps.size(); ++i) {
    Warp& warp = warps[i];
    warp.index = i;
    warp.existing = LaneMask::first(std::min(shape.warpSize, shape.threads - i * shape.warpSize));
    warp.state = {firstRegisters + i * wordsPerWarp, pool, warp.predicates.data(), threadIds + u64{i} * kIndexPlanes * shape.lanes,
                  position_.front().words};
    warp.predicates[isa::kTruePredicate] = ~LaneMask{};
    warp.polled.resize(shape.polls);
    warp.local = local_.address() + i * localPerWarp;
  }
}

// Registers and shared memory begin at zero, so that a program that reads what it never wrote still runs the same every time.
void Block::clear() {
  std::fill(registers_.begin(), registers_.end(), 0);
  std::fill(shared.begin(), shared.end(), 0);
  isClear_ = true;
}

void Block::start(u64 linearIndex, Dim3 grid, Pc entry) {
  index = linearIndex;
  position = {static_cast<u32>(linearIndex % grid.x), static_cast<u32>(linearIndex / grid.x % grid.y),
              static_cast<u32>(linearIndex / grid.x / grid.y)};
  liveThreads = shape_.threads;
  cluster = nullptr;
  rank = arrivedAtCluster = 0;
  u32* plane = position_.front().words;
  for (const u32 value : {position.x, position.y, position.z}) plane = std::fill_n(plane, shape_.lanes, value);
  barriers.fill({});
  arrivals.clear();
  bulkArrivals.clear();
  if (races) unfenced.forget(0, sharedBytes);
  if (!isClear_) clear();
  isClear_ = false;
  if (written) written->forgetAll();
  for (Warp& warp : warps) {
    std::fill_n(warp.predicates.begin(), shape_.predicates, LaneMask{});
    warp.tree.reset(entry, warp.existing);
    warp.copies.pending.clear();
    warp.copies.groups.fill(0);
    warp.copies.bulk.clear();
    warp.copies.bulkGroups.fill(0);
    warp.operands.pending.clear();
    warp.operands.groups = 0;
    warp.hearNews();
    warp.issues = warp.results = 0;
    warp.turn = 0;
    warp.mayStore = false;
    warp.atCluster = warp.awaitsCluster = {};
    warp.isHeld = false;
  }
}

}  // namespace warpwright::exec
