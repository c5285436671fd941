#include "mechanisms/memoisation/kind.hpp"

#include "mechanisms/kernel_names.hpp"
#include "mechanisms/kind_parts.hpp"
#include "mechanisms/memoisation/routines.hpp"

namespace warpwright::mechanisms::memoisation {
namespace {

class Memoisation final : public Mechanism {
 public:
  Memoisation(const Settings& settings, const config::Machine&) : settings_(settings), kernels_(namesIn(settings.kernels)) {}

  std::vector<CodeUnit> codeFor(ptx::Module& program, u32 addressBits) const override {
    compiler::RegionChoice choice;
    choice.name = "memoise";
    choice.found = settings_.found;
    choice.leastWork = settings_.leastWork;
    choice.lines = linesIn(settings_.lines);
    choice.wants = [this](const std::string& kernel) { return kernels_.empty() || isAmong(kernel, kernels_); };
    const std::vector<compiler::SkippableRegion> regions = compiler::makeSkippable(program, choice);
    if (regions.empty()) return {};
    return {{"routines of memoisation", textOf(settings_, regions, addressBits)}};
  }
  std::vector<KernelMention> kernelsNamed(const isa::Program&) const override {
    std::vector<KernelMention> mentions;
    for (const std::string& kernel : kernels_) mentions.push_back({kernel, "mechanism.memoisation.kernels"});
    return mentions;
  }

 private:
  const Settings settings_;
  const std::vector<std::string> kernels_;
};

}  // namespace

const Kind kMemoisation{
    .description = {.name = "memoisation",
                    .text = "Assist warps look up what regions of a program would compute, in tables in shared memory, and keep what they "
                            "have computed; where all lanes of a warp find theirs, it skips the region.",
                    .paper =
                        "Vijaykumar, Pekhimenko, Jog, Ghose, Bhowmick, Ausavarungnirun, Das, Kandemir, Mowry, Mutlu, \"A Framework for "
                        "Accelerating Bottlenecks in GPU Execution with Assist Warps\", section 8.1",
                    .timed = true,
                    .defaults = Settings{},
                    .settings = settingRows(),
                    .problem = problem,
                    .wantsAssistance = [](const std::any&) { return true; }},
    .make = makeFor<Memoisation, Settings>,
};

}  // namespace warpwright::mechanisms::memoisation
