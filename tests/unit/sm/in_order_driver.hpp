// Drives an in-order pipeline alone: what issues when, and when it completes.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "sm/pipeline/in_order.hpp"
#include "unit/sm/wire.hpp"

namespace warpwright::sm::testing {

using warpwright::testing::bareMachine;
using warpwright::testing::Wire;

// Fetch, decode, execute, two memory stages, write-back; a warp is as wide as the SIMD unit.
inline config::Machine sixStages() {
  config::Machine machine = bareMachine();
  machine.warpSize = 8;
  machine.warpsPerSm = 32;
  machine.sm.pipeline = config::Pipeline::inOrder;
  machine.sm.stages = 6;
  machine.sm.memoryStages = 2;
  machine.sm.loadStore.width = 8;
  machine.sm.integer.width = machine.sm.fp32.width = machine.sm.fp64.width = machine.sm.sfu.width = 8;
  machine.sm.storesInFlight = 64;
  return machine;
}

// 24 stages, four of them for memory, and four sub-warps a warp (table 5.4).
inline config::Machine eightWide() {
  config::Machine machine = sixStages();
  machine.warpSize = 32;
  machine.sm.stages = 24;
  machine.sm.memoryStages = 4;
  return machine;
}

using Passes = std::vector<u32>;  // by sub-warp

// An in-order pipeline with the load/store unit and the network behind it.
class InOrderDriver : public ::testing::Test, public MemoryListener {
 protected:
  void start(const config::Machine& description) {
    machine = description;
    now = {};
    ticks = count_ = 0;
    issued.clear();
    completed.clear();
    stalls.clear();
    served.clear();
    answers.clear();
    add_ = {};
    events_ = {};
    wire = std::make_unique<Wire>(machine);
    loadStore = std::make_unique<LoadStoreUnit>(machine, wire->ports, *this);
    pipeline = makePipeline();
    add_.written.addRegister(0);
    add_.writeCount = 1;
    load_ = add_;
    load_.flow = Flow::memory;
    store_ = load_;
    store_.written = {};
    store_.writeCount = 0;
    branch_ = add_;
    branch_.written = {};
    branch_.writeCount = 0;
  }

  virtual std::unique_ptr<InOrderPipeline> makePipeline() {
    return std::make_unique<InOrderPipeline>(machine, *loadStore, events_, nullptr);
  }

  // One cycle, as an SM runs it, up to the schedulers; skips: only if something happens in it, or happened in the one before.
  void tick() {
    if (skips && !progressed && now < useful()) return;
    ++ticks;
    events_.take(now, [&](const Event& event) {
      if (event.kind == Event::Kind::served) return served.push_back(event.stageCycles());
      completed[event.instruction()] = now.ticks;
    });
    for (Answer& answer : answers) {
      if (answer.isGiven || !answer.isSent || answer.due > now.ticks) continue;
      answer.isGiven = true;
      loadStore->respond(answer.operation, now);
    }
    progressed = pipeline->tick(now);
    if (drains) wire->tick(now);
  }
  Cycle useful() const {
    Cycle next = std::min(pipeline->nextUseful(now), events_.next(now));
    for (const Answer& answer : answers)
      if (answer.isSent && !answer.isGiven) next = std::min(next, Cycle{std::max(answer.due, now.ticks)});
    return next;
  }
  void next() {
    if (const auto closed = pipeline->closed()) ++stalls[*closed];
    ++now;
  }
  void idle(u32 cycles) {
    for (u32 i = 0; i < cycles; ++i) {
      tick();
      next();
    }
  }

  // The instructions issue as soon as they can. Numbers count from 0.
  u32 issue(InstructionInfo& info, MemoryOperation* operation = nullptr) {
    info.interval = slots.value_or(machine.warpSize / machine.sm.loadStore.width);
    for (tick(); pipeline->closed(); tick()) next();
    const u32 number = count_++;
    if (operation) {
      operation->number = number;
      operation->info = &info;
      operation->issued = now;
      operation->isStore = info.writeCount == 0;
    }
    pipeline->issue({{SlotId{slot}}, number, &info, operation}, now);
    issued.push_back(now.ticks);
    progressed = true;
    next();
    return number;
  }
  u32 add() { return issue(add_); }
  u32 branch() { return issue(branch_); }  // without a result
  u32 shared(const Passes& passes, bool isStore = false) {
    MemoryOperation& operation = loadStore->prepare();
    for (u32 i = 0; i < passes.size(); ++i) {
      operation.bankPhases.push_back({i * machine.sm.loadStore.width, passes[i]});
      operation.sharedPasses += passes[i];
    }
    return issue(isStore ? store_ : load_, &operation);
  }
  // Answered, all requests at once, in the cycle `due`, or when they are sent if that is later.
  u32 global(u32 requests, u64 due, bool isStore = false) {
    MemoryOperation& operation = loadStore->prepare();
    for (u32 i = 0; i < requests; ++i) {
      RoutedRequest routed;
      routed.request.address = GlobalAddress(u64{i} * 32);
      routed.request.sectors = 1;
      operation.requests.push_back(routed);
      answers.push_back({operation.entry, due});
    }
    return issue(isStore ? store_ : load_, &operation);
  }
  // 300 random instructions of a few warps complete at the same times when cycles in which nothing happens are skipped.
  void expectSkippingChangesNothing(const config::Machine& description, u32 warpSlots) {
    std::map<u32, u64> expected;
    for (const bool skip : {false, true}) {
      std::mt19937 random(3);
      start(description);
      skips = skip;
      for (u32 i = 0; i < 300; ++i) {
        idle(random() % 4 == 0 ? random() % 60 : 0);
        slot = random() % warpSlots;
        issueAny(random);
      }
      idle(400);
      ASSERT_EQ(completed.size(), 300u);
      if (!skip) expected = completed;
    }
    EXPECT_EQ(completed, expected);
    EXPECT_LT(ticks, now.ticks * 9 / 10) << "nothing was skipped";
  }
  void issueAny(std::mt19937& random) {
    const u64 due = now.ticks + 200 + random() % 100;
    switch (random() % 5) {
      case 0:
        shared({1 + static_cast<u32>(random() % 8), 1, 1 + static_cast<u32>(random() % 3), 1}, random() % 2 == 0);
        break;
      case 1:
        global(1, due);
        break;
      default:
        add();
    }
  }
  // A load whose accesses have yet to pass the lane stages, one of which answers it a cycle after they have.
  u32 staged() {
    MemoryOperation& operation = loadStore->prepare();
    operation.keep({}, {});
    return issue(load_, &operation);
  }
  // When the last sub-warp was in the write-back stage, given that nothing overlaps (one sub-warp a warp).
  u64 writtenBack(u32 number) { return completed.at(number) - 1; }

  config::Machine machine;
  std::optional<u32> slots;  // of an instruction; else as many as it has sub-warps
  Cycle now{};
  bool progressed = false, skips = false, drains = true;  // drains: the network takes a request a cycle
  u64 ticks = 0;
  std::unique_ptr<Wire> wire;
  std::unique_ptr<LoadStoreUnit> loadStore;
  std::unique_ptr<InOrderPipeline> pipeline;
  std::vector<u64> issued;       // cycles, by number
  std::map<u32, u64> completed;  // cycle from which results may be used, by number
  std::map<Slot, u64> stalls;    // cycles in which nothing could issue
  std::vector<u32> served;       // cycles of the first memory stage, by memory instruction in their order
  struct Answer {
    u32 operation = 0;
    u64 due = 0;
    bool isSent = false, isGiven = false;
  };
  std::vector<Answer> answers;  // to requests
  Events events_;
  u32 slot = 0;  // of the warp that issues

 private:
  bool expand(MemoryOperation& operation, Cycle time) override {
    operation.expanded = operation.kept;
    operation.awaited = 1;
    answers.push_back({operation.entry, time.ticks + 1, true});
    return true;
  }
  void memorySent(const MemoryOperation& operation, Cycle time) override {
    if (operation.stage) return;
    for (Answer& answer : answers) answer.isSent |= answer.operation == operation.entry;
    pipeline->memorySent(operation, time);
  }
  void memoryDone(const MemoryOperation& operation, Cycle time) override {
    if (!operation.isStore) pipeline->dataArrived(operation, time, now);
  }

  InstructionInfo add_, load_, store_, branch_;
  u32 count_ = 0;
};

}  // namespace warpwright::sm::testing
