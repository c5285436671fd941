// Random kernels through parser, compiler and machine against a host model of PTX.
#include "random_ptx.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "compiler/compiler.hpp"
#include "compiler/register_report.hpp"
#include "exec/launch.hpp"
#include "ptx/parser.hpp"

namespace warpwright::compiler {
namespace {

constexpr u32 kThreads = 64;

std::vector<u32> randomInputs(u32 seed) {
  std::mt19937 random(seed + 1000);
  std::vector<u32> inputs(kThreads * RandomKernel::kInputs);
  for (u32& input : inputs) input = random() >> (random() % 32);
  return inputs;
}

std::vector<u32> runOnMachine(const isa::Program& program, const std::vector<u32>& inputs, exec::Reconvergence reconvergence) {
  exec::GlobalMemory::Options options;
  options.capacity = u64{1} << 20;
  exec::GlobalMemory memory(options);
  const auto loaded = exec::load(program, memory);
  const u64 in = memory.allocate(inputs.size() * 4, exec::AllocationKind::device).value();
  const u64 out = memory.allocate(u64{kThreads} * RandomKernel::kOutputs * 4, exec::AllocationKind::device).value();
  std::memcpy(exec::GlobalMemory::hostPointer(GlobalAddress(in)), inputs.data(), inputs.size() * 4);
  std::vector<u8> parameters(16);
  std::memcpy(&parameters[0], &out, 8);
  std::memcpy(&parameters[8], &in, 8);

  exec::LaunchRequest request;
  request.launch = std::make_shared<const exec::Launch>(
      exec::Launch{{{1, 1, 1}, {kThreads, 1, 1}}, loaded.get(), loaded->program.findFunction("k"), parameters});
  request.limits.reconvergence = reconvergence;
  const exec::LaunchResult result = exec::launch(request, memory);
  EXPECT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
  std::vector<u32> outputs(size_t{kThreads} * RandomKernel::kOutputs);
  std::memcpy(outputs.data(), exec::GlobalMemory::hostPointer(GlobalAddress(out)), outputs.size() * 4);
  return outputs;
}

void expectAgreement(u32 seed, const RandomKernel& kernel, const Options& options) {
  const std::vector<u32> inputs = randomInputs(seed);
  const auto reconvergence = seed % 2 == 0 ? exec::Reconvergence::stack : exec::Reconvergence::independent;
  const std::vector<u32> outputs = runOnMachine(compile(ptx::parse(kernel.ptx(), "random.ptx"), options), inputs, reconvergence);
  for (u32 thread = 0; thread < kThreads; ++thread) {
    std::array<u32, RandomKernel::kInputs> own;
    std::copy_n(inputs.begin() + thread * RandomKernel::kInputs, own.size(), own.begin());
    const std::array<u32, RandomKernel::kOutputs> expected = kernel.run(own);
    for (u32 i = 0; i < expected.size(); ++i)
      ASSERT_EQ(outputs[thread * RandomKernel::kOutputs + i], expected[i])
          << "seed " << seed << ", " << options.maxRegisters << " registers, thread " << thread << ", output " << i << "\n"
          << kernel.ptx();
  }
}

TEST(RandomPtx, MachineAgreesWithTheModel) {
  Options options;
  options.verify = true;
  for (u32 seed = 0; seed < 200; ++seed) ASSERT_NO_FATAL_FAILURE(expectAgreement(seed, RandomKernel(seed), options));
}

// Ten times as slow under sanitizers.
#ifdef WARPWRIGHT_SANITIZED
constexpr u32 kKernelsAtEveryBudget = 4;
#else
constexpr u32 kKernelsAtEveryBudget = 10;
#endif

// Down to the least that the compiler accepts.
TEST(RandomPtx, MachineAgreesWithTheModelAtEveryBudget) {
  for (u32 seed = 1000; seed < 1000 + kKernelsAtEveryBudget; ++seed) {
    const RandomKernel kernel(seed);
    Options options;
    options.verify = true;
    options.maxRegisters = 64;
    const u32 least = reportRegisters(ptx::parse(kernel.ptx(), "random.ptx"), options)[0].minimum;
    EXPECT_GT(least, 0u) << seed;
    for (; options.maxRegisters >= least; --options.maxRegisters) ASSERT_NO_FATAL_FAILURE(expectAgreement(seed, kernel, options));
  }
}

}  // namespace
}  // namespace warpwright::compiler
