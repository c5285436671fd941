// The elastic pipeline from the last execution stage to write-back (Gou, "Customizable Memory Schemes for Data Parallel Accelerators",
// figures 5.5 and 5.6).
//
//             ┌─ PREMEM queue ─┐
//   EXE ──────┴───────────────→ MEM0 → … → MEMn ──→ ┐
//        └──→ NONMEM queue, any entry ────────────→ ├─ write-back: outside, MEMn, the oldest of the NONMEM queue, EXE
//        └────────────────────────────────────────→ ┘   (data from outside come first, EXE last)
//
// Sub-warps with memory access wait for the first memory stage in the PREMEM queue, those without wait for write-back in the NONMEM queue,
// or are written back at once. The stages before stand still only when the queue that they need is full.
#pragma once

#include <vector>

#include "base/ring_queue.hpp"
#include "mechanisms/elastic_pipeline/commit_order.hpp"
#include "mechanisms/elastic_pipeline/settings.hpp"
#include "mechanisms/elastic_pipeline/statistics.hpp"
#include "sm/pipeline/memory_path.hpp"
#include "sm/pipeline/memory_stages.hpp"

namespace warpwright::mechanisms::elastic_pipeline {

class ElasticStages final : public sm::MemoryStages {
 public:
  // The NONMEM queue must hold something. statistics: of its SM; outlives this.
  ElasticStages(const config::Machine& machine, const Settings& settings, const sm::StagesContext& context, Statistics& statistics);

  bool tick(Cycle now) override;
  std::optional<sm::Slot> refuses(const sm::SubWarp* next, Cycle now) const override;
  void take(sm::SubWarp subWarp, Cycle now) override;
  void addFromOutside(u32 instruction, u32 subWarps) override { port_.add(instruction, subWarps); }
  Cycle nextUseful(Cycle now) const override;
  void show(const sm::ShowSubWarp& show, Cycle now) const override;
  u64 writeBackConflicts() const override { return memory_.stalls(); }

 private:
  bool tickMemory(Cycle now);
  bool tickNonmem(Cycle now);
  // Nothing in the NONMEM queue may be written, whether the port is free or not.
  bool isBlocked() const;
  void takeMemory(sm::SubWarp subWarp, Cycle now);
  void takeNonmem(sm::SubWarp subWarp, Cycle now);
  // A sub-warp without memory access leaves, if it may and the port takes its result.
  bool write(sm::SubWarp subWarp, Cycle now);

  sm::InFlight& inFlight_;
  const u32 certain_;
  sm::WriteBackPort port_;
  sm::MemoryPath memory_;
  CommitOrder order_;
  RingQueue<sm::SubWarp> premem_;
  std::vector<sm::SubWarp> nonmem_;  // the oldest first
  const u32 nonmemDepth_;
  bool wrote_ = false;  // one without memory access, in this cycle
  Statistics& statistics_;
};

}  // namespace warpwright::mechanisms::elastic_pipeline
