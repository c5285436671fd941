#include "mechanisms/assist_warps/kind.hpp"

#include <algorithm>
#include <deque>

#include "base/file.hpp"
#include "compiler/analysis/function_notes.hpp"
#include "mechanisms/assist_warps/controller.hpp"
#include "mechanisms/assist_warps/energy_events.hpp"
#include "mechanisms/assist_warps/hardware.hpp"
#include "mechanisms/kind_parts.hpp"

namespace warpwright::mechanisms::assist_warps {
namespace {

constexpr std::string_view kName = "assist-warps";
// Statistics of one routine have its name behind this.
constexpr const char* kRoutineCounters = "assist_routine_";

constexpr const compiler::AnalysisKind* kAnalyses[] = {&compiler::kFunctionNotes};
constexpr CommandOption kOption{"--assist", "FILE.ptx",
                                "Run the routines of a PTX file beside the warps, or of several (docs/assist-warps.md)", "routines"};

class AssistWarps final : public Mechanism {
 public:
  AssistWarps(const Settings& settings, const config::Machine& machine) : settings_(settings), machine_(machine) {
    for (const std::string& file : listed(settings.routines)) code_.push_back({file, readFile(file)});
  }

  std::vector<CodeUnit> code(u32) const override { return code_; }
  void check(const isa::Program& program) const override {
    const bool isFile = std::ranges::any_of(code_, [&](const CodeUnit& each) { return each.name == program.sourceName; });
    if (isFile) requireRoutines(program);
    if (!isFile && !code_.empty()) requireNames(program, listed(settings_.only));
    checkRoutines(program, settings_.only, {settings_.storeInstructions, settings_.mapEntries});
  }
  BlockNeeds needs(const isa::Program& program, const isa::Function& kernel) const override {
    const Routines routines = routinesFor(program, kernel, settings_.only);
    return {.registers = routines.registers,
            .sharedBytes = routines.tableBytes,
            .sharedBytesOfWarp = routines.scratchBytes,
            .helperBytes = routines.bufferBytes,
            .helperTableBytes = routines.tableBytes};
  }
  std::vector<RegistersAt> registersFor(const std::string& function, std::span<const std::string> pragmas,
                                        const SourcePosition& where) const override {
    return assist_warps::registersFor(function, pragmas, where, settings_.only);
  }
  std::vector<KernelMention> kernelsNamed(const isa::Program& program) const override {
    return assist_warps::kernelsNamed(program, settings_.only);
  }
  void launchBegins(const exec::LaunchRequest& request, sm::LaunchNotes& into) override {
    const isa::Program& program = request.launch->program->program;
    ofPrograms_.storeUsed.observe(u64{storedOf(program, settings_.only).instructions} * machine_.sm.instructionBytes);
    into.add(routinesFor(program, *request.launch->kernel, settings_.only));
  }
  void equip(sm::Parts& parts, SmId) override {
    Counted& own = counted_.emplace_back();
    parts.helpers.replace(std::string(kName), [this, &own, link = parts.assistance](const sm::HelperContext& context) {
      auto controller = std::make_unique<Controller>(settings_, machine_, context.control, own);
      link->offered = controller.get();
      return controller;
    });
  }
  void collect(stats::NamedStatistics& into) const override {
    into.add(kCounters, stats::Structure(ofPrograms_));
    for (const Counted& each : counted_) {
      into.add(kCounters, stats::Structure(each.all));
      for (const auto& [name, routine] : each.byRoutine) into.add(kRoutineCounters + name, stats::Structure(routine));
    }
  }

 private:
  const Settings settings_;
  const config::Machine& machine_;
  std::vector<CodeUnit> code_;
  std::deque<Counted> counted_;
  Statistics ofPrograms_;  // what no SM counts
};

}  // namespace

const Kind kAssistWarps{
    .description =
        {.name = kName,
         .text = "Routines that a user writes run beside the warps of a program, in the registers that it leaves and the issue slots "
                 "that it does not need, when something triggers them.",
         .paper = "Vijaykumar, Pekhimenko, Jog, Ghose, Bhowmick, Ausavarungnirun, Das, Kandemir, Mowry, Mutlu, \"A Framework for "
                  "Accelerating Bottlenecks in GPU Execution with Assist Warps\", section 4 (CABA)",
         .timed = true,
         .assists = true,
         .defaults = Settings{},
         .settings = settingRows(),
         .problem = problem},
    .make = makeFor<AssistWarps, Settings>,
    .counted = [] { return zeroOf<Statistics>(kCounters); },
    .analyses = kAnalyses,
    .energyEvents = [](const std::any& settings, const config::Machine& machine,
                       const energy::Table& table) { return energyEvents(*std::any_cast<Settings>(&settings), machine, table); },
    .energyPaths = kEnergyPaths,
    .hardware = [](const std::any& settings,
                   const config::Machine& machine) { return hardware(*std::any_cast<Settings>(&settings), machine); },
    .option = &kOption,
};

}  // namespace warpwright::mechanisms::assist_warps
