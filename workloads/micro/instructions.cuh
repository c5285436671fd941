// Latency and throughput of instructions by class.
#pragma once

#include <algorithm>

#include "latency.cuh"

namespace micro {

// One instruction each, that depends on its own last result; the other operands are not known to the compiler. Quotients come back to the
// dividend's size, as those that grow too small would take a way of their own on a GPU. NVIDIA's assembler makes one of two additions.
#define MICRO_INSTRUCTION(NAME, TYPE, LETTER, TEXT)                                                                      \
  struct NAME {                                                                                                          \
    using Place = TYPE;                                                                                                  \
    Place second, third;                                                                                                 \
    __device__ void step(Place& value) const { asm volatile(TEXT : "+" LETTER(value) : LETTER(second), LETTER(third)); } \
  }
MICRO_INSTRUCTION(IntegerAdd, unsigned, "r", "add.u32 %0, %0, %1;");
MICRO_INSTRUCTION(IntegerShift, unsigned, "r", "shr.u32 %0, %0, %1;");
MICRO_INSTRUCTION(IntegerMultiplyAdd, unsigned, "r", "mad.lo.u32 %0, %0, %1, %2;");
MICRO_INSTRUCTION(IntegerDivide, unsigned, "r", "div.u32 %0, %0, %1;");
MICRO_INSTRUCTION(FloatMultiplyAdd, float, "f", "fma.rn.f32 %0, %0, %1, %2;");
MICRO_INSTRUCTION(FloatDivide, float, "f", "div.rn.f32 %0, %1, %0;");
MICRO_INSTRUCTION(DoubleMultiplyAdd, double, "d", "fma.rn.f64 %0, %0, %1, %2;");
MICRO_INSTRUCTION(DoubleDivide, double, "d", "div.rn.f64 %0, %1, %0;");
MICRO_INSTRUCTION(Exponential, float, "f", "ex2.approx.f32 %0, %0;");
MICRO_INSTRUCTION(Convert, float, "f", "cvt.rni.f32.f32 %0, %0;");
MICRO_INSTRUCTION(Shuffle, unsigned, "r", "shfl.sync.up.b32 %0, %0, 1, 0, 0xffffffff;");

struct Span {
  Clock begin, end;
};

constexpr int kChains = 4, kLength = 64;

// Each warp executes rounds x kLength instructions, of the chains in turn.
template <class Instruction>
__global__ void saturate(const Instruction* stored, int rounds, typename Instruction::Place* values, Span* spans) {
  const Instruction instruction = *stored;
  typename Instruction::Place value[kChains];
  // Lanes differ: NVIDIA's assembler removes exchanges of equal values.
  for (int chain = 0; chain < kChains; ++chain) value[chain] = instruction.second + chain + threadIdx.x % kWarpSize;
  __syncthreads();
  Span span{readClock(), 0};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kLength; ++i) instruction.step(value[i % kChains]);
  }
  span.end = readClock();
  for (int chain = 1; chain < kChains; ++chain) value[0] += value[chain];
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  values[thread] = value[0];
  if (thread % kWarpSize == 0) spans[thread / kWarpSize] = span;
}

// From the first warp's begin to the last one's end.
inline double cyclesOf(const std::vector<Span>& spans) {
  Span all = spans.front();
  for (const Span& span : spans) all = {std::min(all.begin, span.begin), std::max(all.end, span.end)};
  return static_cast<double>(all.end - all.begin);
}

template <class Instruction>
double spanOf(const Instruction& instruction, int blocks, int threads, int rounds) {
  const workloads::DeviceArray<Instruction> stored(std::vector<Instruction>{instruction});
  workloads::DeviceArray<typename Instruction::Place> values(blocks * threads);
  workloads::DeviceArray<Span> result(blocks * threads / kWarpSize);
  saturate<<<blocks, threads>>>(stored.data(), rounds, values.data(), result.data());
  workloads::finishKernels();
  return cyclesOf(result.download());
}

inline int mostThreads() { return static_cast<int>(std::min<size_t>(1024, attribute(cudaDevAttrMaxThreadsPerBlock))); }

template <class Instruction>
void measureInstruction(Report& report, const std::string& name) {
  constexpr int kRounds = 4;
  const Instruction instruction{3, 5};
  report.row(name + " latency", cyclesPerStep(instruction, instruction.second, Lanes{kWarpSize}), "cycles");
  const int threads = mostThreads();
  const double count = static_cast<double>(threads / kWarpSize) * kLength * kRounds;
  // Brings the code near, whichever multiprocessor is next.
  spanOf(instruction, static_cast<int>(attribute(cudaDevAttrMultiProcessorCount)), threads, 1);
  const double cycles = spanOf(instruction, 1, threads, 2 * kRounds) - spanOf(instruction, 1, threads, kRounds);
  report.row(name + " throughput", count / cycles, "warp instructions/cycle/SM");
}

inline void measureInstructions(Report& report) {
  measureInstruction<IntegerAdd>(report, "add.u32");
  measureInstruction<IntegerShift>(report, "shr.u32");
  measureInstruction<IntegerMultiplyAdd>(report, "mad.lo.u32");
  measureInstruction<IntegerDivide>(report, "div.u32");
  measureInstruction<FloatMultiplyAdd>(report, "fma.f32");
  measureInstruction<FloatDivide>(report, "div.f32");
  measureInstruction<DoubleMultiplyAdd>(report, "fma.f64");
  measureInstruction<DoubleDivide>(report, "div.f64");
  measureInstruction<Exponential>(report, "ex2.f32");
  measureInstruction<Convert>(report, "cvt.f32");
  measureInstruction<Shuffle>(report, "shfl");
}

}  // namespace micro
