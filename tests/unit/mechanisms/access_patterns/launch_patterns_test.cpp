// Sizes of loads by pc, as a mechanism asks for them when a launch begins.
#include "mechanisms/launch_patterns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "compiler/compiler.hpp"
#include "mechanisms/access_patterns/counts.hpp"
#include "ptx/parser.hpp"

namespace warpwright::mechanisms {
namespace {

// Two loads of a product by tiles: a[(ctaid.y 16 + tid.y) n + tid.x] and b[tid.y n + ctaid.x 16 + tid.x], one through the first, and a
// store.
constexpr const char* kPtx = R"(
.version 7.8
.target sm_70
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)
{
  .reg .b32 %r<20>;
  .reg .b64 %d<20>;
  ld.param.u64 %d0, [a];
  ld.param.u64 %d1, [b];
  ld.param.u32 %r0, [n];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ctaid.y;
  shl.b32 %r5, %r4, 4;
  add.s32 %r5, %r5, %r2;
  mad.lo.s32 %r5, %r5, %r0, %r1;
  mul.wide.s32 %d2, %r5, 4;
  add.s64 %d2, %d0, %d2;
  ld.global.u32 %r6, [%d2];
  shl.b32 %r7, %r3, 4;
  add.s32 %r7, %r7, %r1;
  mad.lo.s32 %r7, %r2, %r0, %r7;
  mul.wide.s32 %d3, %r7, 4;
  add.s64 %d3, %d1, %d3;
  ld.global.u32 %r8, [%d3];
  mul.wide.s32 %d4, %r6, 4;
  add.s64 %d4, %d0, %d4;
  ld.global.u32 %r9, [%d4];
  add.s32 %r9, %r9, %r8;
  st.global.u32 [%d3], %r9;
  ret;
}
)";

class LaunchPatterns : public ::testing::Test {
 protected:
  void load(std::vector<const compiler::AnalysisKind*> analyses, const char* ptx = kPtx, std::array<u64, 2> arrays = {}) {
    compiler::Options options;
    options.analyses = std::move(analyses);
    loaded_ = exec::load(compiler::compile(ptx::parse(ptx, "k.ptx"), options), memory_);
    exec::Launch launch{{{4, 4, 1}, {16, 16, 1}}, loaded_.get(), loaded_->program.findFunction("k"), std::vector<u8>(20)};
    const u32 n = 64;
    std::memcpy(launch.parameters.data(), arrays.data(), sizeof arrays);
    std::memcpy(launch.parameters.data() + 16, &n, sizeof n);
    request_.launch = std::make_shared<const exec::Launch>(std::move(launch));
  }
  std::vector<u32> sizes(bool blocksContinueRows) const {
    std::vector<u32> result;
    for (const u32 bytes : granularities(request_, Accesses::loads, {}, {.blocksContinueRows = blocksContinueRows}))
      if (bytes != 0) result.push_back(bytes);
    return result;
  }

  exec::GlobalMemory memory_{{64, u64{1} << 20, false}};
  std::unique_ptr<exec::LoadedProgram> loaded_;
  exec::LaunchRequest request_;
};

TEST_F(LaunchPatterns, GiveEachLoadItsSize) {
  load({&compiler::kAccessPatterns});
  std::vector<u32> literal = sizes(true), relaxed = sizes(false);
  std::sort(literal.begin(), literal.end());
  std::sort(relaxed.begin(), relaxed.end());
  EXPECT_EQ(literal, (std::vector<u32>{32, 32, 64}));
  EXPECT_EQ(relaxed, (std::vector<u32>{32, 64, 64}));
}

TEST_F(LaunchPatterns, GiveNothingWithoutTheAnalysis) {
  load({});
  EXPECT_TRUE(sizes(true).empty());
}

TEST_F(LaunchPatterns, AreCounted) {
  load({&compiler::kAccessPatterns});
  const access_patterns::AccessPatternStats counts = access_patterns::countsOf(request_, {});
  EXPECT_EQ(counts.literal.bytes32, 2U);
  EXPECT_EQ(counts.literal.bytes64, 1U);
  EXPECT_EQ(counts.relaxed.bytes64, 2U);
  EXPECT_EQ(counts.failures.loaded, 1U);
  EXPECT_EQ(counts.failures.all(), 1U);
  EXPECT_EQ(counts.stores, 1U);
  EXPECT_EQ(counts.failedStores, 0U);
}

TEST_F(LaunchPatterns, GiveStoresTheirSizeOnRequest) {
  load({&compiler::kAccessPatterns});
  std::vector<u32> all;
  for (const u32 bytes : granularities(request_, Accesses::loadsAndStores, {}, {.blocksContinueRows = false}))
    if (bytes != 0) all.push_back(bytes);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (std::vector<u32>{32, 64, 64, 64}));
}

// Blocks of 64 bytes in a row, rows of 1024: block (1, 2) has bytes 1000 + 64 + 2048 to 1000 + 64 + 2048 + 63.
TEST(AddressRanges, AreOfOneBlockOfThreads) {
  const AddressRange range{.bytes = 64, .isBounded = true, .first = 1000, .perX = 64, .perY = 1024, .length = 64};
  const Dim3 block{1, 2, 0};
  EXPECT_TRUE(range.touches(GlobalAddress(3112), 1, block));
  EXPECT_TRUE(range.touches(GlobalAddress(3175), 1, block));
  EXPECT_FALSE(range.touches(GlobalAddress(3111), 1, block));
  EXPECT_FALSE(range.touches(GlobalAddress(3176), 1, block));
  EXPECT_TRUE(range.touches(GlobalAddress(3081), 32, block)) << "its last byte";
  EXPECT_FALSE(range.touches(GlobalAddress(3080), 32, block));
  EXPECT_FALSE(range.touches(GlobalAddress(3112), 1, {2, 2, 0}));
  EXPECT_TRUE(AddressRange{}.touches(GlobalAddress(3112), 1, block)) << "it may be anywhere";
}

// The path decides between a row of `a` and a column of `b`.
constexpr const char* kPaths = R"(
.version 7.8
.target sm_70
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<9>;
  .reg .b64 %d<9>;
  ld.param.u64 %d0, [a];
  ld.param.u64 %d1, [b];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d3, %d0, %d2;
  setp.lt.u32 %p, %r1, 8;
  @%p bra there;
  mul.wide.u32 %d4, %r1, 256;
  add.u64 %d3, %d1, %d4;
there:
  ld.global.u32 %r2, [%d3];
  st.global.u32 [%d0], %r2;
  ret;
}
)";

TEST_F(LaunchPatterns, KeepTheVersionsOfAnAddress) {
  load({&compiler::kAccessPatterns}, kPaths, {4096, 8192});
  sm::PerInstruction<std::vector<AddressRange>> versions = versionsOf(request_, {}, {.blocksContinueRows = false});
  std::erase_if(versions, [](const auto& each) { return each.empty(); });
  ASSERT_EQ(versions.size(), 1U);
  std::vector<AddressRange>& load = versions[0];
  std::sort(load.begin(), load.end(), [](const auto& one, const auto& other) { return one.first < other.first; });
  ASSERT_EQ(load.size(), 2U);
  EXPECT_EQ(load[0].first, 4096);
  EXPECT_EQ(load[0].length, 64U);
  EXPECT_EQ(load[0].bytes, 64U);
  EXPECT_EQ(load[1].first, 8192);
  EXPECT_EQ(load[1].length, 15 * 256 + 4U);
  EXPECT_EQ(load[1].bytes, 32U);
}

}  // namespace
}  // namespace warpwright::mechanisms
