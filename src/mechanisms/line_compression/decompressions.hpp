// Lines that routines make whole: what they are handed, and what they should leave (section 5.2.1).
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mechanisms/line_compression/line_sizes.hpp"
#include "mechanisms/line_compression/statistics.hpp"
#include "sm/assistance.hpp"

namespace warpwright::mechanisms::line_compression {

class Decompressions final : private sm::AssistanceClient {
 public:
  // Of a routine that has ended, or was given up; by the ticket that ask() gave.
  using Ended = std::function<void(u32 ticket, Cycle now)>;

  // The statistics, what `read` reads and what `ended` refers to outlive it.
  Decompressions(const Settings& settings, u32 lineBytes, std::shared_ptr<const sm::AssistanceLink> link, LineReader read, Ended ended,
                 Statistics& statistics);

  const sm::Assistance& assistance() const { return *link_->offered; }
  // A routine of high priority begins beside the slot's warp as soon as it can. Nothing: it never will, the warp has no such routine.
  // held: other warps that wait for it.
  std::optional<u32> ask(SlotId slot, GlobalAddress line, u8 encoding, sm::WarpSet held, Cycle now);
  bool quiescent() const { return asked_ == 0; }

 private:
  using Line = std::array<std::byte, 128>;
  // What a routine is to give; by ticket.
  struct Wanted {
    bool isInUse = false, isKnown = false;
    Line line;
  };

  void assisted(u32 ticket, std::span<const std::byte> buffer, Cycle now) override;
  compression::Variants variantsFor(u8 encoding) const;
  void compare(const Wanted& wanted, std::span<const std::byte> buffer);
  u32 freeTicket();

  const u32 lineBytes_;
  const BdiOrder bdiOrder_;
  const compression::Variants variants_;
  const std::shared_ptr<const sm::AssistanceLink> link_;
  const LineReader read_;
  const Ended ended_;
  Statistics& stats_;
  std::array<std::string, kEncodings> routines_;  // by encoding
  std::vector<Wanted> wanted_;
  u32 asked_ = 0;
};

}  // namespace warpwright::mechanisms::line_compression
