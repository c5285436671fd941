// Random PTX kernels together with what they compute, as host code.
#pragma once

#include <array>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::compiler {

// The registers of one thread as the host model sees them.
struct ModelThread {
  std::array<u32, 8> r{};
  std::array<u64, 4> d{};
  std::array<bool, 4> p{};
  std::array<u32, 8> scratch{};  // local memory
};

// Each statement is written as PTX text and kept as a host function; both come from the same random choices. Kernels have signature
// k(.param .u64 out, .param .u64 in): thread i reads words in[8 i …] and writes words out[16 i …].
class RandomKernel {
 public:
  static constexpr u32 kInputs = 8, kOutputs = 16;

  explicit RandomKernel(u32 seed);
  const std::string& ptx() const { return ptx_; }
  // The outputs of a thread with these inputs.
  std::array<u32, kOutputs> run(const std::array<u32, kInputs>& inputs) const;

 private:
  using Step = std::function<void(ModelThread&)>;
  struct Guard {
    s32 predicate = -1;
    bool negated = false;
    std::string text() const;
    bool holds(const ModelThread& thread) const { return predicate < 0 || thread.p[static_cast<u32>(predicate)] != negated; }
  };

  u32 below(u32 limit) { return random_() % limit; }
  Guard randomGuard();
  // A statement under a guard: text without the guard, effect without the test.
  void add(const std::string& text, Step effect);
  void statements(u32 count, u32 depth);
  void arithmetic(), wideArithmetic(), conversion(), comparison(), copy(), memory(), call();
  void branch(u32 depth), loop(u32 depth);

  std::mt19937 random_;
  std::string ptx_;
  std::vector<Step> steps_;
  u32 labels_ = 0, loops_ = 0;
};

}  // namespace warpwright::compiler
