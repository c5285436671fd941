// Loads, stores and atomics in every space, and what is reported about bad ones.
#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "isa/address_space.hpp"
#include "isa/launch_constants.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::testing {
namespace {

using exec::LaunchStatus;
using isa::Compare;
using isa::Space;
using isa::SpecialRegister;

TEST(Spaces, NarrowLoadsExtendBySign) {
  Assembler a;
  const DataType types[] = {DataType::u8, DataType::s8, DataType::u16, DataType::s16};
  a.special(0, SpecialRegister::tid_x);
  a.elementAddress(2, 0, R(0), 16);
  for (u32 i = 0; i < 4; ++i) {
    a.load(Space::global, types[i], 4, param(8));
    a.store(Space::global, DataType::u32, R(2), R(4), 4 * i);
  }
  a.exit();
  a.function("narrow").parameterBytes = 16;
  Runner runner;
  u32* out = runner.array<u32>(4 * 32);
  u32* in = runner.array<u32>(1);
  *in = 0xfffe'80f0;
  runner.pass(out), runner.pass(in);
  const auto result = runner.run(a.program, {1}, {32});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  for (u32 i = 0; i < 32; ++i) {
    EXPECT_EQ(out[4 * i + 0], 0xf0u);
    EXPECT_EQ(out[4 * i + 1], 0xffff'fff0u);
    EXPECT_EQ(out[4 * i + 2], 0x80f0u);
    EXPECT_EQ(out[4 * i + 3], 0xffff'80f0u);
  }
}

TEST(Spaces, AParameterIsAddedToTheAddress) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::mul_wide, DataType::u32, {R(2)}, {R(0), imm(4)});
  a.load(Space::global, DataType::u32, 4, R(2), 8).sources[1] = param(8);
  a.store(Space::global, DataType::u32, R(2), R(4)).sources[2] = param(0);
  a.emit(Opcode::atom, DataType::u32, {}, {R(2), imm(1000), {}, param(0)}).modifiers.atomic = isa::AtomicOp::add;
  a.exit();
  a.function("copy").parameterBytes = 16;
  for (const u32 threads : {32u, 27u}) {
    Runner runner;
    u32* out = runner.array<u32>(32);
    u32* in = runner.array<u32>(34);
    std::iota(in, in + 34, 7u);
    runner.pass(out), runner.pass(in);
    const auto result = runner.run(a.program, {1}, {threads});
    ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
    for (u32 i = 0; i < threads; ++i) EXPECT_EQ(out[i], 1000 + 7 + i + 2) << "thread " << i;
  }
}

TEST(Spaces, SizesOfTheLaunchLieInTheConstantBank) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.elementAddress(2, 0, R(0), 24);
  for (u32 i = 0; i < isa::kLaunchConstantOrder.size(); ++i) {
    a.emit(Opcode::mov, DataType::u32, {R(4)}, {param(isa::kLaunchConstants + 4 * i)});
    a.store(Space::global, DataType::u32, R(2), R(4), 4 * i);
  }
  a.exit();
  a.function("sizes").parameterBytes = 8;
  Runner runner;
  u32* out = runner.array<u32>(6 * 8);
  runner.pass(out);
  const auto result = runner.run(a.program, {3, 2, 5}, {8, 4, 7});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  const u32 expected[] = {8, 4, 7, 3, 2, 5};
  for (u32 i = 0; i < 6 * 8; ++i) EXPECT_EQ(out[i], expected[i % 6]);
}

TEST(Spaces, OperandsReadTheConstantMemoryOfEachLaunch) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.elementAddress(2, 0, R(0), 8);
  a.emit(Opcode::add, DataType::u32, {R(4)}, {R(0), param(isa::kModuleConstants + 4)});
  a.store(Space::global, DataType::u32, R(2), R(4));
  a.emit(Opcode::mov, DataType::u32, {R(4)}, {param(isa::kModuleConstants + 1024)});  // beyond it, where no compiled code reads
  a.store(Space::global, DataType::u32, R(2), R(4), 4);
  a.exit();
  a.function("constants").parameterBytes = 8;
  a.program.constantBytes = 8;
  Runner runner;
  u32* out = runner.array<u32>(2 * 4);
  runner.pass(out);
  ASSERT_EQ(runner.run(a.program, {1}, {4}).status, LaunchStatus::completed);
  for (u32 i = 0; i < 4; ++i) EXPECT_EQ(out[2 * i], i);
  u32* constants = reinterpret_cast<u32*>(exec::GlobalMemory::hostPointer(runner.loaded->constantBase));
  constants[1] = 70;
  ASSERT_EQ(exec::launch(runner.request, runner.memory).status, LaunchStatus::completed);
  for (u32 i = 0; i < 4; ++i) {
    EXPECT_EQ(out[2 * i], 70 + i);
    EXPECT_EQ(out[2 * i + 1], 0u);
  }
}

TEST(Spaces, SumsOfOneWordAddressesHave32Bits) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.elementAddress(2, 0, R(0));
  a.emit(Opcode::mad_lo, DataType::u32, {R(5)}, {R(0), imm(4), imm(static_cast<u32>(-64))});
  a.store(Space::shared, DataType::u32, R(5), R(0), 64).modifiers.wordAddress = true;
  a.load(Space::shared, DataType::u32, 6, R(5), 64).modifiers.wordAddress = true;
  a.store(Space::global, DataType::u32, R(2), R(6));
  a.exit();
  a.function("wrap").parameterBytes = 8;
  a.program.functions[0].sharedBytes = 128;
  Runner runner;
  u32* out = runner.array<u32>(32);
  runner.pass(out);
  const auto result = runner.run(a.program, {1}, {32});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], i);
}

// Copies elements of `type` by vectors of `vector`, with addresses that are consecutive, permuted, or masked.
struct Copy {
  DataType type;
  u8 vector;
  Space through;  // stored and loaded once more in this space
};
struct VectorCopies : ::testing::TestWithParam<Copy> {};

TEST_P(VectorCopies, MoveEveryByte) {
  const Copy copy = GetParam();
  const u32 bytes = isa::sizeOf(copy.type) * copy.vector;
  for (const bool permuted : {false, true}) {
    for (const u32 threads : {32u, 29u}) {
      Assembler a;
      a.special(0, SpecialRegister::tid_x);
      a.emit(Opcode::xor_, DataType::u32, {R(2)}, {R(0), imm(permuted ? 5 : 0)});
      a.elementAddress(4, 0, R(2), bytes);
      a.elementAddress(6, 8, R(0), bytes);
      a.emit(Opcode::mul_lo, DataType::u32, {R(3)}, {R(2), imm(copy.through == Space::local ? 0 : bytes)});
      a.load(Space::generic, copy.type, 8, R(4), 0, copy.vector);
      a.store(copy.through, copy.type, R(3), R(8), 64, copy.vector);
      a.load(copy.through, copy.type, 16, R(3), 64, copy.vector);
      a.store(Space::global, copy.type, R(6), R(16), 0, copy.vector);
      a.exit();
      a.function("copy").parameterBytes = 16;
      a.program.functions[0].sharedBytes = 2048;
      a.program.functions[0].localBytes = 128;
      Runner runner;
      u8* in = runner.array<u8>(32 * bytes);
      u8* out = runner.array<u8>(32 * bytes);
      for (u32 i = 0; i < 32 * bytes; ++i) in[i] = static_cast<u8>(i * 37 + 11);
      runner.pass(in), runner.pass(out);
      const auto result = runner.run(a.program, {1}, {threads});
      ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
      for (u32 i = 0; i < threads * bytes; ++i) {
        ASSERT_EQ(out[i], in[((i / bytes) ^ (permuted ? 5 : 0)) * bytes + i % bytes]) << i;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(All, VectorCopies,
                         ::testing::Values(Copy{DataType::u8, 1, Space::shared}, Copy{DataType::u8, 4, Space::local},
                                           Copy{DataType::s16, 2, Space::shared}, Copy{DataType::u16, 1, Space::local},
                                           Copy{DataType::u32, 1, Space::shared}, Copy{DataType::f32, 2, Space::local},
                                           Copy{DataType::u32, 4, Space::shared}, Copy{DataType::u32, 4, Space::local},
                                           Copy{DataType::u64, 1, Space::shared}, Copy{DataType::f64, 2, Space::shared},
                                           Copy{DataType::u64, 1, Space::local}, Copy{DataType::f64, 2, Space::local}));

TEST(Spaces, GenericAddressesReachEverySpaceInOneInstruction) {
  // Lane 0 reads global, 1 shared, 2 local, 3 constant, 4 the parameters.
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.store(Space::shared, DataType::u32, imm(16), imm(22));
  a.store(Space::local, DataType::u32, imm(20), imm(33));
  a.elementAddress(4, 8, R(0), 8);
  a.load(Space::global, DataType::u64, 6, R(4));
  a.load(Space::generic, DataType::u32, 8, R(6), 4);
  a.elementAddress(10, 0, R(0));
  a.store(Space::global, DataType::u32, R(10), R(8));
  a.exit();
  a.function("generic").parameterBytes = 24;
  a.program.functions[0].sharedBytes = 64;
  a.program.functions[0].localBytes = 64;
  a.program.constantBytes = 64;
  isa::Variable constant;
  constant.name = "table";
  constant.space = Space::constant;
  constant.size = 8;
  constant.constantOffset = 32;
  constant.image = {0, 0, 0, 0, 44, 0, 0, 0};
  a.program.variables.push_back(constant);
  Runner runner;
  u32* out = runner.array<u32>(5);
  u64* addresses = runner.array<u64>(5);
  u32* global = runner.array<u32>(2);
  global[1] = 11;
  addresses[0] = reinterpret_cast<u64>(global);
  addresses[1] = isa::kSharedWindow + 12;
  addresses[2] = isa::kLocalWindow + 16;
  addresses[3] = isa::kConstantWindow + 32;
  addresses[4] = isa::kParamWindow + 16;
  runner.pass(out), runner.pass(addresses), runner.pass(u64{55} << 32);
  const auto result = runner.run(a.program, {1}, {5});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  EXPECT_EQ(out[0], 11u);
  EXPECT_EQ(out[1], 22u);
  EXPECT_EQ(out[2], 33u);
  EXPECT_EQ(out[3], 44u);
  EXPECT_EQ(out[4], 55u);
}

// --- atomics
struct AtomicCase {
  isa::AtomicOp op;
  DataType type;
  u64 start, operand, expected;  // after 3 threads, one after the other
};
struct Atomics : ::testing::TestWithParam<AtomicCase> {};

TEST_P(Atomics, ThreeThreadsInLaneOrder) {
  const AtomicCase c = GetParam();
  const u32 bytes = isa::sizeOf(c.type);
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  isa::Instruction& atom = a.emit(Opcode::atom, c.type, {R(4)}, {param(0), imm(c.operand)});
  if (c.op == isa::AtomicOp::cas) atom.sources[2] = imm(c.expected);
  atom.modifiers.atomic = c.op;
  atom.modifiers.space = Space::global;
  a.elementAddress(2, 8, R(0), 8);
  a.store(Space::global, bytes == 8 ? DataType::u64 : DataType::u32, R(2), R(4));
  a.exit();
  a.function("atomic").parameterBytes = 16;
  Runner runner;
  u64* place = runner.array<u64>(1);
  u64* old = runner.array<u64>(3);
  *place = c.start;
  runner.pass(place), runner.pass(old);
  const auto result = runner.run(a.program, {1}, {3});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  EXPECT_EQ(*place, c.expected);
  EXPECT_EQ(old[0], c.start);
}
constexpr u64 f32(float value) { return std::bit_cast<u32>(value); }
constexpr u64 f64(double value) { return std::bit_cast<u64>(value); }
INSTANTIATE_TEST_SUITE_P(All, Atomics,
                         ::testing::Values(AtomicCase{isa::AtomicOp::add, DataType::u32, 5, 7, 26},
                                           AtomicCase{isa::AtomicOp::add, DataType::u64, 1ull << 40, 1ull << 40, 1ull << 42},
                                           AtomicCase{isa::AtomicOp::add, DataType::f32, f32(1.5f), f32(0.25f), f32(2.25f)},
                                           AtomicCase{isa::AtomicOp::add, DataType::f64, f64(1.5), f64(0.25), f64(2.25)},
                                           AtomicCase{isa::AtomicOp::min, DataType::s32, 5, 0xffff'fffe, 0xffff'fffe},
                                           AtomicCase{isa::AtomicOp::min, DataType::u32, 5, 0xffff'fffe, 5},
                                           AtomicCase{isa::AtomicOp::max, DataType::s64, 5, ~0ull, 5},
                                           AtomicCase{isa::AtomicOp::max, DataType::u64, 5, ~0ull, ~0ull},
                                           AtomicCase{isa::AtomicOp::inc, DataType::u32, 1, 2, 1},  // 1 → 2 → 0 → 1
                                           AtomicCase{isa::AtomicOp::dec, DataType::u32, 1, 5, 4},  // 1 → 0 → 5 → 4
                                           AtomicCase{isa::AtomicOp::and_, DataType::u32, 0xff, 0x0f, 0x0f},
                                           AtomicCase{isa::AtomicOp::or_, DataType::u64, 1, 2, 3},
                                           AtomicCase{isa::AtomicOp::xor_, DataType::u32, 0xf0, 0xff, 0x0f},
                                           AtomicCase{isa::AtomicOp::exch, DataType::u32, 1, 9, 9},
                                           AtomicCase{isa::AtomicOp::cas, DataType::u32, 4, 4, 8},
                                           AtomicCase{isa::AtomicOp::cas, DataType::u64, 4, 4, 8}));

// --- reports
isa::Program storeAt(DataType type, u32 scale, s64 offset) {
  Assembler a;
  a.globalThread(0);
  a.elementAddress(2, 0, R(0), scale);
  a.store(Space::global, type, R(2), R(0), offset);
  a.exit();
  a.function("store").parameterBytes = 8;
  return a.program;
}

TEST(Reports, OutOfBoundsNamesThreadAddressAndAllocation) {
  Runner runner;
  u32* data = runner.array<u32>(64, "data");
  runner.pass(data);
  const auto result = runner.run(storeAt(DataType::u32, 4, 12), {1}, {64});
  ASSERT_EQ(result.status, LaunchStatus::illegalAddress);
  EXPECT_NE(result.message.find("kernel 'store'"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("store of 4 bytes at global address"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("test.ptx:106"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("block (0,0,0), thread (61,0,0)"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("0 bytes past the end of data"), std::string::npos) << result.message;
  EXPECT_EQ(result.counts[0].warps, 2u);  // what was done until then is counted
}

TEST(Reports, MisalignedAccess) {
  Runner runner;
  runner.pass(runner.array<u64>(64));
  const auto result = runner.run(storeAt(DataType::u32, 8, 2), {1}, {32});
  EXPECT_EQ(result.status, LaunchStatus::misalignedAddress);
  EXPECT_NE(result.message.find("multiple of 4"), std::string::npos) << result.message;
}

TEST(Reports, UseAfterFree) {
  Runner runner;
  u32* data = runner.array<u32>(64, "temporary");
  runner.pass(data);
  runner.memory.free(exec::GlobalMemory::addressOf(data));
  const auto result = runner.run(storeAt(DataType::u32, 4, 0), {1}, {32});
  EXPECT_EQ(result.status, LaunchStatus::illegalAddress);
  EXPECT_NE(result.message.find("uses freed memory"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("freed temporary"), std::string::npos) << result.message;
}

TEST(Reports, NullPointer) {
  Runner runner;
  runner.pass(u64{0});
  const auto result = runner.run(storeAt(DataType::u32, 4, 0), {1}, {32});
  EXPECT_EQ(result.status, LaunchStatus::illegalAddress);
  EXPECT_NE(result.message.find("pointer is null"), std::string::npos) << result.message;
}

TEST(Reports, WithoutBoundsChecksBadLanesAreSkipped) {
  Runner runner;
  u32* data = runner.array<u32>(40);
  runner.pass(data);
  runner.request.checks.bounds = false;
  const auto result = runner.run(storeAt(DataType::u32, 4, 0), {1}, {64});
  EXPECT_EQ(result.status, LaunchStatus::completed);
  EXPECT_EQ(data[39], 39u);
}

TEST(Reports, SharedMemoryHasAnEnd) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::shl, DataType::u32, {R(3)}, {R(0), imm(2)});
  a.store(Space::shared, DataType::u32, R(3), R(0));
  a.exit();
  a.function("shared");
  a.program.functions[0].sharedBytes = 64;
  a.program.functions[0].dynamicSharedOffset = 64;
  Runner runner;
  const auto bad = runner.run(a.program, {1}, {32});
  EXPECT_EQ(bad.status, LaunchStatus::illegalAddress);
  EXPECT_NE(bad.message.find("shared memory has 64 bytes"), std::string::npos) << bad.message;
  EXPECT_NE(bad.message.find("thread (16,0,0)"), std::string::npos) << bad.message;
  runner.launch->dynamicSharedBytes = 64;
  EXPECT_EQ(runner.run(a.program, {1}, {32}).status, LaunchStatus::completed);
}

TEST(Reports, UninitialisedReadOnRequest) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.elementAddress(2, 0, R(0));
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(9));
  a.store(Space::global, DataType::u32, R(2), R(0)).guard = P(0);
  a.load(Space::global, DataType::u32, 4, R(2));
  a.exit();
  a.function("read").parameterBytes = 8;
  Runner runner({64, u64{1} << 20, true});
  runner.pass(runner.array<u32>(32));
  EXPECT_EQ(runner.run(a.program, {1}, {32}).status, LaunchStatus::completed);
  runner.memory.reset();
  runner.parameters.clear();
  runner.pass(runner.array<u32>(32));
  runner.request.checks.uninitialised = true;
  const auto result = runner.run(a.program, {1}, {32});
  EXPECT_EQ(result.status, LaunchStatus::useOfUninitialised);
  EXPECT_NE(result.message.find("thread (9,0,0)"), std::string::npos) << result.message;
}

// Every thread writes its word and reads its neighbour's.
isa::Program neighbours(bool withBarrier) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::shl, DataType::u32, {R(3)}, {R(0), imm(2)});
  a.store(Space::shared, DataType::u32, R(3), R(0));
  if (withBarrier) a.barrier();
  a.load(Space::shared, DataType::u32, 5, R(3), 4);
  a.exit();
  a.function("neighbours");
  a.program.functions[0].sharedBytes = 4 * 65;
  a.program.functions[0].sharedVariables.push_back({"tile", 0, 4 * 65});
  return a.program;
}

TEST(Races, NeighboursWithoutABarrierRace) {
  Runner runner;
  runner.request.limits.reconvergence = exec::Reconvergence::stack;
  runner.request.checks.races = true;
  const auto result = runner.run(neighbours(false), {2}, {64});
  ASSERT_EQ(result.status, LaunchStatus::race);
  EXPECT_NE(result.message.find("'tile' + 128"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("thread (31,0,0) at test.ptx:103"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("thread (32,0,0) at test.ptx:102"), std::string::npos) << result.message;
  EXPECT_EQ(result.blocksDone, 2u);
}

TEST(Races, ABarrierOrdersThem) {
  Runner runner;
  runner.request.checks.races = true;
  EXPECT_EQ(runner.run(neighbours(true), {2}, {64}).status, LaunchStatus::completed);
}

TEST(Races, AtomicsDoNotRaceWithEachOther) {
  Assembler a;
  isa::Instruction& atom = a.emit(Opcode::atom, DataType::u32, {}, {imm(0), imm(1)});
  atom.modifiers.atomic = isa::AtomicOp::add;
  atom.modifiers.space = Space::shared;
  a.exit();
  a.function("atomics");
  a.program.functions[0].sharedBytes = 4;
  Runner runner;
  runner.request.checks.races = true;
  EXPECT_EQ(runner.run(a.program, {1}, {64}).status, LaunchStatus::completed);
}

}  // namespace
}  // namespace warpwright::testing
