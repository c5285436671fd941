// A kernel whose lines are compressed, in machines with 2 SMs and a small L2, and what a run of it did.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "machines/timing_profile.hpp"
#include "mechanisms/assist_warps/statistics.hpp"
#include "mechanisms/line_compression/statistics.hpp"
#include "mechanisms/mechanism.hpp"
#include "runtime/device.hpp"
#include "stats/json.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::compressed_work {

using mechanisms::line_compression::Statistics;
using Settings = std::vector<std::string>;

inline constexpr u32 kBlocks = 60, kThreads = 256, kWords = kBlocks * kThreads;

// Adds up a word that others load too and one of its own, and stores the sum, twice; the second time to what it loads again.
inline constexpr const char* kWork = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry work(.param .u64 from, .param .u64 to)
{
  .reg .u32 %r<12>;
  .reg .u64 %d<8>;
  ld.param.u64 %d0, [from];
  ld.param.u64 %d1, [to];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  mul.wide.u32 %d2, %r3, 4;
  add.u64 %d3, %d0, %d2;
  add.u64 %d4, %d1, %d2;
  mul.wide.u32 %d5, %r2, 4;
  add.u64 %d5, %d0, %d5;
  ld.global.u32 %r4, [%d3];
  ld.global.u32 %r5, [%d5];
  add.u32 %r6, %r4, %r5;
  st.global.u32 [%d4], %r6;
  bar.sync 0;
  xor.b32 %r7, %r2, 32;
  mad.lo.u32 %r8, %r0, %r1, %r7;
  mul.wide.u32 %d6, %r8, 4;
  add.u64 %d6, %d1, %d6;
  ld.global.u32 %r9, [%d6];
  add.u32 %r9, %r9, %r6;
  bar.sync 0;
  st.global.u32 [%d4], %r9;
  ret;
}
)";

inline config::Machine machineOf(Settings settings) {
  settings.insert(settings.begin(), {"chip.multiprocessors=2", "l2.bytes=8192", "chip.l2_cache_bytes=98304"});
  return config::loadMachine("fermi-caba", settings);
}

// HW-BDI, and CABA with room for many routines that compress.
inline Settings inHardware(Settings more = {}) {
  more.insert(more.begin(), {"mechanism.line-compression=true", "mechanism.line-compression.reach=network"});
  return more;
}
inline Settings assisted(Settings more = {}) {
  more.insert(more.begin(), {"mechanism.assist-warps=true", "mechanism.line-compression=true", "mechanism.line-compression.reach=network",
                             "mechanism.line-compression.by=routines", "mechanism.assist-warps.low_entries=16"});
  return more;
}

// Each thread adds one to a word that is 128 bytes from the next thread's.
inline constexpr const char* kScatteredStores = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry work(.param .u64 from, .param .u64 to)
{
  .reg .pred %p;
  .reg .u32 %r<8>;
  .reg .u64 %d<4>;
  ld.param.u64 %d1, [to];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  setp.ge.u32 %p, %r3, 480;
  @%p ret;
  mul.wide.u32 %d2, %r3, 128;
  add.u64 %d3, %d1, %d2;
  st.global.u32 [%d3], %r3;
  ret;
}
)";

struct Ran {
  std::vector<u32> words;
  u64 cycles = 0;
  Statistics counted;
  mechanisms::assist_warps::Statistics assist;
  std::string all;
  u64 l1Misses = 0;
};

// Two arrays are made, of which the first is filled. parameters: of the kernel, by the arrays' addresses.
template <class WordAt, class Parameters>
Ran run(const Settings& machine, const char* text, WordAt wordAt, const machines::TimingOptions& options, Parameters parameters) {
  runtime::Settings settings;
  settings.machine = machineOf(machine);
  settings.timing = options;
  runtime::Device device(settings);
  runtime::Launch launch;
  launch.module = &device.loadModule(text, "work.ptx");
  launch.kernel = launch.module->loaded->program.findFunction("work");
  launch.grid = {kBlocks};
  launch.block = {kThreads};
  std::array<u64, 2> arrays;
  for (u64& array : arrays) array = device.memory().allocate(kWords * sizeof(u32), exec::AllocationKind::device).value();
  const auto words = [&](u64 array) { return reinterpret_cast<u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(array))); };
  for (u32 i = 0; i < kWords; ++i) words(arrays[0])[i] = wordAt(i);
  const std::array<u64, 2> given = parameters(device, arrays);
  launch.parameters.resize(sizeof given);
  std::memcpy(launch.parameters.data(), given.data(), sizeof given);
  const runtime::LaunchOutcome outcome = device.launch(launch);
  EXPECT_EQ(outcome.status, exec::LaunchStatus::completed) << outcome.message;
  const machines::KernelTiming& timing = *device.timing().kernels().at(0);
  EXPECT_EQ(timing.violations, std::vector<std::string>{});
  Ran ran;
  ran.words.assign(words(arrays[1]), words(arrays[1]) + kWords);
  ran.cycles = timing.counters.cycles;
  const auto& counted = timing.counters.gpu.mechanisms;
  const auto take = [&]<class S>(const char* name, S& into) {
    if (const auto* found = dynamic_cast<const stats::Structure<S>*>(counted.find(name))) into = found->value();
  };
  take("line_compression", ran.counted);
  take("assist_warps", ran.assist);
  ran.all = stats::toJson(timing.counters.gpu).dump();
  ran.l1Misses = timing.counters.gpu.l1d.misses[mem::AccessType::globalRead];
  return ran;
}

template <class WordAt>
Ran run(const Settings& machine, WordAt wordAt, const machines::TimingOptions& options = {}) {
  return run(machine, kWork, wordAt, options, [](runtime::Device&, const std::array<u64, 2>& arrays) { return arrays; });
}

inline u32 small(u32 i) { return 0x40000000 + i % 32; }
inline u32 noise(u32 i) { return (i + 1) * 0x9e3779b9 ^ (i + 7) << 13; }
// Lines of each kind that the codecs know.
inline u32 mixed(u32 i) {
  constexpr u32 kLineWords = 32;
  const u32 line = i / kLineWords, word = i % kLineWords;
  const u32 kinds[] = {0, 0x12345678 + word, word % 2 == 0 ? 0xcafe0000 : 0x80, word << 16, (i % 3) * 0x01010101, noise(i), line};
  return kinds[line % std::size(kinds)];
}

}  // namespace warpwright::compressed_work
