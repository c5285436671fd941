#include "spe/pipeline.hpp"

#include <algorithm>

namespace warpwright::spe {
namespace {

constexpr u32 kGroupBytes = 8;

bool isBranch(const Instruction& instruction) { return unitOf(instruction.opcode) == Unit::branch; }

}  // namespace

void Pipeline::Time::atLeast(u64 other, Stall why) {
  if (other <= cycle) return;
  cycle = other;
  cause = why;
}

u32 Pipeline::latencyOf(const Instruction& instruction) const {
  if (isLoad(instruction.opcode)) return machine_.loadLatency() + instruction.portCycles - 1;
  return kindOf(unitOf(instruction.opcode)).latency;
}

void Pipeline::waitForOperands(const Instruction& instruction, Time& time) const {
  for (const ValueId source : instruction.sources) {
    if (source == kNoValue) continue;
    const Value& value = values_.at(source);
    time.atLeast(value.ready, value.isLoaded ? Stall::loadResult : Stall::result);
  }
}

void Pipeline::waitForLocalStore(const Instruction& instruction, Time& time) {
  if (instruction.portCycles == 0) return;
  time.atLeast(accessFree_, Stall::localStore);
  if (isLoad(instruction.opcode))
    for (const Store& store : stores_)
      if (store.touched.overlaps(instruction.touched)) time.atLeast(store.done, Stall::localStore);
  while (!transferCycles_.empty() && transferCycles_.front() <= time.cycle) {
    if (transferCycles_.front() == time.cycle) time.atLeast(time.cycle + 1, Stall::localStore);
    transferCycles_.pop_front();
  }
}

void Pipeline::waitForTransfers(const Instruction& instruction, Time& time) {
  while (!transfers_.empty() && transfers_.front().done <= time.cycle) transfers_.pop_front();
  if (instruction.opcode == Opcode::rdch) {
    for (const Transfer& transfer : transfers_)
      if ((transfer.tags & instruction.tags) != 0) time.atLeast(transfer.done, Stall::dma);
  } else if (instruction.parts != 0 && transfers_.size() >= machine_.dmaQueue) {
    time.atLeast(transfers_[transfers_.size() - machine_.dmaQueue].done, Stall::dma);
  }
}

void Pipeline::takePort(u64 cycle) {
  auto place = std::ranges::lower_bound(transferCycles_, cycle);
  for (; place != transferCycles_.end() && *place == cycle; ++place) ++cycle;
  transferCycles_.insert(place, cycle);
  noteAccess(Port::wide);
}

// Transfers share the bus in the order of their commands, and those of a list in the order of its elements. An element is asked for when
// its part of the list has come through the port, so that the latencies of elements overlap as those of commands do.
void Pipeline::beginTransfers(const Instruction& instruction, std::span<const u32> parts, u64 cycle) {
  if (parts.empty()) return;
  for (u64 read = 0; read < instruction.listBytes; read += machine_.dmaPortBytes) takePort(cycle + 1 + read / machine_.dmaPortBytes);
  for (u64 i = 0; i < parts.size(); ++i) {
    const u64 asked = instruction.listBytes == 0 ? cycle : cycle + 1 + i * kListElementBytes / machine_.dmaPortBytes;
    const u64 begin = std::max(asked + machine_.dmaLatency, busFree_);
    busFree_ = begin + (parts[i] + machine_.dmaBytesPerCycle - 1) / machine_.dmaBytesPerCycle;
    for (u64 moved = 0; moved < parts[i]; moved += machine_.dmaPortBytes) takePort(begin + moved / machine_.dmaBytesPerCycle);
    statistics_.transferBytes += parts[i];
  }
  transfers_.push_back({instruction.tags, busFree_});
  ++statistics_.transfers;
}

void Pipeline::request(u32 line, u64 cycle) { fetches_.push_back({line, std::nullopt, cycle}); }

void Pipeline::grantBefore(u64 cycle) {
  for (Fetch& fetch : fetches_) {
    if (fetch.ready) continue;
    const u64 granted = std::max(fetch.requested, portFree_);
    if (granted >= cycle) return;
    fetch.ready = granted + machine_.fetchLatency();
    noteAccess(Port::wide);
    portFree_ = granted + 1;
  }
}

u64 Pipeline::fetched(u32 address) {
  const u32 line = address / machine_.fetchBytes;
  if (redirected_) {
    fetches_.clear();
    fetches_.push_back({line, redirectedAt_, redirectedAt_});
    noteAccess(Port::wide);
    for (u32 ahead = 1; ahead <= machine_.fetchesAhead; ++ahead) request(line + ahead, followingAt_);
    redirected_ = false;
  }
  while (fetches_.front().line != line) {
    fetches_.pop_front();
    request(line + machine_.fetchesAhead, next_);
  }
  if (!fetches_.front().ready) grantBefore(~u64{0});
  return *fetches_.front().ready;
}

void Pipeline::useLocalStore(const Instruction& instruction, u64 cycle) {
  if (instruction.portCycles == 0) return;
  grantBefore(cycle);
  noteAccess(instruction.port);
  portFree_ = accessFree_ = cycle + instruction.portCycles;
  statistics_.conflictCycles += instruction.portCycles - 1;
  while (!stores_.empty() && stores_.front().done <= cycle) stores_.pop_front();
  if (isStore(instruction.opcode)) stores_.push_back({instruction.touched, cycle + machine_.storeLatency()});
}

void Pipeline::takeHint(const Instruction& instruction, u64 cycle) {
  hint_ = Hint{instruction.name, instruction.hintedTo, cycle + machine_.hintLatency};
}

// A hint is for the branch that it names, each time that this comes by until another hint takes the buffer.
void Pipeline::branch(const Instruction& instruction, u64 cycle) {
  const bool isHinted = hint_ && instruction.name != kNoName && hint_->branch == instruction.name;
  if (instruction.taken) return takeBranch(cycle, isHinted);
  if (isHinted) goOnFromLocalStore(cycle + machine_.branchPenalty());
}

void Pipeline::goOnFromBuffer(u64 cycle) {
  redirected_ = true;
  redirectedAt_ = followingAt_ = cycle;
}

// The local store is pipelined (section 4.4.2): the next lines are asked for in the cycles after the first.
void Pipeline::goOnFromLocalStore(u64 cycle) {
  redirected_ = true;
  redirectedAt_ = cycle;
  followingAt_ = cycle - machine_.fetchLatency() + 1;
}

void Pipeline::takeBranch(u64 cycle, bool isHinted) {
  ++statistics_.takenBranches;
  const u64 inTime = cycle + 1, late = cycle + machine_.branchPenalty();
  speculated_ = isHinted ? hint_->target : kNoName;
  correctedAt_ = late;
  if (isHinted) return goOnFromBuffer(std::clamp(hint_->ready, inTime, late));
  goOnFromLocalStore(late);
}

void Pipeline::enter(NameId label) {
  if (speculated_ != kNoName && speculated_ != label) goOnFromLocalStore(correctedAt_);
  speculated_ = kNoName;
}

void Pipeline::issue(const Instruction& instruction, u32 address, std::span<const u32> parts) {
  const Unit unit = unitOf(instruction.opcode);
  const Pipe pipe = kindOf(unit).pipe;
  const bool isSecond = mayPair_ && address == lastAddress_ + 4 && address % kGroupBytes == 4 && pipe == Pipe::odd;
  const bool afterBranch = redirected_;
  if (!afterBranch && address != lastAddress_ + 4) {  // of a block that stands elsewhere in this listing, where a program's would follow
    goOnFromBuffer(next_);
  }
  Time time{isSecond ? next_ - 1 : next_};
  waitForOperands(instruction, time);
  time.atLeast(fetched(address), afterBranch ? Stall::branch : Stall::fetch);
  waitForTransfers(instruction, time);
  waitForLocalStore(instruction, time);

  const u64 cycle = time.cycle;
  const u64 lost = cycle < next_ ? 0 : cycle - next_;
  if (cycle < next_) {
    ++statistics_.dualIssues;
  } else {
    statistics_.stalls[static_cast<std::size_t>(time.cause)] += lost;
    ++statistics_.issueCycles;
    next_ = cycle + 1;
  }
  mayPair_ = cycle + 1 == next_ && pipe == Pipe::even && address % kGroupBytes == 0;
  lastAddress_ = address;

  useLocalStore(instruction, cycle);
  beginTransfers(instruction, parts, cycle);
  if (unit == Unit::branchHint) takeHint(instruction, cycle);
  if (isBranch(instruction)) branch(instruction, cycle);
  const u64 result = cycle + latencyOf(instruction);
  if (instruction.target != kNoValue) {
    Value& value = values_.at(instruction.target);
    value.ready = result;
    value.isLoaded = isLoad(instruction.opcode);
  }
  ++statistics_.instructions;
  ++statistics_.byUnit[static_cast<std::size_t>(unit)];
  statistics_.loads += isLoad(instruction.opcode);
  statistics_.stores += isStore(instruction.opcode);
  statistics_.cycles = next_;
  for (PipelineListener* const listener : listeners_) listener->issued({instruction, address, cycle, result, lost, time.cause});
}

}  // namespace warpwright::spe
