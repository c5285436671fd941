// wgmma: products of warp groups, on matrices in shared memory without swizzling (the others are for the conformance suite and for
// tests/unit/exec/matrix_descriptor_test.cpp), and what the four warps owe each other.
#include <fmt/format.h>

#include "kernel.hpp"
#include "numbers.hpp"

namespace warpwright::tensor {
namespace {

constexpr u32 kRows = 64, kThreads = 128;
constexpr u32 kChunkBytes = 16, kCoreBytes = 128;  // eight lines of a chunk

// A and B lie one behind the other in the tile: chunk c of line l at (l / 8) * 256 + c * 128 + l % 8 * 16.
constexpr const char* kTile = ".shared .align 128 .b8 tile[12288];";
constexpr u32 kTileOfB = 2048;  // A has 64 lines of 32 bytes

struct Product {
  u32 n, k;
  std::string d, a, b;
  bool inRegisters = false;

  u32 sums() const { return n / 2 * bitsOf(d) / 32; }  // registers
  std::string form() const { return fmt::format("wgmma.mma_async.sync.aligned.m64n{}k{}.{}.{}.{}", n, k, d, a, b); }
  std::string immediates() const {
    if (d == "s32") return "";
    const bool transposes = a == "f16" || a == "bf16";
    return !transposes ? ", 1, 1" : inRegisters ? ", 1, 1, 0" : ", 1, 1, 0, 0";
  }
};

void store(std::vector<u32>& tile, u32 byte, u32 line, u32 k, u32 bits, u64 value) {
  const u32 inLine = k * bits / 8;
  const u32 at = byte + line / 8 * 2 * kCoreBytes + inLine / kChunkBytes * kCoreBytes + line % 8 * kChunkBytes + inLine % kChunkBytes;
  writeBits(&tile[at / 4], at % 4 * 8, bits, value);
}

struct DistributedPlace {
  u32 row, column;
};
// Of element i of D in a lane of a warp (PTX ISA, "WGMMA .m64nNk16 register fragment layout for accumulator matrix D").
DistributedPlace sumPlace(u32 thread, u32 i) {
  return {thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8, i / 4 * 8 + thread % 4 * 2 + i % 2};
}

// A thread's registers: first those of A (four), if they are there, then those of D.
std::string kernelOf(const Product& p, const std::string& product, const std::string& after = "") {
  const std::string type = p.d == "f32" ? "f32" : "b32";
  std::string text = fmt::format(
      ".reg .b32 %w, %v, %a<4>;\n.reg .b64 %da, %db, %from;\n.reg .pred %yes, %first;\n.reg .{} %d<{}>;\n"
      "setp.eq.u32 %first, %tid, 0;\nsetp.ge.u32 %yes, %tid, 0;\nmov.u32 %w, tile;\nmul.wide.u32 %addr, %tid, 4;\nadd.u64 %from, %in, "
      "%addr;\n"
      "shl.b32 %v, %tid, 2;\nadd.u32 %w, %w, %v;\n",
      type, p.sums());
  for (u32 byte = 0; byte < 12288; byte += 4 * kThreads)
    text += fmt::format("ld.global.b32 %v, [%from+{}];\nst.shared.b32 [%w+{}], %v;\n", byte, byte);
  const u32 each = 4 + p.sums();
  text += fmt::format("mad.lo.u32 %v, %tid, {}, 12288;\ncvt.u64.u32 %addr, %v;\nadd.u64 %from, %in, %addr;\n", 4 * each);
  for (u32 i = 0; i < 4; ++i) text += fmt::format("ld.global.b32 %a{}, [%from+{}];\n", i, 4 * i);
  for (u32 i = 0; i < p.sums(); ++i) text += fmt::format("ld.global.{} %d{}, [%from+{}];\n", type, i, 16 + 4 * i);
  // The distances are 128 and 256 bytes.
  text += fmt::format(
      "mov.u32 %w, tile;\nshr.u32 %w, %w, 4;\ncvt.u64.u32 %da, %w;\nor.b64 %da, %da, 0x1000080000;\nadd.u64 %db, %da, {};\n"
      "fence.proxy.async;\nbar.sync 0;\nwgmma.fence.sync.aligned;\n",
      kTileOfB / 16);
  text += product + after + fmt::format("\nmul.lo.u32 %v, %tid, {};\ncvt.u64.u32 %addr, %v;\nadd.u64 %addr, %addr, %out;\n", 4 * p.sums());
  for (u32 i = 0; i < p.sums(); ++i) text += fmt::format("st.global.{} [%addr+{}], %d{};\n", type, 4 * i, i);
  return text;
}

constexpr const char* kFinish = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";

std::string instructionOf(const Product& p) {
  return fmt::format("{} {}, {}, %db, %yes{};\n", p.form(), vectorOf("d", p.sums()), p.inRegisters ? vectorOf("a", 4) : "%da",
                     p.immediates());
}

struct Matrices {
  Matrix a, b, c;
  std::vector<u32> input;  // of the kernel
};

Matrices matricesOf(const Product& p, u32 seed) {
  Matrices m{
      randomIntegers(kRows * p.k, p.a, seed), randomIntegers(p.k * p.n, p.b, seed + 1), randomIntegers(kRows * p.n, p.d, seed + 2), {}};
  m.input.resize(12288 / 4);
  const u32 bits = bitsOf(p.a);
  for (u32 k = 0; k < p.k; ++k) {
    for (u32 row = 0; row < kRows; ++row) store(m.input, 0, row, k, bits, encode(p.a, m.a[row * p.k + k]));
    for (u32 column = 0; column < p.n; ++column) store(m.input, kTileOfB, column, k, bits, encode(p.b, m.b[k * p.n + column]));
  }
  for (u32 thread = 0; thread < kThreads; ++thread) {
    std::vector<u32> registers(4 + p.sums());
    const u32 row = thread / 32 * 16 + thread % 32 / 4, packed = 32 / bits;
    for (u32 i = 0; i < 4 * packed; ++i) {
      const u32 reg = i / packed, k = (reg / 2 * 4 + thread % 4) * packed + i % packed;
      writeBits(registers.data(), i * bits, bits, encode(p.a, m.a[(row + reg % 2 * 8) * p.k + k]));
    }
    for (u32 i = 0; i < p.n / 2; ++i) {
      const DistributedPlace place = sumPlace(thread, i);
      writeBits(&registers[4], i * bitsOf(p.d), bitsOf(p.d), encode(p.d, m.c[place.row * p.n + place.column]));
    }
    m.input.insert(m.input.end(), registers.begin(), registers.end());
  }
  return m;
}

LaunchSetup setupOf(u32 threads = kThreads) {
  LaunchSetup setup;
  setup.threads = threads;
  setup.module = kTile;
  return setup;
}

Matrix sumsOf(const Product& p, const std::vector<u32>& out) {
  Matrix d(kRows * p.n);
  for (u32 thread = 0; thread < kThreads; ++thread)
    for (u32 i = 0; i < p.n / 2; ++i) {
      const DistributedPlace place = sumPlace(thread, i);
      d[place.row * p.n + place.column] = decode(p.d, readBits(&out[thread * p.sums()], i * bitsOf(p.d), bitsOf(p.d)));
    }
  return d;
}

Matrix multiply(const Product& p, const Matrices& m, const std::string& product, const std::string& after = "",
                const LaunchSetup& setup = setupOf()) {
  return sumsOf(p, run<u32>(kernelOf(p, product, after), m.input, kThreads * p.sums(), setup));
}

TEST(Wgmma, ProductsOfIntegersAreExactUpToTheWidestShapes) {
  u32 seed = 1;
  for (const bool inRegisters : {false, true}) {
    for (const Product& p : {Product{256, 16, "f32", "f16", "f16", inRegisters}, Product{256, 16, "f16", "f16", "f16", inRegisters},
                             Product{8, 16, "f32", "bf16", "bf16", inRegisters}, Product{200, 8, "f32", "tf32", "tf32", inRegisters},
                             Product{256, 32, "s32", "u8", "s8", inRegisters}, Product{24, 32, "s32", "s8", "u8", inRegisters}}) {
      const Matrices m = matricesOf(p, seed += 3);
      EXPECT_EQ(multiply(p, m, instructionOf(p) + kFinish), product(m.a, m.b, m.c, kRows, p.n, p.k)) << p.form();
    }
  }
}

TEST(Wgmma, BothWaysOfReconvergingHaveWarpGroups) {
  const Product p{64, 16, "f32", "f16", "f16"};
  const Matrices m = matricesOf(p, 5);
  LaunchSetup setup = setupOf();
  setup.reconvergence = exec::Reconvergence::stack;
  EXPECT_EQ(multiply(p, m, instructionOf(p) + kFinish, "", setup), product(m.a, m.b, m.c, kRows, p.n, p.k));
}

TEST(Wgmma, ProductsOfAGroupFollowEachOther) {
  const Product p{64, 16, "f32", "f16", "f16"};
  const Matrices m = matricesOf(p, 7);
  Matrix expected = product(m.a, m.b, m.c, kRows, p.n, p.k);
  expected = product(m.a, m.b, expected, kRows, p.n, p.k);
  EXPECT_EQ(multiply(p, m, instructionOf(p) + instructionOf(p) + kFinish), expected);
}

// Registers that another product has at other places: they are copied there and back.
TEST(Wgmma, AccumulatorsMayBeNamedInAnyOrder) {
  const Product p{8, 16, "f32", "f16", "f16"};
  const Matrices m = matricesOf(p, 9);
  std::string turned = instructionOf(p);
  turned.replace(turned.find('{'), turned.find('}') - turned.find('{') + 1, "{%d2, %d3, %d0, %d1}");
  // The second product adds to each row what belongs to the one eight rows from it.
  Matrix expected = product(m.a, m.b, m.c, kRows, p.n, p.k);
  const Matrix added = product(m.a, m.b, Matrix(kRows * p.n), kRows, p.n, p.k);
  for (u32 row = 0; row < kRows; ++row)
    for (u32 column = 0; column < p.n; ++column) expected[row * p.n + column] += added[(row ^ 8) * p.n + column];
  EXPECT_EQ(multiply(p, m, instructionOf(p) + turned + kFinish), expected);
}

// Pipelines of tiles let one thread tell the producer that an operand is free, for all four warps.
TEST(Wgmma, WhoHasWaitedMayWriteOverTheOperandsOfAllWarps) {
  const Product p{32, 16, "f32", "f16", "f16"};
  const Matrices m = matricesOf(p, 11);
  std::string erase = "mov.u32 %w, tile;\nmov.b32 %v, 0;\n";
  for (u32 byte = 0; byte < kTileOfB + 32 * 32; byte += 4) erase += fmt::format("@%first st.shared.b32 [%w+{}], %v;\n", byte);
  EXPECT_EQ(multiply(p, m, instructionOf(p) + kFinish, erase), product(m.a, m.b, m.c, kRows, p.n, p.k));
}

TEST(Wgmma, ItsReadsAreOrderedByTheWait) {
  const Product p{32, 16, "f32", "f16", "f16"};
  const Matrices m = matricesOf(p, 13);
  LaunchSetup setup = setupOf();
  setup.races = true;
  const std::string erase = "mov.u32 %w, tile;\nmov.b32 %v, 0;\n@%first st.shared.b32 [%w+2048], %v;\n";
  EXPECT_EQ(multiply(p, m, instructionOf(p) + kFinish, erase, setup), product(m.a, m.b, m.c, kRows, p.n, p.k));
  const auto statusOf = [&](const std::string& product) {
    std::vector<u32> out(kThreads * p.sums());
    return launch(kernelText(kernelOf(p, product, erase), kTile), m.input, out, setup).status;
  };
  EXPECT_EQ(statusOf(instructionOf(p)), exec::LaunchStatus::race) << "without a wait";
  EXPECT_EQ(statusOf(instructionOf(p) + "bar.sync 0;\n"), exec::LaunchStatus::race) << "a barrier is none";
  const std::string commit = "wgmma.commit_group.sync.aligned;\n";
  EXPECT_EQ(statusOf(instructionOf(p) + commit + "wgmma.wait_group.sync.aligned 1;\nbar.sync 0;\n"), exec::LaunchStatus::race);
}

TEST(Wgmma, TwoGroupsOfABlockWorkForThemselves) {
  // Both groups compute the same; the second begins later.
  const Product p{8, 16, "f32", "f16", "f16"};
  const Matrices m = matricesOf(p, 15);
  std::string body = kernelOf(p, instructionOf(p) + kFinish);
  const std::string enter = ".reg .pred %mine;\nsetp.lt.u32 %mine, %tid, 128;\n@%mine bra begin;\nsub.u32 %tid, %tid, 128;\nbegin:\n";
  // The barrier of the whole block stays one of both.
  const std::vector<u32> out = run<u32>(enter + body, m.input, kThreads * p.sums(), setupOf(256));
  EXPECT_EQ(sumsOf(p, out), product(m.a, m.b, m.c, kRows, p.n, p.k));
}

// --- what is refused

std::string refusalOf(const std::string& product, u32 threads = kThreads, u32 warpSize = 32) {
  const Product p{8, 16, "f32", "f16", "f16"};
  LaunchSetup setup = setupOf(threads);
  setup.warpSize = warpSize;
  std::vector<u32> out(kThreads * p.sums());
  const exec::LaunchResult result = launch(kernelText(kernelOf(p, product), kTile), matricesOf(p, 17).input, out, setup);
  EXPECT_NE(result.status, exec::LaunchStatus::completed);
  EXPECT_NE(result.message.find("test.ptx"), std::string::npos) << result.message;
  return result.message;
}

void expectRefusal(const std::string& message, const std::string& part) { EXPECT_NE(message.find(part), std::string::npos) << message; }

const std::string kPlain = instructionOf({8, 16, "f32", "f16", "f16"}) + kFinish;

TEST(Wgmma, AGroupWithoutAllItsWarpsIsRefused) {
  expectRefusal(refusalOf(kPlain, 96), "warp group 0 has 3 of its four warps");
  expectRefusal(refusalOf(kPlain, 120), "warp group 0 has 3 of its four warps");
  expectRefusal(refusalOf("setp.ge.u32 %yes, %tid, 96;\n@%yes exit;\nbar.sync 0;\n" + kPlain), "threads of warp 3 have exited");
}

TEST(Wgmma, ADivergentWarpIsRefused) {
  expectRefusal(refusalOf("setp.lt.u32 %yes, %tid, 16;\n@%yes bra skip;\n" + kPlain + "skip:"), "is executed by 16 of the 32 threads");
}

TEST(Wgmma, OtherWarpSizesAreRefused) {
  expectRefusal(refusalOf(kPlain, 128, 16), "warp groups need warps of 32 threads, this machine has 16");
  expectRefusal(refusalOf(kPlain, 128, 64), "warp groups need warps of 32 threads, this machine has 64");
}

TEST(Wgmma, DescriptorsThatAreNoneAreRefused) {
  // An address that was not shifted, with bits between the fields.
  expectRefusal(refusalOf("or.b64 %db, %db, 0xc000;\n" + kPlain), "has bits set that mean nothing");
  expectRefusal(refusalOf("cvt.u64.u32 %from, %tid;\nadd.u64 %da, %da, %from;\n" + kPlain), "different matrix descriptors");
}

TEST(Wgmma, OperandsOutsideSharedMemoryAreRefused) {
  expectRefusal(refusalOf("or.b64 %db, %db, 0x3fff;\n" + kPlain), "is out of bounds");
  expectRefusal(refusalOf("or.b64 %da, %da, 0x3fff00000000;\n" + kPlain), "is out of bounds");
}

TEST(Wgmma, AScaleOnWhichTheThreadsDisagreeIsRefused) {
  expectRefusal(refusalOf("and.b32 %v, %tid, 1;\nsetp.eq.u32 %yes, %v, 0;\n" + kPlain), "disagree on scale-d");
}

TEST(Wgmma, AWarpThatNeverWaitsHangsTheOthers) {
  const std::string message = refusalOf(instructionOf({8, 16, "f32", "f16", "f16"}) +
                                        "wgmma.commit_group.sync.aligned;\nsetp.ge.u32 %yes, %tid, 96;\n@%yes bra beyond;\n"
                                        "wgmma.wait_group.sync.aligned 0;\nbeyond:\nbar.sync 0;\n");
  expectRefusal(message, "wait for the other warps of warp group 0");
  expectRefusal(message, "the wait of warp group 0 waits for threads at barrier 0");
}

}  // namespace
}  // namespace warpwright::tensor
