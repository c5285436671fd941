// A next-line prefetcher before the first-level data cache (A. J. Smith, "Cache Memories", ACM Computing Surveys 14(3), 1982, section 2.1):
// who reads a line will soon read the next one.
#pragma once

#include <deque>
#include <set>
#include <warpwright/plugin.hpp>

namespace next_line {

using namespace warpwright;

enum class Trigger : u8 { miss, access };

struct Settings {
  u32 degree = 1;
  Trigger trigger = Trigger::miss;
};

// issued = useful + late + lost + those that nobody has asked for yet; prefetches under way at the end of a launch count in the next one.
struct Counters {
  u64 triggers = 0, issued = 0, useful = 0, late = 0, lost = 0, refused = 0;

  static constexpr void fields(auto&& field) {
    using C = Counters;
    field("triggers", "reads", "that asked for prefetches", &C::triggers);
    field("issued", "lines", "prefetched", &C::issued);
    field("useful", "lines", "read while they were there", &C::useful);
    field("late", "lines", "read before they had come", &C::late);
    field("lost", "lines", "read when they had left the cache again, or dropped between launches", &C::lost);
    field("refused", "lines", "not prefetched as too many waited", &C::refused);
  }
  static constexpr void figures(auto&& figure) {
    figure("accuracy", "share", "of the prefetched lines, read while there or on their way",
           [](const Counters& c) { return stats::ratio(c.useful + c.late, c.issued); });
  }
};

class Prefetcher final : public sm::LineStage {
 public:
  Prefetcher(const Settings& settings, u32 lineBytes, Counters& counters, const sm::StageContext& context)
      : settings_(settings), lineBytes_(lineBytes), counters_(counters), cache_(context.cache), below_(context.below) {}

  // Reads of global memory on their way to the cache are looked at, and go on in the same cycle.
  bool takes(const sm::LineAccess& access) const override;
  bool canAccept(const sm::LineAccess& access) const override { return below_.canAccept(access); }
  void accept(const sm::LineAccess& access, Cycle now) override;

  // One prefetch a cycle, behind the program's own accesses of that cycle.
  bool tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override { return waiting_.empty() ? kNever : now + 1; }
  void fill(const mem::Request& response, Cycle now) override;
  bool quiescent() const override { return waiting_.empty() && underWay_.empty(); }
  void invalidate() override;

 private:
  void judge(GlobalAddress line);
  void ask(GlobalAddress line);
  GlobalAddress lineOf(GlobalAddress address) const { return alignDown(address, lineBytes_); }

  Settings settings_;
  u32 lineBytes_;
  Counters& counters_;
  const sm::L1Cache& cache_;
  sm::StagesBelow& below_;
  std::deque<GlobalAddress> waiting_;          // lines to be asked for
  std::set<GlobalAddress> underWay_, unread_;  // asked for; there, and not read yet
};

}  // namespace next_line
