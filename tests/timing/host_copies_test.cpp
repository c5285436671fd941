// Copies of the host, as mechanisms hear of them: with the launch that comes next, and their bytes in memory.
#include <gtest/gtest.h>

#include <cstring>

#include "machines/timing_profile.hpp"
#include "mechanisms/line_compression/statistics.hpp"
#include "runtime/device.hpp"
#include "stats/named_structure.hpp"

namespace warpwright {
namespace {

using mechanisms::line_compression::Statistics;

constexpr u32 kWords = 6 * 1024;  // in all partitions of the machine

// Makes noise of what it finds.
constexpr const char* kScramble = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry scramble(.param .u64 words)
{
  .reg .u32 %r<8>;
  .reg .u64 %d<4>;
  ld.param.u64 %d0, [words];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  mul.wide.u32 %d1, %r3, 4;
  add.u64 %d1, %d0, %d1;
  ld.global.u32 %r4, [%d1];
  add.u32 %r5, %r3, 1;
  mad.lo.u32 %r4, %r5, 0x9e3779b9, %r4;
  st.global.u32 [%d1], %r4;
  ret;
}
)";

class CopyingHost {
 public:
  explicit CopyingHost(const std::vector<std::string>& settings = {}) {
    std::vector<std::string> all{"chip.multiprocessors=2", "mechanism.line-compression=true"};
    all.insert(all.end(), settings.begin(), settings.end());
    runtime::Settings device;
    device.machine = config::loadMachine("fermi-caba", all);
    device.timing.emplace();
    device_ = std::make_unique<runtime::Device>(device);
    module_ = &device_->loadModule(kScramble, "scramble.ptx");
    array_ = GlobalAddress(device_->memory().allocate(kWords * sizeof(u32), exec::AllocationKind::device).value());
  }

  template <class WordAt>
  void copy(u32 first, u32 count, WordAt wordAt) {
    const GlobalAddress begin = array_ + u64{first} * sizeof(u32);
    auto* words = reinterpret_cast<u32*>(exec::GlobalMemory::hostPointer(begin));
    for (u32 i = 0; i < count; ++i) words[i] = wordAt(i);
    device_->copiedFromHost(begin, u64{count} * sizeof(u32));
  }
  // What the launch counts of copies.
  Statistics launch() {
    runtime::Launch launch;
    launch.module = module_;
    launch.kernel = module_->loaded->program.findFunction("scramble");
    launch.grid = {kWords / 256};
    launch.block = {256};
    launch.parameters.resize(sizeof array_);
    std::memcpy(launch.parameters.data(), &array_, sizeof array_);
    EXPECT_EQ(device_->launch(launch).status, exec::LaunchStatus::completed);
    const auto& kernels = device_->timing().kernels();
    const auto& counters = kernels.at(0)->counters.gpu.mechanisms;
    const Statistics all = dynamic_cast<const stats::Structure<Statistics>&>(*counters.find("line_compression")).value();
    Statistics own;
    own.hostCopiedBytes = all.hostCopiedBytes - before_.hostCopiedBytes;
    own.hostCopiedCompressedBytes = all.hostCopiedCompressedBytes - before_.hostCopiedCompressedBytes;
    before_ = all;
    return own;
  }

 private:
  std::unique_ptr<runtime::Device> device_;
  const runtime::Module* module_ = nullptr;
  GlobalAddress array_{};
  Statistics before_;
};

u32 zero(u32) { return 0; }
u32 noise(u32 i) { return (i + 1) * 0x9e3779b9 ^ (i + 7) << 13; }

// Of all partitions together, each line once, by the values that were copied: the launch makes others of them.
TEST(HostCopiesOfLaunches, AreCountedWithTheNextLaunch) {
  CopyingHost host;
  host.copy(0, kWords, zero);
  const Statistics first = host.launch();
  EXPECT_EQ(first.hostCopiedBytes, kWords * 4u);
  EXPECT_EQ(first.hostCopiedCompressedBytes, kWords * 4u / 4) << "a piece of each line";
  const Statistics none = host.launch();
  EXPECT_EQ(none.hostCopiedBytes, 0u);
  EXPECT_EQ(none.hostCopiedCompressedBytes, 0u);
  host.copy(0, kWords / 2, noise);
  host.copy(kWords / 2, kWords / 4, zero);
  host.copy(kWords - 8, 8, zero);
  const Statistics second = host.launch();
  EXPECT_EQ(second.hostCopiedBytes, kWords * 3u + 32);
  EXPECT_EQ(second.hostCopiedCompressedBytes, kWords * 2u + kWords / 4 + 32);
}

TEST(HostCopiesOfLaunches, OfSoftwareThatCompressesNothingAreAsTheyAre) {
  CopyingHost host({"mechanism.line-compression.copies_too=false"});
  host.copy(0, kWords, zero);
  const Statistics first = host.launch();
  EXPECT_EQ(first.hostCopiedBytes, kWords * 4u);
  EXPECT_EQ(first.hostCopiedCompressedBytes, kWords * 4u);
}

}  // namespace
}  // namespace warpwright
