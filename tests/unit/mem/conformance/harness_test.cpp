// The harness itself: a right agent passes, and each way of breaking the protocol is noticed.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <deque>

#include "unit/mem/conformance/conform.hpp"

namespace warpwright::mem::conformance {
namespace {

enum class Fault { none, drops, doubles, wrongId, oversleeps, forgetsSkippedTicks };

// Answers each request eight ticks after it came.
class DelayLine {
 public:
  explicit DelayLine(Fault fault) : fault_(fault) {}

  u32 inputs() const { return 1; }
  u32 outputs() const { return 1; }
  bool canAccept(u32, const Request&) const { return queue_.size() < 4; }
  void accept(u32, const Request& request, u64 now) {
    if (!request.wantsResponse) return;
    if (fault_ == Fault::drops && ++count_ == 100) return;
    Request response = request;
    response.isResponse = true;
    if (fault_ == Fault::wrongId && ++count_ == 100) ++response.id;
    queue_.push_back({now + 8, response});
    if (fault_ == Fault::doubles && ++count_ == 100) queue_.push_back(queue_.back());
  }
  const Request* peek(u32) const { return !queue_.empty() && queue_.front().first <= now_ ? &queue_.front().second : nullptr; }
  Request take(u32) {
    const Request result = queue_.front().second;
    queue_.pop_front();
    return result;
  }
  bool tick(u64 now) {
    const bool before = peek(0) != nullptr;
    occupied_ += fault_ == Fault::forgetsSkippedTicks ? 1 : now - now_;
    now_ = now;
    return !before && peek(0) != nullptr;
  }
  u64 nextUseful(u64 now) const {
    if (queue_.empty() || queue_.front().first <= now) return ~u64{0};
    return queue_.front().first + (fault_ == Fault::oversleeps ? 1 : 0);
  }
  bool quiescent() const { return queue_.empty(); }
  stats::Json statistics(u64 now) const { return {{"ticks", fault_ == Fault::forgetsSkippedTicks ? occupied_ : occupied_ + now - now_}}; }
  void check(stats::Conservation&) const {}

 private:
  Fault fault_;
  std::deque<std::pair<u64, Request>> queue_;
  u64 now_ = 0, occupied_ = 0;
  u32 count_ = 0;
};

// Sparse enough that there are ticks to skip.
const Traffic kTraffic{.requests = 500, .offerPercent = 10};

void conformWith(Fault fault) {
  conform([fault] { return DelayLine(fault); }, kTraffic);
}

// Whether the harness finds fault with the agent.
bool isCaught(Fault fault) {
  testing::TestPartResultArray failures;
  {
    testing::ScopedFakeTestPartResultReporter reporter(testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
    conformWith(fault);
  }
  return failures.size() > 0;
}

TEST(Harness, passesARightAgent) { conformWith(Fault::none); }

TEST(Harness, noticesEachFault) {
  EXPECT_TRUE(isCaught(Fault::drops));
  EXPECT_TRUE(isCaught(Fault::doubles));
  EXPECT_TRUE(isCaught(Fault::wrongId));
  EXPECT_TRUE(isCaught(Fault::oversleeps));
  EXPECT_TRUE(isCaught(Fault::forgetsSkippedTicks));
}

}  // namespace
}  // namespace warpwright::mem::conformance
