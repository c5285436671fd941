#include "config/import/import.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "sample.hpp"

namespace warpwright::config {
namespace {

Machine imported(const std::string& text) { return importGpgpuSim(text, "folder/my.config").machine; }

// The sample with one option replaced or, when it is not there, added.
std::string with(const std::string& option, const std::string& value) {
  std::string text = kGtx480;
  const std::size_t at = text.find("-" + option + " ");
  if (at == std::string::npos) return text + "-" + option + " " + value + "\n";
  std::size_t end = text.find("\n-", at);
  return text.replace(at, end - at, "-" + option + " " + value);
}

Error importError(const std::string& text) {
  try {
    imported(text);
  } catch (const Error& error) {
    return error;
  }
  return Error("no error");
}

std::string reasonOf(const std::string& text, const std::string& option) {
  for (const LeftOver& each : importGpgpuSim(text, "my.config").leftOver) {
    if (each.option.starts_with("-" + option + " ")) return each.reason;
  }
  return "carried over";
}

TEST(Import, ChipAndSm) {
  const Machine m = imported(kGtx480);
  EXPECT_EQ(m.name, "my");
  EXPECT_TRUE(m.timed);
  EXPECT_EQ(m.multiprocessors, 15u);
  EXPECT_EQ(m.computeMajor, 2u);
  EXPECT_EQ(m.coreClockKhz, 700'000u);
  EXPECT_EQ(m.warpSize, 32u);
  EXPECT_EQ(m.warpsPerSm, 48u);
  EXPECT_EQ(m.blocksPerSm, 8u);
  EXPECT_EQ(m.threadsPerBlock, 1024u);
  EXPECT_EQ(m.registersPerSm, 32768u);
  EXPECT_EQ(m.sharedBytesPerSm, 49152u);
  EXPECT_EQ(m.schedulersPerSm, 2u);
  EXPECT_EQ(m.reconvergence, "stack");
  EXPECT_EQ(m.registerAllocationUnit, 64u) << "compute capability 2.x";
}

TEST(Import, Pipeline) {
  constexpr u32 kAround = 5;  // of GPGPU-Sim's pipeline, whose register banks have two ports here
  const Sm sm = imported(kGtx480).sm;
  EXPECT_EQ(sm.scheduler, "greedy_then_oldest");
  EXPECT_TRUE(sm.integerOnFp32);
  EXPECT_EQ(sm.fp32, (Pipes{2, 32}));
  EXPECT_EQ(sm.sfu, (Pipes{1, 32}));
  EXPECT_EQ(sm.tensor.count, 0u);
  EXPECT_EQ(sm.simple, (LatencyOf{4 + kAround, 1}));
  EXPECT_EQ(sm.multiply, (LatencyOf{5 + kAround, 2}));
  EXPECT_EQ(sm.divide, (LatencyOf{145 + kAround, 8}));
  EXPECT_EQ(sm.shuffle, (LatencyOf{32 + kAround, 4}));
  EXPECT_EQ(sm.divide32, (LatencyOf{39 + kAround, 4}));
  EXPECT_EQ(sm.fma64, (LatencyOf{8 + kAround, 8}));
  EXPECT_EQ(sm.divide64, (LatencyOf{330 + kAround, 130}));
  EXPECT_EQ(sm.collectors, 6u + 8 + 2);
  EXPECT_EQ(sm.writeBackPorts, 2u);
  EXPECT_EQ(sm.registerBankPorts, 2u);
  EXPECT_EQ(sm.sharedLatency, 26u);
  EXPECT_EQ(sm.coalescing, Coalescing::lines);
  EXPECT_TRUE(sm.cacheGlobalLoads);
}

// Three steps of the operand collectors, one to three a cycle, and three cycles more.
TEST(Import, LatenciesAreThoseOfDependentInstructions) {
  for (const auto& [ports, around] : {std::pair{"1", 6u}, {"2", 5u}, {"3", 4u}, {"4", 4u}}) {
    const Sm sm = imported(with("gpgpu_reg_file_port_throughput", ports)).sm;
    EXPECT_EQ(sm.simple, (LatencyOf{4 + around, 1})) << ports;
    EXPECT_EQ(sm.divide64, (LatencyOf{330 + around, 130})) << ports;
  }
}

TEST(Import, InstructionsAreTwiceAsLongFromVoltaOn) {
  EXPECT_EQ(imported(kGtx480).sm.instructionBytes, 8u);
  EXPECT_EQ(imported(with("gpgpu_compute_capability_major", "6")).sm.instructionBytes, 8u);
  EXPECT_EQ(imported(with("gpgpu_compute_capability_major", "7")).sm.instructionBytes, 16u);
}

TEST(Import, WidthsOfEveryVersion) {
  const auto ports = [](const char* widths) { return imported(with("gpgpu_pipeline_widths", widths)).sm.writeBackPorts; };
  EXPECT_EQ(ports("1,1,1,1,1,1,3"), 3u) << "version 3: SP, SFU, MEM";
  EXPECT_EQ(ports("1,1,1,1,1,1,1,1,4"), 4u) << "version 3 with double precision";
  EXPECT_EQ(ports("1,1,1,1,1,1,1,1,1,1,5"), 5u) << "version 4";
  EXPECT_EQ(ports("1,1,1,1,1,1,1,1,1,1,6,2,2"), 6u) << "version 4 with tensor cores";
  EXPECT_THROW(ports("1,1,1,1,1,1"), Error);
  EXPECT_THROW(ports("1,1,1,1,1,1,1,1"), Error);
}

TEST(Import, RegisterBanksAreAPowerOfTwo) {
  const std::string text = with("gpgpu_num_reg_banks", "24");
  EXPECT_EQ(imported(text).sm.registerBanks, 16u);
  EXPECT_EQ(reasonOf(text, "gpgpu_num_reg_banks"), "banks are a power of two up to 64: 16");
  EXPECT_EQ(reasonOf(with("gpgpu_num_reg_banks", "32"), "gpgpu_num_reg_banks"), "carried over");
  EXPECT_THROW(imported(with("gpgpu_num_reg_banks", "0")), Error);
}

TEST(Import, NamesWithoutTheirLaterPrefix) {
  std::string text = with("gpgpu_smem_latency", "7");
  EXPECT_EQ(imported(text + "-smem_latency 41\n").sm.sharedLatency, 41u);
  EXPECT_EQ(reasonOf(text + "-sub_core_model 1\n", "sub_core_model"), "pipes and collectors are shared by the schedulers of an SM");
}

TEST(Import, BurstsEndWithTheirChannel) {
  const std::string text = with("gpgpu_dram_buswidth", "32") + "-gpgpu_n_mem_per_ctrlr 1\n-gpgpu_dram_burst_length 16\n";
  const Machine m = imported(text);
  EXPECT_EQ(m.dram.interleaveBytes, 256u);
  EXPECT_EQ(m.dram.burstLength, 8u);
  const auto lost = importGpgpuSim(text, "my.config").leftOver;
  EXPECT_TRUE(std::any_of(lost.begin(), lost.end(), [](const LeftOver& each) {
    return each.option == "-gpgpu_dram_burst_length 16" && each.reason == "a burst ends with the 256 bytes of a channel: 8 transfers";
  }));
}

TEST(Import, LimitsOfResourcesStay) {
  EXPECT_NE(reasonOf(with("gpgpu_ignore_resources_limitation", "1"), "gpgpu_ignore_resources_limitation"), "not known to the importer");
}

TEST(Import, FetchesOfACycle) {
  EXPECT_EQ(imported(kGtx480).sm.fetchesPerCycle, 1u);
  const Machine four = imported(with("gpgpu_inst_fetch_throughput", "4"));
  EXPECT_EQ(four.sm.fetchesPerCycle, 4u);
  EXPECT_GE(four.l1i.ports, 4u) << "GPGPU-Sim's instruction cache serves whatever is fetched";
}

TEST(Import, CachesOfBothSpellings) {
  const Machine m = imported(kGtx480);
  EXPECT_EQ(m.l1d.bytes, 16384u);
  EXPECT_EQ(m.l1d.ways, 4u);
  EXPECT_EQ(m.l1d.sectorBytes, 128u);
  EXPECT_EQ(m.l1d.setHash, "xor_fold");
  EXPECT_EQ(m.l1d.globalWrites, WritePolicy::writeThroughEvict);
  EXPECT_EQ(m.l1d.localWrites, WritePolicy::writeBackNoAllocate);
  EXPECT_EQ(m.l1d.mshrs, 64u);
  EXPECT_EQ(m.l1d.mergesPerMshr, 8u);
  EXPECT_EQ(m.l1d.missQueue, 8u);
  EXPECT_EQ(m.l1d.hitLatency, 35u);
  EXPECT_EQ(m.l1i.bytes, 2048u);
  EXPECT_EQ(m.l1i.missQueue, 4u);
  EXPECT_EQ(m.l1c.bytes, 8192u);
  EXPECT_EQ(m.l1c.lineBytes, 64u);
  EXPECT_EQ(m.textureCache.bytes, 12288u);
  EXPECT_EQ(m.textureCache.ways, 24u);
  EXPECT_EQ(m.l2.bytes, 65536u);
  EXPECT_EQ(m.l2.sectorBytes, 32u);
  EXPECT_EQ(m.l2.globalWrites, WritePolicy::writeBackLazy);
  EXPECT_EQ(m.l2.inputQueue, 1u);
  EXPECT_EQ(m.l2.fillBytesPerTick, 32u);
  EXPECT_EQ(m.l2CacheBytes, 786'432u);
  EXPECT_EQ(imported(with("gpgpu_cache:dl1", "none")).l1d.bytes, 0u);
}

TEST(Import, AllocationOfWrites) {
  struct Expected {
    const char* policies;
    WritePolicy global, local;
  };
  using W = WritePolicy;
  for (const Expected& each : {Expected{"L:B:m:N:L", W::writeBackNoAllocate, W::writeBackNoAllocate},
                               {"L:B:m:F:L", W::writeBack, W::writeBack},
                               {"L:B:m:W:L", W::writeBack, W::writeBack},
                               {"L:B:m:L:L", W::writeBackLazy, W::writeBackLazy},
                               {"L:B:m", W::writeBack, W::writeBack},
                               {"L:T:m:L:L", W::writeThroughAllocate, W::writeThroughAllocate},
                               {"L:T:m:N:L", W::writeThrough, W::writeThrough},
                               {"L:L:m:L:L", W::writeThroughEvict, W::writeBackLazy}}) {
    const Machine m = imported(with("gpgpu_cache:dl1", "S:32:128:4," + std::string(each.policies) + ",A:64:8,8"));
    EXPECT_EQ(m.l1d.globalWrites, each.global) << each.policies;
    EXPECT_EQ(m.l1d.localWrites, each.local) << each.policies;
  }
  EXPECT_NE(reasonOf(with("gpgpu_cache:dl1", "S:32:128:4,L:B:m:W:L,A:64:8,8"), "gpgpu_cache:dl1").find("write allocation W"),
            std::string::npos);
}

// 256 ways, as published files have, keep their capacity.
TEST(Import, ManyWaysBecomeMoreSets) {
  const std::string text = with("gpgpu_tex_cache:l1", "N:4:128:256,L:R:m:N:L,T:512:8,128:2");
  EXPECT_EQ(imported(text).textureCache.bytes, 131'072u);
  EXPECT_EQ(imported(text).textureCache.ways, 64u);
  EXPECT_EQ(reasonOf(text, "gpgpu_tex_cache:l1"), "a set has at most 64 ways: 16 sets of 64");
  EXPECT_NE(importError(with("gpgpu_tex_cache:l1", "N:4:128:65,L:R:m:N:L,T:512:8,128:2")).message().find("65 ways"), std::string::npos);
}

TEST(Import, MemorySystem) {
  const Machine m = imported(kGtx480);
  EXPECT_EQ(m.partition.slices, 2u);
  EXPECT_EQ(m.partition.networkPorts, 2u);
  EXPECT_TRUE(m.partition.copiesFillL2);
  EXPECT_FALSE(imported(with("gpgpu_perf_sim_memcpy", "0")).partition.copiesFillL2);
  EXPECT_EQ(m.sm.storesInFlight, 0u);
  EXPECT_EQ(m.partition.latency, 120u);
  EXPECT_EQ(m.partition.inputQueue, 64u);
  EXPECT_EQ(m.partition.dramQueue, 48u);
  EXPECT_EQ(m.partition.fillQueue, 32u);
  EXPECT_EQ(m.partition.outputQueue, 16u);
  EXPECT_EQ(m.network.flitBytes, 40u);
  const Dram& d = m.dram;
  EXPECT_EQ(d.kind, DramKind::gddr5);
  EXPECT_EQ(d.channels, 6u);
  EXPECT_EQ(d.busBytes, 8u);
  EXPECT_EQ(d.fixedLatency, 100u);
  EXPECT_EQ(d.interleaveBytes, 256u);
  EXPECT_EQ(d.rowBytes, 4096u);
  EXPECT_EQ(d.requestQueue, 64u);
  EXPECT_EQ(d.returnQueue, 116u);
  EXPECT_EQ(m.memoryClockKhz, 1'848'000u);
  EXPECT_EQ(m.memoryBusBits, 384u);
  EXPECT_EQ(imported(with("gpgpu_clock_domains", "350:700:700:924")).partition.latency, 240u) << "core cycles become ticks of the L2";
}

// The same file as configs/gtx480.toml, as far as options say it; that has refresh from another source, and an L1 that allocates lines for
// writes to local memory, as NVIDIA says.
TEST(Import, AgreesWithTheMachineFile) {
  const Machine ours = parseMachine("base = \"" WARPWRIGHT_SOURCE_DIR "/configs/gtx480.toml\"\n", "my.toml");
  const Machine theirs = imported(with("gpgpu_reg_file_port_throughput", "1"));
  Cache l1d = theirs.l1d;
  l1d.localWrites = ours.l1d.localWrites;
  EXPECT_EQ(l1d, ours.l1d);
  Dram dram = theirs.dram;
  dram.tREFI = ours.dram.tREFI;
  dram.tRFC = ours.dram.tRFC;
  EXPECT_EQ(dram, ours.dram);
  EXPECT_EQ(theirs.l2, ours.l2);
  EXPECT_EQ(theirs.sm.divide, ours.sm.divide);
  EXPECT_EQ(theirs.l2CacheBytes, ours.l2CacheBytes);
  EXPECT_EQ(theirs.sharedAllocationUnit, ours.sharedAllocationUnit);
}

TEST(Import, TimingsByPosition) {
  const Dram d = imported(with("gpgpu_dram_timing_opt", "16:2:6:12:28:12:40:12:4:5:12:4:3:2")).dram;
  EXPECT_EQ(d, imported(kGtx480).dram);
  const Dram old = imported(with("gpgpu_dram_timing_opt", "8:2:8:12:25:10:35:10:7:6:11")).dram;
  EXPECT_EQ(old.banks, 8u);
  EXPECT_EQ(old.tRRD, 8u);
  EXPECT_EQ(old.tRCD, 12u);
  EXPECT_EQ(old.tRAS, 25u);
  EXPECT_EQ(old.tRP, 10u);
  EXPECT_EQ(old.tRC, 35u);
  EXPECT_EQ(old.tCL, 10u);
  EXPECT_EQ(old.tWL, 7u);
  EXPECT_EQ(old.tWTR, 6u);
  EXPECT_EQ(old.tWR, 11u);
  EXPECT_EQ(old.bankGroups, 1u);
  EXPECT_EQ(old.tCCDL, old.tCCD);
}

TEST(Import, ListsWhatIsNotCarriedOver) {
  EXPECT_EQ(reasonOf(kGtx480, "gpgpu_runtime_stat"), "concerns what GPGPU-Sim reports");
  EXPECT_EQ(reasonOf(kGtx480, "gpgpu_made_up"), "not known to the importer");
  EXPECT_NE(reasonOf(kGtx480, "inter_config_file").find("not read"), std::string::npos);
  EXPECT_EQ(reasonOf(kGtx480, "gpgpu_n_mem"), "carried over");
  EXPECT_NE(reasonOf(with("gpgpu_scheduler", "rrr"), "gpgpu_scheduler").find("no scheduler 'rrr'"), std::string::npos);
  const std::string twice = std::string(kGtx480) + "-gpgpu_n_clusters 30\n";
  EXPECT_EQ(imported(twice).multiprocessors, 30u);
  EXPECT_TRUE(reasonOf(twice, "gpgpu_n_clusters").starts_with("given again in line"));
  const auto leftOver = importGpgpuSim(kGtx480, "my.config").leftOver;
  EXPECT_TRUE(std::is_sorted(leftOver.begin(), leftOver.end(), [](const auto& a, const auto& b) { return a.where.line < b.where.line; }));
}

TEST(Import, ConflictMarkersOfPublishedFiles) {
  const std::string text = "<<<<<<< HEAD\n" + std::string(kGtx480) + "=======\n>>>>>>> other/branch\n";
  EXPECT_EQ(importGpgpuSim(text, "my.config").leftOver.front().where.line, 1u);
  EXPECT_EQ(imported(text).multiprocessors, 15u);
}

TEST(Import, NamesTheLineOfAMistake) {
  EXPECT_EQ(importError("-a 1\nb 2\n").where().text(), "folder/my.config:2:1");
  EXPECT_EQ(importError("-a 1\nb 2\n").message(), "'b' is no option");
  EXPECT_EQ(importError("-a 1\n  -b\n-c 2\n").where().text(), "folder/my.config:2:3");
  EXPECT_EQ(importError("-a \"1\n2\n").message(), "the quotation mark is never closed");
  EXPECT_EQ(importError(with("gpgpu_n_clusters", "many")).where().text(), "folder/my.config:2:1");
  EXPECT_EQ(importError(with("gpgpu_n_clusters", "many")).message(), "-gpgpu_n_clusters many: 'many' is no whole number");
  EXPECT_EQ(importError(with("gpgpu_clock_domains", "700:700:924")).where().line, 6u);
  EXPECT_EQ(importError(with("gpgpu_clock_domains", "700:700:700:0")).where().line, 6u);
}

TEST(Import, RefusesCachesAndTimingsThatCannotBeRead) {
  for (const char* value :
       {"32:128", "N:32:128:4", "N:32:128:4,L:L:m,S:64:8", "Q:32:128:4,L:L:m:N:H,S:64:8,8", "N:0:128:4,L:L:m:N:H,S:64:8,8",
        "N:32:128:4,Z:L:m:N:H,S:64:8,8", "N:32:100:4,L:L:m:N:H,S:64:8,8", "N:32:128:4,L:L:m:N:H,S:64,8",
        "N:99999999999:128:4,L:L:m:N:H,S:64:8,8", ",,,", "N:32:128:4,L:L:m:N:H,S:64:8,8,32,1"}) {
    EXPECT_EQ(importError(with("gpgpu_cache:dl1", value)).where().file, "folder/my.config") << value;
    EXPECT_GT(importError(with("gpgpu_cache:dl1", value)).where().line, 1u) << value;
  }
  for (const char* value : {"nbk=16:CCD", "nbk=16:FOO=2", "nbk=x", "1:2:3", "nbk=16:CCD=70000", "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15"}) {
    EXPECT_GT(importError(with("gpgpu_dram_timing_opt", value)).where().line, 1u) << value;
  }
}

TEST(Import, RefusesMachinesThatCannotBeBuilt) {
  EXPECT_NE(importError(with("gpgpu_dram_burst_length", "2")).message().find("dram.burst_length = 2, dram.data_rate = 4"),
            std::string::npos);
  EXPECT_EQ(importError(with("gpgpu_n_mem", "0")).message(), "-gpgpu_n_mem 0: a machine has 1 to 256 memory channels");
  EXPECT_NE(importError(with("gpgpu_shader_cta", "0")).message().find("sm.blocks = 0 is out of range"), std::string::npos);
  EXPECT_EQ(importError("").message(),
            "the file does not say -gpgpu_n_clusters, -gpgpu_n_mem, -gpgpu_clock_domains, -gpgpu_shader_core_pipeline, "
            "-gpgpu_dram_timing_opt");
}

TEST(Import, WritesAMachineFile) {
  const Imported result = importGpgpuSim(kGtx480, "a\nb.config");
  const std::string toml = toToml(result, "a\nb.config");
  EXPECT_EQ(parseMachine(toml, "b.toml"), result.machine);
  EXPECT_NE(toml.find("#   line 58: -gpgpu_made_up 7\n#     not known to the importer\n"), std::string::npos) << toml.substr(0, 2000);
}

}  // namespace
}  // namespace warpwright::config
