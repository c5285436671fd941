#include "engine/quanta.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace warpwright::engine {
namespace {

// Counts a token down on its way round a ring, working `pause` cycles on it at each stop, and writes down when it saw what.
class Stop final : public Domain {
 public:
  Stop(Channel<u32>& from, Channel<u32>& to, u64 pause) : from_(from), to_(to), pause_(pause) {}

  void begin(u32 token) { work(token, {0}); }
  void run(Cycle from, Cycle until) override {
    for (Cycle now = from; now < until; ++now) {
      if (from_.ready(now) && !busy_) work(from_.take(now), now);
      if (!busy_ || now < done_ || !to_.canSend(now)) continue;
      busy_ = false;
      if (token_ != 0) to_.send(token_ - 1, now);
    }
  }
  Cycle nextUseful() const override { return busy_ ? done_ : from_.nextArrival(); }

  std::vector<std::pair<u64, u32>> seen;

 private:
  void work(u32 token, Cycle now) {
    seen.emplace_back(now.ticks, token);
    token_ = token;
    busy_ = true;
    done_ = now + pause_;
  }

  Channel<u32>&from_, &to_;
  u64 pause_;
  bool busy_ = false;
  u32 token_ = 0;
  Cycle done_{};
};

struct Ends final : QuantumEnd {
  u64 count = 0, stopAfter = ~u64{0};
  bool quantumEnded(Cycle) override { return ++count < stopAfter; }
};

struct Ring {
  explicit Ring(u32 size) {
    for (u32 i = 0; i < size; ++i) channels.push_back(std::make_unique<Channel<u32>>(2, 7 + i % 3));
    for (u32 i = 0; i < size; ++i) stops.push_back(std::make_unique<Stop>(*channels[i], *channels[(i + 1) % size], 3 + 11 * i));
  }
  std::vector<Domain*> domains() {
    std::vector<Domain*> all;
    for (auto& stop : stops) all.push_back(stop.get());
    return all;
  }
  std::vector<Link> links() {
    const auto size = static_cast<u32>(channels.size());
    std::vector<Link> all;
    for (u32 i = 0; i < size; ++i) all.push_back({channels[i].get(), (i + size - 1) % size, i});
    return all;
  }
  std::vector<std::unique_ptr<Channel<u32>>> channels;
  std::vector<std::unique_ptr<Stop>> stops;
};

std::vector<std::vector<std::pair<u64, u32>>> journey(const QuantaOptions& options, u64& quanta) {
  Ring ring(5);
  ring.stops[0]->begin(60);
  ring.stops[2]->begin(45);
  Quanta engine(ring.domains(), ring.links(), options);
  Ends ends;
  EXPECT_EQ(engine.run(ends), Quanta::End::idle);
  quanta = ends.count;
  std::vector<std::vector<std::pair<u64, u32>>> seen;
  for (auto& stop : ring.stops) seen.push_back(stop->seen);
  return seen;
}

TEST(Quanta, TheQuantumIsTheShortestLatency) {
  Ring ring(4);
  EXPECT_EQ(Quanta(ring.domains(), ring.links(), {}).quantum(), 7u);
}

TEST(Quanta, AnyNumberOfThreadsGivesTheSameTimes) {
  u64 quanta = 0;
  const auto one = journey({1, true}, quanta);
  EXPECT_EQ(one[0].front().first, 0u);
  EXPECT_GT(one[0].size(), 5u);
  for (const u32 threads : {2u, 3u, 8u}) EXPECT_EQ(journey({threads, true}, quanta), one) << threads;
}

TEST(Quanta, SkippingChangesNothingButTheWork) {
  u64 skipped = 0, all = 0;
  EXPECT_EQ(journey({1, true}, skipped), journey({1, false}, all));
  EXPECT_LT(skipped, all);
}

TEST(Quanta, StopsWhenAskedTo) {
  Ring ring(3);
  ring.stops[0]->begin(1000);
  Quanta engine(ring.domains(), ring.links(), {});
  Ends ends;
  ends.stopAfter = 10;
  EXPECT_EQ(engine.run(ends), Quanta::End::stopped);
  EXPECT_EQ(ends.count, 10u);
  Ends more;
  more.stopAfter = 5;
  EXPECT_EQ(engine.run(more), Quanta::End::stopped) << "it goes on where it stopped";
  EXPECT_EQ(more.count, 5u);
}

TEST(Quanta, TheHookCanHaveWorkOfItsOwn) {
  struct Alarm final : QuantumEnd {
    Cycle due{1000}, rang{};
    bool quantumEnded(Cycle now) override {
      if (now > due) rang = now;
      return now <= due;
    }
    Cycle nextUseful() const override { return due; }
  };
  Ring ring(3);
  Quanta engine(ring.domains(), ring.links(), {});
  Alarm alarm;
  EXPECT_EQ(engine.run(alarm), Quanta::End::stopped);
  EXPECT_EQ(alarm.rang, Cycle{1001}) << "quanta of 7 cycles begin at multiples of 7: 994 to 1001";
}

TEST(Quanta, RefusesAChannelWithoutLatency) {
  Ring ring(2);
  Channel<u32> immediate(1, 0);
  auto links = ring.links();
  links.push_back({&immediate, 0, 1});
  EXPECT_THROW(Quanta(ring.domains(), links, {}), Error);
}

}  // namespace
}  // namespace warpwright::engine
