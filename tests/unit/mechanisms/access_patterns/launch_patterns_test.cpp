// Sizes of loads by pc, as a mechanism asks for them when a launch begins.
#include "mechanisms/launch_patterns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

class LaunchPatterns : public testing::Test {
 protected:
  void load(std::vector<const compiler::AnalysisKind*> analyses) {
    compiler::Options options;
    options.analyses = std::move(analyses);
    loaded_ = exec::load(compiler::compile(ptx::parse(kPtx, "k.ptx"), options), memory_);
    exec::Launch launch{{{4, 4, 1}, {16, 16, 1}}, loaded_.get(), loaded_->program.findFunction("k"), std::vector<u8>(20)};
    const u32 n = 64;
    std::memcpy(launch.parameters.data() + 16, &n, sizeof n);
    request_.launch = std::make_shared<const exec::Launch>(std::move(launch));
  }
  std::vector<u32> sizes(bool blocksContinueRows) const {
    std::vector<u32> result;
    for (const u32 bytes : loadGranularities(request_, {}, {.blocksContinueRows = blocksContinueRows}))
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

}  // namespace
}  // namespace warpwright::mechanisms
