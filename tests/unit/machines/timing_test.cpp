// Figures and reports of counters written by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/file.hpp"
#include "machines/timing_profile.hpp"
#include "machines/verdict/roofline.hpp"
#include "stats/json.hpp"

namespace warpwright::machines {
namespace {

config::Machine tinyMachine() {
  config::Machine machine;
  machine.name = "tiny";
  machine.multiprocessors = 2;
  machine.coreClockKhz = 500'000;
  machine.warpsPerSm = 4;
  machine.registersPerSm = 1000;
  machine.sharedBytesPerSm = 4096;
  machine.dram.channels = 1;
  machine.dram.busBytes = 8;
  machine.dram.burstLength = 4;
  machine.dram.dataRate = 2;
  return machine;
}

// A kernel of two instructions: line 3 of kernel.cu, and code without a line.
struct Launched {
  exec::LoadedProgram loaded;
  std::shared_ptr<exec::Launch> launch = std::make_shared<exec::Launch>();
  exec::LaunchRequest request{launch};
  TimedResult result;
  BlockResources resources{1, 250, 1024, 0};
  profile::Counters use;

  Launched() {
    isa::Program& program = loaded.program;
    program.sourceName = "kernel.ptx";
    program.files[1] = "kernel.cu";
    program.code.resize(2);
    program.code[0].sourceFile = 1;
    program.code[0].sourceLine = 3;
    isa::Function function;
    function.name = "kernel";
    program.functions.push_back(function);
    launch->program = &loaded;
    launch->kernel = &program.functions[0];
    request.limits.residentBlocksPerSm = 2;
    result.cycles = 100;
    result.mostBlocks = 3;
    result.functional.blocksDone = 6;
    result.functional.counts = {{7, 0, 0}, {1, 0, 0}};
    result.stalls.resize(2);
    result.stalls[0][sm::Slot::memoryDependence] = 50;
    GpuStats& stats = result.stats;
    stats.sm.cycles = 200;
    stats.sm.warpInstructions = 40;
    stats.sm.threadInstructions = 640;
    stats.sm.residentWarpCycles = 200;
    stats.sm.slots[sm::Slot::issued] = 40;
    stats.sm.slots[sm::Slot::memoryStructural] = 20;
    stats.sm.slots[sm::Slot::computeStructural] = 10;
    stats.sm.slots[sm::Slot::memoryDependence] = 50;
    stats.sm.slots[sm::Slot::computeDependence] = 30;
    stats.sm.slots[sm::Slot::barrier] = 50;
    stats.memory.dram.rowHits = 3;
    stats.memory.dram.rowConflicts = 1;
    stats.memory.dram.commands[mem::dram::Command::read] = 4;  // of 32 bytes
    stats.memory.dram.busTransactions = 16;
    stats.memory.dram.activeTicks = 16;
    stats.memory.dram.ticks = 80;
    stats.memory.dram.movedBytes = 100;
    stats.memory.requests.ticks = stats.memory.responses.ticks = 50;
    stats.memory.requests.ejectedFlits = 10;
    stats.memory.responses.ejectedFlits = 20;
    stats.sm.loadStore.sharedAccesses = 4;
    stats.sm.loadStore.sharedPasses = 6;
    stats.sm.loadStore.loadLatency.add(30);
    stats.sm.loadStore.loadLatency.add(50);
    u64 hits = 1;  // of ten accesses each, each cache has one more than the one before; merges do not count
    for (mem::CacheStats* cache :
         {&stats.l1d, &stats.l1i, &stats.l1c, &stats.l15c, &stats.texture, &stats.memory.partition.l2, &stats.memory.partition.lastLevel}) {
      cache->accesses[mem::AccessType::globalRead] = 10;
      cache->hits[mem::AccessType::globalRead] = hits++;
      cache->merges[mem::AccessType::globalRead] = 2;
    }
    use.global.loads.bytesUsed = 60;
    use.local.loads.bytesUsed = 4;
  }
};

class Timing : public ::testing::Test {
 protected:
  void add(u32 times = 1) {
    for (u32 i = 0; i < times; ++i) profile_.add(launched_.request, launched_.resources, launched_.result, launched_.use);
  }
  double value(std::string_view name) const { return figure(name, profile_.kernels()[0]->counters, tinyMachine()).value_or(-1); }
  stats::Json json() const {
    stats::Json profile{{"kernels", {{{"name", "kernel"}, {"module", "kernel.ptx"}}}}};
    profile_.addTo(profile, profile::Profile({}));
    return profile["kernels"][0]["timing"];
  }

  std::string text(const profile::ReportOptions& options) const { return profile_.text(*profile_.kernels()[0], nullptr, options); }

  Launched launched_;
  TimingProfile profile_{tinyMachine()};
};

TEST_F(Timing, FiguresFollowTheirDefinitions) {
  add();
  EXPECT_DOUBLE_EQ(value("warp_instructions_per_cycle"), 0.4);
  EXPECT_DOUBLE_EQ(value("thread_instructions_per_cycle"), 6.4);
  EXPECT_DOUBLE_EQ(value("occupancy"), 0.25);                       // 200 of 200 x 4
  EXPECT_DOUBLE_EQ(value("registers_never_allocated"), 0.625);      // 3 x 250 of 2000 are
  EXPECT_DOUBLE_EQ(value("shared_memory_never_allocated"), 0.625);  // 3 x 1024 of 8192 are
  EXPECT_DOUBLE_EQ(value("registers_unallocated"), 0.5);            // 2 x 250 of 1000 are not
  EXPECT_DOUBLE_EQ(value("shared_memory_unallocated"), 0.5);        // 2 x 1024 of 4096 are not
  EXPECT_DOUBLE_EQ(value("active"), 0.2);
  EXPECT_DOUBLE_EQ(value("memory_stalls"), 0.1);
  EXPECT_DOUBLE_EQ(value("compute_stalls"), 0.05);
  EXPECT_DOUBLE_EQ(value("data_dependence_stalls"), 0.4);
  EXPECT_DOUBLE_EQ(value("idle"), 0.25);
  EXPECT_DOUBLE_EQ(value("dram_row_hit_rate"), 0.75);
  EXPECT_DOUBLE_EQ(value("dram_efficiency"), 0.5);             // 16 of 2 x 16
  EXPECT_DOUBLE_EQ(value("dram_bandwidth_utilisation"), 0.1);  // 16 of 2 x 80
  EXPECT_DOUBLE_EQ(value("memory_access_utilisation"), 0.5);   // 64 of 128 bytes
}

TEST_F(Timing, FiguresOfTheMemorySystemFollowTheirDefinitions) {
  add();
  EXPECT_DOUBLE_EQ(value("shared_passes_per_access"), 1.5);
  EXPECT_DOUBLE_EQ(value("load_latency"), 40);
  double hits = 0;
  for (const char* name :
       {"l1d_hit_rate", "l1i_hit_rate", "l1c_hit_rate", "l15c_hit_rate", "texture_cache_hit_rate", "l2_hit_rate", "last_level_hit_rate"})
    EXPECT_DOUBLE_EQ(value(name), ++hits / 10) << name;
  EXPECT_DOUBLE_EQ(value("request_network_utilisation"), 0.2);  // 10 flits in 50 ticks, to one partition
  EXPECT_DOUBLE_EQ(value("response_network_utilisation"), 0.4);
  EXPECT_DOUBLE_EQ(value("dram_bytes_per_nanosecond"), 0.5);  // 100 in 100 cycles of 2 ns
}

// Two SMs and a channel with two ports: the network moves two flits a tick.
TEST_F(Timing, EveryPortOfAPartitionCountsInTheUseOfTheNetworks) {
  add();
  config::Machine twoPorts = tinyMachine();
  twoPorts.partition.networkPorts = 2;
  EXPECT_DOUBLE_EQ(figure("request_network_utilisation", profile_.kernels()[0]->counters, twoPorts).value_or(-1), 0.1);
  twoPorts.partition.networkPorts = 4;
  EXPECT_DOUBLE_EQ(figure("response_network_utilisation", profile_.kernels()[0]->counters, twoPorts).value_or(-1), 0.2) << "of SMs then";
}

// Each way to lose a slot has a share of its own, and belongs to one of the groups.
TEST_F(Timing, EveryKindOfSlotIsInItsFigures) {
  using enum sm::Slot;
  const std::map<std::string_view, std::vector<sm::Slot>> groups = {
      {"active", {issued, subWarps, assist}},
      {"memory_stalls", {memoryStructural, bankConflict, heldBack}},
      {"compute_stalls", {computeStructural, writeBackConflict}},
      {"data_dependence_stalls", {memoryDependence, computeDependence}},
      {"idle", {barrier, fence, fetch, noWarp}},
      {"scheduling_fails", {heldBack, memoryDependence, computeDependence, barrier, fence, fetch}},
      {"bank_conflict_stalls", {bankConflict}},
      {"write_back_conflict_stalls", {writeBackConflict}},
  };
  for (std::size_t slot = 0; slot < sm::kSlots; ++slot) {
    TimingCounters counters;
    counters.gpu.sm.slots[static_cast<sm::Slot>(slot)] = 3;
    for (const auto& [name, members] : groups) {
      const bool belongs = std::count(members.begin(), members.end(), static_cast<sm::Slot>(slot)) != 0;
      EXPECT_DOUBLE_EQ(figure(name, counters, tinyMachine()).value_or(-1), belongs ? 1 : 0)
          << name << " of " << sm::name(static_cast<sm::Slot>(slot));
    }
  }
}

TEST_F(Timing, NothingToDivideByIsNothing) {
  EXPECT_FALSE(figure("occupancy", {}, tinyMachine()).has_value());
  EXPECT_FALSE(figure("registers_never_allocated", {}, tinyMachine()).has_value());
  EXPECT_FALSE(figure("no such figure", {}, tinyMachine()).has_value());
}

TEST_F(Timing, LaunchesAreSummedAndKept) {
  add(3);
  ASSERT_EQ(profile_.kernels().size(), 1u);
  const KernelTiming& kernel = *profile_.kernels()[0];
  EXPECT_EQ(kernel.counters.launches, 3u);
  EXPECT_EQ(kernel.counters.cycles, 300u);
  EXPECT_EQ(kernel.counters.nanoseconds, 600u);  // 2 ns a cycle
  ASSERT_EQ(kernel.launches.size(), 3u);
  EXPECT_EQ(kernel.launches[2].number, 3u);
  EXPECT_EQ(kernel.launches[2].counters.cycles, 100u);
  EXPECT_DOUBLE_EQ(value("registers_never_allocated"), 0.625);
}

// A warp fetches ahead, also behind the last instruction.
TEST_F(Timing, TrafficBehindTheEndOfTheCodeIsOfNoLine) {
  const std::size_t end = launched_.request.launch->program->program.code.size();
  launched_.result.traffic.resize(end + 2);
  launched_.result.traffic[end - 1].l1i.accesses = 3;
  launched_.result.traffic[end].l1i.accesses = 5;
  launched_.result.traffic[end + 1].l1i.accesses = 7;
  add();
  const KernelTiming& kernel = *profile_.kernels()[0];
  EXPECT_EQ(kernel.otherTraffic.l1i.accesses, 12u);
  u64 ofLines = 0;
  for (const auto& [where, line] : kernel.lines) ofLines += line.traffic.l1i.accesses;
  EXPECT_EQ(ofLines, 3u);
}

// The code of another kernel may lie where a warp fetches ahead; what a warp calls is its own.
TEST_F(Timing, TrafficOfAnotherKernelsCodeIsOfNoLine) {
  isa::Program& program = launched_.loaded.program;
  program.code.resize(4);
  for (u32 pc : {2, 3}) {
    program.code[pc].sourceFile = 1;
    program.code[pc].sourceLine = 10 * pc;
  }
  program.functions.resize(3);
  launched_.launch->kernel = &program.functions[0];
  const auto place = [&](u32 function, u32 begin, u32 end, bool isKernel) {
    program.functions[function].begin = Pc{begin};
    program.functions[function].end = Pc{end};
    program.functions[function].isKernel = isKernel;
  };
  place(0, 0, 2, true);
  place(1, 2, 3, true);
  place(2, 3, 4, false);
  launched_.result.traffic.resize(4);
  for (Pc pc{0}; pc < 4; ++pc) launched_.result.traffic[pc].l1i.accesses = 1 + pc;
  add();
  const KernelTiming& kernel = *profile_.kernels()[0];
  EXPECT_EQ(kernel.otherTraffic.l1i.accesses, 3u);
  EXPECT_FALSE(kernel.lines.contains({"kernel.cu", 20}));
  EXPECT_EQ(kernel.lines.at({"kernel.cu", 30}).traffic.l1i.accesses, 4u);
}

TEST_F(Timing, StallsAreThoseOfTheirLine) {
  add(2);
  const auto& lines = profile_.kernels()[0]->lines;
  ASSERT_EQ(lines.size(), 2u);
  const LineTiming& line = lines.at({"kernel.cu", 3});
  EXPECT_EQ(line.warpInstructions, 14u);
  EXPECT_EQ(line.stalls[sm::Slot::memoryDependence], 100u);
  EXPECT_EQ(lines.at({}).warpInstructions, 2u);
  EXPECT_EQ(json()["lines"][0]["lost_slots"]["memory_dependence"], 100);
}

TEST_F(Timing, BrokenLawsAreShown) {
  add();
  EXPECT_EQ(text({}).find("INTERNAL CHECK FAILED"), std::string::npos);
  launched_.result.violations = {"one: 1 is not 2"};
  add();
  EXPECT_NE(text({}).find("INTERNAL CHECK FAILED"), std::string::npos);
  EXPECT_EQ(json()["violations"], stats::Json::array({"one: 1 is not 2"}));
}

TEST_F(Timing, JsonHoldsKernelAndLaunches) {
  add(2);
  const stats::Json timing = json();
  EXPECT_EQ(timing["machine"], "tiny");
  EXPECT_EQ(timing["counters"]["gpu"]["sm"]["slots"]["barrier"], 100);
  ASSERT_EQ(timing["launches"].size(), 2u);
  EXPECT_EQ(timing["launches"][1]["counters"]["gpu"]["sm"]["slots"]["barrier"], 50);
  EXPECT_DOUBLE_EQ(timing["launches"][1]["figures"]["occupancy"].get<double>(), 0.25);
}

TEST_F(Timing, CsvHasARowALaunchAndTheSameColumnsInEach) {
  add();
  launched_.result.stats.sm.loadStore.loadLatency.add(300);  // a bin that the first launch does not use
  add();
  std::istringstream text(profile_.csv());
  std::vector<std::size_t> columns;
  for (std::string line; std::getline(text, line);) columns.push_back(static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')));
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns[1], columns[0]);
  EXPECT_EQ(columns[2], columns[0]);
}

// 400 operations in 2 us and 100 bytes: 0.2 a nanosecond, four a byte.
TEST_F(Timing, RooflinesAreOfPipesOrOfDram) {
  TimingCounters counters;
  counters.nanoseconds = 2000;
  counters.gpu.sm.operations[isa::PipeOperation::fp32Fma] = 400;
  counters.gpu.memory.dram.movedBytes = 100;
  config::Machine machine = config::loadMachine("gtx480");
  machine.dram = {.clockKhz = 1'000'000, .channels = 1, .busBytes = 8, .dataRate = 2};  // 16 bytes a nanosecond
  machine.coreClockKhz = 1'000'000;
  machine.multiprocessors = 1;
  machine.schedulersPerSm = 2;
  machine.sm.fp32 = {4, 16};  // two cycles a warp: two warps a cycle
  machine.sm.fma32 = {9, 1};
  const Roof byPipes = rooflineOf(counters, machine).at(0);
  EXPECT_DOUBLE_EQ(byPipes.rate, 0.2);
  EXPECT_DOUBLE_EQ(byPipes.pipes, 64);
  EXPECT_DOUBLE_EQ(byPipes.dram, 64);
  EXPECT_FALSE(byPipes.isBoundByDram());
  counters.gpu.memory.dram.movedBytes = 200;
  EXPECT_TRUE(rooflineOf(counters, machine).at(0).isBoundByDram());
  EXPECT_DOUBLE_EQ(rooflineOf(counters, machine).at(0).roof(), 32);
}

TEST_F(Timing, TablesFitEightyColumns) {
  add();
  std::istringstream lines(text({.lines = true, .colour = false, .width = 80}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(TimingReference, PageIsCurrent) {
  EXPECT_EQ(readFile(std::string(WARPWRIGHT_SOURCE_DIR) + "/docs/timing.md"), timingReference())
      << "run: bin/timing-reference > docs/timing.md";
}

}  // namespace
}  // namespace warpwright::machines
