// Whatever a report tells of a kernel, it names it as the source does.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::testing {
namespace {

using exec::LaunchStatus;
using isa::Compare;
using isa::DataType;
using isa::Opcode;
using isa::Space;

constexpr const char* kMangled = "_ZN2ns5scaleIfEEvPT_";
constexpr const char* kReadable = "kernel 'void ns::scale<float>(float*)'";

struct Reported {
  LaunchStatus status;
  std::string text;  // the message and the warnings
};

Reported run(Assembler& a, Dim3 block) {
  a.exit();
  isa::Function& kernel = a.function(kMangled);
  kernel.sharedBytes = 64;
  kernel.sharedVariables.push_back({"_ZZN2ns5scaleIfEEvPT_E4tile", 0, 64});
  Runner runner;
  runner.request.checks.races = true;
  const exec::LaunchResult result = runner.run(a.program, {1}, block);
  Reported reported{result.status, result.message};
  for (const std::string& warning : result.warnings) reported.text += '\n' + warning;
  return reported;
}

void expectReadable(const Reported& reported) {
  EXPECT_NE(reported.text.find(kReadable), std::string::npos) << reported.text;
  EXPECT_EQ(reported.text.find("_Z"), std::string::npos) << reported.text;
}

TEST(ReportNames, OfAFault) {
  Assembler a;
  a.store(Space::shared, DataType::u32, imm(64), imm(1));
  const Reported reported = run(a, {32});
  EXPECT_EQ(reported.status, LaunchStatus::illegalAddress);
  EXPECT_NE(reported.text.find("shared memory has 64 bytes here"), std::string::npos) << reported.text;
  expectReadable(reported);
}

TEST(ReportNames, OfAMisalignedAccess) {
  for (const Space space : {Space::shared, Space::local, Space::param}) {
    Assembler a;
    a.load(space, DataType::u32, 4, imm(2));
    const Reported reported = run(a, {32});
    EXPECT_EQ(reported.status, LaunchStatus::misalignedAddress);
    EXPECT_NE(reported.text.find("must be a multiple of 4"), std::string::npos) << reported.text;
    EXPECT_EQ(reported.text.find(" has 0 bytes"), std::string::npos) << reported.text;
    expectReadable(reported);
  }
}

TEST(ReportNames, OfAHang) {
  Assembler a;
  a.emit(Opcode::bar_sync, DataType::u32, {}, {imm(1), imm(64)}).modifiers.aligned = true;
  const Reported reported = run(a, {32});
  EXPECT_EQ(reported.status, LaunchStatus::hang);
  expectReadable(reported);
}

TEST(ReportNames, OfARaceAndItsVariable) {
  Assembler a;
  a.special(0, isa::SpecialRegister::tid_x);
  a.store(Space::shared, DataType::u32, imm(8), R(0));
  const Reported reported = run(a, {64});
  EXPECT_EQ(reported.status, LaunchStatus::race);
  EXPECT_NE(reported.text.find("'ns::scale<float>(float*)::tile' + 8"), std::string::npos) << reported.text;
  expectReadable(reported);
}

TEST(ReportNames, OfAWarning) {
  Assembler a;
  a.special(0, isa::SpecialRegister::tid_x);
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(16));
  const u32 first = a.branch(P(0));
  a.barrier();
  const u32 second = a.jump();
  a.at(first).target = a.here();
  a.barrier();
  a.at(first).reconvergence = a.at(second).target = a.here();
  const Reported reported = run(a, {32});
  EXPECT_EQ(reported.status, LaunchStatus::completed) << reported.text;
  expectReadable(reported);
}

TEST(ReportNames, OfALaunchThatIsNone) {
  Assembler a;
  a.exit();
  a.function(kMangled).parameterBytes = 8;
  Runner runner;
  try {
    runner.run(a.program, {1}, {32});
    FAIL();
  } catch (const Error& error) {
    expectReadable({LaunchStatus::completed, error.what()});
  }
}

}  // namespace
}  // namespace warpwright::testing
