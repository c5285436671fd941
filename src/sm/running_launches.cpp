#include "sm/running_launches.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::sm {
namespace {

auto runs(const LaunchPlan& plan) {
  return [&plan](const auto& each) { return each->plan == &plan; };
}

}  // namespace

void RunningLaunch::makeSource(SmId sm, u64 clockKhz) {
  if (plan->recording) {
    source = plan->recording->play(request, sm);
    return;
  }
  auto own = std::make_unique<exec::Stepper>(request, *memory, sm, clockKhz);
  stepper = own.get();
  source = std::move(own);
}

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
    if (launch->source) launch->source->publishStores();
}

bool RunningLaunches::haveStores() const {
  return std::any_of(launches_.begin(), launches_.end(), [](const auto& launch) { return launch->source && launch->source->hasStores(); });
}

bool RunningLaunches::haveFinishedBlocks() const {
  return std::any_of(launches_.begin(), launches_.end(), [](const auto& launch) { return launch->finished.count != 0; });
}

bool RunningLaunches::haveRemote() const {
  return std::any_of(launches_.begin(), launches_.end(), [](const auto& launch) {
    return launch->stepper && (launch->stepper->remoteAccesses() != 0 || launch->stepper->clustersChanged());
  });
}

void RunningLaunches::forgetRemote() {
  forEachStepper([](RunningLaunch& launch) { launch.stepper->forgetRemote(); });
}

u64 RunningLaunches::changes() const {
  u64 all = 0;
  for (const auto& launch : launches_)
    if (launch->source) all += launch->source->changes();
  return all;
}

void RunningLaunches::watch(bool on) {
  for (const auto& launch : launches_)
    if (launch->source) launch->source->watch(on);
}

bool RunningLaunches::areStuck() {
  return std::all_of(launches_.begin(), launches_.end(), [](const auto& launch) { return !launch->source || launch->source->isStuck(); });
}

bool RunningLaunches::haveThreads() const {
  return std::any_of(launches_.begin(), launches_.end(), [](const auto& launch) { return launch->source && launch->source->hasThreads(); });
}

bool RunningLaunches::releaseWaiting() {
  bool any = false;
  for (const auto& launch : launches_)
    if (launch->source) any |= launch->source->releaseWaiting();
  return any;
}

std::string RunningLaunches::whereThreadsWait() const {
  std::string text;
  for (const auto& launch : launches_)
    if (launch->source) text += launch->source->whereThreadsWait();
  return text;
}

std::string RunningLaunches::circlingRoutine() const {
  for (const auto& launch : launches_)
    if (std::string text = launch->source ? launch->source->circlingRoutine() : ""; !text.empty()) return text;
  return {};
}

}  // namespace warpwright::sm
