// Random kernels of barriers under divergence against a model of the threads on the host: early exits, loops with barriers that lanes leave
// at different times, for good or (with independent threads) to go on; run as a whole and stepped, under both policies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/compiler.hpp"
#include "exec/stepper.hpp"
#include "experiment.hpp"
#include "ptx/parser.hpp"

namespace warpwright {
namespace {

constexpr u32 kThreads = 80;
constexpr u32 kBlocks = 2;

// What a thread does to its value v.
enum class Act : u8 {
  mix,      // v = v * a + b
  mixSome,  // … where v % 4 == a % 4
  write,    // shared[t] = v
  read,     // v += shared[(t + a) % kThreads]
  barrier,
  leaveSome,  // out = v and exit where v / 8 % 8 == a % 8
  loop,       // the acts up to `again`, v / 2 % a times more
  again,
};

struct Step {
  Act act;
  u32 a = 0, b = 0;
};

class Random {
 public:
  explicit Random(u64 seed) : state_(seed * 2 + 1) {}
  u32 below(u32 bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<u32>(state_ >> 33) % bound;
  }

 private:
  u64 state_;
};

// Two barriers: so many in everything that holds any, so that whoever writes, all others write or have left.
void exchange(std::vector<Step>& steps, Random& random) {
  steps.insert(steps.end(), {{Act::write}, {Act::barrier}, {Act::read, random.below(kThreads)}, {Act::barrier}});
}

std::vector<Step> randomSteps(u64 seed, bool lanesReturnFromLoops) {
  Random random(seed);
  std::vector<Step> steps;
  for (u32 i = 0; i < 6; ++i) {
    steps.push_back({Act::mix, random.below(1000) * 2 + 1, random.below(1000)});
    switch (random.below(lanesReturnFromLoops ? 5 : 4)) {
      case 0:
        steps.push_back({Act::mixSome, random.below(1000), random.below(1000)});
        break;
      case 1:
        steps.push_back({Act::leaveSome, random.below(8)});
        break;
      case 4:
        steps.push_back({Act::loop, 1 + random.below(5)});
        exchange(steps, random);
        if (random.below(2) == 0) steps.push_back({Act::leaveSome, random.below(8)});
        steps.push_back({Act::again});
        break;
      default:
        exchange(steps, random);
    }
  }
  // A last loop that each lane leaves when its time has come.
  for (u32 i = 0; i < 4; ++i) {
    exchange(steps, random);
    steps.push_back({Act::leaveSome, random.below(8)});
  }
  return steps;
}

std::string ptxOf(const std::vector<Step>& steps) {
  std::string body;
  u32 label = 0, loop = 0;
  for (const Step& step : steps) {
    switch (step.act) {
      case Act::mix:
        body += fmt::format("mad.lo.u32 %v, %v, {}, {};\n", step.a, step.b);
        break;
      case Act::mixSome:
        body += fmt::format("and.b32 %x, %v, 3;\nsetp.ne.u32 %p, %x, {};\n@%p bra L{};\nmad.lo.u32 %v, %v, 5, {};\nL{}:\n", step.a % 4,
                            label, step.b, label);
        ++label;
        break;
      case Act::write:
        body += "st.shared.u32 [%s], %v;\n";
        break;
      case Act::read:
        body += fmt::format(
            "add.u32 %x, %t, {};\nrem.u32 %x, %x, {};\nmul.lo.u32 %x, %x, 4;\nadd.u32 %x, %x, %base;\n"
            "ld.shared.u32 %x, [%x];\nadd.u32 %v, %v, %x;\n",
            step.a, kThreads);
        break;
      case Act::barrier:
        body += "bar.sync 0;\n";
        break;
      case Act::leaveSome:
        body += fmt::format("shr.u32 %x, %v, 3;\nand.b32 %x, %x, 7;\nsetp.eq.u32 %p, %x, {};\n@%p bra END;\n", step.a % 8);
        break;
      case Act::loop:
        loop = label++;
        body += fmt::format("shr.u32 %n, %v, 1;\nrem.u32 %n, %n, {};\nL{}:\n", step.a, loop);
        break;
      case Act::again:
        body += fmt::format("setp.ne.u32 %p, %n, 0;\nsub.u32 %n, %n, 1;\n@%p bra L{};\n", loop);
    }
  }
  return fmt::format(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out)
{{
.reg .b32 %v, %x, %t, %s, %n, %i, %base;
.reg .b64 %a<3>;
.reg .pred %p;
.shared .align 4 .b8 shared[{}];
mov.u32 %t, %tid.x;
mov.u32 %i, %ctaid.x;
mad.lo.u32 %i, %i, {}, %t;
mov.u32 %base, shared;
mad.lo.u32 %s, %t, 4, %base;
mad.lo.u32 %v, %i, 2654435761, 12345;
{}END:
ld.param.u64 %a0, [out];
mul.wide.u32 %a1, %i, 4;
add.u64 %a0, %a0, %a1;
st.global.u32 [%a0], %v;
ret;
}}
)",
                     kThreads * 4, kThreads, body);
}

// A thread of the model: runs from barrier to barrier.
struct Thread {
  u32 value = 0;
  u32 at = 0, rounds = 0;
  bool gone = false;

  // Up to the next barrier, or the end.
  void run(const std::vector<Step>& steps, u32 number, std::vector<u32>& shared) {
    while (at < steps.size()) {
      const Step& step = steps[at++];
      switch (step.act) {
        case Act::mix:
          value = value * step.a + step.b;
          break;
        case Act::mixSome:
          if (value % 4 == step.a % 4) value = value * 5 + step.b;
          break;
        case Act::write:
          shared[number] = value;
          break;
        case Act::read:
          value += shared[(number + step.a) % kThreads];
          break;
        case Act::barrier:
          return;
        case Act::leaveSome:
          gone = value / 8 % 8 == step.a % 8;
          if (gone) return;
          break;
        case Act::loop:
          rounds = value / 2 % step.a;
          break;
        case Act::again:
          if (rounds-- == 0) break;
          while (steps[at - 1].act != Act::loop) --at;
      }
    }
    gone = true;
  }
};

std::vector<u32> expected(const std::vector<Step>& steps) {
  std::vector<u32> out;
  for (u32 block = 0; block < kBlocks; ++block) {
    std::vector<Thread> threads(kThreads);
    std::vector<u32> shared(kThreads);
    for (u32 t = 0; t < kThreads; ++t) threads[t].value = (block * kThreads + t) * 2654435761u + 12345;
    for (bool someRun = true; someRun;) {
      someRun = false;
      for (u32 t = 0; t < kThreads; ++t) {
        if (threads[t].gone) continue;
        threads[t].run(steps, t, shared);
        someRun = true;
      }
    }
    for (const Thread& thread : threads) out.push_back(thread.value);
  }
  return out;
}

class Kernel {
 public:
  explicit Kernel(const std::string& ptx) : program_(exec::load(compiler::compile(ptx::parse(ptx, "random.ptx"), {}), memory_)) {
    out_ = memory_.allocate(kBlocks * kThreads * 4, exec::AllocationKind::device).value();
    std::memcpy(parameters_.data(), &out_, sizeof out_);
  }

  std::vector<u32> run(exec::Reconvergence policy) {
    const exec::LaunchRequest request = requestFor(policy);
    const exec::LaunchResult result = exec::launch(request, memory_);
    EXPECT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
    EXPECT_TRUE(policy == exec::Reconvergence::independent || result.warnings.empty()) << result.warnings.front();
    return output();
  }

  // Each warp an instruction in turn.
  std::vector<u32> step(exec::Reconvergence policy) {
    const exec::LaunchRequest request = requestFor(policy);
    exec::Stepper stepper(request, memory_, SmId{0}, 1'000'000);
    for (u32 block = 0; block < kBlocks; ++block) {
      stepper.start(BlockSlotId{0}, block);
      for (bool moves = true; moves && !stepper.isFinished(BlockSlotId{0});) {
        moves = false;
        for (u32 warp = 0; warp < stepper.warpsPerBlock(); ++warp) {
          if (stepper.next(BlockSlotId{0}, warp).state != exec::WarpState::ready) continue;
          EXPECT_NE(stepper.step(BlockSlotId{0}, warp, {}), nullptr) << stepper.fault()->message;
          moves = true;
        }
      }
      EXPECT_TRUE(stepper.isFinished(BlockSlotId{0})) << stepper.whereThreadsWait();
      stepper.publishStores();
    }
    return output();
  }

 private:
  exec::LaunchRequest requestFor(exec::Reconvergence policy) {
    exec::LaunchRequest request;
    request.launch = std::make_shared<const exec::Launch>(
        exec::Launch{{{kBlocks}, {kThreads}}, program_.get(), program_->program.findFunction("k"), parameters_});
    request.limits.reconvergence = policy;
    return request;
  }
  std::vector<u32> output() {
    auto* words = reinterpret_cast<u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(out_)));
    std::vector<u32> copy(words, words + kBlocks * kThreads);
    std::fill_n(words, copy.size(), 0);
    return copy;
  }

  exec::GlobalMemory memory_{{64, u64{1} << 26, false}};
  std::unique_ptr<exec::LoadedProgram> program_;
  u64 out_ = 0;
  std::vector<u8> parameters_ = std::vector<u8>(sizeof out_);
};

// Before Volta all warps must come to the same number of barriers: lanes may leave a loop for good alone.
TEST(Barriers, LanesThatExitAreAwaitedByNobody) {
  for (u64 seed = 1; seed <= testing::lastSeed(1, 60); ++seed) {
    const std::vector<Step> steps = randomSteps(seed, false);
    const std::string ptx = ptxOf(steps);
    Kernel kernel(ptx);
    const std::vector<u32> wanted = expected(steps);
    for (const auto policy : {exec::Reconvergence::stack, exec::Reconvergence::independent}) {
      ASSERT_EQ(kernel.run(policy), wanted) << "seed " << seed << "\n" << ptx;
      ASSERT_EQ(kernel.step(policy), wanted) << "stepped, seed " << seed << "\n" << ptx;
    }
  }
}

TEST(Barriers, IndependentLanesGoOnWhileOthersWait) {
  for (u64 seed = 101; seed <= testing::lastSeed(101, 160); ++seed) {
    const std::vector<Step> steps = randomSteps(seed, true);
    const std::string ptx = ptxOf(steps);
    Kernel kernel(ptx);
    const std::vector<u32> wanted = expected(steps);
    ASSERT_EQ(kernel.run(exec::Reconvergence::independent), wanted) << "seed " << seed << "\n" << ptx;
    ASSERT_EQ(kernel.step(exec::Reconvergence::independent), wanted) << "stepped, seed " << seed << "\n" << ptx;
  }
}

}  // namespace
}  // namespace warpwright
