#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/fields.hpp"
#include "config/machine.hpp"

namespace warpwright::config {
namespace {

Error errorOf(const std::string& toml) {
  try {
    parseMachine(toml, "m.toml");
  } catch (const Error& error) {
    return error;
  }
  return Error("no error");
}

TEST(ParseMachine, AnEmptyFileIsTheDefaultMachine) {
  Machine expected;
  expected.name = "tiny";
  EXPECT_EQ(parseMachine("", "folder/tiny.toml"), expected);
}

TEST(ParseMachine, ReadsEveryKindOfField) {
  const Machine machine = parseMachine(
      "name = \"mine\"\n[chip]\nmultiprocessors = 15\nglobal_memory_bytes = 34_359_738_368\n[sm]\nreconvergence = \"stack\"\n", "m.toml");
  EXPECT_EQ(machine.name, "mine");
  EXPECT_EQ(machine.multiprocessors, 15u);
  EXPECT_EQ(machine.globalMemoryBytes, u64{32} << 30);
  EXPECT_EQ(machine.reconvergence, "stack");
  EXPECT_EQ(machine.warpSize, 32u);
}

TEST(ParseMachine, NamesTheNearestKeyAndThePosition) {
  const Error error = errorOf("[sm]\n\nwarpsize = 32\n");
  EXPECT_EQ(error.where().text(), "m.toml:3:1");
  EXPECT_EQ(error.message(), "unknown key 'sm.warpsize'");
  EXPECT_EQ(error.remedy(), "did you mean 'sm.warp_size'?");
}

TEST(ParseMachine, RejectsUnknownSections) {
  EXPECT_EQ(errorOf("[sn]\nwarps = 1\n").where().text(), "m.toml:1:2");
  EXPECT_EQ(errorOf("sm = 3\n").message(), "'sm' is a section");
}

TEST(ParseMachine, RejectsValuesOutOfRange) {
  EXPECT_EQ(errorOf("[sm]\nwarp_size = 128\n").message(), "sm.warp_size = 128 is out of range: 4 to 64, a power of two");
  EXPECT_EQ(errorOf("[sm]\nwarp_size = 128\n").where().text(), "m.toml:2:13");
  EXPECT_EQ(errorOf("[sm]\nwarp_size = -4\n").message(), "sm.warp_size = -4 is out of range: 4 to 64, a power of two");
  EXPECT_EQ(errorOf("[chip]\nmultiprocessors = 4294967297\n").message(), "chip.multiprocessors = 4294967297 is out of range: 1 to 4096");
  EXPECT_NE(errorOf("[sm]\nreconvergence = \"none\"\n").message().find("`independent` or `stack`"), std::string::npos);
}

TEST(ParseMachine, WarpSizesArePowersOfTwoFrom4To64) {
  for (u32 size = 0; size <= 130; ++size) {
    const bool good = size == 4 || size == 8 || size == 16 || size == 32 || size == 64;
    const std::string toml = "[sm]\nthreads_per_block = 64\nwarp_size = " + std::to_string(size) + "\n";
    EXPECT_EQ(errorOf(toml).message() == "no error", good) << size;
  }
}

TEST(ParseMachine, RejectsWrongTypes) {
  EXPECT_EQ(errorOf("[sm]\nwarps = \"many\"\n").message(), "sm.warps must be an integer");
  EXPECT_EQ(errorOf("[sm]\nwarps = 4.0\n").message(), "sm.warps must be an integer");
  EXPECT_EQ(errorOf("[sm]\nreconvergence = 1\n").message(), "sm.reconvergence must be a string");
}

TEST(ParseMachine, ChecksFieldsAgainstEachOther) {
  const Error error = errorOf("[sm]\nwarps = 8\nthreads_per_block = 512\n");
  EXPECT_EQ(error.where().text(), "m.toml:3:21");
  EXPECT_NE(error.message().find("sm.warps x sm.warp_size"), std::string::npos);
  EXPECT_NE(errorOf("[sm]\nshared_bytes = 1024\n").message(), "no error");
  EXPECT_NE(errorOf("[sm]\nregisters = 32769\n").message(), "no error");
  EXPECT_NE(errorOf("[sm]\nshared_reserved_bytes = 1024\n").message().find("sm.shared_reserved_bytes = 1024, sm.shared_bytes"),
            std::string::npos);
}

TEST(ParseMachine, RejectsMalformedText) {
  EXPECT_EQ(errorOf("[sm\nwarps = 8\n").where().line, 1u);
  EXPECT_EQ(errorOf("[sm]\nwarps = 8\nwarps = 9\n").where().line, 3u);
}

TEST(ToToml, IsReadBackUnchanged) {
  Machine machine;
  machine.name = "a \"quoted\" name\\";
  machine.description = "tab\there";
  machine.warpSize = 64;
  machine.globalMemoryBytes = u64{1} << 40;
  machine.reconvergence = "stack";
  EXPECT_EQ(parseMachine(toToml(machine), "other.toml"), machine);
}

TEST(Validate, AcceptsTheDefaultsAndNothingOutOfRange) {
  Machine machine;
  EXPECT_NO_THROW(validate(machine));
  machine.warpSize = 12;
  EXPECT_THROW(validate(machine), Error);
}

// The least that a timed machine has; `more` follows.
std::string timed(const std::string& more = "") {
  return "[chip]\nmemory_clock_khz = 1848000\nmemory_bus_bits = 384\n[network]\n[dram]\n[sm.pipeline]\n" + more;
}

TEST(TimedMachine, NeedsThePartsThatNothingStandsInFor) {
  EXPECT_FALSE(parseMachine("[sm]\nwarps = 48\n", "m.toml").timed);
  EXPECT_TRUE(parseMachine(timed(), "m.toml").timed);
  const Error error = errorOf("[l1d]\nbytes = 16384\n[dram]\n");
  EXPECT_EQ(error.message(), "[l1d] belongs to a timed machine, which also needs [sm.pipeline] and [network]");
  EXPECT_EQ(errorOf("[sm.pipes]\nsfu.width = 8\n[network]\n[sm.pipeline]\n").message(),
            "[sm.pipeline] belongs to a timed machine, which also needs [dram]");
  try {
    requireTimed(parseMachine("", "small.toml"));
    FAIL();
  } catch (const Error& failure) {
    EXPECT_EQ(failure.message(), "the machine 'small' is functional only: it has no [sm.pipeline], [network], [dram]");
  }
}

TEST(TimedMachine, ReadsEveryKindOfField) {
  const Machine machine =
      parseMachine(timed("scheduler = \"oldest_first\"\n[sm.pipes]\nsfu = { count = 4, width = 4 }\n[sm.operations.divide]\nlatency = 31\n"
                         "[sm.memory]\ncache_global_loads = false\n[l1c]\nbytes = 2_048\nline_bytes = 64\nsector_bytes = 64\n"),
                   "m.toml");
  EXPECT_EQ(machine.sm.scheduler, "oldest_first");
  EXPECT_EQ(machine.sm.sfu, (Pipes{4, 4}));
  EXPECT_EQ(machine.sm.divide.latency, 31u);
  EXPECT_FALSE(machine.sm.cacheGlobalLoads);
  EXPECT_EQ(machine.l1c.bytes, 2048u);
  EXPECT_EQ(machine.l1c.lineBytes, 64u);
}

TEST(TimedMachine, ExplainsWhatIsWrong) {
  EXPECT_EQ(errorOf(timed("[l1d]\nway = 4\n")).remedy(), "did you mean 'l1d.ways'?");
  EXPECT_EQ(errorOf(timed("[sm.pipes]\nsfu = 4\n")).message(), "'sm.pipes.sfu' is a section");
  EXPECT_EQ(errorOf(timed("[l3]\nways = 4\n")).message(), "unknown key 'l3'");
  EXPECT_TRUE(errorOf(timed("[l1d]\nreplacement = \"plru\"\n"))
                  .message()
                  .starts_with("l1d.replacement = \"plru\" is out of range: `lru` or `tree_plru` or `fifo` or `random`"));
  EXPECT_EQ(errorOf(timed("[l1d]\nreplacement = 1\n")).message(), "l1d.replacement must be a string");
  EXPECT_EQ(errorOf(timed("[sm.memory]\ncache_global_loads = 1\n")).message(), "sm.memory.cache_global_loads must be true or false");
  EXPECT_EQ(errorOf(timed("[l1d]\nways = true\n")).message(), "l1d.ways must be an integer");
  EXPECT_EQ(errorOf(timed("[l1d]\nways = { more = 1 }\n")).message(), "l1d.ways must be an integer");
}

// Each rule, broken in the smallest way: the keys are named with their values.
TEST(TimedMachine, RefusesWhatCannotBeBuilt) {
  const std::pair<const char*, const char*> broken[] = {
      {"[l1d]\nbytes = 16384\nways = 3\n",
       "l1d.bytes = 16384, l1d.ways = 3, l1d.line_bytes = 128: the capacity must be a whole number of sets"},
      {"[l1d]\nbytes = 24576\nset_hash = \"xor_fold\"\n", "l1d.set_hash = \"xor_fold\", l1d.bytes = 24576"},
      {"[l1d]\nbytes = 16384\nline_bytes = 64\n", "l1d.sector_bytes = 128, l1d.line_bytes = 64: a sector"},
      {"[l1d]\nbytes = 16384\nmshrs = 8193\n", "l1d.mshrs = 8193, l1d.merges_per_mshr = 8"},
      {"[l2]\nbytes = 65536\n", "chip.l2_cache_bytes = 0, l2.bytes = 65536, partition.slices = 1, dram.channels = 6"},
      {"instruction_buffer = 1\n", "sm.pipeline.instruction_buffer = 1, sm.pipeline.fetch_width = 2"},
      {"fetches_per_cycle = 2\n[l1i]\nbytes = 4096\n", "sm.pipeline.fetches_per_cycle = 2, l1i.ports = 1, l1i.input_queue = "},
      {"prefetch_lines = 4\n", "sm.pipeline.prefetch_lines = 4, l1i.bytes = 0"},
      {"prefetch_lines = 4\n[l1i]\nbytes = 4096\nsector_bytes = 32\n",
       "l1i.sector_bytes = 32, l1i.line_bytes = 128: code is fetched ahead"},
      {"dependences = \"control_bits\"\n", "sm.pipeline.dependences = \"control_bits\", sm.pipeline.model = \"scoreboard\", "},
      {"operand_window = 3\n", "sm.pipeline.operand_window = 3, sm.pipeline.model = \"scoreboard\", sm.pipeline.collectors = 16"},
      {"collectors = 0\noperand_window = 3\nregister_banks = 2\n[sm]\nschedulers = 4\n",
       "sm.pipeline.operand_window = 3, sm.pipeline.register_banks = 2, sm.schedulers = 4"},
      {"operand_cache = true\n", "sm.pipeline.operand_cache = true, sm.pipeline.operand_window = 0"},
      {"l0_bytes = 4096\n", "sm.pipeline.l0_bytes = 4096, l1i.bytes = 0"},
      {"l0_prefetch_lines = 4\n", "sm.pipeline.l0_prefetch_lines = 4, sm.pipeline.l0_bytes = 0"},
      {"l0_line_interval = 17\n", "sm.pipeline.l0_line_interval = 17, sm.pipeline.l0_bytes = 0"},
      {"[sm.memory]\nsub_core_queue = 5\nqueue = 4\n", "sm.memory.sub_core_queue = 5, sm.memory.queue = 4, sm.schedulers = 1"},
      {"[sm.memory]\nsub_core_queue = 2\n[sm]\nschedulers = 4\n", "sm.memory.sub_core_queue = 2, sm.pipes.load_store.count = 1"},
      {"issue_width = 2\nfetch_width = 1\ninstruction_buffer = 1\n", "sm.pipeline.instruction_buffer = 1, sm.pipeline.issue_width = 2"},
      {"[l15c]\nbytes = 8192\n", "l15c.bytes = 8192, l1c.bytes = 0: the second level of constant cache lies behind the first"},
      {"[l1c]\nbytes = 8192\n[l15c]\nbytes = 8192\nline_bytes = 64\nsector_bytes = 64\n",
       "l1c.line_bytes = 128, l15c.line_bytes = 64: a line cannot be larger"},
      {"[sm]\nwarps = 65\n", "sm.warps = 65: a timed SM has at most 64 warps"},
      {"scheduler = \"two_level\"\ntwo_level_active = 49\n", "sm.pipeline.two_level_active = 49, sm.warps = 48"},
      {"scheduler = \"strict_barrel\"\nissue_width = 2\n", "sm.pipeline.scheduler = \"strict_barrel\", sm.pipeline.issue_width = 2"},
      {"[sm.pipes]\nsfu.count = 0\n", "sm.pipes.sfu.count = 0"},
      {"[sm.operations]\nsimple.latency = 2\n", "sm.operations.simple.latency = 2, sm.pipeline.collectors = 16: a dependent instruction"},
      {"collectors = 0\n[sm.operations]\nmatrix.latency = 1\n", "sm.operations.matrix.latency = 1, sm.pipeline.collectors = 0: a dep"},
      {"[sm.memory]\ncarve_outs = \"16 8\"\nunified_bytes = 65536\n", "sm.memory.carve_outs = \"16 8\": must be sizes in KiB, ascending"},
      {"[sm.memory]\ncarve_outs = \"8 16\"\n", "sm.memory.carve_outs = \"8 16\", sm.memory.unified_bytes = 0: carve-outs are those"},
      {"[sm.operations]\nshift.latency = 5\n", "sm.operations.shift.latency = 5, sm.operations.shift.interval = 0, sm.pipeline.collectors"},
      {"[sm.operations]\nvote = { latency = 2, interval = 1 }\n", "sm.operations.vote.latency = 2, sm.operations.vote.interval = 1"},
      {"model = \"in_order\"\ncollectors = 0\nwrite_back_ports = 1\nstages = 7\n",
       "sm.pipeline.model = \"in_order\", sm.pipeline.stages = 7, sm.pipeline.memory_stages = 4"},
      {"model = \"in_order\"\ncollectors = 0\n",
       "sm.pipeline.model = \"in_order\", sm.schedulers = 1, sm.pipeline.issue_width = 1, sm.pipeline.write_back_ports = 2"},
      {"model = \"in_order\"\nwrite_back_ports = 1\n", "sm.pipeline.model = \"in_order\", sm.pipeline.collectors = 16"},
      {"model = \"in_order\"\ncollectors = 0\nwrite_back_ports = 1\n[sm.memory]\nstores_in_flight = 64\npass_latency = 2\n",
       "sm.memory.pass_latency = 2, sm.pipeline.model = \"in_order\""},
      {"model = \"in_order\"\ncollectors = 0\nwrite_back_ports = 1\n[sm.memory]\nstores_in_flight = 64\nunified_banks = true\n",
       "sm.memory.unified_banks = true, sm.pipeline.model = \"in_order\""},
  };
  for (const auto& [more, message] : broken)
    EXPECT_NE(errorOf(timed(more)).message().find(message), std::string::npos) << more << errorOf(timed(more)).message();
}

TEST(TimedMachine, AllowsTheShortestLatencies) {
  EXPECT_EQ(errorOf(timed("[sm.operations]\nsimple.latency = 3\n")).message(), "no error");
  EXPECT_EQ(errorOf(timed("collectors = 0\n[sm.operations]\nsimple.latency = 2\n")).message(), "no error");
  EXPECT_EQ(errorOf(timed("[sm.operations]\nbranch.latency = 1\n")).message(), "no error") << "counted from issue";
  EXPECT_EQ(errorOf(timed("model = \"in_order\"\ncollectors = 0\nwrite_back_ports = 1\n[sm]\nschedulers = 1\n[sm.operations]\n"
                          "simple.latency = 1\n[sm.memory]\nstores_in_flight = 64\n"))
                .message(),
            "no error")
      << "means nothing there";
}

TEST(TimedMachine, BankMapsAreCheckedForTheMachine) {
  const auto complaint = [](const std::string& map) {
    return errorOf(
               "[chip]\nmemory_clock_khz = 1848000\nmemory_bus_bits = 384\n[sm.pipeline]\n[network]\n[dram]\n[sm.memory]\nbank_map = \"" +
               map + "\"\n")
        .message();
  };
  for (const char* good : {"low_order", "sams", "sams:s=3", "harper:s=8", "prime", "per_array", "per_array:harper", "matrix:1,2,4,8,16"})
    EXPECT_EQ(complaint(good), "no error") << good;
  EXPECT_NE(complaint("sam").find("sm.memory.bank_map = \"sam\", sm.shared_banks = 32"), std::string::npos) << complaint("sam");
  EXPECT_NE(complaint("sam").find("there is no scheme 'sam'; there are low_order"), std::string::npos);
  EXPECT_NE(complaint("sams:n=9").find("has 512 words, and a block's shared memory 12288"), std::string::npos) << complaint("sams:n=9");
  EXPECT_NE(complaint("latin").find("no perfect Latin square of order 32"), std::string::npos);
}

TEST(TimedMachine, RefusesMemoryThatCannotBeBuilt) {
  const auto dram = [](const std::string& more) {
    return errorOf("[chip]\nmemory_clock_khz = 1848000\nmemory_bus_bits = 384\n[sm.pipeline]\n[network]\n[dram]\n" + more);
  };
  EXPECT_EQ(dram("").message(), "no error");
  const std::pair<const char*, const char*> broken[] = {
      {"bus_bytes = 4\n", "chip.memory_bus_bits = 384, dram.channels = 6, dram.bus_bytes = 4"},
      {"clock_khz = 800000\n", "chip.memory_clock_khz = 1848000, dram.clock_khz = 800000, dram.data_rate = 4"},
      {"burst_length = 2\n", "dram.burst_length = 2, dram.data_rate = 4"},
      {"row_bytes = 256\nburst_length = 64\n", "dram.row_bytes = 256, dram.bus_bytes = 8, dram.burst_length = 64"},
      {"interleave_bytes = 32\n[l1d]\nline_bytes = 32\nsector_bytes = 32\n",
       "dram.interleave_bytes = 32, dram.bus_bytes = 8, dram.burst_length = 8"},
      {"banks = 2\n", "dram.banks = 2, dram.bank_groups = 4"},
      {"ranks = 8\n", "dram.banks = 16, dram.ranks = 8"},
      {"kind = \"gddr3\"\n", "dram.kind = \"gddr3\", dram.bank_groups = 4"},
      {"request_queue = 65535\n", "dram.request_queue = 65535, dram.bus_bytes = 8, dram.burst_length = 8"},
      {"t_ccd = 4\n", "dram.t_ccdl = 3, dram.t_ccd = 4"},
      {"t_ras = 11\n", "dram.t_ras = 11, dram.t_rcd = 12"},
      {"t_rc = 28\n", "dram.t_rc = 28, dram.t_ras = 28"},
      {"t_faw = 5\n", "dram.t_faw = 5, dram.t_rrd = 6"},
      {"t_refi = 100\n", "dram.t_refi = 100, dram.t_rfc = 0"},
      {"t_refi = 100\nt_rfc = 60\n", "dram.t_refi = 100, dram.t_rfc = 60, dram.t_rc = 40"},
      {"t_rtw = 9\n", "dram.t_rtw = 9, dram.t_cl = 12, dram.t_wl = 4, dram.burst_length = 8, dram.data_rate = 4"},
      {"[l1d]\nmshrs = 65\n", "l1d.mshrs = 65, l1d.bytes = 0"},
      {"[l1d]\nmiss_queue = 1\n", "l1d.miss_queue = 1 is out of range: 2 to 65536"},
      {"[chip.x]\n", "unknown key 'chip.x'"},
  };
  for (const auto& [more, message] : broken)
    EXPECT_NE(dram(more).message().find(message), std::string::npos) << more << dram(more).message();
}

TEST(TimedMachine, LatenciesAreAQuantumAtLeast) {
  const auto network = [](const std::string& text) { return errorOf("[sm.pipeline]\n[dram]\n[network]\n" + text).message(); };
  EXPECT_EQ(network("injection_latency = 0\n"), "network.injection_latency = 0 is out of range: 1 to 100000");
  EXPECT_EQ(network("buffers_per_channel = 0\n"), "network.buffers_per_channel = 0 is out of range: 1 to 65536");
  EXPECT_EQ(network("virtual_channels = 0\n"), "network.virtual_channels = 0 is out of range: 1 to 8");
}

TEST(TimedMachine, AButterflyReachesAllTerminals) {
  const auto machine = [](int sms, const char* stages) {
    return errorOf("[chip]\nmemory_clock_khz = 1848000\nmemory_bus_bits = 384\nmultiprocessors = " + std::to_string(sms) +
                   "\n[sm.pipeline]\n[dram]\n[network]\ntopology = \"butterfly\"\nstages = " + stages + "\n")
        .message();
  };
  EXPECT_EQ(machine(32, "5"), "no error");
  EXPECT_NE(machine(33, "5").find("network.radix = 2, network.stages = 5, chip.multiprocessors = 33"), std::string::npos);
  EXPECT_EQ(machine(33, "6"), "no error");
  EXPECT_EQ(machine(6, "3"), "no error");
  EXPECT_NE(machine(1, "2"), "no error") << "six channels do not fit on four terminals";
}

TEST(TimedMachine, ARoutersVirtualChannelsAreLimited) {
  const auto machine = [](const std::string& chip, const std::string& network) {
    return errorOf("[chip]\nmemory_clock_khz = 1848000\nmemory_bus_bits = 384\n" + chip + "[sm.pipeline]\n[dram]\n[network]\n" + network)
        .message();
  };
  EXPECT_EQ(machine("", "virtual_channels = 9\n"), "network.virtual_channels = 9 is out of range: 1 to 8");
  EXPECT_EQ(machine("multiprocessors = 256\n", ""), "no error");
  const std::string wide = machine("multiprocessors = 257\n", "");
  EXPECT_NE(wide.find("network.virtual_channels = 1, network.topology = \"crossbar\", network.radix = 2, chip.multiprocessors = 257"),
            std::string::npos)
      << wide;
  const std::string fly = "topology = \"butterfly\"\nradix = 64\nstages = 2\nvirtual_channels = ";
  EXPECT_EQ(machine("multiprocessors = 257\n", fly + "4\n"), "no error");
  EXPECT_NE(machine("", fly + "5\n").find("network.virtual_channels = 5"), std::string::npos);
}

TEST(TimedMachine, LinesNestDownwards) {
  const auto caches = [](const std::string& text) {
    return errorOf("[chip]\nmemory_clock_khz = 1848000\nmemory_bus_bits = 384\nl2_cache_bytes = 393216\n[sm.pipeline]\n[network]\n" + text)
        .message();
  };
  EXPECT_EQ(caches("[dram]\n[l2]\nbytes = 65536\n[l1d]\nbytes = 16384\n"), "no error");
  EXPECT_NE(caches("[dram]\n[l2]\nbytes = 65536\nline_bytes = 64\nsector_bytes = 64\n[l1d]\nbytes = 16384\n")
                .find("l1d.line_bytes = 128, l2.line_bytes = 64"),
            std::string::npos);
  EXPECT_NE(caches("[l2]\nbytes = 65536\n[dram]\ninterleave_bytes = 64\n[l1d]\nline_bytes = 64\nsector_bytes = 64\n")
                .find("l2.line_bytes = 128, dram.interleave_bytes = 64"),
            std::string::npos);
}

// Its lines are what goes to the network, whether or not it keeps any.
TEST(TimedMachine, LinesOfAnAbsentDataCacheNestToo) {
  const auto caches = [](const std::string& text) {
    return errorOf("[chip]\nmemory_clock_khz = 1848000\nmemory_bus_bits = 384\nl2_cache_bytes = 393216\n[sm.pipeline]\n[network]\n" + text)
        .message();
  };
  EXPECT_NE(caches("[dram]\n[l2]\nbytes = 65536\n[l1d]\nline_bytes = 256\n").find("l1d.line_bytes = 256, l2.line_bytes = 128"),
            std::string::npos);
  EXPECT_NE(caches("[dram]\n[l2]\nbytes = 65536\n[l1d]\nline_bytes = 64\n").find("l1d.sector_bytes = 128, l1d.line_bytes = 64"),
            std::string::npos);
}

class Overridden : public ::testing::Test {
 protected:
  static Machine machine(const std::vector<std::string>& settings) { return parseMachine(timed(), "m.toml", settings); }
  static std::string errorOf(const std::vector<std::string>& settings) {
    try {
      machine(settings);
      return "no error";
    } catch (const Error& error) {
      return error.what();
    }
  }
};

TEST_F(Overridden, ValuesReplaceThoseOfTheFile) {
  const Machine changed = machine({"l1d.bytes=16384", "l1d.replacement=fifo", "sm.memory.cache_global_loads=false", "name=\"mine\""});
  EXPECT_EQ(changed.l1d.bytes, 16384u);
  EXPECT_EQ(changed.l1d.replacement, "fifo");
  EXPECT_FALSE(changed.sm.cacheGlobalLoads);
  EXPECT_EQ(changed.name, "mine");
}

TEST_F(Overridden, AreCheckedAsTheFileIs) {
  EXPECT_NE(errorOf({"l1d.bytes=16384", "l1d.ways=3"}).find("--set l1d.ways=3: error: l1d.bytes = 16384, l1d.ways = 3"), std::string::npos);
  EXPECT_NE(errorOf({"l1d.way=3"}).find("did you mean 'l1d.ways'?"), std::string::npos);
  EXPECT_NE(errorOf({"l1d.ways=many"}).find("error"), std::string::npos);
  EXPECT_NE(errorOf({"l1d.ways=0"}).find("l1d.ways = 0 is out of range: 1 to 64"), std::string::npos);
  EXPECT_NE(errorOf({"l1d.ways"}).find("KEY=VALUE"), std::string::npos);
  EXPECT_NE(errorOf({"l1d.ways=4\nother = 5"}).find("one value"), std::string::npos);
  EXPECT_NE(errorOf({"l1d=4"}).find("unknown key 'l1d'"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::config
