// Mechanisms together: every pair of the catalogue on machines of several kinds. A new mechanism joins by being in the catalogue.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "machines/timing_profile.hpp"
#include "mechanisms/mechanism.hpp"
#include "profile/profile.hpp"
#include "runtime/device.hpp"

namespace warpwright {
namespace {

// Something for each mechanism: affine and uniform values in registers and private memory, with lanes that do not fit; conflicts of banks,
// and instructions to go past them; slow operations; global loads of one word, of many, and atomics.
constexpr const char* kWork = R"(
.version 7.0
.target sm_13
.address_size 64
.visible .entry work(.param .u64 out, .param .u32 rounds)
{
  .reg .u32 %r<20>;
  .reg .f32 %f<4>;
  .reg .u64 %d<8>;
  .reg .pred %p<4>;
  .local .align 4 .b8 mine[512];
  .shared .align 4 .b8 ours[8192];
  ld.param.u64 %d0, [out];
  ld.param.u32 %r0, [rounds];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mov.u64 %d1, mine;
  mov.u64 %d2, ours;
  shl.b32 %r5, %r1, 6;
  and.b32 %r5, %r5, 8128;
  cvt.u64.u32 %d3, %r5;
  add.u64 %d3, %d2, %d3;
  mov.u32 %r6, 0;
  mov.u32 %r7, 0;
  add.u32 %r8, %r1, 5;
  and.b32 %r9, %r1, 7;
  setp.eq.u32 %p2, %r9, 3;
  mul.wide.u32 %d7, %r1, 4;
  add.u64 %d7, %d0, %d7;
round:
  and.b32 %r10, %r6, 127;
  shl.b32 %r10, %r10, 2;
  cvt.u64.u32 %d4, %r10;
  add.u64 %d4, %d1, %d4;
  add.u32 %r8, %r8, 4;
  st.local.u32 [%d4], %r8;
  @%p2 st.local.u32 [%d4], %r7;
  ld.local.u32 %r11, [%d4];
  st.shared.u32 [%d3], %r11;
  bar.sync 0;
  ld.shared.u32 %r12, [%d3];
  cvt.rn.f32.u32 %f0, %r6;
  sqrt.approx.f32 %f1, %f0;
  cvt.rzi.u32.f32 %r13, %f1;
  add.u32 %r7, %r7, %r12;
  mad.lo.u32 %r7, %r13, 3, %r7;
  ld.global.u32 %r14, [%d0];
  add.u32 %r7, %r7, %r14;
  ld.global.u32 %r16, [%d7+8192];
  add.u32 %r7, %r7, %r16;
  bar.sync 0;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p1, %r6, %r0;
  @%p1 bra round;
  mul.wide.u32 %d5, %r4, 4;
  add.u64 %d6, %d0, %d5;
  st.global.u32 [%d6+8], %r7;
  atom.global.add.u32 %r15, [%d0+4], %r7;
  ret;
}
.visible .entry nothing(.param .u64 out, .param .u32 rounds)
{
  ret;
}
)";

// Also with loads of many words and of one that go past what keeps lines of lanes.
std::string moduleText() {
  const std::string work = kWork;
  const auto begin = work.find(".visible .entry work"), end = work.find(".visible .entry nothing");
  std::string past = work.substr(begin, end - begin);
  const auto replace = [&](const std::string& what, const std::string& by) { past.replace(past.find(what), what.size(), by); };
  replace("entry work", "entry past");
  for (const std::string load : {"ld.global", "ld.global"}) replace(load + ".u32 %r1", load + ".cg.u32 %r1");
  return work + past;
}

constexpr u32 kBlocks = 5, kThreads = 96, kRounds = 40, kWords = kBlocks * kThreads + 2, kOnlyRead = 2048;

struct Kind {
  std::string name;
  std::string preset;
  std::vector<std::string> overrides;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"fermi", "fermi-avc-32", {"mechanism.avc=false", "chip.multiprocessors=2"}},
      {"fermi in order",
       "fermi-avc-32",
       {"mechanism.avc=false", "chip.multiprocessors=2", "sm.pipeline.model=in_order", "sm.schedulers=1", "sm.pipeline.write_back_ports=1",
        "sm.pipeline.collectors=0", "sm.memory.stores_in_flight=64"}},
      {"gt200", "gt200-elastic", {"mechanism.elastic-pipeline=false", "chip.multiprocessors=2"}},
      {"gt200 with a second level",
       "gt200-elastic",
       {"mechanism.elastic-pipeline=false", "chip.multiprocessors=2", "l1i.sector_bytes=128", "l1i.line_bytes=128",
        "chip.l2_cache_bytes=262144", "l2.bytes=65536", "l2.ways=8", "l2.line_bytes=128", "l2.sector_bytes=32"}},
      {"gt200 without a cache", "gt200-granularity", {"chip.multiprocessors=2"}},
      {"gt200 with a cache of sectors",
       "gt200-elastic",
       {"mechanism.elastic-pipeline=false", "chip.multiprocessors=2", "l1d.bytes=16384", "l1d.ways=4", "l1d.line_bytes=128",
        "l1d.sector_bytes=32", "sm.memory.cache_global_loads=true"}},
      {"volta", "v100", {"chip.multiprocessors=2"}},
  };
  return all;
}

using Names = std::vector<std::string>;

// Throws Error when the machine cannot have them.
config::Machine machineOf(const Kind& kind, const Names& mechanisms) {
  std::vector<std::string> overrides = kind.overrides;
  for (const std::string& name : mechanisms) overrides.push_back("mechanism." + name + "=true");
  return config::loadMachine(kind.preset, overrides);
}

struct Result {
  std::vector<u32> words;
  std::map<std::string, stats::Json> counted;
};

Result run(const config::Machine& machine, const char* kernel, bool timed = true) {
  runtime::Settings settings;
  settings.machine = machine;
  if (timed) settings.timing.emplace();
  runtime::Device device(settings);
  runtime::Launch launch;
  launch.module = &device.loadModule(moduleText(), "work.ptx");
  launch.kernel = launch.module->loaded->program.findFunction(kernel);
  launch.grid = {kBlocks, 1, 1};
  launch.block = {kThreads, 1, 1};
  const u64 out = device.memory().allocate((kOnlyRead + kThreads) * sizeof(u32), exec::AllocationKind::device).value();
  auto* words = reinterpret_cast<u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(out)));
  std::fill_n(words, kWords, 0);
  std::iota(words + kOnlyRead, words + kOnlyRead + kThreads, 5);
  words[0] = 9;
  launch.parameters.resize(launch.kernel->parameterBytes);
  std::memcpy(launch.parameters.data(), &out, sizeof out);
  std::memcpy(launch.parameters.data() + sizeof out, &kRounds, sizeof kRounds);
  const runtime::LaunchOutcome outcome = device.launch(launch);
  EXPECT_EQ(outcome.status, exec::LaunchStatus::completed) << outcome.message;
  Result result{{words, words + kWords}, {}};
  const auto add = [&](const std::string& name, const stats::AnyStatistics& statistics) { result.counted[name] = statistics.json(); };
  const stats::Json observed = device.profile().data().at("kernels").at(0).value("mechanisms", stats::Json::object());
  for (const auto& [name, values] : observed.items()) result.counted["observed " + name] = values;
  if (!timed) return result;
  const machines::KernelTiming& timing = *device.timing().kernels().at(0);
  EXPECT_TRUE(timing.violations.empty()) << timing.violations.front();
  timing.counters.gpu.mechanisms.forEach(add);
  return result;
}

std::string nameOf(const Kind& kind, const Names& mechanisms) {
  std::string text = kind.name;
  for (const std::string& name : mechanisms) text += " + " + name;
  return text;
}

// Of these the second sees only what goes past the first.
const std::set<Names> kBehind = {{"tiny-cache", "example-last-line"}};

// The kernels in which each of them finds something to do, one or the other.
std::vector<const char*> kernelsFor(const Names& mechanisms) {
  const auto isThere = [&](const std::string& name) { return std::find(mechanisms.begin(), mechanisms.end(), name) != mechanisms.end(); };
  const auto areThere = [&](const Names& pair) { return std::all_of(pair.begin(), pair.end(), isThere); };
  if (std::any_of(kBehind.begin(), kBehind.end(), areThere)) return {"work", "past"};
  return {"work"};
}

// What each of them counts is another number when something happens: of what a kind observes and counts, all names have to be there.
void expectAlive(const std::vector<Result>& works, const Result& nothing, const Names& mechanisms, const std::string& where) {
  for (const mechanisms::Kind* kind : mechanisms::catalogue()) {
    if (std::find(mechanisms.begin(), mechanisms.end(), kind->description.name) == mechanisms.end()) continue;
    bool isAlive = false;
    const auto look = [&](const stats::NamedStatistics& zero, const std::string& prefix) {
      zero.forEach([&](const std::string& name, const stats::AnyStatistics&) {
        const auto before = nothing.counted.find(prefix + name);
        for (const Result& work : works) {
          const auto found = work.counted.find(prefix + name);
          if (found == work.counted.end()) continue;
          isAlive |= before == nothing.counted.end() || found->second != before->second;
        }
      });
    };
    if (kind->counted != nullptr) look(kind->counted(), "");
    if (kind->counted == nullptr && kind->observed != nullptr) look(kind->observed(), "observed ");
    EXPECT_TRUE(isAlive) << where << ": " << kind->description.name << " counts nothing";
  }
}

void tryAll(const Kind& kind, const Names& mechanisms, const config::Machine& machine, const std::vector<u32>& wanted) {
  const std::string where = nameOf(kind, mechanisms);
  std::vector<Result> works;
  for (const char* kernel : kernelsFor(mechanisms)) {
    works.push_back(run(machine, kernel));
    EXPECT_EQ(works.back().words, wanted) << where << ", " << kernel;
  }
  expectAlive(works, run(machine, "nothing"), mechanisms, where);
}

// Nothing: the machine cannot have these mechanisms, and says of which.
std::optional<config::Machine> machineIfTaken(const Kind& kind, const Names& mechanisms) {
  try {
    return machineOf(kind, mechanisms);
  } catch (const Error& refusal) {
    const auto isNamed = [&](const std::string& name) { return std::string(refusal.what()).find("'" + name + "'") != std::string::npos; };
    EXPECT_TRUE(std::any_of(mechanisms.begin(), mechanisms.end(), isNamed)) << refusal.what();
    return std::nullopt;
  }
}

// Those that are nothing without another that runs their routines have tests with it (tests/regions).
bool standsAlone(const mechanisms::Kind* kind) {
  const config::MechanismKind& description = kind->description;
  return !description.wantsAssistance || !description.wantsAssistance(description.defaults);
}

std::vector<Names> singlesAndPairs() {
  std::vector<Names> result;
  std::vector<const mechanisms::Kind*> all;
  std::ranges::copy_if(mechanisms::catalogue(), std::back_inserter(all), standsAlone);
  for (std::size_t i = 0; i < all.size(); ++i) {
    result.push_back({std::string(all[i]->description.name)});
    for (std::size_t j = i + 1; j < all.size(); ++j)
      result.push_back({std::string(all[i]->description.name), std::string(all[j]->description.name)});
  }
  return result;
}

// As many of the catalogue as the machine takes together, those that come first before others.
Names allTogether(const Kind& kind) {
  Names names;
  for (const mechanisms::Kind* each : mechanisms::catalogue()) {
    names.emplace_back(each->description.name);
    if (!machineIfTaken(kind, names)) names.pop_back();
  }
  return names;
}

// Elastic MSHRs stand in the place of a first-level data cache, and their lines are blocks of one sector; the others need a cache, lines
// of several sectors, or a cache above DRAM, which the machine of the thesis does not have. Assist warps need a scoreboard, and what is of
// the thesis is of in-order machines.
const std::set<Names> kApart = {{"avc", "elastic-mshr"},
                                {"conflict-aware", "assist-warps"},
                                {"elastic-mshr", "assist-warps"},
                                {"elastic-mshr", "example-splitter"},
                                {"elastic-mshr", "line-compression"},
                                {"elastic-mshr", "sector-granularity"},
                                {"elastic-pipeline", "assist-warps"},
                                {"stride-prefetcher", "elastic-mshr"},
                                {"many-thread-prefetcher", "elastic-mshr"}};

TEST(MechanismPairs, AllThatGoTogetherDo) {
  for (const Kind& kind : kinds()) {
    const Names names = allTogether(kind);
    EXPECT_GE(names.size(), 3U) << kind.name;
    tryAll(kind, names, machineOf(kind, names), run(machineOf(kind, {}), "work", false).words);
  }
}

TEST(MechanismPairs, ChangeNoResultAndAllCount) {
  std::set<Names> taken;
  for (const Kind& kind : kinds()) {
    const std::vector<u32> wanted = run(machineOf(kind, {}), "work", false).words;
    EXPECT_NE(wanted[1], 0U);
    for (const Names& mechanisms : singlesAndPairs()) {
      const std::optional<config::Machine> machine = machineIfTaken(kind, mechanisms);
      if (!machine) continue;
      taken.insert(mechanisms);
      tryAll(kind, mechanisms, *machine, wanted);
    }
  }
  for (const Names& mechanisms : singlesAndPairs())
    EXPECT_NE(taken.contains(mechanisms), kApart.contains(mechanisms)) << nameOf({"no machine", {}, {}}, mechanisms);
}

}  // namespace
}  // namespace warpwright
