#include "profile/kernel_profile.hpp"

#include <algorithm>

#include "profile/conservation.hpp"

namespace warpwright::profile {
namespace {

void addSpill(SpillTraffic& into, const isa::Instruction& instruction, const exec::InstructionCount& count) {
  if (!instruction.spill) return;
  const bool isLoad = instruction.opcode == isa::Opcode::ld;
  (isLoad ? into.warpLoads : into.warpStores) += count.warps;
  (isLoad ? into.threadLoads : into.threadStores) += count.lanes;
}

void addCount(Counters& into, const isa::Instruction& instruction, const exec::InstructionCount& count, u32 addressBits) {
  const InstructionClass instructionClass = classOf(instruction);
  into.warpInstructions[instructionClass] += count.warps;
  into.threadInstructions[instructionClass] += count.lanes;
  into.activeLanes += count.active;
  const RegisterUse use = registerUse(instruction, addressBits);
  into.registers.warpReads += count.warps * use.reads;
  into.registers.warpWrites += count.warps * use.writes;
  into.registers.threadReads += count.lanes * use.reads;
  into.registers.threadWrites += count.lanes * use.writes;
  into.registers.predicateReads += count.warps * use.predicateReads;
  into.registers.predicateWrites += count.warps * use.predicateWrites;
  addSpill(into.spills, instruction, count);
}

void addEvents(Counters& into, const InstructionEvents& events) {
  stats::merge(into.control, events.control);
  stats::merge(into.global[events.kind], events.global);
  stats::merge(into.local[events.kind], events.local);
  stats::merge(into.shared[events.sharedKind], events.shared);
  stats::merge(into.atomics, events.atomics);
  stats::merge(into.constant, events.constant);
  stats::merge(into.parameters, events.parameters);
  stats::merge(into.textures, events.textures);
  stats::merge(into.surfaces, events.surfaces);
}

}  // namespace

SourceLine sourceLineOf(const isa::Program& program, const isa::Instruction& instruction) {
  if (instruction.sourceLine == 0) return {};
  const auto file = program.files.find(instruction.sourceFile);
  return {file == program.files.end() ? "?" : file->second, instruction.sourceLine};
}

KernelProfile::KernelProfile(std::string name, std::string module, u32 warpSize)
    : name_(std::move(name)), module_(std::move(module)), warpSize_(warpSize) {}

Counters KernelProfile::add(const exec::LaunchRequest& request, const exec::LaunchResult& result, u64 nanoseconds, Collector& collector) {
  addLaunch(request, result, nanoseconds);
  return addCounts(request, result, collector);
}

void KernelProfile::addFurtherPart(const exec::LaunchRequest& request, const exec::LaunchResult& result, Collector& collector) {
  totals_.blocksDone += result.blocksDone;
  totals_.failed += result.status == exec::LaunchStatus::completed ? 0 : 1;
  addCounts(request, result, collector);
}

Counters KernelProfile::addCounts(const exec::LaunchRequest& request, const exec::LaunchResult& result, Collector& collector) {
  const isa::Program& program = request.launch->program->program;
  Counters launch;
  std::map<LineProfile*, TouchedSectors> touched;
  u64 accessLanes = 0;  // what the counts say that loads, stores, atomics and copies did
  for (Pc pc{0}; pc < program.code.size(); ++pc) {
    const exec::InstructionCount count = pc < result.counts.size() ? result.counts[pc] : exec::InstructionCount{};
    const InstructionEvents* events = collector.find(pc);
    if (count.warps == 0 && events == nullptr) continue;
    const isa::Instruction& instruction = program.code[pc];
    LineProfile& line = lines_[sourceLineOf(program, instruction)];
    for (Counters* into : {&launch, &line.counters}) {
      addCount(*into, instruction, count, program.addressBits);
      if (events != nullptr) addEvents(*into, *events);
    }
    if (events != nullptr) {
      line.strides[static_cast<std::size_t>(events->kind)].global.merge(events->strides.global);
      line.strides[static_cast<std::size_t>(events->sharedKind)].shared.merge(events->strides.shared);
      merge(touched[&line], events->touched.pages());
    }
    accessLanes += lanesOfAccesses(instruction, count, events);
  }
  for (const auto& [line, sectors] : touched) line->footprintSectors += countSectors(sectors);
  checkLaunch(launch, accessLanes, result, request.checks.bounds);
  stats::merge(counters_, launch);
  stats::merge(footprint_, collector.takeFootprint(touched_));
  if (collector.contents()) data_.add(*request.launch, *collector.contents());
  return launch;
}

void KernelProfile::addLaunch(const exec::LaunchRequest& request, const exec::LaunchResult& result, u64 nanoseconds) {
  const exec::LaunchShape& shape = *request.launch;
  if (totals_.launches == 0) {
    firstShape_ = shape;
    resources_ = {request.launch->kernel->registers, request.launch->kernel->sharedBytes, request.launch->kernel->localBytes};
  }
  shapesVary_ |= !(shape == firstShape_);
  const u64 blocks = request.launch->grid.count(), threads = request.launch->block.count();
  stats::merge(totals_, LaunchTotals{.launches = 1,
                                     .failed = result.status == exec::LaunchStatus::completed ? u64{0} : u64{1},
                                     .nanoseconds = nanoseconds,
                                     .blocks = blocks,
                                     .blocksDone = result.blocksDone,
                                     .warps = blocks * ((threads + warpSize_ - 1) / warpSize_),
                                     .threads = blocks * threads});
}

void KernelProfile::checkLaunch(const Counters& launch, u64 accessLanes, const exec::LaunchResult& result, bool boundsChecked) {
  stats::Conservation laws;
  const bool completed = result.status == exec::LaunchStatus::completed;
  if (completed) checkInstructions(laws, launch, result);
  checkAccesses(laws, launch, accessLanes, completed && boundsChecked);
  for (const std::string& violation : laws.violations()) {
    if (std::find(violations_.begin(), violations_.end(), violation) == violations_.end()) violations_.push_back(violation);
  }
}

std::vector<std::string> KernelProfile::violations() const {
  stats::Conservation laws;
  Counters sum;
  for (const auto& [where, line] : lines_) stats::merge(sum, line.counters);
  checkTotals(laws, counters_, sum, warpSize_);
  checkFootprint(laws, counters_, footprint_);
  std::vector<std::string> result = violations_;
  result.insert(result.end(), laws.violations().begin(), laws.violations().end());
  return result;
}

u64 KernelProfile::distinctSectors() const { return countSectors(touched_); }

u64 KernelProfile::distinctLines() const {
  u64 count = 0;
  for (const auto& [number, bits] : touched_) count += countLines(bits);
  return count;
}

}  // namespace warpwright::profile
