// What is remarked of a kernel, and in which words.
#include "profile/findings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "launch_builder.hpp"
#include "profile/profile.hpp"

namespace warpwright::profile {
namespace {

using isa::DataType;
using isa::Opcode;
using testing::access;
using testing::HandMadeKernel;
using testing::operation;
using testing::strided;

std::string remark(const KernelProfile& kernel, std::string_view rule) {
  for (const Finding& finding : findingsOf(kernel))
    if (finding.rule == rule) return finding.text;
  return "";
}

// Of a store to shared memory whose lanes are so far apart.
std::string ofConflicts(const testing::Addresses& addresses) {
  HandMadeKernel kernel({access(Opcode::st, isa::Space::shared, 5)});
  Profile profile(Geometry{32, 32, 4});
  kernel.access(profile.beginLaunch(kernel.request), 0, addresses);
  profile.endLaunch(kernel.request, kernel.result, 1);
  return remark(*profile.kernels().at(0), "bank_conflicts");
}

TEST(Findings, AdvisePaddingWhereTheStrideIsWhy) {
  EXPECT_NE(ofConflicts(strided(0, 128)).find("padding"), std::string::npos);
  EXPECT_EQ(ofConflicts(strided(0, 4)), "");
}

// Rows of 17 words, two of them for a warp of 16 x 2 lanes: padded already, and lanes of the second row meet banks of the first.
TEST(Findings, AdviseWiderBlocksWhereRowsOfLanesOverlap) {
  testing::Addresses addresses{};
  for (u32 lane = 0; lane < 32; ++lane) addresses[lane] = u64{lane % 16} * 68 + lane / 16 * 4;
  const std::string text = ofConflicts(addresses);
  EXPECT_EQ(text.find("padding"), std::string::npos) << text;
  EXPECT_NE(text.find("as wide as a warp"), std::string::npos) << text;
}

std::string ofArithmetic(std::vector<isa::Instruction> code, LaneMask lanes = LaneMask::first(32)) {
  HandMadeKernel kernel(std::move(code));
  Profile profile(Geometry{32, 32, 4});
  exec::Observer& observer = profile.beginLaunch(kernel.request);
  for (u32 pc = 0; pc < kernel.loaded.program.code.size(); ++pc) {
    if (kernel.loaded.program.code[pc].opcode == Opcode::bra) {
      kernel.branch(observer, pc, LaneMask::first(32), lanes);
    } else {
      kernel.issue(pc, lanes);
    }
  }
  profile.endLaunch(kernel.request, kernel.result, 1);
  return remark(*profile.kernels().at(0), "mixed_precision") + remark(*profile.kernels().at(0), "divergence");
}

TEST(Findings, NameConstantsOfDoublePrecision) {
  const auto toDouble = operation(Opcode::cvt, DataType::f64, 5), multiply = operation(Opcode::fma, DataType::f64, 5);
  EXPECT_NE(ofArithmetic({toDouble, multiply, toDouble}).find("suffix f"), std::string::npos);
  EXPECT_EQ(ofArithmetic({multiply, multiply, multiply, multiply, multiply, toDouble}), "") << "a kernel of doubles";
}

// A quarter of the lanes rests in half of the instructions.
TEST(Findings, NameBranchesByWhichLanesRest) {
  const auto add = operation(Opcode::fma, DataType::f32, 5);
  EXPECT_NE(ofArithmetic({operation(Opcode::bra, DataType::u32, 5), add}, LaneMask::range(0, 24)).find("diverge"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::profile
