// Those who hear what a launch does: the profile, and what the machine's mechanisms observe.
#pragma once

#include <memory>
#include <vector>

#include "exec/observer_list.hpp"
#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms {

class LaunchObservers {
 public:
  // given: one observer for each SM (one in all on the functional machine); they and the request must outlive this.
  LaunchObservers(const Mechanisms& mechanisms, const exec::LaunchRequest& request, const std::vector<exec::Observer*>& given);
  ~LaunchObservers();

  // One for each of those given: itself, or one that passes events on to it and to the mechanisms'.
  const std::vector<exec::Observer*>& all() const { return all_; }
  // What the mechanisms' observers have counted.
  stats::NamedStatistics counted() const;

 private:
  std::vector<std::unique_ptr<LaunchObserver>> own_;
  std::vector<std::unique_ptr<exec::ObserverList>> several_;
  std::vector<exec::Observer*> all_;
};

}  // namespace warpwright::mechanisms
