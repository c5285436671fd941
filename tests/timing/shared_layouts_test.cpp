// Accesses to shared memory that name the layout of their array (sm.memory.bank_map = "per_access").
#include <gtest/gtest.h>

#include <cstring>

#include "machines/timing_profile.hpp"
#include "runtime/device.hpp"

namespace warpwright {
namespace {

// A warp stores 256 words one after the other, structures of eight words as a whole, and each thread adds up the fields of its structure.
constexpr const char* kFields = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry work(.param .u64 out)
{
  .reg .u32 %r<12>;
  .reg .u64 %d<4>;
  .reg .pred %p;
  .shared .align 4 .b8 tile[1024];
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, tile;
  shl.b32 %r2, %r0, 2;
  add.u32 %r3, %r1, %r2;
  mov.u32 %r4, 0;
whole:
  .pragma "shared_layout 3";
  st.shared.u32 [%r3], %r4;
  add.u32 %r3, %r3, 128;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p, %r4, 8;
  @%p bra whole;
  bar.sync 0;
  shl.b32 %r5, %r0, 5;
  add.u32 %r5, %r1, %r5;
  mov.u32 %r6, 0;
  mov.u32 %r7, 0;
field:
  .pragma "shared_layout 3";
  ld.shared.u32 %r8, [%r5];
  add.u32 %r6, %r6, %r8;
  add.u32 %r5, %r5, 4;
  add.u32 %r7, %r7, 1;
  setp.lt.u32 %p, %r7, 8;
  @%p bra field;
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d2, %d0, %d1;
  st.global.u32 [%d2], %r6;
  ret;
}
)";

struct Ran {
  u64 passes = 0;
  std::vector<u32> sums;
};

Ran run(const std::string& bankMap) {
  runtime::Settings settings;
  settings.machine = config::loadMachine("gtx480", std::vector<std::string>{"sm.memory.bank_map=" + bankMap});
  settings.timing.emplace();
  runtime::Device device(settings);
  runtime::Launch launch;
  launch.module = &device.loadModule(kFields, "fields.ptx");
  launch.kernel = launch.module->loaded->program.findFunction("work");
  launch.grid = {1};
  launch.block = {32};
  const u64 out = device.memory().allocate(32 * sizeof(u32), exec::AllocationKind::device).value();
  launch.parameters.resize(sizeof out);
  std::memcpy(launch.parameters.data(), &out, sizeof out);
  const runtime::LaunchOutcome outcome = device.launch(launch);
  EXPECT_EQ(outcome.status, exec::LaunchStatus::completed) << outcome.message;
  const u32* const words = reinterpret_cast<const u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(out)));
  return {device.timing().kernels().at(0)->counters.gpu.sm.loadStore.sharedPasses, {words, words + 32}};
}

TEST(SharedLayouts, FieldsAndWholeStructuresHaveNoConflicts) {
  const Ran interleaved = run("low_order"), perAccess = run("per_access");
  EXPECT_EQ(interleaved.passes, 8u + 8 * 8u) << "structures of eight words: fields lie in every eighth bank";
  EXPECT_EQ(perAccess.passes, 8u + 8u);
  // Values are kept by address, whatever the layout.
  EXPECT_EQ(perAccess.sums, interleaved.sums);
  EXPECT_EQ(perAccess.sums[5], 8u * (5 * 8 / 32)) << "thread 5 has words 40 to 47, stored in round 1";
}

}  // namespace
}  // namespace warpwright
