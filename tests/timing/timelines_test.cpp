// Timelines of tiny kernels: each file of tests/golden/timelines says why its cycles are right, and lists what each warp did when.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "golden_file.hpp"
#include "isa/disassembler.hpp"
#include "tiny_kernels.hpp"

namespace warpwright {
namespace {

using testing::Step;
using testing::TimedMachine;
using testing::TinyKernel;

struct Event {
  u64 cycle = 0;
  u32 order = 0;  // within a cycle: the end of the pipeline before its beginning
  u32 warp = 0, pc = 0;
  std::string text;
  auto key() const { return std::tuple(cycle, order, warp, pc); }
};

// What the instructions of the body did in the second round, when all of their code lies in the instruction cache; cycles from the first
// issue on.
std::vector<Event> eventsOf(const TimedMachine& machine, u32 begin, u32 end) {
  std::map<std::pair<u32, u32>, u32> executions;
  std::vector<Step> steps;
  for (const Step& step : machine.timeline().steps()) {
    if (step.what.pc < begin || step.what.pc >= end) continue;
    if (++executions[{step.what.warp, step.what.pc}] == 2) steps.push_back(step);
  }
  std::vector<Event> events;
  const u64 zero = steps.empty() ? 0 : steps.front().issued;
  for (const Step& step : steps) {
    const u32 pc = step.what.pc - begin;
    const auto add = [&](u64 cycle, u32 order, std::string text) {
      if (cycle != 0) events.push_back({cycle - zero, order, step.what.warp, pc, std::move(text)});
    };
    const u32 lanes = step.what.executing.size();
    add(step.issued, 3,
        "issue     " + isa::disassemble(*step.what.instruction, 64) + (lanes == 32 ? "" : fmt::format("  ({} lanes)", lanes)));
    add(step.dispatched, 2, "dispatch");
    add(step.memoryDone, 1, "memory");
    add(step.completed, 0, "complete");
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.key() < b.key(); });
  return events;
}

std::string timelineOf(const TinyKernel& kernel) {
  TimedMachine machine(kernel.machine);
  const u64 data = reinterpret_cast<u64>(machine.array<u64>(8192));
  const testing::TwoRounds rounds = testing::twoRounds(kernel);
  machine.run(rounds.program, {1}, {kernel.warps * 32}, {(data + 0x3fff) / 0x4000 * 0x4000});
  std::string text = "# cycle warp instruction event\n";
  for (const Event& event : eventsOf(machine, rounds.begin, rounds.end))
    text += fmt::format("{:7} {:4} {:11} {}\n", event.cycle, event.warp, event.pc, event.text);
  return text;
}

class Timelines : public ::testing::TestWithParam<TinyKernel> {};

TEST_P(Timelines, AreThoseOfTheFile) { testing::expectTimeline(GetParam().name, GetParam().why, timelineOf(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Kernels, Timelines, ::testing::ValuesIn(testing::tinyKernels()), [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace warpwright
