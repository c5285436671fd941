// Turns the events of one instruction into its StepRecord, and passes them on.
#pragma once

#include <algorithm>
#include <utility>

#include "exec/stepper.hpp"
#include "exec/transfer.hpp"

namespace warpwright::exec {

class StepRecorder final : public Observer {
 public:
  explicit StepRecorder(Observer* next) : next_(next) {}

  StepRecord& begin(Pc pc, const isa::Instruction* instruction, LaneMask active, LaneMask executing) {
    record_.pc = pc;
    record_.instruction = instruction;
    record_.active = active;
    record_.executing = executing;
    record_.branchTargets = 0;
    record_.jumped = record_.waits = record_.awaitsAtomics = record_.releasesOthers = record_.barrierOpened = record_.abandoned = false;
    record_.isRemote = false;
    record_.ahead.count = 0;
    record_.atomic.reset();
    record_.bulk = {};
    record_.accessCount = 0;
    return record_;
  }
  StepRecord& record() { return record_; }
  // From now on passes events on to another observer, or to none; gives the one before.
  Observer* passTo(Observer* next) { return std::exchange(next_, next); }

  bool wantsIssue() const override { return next_ && next_->wantsIssue(); }
  void issue(const IssueEvent& event) override {
    if (next_) next_->issue(event);
  }
  void issueTakenBack(const IssueEvent& event) override {
    if (next_) next_->issueTakenBack(event);
  }
  void result(const ResultEvent& event) override {
    if (next_) next_->result(event);
  }
  void memory(const MemoryEvent& event) override {
    if (next_) next_->memory(event);
    auto& lanes = lanes_[record_.accessCount];
    std::copy_n(event.addresses, event.mask.greatest() + 1, lanes.begin());
    AccessRecord& access = record_.accesses[record_.accessCount++];
    access = {event.space, event.isLoad, event.isStore, event.isAtomic, false, event.bytesPerLane, event.mask,
              0,           event.spread, lanes,         event.values};
  }
  void branch(const BranchEvent& event) override {
    if (next_) next_->branch(event);
    record_.branchTargets = event.targets;
  }
  void texels(const TexelEvent& event) override {
    if (next_) next_->texels(event);
    texels_.assign(event.addresses, event.addresses + event.count);
    AccessRecord& access = record_.accesses[record_.accessCount++];
    access = {isa::Space::global, !event.isStore, event.isStore,   false,   true,   event.bytes,
              event.mask,         event.count,    Spread::unknown, texels_, nullptr};
  }
  void beginBulk(const BulkRecord& copy) {
    if (record_.bulk.empty()) bulk_.clear();
    bulk_.push_back(copy);
    record_.bulk = bulk_;
  }
  // Lanes prefetch a line each from the addresses.
  void prefetch(isa::Space space, LaneMask mask, const LaneAddresses& addresses) {
    auto& lanes = lanes_[record_.accessCount];
    std::copy_n(addresses.lane, mask.greatest() + 1, lanes.begin());
    AccessRecord& access = record_.accesses[record_.accessCount++] = {};
    access.space = space;
    access.bytes = 1;
    access.mask = mask;
    access.addresses = lanes;
    access.isPrefetch = true;
  }
  // … pieces of global memory.
  void prefetch(std::vector<u64> pieces, u32 bytes) {
    texels_ = std::move(pieces);
    AccessRecord& access = record_.accesses[record_.accessCount++] = {};
    access.bytes = bytes;
    access.count = static_cast<u32>(texels_.size());
    access.addresses = texels_;
    access.isPrefetch = true;
  }
  void blockBegins(u64 block) override {
    if (next_) next_->blockBegins(block);
  }
  void blockEnds(u64 block) override {
    if (next_) next_->blockEnds(block);
  }

 private:
  Observer* next_;
  StepRecord record_;
  std::array<std::array<u64, kMaxWarpSize>, StepRecord::kMostAccesses> lanes_;
  std::vector<u64> texels_;  // or pieces of a prefetch
  std::vector<BulkRecord> bulk_;
};

}  // namespace warpwright::exec
