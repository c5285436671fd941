// Helpers of warps while they run: a scoreboard of their own, and the pipeline, load/store unit and schedulers of their warp. They are not
// fetched: a routine lies beside the schedulers, as in Vijaykumar and others ("A Framework for Accelerating Bottlenecks in GPU Execution
// with Assist Warps", section 4.3, assist warp store), and the part says which of its instructions are staged.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/lane_count.hpp"
#include "sm/sm.hpp"

namespace warpwright::sm {
void Sm::makeHelpers(const Parts& parts) {
  helpers_ = parts.helpers.make({*this});
  if (!helpers_) return;
  if (machine_.sm.pipeline == config::Pipeline::inOrder)
    throw Error("helpers of warps on a machine with sm.pipeline.model = \"in_order\"", {},
                "they need sm.pipeline.model = \"scoreboard\": instructions of a helper and its warp are under way together");
  if (L1Cache* cache = ports_.dataCache()) cache->follow(this);
  if (L1Cache* cache = ports_.textureCache()) cache->follow(&textureMisses_);
}

std::optional<u32> Sm::begin(const HelperStart& start) {
  Warp& warp = warps_[start.slot];
  if (!states_.resident.contains(start.slot)) return std::nullopt;
  Resident& block = *warp.block;
  exec::Stepper& stepper = *block.running->stepper;
  const std::optional<u32> inStepper =
      stepper.beginHelper(block.slot, warp.index, *start.routine, start.lanes, start.isSpeculative, start.place);
  if (!inStepper) return std::nullopt;
  auto free = std::find_if(helperWarps_.begin(), helperWarps_.end(), [](const HelperWarp& each) { return each.block == nullptr; });
  const auto number = static_cast<u32>(free - helperWarps_.begin());
  if (free == helperWarps_.end()) helperWarps_.emplace_back();
  HelperWarp& helper = helperWarps_[number];
  helper = {};
  helper.block = &block;
  helper.slot = start.slot;
  helper.inStepper = *inStepper;
  helper.priority = start.priority;
  helper.holdsParent = start.holdsParent;
  helper.isStaged = start.isStaged;
  helper.earliest = std::max(start.earliest, clock_ + 1);
  helper.age = nextHelperAge_++;
  helper.arguments = start.awaited;
  for (const HelperStart::Given& given : start.given) {
    const std::span<u32> lanes = stepper.helperRegister(*inStepper, given.helperRegister);
    std::copy_n(given.lanes.begin(), std::min(lanes.size(), given.lanes.size()), lanes.begin());
  }
  for (const HelperStart::Move& move : start.arguments) {
    stepper.copyRegister(*inStepper, move.parentRegister, move.helperRegister, true);
    helper.arguments.addRegister(move.parentRegister);
  }
  const exec::HelperMemory memory = stepper.helperMemory(*inStepper);
  std::ranges::copy(start.buffer, memory.bytes.subspan(start.bufferPlace).begin());
  if (start.tableRegister)
    std::ranges::fill(stepper.helperRegister(*inStepper, *start.tableRegister), memory.tableOffset + start.tablePlace);
  if (start.bufferRegister) std::ranges::fill(stepper.helperRegister(*inStepper, *start.bufferRegister), memory.offset + start.bufferPlace);
  ++block.helpers;
  noteHeld(start.slot);
  helperGoesOn(helper, stepper.nextHelper(*inStepper));
  helpersChanged_ = true;
  wake_ = std::min(wake_, helper.earliest);
  return number;
}

void Sm::stage(u32 number) {
  HelperWarp& helper = helperWarps_[number];
  if (helper.stagedAt != clock_) helper.fresh = 0;
  helper.stagedAt = clock_;
  ++helper.fresh;
  ++helper.staged;
  helpersChanged_ = true;
}

void Sm::flush(u32 number) {
  HelperWarp& helper = helperWarps_[number];
  helper.staged = helper.fresh = 0;
}

void Sm::kill(u32 number) {
  HelperWarp& helper = helperWarps_[number];
  helper.isKilled = true;
  helper.holdsParent = false;
  helper.info = nullptr;
  noteHeld(helper.slot);
  helpersChanged_ = true;
  endHelperIfDone(number, clock_);
}

void Sm::giveBack(u32 number, HelperStart::Move result) {
  const HelperWarp& helper = helperWarps_[number];
  helper.block->running->stepper->copyRegister(helper.inStepper, result.parentRegister, result.helperRegister, false);
}

std::span<const u32> Sm::left(u32 number, u32 helperRegister) const {
  const HelperWarp& helper = helperWarps_[number];
  return helper.block->running->stepper->helperRegister(helper.inStepper, helperRegister);
}

std::span<const std::byte> Sm::leftInMemory(u32 number) const {
  const HelperWarp& helper = helperWarps_[number];
  return helper.block->running->stepper->helperMemory(helper.inStepper).bytes;
}

void Sm::hold(SlotId slot, bool on) {
  heldByHelpers_.set(slot, on);
  noteHeld(slot);
  helpersChanged_ = true;
}

std::span<const u32> Sm::registerOf(SlotId slot, u32 number) const {
  const Warp& warp = warps_[slot];
  return warp.block->running->stepper->warpRegister(warp.block->slot, warp.index, number);
}

u32 Sm::spareRegister(SlotId slot, u32 place) const { return warps_[slot].block->running->stepper->firstSpareRegister() + place; }

void Sm::raiseFault(SlotId slot) {
  if (fault_) return;
  fault_ = faultsPutOff_.at(slot);
  faultTime_ = clock_;
}

void Sm::resume(SlotId slot, bool behind) {
  faultsPutOff_.erase(slot);
  ++stats_.replays;  // what its issue slot was for
  noteHeld(slot);
  const Warp& warp = warps_[slot];
  warp.block->running->stepper->resume(warp.block->slot, warp.index, behind);
  refresh(slot);
  helpersChanged_ = true;
}

void Sm::map(SlotId slot, GlobalAddress page, u32 bytes) { warps_[slot].block->running->stepper->map(page, bytes); }

u64 Sm::loadStoreCycles() const { return loadStore_.stats().transactions + loadStore_.stats().sharedPasses; }

// Requests of the load/store unit carry the entry of their operation; those of prefetches outlive it. Others are stages' own.
void Sm::missed(const mem::Request& access, bool isFirst) {
  if (!helpers_ || access.type == mem::AccessType::prefetch || access.id >> StagesBelow::kOwnIdBits != 0) return;
  const MemoryOperation& operation = loadStore_.operation(access.id);
  helpers_->missed({operation.context, operation.origin.pc, *operation.plan, access, isFirst}, clock_);
}

void Sm::filled(const mem::Request& response) {
  if (helpers_) helpers_->filled(response, clock_);
}

// A warp is held as long as one of its helpers holds it, or the part does; one at fault, until it is resumed.
void Sm::noteHeld(SlotId slot) {
  const auto holds = [&](const HelperWarp& each) { return each.block != nullptr && each.slot == slot && each.holdsParent; };
  const bool held =
      heldByHelpers_.contains(slot) || faultsPutOff_.contains(slot) || std::any_of(helperWarps_.begin(), helperWarps_.end(), holds);
  states_.held.set(slot, held);
  if (!states_.resident.contains(slot)) return;
  const Warp& warp = warps_[slot];
  warp.block->running->stepper->hold(warp.block->slot, warp.index, held);
}

bool Sm::scheduleWithHelpers(Cycle now) {
  helpers_->tick(now);
  const bool issued = schedule<true>(now);
  return std::exchange(helpersChanged_, false) || issued;
}

Cycle Sm::helpersUseful(Cycle now) const {
  Cycle next = helpers_->nextUseful(now);
  for (const HelperWarp& helper : helperWarps_)
    if (helper.block != nullptr && helper.earliest >= now) next = std::min(next, helper.earliest);
  return next;
}

void Sm::helperGoesOn(HelperWarp& helper, const exec::NextInstruction& next) {
  const bool goesOn = next.state != exec::WarpState::finished;
  helper.info = goesOn ? &helper.block->running->plan->info.at(next.pc) : nullptr;
}

bool Sm::isReady(const HelperWarp& helper, Cycle now) const {
  if (helper.block == nullptr || helper.info == nullptr || helper.earliest > now || helper.awaitsBranch || helper.awaitsAtomics)
    return false;
  if (helper.isStaged && helper.staged <= (helper.stagedAt == now ? helper.fresh : 0)) return false;
  const InstructionInfo& info = *helper.info;
  if (helper.inFlight != 0 && helper.pending.intersects(info.touched)) return false;
  if (info.flow == Flow::fence && helper.outstanding != 0) return false;
  if (warps_[helper.slot].pending.intersects(helper.arguments)) return false;
  if (pipeline_->closed()) return false;
  UnitNeeds needs;
  const WarpSet self = WarpSet::of(helper.slot);
  needs.unit[static_cast<u32>(info.unit)] = self;
  needs.memory = info.flow == Flow::memory ? self : WarpSet{};
  needs.pipe = info.flow == Flow::memory || info.flow == Flow::compute ? self : WarpSet{};
  return pipeline_->refused(needs, now).empty();
}

// The oldest that could issue, of warps in `slots`; kParent: none.
u32 Sm::pickHelper(WarpSet slots, HelperPriority priority, Cycle now) const {
  u32 best = Context::kParent;
  for (u32 number = 0; number < helperWarps_.size(); ++number) {
    const HelperWarp& helper = helperWarps_[number];
    if (helper.block == nullptr || helper.priority != priority || !slots.contains(helper.slot)) continue;
    if (best != Context::kParent && helperWarps_[best].age < helper.age) continue;
    if (isReady(helper, now)) best = number;
  }
  return best;
}

WarpSet Sm::readyHelpers(WarpSet slots, Cycle now) const {
  WarpSet ready;
  for (const HelperWarp& helper : helperWarps_) {
    const bool isWanted = helper.block != nullptr && helper.priority == HelperPriority::high && slots.contains(helper.slot);
    if (isWanted && isReady(helper, now)) ready.insert(helper.slot);
  }
  return ready;
}

// What no warp takes; the part hears of it when there is nothing to take the slot.
bool Sm::issueIdle(Scheduler& scheduler, u32 position, Cycle now) {
  const u32 number = pickHelper(scheduler.slots, HelperPriority::low, now);
  if (number != Context::kParent) {
    scheduler.wasIdle = false;
    issueHelper(number, now);
    return true;
  }
  if (position == 0 && !std::exchange(scheduler.wasIdle, true)) helpers_->idle(static_cast<u32>(&scheduler - schedulers_.data()), now);
  return false;
}

// Why warps that are held wait.
Slot Sm::reasonOfHeld(WarpSet held) const {
  const auto awaitsMemory = [&](const HelperWarp& each) {
    return each.block != nullptr && held.contains(each.slot) && each.holdsParent &&
           (each.info ? each.pendingMemory.intersects(each.info->touched) : each.outstanding != 0);
  };
  return std::any_of(helperWarps_.begin(), helperWarps_.end(), awaitsMemory) ? Slot::memoryDependence : Slot::computeDependence;
}

void Sm::watch(bool on) {
  launches_.watch(on);
  if (on) noteWaitsForSlots();
}

bool Sm::areStuck() {
  noteWaitsForSlots();
  return launches_.areStuck();
}

// Helpers that the scheduler chooses in their warps' place may take all issue slots, or all of a unit, and go in a circle. Whom the
// scheduler holds back waits for something else.
void Sm::noteWaitsForSlots() {
  if (!helpers_) return;
  const auto mayStarve = [](const HelperWarp& each) { return each.block != nullptr && each.priority == HelperPriority::high; };
  WarpSet waiting;
  if (std::ranges::any_of(helperWarps_, mayStarve)) waiting = states_.canRun & fetch_.available() & ~states_.kept();
  for (const Scheduler& scheduler : schedulers_) waiting = waiting & ~scheduler.policy->heldBack();
  for (const SlotId slot : states_.resident) {
    const Warp& warp = warps_[slot];
    warp.block->running->source->waitsForSlot(warp.block->slot, warp.index, waiting.contains(slot));
  }
}

// Which routines run, and where they are.
std::string Sm::describeHelpers() const {
  std::map<std::string, u32> helpers;
  for (const HelperWarp& each : helperWarps_)
    if (each.block != nullptr) ++helpers[each.block->running->stepper->whereHelperIs(each.inStepper)];
  std::string text;
  for (const auto& [where, count] : helpers) text += fmt::format("  SM {}: {} helpers run {}\n", number_, count, where);
  return text;
}

void Sm::issueHelper(u32 number, Cycle now) {
  ++stats_.slots[Slot::assist];
  HelperWarp& helper = helperWarps_[number];
  const InstructionInfo& info = *helper.info;
  RunningLaunch& running = *helper.block->running;
  const exec::StepRecord* record = running.stepper->stepHelper(helper.inStepper, now);
  if (!record) {
    fault_ = running.stepper->fault();
    faultTime_ = now;
    return;
  }
  if (record->waits) {
    ++stats_.assistReplays;
    helper.awaitsAtomics = record->awaitsAtomics;
    helpers_->helperReplayed(number, *record, now);
    return helperGoesOn(helper, record->next);
  }
  ++stats_.assistInstructions;
  if (helper.isStaged) --helper.staged;
  helpers_->helperIssued(number, *record, now);
  stats_.add(info.work, countLanes(record->executing));
  const Context context{helper.slot, number};
  ++helper.inFlight;
  helper.pending |= info.written;
  ++issued_;
  if (options_.listener) tellIssued(context, *record, now);
  helper.awaitsBranch = info.flow == Flow::branch;
  MemoryOperation* operation = nullptr;
  if (info.flow == Flow::memory && record->accessCount != 0) {
    operation = &prepareMemory(context, info, *record, now);
    if (!operation->isStore) helper.pendingMemory |= info.written;
    ++helper.outstanding;
  }
  helperGoesOn(helper, record->next);
  pipeline_->issue({context, issued_, &info, operation, running.plan}, now);
}

void Sm::helperEvent(const Event& event, Cycle now) {
  HelperWarp& helper = helperWarps_[event.context.helper];
  helper.pending -= event.info->written;
  if (event.isMemory) helper.pendingMemory -= event.info->written;
  if (event.kind == Event::Kind::unblock) helper.awaitsBranch = false;
  --helper.inFlight;
  endHelperIfDone(event.context.helper, now);
}

void Sm::helperMemoryDone(const MemoryOperation& operation, Cycle time) {
  HelperWarp& helper = helperWarps_[operation.context.helper];
  --helper.outstanding;
  --helper.block->outstanding;
  if (!operation.isStore) return pipeline_->dataArrived(operation, time, accounted_);
  endHelperIfDone(operation.context.helper, clock_);
}

void Sm::endHelperIfDone(u32 number, Cycle now) {
  HelperWarp& helper = helperWarps_[number];
  if (helper.info != nullptr || helper.inFlight != 0 || helper.outstanding != 0) return;
  Resident& block = *helper.block;
  if (!helper.isKilled) helpers_->ended(number, now);
  block.running->stepper->endHelper(helper.inStepper);
  const SlotId slot = helper.slot;
  helper.block = nullptr;
  --block.helpers;
  helpersChanged_ = true;
  noteHeld(slot);
  if (block.helpers == 0) finishBlockIfDone(block);
}

}  // namespace warpwright::sm
