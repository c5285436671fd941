#include "exec/launch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "exec/dispatch.hpp"
#include "exec/grid.hpp"
#include "exec/hang.hpp"
#include "exec/location.hpp"
#include "exec/operations/access.hpp"
#include "exec/race_report.hpp"
#include "exec/turns.hpp"

namespace warpwright::exec {
namespace {

void validate(const LaunchRequest& request) {
  const u32 warpSize = request.limits.warpSize;
  if (!request.launch || !request.launch->program || !request.launch->kernel) throw Error("a launch needs a program and a kernel");
  const auto name = [&] { return demangled(request.launch->kernel->name); };
  if (warpSize < 4 || warpSize > 64 || (warpSize & (warpSize - 1)) != 0) {
    throw Error(fmt::format("warps of {} lanes", warpSize), {}, "choose a power of two from 4 to 64");
  }
  if (request.launch->kernel->isDeclaration || request.launch->kernel->begin >= request.launch->kernel->end) {
    throw Error(fmt::format("kernel '{}' has no code", name()), {request.launch->program->program.sourceName},
                "load the module that defines it");
  }
  if (request.launch->grid.count() == 0 || request.launch->block.count() == 0)
    throw Error(fmt::format("kernel '{}' is launched with no threads", name()));
  if (request.launch->parameters.size() < request.launch->kernel->parameterBytes) {
    throw Error(fmt::format("kernel '{}' takes {} bytes of parameters and got {}", name(), request.launch->kernel->parameterBytes,
                            request.launch->parameters.size()));
  }
  if (request.limits.multiprocessors == 0 || request.limits.residentBlocksPerSm == 0) {
    throw Error(fmt::format("kernel '{}' does not fit on a multiprocessor", name()), {},
                "use fewer threads, registers or less shared memory per block");
  }
  const Dim3 cluster = clusterOf(*request.launch), &grid = request.launch->grid;
  const u64 slots = u64{request.limits.multiprocessors} * request.limits.residentBlocksPerSm;
  if (cluster.count() == 0 || cluster.count() > std::min<u64>(isa::kMostClusterBlocks, slots) || grid.x % cluster.x != 0 ||
      grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    throw Error(fmt::format("kernel '{}': clusters of {} x {} x {} blocks in a grid of {} x {} x {}", name(), cluster.x, cluster.y,
                            cluster.z, grid.x, grid.y, grid.z),
                {},
                fmt::format("clusters have at most {} blocks, which must fit on the machine, and divide the grid in each dimension",
                            isa::kMostClusterBlocks));
  }
  // What a recursive kernel needs is an estimate.
  const u64 localBytes = request.launch->kernel->recursive ? request.launch->kernel->frameBytes : request.launch->kernel->localBytes;
  if (localBytes > request.limits.localBytesPerThread) {
    throw Error(fmt::format("kernel '{}' needs {} bytes of local memory a thread, the limit is {}", name(), localBytes,
                            request.limits.localBytesPerThread),
                {},
                localBytes > request.limits.mostLocalBytesPerThread ? "use smaller local arrays: no thread of this machine can have more"
                                                                    : "use smaller local arrays, or raise the stack limit");
  }
}

// Known exactly without calls; a program that calls may recurse and gets the whole limit.
u64 localBytes(const LaunchRequest& request, const DecodedKernel& kernel) {
  const u64 bytes = kernel.hasCalls() ? request.limits.localBytesPerThread
                                      : std::max(request.launch->kernel->localBytes, request.launch->kernel->frameBytes);
  return (bytes + 7) / 8 * 8;
}

BlockShape shapeOf(const LaunchRequest& request, const DecodedKernel& kernel) {
  const isa::Function& function = *request.launch->kernel;
  BlockShape shape;
  shape.threads = static_cast<u32>(request.launch->block.count());
  shape.warpSize = request.limits.warpSize;
  shape.lanes = layoutLanes(shape.warpSize);
  shape.registers = kernel.registers() + request.extraRegisters;
  shape.predicates = kernel.predicates();
  shape.polls = kernel.polls();
  shape.sharedBytes = std::max(function.sharedBytes, function.dynamicSharedOffset) + request.launch->dynamicSharedBytes;
  shape.helperBytes = request.helperBytes;
  shape.helperTableBytes = request.helperTableBytes;
  shape.localBytes = localBytes(request, kernel);
  return shape;
}

std::vector<PlaneLine> threadIdsOf(const Dim3& block, const BlockShape& shape) {
  std::vector<PlaneLine> ids(u64{shape.warps()} * kIndexPlanes * shape.lanes / PlaneLine::kWords);
  for (u32 thread = 0; thread < shape.threads; ++thread) {
    u32* own = reinterpret_cast<u32*>(ids.data()) + u64{thread / shape.warpSize} * kIndexPlanes * shape.lanes + thread % shape.warpSize;
    own[0] = thread % block.x;
    own[shape.lanes] = thread / block.x % block.y;
    own[2 * shape.lanes] = thread / block.x / block.y;
  }
  return ids;
}

}  // namespace

Grid::Grid(const LaunchRequest& asked, GlobalMemory& globalMemory)
    : request((validate(asked), asked)),
      memory(globalMemory),
      lanes(layoutLanes(asked.limits.warpSize)),
      addressBits(asked.launch->program->program.addressBits),
      kernel(asked, lanes, bestHostLevel()),
      addresses(addressFunction(lanes, bestHostLevel())),
      shape(shapeOf(asked, kernel)),
      clusters(asked.launch->grid, clusterOf(*asked.launch)),
      threadIds(threadIdsOf(asked.launch->block, shape)),
      parameters(asked.launch->parameters),
      races(asked.races || !asked.checks.races ? asked.races : std::make_shared<RaceDetector>()),
      injector(Injector::isNeeded(asked.injection, asked.gridId) ? std::make_unique<Injector>(*asked.injection, asked.gridId) : nullptr),
      issueEvents(injector || (asked.observer && asked.observer->wantsIssue())) {
  blocks.count = asked.launch->grid.count();
  blocks.next = blocks.done = asked.firstBlock;
  result.counts.resize(asked.launch->program->program.code.size() + 1);  // one more for running off the end
  runs.resize(result.counts.size() + 1);
  if (!mayAccessDirectly(*this)) kernel.forgetDirectAccess();
}

void warn(Grid& grid, Pc pc, const std::string& text) {
  if (!grid.findings.warned.insert(pc).second) return;
  grid.result.warnings.push_back(fmt::format("kernel '{}': {}: {}", demangled(grid.request.launch->kernel->name),
                                             locationOf(grid.request.launch->program->program, pc), text));
}

void noteUndefined(Grid& grid, Pc pc, const std::string& text) {
  warn(grid, pc, text);
  if (grid.findings.undefined.empty() && grid.request.checks.synchronisation) grid.findings.undefined = grid.result.warnings.back();
}

bool run(Grid& grid, Patience patience) {
  try {
    return runGrid(grid, patience);
  } catch (Fault& fault) {
    grid.result.status = fault.status;
    grid.result.message = std::move(fault.message);
  }
  return true;
}

void endAsHung(Grid& grid) {
  try {
    hang(grid, grid.progress.waitsBecause);
  } catch (Fault& fault) {
    grid.result.status = fault.status;
    grid.result.message = std::move(fault.message);
  }
}

void stop(Grid& grid) { grid.result.status = LaunchStatus::stopped; }

// Races, counts and totals of what ran.
LaunchResult settledResult(Grid& grid) {
  if (grid.races) reportRaces(*grid.races, grid.request, grid.memory, grid.result);
  if (!grid.findings.undefined.empty() && grid.result.status == LaunchStatus::completed) {
    grid.result.status = LaunchStatus::undefinedSynchronisation;
    grid.result.message = std::move(grid.findings.undefined);
  }
  settleCounts(grid);
  grid.result.counts.pop_back();
  for (const InstructionCount& count : grid.result.counts) {
    grid.result.warpInstructions += count.warps;
    grid.result.threadInstructions += count.lanes;
  }
  grid.result.blocksDone = grid.blocks.done - grid.request.firstBlock;
  if (grid.injector) grid.result.injection = grid.injector->take();
  return std::move(grid.result);
}

void merge(LaunchResult& into, LaunchResult from) {
  if (into.status == LaunchStatus::completed) {
    into.status = from.status;
    into.message = std::move(from.message);
  }
  const auto join = [](std::vector<std::string>& all, std::vector<std::string>& more) {
    for (std::string& text : more) {
      if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
    }
  };
  join(into.warnings, from.warnings);
  join(into.tolerated, from.tolerated);
  std::ranges::copy(from.injection.faults, std::back_inserter(into.injection.faults));
  std::ranges::copy(from.injection.candidates, std::back_inserter(into.injection.candidates));
  into.warpInstructions += from.warpInstructions;
  into.threadInstructions += from.threadInstructions;
  into.blocksDone += from.blocksDone;
  if (into.counts.size() < from.counts.size()) into.counts.resize(from.counts.size());
  for (Pc pc{0}; pc < from.counts.size(); ++pc) {
    into.counts[pc].warps += from.counts[pc].warps;
    into.counts[pc].lanes += from.counts[pc].lanes;
    into.counts[pc].active += from.counts[pc].active;
  }
}

Dim3 clusterOf(const isa::Function& kernel, const LaunchShape& shape) {
  if (shape.cluster) return *shape.cluster;
  return kernel.requiredCluster.count() > 0 ? kernel.requiredCluster : Dim3{};
}

Dim3 clusterOf(const Launch& launch) { return clusterOf(*launch.kernel, launch); }

bool isClusterExplicit(const Launch& launch) { return launch.cluster || launch.kernel->requiredCluster.count() > 0; }

struct ResumableLaunch::State {
  Grid grid;
};

ResumableLaunch::ResumableLaunch(const LaunchRequest& request, GlobalMemory& memory) : state_(new State{Grid(request, memory)}) {}
ResumableLaunch::~ResumableLaunch() = default;

bool ResumableLaunch::run(Patience patience) { return exec::run(state_->grid, patience); }
u64 ResumableLaunch::changes() const { return state_->grid.progress.changes; }
void ResumableLaunch::endAsHung() { exec::endAsHung(state_->grid); }
void ResumableLaunch::stop() { exec::stop(state_->grid); }
LaunchResult ResumableLaunch::result() { return settledResult(state_->grid); }

LaunchResult launch(const LaunchRequest& request, GlobalMemory& memory) {
  Grid grid(request, memory);
  if (!run(grid, Patience::utmost)) endAsHung(grid);
  return settledResult(grid);
}

}  // namespace warpwright::exec
