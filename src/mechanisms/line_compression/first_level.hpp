// Loads of lines that lie compressed in the first-level data cache: compressed caches (section 7.5), where each load has its line made
// whole by a routine or by hardware, and direct loads (section 7.6), where the coalescing unit takes what it needs out of the compressed
// line.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "mechanisms/line_compression/compressed_sets.hpp"
#include "mechanisms/line_compression/decompressions.hpp"
#include "sm/access/stage.hpp"

namespace warpwright::mechanisms::line_compression {

class FirstLevelLoads final : public sm::LineStage {
 public:
  // What the context has, the statistics and what `read` reads outlive it. link: of who runs routines; null: hardware makes lines whole.
  FirstLevelLoads(const Settings& settings, const config::Cache& cache, const sm::StageContext& context,
                  std::shared_ptr<const sm::AssistanceLink> link, LineReader read, Statistics& statistics);

  bool takes(const sm::LineAccess& access) const override;
  // As many as the load/store unit has under way: routines need the unit, too, which a load that waits for one must never hold up.
  bool canAccept(const sm::LineAccess& access) const override { return below_.canAccept(access); }
  void accept(const sm::LineAccess& access, Cycle now) override;
  void fill(const mem::Request& response, Cycle now) override;
  const mem::Request* peekResponse() const override { return answers_.empty() ? nullptr : &answers_.front(); }
  mem::Request takeResponse() override;
  bool tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override { return inHardware_.empty() ? kNever : std::max(inHardware_.front().ready, now + 1); }
  bool quiescent() const override { return free_.size() == loads_.size() && answers_.empty(); }

 private:
  struct Load {
    mem::Request request;
    std::optional<SlotId> warp;
    std::optional<u32> ticket;  // of its routine
  };

  struct InHardware {
    u32 load = 0;
    Cycle ready{};
  };

  u32 freeLoad();
  bool askRoutine(Load& load, u8 encoding, Cycle now);
  void ended(u32 ticket);
  void answer(u32 index);

  const u32 lineBytes_;
  const u64 latency_;
  sm::StagesBelow& below_;
  Statistics& stats_;
  std::optional<Decompressions> routines_;  // nothing: hardware
  CompressedSets sets_;
  std::vector<Load> loads_;  // as many as were ever under way at once
  std::vector<u32> free_;
  std::deque<mem::Request> answers_;
  std::deque<InHardware> inHardware_;
};

}  // namespace warpwright::mechanisms::line_compression
