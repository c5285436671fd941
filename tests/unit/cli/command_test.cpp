// The command as a user calls it: exit status, stdout and stderr.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

namespace fs = std::filesystem;

constexpr const char* kScale = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry _Z5scalePjj(.param .u64 out, .param .u32 factor)
{
  .reg .u32 %r<3>;
  .reg .u64 %d<4>;
  ld.param.u64 %d0, [out];
  ld.param.u32 %r0, [factor];
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r2, %r1, %r0;
  mul.wide.u32 %d1, %r1, 4;
  add.u64 %d2, %d0, %d1;
  st.global.u32 [%d2], %r2;
  ret;
}
)";

class CommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("warpwright_command_test_" + std::to_string(getpid()));
    fs::create_directories(folder);
    std::ofstream(folder / "scale.ptx") << kScale;
  }
  void TearDown() override { fs::remove_all(folder); }

  int run(const std::string& arguments) {
    const std::string command = "cd " + folder.string() + " && env -u WARPWRIGHT_MACHINE " WARPWRIGHT_BINARY_DIR "/bin/warpwright " +
                                arguments + " >out.txt 2>err.txt";
    const int status = std::system(command.c_str());
    out = read("out.txt");
    err = read("err.txt");
    return WEXITSTATUS(status);
  }
  std::string read(const char* file) const {
    std::ifstream in(folder / file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  static bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  fs::path folder;
  std::string out, err;
};

TEST_F(CommandTest, RunsAKernelAndPrintsItsBuffer) {
  EXPECT_EQ(run("kernel scale.ptx --block 4 --arg buf:u32:4 --arg u32:7 --print 0"), 0) << err;
  EXPECT_EQ(out, "0 7 14 21\n");
  EXPECT_TRUE(contains(err, "scale"));
}

TEST_F(CommandTest, QuietPrintsNoProfile) {
  EXPECT_EQ(run("kernel scale.ptx --quiet --block 4 --arg buf:u32:4 --arg u32:7 --print 0:2"), 0) << err;
  EXPECT_EQ(out, "0 7\n");
  EXPECT_EQ(err, "");
}

TEST_F(CommandTest, DumpsABufferAndWritesJson) {
  EXPECT_EQ(run("kernel scale.ptx -k scale -q --json p.json -b 2 -a buf:u32:2 -a u32:258 --dump-buffer 0=raw.bin"), 0) << err;
  EXPECT_EQ(read("raw.bin"), std::string("\0\0\0\0\x02\x01\0\0", 8));
  EXPECT_EQ(read("p.json").substr(0, 1), "{");
}

TEST_F(CommandTest, WhatCannotBeWrittenIsRefusedBeforeTheRun) {
  for (const char* const option : {"--json", "--csv", "--trace", "--konata", "--series", "--checkpoint"}) {
    EXPECT_EQ(run(std::string("run --machine gtx480 ") + option + " nosuch/file ./program"), 127) << "the program comes first";
    std::ofstream(folder / "program") << "#!/bin/sh\necho ran\n";
    fs::permissions(folder / "program", fs::perms::owner_all);
    EXPECT_EQ(run(std::string("run --machine gtx480 ") + option + " nosuch/file ./program"), 1) << option;
    EXPECT_TRUE(contains(err, option) && contains(err, "there is no folder")) << err;
    EXPECT_EQ(out, "") << option;
    fs::remove(folder / "program");
  }
}

TEST_F(CommandTest, APageIsAFileInAFolder) {
  EXPECT_EQ(run("reproduce 004 --figure 3.1 --db papers.db --html nosuch/page.html"), 1);
  EXPECT_TRUE(contains(err, "--html") && contains(err, "there is no folder")) << err;
  EXPECT_EQ(run("reproduce 004 --figure 3.1 --db papers.db --html ."), 1);
  EXPECT_TRUE(contains(err, "--html") && contains(err, "it is a folder")) << err;
  EXPECT_EQ(out, "");
  EXPECT_EQ(run("reproduce 004 --figure 3.1 --db papers.db --html page.html"), 0) << err;
  EXPECT_TRUE(contains(read("page.html"), "Figure 3.1")) << out;
}

TEST_F(CommandTest, AWindowIsReadBeforeTheRun) {
  for (const char* const window : {"5:2", "abc", "5", "5:x"}) {
    EXPECT_EQ(run(std::string("run --machine gtx480 --trace-window ") + window + " ./program"), 2) << window;
    EXPECT_TRUE(contains(err, "FROM:TO")) << err;
  }
}

// The program need not tell why its code did not load.
TEST_F(CommandTest, RoutinesWithAMistakeStopTheRun) {
  std::ofstream(folder / "program") << "#!/bin/sh\necho ran\n";
  fs::permissions(folder / "program", fs::perms::owner_all);
  std::ofstream(folder / "routine.ptx")
      << ".version 7.0\n.target sm_70\n.address_size 64\n.visible .func count()\n.pragma \"assist on=stoer\";\n{\n  ret;\n}\n";
  EXPECT_EQ(run("run --machine gtx480 --assist routine.ptx ./program"), 1);
  EXPECT_TRUE(contains(err, "routine.ptx") && contains(err, "did you mean 'store'?")) << err;
  EXPECT_EQ(out, "");
  EXPECT_EQ(run("run --machine gtx480 --assist nosuch.ptx ./program"), 1);
  EXPECT_TRUE(contains(err, "nosuch.ptx")) << err;
  EXPECT_EQ(out, "");
}

// Eight values are read before a barrier and written after it. Three more registers of a v100 are no value's: the stack pointer and the
// program counter's two.
std::string eightValues() {
  std::string ptx =
      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry eight()\n{\n.shared .align 4 .b8 s[64];\n.reg .b32 %r<8>;\n";
  for (int i = 0; i < 8; ++i) ptx += "ld.shared.u32 %r" + std::to_string(i) + ", [s+" + std::to_string(4 * i) + "];\n";
  ptx += "bar.sync 0;\n";
  for (int i = 0; i < 8; ++i) ptx += "st.shared.u32 [s+" + std::to_string(32 + 4 * i) + "], %r" + std::to_string(i) + ";\n";
  return ptx + "ret;\n}\n";
}

TEST_F(CommandTest, RegistersListsWhatEachNumberCosts) {
  std::ofstream(folder / "eight.ptx") << eightValues();
  EXPECT_EQ(run("registers eight.ptx"), 0) << err;
  EXPECT_TRUE(contains(out, "r_base 11 (no spills), minimum 4")) << out;
  EXPECT_TRUE(contains(out, "          8       3       3       3 ")) << out;
  EXPECT_EQ(run("registers eight.ptx --summary"), 0) << err;
  EXPECT_TRUE(contains(out, "eight")) << out;
  EXPECT_TRUE(contains(out, "64       14      11        4")) << out;
}

TEST_F(CommandTest, RegistersShowsTheOccupancyOfBlocksThatTheKernelMayHave) {
  EXPECT_EQ(run("registers scale.ptx --machine v100"), 0) << err;
  EXPECT_TRUE(contains(out, "blocks of 256 threads")) << out;
  EXPECT_TRUE(contains(out, "blocks/SM    warps/SM  limited by")) << out;
  std::string bounded = kScale;
  bounded.insert(bounded.find("{"), ".maxntid 128, 1, 1\n");
  std::ofstream(folder / "bounded.ptx") << bounded;
  EXPECT_EQ(run("registers bounded.ptx"), 0) << err;
  EXPECT_TRUE(contains(out, "blocks of 128 threads")) << out;
  EXPECT_EQ(run("registers bounded.ptx --block 64"), 0) << err;
  EXPECT_TRUE(contains(out, "blocks of 64 threads")) << out;
}

TEST_F(CommandTest, RegistersExplainsMistakes) {
  EXPECT_EQ(run("registers scale.ptx --kernel nine"), 1);
  EXPECT_TRUE(contains(err, "no kernel 'nine'") && contains(err, "its kernels are: scale")) << err;
  EXPECT_EQ(run("registers scale.ptx --block 5000"), 1);
  EXPECT_TRUE(contains(err, "blocks of up to 1024")) << err;
  std::ofstream(folder / "eight.ptx") << eightValues();
  EXPECT_EQ(run("registers scale.ptx --compare eight.ptx"), 1);
  EXPECT_TRUE(contains(err, "no kernel in common")) << err;
  EXPECT_EQ(out, "");
}

TEST_F(CommandTest, ExplainsNumbersThatAreNone) {
  for (const char* number : {"0", "-3", "abc", "16.5", "1e3", "99999999999999999999", "''"}) {
    EXPECT_EQ(run(std::string("kernel scale.ptx --arg buf:u32:4 --arg u32:7 --max-registers ") + number), 2) << number;
    EXPECT_TRUE(contains(err, "--max-registers: '")) << err;
    EXPECT_TRUE(contains(err, "is no whole number from 1 to 4294967295")) << err;
    EXPECT_FALSE(contains(err, "did you mean")) << err;
  }
  EXPECT_EQ(run("lab status --lock-wait -1"), 2);
  EXPECT_TRUE(contains(err, "'-1' is no number from 0 on")) << err;
  EXPECT_EQ(run("registers scale.ptx --max-register 8"), 2);
  EXPECT_TRUE(contains(err, "did you mean '--max-registers'")) << err;
}

TEST_F(CommandTest, ABudgetMakesSpillsThatTheProfileCounts) {
  std::ofstream(folder / "eight.ptx") << eightValues();
  EXPECT_EQ(run("kernel eight.ptx --block 64 --max-registers 8"), 0) << err;
  EXPECT_TRUE(contains(err, "register spills: 6 reloads, 6 stores")) << err;
  EXPECT_EQ(run("disasm eight.ptx --plain --max-registers 8"), 0) << err;
  EXPECT_TRUE(contains(out, "LD.LOCAL.U32.SPILL")) << out;
  EXPECT_EQ(run("kernel scale.ptx --block 4 --arg buf:u32:4 --arg u32:7 --print 0 --max-registers 6"), 0) << err;
  EXPECT_EQ(out, "0 7 14 21\n");
  EXPECT_EQ(run("kernel scale.ptx --block 4 --arg buf:u32:4 --arg u32:7 --max-registers 5"), 1);
  EXPECT_TRUE(contains(err, "needs at least")) << err;
}

TEST_F(CommandTest, ExplainsWrongArguments) {
  EXPECT_NE(run("kernel scale.ptx --arg buf:u32:4"), 0);
  EXPECT_TRUE(contains(err, "takes 2 arguments")) << err;
  EXPECT_NE(run("kernel scale.ptx --arg buf:u32:4 --arg u64:7"), 0);
  EXPECT_TRUE(contains(err, "has 8 bytes, the parameter 4")) << err;
  EXPECT_NE(run("kernel scale.ptx --kernel scales --arg buf:u32:4 --arg u32:7"), 0);
  EXPECT_TRUE(contains(err, "_Z5scalePjj")) << err;
  EXPECT_EQ(run("kernel scale.ptx --grid 0 --arg buf:u32:4 --arg u32:7"), 2);
  EXPECT_TRUE(contains(err, "--grid: '0' is no extent\n  remedy: write X, X,Y or X,Y,Z")) << err;
  EXPECT_NE(run("kernel scale.ptx --block 5000 --arg buf:u32:4 --arg u32:7"), 0);
  EXPECT_TRUE(contains(err, "1024")) << err;
}

TEST_F(CommandTest, ReportsAFaultOfTheKernel) {
  EXPECT_EQ(run("kernel scale.ptx --block 8 --arg buf:u32:4 --arg u32:7"), 1);
  EXPECT_TRUE(contains(err, "kernel 'scale(unsigned int*, unsigned int)': store of 4 bytes")) << err;
}

TEST_F(CommandTest, PatternsExplainWhatTheyCannotShow) {
  EXPECT_EQ(run("patterns"), 2);
  EXPECT_TRUE(contains(err, "no program to look at")) << err;
  EXPECT_EQ(run("patterns --skew index ./app"), 2);
  EXPECT_TRUE(contains(err, "unknown option '--skew'")) << err;
  EXPECT_EQ(run("patterns --least 64 --most 32 ./app"), 2);
  EXPECT_TRUE(contains(err, "give --least the lower number")) << err;
}

TEST_F(CommandTest, RunRefusesWhatItCannotRun) {
  std::ofstream(folder / "notes.txt") << "hello\n";
  std::ofstream(folder / "a.cu") << "\n";
  EXPECT_EQ(run("run ./missing"), 127);
  EXPECT_EQ(run("run ./notes.txt"), 126);
  EXPECT_TRUE(contains(err, "not executable")) << err;
  EXPECT_EQ(run("run ./a.cu"), 126);
  EXPECT_TRUE(contains(err, "warpwright-cc")) << err;
  EXPECT_EQ(run("run /bin/true"), 126);
  EXPECT_TRUE(contains(err, "uses no CUDA runtime")) << err;
  EXPECT_EQ(run("run --machin v100 ./x"), 2);
  EXPECT_TRUE(contains(err, "--machine")) << err;
  EXPECT_NE(run("run --machine v1000 ./notes.txt"), 0);
  EXPECT_EQ(run("run --check race ./notes.txt"), 2);
  EXPECT_TRUE(contains(err, "unknown check 'race'") && contains(err, "remedy: ")) << err;
  EXPECT_EQ(run("run"), 2);
}

TEST_F(CommandTest, RunPassesEverythingThrough) {
  std::ofstream(folder / "app") << "#!/bin/sh\necho \"$# $1 $2 $WARPWRIGHT_MACHINE $WARPWRIGHT_QUIET\"; exit 42\n";
  fs::permissions(folder / "app", fs::perms::owner_all);
  EXPECT_EQ(run("run --machine gtx480 --quiet ./app --lines 'a b'"), 42) << err;
  EXPECT_EQ(out, "2 --lines a b gtx480 1\n");
}

TEST_F(CommandTest, Disassembles) {
  EXPECT_EQ(run("disasm scale.ptx"), 0) << err;
  EXPECT_TRUE(contains(out, "scale") && contains(out, "ST")) << out;
  EXPECT_NE(run("disasm /bin/true"), 0);
  EXPECT_TRUE(contains(err, "no device code")) << err;
}

TEST_F(CommandTest, Machines) {
  EXPECT_EQ(run("machines"), 0) << err;
  EXPECT_TRUE(contains(out, "v100") && contains(out, "gtx480"));
  EXPECT_EQ(run("machines v100"), 0);
  EXPECT_TRUE(contains(out, "multiprocessors"));
  EXPECT_EQ(run("machines --fields"), 0);
  EXPECT_TRUE(contains(out, "sm.warp_size"));
  EXPECT_EQ(run("machines v10"), 1);
}

TEST_F(CommandTest, SetChangesAKeyOfTheMachine) {
  EXPECT_EQ(run("machines gtx480 --set l1d.ways=8 --set l1d.replacement=fifo"), 0);
  EXPECT_TRUE(contains(out, "\nways = 8\n") && contains(out, "\nreplacement = \"fifo\"\n")) << out;
  EXPECT_EQ(run("machines gtx480 --set l1d.ways=3"), 1);
  EXPECT_TRUE(contains(err, "--set l1d.ways=3: error: l1d.bytes = 16384, l1d.ways = 3")) << err;
  EXPECT_EQ(run("kernel scale.ptx --set sm.warp_size=16 --arg buf:u32:4 --arg u32:7 --block 4 --print 0"), 0) << err;
  EXPECT_EQ(run("kernel scale.ptx --set sm.warpsize=16 --arg buf:u32:4 --arg u32:7"), 1);
  EXPECT_TRUE(contains(err, "did you mean 'sm.warp_size'?")) << err;
}

TEST_F(CommandTest, MechanismsOfTheTimedMachineAreRefusedWithoutIt) {
  const std::string kernel = " scale.ptx --block 4 --arg buf:u32:4 --arg u32:7";
  for (const char* options : {"--mechanism avc", "--machine fermi-avc-32 --functional --mechanism affine-tags,avc"}) {
    EXPECT_EQ(run("kernel " + std::string(options) + kernel), 1) << options;
    EXPECT_TRUE(contains(err,
                         "--mechanism avc: error: the mechanism 'avc' acts on the timed machine only, and this run is functional\n"
                         "  remedy: name a machine with --machine, and leave --functional out"))
        << err;
  }
  EXPECT_EQ(run("kernel --machine fermi-avc-32 --mechanism avc" + kernel), 0) << err;
  EXPECT_TRUE(contains(err, "Mechanism avc\n") && contains(err, "  below.*                                      all 0\n")) << err;
  EXPECT_EQ(run("kernel --mechanism affine-tags" + kernel), 0) << err;
  EXPECT_EQ(run("kernel --machine gt200-elastic --mechanism avc" + kernel), 1);
  EXPECT_TRUE(contains(err, "--mechanism avc: error: mechanism 'avc': it stands beside a first-level cache with lines of 128 bytes"))
      << err;
  std::ofstream(folder / "own.toml") << "base = \"fermi-avc-32\"\n[mechanism.avc]\n";
  EXPECT_EQ(run("kernel --machine ./own.toml --functional" + kernel), 0) << err;
}

TEST_F(CommandTest, ImportsAConfigurationOfGpgpuSim) {
  std::ofstream(folder / "small.config")
      << "-gpgpu_n_clusters 4\n-gpgpu_n_mem 2 # channels\n-gpgpu_clock_domains 700:700:700:900\n"
         "-gpgpu_shader_core_pipeline 1024:32\n-gpgpu_dram_timing_opt 16:2:6:12:28:12:40:12:4:5:12:4:3:2\n"
         "-gpgpu_runtime_stat 500\n";
  EXPECT_EQ(run("import-config small.config -o small.toml"), 0) << err;
  EXPECT_TRUE(contains(out, "small.config:6:1: -gpgpu_runtime_stat 500")) << out;
  EXPECT_EQ(run("machines small.toml"), 0) << err;
  EXPECT_TRUE(contains(out, "multiprocessors = 4\n") && contains(out, "channels = 2\n")) << out;
  EXPECT_EQ(run("import-config scale.ptx"), 1);
  EXPECT_TRUE(contains(err, "scale.ptx:2:1: error: '.version' is no option")) << err;
  EXPECT_EQ(run("import-config nowhere.config"), 1);
}

TEST_F(CommandTest, HelpVersionAndCompletion) {
  EXPECT_EQ(run("version"), 0);
  EXPECT_TRUE(out.starts_with("warpwright "));
  for (const char* command : {"", "run", "kernel", "disasm", "machines", "completion", "version"}) {
    EXPECT_EQ(run(std::string(command) + " --help"), 0) << command;
    EXPECT_TRUE(contains(out, "xample")) << command;
  }
  for (const char* shell : {"bash", "zsh", "fish"}) {
    EXPECT_EQ(run(std::string("completion ") + shell), 0) << shell;
    EXPECT_TRUE(contains(out, "machine")) << shell;
  }
  EXPECT_EQ(run("completion bash"), 0);
  EXPECT_EQ(std::system(("bash -n " + (folder / "out.txt").string()).c_str()), 0);
  EXPECT_EQ(run("completion tcsh"), 2);
  EXPECT_EQ(run("kernl"), 2);
  EXPECT_TRUE(contains(err, "kernel")) << err;
}

TEST_F(CommandTest, BanksShowsWhereAMapConflicts) {
  EXPECT_EQ(run("banks --scheme sams --q 3 --s 2 --json sams.json --csv sams.csv --svg sams.svg --layout 2"), 0) << err;
  EXPECT_TRUE(contains(out, "sams:q=3,s=2: 8 banks, 2 words a row"));
  EXPECT_TRUE(contains(out, "stride:1                     1   1.000        100.0 %  █\n"));
  EXPECT_TRUE(contains(out, "stride:3                     2"));  // an odd stride that conflicts
  EXPECT_TRUE(contains(out, "stride:4                     1   1.000"));
  EXPECT_TRUE(contains(out, "stride:32 "));
  EXPECT_TRUE(contains(out, "row |    bank 0 |"));
  EXPECT_TRUE(contains(read("sams.json"), "\"line_words\": 2"));
  EXPECT_TRUE(contains(read("sams.csv"), "pattern,worst,mean,bases,conflict_free_bases,banks_differ,network,crosspoints\nstride:1,1,1,"));
  EXPECT_TRUE(contains(read("sams.svg"), "<title>stride:3: worst 2"));
}

TEST_F(CommandTest, BanksTakesTablesThatItWrote) {
  EXPECT_EQ(run("banks --scheme harper:q=2,s=1,n=10 --strides 4 --write-table harper.map"), 0) << err;
  const std::string table = out.substr(out.find("pattern"));
  EXPECT_EQ(run("banks --scheme table:harper.map --strides 4"), 0) << err;
  EXPECT_EQ(out.substr(out.find("pattern")), table);
}

TEST_F(CommandTest, BanksExplainsMistakes) {
  EXPECT_EQ(run("banks"), 2);
  EXPECT_TRUE(contains(err, "no bank map is named"));
  EXPECT_EQ(run("banks --scheme sam"), 1);
  EXPECT_TRUE(contains(err, "there is no scheme 'sam'; there are low_order"));
  EXPECT_EQ(run("banks --scheme sams --vs 2"), 1);
  EXPECT_TRUE(contains(err, "'sams' has no parameter 'vs'"));
  EXPECT_EQ(run("banks --scheme sams --pattern row"), 1);
  EXPECT_TRUE(contains(err, "'row' is no access pattern"));
  EXPECT_EQ(run("banks --scheme sams --strides 0"), 2);
  EXPECT_EQ(run("banks --scheme sams --svg /nowhere/x.svg"), 1);
  EXPECT_TRUE(contains(err, "cannot write '/nowhere/x.svg'"));
  EXPECT_EQ(run("banks --list"), 0);
  EXPECT_TRUE(contains(out, "2dsmm\n"));
}

TEST_F(CommandTest, BanksNamesTheNetworksThatSuffice) {
  EXPECT_EQ(run("banks --scheme 2dsmm:q=3,p=1,hs=1,columns=32 --pattern block:2x4@32 --pattern block:1x8@32/8 --csv routes.csv"), 0) << err;
  EXPECT_TRUE(contains(out, "  two stages by columns, 48 crosspoints: block:2x4@32\n")) << out;
  EXPECT_TRUE(contains(out, "  two stages by rows, 48 crosspoints: block:1x8@32/8\n")) << out;
  EXPECT_TRUE(contains(read("routes.csv"), ",two stages by rows,48\n"));
  EXPECT_EQ(run("banks --scheme prime_remainder:p=15 --lanes 15 --pattern stride:2"), 0) << err;
  EXPECT_TRUE(contains(out, "  Chinese Remainder Network, 120 crosspoints: stride:2\n")) << out;
  EXPECT_EQ(run("banks --scheme harper --strides 4"), 0) << err;
  EXPECT_FALSE(contains(out, "networks between")) << "a crossbar for all is no news";
}

TEST_F(CommandTest, BankStreamTimesLongVectors) {
  EXPECT_EQ(run("banks stream --scheme harper --q 3 --s 4 --busy 8 --length 128 --buffers 0,2 --json s.json --csv s.csv"), 0) << err;
  EXPECT_TRUE(contains(out, "harper:q=3,s=4: 8 banks, busy for 8 cycles; 1 request a cycle; vectors of 128 from 0\n")) << out;
  EXPECT_TRUE(contains(out, "      16     135     135     135           135       1       1\n")) << out;  // family s
  EXPECT_TRUE(contains(out, "       8     135     583     142           135       2       8\n")) << out;
  EXPECT_TRUE(contains(read("s.csv"), "8,out of order,0,2,8,135,135\n"));
  EXPECT_TRUE(contains(read("s.json"), "\"least_cycles\": 135"));
}

TEST_F(CommandTest, BankStreamExplainsMistakes) {
  EXPECT_EQ(run("banks stream"), 2);
  EXPECT_TRUE(contains(err, "no bank map is named")) << err;
  EXPECT_EQ(run("banks stream --scheme low_order --n 8 --length 64"), 1);
  EXPECT_TRUE(contains(err, "the vector with stride 16 reaches word 1023, and the memory has 256")) << err;
  EXPECT_EQ(run("banks stream --scheme low_order --busy 0"), 2);
  EXPECT_EQ(run("banks stream --scheme low_order --buffers 1,x"), 2);
  EXPECT_EQ(run("banks stream --scheme bi_base"), 1);
  EXPECT_TRUE(contains(err, "there is no table for 32 banks; take 4, 9, 16")) << err;
}

TEST_F(CommandTest, WritesHardware) {
  EXPECT_EQ(run("rtl"), 0) << err;
  EXPECT_TRUE(contains(out, "sams-atu\n"));
  EXPECT_EQ(run("rtl sams --n 8 --q 2 --width 4 -o sams"), 0) << err;
  EXPECT_TRUE(contains(read("sams/README.md"), "equations 3.1 to 3.3"));
  EXPECT_TRUE(contains(read("sams/sams_atu.sv"), "module sams_atu ("));
  EXPECT_EQ(run("rtl sams-atu --n 8"), 0) << err;
  EXPECT_TRUE(contains(out, "endmodule"));
  EXPECT_EQ(run("rtl smas"), 2);
  EXPECT_TRUE(contains(err, "did you mean 'sams'")) << err;
  EXPECT_EQ(run("rtl sams --n 99"), 2);
  EXPECT_TRUE(contains(err, "from 3 to 63")) << err;
  EXPECT_EQ(run("rtl sams -o /proc/x"), 1);
}

TEST_F(CommandTest, NumbersOutOfRangeAreNamed) {
  EXPECT_EQ(run("lab run x.toml --jobs 0"), 2);
  EXPECT_TRUE(contains(err, "--jobs: '0' is no whole number from 1 to 4294967295")) << err;
  EXPECT_EQ(run("lab run x.toml --timeout soon"), 2);
  EXPECT_TRUE(contains(err, "--timeout: 'soon' is no whole number from 1 to ")) << err;
  EXPECT_EQ(run("lab status --lock-wait -1"), 2);
  EXPECT_TRUE(contains(err, "--lock-wait: '-1' is no number from 0 on")) << err;
}

TEST_F(CommandTest, BankSearchFindsMapsThatTheOtherCommandsTake) {
  EXPECT_EQ(run("banks search --q 2 --n 4 --pattern stride:1 --pattern family:2"), 0) << err;
  EXPECT_TRUE(contains(out, "none: no such map serves all patterns"));
  EXPECT_EQ(run("banks search --q 2 --n 4 --wide --pattern stride:1 --pattern family:2 --json found.json"), 0) << err;
  EXPECT_TRUE(contains(out, "found, and none takes fewer gates"));
  const std::string json = read("found.json");
  const std::size_t begin = json.find("matrix:");
  ASSERT_NE(begin, std::string::npos) << json;
  EXPECT_EQ(run("banks --scheme " + json.substr(begin, json.find('"', begin) - begin) + " --pattern stride:1 --pattern stride:12"), 0)
      << err;
  EXPECT_TRUE(contains(out, "stride:1                     1   1.000"));
  EXPECT_TRUE(contains(out, "stride:12                    1   1.000"));
  EXPECT_EQ(run("banks search --q 4 --n 3 --pattern stride:1"), 1);
  EXPECT_TRUE(contains(err, "3 address bits cannot tell 2^4 banks apart"));
  EXPECT_EQ(run("banks search --q 3"), 2);
}

TEST_F(CommandTest, EnergyIsOfTimedKernels) {
  const std::string kernel = "kernel scale.ptx --block 4 --arg buf:u32:4 --arg u32:7 --energy ";
  EXPECT_EQ(run(kernel + "40nm --machine gtx480 --json p.json"), 0) << err;
  EXPECT_TRUE(contains(out + err, "Energy (table 40nm, 40 nm")) << out << err;
  EXPECT_TRUE(contains(read("p.json"), "\"energy_delay_squared\"")) << read("p.json");
  EXPECT_EQ(run(kernel + "40nm --functional"), 1);
  EXPECT_TRUE(contains(err, "energy is of timed kernels, and this run is functional")) << err;
  EXPECT_EQ(run(kernel + "41nm --machine gtx480"), 1);
  EXPECT_TRUE(contains(err, "no table of energies is called '41nm'")) << err;
  EXPECT_EQ(run(kernel + "28nm --machine rtx3070"), 1);
  EXPECT_TRUE(contains(err, "add [dram.gddr6]")) << err;
}

// Factors that were found are a table of one's own.
TEST_F(CommandTest, EnergyIsCalibrated) {
  EXPECT_EQ(run("energy"), 0) << err;
  EXPECT_TRUE(contains(out, "40nm    40 nm, Fermi"));
  std::ofstream(folder / "measured.csv") << "benchmark,watts,pipe,dram\na,30,10,5\nb,25,5,7.5\nc,50,20,5\n";
  EXPECT_EQ(run("energy calibrate measured.csv --base 40nm"), 0) << err;
  EXPECT_TRUE(contains(out, "\"pipe\" = 2\n\"dram\" = 2\n")) << out;
  std::ofstream(folder / "my.toml") << out;
  EXPECT_EQ(run("energy costs my.toml --machine gtx480"), 0) << err;
  const auto costOfAdd = [&] {
    const std::size_t line = out.find("pipe.int_add");
    std::istringstream row(out.substr(line, out.find('\n', line) - line));
    std::string word, path, low, value;
    row >> path >> word >> word >> low >> value;
    return std::stod(value);
  };
  const double mine = costOfAdd();
  EXPECT_EQ(run("energy costs 40nm --machine gtx480"), 0) << err;
  EXPECT_NEAR(mine, 2 * costOfAdd(), 0.01 * mine);
  std::ofstream(folder / "wrong.toml") << "base = \"40nm\"\ndescription = \"d\"\nnanometres = 40\n[factor]\nl3 = 2\n";
  EXPECT_EQ(run("energy costs wrong.toml"), 1);
  EXPECT_TRUE(contains(err, "wrong.toml:5")) << err;
  EXPECT_EQ(run("energy calibrate nosuch.csv"), 1);
}

TEST_F(CommandTest, SlurmsOptionsAreOfSlurm) {
  std::ofstream(folder / "one.toml") << "programs = [\"saxpy\"]\nmachines = [\"gtx480\"]\n";
  EXPECT_EQ(run("lab run one.toml --partition long"), 2);
  EXPECT_TRUE(contains(err, "--launcher slurm")) << err;
}

TEST_F(CommandTest, ManualHasEveryCommandAndItsOptions) {
  EXPECT_EQ(run("man"), 0);
  for (const char* part : {".TH WARPWRIGHT 1", ".SS warpwright run\n", "\\-\\-what\\-if\\-only NAME", ".SS warpwright lab run\n"})
    EXPECT_TRUE(contains(out, part)) << part;
  EXPECT_FALSE(contains(out, "lab task")) << "not for people";
}

}  // namespace
