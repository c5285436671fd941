// Loads that tell the cache which sectors to fetch along.
#include "mechanisms/sector_granularity/stage.hpp"

#include <gtest/gtest.h>

#include "config/machine.hpp"
#include "mechanisms/sector_granularity/settings.hpp"
#include "sm/launch_plan.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::mechanisms::sector_granularity {
namespace {

TEST(SectorGranularity, BlocksAreAlignedToTheirSize) {
  EXPECT_EQ(sectorsBeside(0b0010, 32, 128), 0u);
  EXPECT_EQ(sectorsBeside(0b0010, 64, 128), 0b0001u);
  EXPECT_EQ(sectorsBeside(0b0110, 64, 128), 0b1001u);
  EXPECT_EQ(sectorsBeside(0b0010, 128, 128), 0b1101u);
  EXPECT_EQ(sectorsBeside(0b1111, 128, 128), 0u);
  EXPECT_EQ(sectorsBeside(0b0001'0000, 128, 256), 0b1110'0000u) << "the other half of the line is another block";
}

class Below final : public sm::StagesBelow {
 public:
  bool canAccept(const sm::LineAccess&) const override { return isOpen; }
  void pass(const sm::LineAccess& access, Cycle) override { passed.push_back(access.request); }
  void ask(const sm::LineAccess&, Cycle) override { FAIL() << "it asks for nothing of its own"; }

  bool isOpen = true;
  std::vector<mem::Request> passed;
};

class Operations final : public sm::OperationSource {
 public:
  bool canBegin() const override { return false; }
  sm::MemoryOperation& begin(sm::AccessStage&) override { throw std::logic_error("it begins none"); }
  void submit(sm::MemoryOperation&, Cycle) override {}
};

// Instruction 0 asks for 128 bytes, instruction 1 for 32.
class SectorGranularityStage : public ::testing::Test {
 protected:
  SectorGranularityStage() {
    testing::Assembler code;
    for (u32 pc = 0; pc < 2; ++pc) code.emit(isa::Opcode::exit, isa::DataType::u32);
    program_.program = code.program;
    auto launch = std::make_shared<exec::Launch>();
    launch->program = &program_;
    exec::LaunchRequest request;
    request.launch = launch;
    plan_ = std::make_unique<sm::LaunchPlan>(request, config::Machine{});
    plan_->notes.add(Notes{{{128, 32}}});
  }
  static mem::Request requestOf(u32 pc, mem::AccessType type = mem::AccessType::globalRead) {
    mem::Request request;
    request.lineBytes = 128;
    request.sectors = 0b0100;
    request.type = type;
    request.id = 5;
    request.origin.launch = 0;
    request.origin.pc = Pc(pc);
    return request;
  }
  void send(const mem::Request& request) {
    const sm::LineAccess access{request, sm::Route::l1Data, nullptr, plan_.get()};
    ASSERT_TRUE(stage.takes(access));
    ASSERT_TRUE(stage.canAccept(access));
    stage.accept(access, {});
  }
  bool takes(const mem::Request& request, sm::Route route) { return stage.takes({request, route, nullptr, plan_.get()}); }

  config::Cache cacheConfig;
  sm::L1Cache cache{cacheConfig, mem::Atomics::below};
  Below below;
  Operations operations;
  Statistics statistics;
  Stage stage{{cache, below, operations}, statistics};

 private:
  exec::LoadedProgram program_;
  std::unique_ptr<sm::LaunchPlan> plan_;
};

TEST_F(SectorGranularityStage, MarksLoadsOfTheInstruction) {
  send(requestOf(0));
  send(requestOf(1));
  ASSERT_EQ(below.passed.size(), 2u);
  EXPECT_EQ(below.passed[0].along, 0b1011u);
  EXPECT_EQ(below.passed[0].sectors, 0b0100u);
  EXPECT_EQ(below.passed[0].id, 5u);
  EXPECT_EQ(below.passed[1], requestOf(1));
  EXPECT_EQ(statistics.loads, 2u);
  EXPECT_EQ(statistics.widened, 1u);
  EXPECT_EQ(statistics.sectorsAsked, 2u);
  EXPECT_EQ(statistics.sectorsAlong, 3u);
}

TEST_F(SectorGranularityStage, LeavesTheRestAlone) {
  EXPECT_FALSE(takes(requestOf(0, mem::AccessType::globalWrite), sm::Route::l1Data));
  EXPECT_FALSE(takes(requestOf(0, mem::AccessType::atomic), sm::Route::l1Data));
  EXPECT_FALSE(takes(requestOf(0), sm::Route::network));
  EXPECT_FALSE(takes(requestOf(0), sm::Route::texture));
  EXPECT_TRUE(takes(requestOf(0, mem::AccessType::localRead), sm::Route::l1Data));
}

TEST_F(SectorGranularityStage, WaitsForWhatIsBehindIt) {
  below.isOpen = false;
  const mem::Request request = requestOf(0);
  EXPECT_FALSE(stage.canAccept({request}));
}

std::string problemWith(const Settings& settings, const std::string& preset, const std::vector<std::string>& overrides = {}) {
  return problem(settings, config::loadMachine(preset, overrides)).value_or("");
}

TEST(SectorGranularitySettings, WhatDoesNotGoTogetherIsExplained) {
  EXPECT_EQ(problemWith({}, "v100"), "");
  EXPECT_EQ(problemWith({.granularity = Choice::fixed}, "v100"), "");
  EXPECT_NE(problemWith({.granularity = Choice::fixed, .bytes = 256}, "v100").find("l1d.line_bytes = 128"), std::string::npos);
  EXPECT_NE(problemWith({}, "gt200-granularity").find("l1d.bytes = 0"), std::string::npos);
  EXPECT_NE(problemWith({}, "v100", {"l1d.sector_bytes=128"}).find("nothing to choose"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::mechanisms::sector_granularity
