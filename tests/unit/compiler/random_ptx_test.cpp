// Random kernels through parser, compiler and machine against a host model of PTX.
#include "random_ptx.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "compiler/compiler.hpp"
#include "exec/launch.hpp"
#include "ptx/parser.hpp"

namespace warpwright::compiler {
namespace {

constexpr u32 kThreads = 64;

std::vector<u32> runOnMachine(const RandomKernel& kernel, const std::vector<u32>& inputs, exec::Reconvergence reconvergence) {
  exec::GlobalMemory::Options options;
  options.capacity = u64{1} << 20;
  exec::GlobalMemory memory(options);
  const auto loaded = exec::load(compile(ptx::parse(kernel.ptx(), "random.ptx")), memory);
  const u64 in = memory.allocate(inputs.size() * 4, exec::AllocationKind::device).value();
  const u64 out = memory.allocate(u64{kThreads} * RandomKernel::kOutputs * 4, exec::AllocationKind::device).value();
  std::memcpy(exec::GlobalMemory::hostPointer(in), inputs.data(), inputs.size() * 4);
  std::vector<u8> parameters(16);
  std::memcpy(&parameters[0], &out, 8);
  std::memcpy(&parameters[8], &in, 8);

  exec::LaunchRequest request;
  request.program = loaded.get();
  request.kernel = loaded->program.findFunction("k");
  request.grid = {1, 1, 1};
  request.block = {kThreads, 1, 1};
  request.parameters = parameters;
  request.limits.reconvergence = reconvergence;
  const exec::LaunchResult result = exec::launch(request, memory);
  EXPECT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
  std::vector<u32> outputs(size_t{kThreads} * RandomKernel::kOutputs);
  std::memcpy(outputs.data(), exec::GlobalMemory::hostPointer(out), outputs.size() * 4);
  return outputs;
}

TEST(RandomPtx, MachineAgreesWithTheModel) {
  for (u32 seed = 0; seed < 200; ++seed) {
    const RandomKernel kernel(seed);
    std::mt19937 random(seed + 1000);
    std::vector<u32> inputs(kThreads * RandomKernel::kInputs);
    for (u32& input : inputs) input = random() >> (random() % 32);
    const auto reconvergence = seed % 2 == 0 ? exec::Reconvergence::stack : exec::Reconvergence::independent;
    const std::vector<u32> outputs = runOnMachine(kernel, inputs, reconvergence);
    for (u32 thread = 0; thread < kThreads; ++thread) {
      std::array<u32, RandomKernel::kInputs> own;
      std::copy_n(inputs.begin() + thread * RandomKernel::kInputs, own.size(), own.begin());
      const std::array<u32, RandomKernel::kOutputs> expected = kernel.run(own);
      for (u32 i = 0; i < expected.size(); ++i)
        ASSERT_EQ(outputs[thread * RandomKernel::kOutputs + i], expected[i])
            << "seed " << seed << ", thread " << thread << ", output " << i << "\n"
            << kernel.ptx();
    }
  }
}

}  // namespace
}  // namespace warpwright::compiler
