#include "sm/running_launches.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::sm {
namespace {

auto runs(const LaunchPlan& plan) {
  return [&plan](const auto& each) { return each->plan == &plan; };
}

}  // namespace

RunningLaunch& RunningLaunches::begin(const LaunchPlan& plan, exec::GlobalMemory& memory, exec::Observer* observer) {
  RunningLaunch& launch = *launches_.emplace_back(std::make_unique<RunningLaunch>());
  launch.plan = &plan;
  launch.request = plan.request;
  launch.memory = &memory;
  if (observer != nullptr) launch.heardBy.add(observer);
  for (const auto& make : makeObservers_) launch.observers.push_back(make(launch.request));
  for (const auto& own : launch.observers) launch.heardBy.add(own.get());
  launch.request.observer = launch.observers.empty() ? observer : &launch.heardBy;
  return launch;
}

RunningLaunch& RunningLaunches::of(const LaunchPlan& plan) { return **std::find_if(launches_.begin(), launches_.end(), runs(plan)); }

void RunningLaunches::end(const LaunchPlan& plan) { launches_.erase(std::find_if(launches_.begin(), launches_.end(), runs(plan))); }

FinishedBlocks RunningLaunches::takeFinished(const LaunchPlan& plan) {
  const auto found = std::find_if(launches_.begin(), launches_.end(), runs(plan));
  return found == launches_.end() ? FinishedBlocks{} : std::exchange((*found)->finished, {});
}

void RunningLaunches::publishStores() {
  for (const auto& launch : launches_)
    if (launch->stepper) launch->stepper->publishStores();
}

bool RunningLaunches::haveStores() const {
  return std::any_of(launches_.begin(), launches_.end(),
                     [](const auto& launch) { return launch->stepper && launch->stepper->hasStores(); });
}

bool RunningLaunches::haveFinishedBlocks() const {
  return std::any_of(launches_.begin(), launches_.end(), [](const auto& launch) { return launch->finished.count != 0; });
}

u64 RunningLaunches::changes() const {
  u64 all = 0;
  for (const auto& launch : launches_)
    if (launch->stepper) all += launch->stepper->changes();
  return all;
}

void RunningLaunches::watch(bool on) {
  for (const auto& launch : launches_)
    if (launch->stepper) launch->stepper->watch(on);
}

bool RunningLaunches::areStuck() {
  return std::all_of(launches_.begin(), launches_.end(), [](const auto& launch) { return !launch->stepper || launch->stepper->isStuck(); });
}

bool RunningLaunches::haveThreads() const {
  return std::any_of(launches_.begin(), launches_.end(),
                     [](const auto& launch) { return launch->stepper && launch->stepper->hasThreads(); });
}

bool RunningLaunches::releaseWaiting() {
  bool any = false;
  for (const auto& launch : launches_)
    if (launch->stepper) any |= launch->stepper->releaseWaiting();
  return any;
}

std::string RunningLaunches::whereThreadsWait() const {
  std::string text;
  for (const auto& launch : launches_)
    if (launch->stepper) text += launch->stepper->whereThreadsWait();
  return text;
}

std::string RunningLaunches::circlingRoutine() const {
  for (const auto& launch : launches_)
    if (std::string text = launch->stepper ? launch->stepper->circlingRoutine() : ""; !text.empty()) return text;
  return {};
}

}  // namespace warpwright::sm
