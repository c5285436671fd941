#include "profile/profile.hpp"

#include <deque>

#include "profile/report.hpp"

namespace warpwright::profile {

struct Profile::State {
  explicit State(Geometry machine) : geometry(machine) {}

  KernelProfile& kernel(const exec::LaunchRequest& request);
  std::vector<const KernelProfile*> all() const;

  Geometry geometry;
  std::deque<Collector> collectors;                                      // of the launch under way, in the order in which they are merged
  std::size_t collecting = 0;                                            // how many of them
  std::vector<std::unique_ptr<KernelProfile>> kernels;                   // in the order of their first launch
  std::map<std::pair<std::string, std::string>, KernelProfile*> byName;  // module, kernel
};

KernelProfile& Profile::State::kernel(const exec::LaunchRequest& request) {
  const std::string& module = request.program->program.sourceName;
  KernelProfile*& slot = byName[{module, request.kernel->name}];
  if (slot == nullptr) {
    kernels.push_back(std::make_unique<KernelProfile>(request.kernel->name, module, geometry.warpSize));
    slot = kernels.back().get();
  }
  return *slot;
}

std::vector<const KernelProfile*> Profile::State::all() const {
  std::vector<const KernelProfile*> result;
  for (const auto& kernel : kernels) result.push_back(kernel.get());
  return result;
}

Profile::Profile(Geometry geometry) : state_(std::make_unique<State>(geometry)) {}
Profile::~Profile() = default;

exec::Observer& Profile::beginLaunch(const exec::LaunchRequest& request) { return *beginLaunch(request, 1).front(); }

std::vector<exec::Observer*> Profile::beginLaunch(const exec::LaunchRequest& request, u32 observers) {
  auto& collectors = state_->collectors;
  while (collectors.size() < observers) collectors.emplace_back(state_->geometry);
  state_->collecting = observers;
  std::vector<exec::Observer*> result;
  for (u32 i = 0; i < observers; ++i) {
    collectors[i].begin(request.program->program.code.size());
    result.push_back(&collectors[i]);
  }
  return result;
}

Counters Profile::endLaunch(const exec::LaunchRequest& request, const exec::LaunchResult& result, u64 nanoseconds) {
  Collector& all = state_->collectors.front();
  for (std::size_t i = 1; i < state_->collecting; ++i) all.merge(state_->collectors[i]);
  return state_->kernel(request).add(request, result, nanoseconds, all);
}

bool Profile::empty() const { return state_->kernels.empty(); }

std::string Profile::table(const ReportOptions& options) const {
  std::string result;
  for (const auto& kernel : state_->kernels) {
    result += kernelTable(*kernel, options);
    if (options.lines) result += lineTable(*kernel, options);
    result += '\n';
  }
  return result;
}

std::string Profile::json() const { return data().dump(2) + "\n"; }

stats::Json Profile::data() const { return profileJson(state_->all(), state_->geometry); }

}  // namespace warpwright::profile
