#include "timed_machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "runtime/occupancy.hpp"

namespace warpwright::testing {

config::Machine fermi(u32 multiprocessors) {
  config::Machine machine = config::loadMachine("gtx480");
  machine.multiprocessors = multiprocessors;
  machine.schedulersPerSm = 1;
  machine.sm.scheduler = "loose_round_robin";
  machine.sm.fetchWidth = 8;
  machine.sm.instructionBuffer = 16;
  machine.l1i.bytes = 64 * 1024;
  machine.sm.instructionBytes = 16;
  machine.sm.simple.latency = machine.sm.convert.latency = machine.sm.fma32.latency = 6;
  machine.sm.multiply.latency = 7;
  machine.sm.fma64.latency = machine.sm.special.latency = 10;
  config::validate(machine);
  return machine;
}

config::Machine oneClock(config::Machine machine) {
  machine.network.clockKhz = machine.partition.clockKhz = machine.dram.clockKhz = machine.coreClockKhz;
  machine.dram.tREFI = machine.dram.tRFC = 0;
  return machine;
}

void Timeline::issued(const sm::IssuedInstruction& instruction, Cycle now) { steps_.push_back({instruction, now.ticks}); }
void Timeline::dispatched(u32 number, Cycle enters) { of(number).dispatched = enters.ticks; }
void Timeline::completed(u32 number, Cycle now) { of(number).completed = now.ticks; }
void Timeline::memoryDone(u32 number, Cycle now) { of(number).memoryDone = now.ticks; }

// Numbers follow each other in the order of issue.
Step& Timeline::of(u32 number) { return steps_.at(number - steps_.front().what.number); }

std::vector<Step> Timeline::at(u32 pc, u32 warp) const {
  std::vector<Step> result;
  std::copy_if(steps_.begin(), steps_.end(), std::back_inserter(result),
               [&](const Step& step) { return step.what.pc == pc && step.what.warp == warp && step.what.block == 0; });
  return result;
}

TimedMachine::TimedMachine(const config::Machine& machine, machines::TimingOptions options,
                           std::optional<mechanisms::Mechanisms> mechanisms)
    : memory({64, u64{256} << 20, false}), machine_(machine), timelines_(machine.multiprocessors) {
  if (!options.listenerOf) options.listenerOf = [this](SmId sm) { return &timelines_[sm]; };
  gpu_ = std::make_unique<machines::Gpu>(machine, memory, options, std::move(mechanisms));
}

const exec::LoadedProgram& TimedMachine::load(const isa::Program& program) {
  loaded_.push_back(exec::load(program, memory));
  return *loaded_.back();
}

exec::LaunchRequest TimedMachine::request(const exec::LoadedProgram& program, Dim3 grid, Dim3 block, const std::vector<u64>& parameters) {
  std::vector<u8> parameterBlock(parameters.size() * sizeof(u64));
  if (!parameters.empty()) std::memcpy(parameterBlock.data(), parameters.data(), parameterBlock.size());
  const auto& functions = program.program.functions;
  const auto kernel = std::find_if(functions.begin(), functions.end(), [](const auto& function) { return function.isKernel; });
  exec::LaunchRequest request;
  exec::Launch launch{{grid, block}, &program, &*kernel, std::move(parameterBlock), cachePreference};
  launch.cluster = cluster;
  request.launch = std::make_shared<const exec::Launch>(std::move(launch));
  request.host = &printer;
  request.extraRegisters = extraRegisters;
  request.helperBytes = helperBytes;
  request.helperTableBytes = helperTableBytes;
  request.limits.warpSize = machine_.warpSize;
  request.limits.multiprocessors = machine_.multiprocessors;
  request.limits.reconvergence = machine_.reconvergence == "stack" ? exec::Reconvergence::stack : exec::Reconvergence::independent;
  request.limits.pathTurn = machine_.pathTurn;
  request.limits.pollsBeforeYield = machine_.pollsBeforeYield;
  request.limits.residentBlocksPerSm =
      runtime::occupancyOf(machine_, {static_cast<u32>(block.count()), kernel->registers, kernel->sharedBytes}).blocksPerSm;
  return request;
}

machines::TimedResult TimedMachine::run(const exec::LoadedProgram& program, Dim3 grid, Dim3 block, const std::vector<u64>& parameters) {
  const exec::LaunchRequest job = request(program, grid, block, parameters);
  const runtime::BlockShare share =
      runtime::shareOf(machine_, {static_cast<u32>(block.count()), job.launch->kernel->registers, job.launch->kernel->sharedBytes});
  machines::TimedResult result = gpu_->run({.request = job,
                                            .resources = {share.warps, share.registers, share.sharedBytes, job.launch->kernel->localBytes},
                                            .observers = std::vector<exec::Observer*>(isHeard ? machine_.multiprocessors : 0, &listener_),
                                            .copied = std::exchange(copied, {})});
  EXPECT_EQ(result.functional.status, expected) << result.functional.message;
  return result;
}

exec::LaunchResult TimedMachine::runFunctionally(const isa::Program& program, Dim3 grid, Dim3 block, const std::vector<u64>& parameters) {
  exec::LaunchResult result = exec::launch(request(load(program), grid, block, parameters), memory);
  EXPECT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
  return result;
}

void TimedMachine::forgetTimeline() {
  for (Timeline& timeline : timelines_) timeline.clear();
}

}  // namespace warpwright::testing
