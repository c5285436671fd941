// Stores to parts of lines that lie compressed below (section 5.2.2). A store goes on as it is, as if its line were not compressed. Where
// L2 says that it is, the SM fetches the line, makes it whole as any other that comes, and stores all of it. Until then the SM keeps what
// was stored. A store that finds no room for that is merged with its line in L2, as an atomic is.
#pragma once

#include <optional>
#include <vector>

#include "mechanisms/line_compression/settings.hpp"
#include "mechanisms/line_compression/statistics.hpp"
#include "sm/access/stage.hpp"

namespace warpwright::mechanisms::line_compression {

class PartialStores final : public sm::LineStage {
 public:
  // entries: stores that are kept. What is below and the statistics outlive it.
  PartialStores(u32 entries, u32 lineBytes, sm::StagesBelow& below, Statistics& statistics);

  bool takes(const sm::LineAccess& access) const override;
  bool canAccept(const sm::LineAccess& access) const override { return below_.canAccept(access); }
  void accept(const sm::LineAccess& access, Cycle now) override;
  void fill(const mem::Request& response, Cycle now) override;
  const mem::Request* peekResponse() const override { return answers_.empty() ? nullptr : &answers_.front(); }
  mem::Request takeResponse() override;
  bool tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override { return due_.empty() ? kNever : now + 1; }
  bool quiescent() const override { return free_.size() == stores_.size() && answers_.empty(); }

 private:
  enum class State : u8 { sent, fetching, resent };
  struct Store {
    State state{};
    mem::Request request;
    sm::Route route{};
    const sm::LaunchPlan* plan = nullptr;
    std::optional<SlotId> warp;
  };

  mem::Request ofLine(const Store& store, mem::AccessType type, u32 index) const;
  void answer(u32 index);

  const u32 lineBytes_, wholeLine_;  // sectors of it
  sm::StagesBelow& below_;
  Statistics& stats_;
  std::vector<Store> stores_;
  std::vector<u32> free_;
  std::vector<u32> due_;  // that ask for their line, or store it, as soon as what is below takes it
  std::vector<mem::Request> answers_;
};

}  // namespace warpwright::mechanisms::line_compression
