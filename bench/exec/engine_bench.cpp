// Warp instructions per second of the functional machine, without an observer, on hand-assembled kernels.
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "unit/exec/assembler.hpp"

namespace warpwright::testing {
namespace {

using isa::Compare;
using isa::Space;
using isa::SpecialRegister;

void measure(benchmark::State& state, Runner& runner, const isa::Program& program, Dim3 grid, Dim3 block) {
  u64 instructions = 0;
  runner.run(program, grid, block);
  for (auto _ : state) {
    const auto result = exec::launch(runner.request, runner.memory);
    if (result.status != exec::LaunchStatus::completed) throw std::runtime_error(result.message);
    instructions += result.warpInstructions;
  }
  state.counters["warp_instructions"] = benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

// A loop of `body` instructions, run 256 times by each thread.
template <typename Body>
isa::Program loop(Body body) {
  Assembler a;
  a.emit(Opcode::mov, DataType::u32, {R(0)}, {imm(0)});
  a.special(1, SpecialRegister::tid_x);
  const u32 start = a.here();
  body(a);
  a.emit(Opcode::add, DataType::u32, {R(0)}, {R(0), imm(1)});
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(256));
  a.branch(P(0), start, a.here() + 1);
  a.exit();
  a.function("loop").parameterBytes = 24;
  a.program.functions[0].sharedBytes = 4096;
  return a.program;
}

void passArrays(Runner& runner, std::size_t elements) {
  for (int i = 0; i < 3; ++i) runner.pass(runner.array<float>(elements));
}

void fmaChain(benchmark::State& state) {
  Runner runner;
  passArrays(runner, 32);
  measure(state, runner, loop([](Assembler& a) {
            for (u32 i = 0; i < 16; ++i) a.emit(Opcode::fma, DataType::f32, {R(8 + i % 8)}, {R(8 + i % 8), R(16), R(17)});
          }),
          {64}, {256});
}
BENCHMARK(fmaChain);

void integerMix(benchmark::State& state) {
  Runner runner;
  passArrays(runner, 32);
  measure(state, runner, loop([](Assembler& a) {
            for (u32 i = 0; i < 4; ++i) {
              a.emit(Opcode::xor_, DataType::u32, {R(8 + i)}, {R(8 + i), R(1)});
              a.emit(Opcode::shl, DataType::u32, {R(12 + i)}, {R(8 + i), imm(3)});
              a.emit(Opcode::add, DataType::u32, {R(8 + i)}, {R(8 + i), R(12 + i)});
              a.emit(Opcode::and_, DataType::u32, {R(8 + i)}, {R(8 + i), imm(0xffff)});
            }
          }),
          {64}, {256});
}
BENCHMARK(integerMix);

// The inner loop of a tiled matrix product: two shared loads (one uniform, one consecutive) and a multiply-add.
void tiledProduct(benchmark::State& state) {
  Runner runner;
  passArrays(runner, 32);
  measure(state, runner, loop([](Assembler& a) {
            a.emit(Opcode::and_, DataType::u32, {R(3)}, {R(1), imm(31)});
            a.emit(Opcode::shl, DataType::u32, {R(3)}, {R(3), imm(2)});
            a.emit(Opcode::and_, DataType::u32, {R(5)}, {R(0), imm(124)});
            for (u32 i = 0; i < 8; ++i) {
              a.load(Space::shared, DataType::f32, 8, R(3), 128 * i);
              a.load(Space::shared, DataType::f32, 9, R(5), 128 * i);
              a.emit(Opcode::fma, DataType::f32, {R(10)}, {R(8), R(9), R(10)});
            }
          }),
          {64}, {256});
}
BENCHMARK(tiledProduct);

// y[i] = a * x[i] + y[i], one element a thread.
void saxpy(benchmark::State& state) {
  constexpr u32 n = 1 << 20;
  Runner runner;
  passArrays(runner, n);
  Assembler a;
  a.globalThread(0);
  a.compare(0, Compare::ge, DataType::u32, R(0), imm(n));
  const u32 skip = a.branch(P(0));
  a.elementAddress(2, 0, R(0));
  a.elementAddress(4, 8, R(0));
  a.load(Space::global, DataType::f32, 8, R(2));
  a.load(Space::global, DataType::f32, 9, R(4));
  a.emit(Opcode::fma, DataType::f32, {R(8)}, {R(8), imm(0x4000'0000), R(9)});
  a.store(Space::global, DataType::f32, R(4), R(8));
  a.at(skip).target = a.at(skip).reconvergence = a.here();
  a.exit();
  a.function("saxpy").parameterBytes = 24;
  measure(state, runner, a.program, {n / 256}, {256});
}
BENCHMARK(saxpy);

// Naive transpose of 1024 x 1024 words: consecutive loads, strided stores.
void transpose(benchmark::State& state) {
  Runner runner;
  passArrays(runner, 1 << 20);
  Assembler a;
  a.globalThread(0);
  a.emit(Opcode::and_, DataType::u32, {R(2)}, {R(0), imm(1023)});
  a.emit(Opcode::shr, DataType::u32, {R(3)}, {R(0), imm(10)});
  a.emit(Opcode::mad_lo, DataType::u32, {R(3)}, {R(2), imm(1024), R(3)});
  a.elementAddress(4, 0, R(0));
  a.elementAddress(6, 8, R(3));
  a.load(Space::global, DataType::f32, 8, R(4));
  a.store(Space::global, DataType::f32, R(6), R(8));
  a.exit();
  a.function("transpose").parameterBytes = 24;
  measure(state, runner, a.program, {(1 << 20) / 256}, {256});
}
BENCHMARK(transpose);

// Nothing but memory operations: the worst case.
void copyLoop(benchmark::State& state) {
  Runner runner;
  passArrays(runner, 1 << 12);
  measure(state, runner, loop([](Assembler& a) {
            a.elementAddress(2, 0, R(1));
            for (u32 i = 0; i < 8; ++i) {
              a.load(Space::global, DataType::f32, 8 + i, R(2), 4 * i);
              a.store(Space::global, DataType::f32, R(2), R(8 + i), 4096 + 4 * i);
            }
          }),
          {64}, {256});
}
BENCHMARK(copyLoop);

// Divergence in every iteration.
void divergentLoop(benchmark::State& state) {
  Runner runner;
  passArrays(runner, 32);
  measure(state, runner, loop([](Assembler& a) {
            a.emit(Opcode::and_, DataType::u32, {R(3)}, {R(1), imm(1)});
            a.compare(1, Compare::eq, DataType::u32, R(3), imm(0));
            const u32 split = a.branch(P(1));
            a.emit(Opcode::add, DataType::u32, {R(4)}, {R(4), imm(1)});
            const u32 over = a.jump();
            a.at(split).target = a.here();
            a.emit(Opcode::add, DataType::u32, {R(4)}, {R(4), imm(2)});
            a.at(split).reconvergence = a.at(over).target = a.here();
          }),
          {64}, {256});
}
BENCHMARK(divergentLoop);

}  // namespace
}  // namespace warpwright::testing
