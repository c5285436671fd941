// When the first rounds of the programs issue what, against files that were checked by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "spe/programs/program.hpp"
#include "timing/golden_file.hpp"

namespace warpwright::spe {
namespace {

constexpr std::size_t kShown = 120;  // instructions

// "cycle address instruction" from the first access to the local store on, two spaces further in for the second of two that issue together.
std::string timelineOf(const char* program, const char* spe) {
  struct Recorder final : PipelineListener {
    void issued(const Issue& issue) override {
      const Opcode opcode = issue.instruction.opcode;
      hasBegun |= isLoad(opcode) || isStore(opcode);
      if (hasBegun && issues.size() < kShown) issues.push_back({issue.address, issue.cycle, issue.lost, issue.cause});
    }
    struct Kept {
      u32 address;
      u64 cycle, lost;
      Stall cause;
    };
    bool hasBegun = false;
    std::vector<Kept> issues;
  } recorder;
  Spu spu(machineOf(spe));
  spu.listen(&recorder);
  programOf(program).run(spu);
  spu.finish();
  std::map<u32, std::string> texts;
  for (const CodeLine& line : spu.code()) texts[line.address] = line.text;
  std::string text = "# cycle address instruction\n";
  u64 before = ~u64{0};
  for (const Recorder::Kept& issue : recorder.issues) {
    const char* const indent = issue.cycle == before ? "  " : "";
    text += fmt::format("{:>7}  {:05x}  {}{}", issue.cycle, issue.address, indent, texts.at(issue.address));
    if (issue.lost != 0) text += fmt::format("  # after {} for {}", issue.lost, kStallNames[static_cast<std::size_t>(issue.cause)]);
    text += "\n";
    before = issue.cycle;
  }
  return text;
}

void expectGolden(const char* program, const std::string& why) {
  for (const char* const spe : {"original", "sams"})
    testing::expectTimeline(fmt::format("spe_{}_{}", program, spe), why, timelineOf(program, spe));
}

TEST(Timelines, ComplexMultiplication) {
  expectGolden("complex-multiplication",
               "A batch loads, sorts where the SPE is the original, and multiplies: products wait for the loads (6 cycles, 10 with SAMS), "
               "sums for the\n"
               "products (6), stores for the sums. Nothing overlaps, as code stands in the order in which it was written.");
}

TEST(Timelines, Transpose) {
  expectGolden("transpose",
               "Four loads, then eight shuffles of two steps and four stores on the original, where loads and stores are all that there is "
               "with SAMS: each store\n"
               "waits for its column alone. All are on the odd pipe, one a cycle.");
}

TEST(Timelines, VectorMatrix) {
  expectGolden(
      "vector-matrix",
      "Figure 4.2: three loads and six shuffles sort a; with SAMS three loads bring its fields. The fields of B come the same way.");
}

}  // namespace
}  // namespace warpwright::spe
