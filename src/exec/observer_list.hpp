// Several observers as one.
#pragma once

#include <algorithm>
#include <vector>

#include "exec/observer.hpp"

namespace warpwright::exec {

class ObserverList final : public Observer {
 public:
  // It must outlive the list.
  void add(Observer* observer) { all_.push_back(observer); }
  std::size_t size() const { return all_.size(); }

  bool wantsIssue() const override {
    return std::any_of(all_.begin(), all_.end(), [](const Observer* each) { return each->wantsIssue(); });
  }
  void issue(const IssueEvent& event) override {
    for (Observer* each : all_) each->issue(event);
  }
  void issueTakenBack(const IssueEvent& event) override {
    for (Observer* each : all_) each->issueTakenBack(event);
  }
  void result(const ResultEvent& event) override {
    for (Observer* each : all_) each->result(event);
  }
  void memory(const MemoryEvent& event) override {
    for (Observer* each : all_) each->memory(event);
  }
  void branch(const BranchEvent& event) override {
    for (Observer* each : all_) each->branch(event);
  }
  void texels(const TexelEvent& event) override {
    for (Observer* each : all_) each->texels(event);
  }
  void blockBegins(u64 block) override {
    for (Observer* each : all_) each->blockBegins(block);
  }
  void blockEnds(u64 block) override {
    for (Observer* each : all_) each->blockEnds(block);
  }

 private:
  std::vector<Observer*> all_;
};

}  // namespace warpwright::exec
