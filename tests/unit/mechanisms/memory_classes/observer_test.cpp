#include "mechanisms/memory_classes/observer.hpp"

#include <gtest/gtest.h>

#include "unit/exec/assembler.hpp"

namespace warpwright::mechanisms::memory_classes {
namespace {

class MemoryClasses : public ::testing::Test {
 protected:
  void access(isa::Space space, bool isStore, u32 bytes, LaneMask mask = LaneMask::first(32), isa::DataType type = isa::DataType::u32) {
    instruction.type = type;
    exec::MemoryEvent event;
    event.instruction = &instruction;
    event.space = space;
    event.isStore = isStore;
    event.isLoad = !isStore;
    event.mask = mask;
    event.bytesPerLane = bytes;
    event.addresses = addresses.data();
    event.values = values.data();
    observer.issue({.instruction = &instruction});
    observer.memory(event);
  }

  isa::Instruction instruction = [] {
    isa::Instruction access;
    access.opcode = isa::Opcode::st;
    access.sources[1] = access.destinations[0] = testing::R(2);
    return access;
  }();
  isa::Program program = [] {
    isa::Program one;
    one.code.resize(1);
    return one;
  }();
  std::array<u64, kMaxWarpSize> addresses{};
  std::array<u32, 4 * 32> values{};
  Observer observer{program, 1, 32, {}};
};

TEST_F(MemoryClasses, StoresAreClassifiedAsTheyHappenLoadsAfterwards) {
  for (u32 lane = 0; lane < 32; ++lane) values[lane] = 5;
  access(isa::Space::local, true, 4);
  EXPECT_EQ(observer.stats().privateWords.stores.uniform, 1u);
  access(isa::Space::local, false, 4);
  for (u32 lane = 0; lane < 32; ++lane) values[lane] = 8 + 4 * lane;  // what is loaded
  EXPECT_EQ(observer.stats().privateWords.loads.all(), 0u);
  observer.issue({.instruction = &instruction});
  EXPECT_EQ(observer.stats().privateWords.loads.affine, 1u);
  EXPECT_EQ(observer.stats().instructions, 3u);
}

TEST_F(MemoryClasses, EachWordOfAVectorLoadIsAVector) {
  for (u32 lane = 0; lane < 32; ++lane) values[32 + lane] = lane * lane;
  access(isa::Space::local, true, 8, LaneMask::first(32), isa::DataType::u64);
  EXPECT_EQ(observer.stats().privateWords.stores.zero, 1u);
  EXPECT_EQ(observer.stats().privateWords.stores.generic, 1u);
}

TEST_F(MemoryClasses, LanesAtDifferentPrivateAddressesAreVectorsOfTheirOwn) {
  for (u32 lane = 0; lane < 32; ++lane) {
    addresses[lane] = lane < 16 ? 0 : 4;
    values[lane] = lane < 16 ? 1 : 2;
  }
  access(isa::Space::local, true, 4);
  EXPECT_EQ(observer.stats().privateWords.stores.uniform, 2u);
}

TEST_F(MemoryClasses, HalfWarpsOfTwoRowsAreAffineInVectorsOf16) {
  for (u32 lane = 0; lane < 32; ++lane) values[lane] = lane % 16 * 4 + lane / 16 * 1000;
  access(isa::Space::local, true, 4);
  EXPECT_EQ(observer.stats().privateWords.stores.generic, 1u);
  EXPECT_EQ(observer.stats().private16.affine, 2u);
}

TEST_F(MemoryClasses, StridesThatAreNoPowerOfTwoAreGenericAndCounted) {
  for (u32 lane = 0; lane < 32; ++lane) values[lane] = 12 * lane;
  access(isa::Space::local, true, 4);
  EXPECT_EQ(observer.stats().privateWords.stores.generic, 1u);
  EXPECT_EQ(observer.stats().privateStrided, 1u);
}

TEST_F(MemoryClasses, FloatingPointRampsAreAffineOnRequest) {
  for (u32 lane = 0; lane < 32; ++lane) values[lane] = std::bit_cast<u32>(1.0f + 0.5f * static_cast<float>(lane));
  access(isa::Space::local, true, 4);
  EXPECT_EQ(observer.stats().privateWords.stores.generic, 1u);
  EXPECT_EQ(observer.stats().privateFloatAffine, 1u);
  Observer other(program, 1, 32, {.floatAffine = true});
  exec::MemoryEvent event{
      .instruction = &instruction, .space = isa::Space::local, .isStore = true, .mask = LaneMask::first(32), .bytesPerLane = 4};
  event.values = values.data();
  event.addresses = addresses.data();
  other.memory(event);
  EXPECT_EQ(other.stats().privateWords.stores.affine, 1u);
  EXPECT_EQ(other.stats().privateWords.stores.generic, 0u);
  EXPECT_EQ(other.stats().private16.affine, 2u);
  EXPECT_EQ(other.stats().privateFloatAffine, 1u);
}

TEST_F(MemoryClasses, InstructionsThatIssueAgainCountOnce) {
  access(isa::Space::local, true, 4);
  observer.issueTakenBack({});
  access(isa::Space::local, true, 4);
  EXPECT_EQ(observer.stats().instructions, 1u);
}

TEST_F(MemoryClasses, GlobalTrafficIsCountedInLines) {
  for (u32 lane = 0; lane < 32; ++lane) addresses[lane] = 64 + 4 * lane;
  access(isa::Space::global, true, 4);
  EXPECT_EQ(observer.stats().globalLines, 2u);
  EXPECT_EQ(observer.stats().globalWords.stores.zero, 1u);
}

TEST_F(MemoryClasses, PartsOfWordsHaveNoClass) {
  access(isa::Space::local, true, 1, LaneMask::first(32), isa::DataType::u8);
  EXPECT_EQ(observer.stats().privateVectors(), 0u);
}

// Which of what a kernel keeps in private memory are floating-point numbers.
class MemoryClassesOfNumbers : public ::testing::Test {
 protected:
  // Private memory at `offset` from R3, the address 0.
  void store(u32 from, s64 offset) { code.store(isa::Space::local, isa::DataType::u32, testing::R(3), testing::R(from), offset); }
  void load(u32 to, s64 offset) { code.load(isa::Space::local, isa::DataType::u32, to, testing::R(3), offset); }

  MemoryClassStats run() {
    code.exit();
    isa::Function& kernel = code.function("k");
    kernel.registers = 16;
    kernel.localBytes = 64;
    code.program.addressBits = 32;
    testing::Runner runner({32, u64{64} << 20, false});
    runner.loaded = exec::load(code.program, runner.memory);
    runner.launch->program = runner.loaded.get();
    runner.launch->kernel = &runner.loaded->program.functions[0];
    runner.launch->grid = {2};
    runner.launch->block = {64};
    Observer observer(runner.loaded->program, 2, 32, {});
    runner.request.observer = &observer;
    const exec::LaunchResult result = exec::launch(runner.request, runner.memory);
    EXPECT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
    return observer.stats();
  }

  testing::Assembler code;
};

constexpr u64 kWarps = 4;

TEST_F(MemoryClassesOfNumbers, AreWhatIsComputedAsSuch) {
  using enum isa::Opcode;
  code.emit(mov, isa::DataType::u32, {testing::R(3)}, {testing::imm(0)});
  code.special(4, isa::SpecialRegister::ctaid_x);
  code.emit(cvt, isa::DataType::f32, {testing::R(5)}, {testing::R(4)}).sourceType = isa::DataType::u32;
  code.emit(mov, isa::DataType::u32, {testing::R(6)}, {testing::R(5)});
  store(4, 0);  // an integer
  store(6, 4);  // a number, moved
  const MemoryClassStats stats = run();
  EXPECT_EQ(stats.privateAffine(), 2 * kWarps);
  EXPECT_EQ(stats.privateAffineFloats, kWarps);
}

TEST_F(MemoryClassesOfNumbers, AreWhatIsReadAsSuchEvenBehindPrivateMemory) {
  using enum isa::Opcode;
  code.emit(mov, isa::DataType::u32, {testing::R(3)}, {testing::imm(0)});
  code.emit(mov, isa::DataType::u32, {testing::R(4)}, {testing::imm(0x3f80'0000)});
  code.emit(mov, isa::DataType::u32, {testing::R(5)}, {testing::imm(7)});
  store(4, 0);
  store(5, 4);
  code.emit(mov, isa::DataType::u32, {testing::R(4)}, {testing::imm(1)});
  load(6, 0);
  load(7, 4);
  code.emit(add, isa::DataType::f32, {testing::R(8)}, {testing::R(6), testing::R(6)});
  code.emit(add, isa::DataType::u32, {testing::R(9)}, {testing::R(7), testing::R(4)});
  const MemoryClassStats stats = run();
  EXPECT_EQ(stats.privateAffine(), 4 * kWarps);
  EXPECT_EQ(stats.privateAffineFloats, 2 * kWarps) << "the first word, as it is stored and as it is loaded";
}

}  // namespace
}  // namespace warpwright::mechanisms::memory_classes
