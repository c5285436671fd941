// What a mechanism adds to a block, and what it attaches to a launch.
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"
#include "machines/timing_profile.hpp"
#include "runtime/device.hpp"

namespace warpwright::runtime {
namespace {

// 64 threads a block, of which each writes 1.
constexpr const char* kOnes = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry ones(.param .u64 out)
{
  .reg .u32 %r<4>;
  .reg .u64 %d<4>;
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d2, %d0, %d1;
  mov.u32 %r1, 1;
  st.global.u32 [%d2], %r1;
  ret;
}
)";

struct StoresAt : sm::PerInstruction<bool> {};

// Marks the stores of a launch, and hears of the marks of what its pipelines issue.
class Greedy : public mechanisms::Mechanism {
 public:
  Greedy(mechanisms::BlockNeeds needs, std::vector<Pc>& stores) : needs_(needs), stores_(stores) {}

  mechanisms::BlockNeeds needs(const isa::Program&, const isa::Function& kernel) const override {
    return kernel.isKernel ? needs_ : mechanisms::BlockNeeds{};
  }
  void launchBegins(const exec::LaunchRequest& request, sm::LaunchNotes& into) override {
    StoresAt stores;
    for (const isa::Instruction& instruction : request.launch->program->program.code)
      stores.push_back(instruction.opcode == isa::Opcode::st);
    into.add(std::move(stores));
  }
  void equip(sm::Parts& parts, SmId) override {
    parts.scheduler.wrap(
        [this](std::unique_ptr<sm::WarpScheduler> inner, u32) { return std::make_unique<Reader>(std::move(inner), stores_); });
  }

 private:
  class Reader : public sm::WarpScheduler {
   public:
    Reader(std::unique_ptr<sm::WarpScheduler> inner, std::vector<Pc>& stores) : inner_(std::move(inner)), stores_(stores) {}
    SlotId pick(const sm::SchedulerView& view) override { return inner_->pick(view); }
    void issued(SlotId slot) override { inner_->issued(slot); }
    void accessIssued(const sm::MemoryOperation& access) override {
      const StoresAt* stores = access.plan->notes.find<StoresAt>();
      if (stores->at(access.origin.pc)) stores_.push_back(access.origin.pc);
    }

   private:
    std::unique_ptr<sm::WarpScheduler> inner_;
    std::vector<Pc>& stores_;
  };

  mechanisms::BlockNeeds needs_;
  std::vector<Pc>& stores_;
};

struct Prepared {
  explicit Prepared(mechanisms::BlockNeeds needs) : device(settings(needs)) {
    out = device.memory().allocate(256, exec::AllocationKind::device).value();
    launch.module = &device.loadModule(kOnes, "ones.ptx");
    launch.kernel = launch.module->loaded->program.findFunction("ones");
    launch.grid = {20, 1, 1};
    launch.block = {64, 1, 1};
    launch.parameters.resize(launch.kernel->parameterBytes);
    std::memcpy(launch.parameters.data(), &out, sizeof out);
  }
  Settings settings(mechanisms::BlockNeeds needs) {
    Settings settings;
    settings.machine = config::loadMachine("gtx480");
    settings.machine.multiprocessors = 1;
    settings.timing.emplace();
    settings.makeMechanisms = [this, needs](const config::Machine&) {
      mechanisms::Mechanisms result;
      result.push_back(std::make_unique<Greedy>(needs, stores));
      return result;
    };
    return settings;
  }

  std::vector<Pc> stores;
  Device device;
  Launch launch;
  u64 out = 0;
};

// 20 blocks of two warps: eight fit on an SM of a GTX 480, two with 20 KB of 48 KB each, and one with 40 KB.
TEST(MechanismNeeds, BoundWhatIsResident) {
  for (const auto& [sharedBytes, fit] : {std::pair{u64{0}, 8u}, {u64{20} << 10, 2u}, {u64{40} << 10, 1u}}) {
    Prepared prepared({0, sharedBytes});
    EXPECT_EQ(prepared.device.occupancy(*prepared.launch.kernel, 64, 0).blocksPerSm, fit);
    EXPECT_EQ(prepared.device.launch(prepared.launch).status, exec::LaunchStatus::completed);
    EXPECT_EQ(prepared.device.timing().kernels()[0]->counters.mostBlocks, fit);
  }
}

TEST(MechanismNeeds, OfEachWarpBoundWhatIsResident) {
  Prepared prepared({.sharedBytes = u64{4} << 10, .sharedBytesOfWarp = u64{8} << 10});
  EXPECT_EQ(prepared.device.occupancy(*prepared.launch.kernel, 64, 0).blocksPerSm, 2u);
  EXPECT_EQ(prepared.device.occupancy(*prepared.launch.kernel, 128, 0).blocksPerSm, 1u);
  EXPECT_EQ(prepared.device.launch(prepared.launch).status, exec::LaunchStatus::completed);
  EXPECT_EQ(prepared.device.timing().kernels()[0]->counters.mostBlocks, 2u);
  prepared.launch.block = {512, 1, 1};
  EXPECT_EQ(prepared.device.check(prepared.launch).fault, LaunchFault::sharedMemory);
}

// 32768 registers hold 8 blocks of 2 x 32 threads with up to 64, and one with up to 512. 63 are the most that a kernel of this machine may
// name, of which those of mechanisms are none.
TEST(MechanismNeeds, OfRegistersBoundWhatIsResidentOrAreRefused) {
  Prepared none({0, 0});
  const u32 own = none.launch.kernel->registers;
  Prepared most({63 - own, 0});
  EXPECT_EQ(most.device.check(most.launch).fault, LaunchFault::none);
  EXPECT_EQ(most.device.launch(most.launch).status, exec::LaunchStatus::completed);
  EXPECT_GT(most.device.timing().kernels()[0]->counters.allocatedRegisters, none.device.timing().kernels().empty() ? 0u : 1u);
  Prepared more({500 - own, 0});
  EXPECT_EQ(more.device.occupancy(*more.launch.kernel, 64, 0).blocksPerSm, 1u);
  EXPECT_EQ(more.device.launch(more.launch).status, exec::LaunchStatus::completed);
  Prepared tooMany({513 - own, 0});
  EXPECT_EQ(tooMany.device.check(tooMany.launch).fault, LaunchFault::resources);
  EXPECT_THROW(tooMany.device.launch(tooMany.launch), Error);
}

TEST(LaunchNotes, AreFoundByTheInstructionThatIssues) {
  Prepared prepared({0, 0});
  EXPECT_EQ(prepared.device.launch(prepared.launch).status, exec::LaunchStatus::completed);
  ASSERT_EQ(prepared.stores.size(), 40u) << "one a warp";
  for (const Pc pc : prepared.stores) EXPECT_EQ(prepared.launch.module->loaded->program.code.at(pc).opcode, isa::Opcode::st);
}

TEST(LaunchNotes, AreKeptByType) {
  struct One {
    u32 value = 1;
  };
  struct Two {
    u32 value = 2;
  };
  sm::LaunchNotes notes;
  EXPECT_EQ(notes.find<One>(), nullptr);
  notes.add(One{7});
  notes.add(Two{});
  EXPECT_EQ(notes.find<One>()->value, 7u);
  EXPECT_EQ(notes.find<Two>()->value, 2u);
  notes.add(One{8});
  EXPECT_EQ(notes.find<One>()->value, 8u);
}

}  // namespace
}  // namespace warpwright::runtime
