// How deep a kernel may call: what the program allows, what it needs, and what the memory of the machine leaves to each thread.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/device.hpp"

namespace warpwright::runtime {
namespace {

// endless: calls itself, 64 bytes a call. wide: an array of 8192 bytes.
constexpr const char* kKernels = R"(
.version 7.0
.target sm_20
.address_size 64
.func deeper()
{
  .local .align 4 .b8 frame[64];
  .reg .u32 %r;
  mov.u32 %r, 1;
  st.local.u32 [frame], %r;
  call deeper;
  ld.local.u32 %r, [frame];
  ret;
}
.visible .entry endless()
{
  call deeper;
  ret;
}
.visible .entry wide()
{
  .local .align 4 .b8 frame[8192];
  .reg .u32 %r;
  .reg .u64 %a;
  mov.u32 %r, %tid.x;
  mov.u64 %a, frame;
  st.local.u32 [%a+8188], %r;
  ret;
}
)";

// The GTX 480's 15 multiprocessors hold 1,536 threads each.
constexpr u64 kStackThreads = 15 * 1536;

LaunchOutcome launch(const char* kernel, u64 memoryOfAThread, std::optional<u64> allowed = {}) {
  Settings settings;
  settings.machine = config::loadMachine(
      "gtx480", std::vector<std::string>{"chip.global_memory_bytes=" + std::to_string(kStackThreads * memoryOfAThread)});
  Device device(settings);
  const Module& module = device.loadModule(kKernels, "kernels.ptx");
  Launch launch;
  launch.module = &module;
  launch.kernel = module.loaded->program.findFunction(kernel);
  launch.grid = {1, 1, 1};
  launch.block = {32, 1, 1};
  launch.stackBytes = allowed;
  return device.launch(launch);
}

void expectStack(const LaunchOutcome& outcome, u64 bytes, const char* remedy) {
  EXPECT_EQ(outcome.status, exec::LaunchStatus::stackOverflow) << outcome.message;
  EXPECT_NE(outcome.message.find("a thread has " + std::to_string(bytes) + " bytes"), std::string::npos) << outcome.message;
  EXPECT_NE(outcome.message.find(remedy), std::string::npos) << outcome.message;
}

TEST(StackLimit, IsAThreadsShareOfTheMemory) {
  expectStack(launch("endless", 4096), 4096, "no thread of this machine can have more");
  expectStack(launch("endless", 4096, 16384), 4096, "no thread of this machine can have more");
  expectStack(launch("endless", 4096, 2048), 2048, "at most 4096");
}

TEST(StackLimit, IsNoMoreThanCudaGives) {
  expectStack(launch("endless", u64{1} << 20), exec::kMostLocalBytes, "no thread of this machine can have more");
}

TEST(StackLimit, LeavesAKernelWhatItNeedsWhereThereIsAsMuch) {
  EXPECT_EQ(launch("wide", 16384, 1024).status, exec::LaunchStatus::completed);
  try {
    launch("wide", 4096);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("8192 bytes of local memory a thread, the limit is 4096"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("no thread of this machine can have more"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace warpwright::runtime
