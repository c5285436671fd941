// Lines that come compressed, where assist warps make them whole (section 5.2.1). A line goes into the first-level cache as soon as it
// comes, which frees what waits for it there; a routine of high priority makes it whole beside the warp that missed it first, and all warps
// that wait for it issue nothing until it has.
#pragma once

#include <optional>
#include <utility>

#include "mechanisms/line_compression/decompressions.hpp"
#include "mechanisms/line_compression/sm_side.hpp"
#include "sm/ports/arrival_stage.hpp"

namespace warpwright::mechanisms::line_compression {

class AssistedArrivals final : public sm::ArrivalStage {
 public:
  // The statistics and what `read` reads outlive it.
  AssistedArrivals(const Settings& settings, u32 lineBytes, std::shared_ptr<const sm::AssistanceLink> link, LineReader read,
                   Statistics& statistics);

  bool takes(const mem::Request& response) const override { return isMadeWhole(response, firstLevel_); }
  bool canAccept(const mem::Request&) const override { return !passing_; }
  void accept(const mem::Request& response, Cycle now) override;
  const mem::Request* peek() const override { return passing_ ? &*passing_ : nullptr; }
  mem::Request take() override { return *std::exchange(passing_, std::nullopt); }
  bool tick(Cycle) override { return false; }
  Cycle nextUseful(Cycle) const override { return kNever; }
  bool quiescent() const override { return !passing_ && decompressions_.quiescent(); }

 private:
  bool makeWhole(const mem::Request& response, Cycle now);

  const FirstLevel firstLevel_;
  Statistics& stats_;
  Decompressions decompressions_;
  std::optional<mem::Request> passing_;
};

}  // namespace warpwright::mechanisms::line_compression
