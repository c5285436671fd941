// The cycle tables of Gou, "Customizable Memory Schemes for Data Parallel Accelerators", figures 5.4 and 5.5, and what section 5.4.3 says
// of figure 5.6: which sub-warp is in which stage in which cycle, on a whole machine. The files of tests/golden/timelines say why.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "golden_file.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using isa::DataType;
using isa::Opcode;
using sm::Stage;
using testing::Assembler;
using testing::imm;
using testing::P;
using testing::R;
using testing::TimedMachine;

// What is where: the sub-warps counted in the order of their issue slots.
class StageTable final : public sm::PipelineListener {
 public:
  explicit StageTable(u32 subWarps) : subWarps_(subWarps) {}

  void issued(const sm::IssuedInstruction& instruction, Cycle now) override {
    if (instruction.pc == pc && instruction.warp == warp) place = instruction.number * subWarps_, issue = now.ticks;
  }
  bool followsStages() const override { return true; }
  void inStage(u32 number, u32 subWarp, Stage stage, Cycle cycle) override {
    cells_[{cycle.ticks, stage.kind, stage.index}].push_back(number * subWarps_ + subWarp);
  }

  // From the cycle before W(i) is fetched on. W(i) is the first sub-warp of the last execution of `pc` by `warp`.
  std::string text(const std::vector<std::pair<std::string, Stage>>& columns, u32 rows) const {
    std::string result = "# cycle";
    for (const auto& [name, stage] : columns) result += fmt::format(" {:7}", name);
    result = trimmed(result);
    for (u64 cycle = issue - 1; cycle < issue - 1 + rows; ++cycle) {
      std::string line = fmt::format("{:>7}", named("i", static_cast<s64>(cycle - issue), ""));
      for (const auto& [name, stage] : columns) line += fmt::format(" {:7}", cell(cycle, stage));
      result += trimmed(line);
    }
    return result;
  }

  u32 pc = 0, warp = 0;
  s64 place = 0;
  u64 issue = 0;

 private:
  static std::string named(const std::string& before, s64 distance, const std::string& behind) {
    return before + (distance == 0 ? "" : fmt::format("{:+}", distance)) + behind;
  }
  static std::string trimmed(std::string line) { return line.substr(0, line.find_last_not_of(' ') + 1) + "\n"; }
  std::string cell(u64 cycle, Stage stage) const {
    const auto found = cells_.find({cycle, stage.kind, stage.index});
    if (found == cells_.end()) return "-";
    std::string result;
    for (const s64 each : found->second) result += named("W(i", each - place, ")");
    return result;
  }

  const u32 subWarps_;
  std::map<std::tuple<u64, Stage::Kind, u32>, std::vector<s64>> cells_;
};

// Fetch, decode, execute, two memory stages, write-back; eight lanes.
config::Machine sixStages(u32 subWarps, std::vector<std::string> more) {
  std::vector<std::string> settings = {"sm.pipeline.stages=6", "sm.pipeline.memory_stages=2", fmt::format("sm.warp_size={}", 8 * subWarps),
                                       "sm.threads_per_block=256"};
  settings.insert(settings.end(), more.begin(), more.end());
  config::Machine machine = config::loadMachine("gt200-elastic", settings);
  machine.multiprocessors = 1;
  machine.l1i.bytes = 64 * 1024;
  machine.sm.fetchWidth = 8;
  machine.sm.instructionBuffer = 16;
  config::validate(machine);
  return machine;
}

constexpr u32 kWarps = 16, kConflicting = 8, kAdds = 8;

struct Program {
  isa::Program code;
  u32 load = 0;  // its pc
};

// Warps of a full barrel, each an instruction in its turn, the second time from the instruction cache. All add but those of `loading`,
// which load from shared memory without conflicts, and warp 8, whose lanes conflict with degree 2 in every sub-warp.
Program loadAmongAdds(u32 loading) {
  Program result;
  Assembler code;
  code.program.addressBits = 64;
  const auto emit = [&](Opcode opcode, u32 to, auto a, auto b) { code.emit(opcode, DataType::u32, {R(to)}, {a, b}); };
  const auto adds = [&](u32 count) {
    for (u32 i = 0; i < count; ++i) emit(Opcode::add, 5, R(6), R(7));
  };
  code.emit(Opcode::mov, DataType::u32, {R(0)}, {imm(0)});
  const u32 loop = code.here();
  code.special(1, isa::SpecialRegister::warpid);
  code.special(2, isa::SpecialRegister::laneid);
  code.compare(1, isa::Compare::eq, DataType::u32, R(1), imm(kConflicting));
  code.emit(Opcode::selp, DataType::u32, {R(3)}, {imm(8), imm(4), P(1)});
  emit(Opcode::mul_lo, 2, R(2), R(3));
  emit(Opcode::shl, 3, imm(1), R(1));
  code.emit(Opcode::and_, DataType::u32, {R(3)}, {R(3), imm(loading | 1u << kConflicting)});
  code.compare(2, isa::Compare::ne, DataType::u32, R(3), imm(0));
  code.barrier();
  const u32 branch = code.here(), elsewhere = branch + 2 + 2 * kAdds, meeting = elsewhere + 2 + 2 * kAdds;
  code.branch(P(2), elsewhere, meeting);
  adds(2 * kAdds);
  code.jump(meeting);
  adds(kAdds);
  result.load = code.here();
  code.load(isa::Space::shared, DataType::u32, 4, R(2)).modifiers.wordAddress = true;
  adds(kAdds);
  code.jump(meeting);
  emit(Opcode::add, 0, R(0), imm(1));
  code.compare(0, isa::Compare::lt, DataType::u32, R(0), imm(2));
  code.branch(P(0), loop);
  code.exit();
  isa::Function& function = code.function("k");
  function.registers = 32;
  function.sharedBytes = 256;
  result.code = code.program;
  return result;
}

using Columns = std::vector<std::pair<std::string, Stage>>;
const Columns kFront = {{"IF", {Stage::Kind::front, 0}}, {"ID", {Stage::Kind::front, 1}}, {"EXE", {Stage::Kind::front, 2}}};
const Columns kMemory = {{"MEM0", {Stage::Kind::memory, 0}}, {"MEM1", {Stage::Kind::memory, 1}}};
const Columns kNonmemory = {{"NONMEM0", {Stage::Kind::nonmem, 0}}, {"NONMEM1", {Stage::Kind::nonmem, 1}}};
const Columns kNonmemQueue = {{"NQ1", {Stage::Kind::nonmem, 1}}, {"NQ0", {Stage::Kind::nonmem, 0}}};
const Columns kPremem = {{"PREMEM", {Stage::Kind::premem, 0}}};
const Columns kWriteBack = {{"WB", {Stage::Kind::writeBack, 0}}};

Columns joined(const std::vector<Columns>& parts) {
  Columns result;
  for (const Columns& part : parts) result.insert(result.end(), part.begin(), part.end());
  return result;
}

void expectTable(const std::string& name, const std::string& why, const config::Machine& machine, u32 loading, const Columns& columns) {
  const Program program = loadAmongAdds(loading);
  StageTable table(machine.warpSize / machine.sm.loadStore.width);
  table.pc = program.load;
  table.warp = kConflicting;
  machines::TimingOptions options;
  options.skip = false;
  options.listenerOf = [&](SmId) { return &table; };
  TimedMachine(machine, options).run(program.code, {1}, {kWarps * machine.warpSize});
  testing::expectTimeline(name, why, table.text(columns, 10));
}

TEST(StageTables, UnifiedMemoryStages) {
  expectTable("in_order_unified",
              "Gou, figure 5.4 (a): W(i) accesses shared memory with conflict degree 2, all others add. It stays in MEM0 in i+3 and i+4; "
              "the stages\n"
              "before stand still, so that W(i+3) is fetched twice, and write-back has nothing to do in i+5.",
              sixStages(1, {}), 0, joined({kFront, kMemory, kWriteBack}));
}

TEST(StageTables, SplitMemoryStages) {
  expectTable("in_order_split",
              "Gou, figure 5.4 (b): with stages of its own W(i+1) passes by W(i), and is due in write-back in i+6, as W(i) is. W(i) goes "
              "first, and\n"
              "all that is not in its stages stands still in that cycle: W(i+5) is fetched twice. The bubble of i+5 is as before.",
              sixStages(1, {"sm.pipeline.split_memory_stages=true"}), 0, joined({kFront, kMemory, kNonmemory, kWriteBack}));
}

TEST(StageTables, ElasticPipeline) {
  expectTable(
      "elastic_pipeline",
      "Gou, figure 5.5, in the state of figure 5.4: two accesses without conflict, W(i-4) and W(i-3), have left W(i-2) and W(i-1) in the\n"
      "NONMEM queue (NQ0 is its head), so that W(i-1) is written back in i+4. W(i+1) is written back in i+5 from the queue, before W(i):\n"
      "no bubble, and nobody is fetched twice.",
      sixStages(1, {"mechanism.elastic-pipeline=true"}), 1u << (kConflicting - 3) | 1u << (kConflicting - 4),
      joined({kFront, kMemory, kNonmemQueue, kWriteBack}));
}

TEST(StageTables, ElasticPipelineWithTwoSubWarps) {
  expectTable(
      "elastic_two_sub_warps",
      "Gou, figure 5.6 with two sub-warps a warp: W(i) and W(i+1) are the halves of one access, each with conflict degree 2. Section "
      "5.4.3:\n"
      "W(i+1) is in the PREMEM queue in i+4, W(i+2) steps into write-back at the beginning of i+5. The NONMEM queue (NQ0 is its head) has "
      "held\n"
      "two sub-warps since the access of the first round: the pipeline has been full ever since.",
      sixStages(2, {"mechanism.elastic-pipeline=true"}), 0, joined({kFront, kPremem, kMemory, kNonmemQueue, kWriteBack}));
}

}  // namespace
}  // namespace warpwright
