// The profile: what each kernel did, per kernel and per source line. Collected launch by launch, printed as tables or JSON.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "access/bank_conflicts.hpp"
#include "access/shared_maps.hpp"
#include "base/types.hpp"
#include "exec/launch.hpp"
#include "exec/observer.hpp"
#include "profile/counters.hpp"
#include "stats/json_type.hpp"
#include "stats/named_statistics.hpp"
#include "stats/statistics.hpp"

namespace warpwright::profile {

using Geometry = access::Geometry;

struct ReportOptions {
  bool lines = false;  // per source line
  bool colour = false;
  bool timed = false;      // the simulated time is that of the timed machine
  bool estimated = false;  // some of it is extrapolated
  u32 width = 100;         // columns
};

class KernelProfile;  // profile/kernel_profile.hpp: the counters of one kernel (merged over its launches)

class Profile {
 public:
  // contentsOf: what arrays hold there is counted, too (profile/data); null: it is not looked at. It must outlive the profile.
  explicit Profile(Geometry geometry, const exec::GlobalMemory* contentsOf = nullptr);
  ~Profile();

  // The observer to give to the launch about to start. Launches may run side by side; LaunchRequest::gridId tells them apart.
  exec::Observer& beginLaunch(const exec::LaunchRequest& request);
  // The same for a machine whose SMs run side by side: one observer for each; what they hear is merged when the launch ends.
  std::vector<exec::Observer*> beginLaunch(const exec::LaunchRequest& request, u32 observers, const access::SharedMaps& sharedMaps = {});
  // Adds what the launch counted (also for a launch that failed or was stopped), and gives it.
  Counters endLaunch(const exec::LaunchRequest& request, const exec::LaunchResult& result, u64 nanoseconds);

  // Adds simulated time of a launch that endLaunch() has added, where it becomes known later.
  void addTime(const exec::LaunchRequest& request, u64 nanoseconds);

  // Adds what mechanisms observed of the launch, or of a further part of it.
  void addMechanisms(const exec::LaunchRequest& request, const stats::NamedStatistics& observed);

  // Adds a further part of a launch that endLaunch() has added, begun anew with beginLaunch().
  void endFurtherPart(const exec::LaunchRequest& request, const exec::LaunchResult& result);

  bool empty() const;
  std::vector<const KernelProfile*> kernels() const;  // in the order of their first launch
  std::string table(const ReportOptions& options) const;
  std::string json() const;  // as text
  stats::Json data() const;  // the same as an object

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwright::profile
