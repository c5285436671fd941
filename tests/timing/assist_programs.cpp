#include "assist_programs.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "compiler/compiler.hpp"
#include "machines/timing_profile.hpp"
#include "ptx/parser.hpp"
#include "runtime/added_code.hpp"
#include "runtime/compile_options.hpp"
#include "runtime/points.hpp"
#include "stats/json.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::assist_tests {
namespace {

constexpr const char* kName = "assist-warps";

class NotesPicks final : public sm::WarpScheduler {
 public:
  NotesPicks(std::unique_ptr<WarpScheduler> inner, u32 number, Picked& picked)
      : inner_(std::move(inner)), number_(number), picked_(picked) {}
  SlotId pick(const sm::SchedulerView& view) override {
    const SlotId slot = inner_->pick(view);
    if (slot != sm::kNoWarp) picked_.insert({number_, view.now.ticks});
    return slot;
  }
  void issued(SlotId slot) override { inner_->issued(slot); }

 private:
  std::unique_ptr<WarpScheduler> inner_;
  const u32 number_;
  Picked& picked_;
};

class NotingPicks final : public mechanisms::Mechanism {
 public:
  explicit NotingPicks(Picked& picked) : picked_(picked) {}
  void equip(sm::Parts& parts, SmId) override {
    parts.scheduler.wrap([this](std::unique_ptr<sm::WarpScheduler> inner, u32 number) {
      return std::make_unique<NotesPicks>(std::move(inner), number, picked_);
    });
  }

 private:
  Picked& picked_;
};

}  // namespace

const char* const kHead = R"(
.version 7.0
.target sm_20
.address_size 64
)";

std::string kernelOf(const std::string& name, const std::string& body) {
  return ".visible .entry " + name + R"((.param .u64 out)
{
  .reg .u32 %r<16>;
  .reg .u64 %d<4>;
  .reg .pred %p<3>;
  ld.param.u64 %d0, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %d1, %r4, 4;
  add.u64 %d1, %d0, %d1;)" +
         body + "}\n";
}

// The fence keeps the branch over it from becoming guards: routines shall have one that diverges.
const std::string kWork = kernelOf("work", R"(
  mov.u32 %r5, 0;
  mov.u32 %r8, 0;
round:
  ld.global.u32 %r6, [%d1];
  add.u32 %r7, %r6, %r5;
  rem.u32 %r7, %r7, 3;
  st.global.u32 [%d1+32768], %r7;
  add.u64 %d1, %d1, 3072;
  and.b32 %r9, %r6, 1;
  setp.eq.u32 %p0, %r9, 0;
  @%p0 bra even;
  add.u32 %r8, %r8, %r7;
  membar.cta;
  ld.global.u32 %r10, [%d0];
  add.u32 %r8, %r8, %r10;
even:
  bar.sync 0;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 4;
  @%p1 bra round;
  st.global.u32 [%d1+40960], %r8;
  atom.global.add.u32 %r11, [%d0+65532], 1;
  ret;
)");

std::string countingZeros(const std::string& annotation) {
  return R"(
.visible .func (.param .b32 zeros) countZeros(.param .b32 stored)
.pragma ")" +
         annotation + R"(";
{
  .reg .u32 %r<3>;
  .reg .pred %p;
  ld.param.b32 %r0, [stored];
  setp.eq.u32 %p, %r0, 0;
  selp.u32 %r1, 1, 0, %p;
  st.param.b32 [zeros], %r1;
  ret;
}
)";
}

std::string looping(const std::string& annotation, bool takesAddress) {
  const std::string parameter = takesAddress ? ".param .b64 address" : "";
  const std::string address = takesAddress ? "ld.param.b64 %d0, [address];" : "mov.u64 %d0, 8;";
  return ".visible .func looping(" + parameter + ")\n.pragma \"" + annotation + "\";\n" + R"({
  .reg .u32 %r<3>;
  .reg .u64 %d0;
  .reg .pred %p;
  mov.u32 %r0, 0;
  )" + address +
         R"(
again:
  .pragma "nounroll";
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p, %r0, 10;
  @%p bra again;
  ld.global.u32 %r1, [%d0];
  add.u32 %r1, %r1, %r0;
  st.global.u32 [%d0], %r1;
  ret;
}
)";
}

std::string doubling() {
  return R"(
.visible .func (.param .b32 twice) doubling(.param .b32 loaded)
.pragma "assist on=load priority=high in=value out=value kernel=work";
{
  .reg .u32 %r<2>;
  ld.param.b32 %r0, [loaded];
  shl.b32 %r1, %r0, 1;
  st.param.b32 [twice], %r1;
  ret;
}
)";
}

Machine withAssistWarps(Machine machine, const std::function<void(Settings&)>& change) {
  machine.mechanisms.add(config::mechanismKind(kName));
  if (change) change(*std::any_cast<Settings>(machine.mechanisms.find(kName)));
  return machine;
}

Ran run(const Machine& config, const std::string& code, machines::TimingOptions options, Picked* picked) {
  const auto parameters = [](const u32* array) { return std::vector{reinterpret_cast<u64>(array)}; };
  return run(config, Subject{kHead + code, "work", kBlocks, kThreads, kWords, parameters}, std::move(options), picked);
}

// Caches are as they are after another launch of the same.
Ran run(const Machine& config, const Subject& subject, machines::TimingOptions options, Picked* picked) {
  mechanisms::Mechanisms mechanisms = mechanisms::makeMechanisms(config);
  ptx::Module module = ptx::parse(subject.ptx, "work.ptx");
  runtime::adapt(module, mechanisms, 0);
  runtime::addPoints(module, mechanisms);
  const isa::Program program = compiler::compile(module, runtime::compileOptions(config, isa::kMaxRegisters));
  const mechanisms::BlockNeeds needs = mechanisms::needsOf(mechanisms, program, *program.findFunction(subject.kernel));
  if (picked != nullptr) mechanisms.push_back(std::make_unique<NotingPicks>(*picked));
  TimedMachine machine(config, options, std::move(mechanisms));
  machine.extraRegisters = needs.registers;
  machine.helperBytes = needs.helperBytes;
  machine.helperTableBytes = needs.helperTableBytes;
  const exec::LoadedProgram& loaded = machine.load(program);
  u32* words = machine.array<u32>(subject.words);
  for (u32 i = 0; i < subject.words; ++i) words[i] = i * 7 % 11;
  Ran ran;
  ran.result = machine.run(loaded, {subject.blocks}, {subject.threads}, subject.parameters(words));
  ran.steps = machine.timeline().steps();
  ran.memory.assign(words, words + subject.words);
  nlohmann::json counters = stats::toJson(ran.result.stats);
  ran.all = counters.dump();
  counters.erase("mechanisms");
  ran.counters = counters.dump();
  ran.result.stats.mechanisms.forEach([&](const std::string& name, const stats::AnyStatistics& each) {
    if (const auto* counted = dynamic_cast<const stats::Structure<Statistics>*>(&each)) ran.counted = counted->value();
    if (const auto* routine = dynamic_cast<const stats::Structure<RoutineStatistics>*>(&each)) ran.routines[name] = routine->value();
  });
  for (const std::string& law : ran.result.violations) ADD_FAILURE() << law;
  stats::Conservation laws;
  check(ran.counted, laws);
  for (const std::string& law : laws.violations()) ADD_FAILURE() << law;
  EXPECT_EQ(ran.counted.instructions, ran.result.stats.sm.assistInstructions);
  return ran;
}

std::string lineOf(const std::string& routines, const std::string& text) {
  const std::string file = kHead + routines;
  const auto position = static_cast<std::ptrdiff_t>(std::min(file.find(text), file.size()));
  return ":" + std::to_string(1 + std::count(file.begin(), file.begin() + position, '\n'));
}

u64 zerosStored(const std::vector<u32>& memory) {
  const auto first = memory.begin() + kRemainders, last = memory.begin() + kSums;
  return static_cast<u64>(std::count(first, first + kRounds * kAll, 0u) + std::count(last, last + kAll, 0u));
}

AssistFile::~AssistFile() { std::remove(file_.c_str()); }

std::unique_ptr<runtime::Device> AssistFile::device(const std::string& routines, const machines::TimingOptions& options,
                                                    const std::function<void(Settings&)>& change) {
  std::ofstream(file_) << kHead << routines;
  runtime::Settings settings;
  settings.machine = withAssistWarps(fermi(1), [&](Settings& each) {
    each.routines = routines.empty() ? "" : file_;
    if (change) change(each);
  });
  settings.timing = options;
  return std::make_unique<runtime::Device>(settings);
}

AssistFile::Launched AssistFile::launch(runtime::Device& device, const std::string& module) {
  runtime::Launch launch;
  launch.module = &device.loadModule(std::string(kHead) + module, "program.ptx");
  const auto& functions = launch.module->loaded->program.functions;
  launch.kernel = &*std::find_if(functions.begin(), functions.end(), [](const isa::Function& each) { return each.isKernel; });
  launch.grid = {kBlocks};
  launch.block = {kThreads};
  const u64 out = device.memory().allocate(kWords * sizeof(u32), exec::AllocationKind::device).value();
  launch.parameters.resize(sizeof out);
  std::memcpy(launch.parameters.data(), &out, sizeof out);
  Launched result;
  result.outcome = device.launch(launch);
  const auto& counters = device.timing().kernels().at(0)->counters;
  if (const auto* counted = dynamic_cast<const stats::Structure<Statistics>*>(counters.gpu.mechanisms.find("assist_warps")))
    result.counted = counted->value();
  result.cycles = counters.cycles;
  result.all = stats::toJson(counters.gpu).dump();
  return result;
}

std::string AssistFile::refusal(const std::string& routines, const std::function<void(Settings&)>& change) {
  try {
    device(routines, {}, change)->loadModule(std::string(kHead) + kWork, "work.ptx");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string exampleFile(const std::string& name) {
  std::ifstream file(std::string(WARPWRIGHT_SOURCE_DIR) + "/examples/assist-warps/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string example(const std::string& name) {
  const std::string text = exampleFile(name);
  return text.substr(std::min(text.find(".visible"), text.size()));
}

}  // namespace warpwright::assist_tests
