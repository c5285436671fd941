// A program of launches of one kernel, run in full or sampled.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "machines/timing_profile.hpp"
#include "runtime/device.hpp"

namespace warpwright::runtime::testing {

// words[thread of the grid] is multiplied by itself `rounds` times, so that running a launch twice shows.
inline constexpr const char* kSquare = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry square(.param .u64 words, .param .u32 rounds)
{
  .reg .u32 %r<6>;
  .reg .u64 %d<4>;
  .reg .pred %p;
  ld.param.u64 %d0, [words];
  ld.param.u32 %r0, [rounds];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %d1, %r4, 4;
  add.u64 %d2, %d0, %d1;
  ld.global.u32 %r5, [%d2];
again:
  mad.lo.u32 %r5, %r5, %r5, %r4;
  sub.u32 %r0, %r0, 1;
  setp.ne.u32 %p, %r0, 0;
  @%p bra again;
  st.global.u32 [%d2], %r5;
  ret;
}
// Threads read a word four times: those of the first `rounds` blocks the same one, those of the others one on a line of its own.
.visible .entry drift(.param .u64 words, .param .u32 rounds)
{
  .reg .u32 %r<8>;
  .reg .u64 %d<4>;
  .reg .pred %p;
  ld.param.u64 %d0, [words];
  ld.param.u32 %r0, [rounds];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r3, %tid.x;
  setp.lt.u32 %p, %r1, %r0;
  mad.lo.u32 %r4, %r1, 64, %r3;
  and.b32 %r5, %r3, 31;
  mul.lo.u32 %r6, %r1, 32;
  add.u32 %r5, %r5, %r6;
  and.b32 %r5, %r5, 2047;
  shl.b32 %r5, %r5, 7;
  selp.u32 %r5, 0, %r5, %p;
  cvt.u64.u32 %d1, %r5;
  add.u64 %d2, %d0, %d1;
  mov.u32 %r7, 4;
more:
  ld.global.u32 %r2, [%d2];
  add.u32 %r4, %r4, %r2;
  sub.u32 %r7, %r7, 1;
  setp.ne.u32 %p, %r7, 0;
  @%p bra more;
  setp.eq.u32 %p, %r4, 7;
  @%p st.global.u32 [%d0], %r4;
  ret;
}
// Each block but the first waits until the one before it has written its word.
.visible .entry chain(.param .u64 words, .param .u32 rounds)
{
  .reg .u32 %r<6>;
  .reg .u64 %d<4>;
  .reg .pred %p;
  ld.param.u64 %d0, [words];
  ld.param.u32 %r0, [rounds];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %d1, %r1, 4;
  add.u64 %d2, %d0, %d1;
  setp.eq.u32 %p, %r1, 0;
  @%p bra first;
wait:
  ld.volatile.global.u32 %r2, [%d2 + -4];
  setp.ne.u32 %p, %r2, %r0;
  @%p bra wait;
first:
  st.volatile.global.u32 [%d2], %r0;
  ret;
}
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 list);
.global .align 1 .b8 said[4] = {104, 105, 10, 0};
.visible .entry print(.param .u64 words, .param .u32 rounds)
{
  .reg .u32 %r<2>;
  .reg .u64 %d<4>;
  mov.u64 %d0, said;
  cvta.global.u64 %d1, %d0;
  {
    .param .b64 format;
    st.param.b64 [format], %d1;
    .param .b64 list;
    st.param.b64 [list], 0;
    .param .b32 result;
    call.uni (result), vprintf, (format, list);
    ld.param.b32 %r0, [result];
  }
  ret;
}
.extern .func (.param .b64 result) malloc (.param .b64 bytes);
.visible .entry allocate(.param .u64 words, .param .u32 rounds)
{
  .reg .u64 %d<4>;
  {
    .param .b64 bytes;
    st.param.b64 [bytes], 64;
    .param .b64 result;
    call.uni (result), malloc, (bytes);
    ld.param.b64 %d0, [result];
  }
  ret;
}
)";

inline constexpr u32 kThreads = 64, kMostBlocks = 2000;

struct SquareProgram {
  explicit SquareProgram(std::optional<double> error, const std::string& timesFolder = "", SamplePart part = {}, u32 multiprocessors = 2) {
    Settings settings;
    settings.machine = config::loadMachine("gtx480", std::vector<std::string>{"chip.multiprocessors=" + std::to_string(multiprocessors)});
    settings.timing.emplace();
    settings.sampleError = error;
    settings.sampleTimes = timesFolder;
    settings.samplePart = part;
    settings.print = [this](std::string_view text) { printed += text; };
    device.emplace(settings);
    module = &device->loadModule(kSquare, "square.ptx");
    words = device->memory().allocate(kMostBlocks * kThreads * sizeof(u32), exec::AllocationKind::device).value();
    for (u32 i = 0; i < kMostBlocks * kThreads; ++i) data()[i] = 3 * i + 1;
  }

  u32* data() { return reinterpret_cast<u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(words))); }
  std::vector<u32> result() { return {data(), data() + kMostBlocks * kThreads}; }

  Launch make(u32 blocks, u32 rounds, const std::string& kernel = "square", bool faulty = false) {
    Launch launch;
    launch.module = module;
    launch.kernel = module->loaded->program.findFunction(kernel);
    launch.grid = {blocks, 1, 1};
    launch.block = {kThreads, 1, 1};
    launch.parameters.resize(launch.kernel->parameterBytes);
    const GlobalAddress at = faulty ? GlobalAddress{} : GlobalAddress(words);
    std::memcpy(launch.parameters.data(), &at, sizeof at);
    std::memcpy(launch.parameters.data() + launch.kernel->parameters[1].offset, &rounds, sizeof rounds);
    launch.startNanoseconds = end;
    return launch;
  }
  LaunchOutcome launch(u32 blocks, u32 rounds, const std::string& kernel = "square", bool faulty = false) {
    const LaunchOutcome outcome = device->launch(make(blocks, rounds, kernel, faulty));
    end = outcome.endNanoseconds;
    return outcome;
  }

  const machines::KernelTiming& timing(const char* kernel = "square") const { return *device->timing().find(kernel, "square.ptx"); }

  std::optional<Device> device;
  const Module* module = nullptr;
  u64 words = 0, end = 0;
  std::string printed;
};

}  // namespace warpwright::runtime::testing
