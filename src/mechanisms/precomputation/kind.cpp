#include "mechanisms/precomputation/kind.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/regions/address_slices.hpp"
#include "mechanisms/kernel_names.hpp"
#include "mechanisms/kind_parts.hpp"
#include "mechanisms/precomputation/settings.hpp"

namespace warpwright::mechanisms::precomputation {
namespace {

// What it needs has the names that the kernel has for it.
std::string routineOf(const compiler::AddressSlice& slice, u32 number) {
  std::vector<std::string> parameters, liveIns, lines;
  for (const auto& [reg, bytes] : slice.needed) {
    const u32 bits = bytes * 8;
    parameters.push_back(fmt::format(".param .b{} i{}", bits, parameters.size()));
    lines.push_back(fmt::format(".reg .b{} {};", bits, reg));
    lines.push_back(fmt::format("ld.param.b{} {}, [i{}];", bits, reg, liveIns.size()));
    liveIns.push_back("reg:" + reg);
  }
  lines.insert(lines.end(), slice.code.begin(), slice.code.end());
  lines.push_back("ret;");
  return fmt::format(
      "// Of kernel {}, line {}: the addresses of {} loads.\n.visible .func precompute_{}({})\n.pragma \"assist on=label:{} priority=low "
      "in={} "
      "kernel={}\";\n{{\n  {}\n}}\n",
      slice.kernel, slice.line, slice.loads, number, fmt::join(parameters, ", "), slice.label, fmt::join(liveIns, ","), slice.kernel,
      fmt::join(lines, "\n  "));
}

class Precomputation final : public Mechanism {
 public:
  Precomputation(const Settings& settings, const config::Machine&) : settings_(settings), kernels_(namesIn(settings.kernels)) {}

  std::vector<CodeUnit> codeFor(ptx::Module& program, u32 addressBits) const override {
    const auto wants = [this](const std::string& kernel) { return kernels_.empty() || isAmong(kernel, kernels_); };
    const std::vector<compiler::AddressSlice> slices =
        compiler::cutAddressSlices(program, {"precompute", settings_.distance, settings_.direct, wants});
    if (slices.empty()) return {};
    std::string text = fmt::format(".version 7.0\n.target sm_80\n.address_size {}\n", addressBits);
    u32 number = 0;
    for (const compiler::AddressSlice& slice : slices) text += routineOf(slice, number++);
    return {{"routines of precomputation", text}};
  }
  std::vector<KernelMention> kernelsNamed(const isa::Program&) const override {
    std::vector<KernelMention> mentions;
    for (const std::string& kernel : kernels_) mentions.push_back({kernel, "mechanism.precomputation.kernels"});
    return mentions;
  }

 private:
  const Settings settings_;
  const std::vector<std::string> kernels_;
};

}  // namespace

const Kind kPrecomputation{
    .description =
        {.name = "precomputation",
         .text = "Assist warps of low priority run the part of a loop that computes the addresses of its loads some iterations ahead "
                 "of it, in issue slots that nobody takes, and prefetch what lies there.",
         .paper = "Vijaykumar, Pekhimenko, Jog, Ghose, Bhowmick, Ausavarungnirun, Das, Kandemir, Mowry, Mutlu, \"A Framework for "
                  "Accelerating Bottlenecks in GPU Execution with Assist Warps\", section 8.3",
         .timed = true,
         .defaults = Settings{},
         .settings = settingRows(),
         .wantsAssistance = [](const std::any&) { return true; }},
    .make = makeFor<Precomputation, Settings>,
};

}  // namespace warpwright::mechanisms::precomputation
