// Addresses of variables in every space, in registers of 32 and 64 bits, with 32-bit and 64-bit addresses: what the generator knows to come
// out comes out of the machine at several register budgets, the compiler's verifier on, and of the oracle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "experiment.hpp"
#include "random_addresses.hpp"

namespace warpwright {
namespace {

using testing::AddressProgram;
using testing::Experiment;
using testing::lastSeed;
using testing::Shape;

// Empty, or the first thread and the first of its values that differ.
std::string difference(const std::vector<std::vector<u64>>& expected, const std::vector<u8>& bytes) {
  const std::size_t values = expected[0].size();
  for (std::size_t i = 0; i < expected.size() * values; ++i) {
    u64 value = 0;
    std::memcpy(&value, bytes.data() + i * 8, 8);
    if (const u64 wanted = expected[i / values][i % values]; value != wanted)
      return fmt::format("thread {}, value {}: {:#x}, not {:#x}", i / values, i % values, value, wanted);
  }
  return {};
}

void expectAddresses(u64 seed, u32 addressBits) {
  const Shape shape{.threads = 48};
  const AddressProgram program = testing::randomAddresses(seed, addressBits, shape.threads * shape.blocks);
  Experiment experiment(program.ptx, addressBits, static_cast<u32>(program.expected[0].size() * 8), shape, seed);
  experiment.addParameter(program.bytes);
  EXPECT_EQ(difference(program.expected, experiment.runOracle()), "") << "oracle, seed " << seed << "\n" << program.ptx;
  for (const u32 registers : {255u, 24u, 16u})
    EXPECT_EQ(difference(program.expected, experiment.runMachine({.maxRegisters = registers})), "")
        << registers << " registers, seed " << seed << "\n"
        << program.ptx;
}

TEST(AddressWidths, SixtyFourBitAddresses) {
  for (u64 seed = 1; seed <= lastSeed(1, 40); ++seed) {
    expectAddresses(seed, 64);
    if (HasFailure()) return;
  }
}

TEST(AddressWidths, ThirtyTwoBitAddresses) {
  for (u64 seed = 101; seed <= lastSeed(101, 140); ++seed) {
    expectAddresses(seed, 32);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace warpwright
