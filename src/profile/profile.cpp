#include "profile/profile.hpp"

#include "profile/report.hpp"

namespace warpwright::profile {

struct Profile::State {
  explicit State(Geometry machine) : geometry(machine), collector(machine) {}

  KernelProfile& kernel(const exec::LaunchRequest& request);
  std::vector<const KernelProfile*> all() const;

  Geometry geometry;
  Collector collector;
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

exec::Observer& Profile::beginLaunch(const exec::LaunchRequest& request) {
  state_->collector.begin(request.program->program.code.size());
  return state_->collector;
}

void Profile::endLaunch(const exec::LaunchRequest& request, const exec::LaunchResult& result, u64 nanoseconds) {
  state_->kernel(request).add(request, result, nanoseconds, state_->collector);
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

std::string Profile::json() const { return profileJson(state_->all(), state_->geometry).dump(2) + "\n"; }

}  // namespace warpwright::profile
