#include "mechanisms/launch_observers.hpp"

#include <algorithm>

namespace warpwright::mechanisms {

class LaunchObservers::Several final : public exec::Observer {
 public:
  explicit Several(exec::Observer* given) : all_{given} {}
  void add(exec::Observer* observer) { all_.push_back(observer); }
  bool isOne() const { return all_.size() == 1; }

  bool wantsIssue() const override {
    return std::any_of(all_.begin(), all_.end(), [](const exec::Observer* each) { return each->wantsIssue(); });
  }
  void issue(const exec::IssueEvent& event) override {
    for (exec::Observer* each : all_) each->issue(event);
  }
  void memory(const exec::MemoryEvent& event) override {
    for (exec::Observer* each : all_) each->memory(event);
  }
  void branch(const exec::BranchEvent& event) override {
    for (exec::Observer* each : all_) each->branch(event);
  }
  void texels(const exec::TexelEvent& event) override {
    for (exec::Observer* each : all_) each->texels(event);
  }
  void blockBegins(u64 block) override {
    for (exec::Observer* each : all_) each->blockBegins(block);
  }
  void blockEnds(u64 block) override {
    for (exec::Observer* each : all_) each->blockEnds(block);
  }

 private:
  std::vector<exec::Observer*> all_;
};

LaunchObservers::LaunchObservers(const Mechanisms& mechanisms, const exec::LaunchRequest& request, std::vector<exec::Observer*> given) {
  for (exec::Observer* each : given) {
    auto several = std::make_unique<Several>(each);
    for (const auto& mechanism : mechanisms) {
      std::unique_ptr<LaunchObserver> observer = mechanism->observe(request);
      if (!observer) continue;
      several->add(observer.get());
      own_.push_back(std::move(observer));
    }
    if (several->isOne()) {
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
