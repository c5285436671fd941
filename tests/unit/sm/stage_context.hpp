// What a stage of an SM's way to memory has around it, without an SM: behind it is the data cache alone.
#pragma once

#include <deque>

#include "sm/access/stage.hpp"

namespace warpwright::sm::testing {

class OnlyCache final : public StagesBelow {
 public:
  explicit OnlyCache(L1Cache& cache) : cache_(cache) {}
  bool canAccept(const LineAccess& access) const override { return cache_.canAccept(access.request); }
  void pass(const LineAccess& access, Cycle now) override { cache_.accept(access.request, now); }
  void ask(const LineAccess& access, Cycle now) override { cache_.accept(access.request, now); }

 private:
  L1Cache& cache_;
};

class NoOperations final : public OperationSource {
 public:
  bool canBegin() const override { return false; }
  MemoryOperation& begin(AccessStage&) override { return operations_.emplace_back(); }
  void submit(MemoryOperation&, Cycle) override {}

 private:
  std::deque<MemoryOperation> operations_;
};

}  // namespace warpwright::sm::testing
