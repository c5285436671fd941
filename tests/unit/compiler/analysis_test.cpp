// Marks that an analysis puts on instructions before allocation, at the places where the instructions end up.
#include "compiler/analysis/analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "compiler/compiler.hpp"
#include "ptx/parser.hpp"
#include "random_ptx.hpp"

namespace warpwright::compiler {
namespace {

namespace fs = std::filesystem;

// Every load of the program, in the order of the code before allocation; the mark is its place in the list, plus 1.
struct Load {
  isa::DataType type{};
  isa::Modifiers modifiers;
  u32 vector = 0, ptxLine = 0;
  bool operator==(const Load&) const = default;
};
using Loads = std::vector<Load>;

Load describe(const isa::Instruction& instruction) {
  return {instruction.type, instruction.modifiers, instruction.vector, instruction.ptxLine};
}

class LoadAnalysis : public Analysis {
 public:
  std::vector<u32> mark(const MachineFunction& function) override {
    std::vector<u32> marks;
    for (const MachineInstruction& instruction : function.code) {
      if (instruction.opcode == isa::Opcode::ld) loads_.push_back(describe(instruction));
      marks.push_back(instruction.opcode == isa::Opcode::ld ? static_cast<u32>(loads_.size()) : 0);
    }
    return marks;
  }
  std::any table() override { return loads_; }

 private:
  Loads loads_;
};

const AnalysisKind kLoads{"loads", [] { return std::unique_ptr<Analysis>(std::make_unique<LoadAnalysis>()); }};

struct Outcome {
  std::size_t marked = 0, spills = 0;
};

Outcome check(const std::string& ptx, const std::string& name, u32 maxRegisters) {
  Options options;
  options.maxRegisters = maxRegisters;
  const ptx::Module module = ptx::parse(ptx, name);
  isa::Program plain;
  try {
    plain = compile(module, options);
  } catch (const Error&) {
    return {};  // it cannot be compiled with so few registers
  }
  options.analyses = {&kLoads};
  const isa::Program program = compile(module, options);
  Outcome outcome;
  EXPECT_TRUE(plain.marks.empty());
  EXPECT_EQ(plain.code.size(), program.code.size()) << "an analysis changes no code";
  const isa::Marks& marks = program.marks.at("loads");
  EXPECT_EQ(marks.of.size(), program.code.size());
  const Loads& loads = *std::any_cast<Loads>(&marks.table);
  std::vector<u32> found(loads.size());
  for (Pc pc{0}; pc < program.code.size(); ++pc) {
    const isa::Instruction& instruction = program.code[pc];
    outcome.spills += instruction.spill && instruction.opcode == isa::Opcode::ld;
    if (instruction.spill) EXPECT_EQ(marks.of[pc], 0u) << name << " " << pc;
    if (marks.of[pc] == 0) continue;
    ++outcome.marked;
    EXPECT_EQ(instruction.opcode, isa::Opcode::ld) << name << " " << pc;
    EXPECT_EQ(describe(instruction), loads.at(marks.of[pc] - 1)) << name << " " << pc;
    ++found[marks.of[pc] - 1];
  }
  EXPECT_EQ(std::count(found.begin(), found.end(), 0u), 0) << name << ": loads without a mark in the end";
  const auto isOwnLoad = [](const isa::Instruction& each) { return each.opcode == isa::Opcode::ld && !each.spill; };
  const auto all = std::count_if(program.code.begin(), program.code.end(), isOwnLoad);
  EXPECT_GE(all, std::count(found.begin(), found.end(), 1u));
  return outcome;
}

TEST(Marks, FollowTheLoadsOfRandomKernelsToTheirPlaces) {
  constexpr u32 kKernels = 12;  // these tests run under sanitizers alone, where a kernel takes seconds
  Outcome all;
  for (u32 seed = 0; seed < kKernels; ++seed) {
    for (const u32 registers : {255u, 24u, 14u}) {
      const Outcome outcome = check(RandomKernel(seed).ptx(), "random", registers);
      all.marked += outcome.marked;
      all.spills += outcome.spills;
    }
  }
  EXPECT_GT(all.marked, 10 * kKernels);
  EXPECT_GT(all.spills, kKernels) << "code that allocation adds was among it";
}

TEST(Marks, FollowTheLoadsOfOtherPrograms) {
  std::vector<fs::path> files;
  for (const char* folder : {"/tests/golden/compiler", "/tests/conformance/ptx"}) {
    for (const auto& entry : fs::directory_iterator(std::string(WARPWRIGHT_SOURCE_DIR) + folder))
      if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::size_t marked = 0;
  for (std::size_t i = 0; i < files.size(); i += i < 20 ? 1 : 40)
    marked += check(readFile(files[i].string()), files[i].filename().string(), isa::kMaxRegisters).marked;
  EXPECT_GT(marked, 50u);
}

// Two analyses of which one has nothing to say.
TEST(Marks, OfAnalysesStandApart) {
  class Silent : public Analysis {
   public:
    std::vector<u32> mark(const MachineFunction& function) override { return std::vector<u32>(function.code.size()); }
  };
  const AnalysisKind silent{"silent", [] { return std::unique_ptr<Analysis>(std::make_unique<Silent>()); }};
  Options options;
  options.analyses = {&silent, &kLoads};
  const isa::Program program = compile(ptx::parse(RandomKernel(1).ptx(), "random"), options);
  const auto isMarked = [](u32 mark) { return mark != 0; };
  EXPECT_TRUE(std::ranges::none_of(program.marks.at("silent").of, isMarked));
  EXPECT_TRUE(std::ranges::any_of(program.marks.at("loads").of, isMarked));
  EXPECT_FALSE(program.marks.at("silent").table.has_value());
}

}  // namespace
}  // namespace warpwright::compiler
