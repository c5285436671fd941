#include "exec/launch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "exec/location.hpp"
#include "exec/machine.hpp"
#include "exec/race_report.hpp"

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

}  // namespace

Machine::Machine(const LaunchRequest& request, GlobalMemory& memory)
    : request_((validate(request), request)),
      memory_(memory),
      lanes_(layoutLanes(request.limits.warpSize)),
      addressBits_(request.launch->program->program.addressBits),
      kernel_(request, lanes_, bestHostLevel()),
      addresses_(addressFunction(lanes_, bestHostLevel())),
      parameters_(request.launch->parameters.begin(), request.launch->parameters.end()),
      races_(request.races || !request.checks.races ? request.races : std::make_shared<RaceDetector>()),
      blockCount_(request.launch->grid.count()),
      issueEvents_(request.observer && request.observer->wantsIssue()) {
  shape_.threads = static_cast<u32>(request.launch->block.count());
  shape_.warpSize = request.limits.warpSize;
  shape_.lanes = lanes_;
  shape_.registers = kernel_.registers() + request.extraRegisters;
  shape_.predicates = kernel_.predicates();
  shape_.polls = kernel_.polls();
  shape_.sharedBytes =
      std::max(request.launch->kernel->sharedBytes, request.launch->kernel->dynamicSharedOffset) + request.launch->dynamicSharedBytes;
  shape_.localBytes = localBytes(request, kernel_);
  result_.counts.resize(request.launch->program->program.code.size() + 1);  // one more for running off the end
  runs_.resize(result_.counts.size() + 1);
  if (!mayAccessDirectly()) kernel_.forgetDirectAccess();
  nextBlock_ = blocksDone_ = request.firstBlock;
  threadIds_.resize(u64{shape_.warps()} * kIndexPlanes * lanes_ / PlaneLine::kWords);
  for (u32 thread = 0; thread < shape_.threads; ++thread) {
    u32* place =
        reinterpret_cast<u32*>(threadIds_.data()) + u64{thread / shape_.warpSize} * kIndexPlanes * lanes_ + thread % shape_.warpSize;
    place[0] = thread % request.launch->block.x;
    place[lanes_] = thread / request.launch->block.x % request.launch->block.y;
    place[2 * lanes_] = thread / request.launch->block.x / request.launch->block.y;
  }
}

void Machine::warn(u32 pc, const std::string& text) {
  if (!warned_.insert(pc).second) return;
  result_.warnings.push_back(
      fmt::format("kernel '{}': {}: {}", demangled(request_.launch->kernel->name), placeOf(request_.launch->program->program, pc), text));
}

void Machine::noteUndefined(u32 pc, const std::string& text) {
  warn(pc, text);
  if (undefined_.empty() && request_.checks.synchronisation) undefined_ = result_.warnings.back();
}

bool Machine::run(Patience patience) {
  try {
    return runGrid(patience);
  } catch (Fault& fault) {
    result_.status = fault.status;
    result_.message = std::move(fault.message);
  }
  return true;
}

void Machine::endAsHung() {
  try {
    hang(waitsBecause_);
  } catch (Fault& fault) {
    result_.status = fault.status;
    result_.message = std::move(fault.message);
  }
}

void Machine::stop() { result_.status = LaunchStatus::stopped; }

// Races, counts and totals of what ran.
LaunchResult Machine::settledResult() {
  if (races_) reportRaces(*races_, request_, memory_, result_);
  if (!undefined_.empty() && result_.status == LaunchStatus::completed) {
    result_.status = LaunchStatus::undefinedSynchronisation;
    result_.message = std::move(undefined_);
  }
  settleCounts();
  result_.counts.pop_back();
  for (const InstructionCount& count : result_.counts) {
    result_.warpInstructions += count.warps;
    result_.threadInstructions += count.lanes;
  }
  result_.blocksDone = blocksDone_ - request_.firstBlock;
  return std::move(result_);
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
  into.warpInstructions += from.warpInstructions;
  into.threadInstructions += from.threadInstructions;
  into.blocksDone += from.blocksDone;
  if (into.counts.size() < from.counts.size()) into.counts.resize(from.counts.size());
  for (std::size_t pc = 0; pc < from.counts.size(); ++pc) {
    into.counts[pc].warps += from.counts[pc].warps;
    into.counts[pc].lanes += from.counts[pc].lanes;
    into.counts[pc].active += from.counts[pc].active;
  }
}

struct ResumableLaunch::State {
  Machine machine;
};

ResumableLaunch::ResumableLaunch(const LaunchRequest& request, GlobalMemory& memory) : state_(new State{Machine(request, memory)}) {}
ResumableLaunch::~ResumableLaunch() = default;

bool ResumableLaunch::run(Patience patience) { return state_->machine.run(patience); }
u64 ResumableLaunch::changes() const { return state_->machine.changes(); }
void ResumableLaunch::endAsHung() { state_->machine.endAsHung(); }
void ResumableLaunch::stop() { state_->machine.stop(); }
LaunchResult ResumableLaunch::result() { return state_->machine.settledResult(); }

LaunchResult launch(const LaunchRequest& request, GlobalMemory& memory) {
  Machine machine(request, memory);
  if (!machine.run(Patience::utmost)) machine.endAsHung();
  return machine.settledResult();
}

}  // namespace warpwright::exec
