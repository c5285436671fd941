// Clusters of blocks: order, special registers, shared memory of other blocks, the barrier, and what is wrong with programs that use them.
#include "exec/cluster.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "exec/stepper.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::testing {
namespace {

using exec::ClusterShape;
using exec::LaunchResult;
using exec::LaunchStatus;
using isa::kClusterStride;
using isa::Ordering;
using isa::Space;
using isa::SpecialRegister;

TEST(ClusterShapes, ClustersFollowEachOtherAndTheirBlocksTheirRanks) {
  const ClusterShape shape({4, 6, 2}, {2, 3, 1});
  EXPECT_EQ(shape.blocks(), 6u);
  EXPECT_EQ(shape.clusters(), (Dim3{2, 2, 2}));
  std::set<u64> seen;
  for (u64 order = 0; order < 48; ++order) {
    const u64 block = shape.blockAt(order);
    const Dim3 position{static_cast<u32>(block % 4), static_cast<u32>(block / 4 % 6), static_cast<u32>(block / 24)};
    const Dim3 cluster = shape.clusterOf(position);
    EXPECT_EQ(shape.rankOf(position), order % 6);
    EXPECT_EQ(cluster.x + 2 * cluster.y + 4 * cluster.z, order / 6);
    seen.insert(block);
  }
  EXPECT_EQ(seen.size(), 48u);
}

TEST(ClusterShapes, AloneBlocksKeepTheirOrder) {
  const ClusterShape shape({4, 6, 2}, {1, 1, 1});
  for (u64 order = 0; order < 48; ++order) EXPECT_EQ(shape.blockAt(order), order);
}

// R0 tid.x, R1 rank, R2:R3 out + 4 * (thread of the grid); threads are 32 a block.
struct Clusters : ::testing::Test {
  static constexpr u32 kThreads = 32;

  Clusters() {
    out = runner.array<u32>(4096, "out");
    runner.pass(out);
    a.special(0, SpecialRegister::tid_x);
    a.special(1, SpecialRegister::ctaid_x);
    a.emit(Opcode::mad_lo, DataType::u32, {R(4)}, {R(1), imm(kThreads), R(0)});
    a.elementAddress(2, 0, R(4));
    a.special(1, SpecialRegister::cluster_ctarank);
  }
  void arrive(bool relaxed = false) {
    a.emit(Opcode::cluster_arrive, DataType::u32).modifiers.ordering = relaxed ? Ordering::relaxed : Ordering::weak;
  }
  void wait() { a.emit(Opcode::cluster_wait, DataType::u32); }
  void barrier() {
    arrive();
    wait();
  }
  // R(to): the shared address of `offset` in the block with the rank in R(rank).
  void map(u32 to, Operand offset, Operand rank) { a.emit(Opcode::mapa, DataType::u32, {R(to)}, {offset, rank}); }
  // R(to) = (rank + 1) % 4
  void nextRank(u32 to) {
    a.emit(Opcode::add, DataType::u32, {R(to)}, {R(1), imm(1)});
    a.emit(Opcode::and_, DataType::u32, {R(to)}, {R(to), imm(3)});
  }
  // Predicate p: the block has this rank.
  void hasRank(u32 p, u32 rank) { a.compare(p, isa::Compare::eq, DataType::u32, R(1), imm(rank)); }
  isa::Instruction& loadShared(u32 to, Operand address) { return word(a.load(Space::shared, DataType::u32, to, address)); }
  isa::Instruction& storeShared(Operand address, Operand value) { return word(a.store(Space::shared, DataType::u32, address, value)); }
  void result(u32 value) { a.store(Space::global, DataType::u32, R(2), R(value)); }
  LaunchResult run(u32 blocks, Dim3 cluster) {
    a.exit();
    a.function("k").parameterBytes = 8;
    a.program.functions[0].sharedBytes = 1024;
    runner.launch->cluster = cluster;
    return runner.run(a.program, {blocks}, {kThreads});
  }
  static isa::Instruction& word(isa::Instruction& i) {
    i.modifiers.wordAddress = true;
    return i;
  }

  Runner runner;
  Assembler a;
  u32* out = nullptr;
};

TEST_F(Clusters, SpecialRegistersTellOfThem) {
  a.special(10, SpecialRegister::clusterid_x);
  a.special(11, SpecialRegister::nclusterid_x);
  a.special(12, SpecialRegister::cluster_ctaid_x);
  a.special(13, SpecialRegister::cluster_nctaid_x);
  a.special(14, SpecialRegister::cluster_nctarank);
  a.special(15, SpecialRegister::is_explicit_cluster);
  for (u32 i = 11; i < 16; ++i) a.emit(Opcode::mad_lo, DataType::u32, {R(10)}, {R(10), imm(10), R(i)});
  result(10);
  const LaunchResult ended = run(6, {2, 1, 1});
  ASSERT_EQ(ended.status, LaunchStatus::completed) << ended.message;
  for (u32 block = 0; block < 6; ++block) EXPECT_EQ(out[block * kThreads], block / 2 * 100000 + 30000 + block % 2 * 1000 + 221);
}

// Each block hands what it has to the next of its cluster, round and round.
TEST_F(Clusters, BlocksReadAndWriteEachOthersSharedMemory) {
  a.emit(Opcode::shl, DataType::u32, {R(5)}, {R(0), imm(2)});
  storeShared(R(5), R(4));  // own: the thread's number in the grid
  barrier();
  nextRank(6);
  map(7, R(5), R(6));
  loadShared(8, R(7));  // the next block's
  barrier();
  a.emit(Opcode::add, DataType::u32, {R(8)}, {R(8), imm(1000)});
  storeShared(R(7), R(8));
  barrier();
  loadShared(9, R(5));
  result(9);
  const LaunchResult ended = run(8, {4, 1, 1});
  ASSERT_EQ(ended.status, LaunchStatus::completed) << ended.message;
  for (u32 thread = 0; thread < 8 * kThreads; ++thread) EXPECT_EQ(out[thread], thread + 1000) << thread;
}

// Lanes of a warp go to different blocks, by generic addresses.
TEST_F(Clusters, LanesOfAnAccessGoToSeveralBlocks) {
  a.emit(Opcode::shl, DataType::u32, {R(5)}, {R(0), imm(2)});
  storeShared(R(5), R(4));
  barrier();
  a.emit(Opcode::and_, DataType::u32, {R(6)}, {R(0), imm(3)});
  a.emit(Opcode::add, DataType::u32, {R(10)}, {R(5), imm(isa::kSharedWindow)});
  a.emit(Opcode::mov, DataType::u32, {R(11)}, {imm(0)});
  a.emit(Opcode::mapa, DataType::u64, {R(12)}, {R(10), R(6)});
  a.load(Space::generic, DataType::u32, 9, R(12));
  result(9);
  barrier();
  const LaunchResult ended = run(4, {4, 1, 1});
  ASSERT_EQ(ended.status, LaunchStatus::completed) << ended.message;
  for (u32 thread = 0; thread < 4 * kThreads; ++thread) EXPECT_EQ(out[thread], thread % 4 * kThreads + thread % kThreads);
}

TEST_F(Clusters, AtomicsOfAllBlocksAddUpInOne) {
  barrier();
  map(6, imm(0), imm(0));
  isa::Instruction& add = word(a.emit(Opcode::atom, DataType::u32, {}, {R(6), imm(1)}));
  add.modifiers.space = Space::shared;
  add.modifiers.atomic = isa::AtomicOp::add;
  barrier();
  loadShared(9, imm(0));
  result(9);
  const LaunchResult ended = run(8, {8, 1, 1});
  ASSERT_EQ(ended.status, LaunchStatus::completed) << ended.message;
  EXPECT_EQ(out[0], 8 * kThreads);
  EXPECT_EQ(out[kThreads], 0u) << "the others' own";
}

TEST_F(Clusters, OthersArriveAtAnMbarrierObject) {
  const auto operation = [&](isa::MbarrierOp which, Operand address, Operand count) -> isa::Instruction& {
    isa::Instruction& i = word(a.emit(Opcode::mbarrier, DataType::u64, {}, {address, {}, count}));
    i.modifiers.mbarrier = which;
    i.modifiers.space = Space::shared;
    return i;
  };
  hasRank(0, 0);
  a.compare(1, isa::Compare::eq, DataType::u32, R(0), imm(0));
  a.emit(Opcode::selp, DataType::u32, {R(5)}, {imm(1), imm(0), P(0)});
  a.compare(2, isa::Compare::eq, DataType::u32, R(5), imm(1));
  isa::Instruction& begin = operation(isa::MbarrierOp::init, imm(0), imm(3 * kThreads));
  begin.guard = P(2);
  barrier();
  map(6, imm(0), imm(0));
  const u32 waits = a.branch(P(2));
  operation(isa::MbarrierOp::arrive, R(6), imm(1));
  a.exit();
  a.at(waits).target = a.here();
  const u32 loop = a.here();
  isa::Instruction& test = operation(isa::MbarrierOp::tryWait, imm(0), imm(0));
  test.modifiers.parity = true;
  test.destinations[1] = P(3);
  a.branch(notP(3), loop);
  a.emit(Opcode::mov, DataType::u32, {R(9)}, {imm(77)});
  result(9);
  const LaunchResult ended = run(4, {4, 1, 1});
  ASSERT_EQ(ended.status, LaunchStatus::completed) << ended.message;
  EXPECT_EQ(out[5], 77u);
}

// The arrival is one thing, the wait another: rank 0 has arrived, and goes on until rank 1 writes, before it arrives itself.
TEST_F(Clusters, ArrivalsAndWaitsAreApart) {
  hasRank(0, 0);
  const u32 others = a.branch(notP(0));
  arrive();
  const u32 loop = a.here();
  loadShared(9, imm(0)).modifiers.ordering = Ordering::relaxed;
  a.compare(1, isa::Compare::eq, DataType::u32, R(9), imm(0));
  a.branch(P(1), loop);
  result(9);
  const u32 waits = a.jump();
  a.at(others).target = a.here();
  map(6, imm(0), imm(0));
  storeShared(R(6), imm(5)).modifiers.ordering = Ordering::relaxed;
  arrive();
  a.at(waits).target = a.here();
  wait();
  const LaunchResult ended = run(2, {2, 1, 1});
  ASSERT_EQ(ended.status, LaunchStatus::completed) << ended.message;
  EXPECT_EQ(out[0], 5u);
}

TEST_F(Clusters, ThreadsThatEndAreAwaitedNoLonger) {
  hasRank(0, 2);
  const u32 others = a.branch(notP(0));
  a.exit();
  a.at(others).target = a.here();
  for (u32 i = 0; i < 3; ++i) barrier();
  a.emit(Opcode::mov, DataType::u32, {R(9)}, {imm(3)});
  result(9);
  const LaunchResult ended = run(4, {4, 1, 1});
  ASSERT_EQ(ended.status, LaunchStatus::completed) << ended.message;
  EXPECT_EQ(out[0], 3u);
  EXPECT_EQ(out[2 * kThreads], 0u);
}

TEST_F(Clusters, MoreClustersThanFitRunOneAfterTheOther) {
  runner.request.limits.residentBlocksPerSm = 6;  // one cluster of four, and no part of another
  barrier();
  result(4);
  const LaunchResult ended = run(40, {4, 1, 1});
  ASSERT_EQ(ended.status, LaunchStatus::completed) << ended.message;
  EXPECT_EQ(ended.blocksDone, 40u);
  for (u32 thread = 0; thread < 40 * kThreads; ++thread) EXPECT_EQ(out[thread], thread);
}

TEST_F(Clusters, AHungClusterIsFound) {
  hasRank(0, 1);
  const u32 others = a.branch(notP(0));
  isa::Instruction& never = a.emit(Opcode::bar_sync, DataType::u32, {}, {imm(1), imm(2 * kThreads)});
  never.modifiers.aligned = true;
  a.at(others).target = a.at(others).reconvergence = a.here();
  barrier();
  const LaunchResult ended = run(2, {2, 1, 1});
  EXPECT_EQ(ended.status, LaunchStatus::hang);
  EXPECT_NE(ended.message.find("every thread of a cluster waits"), std::string::npos) << ended.message;
  EXPECT_NE(ended.message.find("the barrier of their cluster"), std::string::npos) << ended.message;
}

TEST_F(Clusters, MemoryOfABlockThatHasEndedIsNoMore) {
  hasRank(0, 0);
  const u32 others = a.branch(notP(0));
  a.exit();
  a.at(others).target = a.here();
  map(6, imm(0), imm(0));
  loadShared(9, R(6));
  result(9);
  const LaunchResult ended = run(2, {2, 1, 1});
  EXPECT_EQ(ended.status, LaunchStatus::illegalAddress);
  EXPECT_NE(ended.message.find("the block with rank 0 of the cluster, which has ended"), std::string::npos) << ended.message;
}

TEST_F(Clusters, RanksBeyondTheClusterAreOutOfBounds) {
  map(6, imm(0), imm(2));
  loadShared(9, R(6));
  const LaunchResult ended = run(2, {2, 1, 1});
  EXPECT_EQ(ended.status, LaunchStatus::illegalAddress);
  EXPECT_NE(ended.message.find("rank 2 in a cluster of 2"), std::string::npos) << ended.message;
}

TEST_F(Clusters, BoundsHoldInTheMemoryOfOthers) {
  map(6, imm(1024), imm(1));
  loadShared(9, R(6));
  const LaunchResult ended = run(2, {2, 1, 1});
  EXPECT_EQ(ended.status, LaunchStatus::illegalAddress);
  EXPECT_NE(ended.message.find("out of bounds"), std::string::npos) << ended.message;
}

TEST_F(Clusters, MustDivideTheGrid) { EXPECT_THROW(run(6, {4, 1, 1}), Error); }

// --- races between blocks

struct ClusterRaceTest : Clusters {
  ClusterRaceTest() { runner.request.checks.races = true; }
  // Rank 0 writes into the memory of rank 1, which reads it behind `between`.
  template <class Between>
  LaunchResult handOver(Between between) {
    hasRank(0, 0);
    a.compare(1, isa::Compare::eq, DataType::u32, R(0), imm(0));
    const u32 reads = a.branch(notP(0));
    map(6, imm(0), imm(1));
    storeShared(R(6), imm(9)).guard = P(1);
    a.at(reads).target = a.at(reads).reconvergence = a.here();
    between();
    const u32 done = a.branch(P(0));
    loadShared(9, imm(0)).guard = P(1);
    a.at(done).target = a.at(done).reconvergence = a.here();
    barrier();
    return run(2, {2, 1, 1});
  }
};

TEST_F(ClusterRaceTest, TheBarrierOrders) {
  const LaunchResult ended = handOver([&] { barrier(); });
  EXPECT_EQ(ended.status, LaunchStatus::completed) << ended.message;
}

TEST_F(ClusterRaceTest, NothingElseDoes) {
  const LaunchResult ended = handOver([&] { a.barrier(); });
  EXPECT_EQ(ended.status, LaunchStatus::race);
  EXPECT_NE(ended.message.find("of block (1,0,0)"), std::string::npos) << ended.message;
  EXPECT_NE(ended.message.find("cluster.sync()"), std::string::npos) << ended.message;
}

TEST_F(ClusterRaceTest, ARelaxedArrivalOrdersNothing) {
  const LaunchResult ended = handOver([&] {
    arrive(true);
    wait();
  });
  EXPECT_EQ(ended.status, LaunchStatus::race) << ended.message;
}

TEST_F(ClusterRaceTest, AFenceBeforeItDoes) {
  const LaunchResult ended = handOver([&] {
    isa::Instruction& fence = a.emit(Opcode::fence, DataType::u32);
    fence.modifiers.ordering = Ordering::release;
    fence.modifiers.scope = isa::Scope::gpu;
    arrive(true);
    wait();
  });
  EXPECT_EQ(ended.status, LaunchStatus::completed) << ended.message;
}

// --- where the blocks run at once, each on an SM of its own

TEST_F(Clusters, StepwiseWhatOthersSeeComesBetweenQuanta) {
  map(6, imm(0), imm(1));
  storeShared(R(6), imm(55));  // of rank 0 to rank 1; of rank 1 to its own
  loadShared(9, R(6));
  arrive();
  wait();
  a.exit();
  a.function("k").parameterBytes = 8;
  a.program.functions[0].sharedBytes = 1024;
  const auto loaded = exec::load(a.program, runner.memory);
  auto launch =
      std::make_shared<exec::Launch>(exec::Launch{{{2}, {kThreads}}, loaded.get(), &loaded->program.functions.front(), runner.parameters});
  launch->cluster = Dim3{2, 1, 1};
  exec::LaunchRequest request;
  request.launch = launch;
  request.limits.multiprocessors = 2;
  exec::Cluster cluster;
  exec::Stepper first(request, runner.memory, SmId{0}, 1'000'000), second(request, runner.memory, SmId{1}, 1'000'000);
  first.start(BlockSlotId{0}, 0, &cluster);
  second.start(BlockSlotId{0}, 1, &cluster);
  const auto step = [](exec::Stepper& stepper) { return *stepper.step(BlockSlotId{0}, 0, Cycle{100}); };
  const u32 setup = 6;  // instructions up to the store
  for (u32 i = 0; i < setup; ++i) step(first);
  const exec::StepRecord stored = step(first), loads = step(first);
  EXPECT_TRUE(stored.isRemote);
  EXPECT_EQ(stored.remoteLanes[1], kThreads);
  EXPECT_TRUE(loads.isRemote);
  EXPECT_EQ(first.remoteAccesses(), 2u);
  EXPECT_EQ(first.warpRegister(BlockSlotId{0}, 0, 9)[0], 0u) << "not yet";
  for (u32 number = 0; number < 2; ++number) EXPECT_TRUE(first.performRemote(number));
  first.forgetRemote();
  EXPECT_EQ(first.warpRegister(BlockSlotId{0}, 0, 9)[0], 55u);
  for (u32 i = 0; i < setup; ++i) step(second);
  EXPECT_FALSE(step(second).isRemote) << "its own memory";
  EXPECT_FALSE(step(second).isRemote);
  step(first);
  EXPECT_TRUE(first.clustersChanged());
  EXPECT_FALSE(first.takeClusterArrival(BlockSlotId{0}));
  step(first);
  EXPECT_EQ(first.next(BlockSlotId{0}, 0).state, exec::WarpState::barrier);
  step(second);
  EXPECT_TRUE(first.takeClusterArrival(BlockSlotId{0}));
  EXPECT_EQ(second.lastArrival(BlockSlotId{0}), Cycle{100});
  first.openClusterBarrier(BlockSlotId{0});
  second.openClusterBarrier(BlockSlotId{0});
  EXPECT_EQ(first.next(BlockSlotId{0}, 0).state, exec::WarpState::ready);
  EXPECT_EQ(step(second).next.state, exec::WarpState::ready) << "it waits for what is over";
}

}  // namespace
}  // namespace warpwright::testing
