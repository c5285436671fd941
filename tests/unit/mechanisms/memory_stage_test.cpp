// A mechanism between the memory partitions and their DRAM channels, as one from outside would be written.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "mechanisms/mechanism.hpp"
#include "mem/delay_queue.hpp"
#include "mem/memory_side.hpp"
#include "stats/json.hpp"

namespace warpwright::mechanisms {
namespace {

constexpr u64 kDelay = 5;  // ticks of L2

// Delays reads by kDelay ticks; halves the pieces of whatever passes.
struct Effects {
  bool delays = false, halves = false;
};

class TestStage final : public mem::DramStage {
 public:
  explicit TestStage(const Effects& effects) : effects_(effects), down_(64), up_(64) {}

  bool canAccept(const mem::Request&) const override { return !down_.full(); }
  void accept(const mem::Request& request, L2Tick now) override {
    mem::Request passed = request;
    if (effects_.halves) passed.pieces = static_cast<u8>(request.dataBytes() / mem::Request::kPieceBytes / 2);
    const u64 delay = effects_.delays && !isWrite(request.type) ? kDelay : 0;
    down_.push(passed, std::max(now + delay, last_));
    last_ = std::max(now + delay, last_);
    down_.advance(now);
    ++passed_;
  }
  const mem::Request* peekMiss() const override { return down_.peek(); }
  mem::Request takeMiss() override { return down_.take(); }
  bool canFill(const mem::Request&) const override { return !up_.full(); }
  void fill(const mem::Request& response, L2Tick) override { up_.push(response); }
  const mem::Request* peekResponse() const override { return up_.empty() ? nullptr : &up_.front(); }
  mem::Request takeResponse() override {
    const mem::Request response = up_.front();
    up_.pop();
    return response;
  }
  bool tick(L2Tick now) override { return down_.advance(now); }
  L2Tick nextUseful(L2Tick now) const override { return std::max(down_.nextReady(), now + 1); }
  bool quiescent() const override { return down_.empty() && up_.empty(); }

  u64 passed() const { return passed_; }

 private:
  Effects effects_;
  mem::DelayQueue<mem::Request, L2Clock> down_;
  RingQueue<mem::Request> up_;
  L2Tick last_{};
  u64 passed_ = 0;
};

class TestMechanism final : public Mechanism {
 public:
  explicit TestMechanism(const Effects& effects) : effects_(effects) {}
  void equipMemory(mem::Parts& parts, PartitionId) override {
    parts.stages.push_back([this] {
      auto stage = std::make_unique<TestStage>(effects_);
      stages_.push_back(stage.get());
      return stage;
    });
  }
  u64 passed() const { return stages_.front()->passed(); }

 private:
  Effects effects_;
  std::vector<const TestStage*> stages_;
};

// In place of a DRAM channel: answers reads in the next tick.
class IdealDram final : public mem::DramModel {
 public:
  bool canAccept(const mem::Request&) const override { return !answers_.full(); }
  void accept(const mem::Request& request, DramTick) override {
    if (!request.wantsResponse) return;
    mem::Request response = request;
    response.isResponse = true;
    answers_.push(response);
  }
  const mem::Request* peekResponse() const override { return answers_.empty() ? nullptr : &answers_.front(); }
  mem::Request takeResponse() override {
    const mem::Request response = answers_.front();
    answers_.pop();
    return response;
  }
  bool tick(DramTick) override { return false; }
  DramTick nextUseful(DramTick) const override { return {~u64{0}}; }
  bool idle() const override { return answers_.empty(); }
  const mem::DramStats& statistics(DramTick) override { return stats_; }

 private:
  RingQueue<mem::Request> answers_{64};
  mem::DramStats stats_;
};

// An SM that sends requests at their times, one a cycle at most, and notes when their responses come.
class TestSm final : public engine::Domain {
 public:
  TestSm(mem::RequestChannel& out, mem::RequestChannel& in) : out_(out), in_(in) {}
  void add(const mem::Request& request) { requests_.push_back(request); }

  void run(Cycle from, Cycle until) override {
    for (Cycle now = from; now < until; ++now) {
      if (sent_ < requests_.size() && requests_[sent_].born <= now && out_.canSend(now)) out_.send(requests_[sent_++], now);
      for (; in_.ready(now); in_.take(now)) arrived.push_back({in_.front(), now});
    }
    now_ = until;
  }
  Cycle nextUseful() const override {
    const Cycle sends = sent_ == requests_.size() ? kNever : out_.canSendAt(std::max(now_, requests_[sent_].born));
    return std::min(sends, in_.nextArrival() == kNever ? kNever : std::max(now_, in_.nextArrival()));
  }

  struct Arrived {
    mem::Request response;
    Cycle time{};
    bool operator==(const Arrived&) const = default;
  };
  std::vector<Arrived> arrived;

 private:
  mem::RequestChannel& out_;
  mem::RequestChannel& in_;
  std::vector<mem::Request> requests_;
  std::size_t sent_ = 0;
  Cycle now_{};
};

config::Machine machineOf(u32 sms) {
  config::Machine machine = config::loadMachine("gtx480");
  machine.multiprocessors = sms;
  machine.network.clockKhz = machine.partition.clockKhz = machine.dram.clockKhz = machine.coreClockKhz;
  machine.dram.tREFI = machine.dram.tRFC = 0;
  return machine;
}

class Side {
 public:
  explicit Side(const config::Machine& machine, const mem::MemorySide::Equip& equip = {}, engine::QuantaOptions options = {})
      : map_(machine.dram.channels, machine.partition.slices, machine.partition.networkPorts, machine.dram.interleaveBytes,
             machine.dram.hashChannels) {
    std::vector<mem::RequestChannel*> fromSms, toSms;
    for (u32 sm = 0; sm < machine.multiprocessors; ++sm) {
      for (auto* list : {&fromSms, &toSms}) {
        channels_.push_back(std::make_unique<mem::RequestChannel>(16, machine.network.injectionLatency));
        list->push_back(channels_.back().get());
      }
    }
    side_.emplace(machine, map_, fromSms, toSms, options.skip, equip);
    domains_ = side_->domains();
    links_ = side_->links();
    for (u32 sm = 0; sm < machine.multiprocessors; ++sm) {
      const auto place = static_cast<u32>(domains_.size());
      sms_.push_back(std::make_unique<TestSm>(*fromSms[sm], *toSms[sm]));
      domains_.push_back(sms_.back().get());
      links_.push_back({fromSms[sm], place, side_->requestDomain()});
      links_.push_back({toSms[sm], side_->responseDomain(), place});
    }
    quanta_.emplace(domains_, links_, options);
  }

  void read(u32 sm, u64 address, u64 time, mem::AccessType type = mem::AccessType::globalRead, u32 sectors = 0b1111) {
    mem::Request request;
    request.address = GlobalAddress(address);
    request.lineBytes = 128;
    request.sectors = request.wholeSectors = sectors;
    request.type = type;
    request.origin.sm = static_cast<u16>(sm);
    request.operations = type == mem::AccessType::atomic ? 3 : 0;
    request.memoryPort = static_cast<u16>(map_.port(request.address));
    request.born = {time};
    sms_[sm]->add(request);
  }
  // Until nothing is to be done any more.
  void run() {
    struct Always final : engine::QuantumEnd {
      bool quantumEnded(Cycle now) override { return now < Cycle{20'000}; }
    } always;
    quanta_->run(always);
    EXPECT_TRUE(side_->idle());
  }
  u64 latency() {
    read(0, 0, 3);
    run();
    return sm(0).arrived.empty() ? 0 : sm(0).arrived.front().time.ticks - 3;
  }
  TestSm& sm(u32 number) { return *sms_[number]; }
  mem::MemorySideStats statistics() { return side_->statistics(quanta_->now()); }
  const mem::MemorySide& side() const { return *side_; }

 private:
  mem::AddressMap map_;
  std::vector<std::unique_ptr<mem::RequestChannel>> channels_;
  std::vector<std::unique_ptr<TestSm>> sms_;
  std::optional<mem::MemorySide> side_;
  std::vector<engine::Domain*> domains_;
  std::vector<engine::Link> links_;
  std::optional<engine::Quanta> quanta_;
};

mem::MemorySide::Equip with(Mechanism& mechanism) {
  return [&mechanism](mem::Parts& parts, PartitionId partition) { mechanism.equipMemory(parts, partition); };
}

u64 latencyWith(const Effects& effects) {
  TestMechanism mechanism(effects);
  return Side(machineOf(1), with(mechanism)).latency();
}

TEST(MemoryStage, ThatPassesEverythingOnCostsNoTime) { EXPECT_EQ(latencyWith({}), Side(machineOf(1)).latency()); }

TEST(MemoryStage, DelaysReadsByItsLatency) { EXPECT_EQ(latencyWith({.delays = true}), Side(machineOf(1)).latency() + kDelay); }

// 128 bytes become 64: DRAM moves one column instead of two of a bank group, tCCDL apart; the slice is filled with 32 bytes a tick in two
// ticks instead of four; and the response is two flits of 40 bytes instead of four.
TEST(MemoryStage, HalvesWhatTravels) {
  EXPECT_EQ(latencyWith({.halves = true}), Side(machineOf(1)).latency() - machineOf(1).dram.tCCDL - 2 - 2);
  TestMechanism mechanism({.halves = true});
  Side side(machineOf(1), with(mechanism));
  side.latency();
  const mem::MemorySideStats stats = side.statistics();
  EXPECT_EQ(stats.dram.movedBytes, 64u);
  EXPECT_EQ(stats.dram.bytesOut, mem::kHeaderBytes + 64);
  EXPECT_EQ(stats.partition.bytesFromDram, mem::kHeaderBytes + 64);
  EXPECT_EQ(stats.responses.bytes, mem::kHeaderBytes + 64);
  EXPECT_EQ(stats.responses.ejectedFlits, 2u);
  EXPECT_EQ(mechanism.passed(), 1u);
  EXPECT_TRUE(stats.hasStages);
}

TEST(MemoryStage, SeveralStandBehindOneAnother) {
  TestMechanism first({.delays = true}), second({.delays = true, .halves = true});
  const auto both = [&](mem::Parts& parts, PartitionId partition) {
    first.equipMemory(parts, partition);
    second.equipMemory(parts, partition);
  };
  EXPECT_EQ(Side(machineOf(1), both).latency(), Side(machineOf(1)).latency() + 2 * kDelay - machineOf(1).dram.tCCDL - 4);
}

TEST(MemoryParts, AChannelIsReplacedOnce) {
  const auto ideal = [](mem::Parts& parts, PartitionId) { parts.channel.replace("ideal", [] { return std::make_unique<IdealDram>(); }); };
  // A closed bank costs a tick until the first command, activation and read, 12 ticks each, the distance of two columns and two ticks of
  // data. The ideal one answers in the tick in which it is asked.
  EXPECT_EQ(Side(machineOf(1), ideal).latency(), Side(machineOf(1)).latency() - (1 + 12 + 12 + machineOf(1).dram.tCCDL + 2));
  const auto twice = [&](mem::Parts& parts, PartitionId partition) {
    ideal(parts, partition);
    parts.channel.replace("other", [] { return std::make_unique<IdealDram>(); });
  };
  EXPECT_THROW(Side(machineOf(1), twice), Error);
}

// --- domains

// The way through channels is part of the partition's latency: unless it is too short, when all go in step.
TEST(MemoryDomains, LeaveTheLatencyAsItIs) {
  config::Machine machine = machineOf(1);
  const u64 latency = Side(machine).latency();
  EXPECT_EQ(Side(machine).side().domains().size(), 2 + machine.dram.channels);
  const u32 borrowed = 2 * machine.network.injectionLatency - 1;
  const u32 longer = machine.partition.latency;
  machine.partition.latency = borrowed;
  EXPECT_EQ(Side(machine).side().domains().size(), 2 + machine.dram.channels);
  EXPECT_EQ(Side(machine).latency(), latency - (longer - borrowed));
  machine.partition.latency = borrowed - 1;
  EXPECT_EQ(Side(machine).side().domains().size(), 1u);
  EXPECT_EQ(Side(machine).latency(), latency - (longer - borrowed) - 1);
}

// More than the channels hold, from all SMs to few partitions and many.
std::vector<std::vector<TestSm::Arrived>> trafficThrough(const config::Machine& machine, engine::QuantaOptions options, std::string& text) {
  TestMechanism mechanism({.delays = true, .halves = true});
  Side side(machine, with(mechanism), options);
  u64 random = 1;
  for (u64 i = 0; i < 400; ++i) {
    for (u32 sm = 0; sm < machine.multiprocessors; ++sm) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      const u64 line = i < 200 ? (random >> 40) % 64 * 16 : (random >> 40) % 4096;
      const u64 kind = random >> 60;
      const auto type = kind == 0 ? mem::AccessType::atomic : kind < 4 ? mem::AccessType::globalWrite : mem::AccessType::globalRead;
      side.read(sm, line * 128, i * 2, type, kind == 5 ? 0b0110 : 0b1111);
    }
  }
  side.run();
  std::vector<std::vector<TestSm::Arrived>> result;
  for (u32 sm = 0; sm < machine.multiprocessors; ++sm) {
    EXPECT_EQ(side.sm(sm).arrived.size(), 400u);
    result.push_back(side.sm(sm).arrived);
  }
  const mem::MemorySideStats stats = side.statistics();
  stats::Conservation laws;
  check(stats.partition, laws);
  checkAtRest(stats.partition, laws);
  laws.equal("to the partitions", stats.requests.deliveredBytes, stats.partition.bytesFromNetwork);
  laws.equal("from the partitions", stats.partition.bytesToNetwork, stats.responses.bytes);
  for (const std::string& violation : laws.violations()) ADD_FAILURE() << violation;
  text = stats::toJson(stats).dump();
  return result;
}

TEST(MemoryDomains, GiveTheSameForAnyNumberOfThreadsAndEveryCycle) {
  for (const bool inStep : {false, true}) {
    config::Machine machine = machineOf(5);
    machine.dram.clockKhz = 924'000;
    machine.partition.clockKhz = 560'000;
    if (inStep) machine.partition.latency = 3;
    std::string expectedText;
    const auto expected = trafficThrough(machine, {}, expectedText);
    for (const bool skip : {true, false}) {
      for (const u32 threads : {1u, 2u, 3u, 8u}) {
        std::string text;
        EXPECT_EQ(trafficThrough(machine, {threads, skip}, text), expected) << threads << " threads, " << skip;
        if (skip) {
          EXPECT_EQ(text, expectedText);
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpwright::mechanisms
