// Lines that come compressed, where assist warps make them whole (section 5.2.1). A line goes into the first-level cache as soon as it
// comes, which frees what waits for it there; a routine of high priority makes it whole beside the warp that missed it first, and all warps
// that wait for it issue nothing until it has.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "mechanisms/line_compression/line_sizes.hpp"
#include "mechanisms/line_compression/statistics.hpp"
#include "sm/assistance.hpp"
#include "sm/ports/arrival_stage.hpp"

namespace warpwright::mechanisms::line_compression {

class AssistedArrivals final : public sm::ArrivalStage, private sm::AssistanceClient {
 public:
  // The statistics and what `read` reads outlive it.
  AssistedArrivals(u32 lineBytes, std::shared_ptr<const sm::AssistanceLink> link, LineReader read, Statistics& statistics);

  bool takes(const mem::Request& response) const override { return response.encoding != 0 && !isWrite(response.type); }
  bool canAccept(const mem::Request&) const override { return !passing_; }
  void accept(const mem::Request& response, Cycle now) override;
  const mem::Request* peek() const override { return passing_ ? &*passing_ : nullptr; }
  mem::Request take() override { return *std::exchange(passing_, std::nullopt); }
  bool tick(Cycle) override { return false; }
  Cycle nextUseful(Cycle) const override { return kNever; }
  bool quiescent() const override { return !passing_ && asked_ == 0; }

 private:
  using Line = std::array<std::byte, 128>;
  // What a routine is to give; by ticket.
  struct Wanted {
    bool isInUse = false, isKnown = false;
    Line line;
  };

  void makeWhole(const mem::Request& response, Cycle now);
  void assisted(u32 ticket, std::span<const std::byte> buffer, Cycle now) override;
  u32 freeTicket();

  const u32 lineBytes_;
  const std::shared_ptr<const sm::AssistanceLink> link_;
  const LineReader read_;
  Statistics& stats_;
  std::array<std::string, kEncodings> routines_;  // by encoding
  std::optional<mem::Request> passing_;
  std::vector<Wanted> wanted_;
  u32 asked_ = 0;
};

}  // namespace warpwright::mechanisms::line_compression
