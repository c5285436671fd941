// Lines that assist warps compress and make whole (Vijaykumar and others, section 5), in whole machines.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "compressed_work.hpp"

namespace warpwright::compressed_work {
namespace {

TEST(AssistedCompression, LeavesTheBytesThatItShould) {
  const std::vector<u32> wanted = run({}, mixed).words;
  const std::string key = "mechanism.line-compression.";
  const Settings codecs[] = {
      {key + "codec=bdi"},
      {key + "codec=fpc"},
      {key + "codec=c_pack"},
      {key + "codec=best"},
      {key + "codec=bdi", key + "bdi_order=last"},
      {key + "codec=fpc", key + "fpc_segment_words=4"},
      {key + "codec=fpc", key + "fpc_segment_words=32"},
      {key + "codec=c_pack", key + "c_pack_zero_in_dictionary=true"},
      {key + "codec=best", key + "bdi_order=last", key + "fpc_segment_words=16", key + "c_pack_zero_in_dictionary=true"},
      {key + "codec=bdi", key + "bdi_order=last", key + "first_level=compressed"},
  };
  for (const Settings& codec : codecs) {
    const std::string which = fmt::format("{}", fmt::join(codec, " "));
    const Ran ran = run(assisted(codec), mixed);
    EXPECT_EQ(ran.words, wanted) << which;
    EXPECT_GT(ran.counted.comparedLines, 100u) << which;
    EXPECT_EQ(ran.counted.wrongLines, 0u) << which;
    EXPECT_GT(ran.counted.compressedArrivals + ran.counted.firstLevelLoads, 50u) << which;
    EXPECT_GT(ran.counted.compressedStores, 10u) << which;
    EXPECT_EQ(ran.assist.abandoned, 0u) << which;
  }
}

// Lines that are alike find their encoding with one test.
TEST(AssistedCompression, TriesTheLastEncodingFirst) {
  const std::string key = "mechanism.line-compression.", room = key + "sm_entries=1024", patience = key + "most_wait=1000000";
  const Settings each = assisted({room, patience}), last = assisted({room, patience, key + "bdi_order=last"});
  const Ran alike = run(each, small), alikeLast = run(last, small);
  EXPECT_EQ(alikeLast.words, alike.words);
  EXPECT_EQ(alikeLast.counted.compressedStores + alikeLast.counted.unassistedStores,
            alike.counted.compressedStores + alike.counted.unassistedStores);
  EXPECT_LT(alikeLast.assist.instructions * 10, alike.assist.instructions * 9);
}

// Each line that comes compressed has a routine of high priority, each store one of low priority, but for those that find no room.
TEST(AssistedCompression, HasARoutineForEachLine) {
  const Ran ran = run(assisted(), small);
  EXPECT_EQ(ran.assist.deployedHigh + ran.counted.unassistedLines, ran.counted.compressedArrivals);
  EXPECT_EQ(ran.assist.ended - ran.assist.deployedHigh + ran.counted.unassistedStores + ran.counted.overflows, ran.counted.stores);
  EXPECT_GT(ran.assist.deployedHigh, 100u);
  EXPECT_GT(ran.assist.deployedLow, 100u);
}

TEST(AssistedCompression, TakesLongerThanHardware) {
  const Ran hardware = run(inHardware(), small), routines = run(assisted(), small);
  EXPECT_EQ(routines.words, hardware.words);
  EXPECT_GT(routines.cycles, hardware.cycles);
}

// … but for stores, whose routine finds out: nothing of noise comes compressed.
TEST(AssistedCompression, OfNoiseMakesNothingWhole) {
  const Ran ran = run(assisted({"mechanism.line-compression.codec=fpc"}), noise);
  EXPECT_EQ(ran.assist.deployedHigh, 0u);
  EXPECT_EQ(ran.counted.compressedStores, 0u);
  EXPECT_GT(ran.counted.compressions, 0u);
}

TEST(AssistedCompression, IsTheSameHoweverItIsSimulated) {
  for (const Settings& settings : {assisted(), assisted({"mechanism.line-compression.bdi_order=last"})}) {
    const Ran first = run(settings, mixed);
    for (const u32 threads : {2u, 8u}) {
      machines::TimingOptions options;
      options.threads = threads;
      EXPECT_EQ(run(settings, mixed, options).all == first.all, true) << threads;
    }
    machines::TimingOptions each;
    each.skip = false;
    EXPECT_EQ(run(settings, mixed, each).all == first.all, true) << "cycle by cycle";
  }
}

TEST(AssistedCompression, LetsStoresGoThatWaitTooLong) {
  const Ran ran = run(assisted({"mechanism.line-compression.most_wait=1"}), small);
  EXPECT_GT(ran.counted.unassistedStores, 100u);
  EXPECT_EQ(ran.words, run({}, small).words);
}

// Their routines are of no more use, and give their places to others.
TEST(AssistedCompression, KillsRoutinesOfStoresThatWentOn) {
  const Ran ran = run(assisted({"mechanism.line-compression.most_wait=300"}), small);
  EXPECT_GT(ran.assist.killed, 20u);
  EXPECT_LE(ran.assist.killed + ran.assist.dropped, ran.counted.unassistedStores);
  EXPECT_EQ(ran.words, run({}, small).words);
  EXPECT_EQ(ran.counted.wrongLines, 0u);
}

TEST(AssistedCompression, OverflowsGoAsTheyAre) {
  const Ran ran = run(assisted({"mechanism.line-compression.sm_entries=1"}), small);
  EXPECT_GT(ran.counted.overflows, 100u);
  EXPECT_EQ(ran.words, run({}, small).words);
}

// kWork, whose blocks have shared memory.
std::string workWithShared(u32 bytes) {
  std::string text = kWork;
  text.insert(text.find("  .reg"), fmt::format("  .shared .align 4 .b8 pad[{}];\n", bytes));
  text.insert(text.find("  mov.u32 %r0"), "  mov.u32 %r11, pad;\n  st.shared.u32 [%r11], 0;\n");
  return text;
}

Ran runWithShared(const Settings& machine, u32 bytes) {
  return run(machine, workWithShared(bytes).c_str(), small, {}, [](runtime::Device&, const std::array<u64, 2>& arrays) { return arrays; });
}

// Of 32 KB, of which a block leaves nothing, or two lines.
TEST(AssistedCompression, KeepsStoresInSharedMemoryThatBlocksLeave) {
  const std::vector<u32> wanted = run({}, small).words;
  const Ran none = runWithShared(assisted(), 32768), two = runWithShared(assisted(), 32512);
  EXPECT_EQ(none.counted.bufferedStores, 0u);
  EXPECT_EQ(none.counted.overflows, none.counted.stores);
  EXPECT_GT(two.counted.bufferedStores, 50u);
  EXPECT_GT(two.counted.overflows, 50u);
  const Ran own = runWithShared(assisted({"mechanism.line-compression.store_buffer=own"}), 32768);
  EXPECT_GT(own.counted.bufferedStores, two.counted.bufferedStores);
  for (const Ran* each : {&none, &two, &own}) EXPECT_EQ(each->words, wanted);
}

// The first-level cache has 28 sets for 32.
TEST(AssistedCompression, KeepsStoresInSetsOfTheFirstLevelCache) {
  const Ran own = run(assisted({"mechanism.line-compression.store_buffer=own"}), mixed),
            inSets = run(assisted({"mechanism.line-compression.store_buffer=l1"}), mixed),
            most = run(assisted({"mechanism.line-compression.store_buffer=l1", "mechanism.line-compression.sm_entries=124"}), mixed),
            ownMost = run(assisted({"mechanism.line-compression.store_buffer=own", "mechanism.line-compression.sm_entries=124"}), mixed);
  EXPECT_GT(inSets.counted.bufferedStores, 50u);
  EXPECT_GT(most.l1Misses, ownMost.l1Misses) << "one set is left";
  for (const Ran* each : {&inSets, &most}) EXPECT_EQ(each->words, own.words);
}

TEST(AssistedCompression, RefusesAStoreBufferThatLeavesNoCache) {
  const auto why = [](Settings settings) {
    try {
      machineOf(settings);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_NE(why(assisted({"mechanism.line-compression.store_buffer=l1", "mechanism.line-compression.sm_entries=128"})).find("32 sets"),
            std::string::npos);
  EXPECT_NE(why(inHardware({"mechanism.line-compression.store_buffer=l1"})).find("routines"), std::string::npos);
}

// Stores of single words to lines that the host has left compressed: an SM that keeps one of them has L2 merge most others.
TEST(AssistedCompression, MergesPartsInL2WhereSmsHaveNoRoom) {
  const auto sparse = [](const Settings& settings) {
    return run(settings, kScatteredStores, small, {}, [](runtime::Device&, const std::array<u64, 2>& arrays) {
      return std::array{arrays[0], arrays[1]};
    });
  };
  const Ran bare = sparse({});
  for (const Settings& settings :
       {inHardware({"mechanism.line-compression.partial_entries=1"}), assisted({"mechanism.line-compression.partial_entries=1"})}) {
    const Ran ran = sparse(settings);
    EXPECT_EQ(ran.words, bare.words);
    EXPECT_GT(ran.counted.partialOverflows, 100u);
    EXPECT_GT(ran.counted.mergedParts, 50u);
    EXPECT_EQ(ran.counted.wrongLines, 0u);
  }
}

TEST(AssistedCompression, GoesWithEachPolicyOfWritesOfTheFirstLevel) {
  const std::vector<u32> wanted = run({}, mixed).words;
  for (const std::string policy : {"write_through", "write_through_allocate", "write_through_evict"}) {
    const Ran ran = run(assisted({"l1d.global_writes=" + policy}), mixed);
    EXPECT_EQ(ran.words, wanted) << policy;
    EXPECT_EQ(ran.counted.wrongLines, 0u) << policy;
    EXPECT_GT(ran.counted.comparedLines, 100u) << policy;
  }
}

TEST(AssistedCompression, GoesWithWhatElseThereIs) {
  const std::vector<u32> wanted = run({}, mixed).words;
  for (const std::string other : {"avc", "tiny-cache", "access-patterns", "memory-classes", "affine-tags"}) {
    const Ran ran = run(assisted({"mechanism." + other + "=true"}), mixed);
    EXPECT_EQ(ran.words, wanted) << other;
    EXPECT_EQ(ran.counted.wrongLines, 0u) << other;
    EXPECT_GT(ran.counted.comparedLines, 100u) << other;
  }
}

// Loads a word, stores every other one to where it comes from, and waits for that: routines run beside warps that are there.
constexpr const char* kParts = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry work(.param .u64 from, .param .u64 to)
{
  .reg .u32 %r<8>;
  .reg .u64 %d<8>;
  .reg .pred %p;
  ld.param.u64 %d0, [from];
  ld.param.u64 %d1, [to];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  mul.wide.u32 %d2, %r3, 4;
  add.u64 %d3, %d0, %d2;
  add.u64 %d4, %d1, %d2;
  ld.global.u32 %r4, [%d3];
  and.b32 %r5, %r3, 1;
  setp.eq.u32 %p, %r5, 0;
  @%p st.global.u32 [%d3], %r4;
  st.global.u32 [%d4], %r4;
  membar.gl;
  ret;
}
)";

// A store to a part of a line that lies compressed in L2 fetches the line, which takes time and a routine, and changes no value.
TEST(AssistedCompression, StoresAllOfALineOfWhichAPartWasStored) {
  const auto arrays = [](runtime::Device&, const std::array<u64, 2>& both) { return both; };
  const std::vector<u32> wanted = run({}, kParts, small, {}, arrays).words;
  for (const Settings& settings : {inHardware(), assisted(), assisted({"mechanism.line-compression.first_level=compressed"})}) {
    const Ran ran = run(settings, kParts, small, {}, arrays);
    EXPECT_EQ(ran.words, wanted);
    const std::string which = fmt::format("{}", fmt::join(settings, " "));
    EXPECT_GT(ran.counted.refusedStores, 100u) << which;
    EXPECT_EQ(ran.counted.unassistedLines, 0u) << which;
    machines::TimingOptions threads, each;
    threads.threads = 2;
    each.skip = false;
    EXPECT_EQ(run(settings, kParts, small, threads, arrays).all == ran.all, true);
    EXPECT_EQ(run(settings, kParts, small, each, arrays).all == ran.all, true) << "cycle by cycle";
  }
  EXPECT_EQ(run(inHardware(), kParts, noise, {}, arrays).counted.refusedStores, 0u);
  EXPECT_EQ(run(inHardware({"mechanism.line-compression.second_level=whole"}), kParts, small, {}, arrays).counted.refusedStores, 0u);
}

// Texel i + 1 of an array of words.
constexpr const char* kFetch = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry work(.param .u64 from, .param .u64 to)
{
  .reg .u32 %r<12>;
  .reg .u64 %d<4>;
  ld.param.u64 %d0, [from];
  ld.param.u64 %d1, [to];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  add.u32 %r8, %r3, 1;
  tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [%d0, {%r8}];
  mul.wide.u32 %d2, %r3, 4;
  add.u64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r4;
  ret;
}
)";

TEST(AssistedCompression, MakesLinesOfTexturesWhole) {
  const auto texture = [](runtime::Device& device, const std::array<u64, 2>& arrays) {
    exec::Texture whole;
    whole.image = {.address = GlobalAddress(arrays[0]), .format = {1, 32, exec::ChannelKind::unsignedInteger}, .width = kWords};
    whole.image.rowBytes = whole.image.sliceBytes = kWords * sizeof(u32);
    return std::array<u64, 2>{device.textures().addTexture(whole), arrays[1]};
  };
  const Ran ran = run(assisted(), kFetch, small, {}, texture);
  EXPECT_EQ(ran.words[5], small(6));
  EXPECT_GT(ran.counted.compressedArrivals, 50u);
  EXPECT_EQ(ran.counted.unassistedLines, 0u);
  EXPECT_EQ(ran.assist.deployedHigh, ran.counted.compressedArrivals);
}

TEST(AssistedCompression, OfSomeKernelsHasRegistersForTheirStoresAlone) {
  const Ran all = run(assisted(), small), named = run(assisted({"mechanism.line-compression.kernels=work"}), small),
            others = run(assisted({"mechanism.line-compression.kernels=other, another"}), small);
  EXPECT_EQ(named.all == all.all, true);
  EXPECT_EQ(others.words, all.words);
  EXPECT_EQ(others.counted.stores, 0u);
  EXPECT_GT(others.counted.compressedArrivals, 0u) << "what was copied to the device";
  EXPECT_EQ(run(inHardware({"mechanism.line-compression.kernels=other"}), small).counted.stores, 0u);
  const auto registers = [](const Settings& settings) {
    runtime::Settings device;
    device.machine = machineOf(settings);
    runtime::Device made(device);
    const auto& program = made.loadModule(kWork, "work.ptx").loaded->program;
    return mechanisms::needsOf(mechanisms::makeMechanisms(device.machine), program, *program.findFunction("work")).registers;
  };
  EXPECT_LT(registers(assisted({"mechanism.line-compression.kernels=other"})), registers(assisted()));
  const std::string direct = "mechanism.line-compression.first_level=direct", whole = "mechanism.line-compression.second_level=whole";
  EXPECT_LT(registers(assisted({direct})), registers(assisted())) << "nothing makes lines whole";
  EXPECT_LT(registers(assisted({whole})), registers(assisted())) << "nothing compresses stores";
  EXPECT_EQ(registers(assisted({direct, whole})), 0u);
}

TEST(AssistedCompression, OfAKernelThatIsNeverLaunchedIsRemarked) {
  runtime::Settings settings;
  settings.machine = machineOf(inHardware({"mechanism.line-compression.kernels=wrok"}));
  settings.timing.emplace();
  runtime::Device device(settings);
  runtime::Launch launch;
  launch.module = &device.loadModule(kWork, "work.ptx");
  launch.kernel = launch.module->loaded->program.findFunction("work");
  launch.parameters.resize(2 * sizeof(u64));
  EXPECT_NE(device.launch(launch).status, exec::LaunchStatus::completed) << "its arrays are null";
  EXPECT_EQ(device.remarks(),
            std::vector<std::string>{"mechanism.line-compression.kernels names the kernel 'wrok', which was never launched: did you mean "
                                     "'work'?"});
}

TEST(AssistedCompression, AloneHasAnOrderOfEncodings) {
  const std::string key = "mechanism.line-compression.", last = key + "bdi_order=last";
  for (const Settings& settings : {inHardware({last}), assisted({last, key + "second_level=whole"})}) {
    try {
      machineOf(settings);
      ADD_FAILURE() << "no routine compresses";
    } catch (const Error& refusal) {
      EXPECT_NE(std::string(refusal.what()).find("bdi_order"), std::string::npos) << refusal.what();
    }
  }
}

TEST(AssistedCompression, NeedsAssistWarps) {
  try {
    machineOf(inHardware({"mechanism.line-compression.by=routines"}));
    ADD_FAILURE() << "nobody runs routines";
  } catch (const Error& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("add the mechanism 'assist-warps'"), std::string::npos) << refusal.what();
  }
  EXPECT_THROW(machineOf({"mechanism.assist-warps=true", "mechanism.line-compression=true", "mechanism.line-compression.by=routines"}),
               Error)
      << "in the partitions";
}

}  // namespace
}  // namespace warpwright::compressed_work
