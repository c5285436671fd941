#include "mechanisms/launch_observers.hpp"

namespace warpwright::mechanisms {

LaunchObservers::LaunchObservers(const Mechanisms& mechanisms, const exec::LaunchRequest& request,
                                 const std::vector<exec::Observer*>& given) {
  for (exec::Observer* each : given) {
    auto several = std::make_unique<exec::ObserverList>();
    several->add(each);
    for (const auto& mechanism : mechanisms) {
      std::unique_ptr<LaunchObserver> observer = mechanism->observe(request);
      if (!observer) continue;
      several->add(observer.get());
      own_.push_back(std::move(observer));
    }
    if (several->size() == 1) {
      all_.push_back(each);
      continue;
    }
    all_.push_back(several.get());
    several_.push_back(std::move(several));
  }
}

LaunchObservers::~LaunchObservers() = default;

stats::NamedStatistics LaunchObservers::counted() const {
  stats::NamedStatistics result;
  for (const auto& observer : own_) observer->collect(result);
  return result;
}

}  // namespace warpwright::mechanisms
