// Runs a kernel `k(.param .u64 out, .param .u64 in)` (random_program.hpp) on the machine and on the one-lane oracle.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "compiler/compiler.hpp"
#include "exec/launch.hpp"
#include "exec/oracle.hpp"
#include "ptx/parser.hpp"
#include "random_program.hpp"

namespace warpwright::testing {

// Programs run ten times as long under sanitizers: a sixth of the seeds is tried there. WARPWRIGHT_SEEDS: how many each test tries instead.
inline u64 lastSeed(u64 first, u64 last) {
  if (const char* const asked = std::getenv("WARPWRIGHT_SEEDS")) return first + std::strtoull(asked, nullptr, 10) - 1;
#ifdef WARPWRIGHT_SANITIZED
  return first + (last - first) / 6;
#else
  return last;
#endif
}

// Global memory by host address; local memory of one thread of its own, and shared memory as if it were so.
class ThreadMemory : public exec::OracleMemory {
 public:
  ThreadMemory(u64 constantBase, std::span<const u8> parameters) : constantBase_(constantBase), parameters_(parameters) {}

  void read(isa::Space space, u64 address, std::span<u8> bytes) override {
    if (space == isa::Space::constant) address += constantBase_;
    if (space == isa::Space::global || space == isa::Space::constant) {
      std::memcpy(bytes.data(), exec::GlobalMemory::hostPointer(GlobalAddress(address)), bytes.size());
      return;
    }
    if (space == isa::Space::param) {
      std::memcpy(bytes.data(), parameters_.subspan(address, bytes.size()).data(), bytes.size());
      return;
    }
    for (u8& byte : bytes) byte = own_[{space, address++}];
  }
  void write(isa::Space space, u64 address, std::span<const u8> bytes) override {
    if (space == isa::Space::global) {
      std::memcpy(exec::GlobalMemory::hostPointer(GlobalAddress(address)), bytes.data(), bytes.size());
      return;
    }
    for (const u8 byte : bytes) own_[{space, address++}] = byte;
  }

 private:
  u64 constantBase_;
  std::span<const u8> parameters_;
  std::map<std::pair<isa::Space, u64>, u8> own_;
};

struct Shape {
  u32 warpSize = 32;
  u32 threads = 96, blocks = 2;
  exec::Reconvergence policy = exec::Reconvergence::independent;
};

class Experiment {
 public:
  // `bytes`: what a thread writes.
  Experiment(const std::string& ptx, u32 addressBits, u32 bytes, const Shape& shape, u64 seed)
      : module_(ptx::parse(ptx, "random.ptx")), shape_(shape), memory_({addressBits, u64{1} << 26, false}), bytes_(bytes) {
    in_ = memory_.allocate(u64{threads()} * kInputBytes, exec::AllocationKind::device).value();
    out_ = memory_.allocate(u64{threads()} * bytes_, exec::AllocationKind::device).value();
    std::memset(exec::GlobalMemory::hostPointer(GlobalAddress(out_)), 0xcd, u64{threads()} * bytes_);
    fillInput(seed);
    const u64 pointers[2] = {out_, in_};
    parameters_.resize(sizeof pointers);
    std::memcpy(parameters_.data(), pointers, sizeof pointers);
  }

  // One more parameter behind the two pointers.
  void addParameter(const std::vector<u8>& bytes) { parameters_.insert(parameters_.end(), bytes.begin(), bytes.end()); }

  // `prepare` sees the request before the launch.
  std::vector<u8> runMachine(const compiler::Options& options = {}, exec::Observer* observer = nullptr,
                             const std::function<void(const exec::LaunchRequest&)>& prepare = {}) {
    const auto loaded = exec::load(compiler::compile(module_, options), memory_);
    exec::LaunchRequest request;
    request.launch = std::make_shared<const exec::Launch>(
        exec::Launch{{{shape_.blocks, 1, 1}, {shape_.threads, 1, 1}}, loaded.get(), loaded->program.findFunction("k"), parameters_});
    request.limits.warpSize = shape_.warpSize;
    request.limits.reconvergence = shape_.policy;
    request.observer = observer;
    if (prepare) prepare(request);
    const exec::LaunchResult result = exec::launch(request, memory_);
    EXPECT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
    return output();
  }

  // Of a thread of the kernel.
  u32 registers() const { return compiler::compile(module_, {}).findFunction("k")->registers; }

  std::vector<u8> runOracle() {
    compiler::Options options;
    options.finish = false;
    const auto loaded = exec::load(compiler::compile(module_, options), memory_);
    for (u32 thread = 0; thread < threads(); ++thread) {
      ThreadMemory memory(loaded->constantBase, parameters_);
      exec::OracleThread identity;
      identity.special = [&](isa::SpecialRegister which) { return special(which, thread); };
      identity.parameters = parameters_;
      identity.stackRegister = 0;
      identity.registersPerActivation = true;
      exec::Oracle(loaded->program, memory, identity).run(*loaded->program.findFunction("k"));
    }
    return output();
  }

 private:
  u32 threads() const { return shape_.threads * shape_.blocks; }

  u64 special(isa::SpecialRegister which, u32 thread) const {
    switch (which) {
      case isa::SpecialRegister::tid_x:
        return thread % shape_.threads;
      case isa::SpecialRegister::ctaid_x:
        return thread / shape_.threads;
      case isa::SpecialRegister::ntid_x:
        return shape_.threads;
      default:
        throw Error("the random programs read no other special register");
    }
  }

  // Small integers, large ones, and bit patterns that are ordinary, tiny or non-finite floats.
  void fillInput(u64 seed) {
    auto* words = reinterpret_cast<u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(in_)));
    u64 state = seed * 2654435761u + 12345;
    for (u32 i = 0; i < threads() * kInputBytes / 4; ++i) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      const u32 bits = static_cast<u32>(state >> 32);
      const u32 shapes[5] = {bits % 64, bits, (bits & 0x807fffff) | 0x3f800000, bits & 0x807fffff, (bits & 0x80ffffff) | 0x7f000000};
      words[i] = shapes[(state >> 20) % 5];
    }
  }

  std::vector<u8> output() {
    std::byte* first = exec::GlobalMemory::hostPointer(GlobalAddress(out_));
    std::vector<u8> copy(u64{threads()} * bytes_);
    std::memcpy(copy.data(), first, copy.size());
    std::memset(first, 0xcd, copy.size());
    return copy;
  }

  ptx::Module module_;
  Shape shape_;
  exec::GlobalMemory memory_;
  u32 bytes_;
  u64 in_ = 0, out_ = 0;
  std::vector<u8> parameters_;
};

using Budgets = std::vector<u32>;

// `ptx` computes on the machine what it computes on the oracle, as it is compiled by default and with at most `budgets` registers.
inline void expectAsOracle(const std::string& ptx, u32 bytes, u64 seed, const Budgets& budgets) {
  Experiment experiment(ptx, 64, bytes, {}, seed);
  const std::vector<u8> oracle = experiment.runOracle();
  ASSERT_EQ(experiment.runMachine({.verify = true}), oracle) << "seed " << seed << "\n" << ptx;
  for (const u32 registers : budgets)
    ASSERT_EQ(experiment.runMachine({.maxRegisters = registers, .verify = true}), oracle)
        << registers << " registers, seed " << seed << "\n"
        << ptx;
}

}  // namespace warpwright::testing
