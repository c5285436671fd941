// Routines that compute again what a program stores: they find faults that are injected into what they repeat, and put them right.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "assist_programs.hpp"
#include "compiler/redundancy/checks.hpp"
#include "machines/timing_profile.hpp"
#include "ptx/parser.hpp"
#include "stats/json.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::assist_tests {
namespace {

// A polynomial of what is loaded, through a predicate, and its address.
const std::string kPolynomial = std::string(kHead) + kernelOf("work", R"(
  ld.global.u32 %r5, [%d1];
  mul.lo.u32 %r6, %r5, 3;
  add.u32 %r7, %r6, 5;
  mad.lo.u32 %r8, %r7, %r5, 7;
  setp.gt.u32 %p0, %r8, 100;
  selp.u32 %r9, %r8, %r7, %p0;
  xor.b32 %r10, %r9, %r5;
  st.global.u32 [%d1], %r10;
  ret;
)");

compiler::RedundantChecks checksOf(const std::string& ptx, bool corrects = false, std::set<u32> lines = {}) {
  compiler::RedundancyOptions options;
  options.corrects = corrects;
  if (corrects) options.priority = "high";
  options.lines = std::move(lines);
  return compiler::redundantChecks(ptx::parse(ptx, "work.ptx"), options);
}

TEST(Redundancy, CutsASliceFromResultToLoad) {
  const compiler::RedundantChecks checks = checksOf(kPolynomial);
  EXPECT_NE(checks.text.find("in=reg:%r5,reg:%r10 out=count"), std::string::npos) << checks.text;
  EXPECT_NE(checks.text.find("priority=normal"), std::string::npos);
  EXPECT_NE(checks.text.find("selp.u32 %r9, %r8, %r7, %p0;"), std::string::npos);
  EXPECT_EQ(checks.covered, checks.computed);
}

// A sum of two words of 64 bits is six words: more than a point holds.
TEST(Redundancy, ComparesThroughABufferWhereTheWarpWaits) {
  const std::string ptx = std::string(kHead) + R"(
.visible .entry work(.param .u64 out)
{
  .reg .u64 %d<4>;
  ld.param.u64 %d0, [out];
  ld.global.u64 %d1, [%d0];
  ld.global.u64 %d2, [%d0+8];
  add.u64 %d3, %d1, %d2;
  st.global.u64 [%d0], %d3;
  ret;
}
)";
  const compiler::RedundantChecks checks = checksOf(ptx), waiting = checksOf(ptx, true);
  EXPECT_EQ(checks.computed, 1u);
  EXPECT_EQ(checks.routines, 0u);
  EXPECT_EQ(waiting.covered, 1u);
  EXPECT_EQ(waiting.routines, 2u);
  EXPECT_NE(waiting.text.find("buffer=256"), std::string::npos) << waiting.text;
}

TEST(Redundancy, RefusesLinesOfASource) {
  const std::string ptx =
      std::string(kHead) + ".file 1 \"work.cu\"\n" + kernelOf("work", ".loc 1 7 0\n  st.global.u32 [%d1], %r4;\n  ret;\n");
  EXPECT_THROW(checksOf(ptx), Error);
}

class RedundantRuns : public ::testing::Test {
 protected:
  ~RedundantRuns() override { std::remove(file_.c_str()); }

  struct Outcome {
    std::vector<u32> stored;
    u64 detections = 0;
    stats::Json injection;
  };
  Outcome run(const std::string& routines, const std::string& injection) {
    std::ofstream(file_) << routines;
    runtime::Settings settings;
    settings.machine = withAssistWarps(fermi(1), [&](Settings& each) { each.routines = file_; });
    settings.timing.emplace();
    settings.injection = runtime::parseInjection(injection);
    runtime::Device device(settings);
    const runtime::Module& module = device.loadModule(kPolynomial, "work.ptx");
    const auto& functions = module.loaded->program.functions;
    runtime::Launch launch;
    launch.module = &module;
    launch.kernel = &*std::ranges::find_if(functions, [](const isa::Function& each) { return each.isKernel; });
    launch.grid = {kBlocks};
    launch.block = {kThreads};
    const GlobalAddress array = *device.memory().allocate(kAll * 4, exec::AllocationKind::device);
    auto* const words = reinterpret_cast<u32*>(exec::GlobalMemory::hostPointer(array));
    for (u32 i = 0; i < kAll; ++i) words[i] = i * 37 % 101;
    const u64 address = array;
    launch.parameters.resize(sizeof address);
    std::memcpy(launch.parameters.data(), &address, sizeof address);
    device.launch(launch);
    const auto& counters = device.timing().kernels().at(0)->counters;
    const auto* counted = dynamic_cast<const stats::Structure<Statistics>*>(counters.gpu.mechanisms.find("assist_warps"));
    return {{words, words + kAll}, counted->value().counted, device.injection()->data()};
  }

  // Each place that is chosen, alone; of results of the polynomial.
  template <class Check>
  void forEachFault(const std::string& routines, Check&& check) {
    const Outcome golden = run(routines, "choose=80");
    EXPECT_EQ(golden.detections, 0u) << "nothing is found where nothing is";
    u32 faults = 0;
    for (const stats::Json& place : golden.injection["candidates"]) {
      const Outcome faulty = run(routines, "at=" + place.get<std::string>());
      const std::string instruction = faulty.injection["faults"][0]["instruction"].get<std::string>();
      const bool isOfPolynomial = std::ranges::any_of(std::vector{"%r6,", "%r7,", "%r8,", "%r9,", "%r10,", "%p0,"}, [&](const char* name) {
        return instruction.find(std::string(" ") + name) < instruction.find(',');
      });
      if (!isOfPolynomial) continue;
      ++faults;
      check(golden, faulty, instruction);
    }
    EXPECT_GT(faults, 15u);
  }

  const std::string file_ = ::testing::TempDir() + "again-" + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".ptx";
};

// That of its last instruction: one routine repeats all of it.
std::set<u32> polynomialLines() {
  std::set<u32> lines;
  u32 line = 0;
  std::istringstream text(kPolynomial);
  for (std::string each; std::getline(text, each);) {
    ++line;
    if (each.find("xor.b32") != std::string::npos) lines.insert(line);
  }
  return lines;
}

TEST_F(RedundantRuns, CorrectWhatTheyFind) {
  u32 corrected = 0;
  forEachFault(checksOf(kPolynomial, true, polynomialLines()).text,
               [&](const Outcome& golden, const Outcome& faulty, const std::string& where) {
                 EXPECT_EQ(faulty.stored, golden.stored) << where;
                 corrected += faulty.detections == 1;
               });
  EXPECT_GT(corrected, 10u);
}

TEST_F(RedundantRuns, OnlyDetectWithoutCorrection) {
  u32 wrong = 0, found = 0;
  forEachFault(checksOf(kPolynomial, false, polynomialLines()).text, [&](const Outcome& golden, const Outcome& faulty, const std::string&) {
    wrong += faulty.stored != golden.stored;
    found += faulty.detections != 0;
  });
  EXPECT_GT(wrong, 10u);
  EXPECT_EQ(found, wrong);
}

}  // namespace
}  // namespace warpwright::assist_tests
