// Affine vectors of shared memory (section 7 names other memory spaces as its outlook). Beside each row of
// the banks, 32 consecutive words, lie base, stride and a valid bit a word. A word whose bit is set is there and out of date in the banks.
// As there is an entry for every row, it has no tags and nothing is evicted.
//
// A store of words of one row that can be encoded goes to the row's entry. All else that is stored goes to the banks. Loads take from the
// entries what is valid there. A pass looks up one entry; which rows have valid words is known without (a bit each).
#pragma once

#include <array>
#include <vector>

#include "mechanisms/avc/settings.hpp"
#include "mechanisms/avc/statistics.hpp"
#include "sm/access/stage.hpp"
#include "values/compact_form.hpp"

namespace warpwright::mechanisms::avc {

class SharedVectors final : public sm::LaneStage {
 public:
  explicit SharedVectors(const Settings& settings) : extraLatency_(settings.extraLatency), encoder_(settings.strideBits) {}

  void blockBegins(SlotId firstSlot, u64 bytes) override;
  void access(sm::LaneAccess& access, sm::MemoryOperation& operation, Cycle now) override;
  bool isTimed() const override { return false; }

  const SharedStats& stats() const { return stats_; }

 private:
  struct Entry {
    values::CompactForm form;
    WordMask valid = 0;
  };
  // What becomes of an access.
  struct Service {
    LaneMask lanes;      // need no banks
    u32 passes = 0;      // over the entries, at the time of the banks'
    u32 bankPasses = 0;  // beyond those of the other lanes
    u32 delay = 0;       // cycles until the data are there, beyond the banks' latency
  };
  // A row, and the words of it that an access touches.
  struct Row {
    u64 number = 0;
    WordMask words = 0;
  };

  void findRows(const sm::LaneAccess& access);
  Service read(const sm::LaneAccess& access);
  Service write(const sm::LaneAccess& access);
  bool keep(Entry& entry, WordMask words, const values::CompactForm& form, Service& service);
  bool encodes(const sm::LaneAccess& access, values::Encoding& encoding);
  void check(const sm::LaneAccess& access, LaneId lane);

  u32 extraLatency_;
  values::Encoder encoder_;
  std::vector<std::vector<Entry>> blocks_;  // rows, by block
  std::vector<Row> rows_;                   // of the access at hand
  std::array<u32, kWordsPerVector> words_{};
  SharedStats stats_;
};

}  // namespace warpwright::mechanisms::avc
