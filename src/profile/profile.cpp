#include "profile/profile.hpp"

#include <deque>

#include "profile/report.hpp"
#include "stats/json.hpp"

namespace warpwright::profile {

struct Profile::State {
  State(Geometry machine, const exec::GlobalMemory* memory) : geometry(machine), contentsOf(memory) {}

  KernelProfile& kernel(const exec::LaunchRequest& request);
  Collector& merged(const exec::LaunchRequest& request);

  Geometry geometry;
  const exec::GlobalMemory* contentsOf;
  std::deque<Collector> collectors;                                      // all there are
  std::vector<Collector*> idle;                                          // those that collect nothing
  std::map<u64, std::vector<Collector*>> collecting;                     // of the launches under way, by grid, as they are merged
  std::vector<std::unique_ptr<KernelProfile>> kernels;                   // in the order of their first launch
  std::map<std::pair<std::string, std::string>, KernelProfile*> byName;  // module, kernel
};

KernelProfile& Profile::State::kernel(const exec::LaunchRequest& request) {
  const std::string& module = request.launch->program->program.sourceName;
  KernelProfile*& slot = byName[{module, request.launch->kernel->name}];
  if (slot == nullptr) {
    kernels.push_back(std::make_unique<KernelProfile>(request.launch->kernel->name, module, geometry.warpSize));
    slot = kernels.back().get();
  }
  return *slot;
}

Profile::Profile(Geometry geometry, const exec::GlobalMemory* contentsOf) : state_(std::make_unique<State>(geometry, contentsOf)) {}
Profile::~Profile() = default;

exec::Observer& Profile::beginLaunch(const exec::LaunchRequest& request) { return *beginLaunch(request, 1).front(); }

std::vector<exec::Observer*> Profile::beginLaunch(const exec::LaunchRequest& request, u32 observers, const access::SharedMaps& sharedMaps) {
  auto& idle = state_->idle;
  std::vector<Collector*>& collecting = state_->collecting[request.gridId];
  for (u32 i = 0; i < observers; ++i) {
    if (idle.empty()) idle.push_back(&state_->collectors.emplace_back(state_->geometry, state_->contentsOf));
    collecting.push_back(idle.back());
    idle.pop_back();
    collecting.back()->begin(request.launch->program->program.code.size(), sharedMaps);
  }
  return {collecting.begin(), collecting.end()};
}

// What was heard of a launch, in one collector.
Collector& Profile::State::merged(const exec::LaunchRequest& request) {
  const std::vector<Collector*> all = std::move(collecting.extract(request.gridId).mapped());
  for (std::size_t i = 1; i < all.size(); ++i) all.front()->merge(*all[i]);
  idle.insert(idle.end(), all.rbegin(), all.rend());
  return *all.front();
}

Counters Profile::endLaunch(const exec::LaunchRequest& request, const exec::LaunchResult& result, u64 nanoseconds) {
  return state_->kernel(request).add(request, result, nanoseconds, state_->merged(request));
}

void Profile::endFurtherPart(const exec::LaunchRequest& request, const exec::LaunchResult& result) {
  state_->kernel(request).addFurtherPart(request, result, state_->merged(request));
}

void Profile::addTime(const exec::LaunchRequest& request, u64 nanoseconds) { state_->kernel(request).addTime(nanoseconds); }

void Profile::addMechanisms(const exec::LaunchRequest& request, const stats::NamedStatistics& observed) {
  state_->kernel(request).addMechanisms(observed);
}

bool Profile::empty() const { return state_->kernels.empty(); }

std::vector<const KernelProfile*> Profile::kernels() const {
  std::vector<const KernelProfile*> result;
  for (const auto& kernel : state_->kernels) result.push_back(kernel.get());
  return result;
}

std::string Profile::table(const ReportOptions& options) const {
  std::string result;
  for (const auto& kernel : state_->kernels) result += kernelText(*kernel, options) + '\n';
  return result;
}

std::string Profile::json() const { return data().dump(2) + "\n"; }

stats::Json Profile::data() const { return profileJson(kernels(), state_->geometry); }

}  // namespace warpwright::profile
