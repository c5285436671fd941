// Small timed machines for tests, and what every instruction did when.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/machine.hpp"
#include "machines/gpu.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::testing {

// The GTX 480 with that many SMs, one scheduler each that takes its warps in turn, and an instruction fetch that never limits:
// wide fetches, deep buffers, a large cache. Its instructions are of 16 bytes and its operations short, so that what is counted by hand
// stays short too.
config::Machine fermi(u32 multiprocessors = 1);
// … with every clock that of the core, so that all ticks are cycles.
config::Machine oneClock(config::Machine machine);

struct Step {
  sm::IssuedInstruction what;
  u64 issued = 0, dispatched = 0, completed = 0, memoryDone = 0;  // cycles; 0: never
};

// Listens to one SM.
class Timeline final : public sm::PipelineListener {
 public:
  void issued(const sm::IssuedInstruction& instruction, Cycle now) override;
  void dispatched(u32 number, Cycle enters) override;
  void completed(u32 number, Cycle now) override;
  void memoryDone(u32 number, Cycle now) override;

  const std::vector<Step>& steps() const { return steps_; }
  // Of the warp of block 0, at that instruction of the program, in the order of issue.
  std::vector<Step> at(u32 pc, u32 warp = 0) const;
  void clear() { steps_.clear(); }

 private:
  Step& of(u32 number);
  std::vector<Step> steps_;
};

// Runs kernels on the timed machine, and the same on the functional one. Who gives a listener in the options finds the timeline empty.
class TimedMachine {
 public:
  // mechanisms: in place of the machine's.
  explicit TimedMachine(const config::Machine& machine, machines::TimingOptions options = {},
                        std::optional<mechanisms::Mechanisms> mechanisms = std::nullopt);

  // Zeroed device memory.
  template <typename T>
  T* array(std::size_t count) {
    return reinterpret_cast<T*>(exec::GlobalMemory::hostPointer(*memory.allocate(count * sizeof(T), exec::AllocationKind::device)));
  }
  // The program in the machine, for several launches of it.
  const exec::LoadedProgram& load(const isa::Program& program);
  machines::TimedResult run(const exec::LoadedProgram& program, Dim3 grid, Dim3 block, const std::vector<u64>& parameters = {});
  machines::TimedResult run(const isa::Program& program, Dim3 grid, Dim3 block, const std::vector<u64>& parameters = {}) {
    return run(load(program), grid, block, parameters);
  }
  exec::LaunchResult runFunctionally(const isa::Program& program, Dim3 grid, Dim3 block, const std::vector<u64>& parameters = {});

  const Timeline& timeline(u32 sm = 0) const { return timelines_[sm]; }
  void forgetTimeline();

  exec::GlobalMemory memory;
  Printer printer;
  u32 extraRegisters = 0, helperBytes = 0, helperTableBytes = 0;  // as exec::LaunchRequest has them
  exec::CachePreference cachePreference = exec::CachePreference::none;
  std::optional<Dim3> cluster;
  std::vector<machines::Copied> copied;  // by the host, before the next launch
  bool isHeard = false;                  // somebody hears of every instruction
  exec::LaunchStatus expected = exec::LaunchStatus::completed;

 private:
  exec::LaunchRequest request(const exec::LoadedProgram& program, Dim3 grid, Dim3 block, const std::vector<u64>& parameters);

  config::Machine machine_;
  std::vector<Timeline> timelines_;
  std::vector<std::unique_ptr<exec::LoadedProgram>> loaded_;
  std::unique_ptr<machines::Gpu> gpu_;
  exec::Observer listener_;
};

}  // namespace warpwright::testing
