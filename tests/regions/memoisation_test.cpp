// Memoisation: regions of programs whose results assist warps look up.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "assist_programs.hpp"
#include "mechanisms/memoisation/settings.hpp"

namespace warpwright::assist_tests {
namespace {

namespace memoisation = mechanisms::memoisation;

constexpr u32 kLeastWork = 48;  // of the kernels below

Machine withMemoisation(const std::function<void(memoisation::Settings&)>& change = {}) {
  Machine machine = withAssistWarps(fermi(2));
  machine.mechanisms.add(config::mechanismKind("memoisation"));
  std::any_cast<memoisation::Settings>(machine.mechanisms.find("memoisation"))->leastWork = kLeastWork;
  if (change) change(*std::any_cast<memoisation::Settings>(machine.mechanisms.find("memoisation")));
  return machine;
}

// In each of four rounds a thread loads words, which are small numbers, computes with those in %r5, %r6, %r7, as %f5, %f6, %f7, and stores
// what it has then in %f0, %f1, %f2.
std::string kernelWith(const std::string& body) {
  return R"(.visible .entry work(.param .u64 out)
{
  .reg .u32 %r<32>;
  .reg .f32 %f<48>;
  .reg .u64 %d<8>;
  .reg .f64 %g<16>;
  .reg .pred %p<8>;
  ld.param.u64 %d0, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %d1, %r4, 4;
  add.u64 %d1, %d0, %d1;
  mov.u64 %d2, %d1;
  mov.u32 %r10, 0;
  mov.f32 %f0, 0f00000000;
  mov.f32 %f1, 0f00000000;
  mov.f32 %f2, 0f00000000;
  mov.f32 %f16, 0f00000000;
round:
  .pragma "nounroll";
  ld.global.u32 %r5, [%d1];
  ld.global.u32 %r6, [%d1+4];
  ld.global.u32 %r7, [%d1+8];
  cvt.rn.f32.u32 %f5, %r5;
  cvt.rn.f32.u32 %f6, %r6;
  cvt.rn.f32.u32 %f7, %r7;
)" + body +
         R"(
  st.global.f32 [%d2+16384], %f0;
  st.global.f32 [%d2+28672], %f1;
  add.f32 %f16, %f16, %f2;
  st.global.f32 [%d2+40960], %f16;
  add.u64 %d1, %d1, 44;
  add.u64 %d2, %d2, 3072;
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p1, %r10, 4;
  @%p1 bra round;
  ret;
}
)";
}

// Of %f5 alone.
const std::string kOfOne = kernelWith(R"(
  add.f32 %f8, %f5, 0f3F800000;
  sqrt.rn.f32 %f9, %f8;
  div.rn.f32 %f10, %f9, %f8;
  div.rn.f32 %f11, %f10, %f9;
  ex2.approx.f32 %f12, %f11;
  lg2.approx.f32 %f13, %f8;
  div.rn.f32 %f14, %f12, %f8;
  sqrt.rn.f32 %f15, %f14;
  add.f32 %f0, %f15, %f13;
)");

const Ran& plain(const std::string& code) {
  static std::map<std::string, Ran> known;
  const auto [found, isNew] = known.try_emplace(code);
  if (isNew) found->second = run(fermi(2), code);
  return found->second;
}

RoutineStatistics routine(const Ran& ran, const std::string& name) {
  const auto found = ran.routines.find("assist_routine_memoise_" + name);
  return found == ran.routines.end() ? RoutineStatistics{} : found->second;
}

TEST(Memoisation, SkipsWhatAllLanesFind) {
  const Ran ran = run(withMemoisation(), kOfOne);
  EXPECT_EQ(ran.memory, plain(kOfOne).memory);
  const RoutineStatistics lookUp = routine(ran, "0_look_up"), update = routine(ran, "0_update");
  EXPECT_EQ(lookUp.triggered, kAll / 32 * 4);
  EXPECT_EQ(lookUp.counted + update.counted, kAll * 4) << "each lane has found its result or computed it";
  EXPECT_GT(lookUp.counted, kAll * 2);
  EXPECT_LT(update.triggered, lookUp.triggered / 2);
}

TEST(Memoisation, IsTheSameAtAnyNumberOfThreads) {
  machines::TimingOptions several;
  several.threads = 3;
  EXPECT_EQ(run(withMemoisation(), kOfOne).all, run(withMemoisation(), kOfOne, several).all);
}

TEST(Memoisation, LeavesAloneWhatIsLessWork) {
  const Ran ran = run(withMemoisation([](auto& each) { each.leastWork = 200; }), kOfOne);
  EXPECT_TRUE(ran.routines.empty());
  EXPECT_EQ(ran.counters, run(withAssistWarps(fermi(2)), kOfOne).counters);
}

TEST(Memoisation, LeavesAloneWhatIsSaidToBeElsewhere) {
  EXPECT_TRUE(run(withMemoisation([](auto& each) { each.kernels = "other"; }), kOfOne).routines.empty());
  EXPECT_TRUE(run(withMemoisation([](auto& each) { each.found = false; }), kOfOne).routines.empty());
}

// A loop between pragmas, whose results depend on two words, one of which it changes.
const std::string kMarked = kernelWith(R"(
  .pragma "memoise begin";
  mov.u32 %r11, 0;
  mov.f32 %f0, 0f3F800000;
inner:
  .pragma "nounroll";
  add.f32 %f0, %f0, %f5;
  div.rn.f32 %f0, %f0, %f6;
  add.f32 %f6, %f6, 0f3F800000;
  setp.gt.u32 %p2, %r11, %r5;
  @%p2 bra done;
  add.u32 %r11, %r11, 1;
  setp.lt.u32 %p3, %r11, 6;
  @%p3 bra inner;
done:
  .pragma "memoise end";
  mov.f32 %f1, %f6;
)");

TEST(Memoisation, TakesRegionsWithLoopsThatAreMarked) {
  const Ran ran = run(withMemoisation(), kMarked);
  EXPECT_EQ(ran.memory, plain(kMarked).memory);
  EXPECT_GT(routine(ran, "0_look_up").counted, kAll * 2);
}

// Values of lanes that have never the same input are computed.
TEST(Memoisation, TellsInputsApartByAllBits) {
  const std::string code = kernelWith("add.u32 %r5, %r5, %r4;\n shl.b32 %r8, %r10, 20; or.b32 %r5, %r5, %r8; mov.b32 %f5, %r5;\n" +
                                      kOfOne.substr(kOfOne.find("add.f32 %f8"), kOfOne.find("st.global") - kOfOne.find("add.f32 %f8")));
  EXPECT_EQ(run(withMemoisation([](auto& each) { each.tableBytes = 128; }), code).memory, plain(code).memory);
}

// A result of two words, or of three: in a table of one entry most of what is looked up has some of them in common with what was kept.
TEST(Memoisation, TellsInputsApartByAllWords) {
  for (const char* last : {"%f6", "%f7"}) {
    const std::string code = kernelWith(fmt::format(R"(
  and.b32 %r5, %r5, 1;
  shr.u32 %r6, %r6, 1;
  and.b32 %r6, %r6, 1;
  shr.u32 %r7, %r7, 2;
  cvt.rn.f32.u32 %f5, %r5;
  cvt.rn.f32.u32 %f6, %r6;
  cvt.rn.f32.u32 %f7, %r7;
  .pragma "memoise begin";
  add.f32 %f8, %f5, 0f3F800000;
  add.f32 %f9, %f6, 0f40000000;
  add.f32 %f10, {}, 0f40400000;
  div.rn.f32 %f11, %f8, %f9;
  div.rn.f32 %f0, %f11, %f10;
  .pragma "memoise end";
)",
                                                    last));
    const Ran ran = run(withMemoisation([](auto& each) { each.tableBytes = 16; }), code);
    EXPECT_EQ(ran.memory, plain(code).memory) << last;
    EXPECT_GT(routine(ran, "0_look_up").counted, 0u) << last;
  }
}

// Of numbers that are loaded as what they are of the smallest one.
std::string ofLoadedSingle() {
  const std::string text = "add.f32 %f8, %f5,";
  std::string code = kOfOne;
  return code.replace(code.find(text), text.size(), R"(ld.global.f32 %f20, [%d1];
  mul.f32 %f21, %f20, 0f7E800000;
  mul.f32 %f22, %f21, 0f4B000000;
  add.f32 %f8, %f22,)");
}

TEST(Memoisation, RoundsInputsWhereItIsAskedTo) {
  const std::string code = ofLoadedSingle();
  const auto runWith = [&](u32 bits) {
    return run(withMemoisation([&](auto& each) {
                 each.roundBits = bits;
                 each.tableBytes = 64;
               }),
               code);
  };
  const Ran exact = runWith(0), rounded = runWith(22);
  EXPECT_EQ(exact.memory, plain(code).memory);
  EXPECT_NE(rounded.memory, plain(code).memory);
  EXPECT_GT(routine(rounded, "0_look_up").counted, routine(exact, "0_look_up").counted);
}

// Hashed tags are of all bits, and few values of one word have no hash in common but for the bit that marks tags.
TEST(Memoisation, HashesInputsWhereItIsAskedTo) {
  const Ran ran = run(withMemoisation([](auto& each) { each.tags = memoisation::Tags::hashed; }), kOfOne);
  EXPECT_EQ(ran.memory, plain(kOfOne).memory);
  EXPECT_GT(routine(ran, "0_look_up").counted, kAll * 2);
}

TEST(Memoisation, RefusesRegionsThatCannotBeSkipped) {
  const auto expectRefusal = [](const std::string& body, const std::string& with) {
    try {
      run(withMemoisation(), kernelWith(body));
      ADD_FAILURE() << "nothing is wrong with " << body;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(with), std::string::npos) << error.what();
    }
  };
  const std::string begin = ".pragma \"memoise begin\";\n", end = "\n.pragma \"memoise end\";\n";
  expectRefusal(begin + "st.global.u32 [%d1], %r5;" + end, "cannot be skipped: 'st.global.u32");
  expectRefusal(begin + "add.u32 %r8, %r5, 1;", "without an end");
  expectRefusal(end, "out of its order");
  expectRefusal(begin + "@%p1 bra round;" + end, "jumps out of a region");
  expectRefusal("@%p1 bra in;\n" + begin + "add.u32 %r8, %r5, 1;\nin: add.u32 %r9, %r8, 1;" + end + "mov.b32 %f0, %r9;",
                "jumps into a region");
  expectRefusal(begin + "setp.lt.u32 %p4, %r5, 1;" + end + "selp.f32 %f0, %f5, %f6, %p4;", "gives a predicate");
  expectRefusal(begin + "add.f64 %g0, %g1, %g2;" + end + "cvt.rn.f32.f64 %f0, %g0;", "depends on 4 words");
}

// Straight lines at random, of which the compiler makes what regions it finds.
class RandomLine {
 public:
  explicit RandomLine(u32 seed) : random_(seed) {}

  std::string text() {
    const u32 inputs = 1 + below(3);
    for (u32 i = 0; i < inputs; ++i) {
      singles_.push_back(fmt::format("%f{}", 5 + i));
      words_.push_back(fmt::format("%r{}", 5 + i));
    }
    for (u32 i = 0; i < 16; ++i) addInstruction(i);
    const u32 results = 1 + below(3);
    for (u32 i = 0; i < results; ++i) text_ += fmt::format("  mov.b32 %f{}, {};\n", i, below(2) == 0 ? pick(singles_) : pick(words_));
    return kernelWith(text_);
  }

 private:
  u32 below(u32 bound) { return static_cast<u32>(random_() % bound); }
  const std::string& pick(const std::vector<std::string>& from) { return from[below(static_cast<u32>(from.size()))]; }

  void addInstruction(u32 number) {
    const std::string single = fmt::format("%f{}", 17 + number), word = fmt::format("%r{}", 12 + number),
                      wide = fmt::format("%g{}", number);
    switch (below(9)) {
      case 0:
        return addSingle(single, fmt::format("div.rn.f32 {}, {}, {};", single, pick(singles_), pick(singles_)));
      case 1:
        return addSingle(single, fmt::format("sqrt.rn.f32 {}, {};", single, pick(singles_)));
      case 2:
        return addSingle(single, fmt::format("fma.rn.f32 {}, {}, {}, 0f3F800000;", single, pick(singles_), pick(singles_)));
      case 3:
        return addSingle(single, fmt::format("ex2.approx.f32 {}, {};", single, pick(singles_)));
      case 4:
        text_ += fmt::format("  setp.lt.f32 %p4, {}, {};\n", pick(singles_), pick(singles_));
        return addSingle(single, fmt::format("selp.f32 {}, {}, {}, %p4;", single, pick(singles_), pick(singles_)));
      case 5:
        text_ += fmt::format("  cvt.f64.f32 {}, {};\n", wide, pick(singles_));
        return addSingle(single, fmt::format("cvt.rn.f32.f64 {}, {};", single, wide));
      case 6:
        return addWord(word, fmt::format("rem.u32 {}, {}, 7;", word, pick(words_)));
      case 7:
        return addWord(word, fmt::format("xor.b32 {}, {}, {};", word, pick(words_), pick(words_)));
      default:
        return addWord(word, fmt::format("mul.lo.u32 {}, {}, {};", word, pick(words_), pick(words_)));
    }
  }
  void addSingle(const std::string& name, const std::string& line) {
    text_ += "  " + line + "\n";
    singles_.push_back(name);
  }
  void addWord(const std::string& name, const std::string& line) {
    text_ += "  " + line + "\n";
    words_.push_back(name);
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> singles_, words_;
};

struct Shape {
  u32 ways, tableBytes;
  memoisation::Replacement replacement;
};

class MemoisedLines : public ::testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(Tables, MemoisedLines,
                         ::testing::Values(Shape{1, 4096, memoisation::Replacement::newest}, Shape{1, 64, memoisation::Replacement::newest},
                                           Shape{2, 512, memoisation::Replacement::newest},
                                           Shape{4, 256, memoisation::Replacement::first}));

TEST_P(MemoisedLines, ComputeTheSameBitByBit) {
  u64 found = 0, regions = 0;
  for (u32 seed = 0; seed < 12; ++seed) {
    const std::string code = RandomLine(seed).text();
    const Ran ran = run(withMemoisation([&](auto& each) {
                          each.leastWork = 1;
                          each.ways = GetParam().ways;
                          each.tableBytes = GetParam().tableBytes;
                          each.replacement = GetParam().replacement;
                        }),
                        code);
    EXPECT_EQ(ran.memory, plain(code).memory) << code;
    for (const auto& [name, counted] : ran.routines) {
      if (!name.ends_with("look_up")) continue;
      ++regions;
      found += counted.counted;
    }
  }
  EXPECT_GT(regions, 12u);
  EXPECT_GT(found, 0u);
}

}  // namespace
}  // namespace warpwright::assist_tests
