#include "sass/trace_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpwright::sass {
namespace {

using isa::Space;

bool isBranch(const CodeEntry& entry) { return entry.instruction.opcode == isa::Opcode::bra; }
bool isExit(const CodeEntry& entry) { return entry.instruction.opcode == isa::Opcode::exit; }

}  // namespace

TracePlayer::TracePlayer(std::shared_ptr<const KernelTrace> trace, const exec::LaunchRequest& request)
    : trace_(std::move(trace)), launch_(request.launch), recorder_(request.observer), windows_(trace_->header) {
  result_.counts.resize(launch_->program->program.code.size());
}

void TracePlayer::start(BlockSlotId slot, u64 number, exec::Cluster*) {
  if (blocks_.size() <= slot) blocks_.resize(slot + 1);
  Block& block = blocks_[slot];
  block = {number, true, {}};
  for (const WarpRange& range : trace_->warpsOf(number)) block.warps.push_back({range.begin, range.end, {}, range.barriers, 0, false});
  recorder_.blockBegins(number);
}

bool TracePlayer::isFinished(BlockSlotId slot) const {
  Block& block = blocks_[slot];
  if (!block.isResident) return true;
  if (!std::ranges::all_of(block.warps, &Warp::isFinished)) return false;
  block.isResident = false;
  recorder_.blockEnds(block.number);
  return true;
}

exec::NextInstruction TracePlayer::next(BlockSlotId slot, u32 index) {
  const Warp& warp = blocks_[slot].warps[index];
  if (warp.isFinished()) return {};
  if (warp.waits) return {exec::WarpState::barrier, kNoPc};
  return {exec::WarpState::ready, placeOf(warp)};
}

const exec::StepRecord* TracePlayer::step(BlockSlotId slot, u32 index, Cycle) {
  Block& block = blocks_[slot];
  Warp& warp = block.warps[index];
  const Pc place = placeOf(warp);
  const WarpStep& step = trace_->steps[warp.at++];
  const CodeEntry& entry = trace_->code.at(step.code);
  const LaneMask lanes(step.mask);
  // Lanes that were not on the way come when paths meet, or when another path goes on.
  if (!warp.path.containsAll(lanes)) warp.path = lanes;
  const Played played{block, index, step, entry, place, warp.path, lanes & entry.lanes};
  exec::StepRecord& record = recorder_.begin(place, &launch_->program->program.code[place], played.active, played.executing);
  ++played_;
  count(played);
  if (isBranch(entry) && entry.form != Form::meeting) branch(played);
  if (entry.bytes != 0 && played.executing) access(played);
  if (record.accessCount != 0 && entry.isAtomic && record.accesses[0].space == Space::global) record.atomic = atomics_++;
  barrier(played, record);
  goOn(played, record);
  record.next = next(slot, index);
  return &record;
}

void TracePlayer::count(const Played& played) {
  exec::InstructionCount& count = result_.counts[played.place];
  ++count.warps;
  count.lanes += played.executing.size();
  count.active += played.active.size();
}

void TracePlayer::branch(const Played& played) {
  const u32 targets = played.executing && played.executing != played.active ? 2 : 1;
  recorder_.branch(
      {{played.block.number, played.warp}, played.place, recorder_.record().instruction, played.active, played.executing, targets});
}

void TracePlayer::access(const Played& played) {
  LaneAddresses addresses;
  Spread spread = Spread::uniform;
  if (played.step.addresses == WarpStep::kNoAddresses) {
    // Of constants, whose addresses no tracer writes: the first ones of the bank.
    addresses.fill(0);
  } else {
    trace_->addresses.expand(played.step.addresses, LaneMask(played.step.mask), addresses);
    spread = trace_->addresses.spreadOf(played.step.addresses, LaneMask(played.step.mask), played.entry.bytes);
  }
  if (played.entry.space == Space::generic) return accessSpaces(played, addresses, spread);
  raise(played, played.entry.space, addresses, played.executing, spread);
}

void TracePlayer::accessSpaces(const Played& played, LaneAddresses& addresses, Spread spread) {
  for (const Space space : {Space::global, Space::shared, Space::local}) {
    LaneMask lanes;
    for (const LaneId lane : played.executing)
      if (windows_.spaceOf(addresses[lane]) == space) lanes.insert(lane);
    if (lanes) raise(played, space, addresses, lanes, lanes == played.executing ? spread : Spread::unknown);
  }
}

void TracePlayer::raise(const Played& played, Space space, LaneAddresses& addresses, LaneMask lanes, Spread spread) {
  const u64 less = space == Space::local ? trace_->used.firstLocal() : 0;
  for (const LaneId lane : lanes) addresses[lane] = windows_.offset(space, addresses[lane]) - less;
  exec::MemoryEvent event;
  event.warp = {played.block.number, played.warp};
  event.pc = played.place;
  event.instruction = recorder_.record().instruction;
  event.space = space;
  event.isLoad = played.entry.isLoad;
  event.isStore = played.entry.isStore;
  event.isAtomic = played.entry.isAtomic;
  event.mask = lanes;
  event.bytesPerLane = played.entry.bytes;
  event.spread = spread;
  event.addresses = addresses.data();
  recorder_.memory(event);
}

// A warp's n-th barrier opens when all warps of the block that come to so many have come to theirs. What a barrier is called, and how many
// threads it waits for, stands in no trace.
void TracePlayer::barrier(const Played& played, exec::StepRecord& record) {
  const Form form = played.entry.form;
  if ((form != Form::barrier && form != Form::arrival) || !played.executing) return;
  std::vector<Warp>& warps = played.block.warps;
  ++warps[played.warp].arrived;
  warps[played.warp].waits = form == Form::barrier;
  for (Warp& waiting : warps) {
    const auto hasCome = [&](const Warp& other) { return other.arrived >= std::min(waiting.arrived, other.barriers); };
    if (!waiting.waits || !std::ranges::all_of(warps, hasCome)) continue;
    waiting.waits = false;
    record.barrierOpened = true;
  }
  record.releasesOthers = true;
}

// Where the warp is now, and with which lanes.
void TracePlayer::goOn(const Played& played, exec::StepRecord& record) {
  Warp& warp = played.block.warps[played.warp];
  if (warp.isFinished()) {
    record.releasesOthers = true;
    return;
  }
  record.jumped = placeOf(warp) != warpwright::next(played.place);
  if (isExit(played.entry)) warp.path -= played.executing;
  if (!isBranch(played.entry) || !played.executing || played.executing == warp.path) return;
  warp.path = record.jumped ? played.executing : warp.path - played.executing;
}

bool TracePlayer::hasThreads() const {
  return std::ranges::any_of(blocks_,
                             [](const Block& block) { return block.isResident && !std::ranges::all_of(block.warps, &Warp::isFinished); });
}

std::string TracePlayer::whereThreadsWait() const {
  std::map<std::pair<Pc, bool>, u32> warps;  // by their next instruction, and whether they wait at the barrier before it
  for (const Block& block : blocks_) {
    if (!block.isResident) continue;
    for (const Warp& warp : block.warps)
      if (!warp.isFinished()) ++warps[{placeOf(warp), warp.waits}];
  }
  const isa::Program& program = launch_->program->program;
  std::string text;
  for (const auto& [place, count] : warps)
    text += fmt::format("\n  {} warps {} '{}' ({:#x})", count, place.second ? "wait at a barrier before" : "are at",
                        program.ptxText[program.ptxOf[place.first]], u64{place.first} * isa::kInstructionBytes);
  return text;
}

exec::LaunchResult TracePlayer::result() {
  for (const exec::InstructionCount& count : result_.counts) {
    result_.warpInstructions += count.warps;
    result_.threadInstructions += count.lanes;
  }
  return std::move(result_);
}

}  // namespace warpwright::sass
