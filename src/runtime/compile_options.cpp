#include "runtime/compile_options.hpp"

#include <algorithm>

#include "compiler/analysis/shared_layouts.hpp"
#include "config/bank_map.hpp"
#include "mechanisms/mechanism.hpp"
#include "sm/instruction_info.hpp"

namespace warpwright::runtime {

compiler::Options compileOptions(const config::Machine& machine, u32 maxRegisters, std::initializer_list<std::optional<u32>> bounds) {
  compiler::Options options;
  options.maxRegisters = std::min({options.maxRegisters, machine.registersPerThread, maxRegisters});
  for (const std::optional<u32>& bound : bounds)
    if (bound) options.maxRegisters = std::min(options.maxRegisters, *bound);
  // ptxas of CUDA 13 keeps kernels to 64 registers for sm_75 (32 warps an SM), to 40 for sm_86, sm_89 and sm_120 (48), and to 32 for sm_80,
  // sm_90 and sm_100 (64), where they can do with as many.
  const u32 share = machine.registersPerSm / machine.warpsPerSm;
  options.comfortableRegisters = share / machine.registerAllocationUnit * machine.registerAllocationUnit / machine.warpSize;
  options.programCounterRegisters = machine.programCounterRegisters;
  // So NVIDIA's ABI has it since compute capability 2.0: ptxas gives an empty kernel R0 and R1.
  options.keepsStackPointer = machine.computeMajor >= 2;
  // Measured on ptxas for sm_75, the oldest that CUDA 13 compiles for; what it did for machines before Volta is not known here.
  options.joinsAccesses = machine.computeMajor >= 7;
  options.sharesLoads = options.joinsAccesses;
  options.joinsLogic = machine.computeMajor >= 5;
  options.registersPerSm = machine.registersPerSm;
  options.registerAllocationUnit = machine.registerAllocationUnit;
  options.schedulersPerSm = std::max(1u, machine.schedulersPerSm);
  options.warpsPerSm = machine.warpsPerSm;
  options.blocksPerSm = machine.blocksPerSm;
  options.warpSize = machine.warpSize;
  if (machine.timed && (machine.sm.dependences == config::Dependences::controlBits || machine.sm.operandCache)) {
    options.issueTiming = sm::issueTimingOf(machine.sm);
    if (machine.sm.operandCache) options.issueTiming->operandBanks = machine.sm.registerBanks / machine.schedulersPerSm;
  }
  options.findsSharedAccesses = config::choosesBankMaps(machine);
  options.analyses = mechanisms::analysesFor(machine);
  if (config::namesBankMaps(machine) && std::ranges::find(options.analyses, &compiler::kSharedLayouts) == options.analyses.end())
    options.analyses.push_back(&compiler::kSharedLayouts);
  return options;
}

compiler::Options compileOptions(const Settings& settings) {
  compiler::Options options = compileOptions(settings.machine, settings.maxRegisters);
  options.spillPolicy = settings.spillPolicy;
  for (const compiler::AnalysisKind* analysis : settings.analyses)
    if (std::ranges::find(options.analyses, analysis) == options.analyses.end()) options.analyses.push_back(analysis);
  return options;
}

}  // namespace warpwright::runtime
