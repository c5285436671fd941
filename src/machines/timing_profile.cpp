#include "machines/timing_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "machines/energy/lines.hpp"
#include "machines/timing_report.hpp"
#include "machines/verdict/roofline.hpp"
#include "machines/verdict/verdict.hpp"

namespace warpwright::machines {
namespace {

u64 wholeNumber(const stats::Estimate& cycles) { return static_cast<u64>(std::llround(cycles.value)); }

TimingCounters countersOf(const exec::LaunchRequest& request, const BlockResources& resources, const TimedResult& result,
                          const profile::Counters& use, const config::Machine& machine) {
  TimingCounters counters;
  counters.launches = 1;
  counters.failed = result.functional.status == exec::LaunchStatus::completed ? 0 : 1;
  counters.besideOthers = result.besideOthers ? 1 : 0;
  counters.cycles = result.cycles;
  counters.gridBlocks = request.launch->grid.count();
  counters.sampled = result.functional.status == exec::LaunchStatus::completed && !result.estimate.isExact() ? 1 : 0;
  counters.estimatedCycles = wholeNumber(result.estimate);
  counters.nanoseconds = result.cycles * 1'000'000 / machine.coreClockKhz;
  counters.drainCycles = result.drainCycles;
  counters.blocks = result.functional.blocksDone;
  counters.mostBlocks = result.mostBlocks;
  counters.allocatedRegisters = result.mostBlocks * resources.registers;
  counters.allocatedSharedBytes = result.mostBlocks * resources.sharedBytes;
  counters.occupancyRegisters = u64{request.limits.residentBlocksPerSm} * resources.registers;
  counters.occupancySharedBytes = u64{request.limits.residentBlocksPerSm} * resources.sharedBytes;
  counters.loadBytesUsed = use.global.loads.bytesUsed + use.local.loads.bytesUsed + use.textures.bytesAsked;
  counters.gpu = result.stats;
  return counters;
}

// Warps fetch ahead of where they will go: behind the end of the code, or into the kernel that lies behind theirs.
bool isFetchedAhead(const isa::Program& program, const isa::Function& kernel, Pc pc) {
  if (pc >= program.code.size()) return true;
  return std::ranges::any_of(program.functions, [&](const isa::Function& each) {
    return each.isKernel && each.begin != kernel.begin && each.begin <= pc && pc < each.end;
  });
}

// The stepper counts an instruction when the SM does, so that lines never have more than the machine.
void addLines(KernelTiming& kernel, const exec::LaunchRequest& request, const TimedResult& result) {
  const isa::Program& program = request.launch->program->program;
  for (Pc pc{0}; pc < result.traffic.size(); ++pc) {
    if (result.traffic[pc] == mem::Traffic{}) continue;
    if (isFetchedAhead(program, *request.launch->kernel, pc)) {
      stats::merge(kernel.otherTraffic, result.traffic[pc]);
      continue;
    }
    stats::merge(kernel.lines[profile::sourceLineOf(program, program.code[pc])].traffic, result.traffic[pc]);
  }
  stats::merge(kernel.otherTraffic, result.otherTraffic);
  for (Pc pc{0}; pc < result.stalls.size(); ++pc) {
    const exec::InstructionCount count = pc < result.functional.counts.size() ? result.functional.counts[pc] : exec::InstructionCount{};
    if (count.warps == 0 && result.stalls[pc].total() == 0) continue;
    LineTiming& line = kernel.lines[profile::sourceLineOf(program, program.code[pc])];
    line.warpInstructions += count.warps;
    const isa::PipeWork work = isa::pipeWorkOf(program.code[pc], program.addressBits, request.limits.warpSize);
    line.operations[work.operation] += work.of(count.warps, count.lanes);
    merge(line.stalls, result.stalls[pc]);
  }
}

}  // namespace

TimingProfile::TimingProfile(const config::Machine& machine, std::shared_ptr<const EnergyModel> energy)
    : machine_(machine), energy_(std::move(energy)), hash_(fmt::format("{:016x}", config::hashOf(machine))) {}

void TimingProfile::add(const exec::LaunchRequest& request, const BlockResources& resources, const TimedResult& result,
                        const profile::Counters& use) {
  KernelTiming& kernel = this->kernel(request);
  const LaunchTiming launch{++launches_,
                            *request.launch,
                            resources,
                            request.limits.residentBlocksPerSm,
                            countersOf(request, resources, result, use, machine_),
                            result.began.ticks,
                            result.estimate};
  stats::merge(kernel.counters, launch.counters);
  kernel.estimate = kernel.estimate + launch.estimate;
  merge(kernel.units, result.units);
  addLines(kernel, request, result);
  kernel.violations.insert(kernel.violations.end(), result.violations.begin(), result.violations.end());
  if (energy_) checkEnergy(kernel, launch);
  kernel.launches.push_back(launch);
}

void TimingProfile::addComputed(const exec::LaunchRequest& request, const stats::Estimate& cycles) {
  kernel(request).computed.push_back({++launches_, *request.launch, cycles});
}

void TimingProfile::setSampled(const exec::LaunchRequest& request, const sampling::Sampled& ofKernel, const sampling::Sampled& all) {
  KernelTiming& kernel = this->kernel(request);
  kernel.sampled = ofKernel;
  kernel.estimate = ofKernel.cycles;
  kernel.counters.estimatedCycles = wholeNumber(kernel.estimate);
  sampled_ = all;
}

void TimingProfile::addPcs(const exec::LaunchRequest& request, const PcHistogramSettings& settings, PcHistogram histogram) {
  KernelTiming& kernel = this->kernel(request);
  if (!kernel.pcHistogram) kernel.pcHistogram = {.settings = settings};
  kernel.pcHistogram->add(launches_, std::move(histogram), request.launch->program->program);
}

// Units make up the launch, and launches the kernel, exactly.
void TimingProfile::checkEnergy(KernelTiming& kernel, const LaunchTiming& launch) const {
  stats::Conservation laws;
  const energy::Account ofLaunch = energy_->account(launch.counters.gpu);
  ofLaunch.check(laws);
  kernel.energy.merge(ofLaunch);
  checkParts(energy_->account(kernel.counters.gpu), std::span(&kernel.energy, 1), laws);
  const auto& violations = laws.violations();
  kernel.violations.insert(kernel.violations.end(), violations.begin(), violations.end());
}

KernelTiming& TimingProfile::kernel(const exec::LaunchRequest& request) {
  const std::string& module = request.launch->program->program.sourceName;
  if (const KernelTiming* found = find(request.launch->kernel->name, module)) return const_cast<KernelTiming&>(*found);
  kernels_.push_back(std::make_unique<KernelTiming>());
  kernels_.back()->name = request.launch->kernel->name;
  kernels_.back()->module = module;
  return *kernels_.back();
}

const KernelTiming* TimingProfile::find(std::string_view name, std::string_view module) const {
  const auto isIt = [&](const auto& each) { return each->name == name && each->module == module; };
  const auto found = std::ranges::find_if(kernels_, isIt);
  return found == kernels_.end() ? nullptr : found->get();
}

std::string TimingProfile::text(const KernelTiming& kernel, const profile::KernelProfile* profile,
                                const profile::ReportOptions& options) const {
  std::string result = timingTable(kernel, machine_, energy_.get(), options);
  profile::TextPage page(options);
  appendRoofline(page, rooflineOf(kernel.counters, machine_));
  appendLimits(page, limitsOf(kernel, profile, machine_));
  result += page.take();
  if (!options.lines || kernel.lines.empty()) return result;
  result += stallTable(kernel, options) + trafficTable(kernel, options);
  if (energy_) result += energyTable(kernel, *energy_, options);
  return result;
}

}  // namespace warpwright::machines
