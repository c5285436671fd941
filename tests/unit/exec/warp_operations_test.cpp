// Expected values follow the pseudocode and text of the PTX ISA for shfl, vote, match, redux, activemask, elect.
#include <gtest/gtest.h>

#include <functional>

#include "unit/exec/assembler.hpp"

namespace warpwright::testing {
namespace {

using exec::LaunchStatus;
using isa::Compare;
using isa::ShuffleMode;
using isa::Space;
using isa::SpecialRegister;
using isa::VoteMode;

constexpr u64 kAll = 0xffff'ffff;

// Runs body with R(0) = lane, stores R(4) and P(1) of each lane; P(1) in bit 31… of a second array.
struct Outcome {
  std::vector<u32> value, predicate;
};
Outcome perLane(const std::function<void(Assembler&)>& body, u32 warpSize = 32) {
  Assembler a;
  a.special(0, SpecialRegister::laneid);
  body(a);
  a.emit(Opcode::selp, DataType::u32, {R(5)}, {imm(1), imm(0), P(1)});
  a.elementAddress(6, 0, R(0));
  a.elementAddress(8, 8, R(0));
  a.store(Space::global, DataType::u32, R(6), R(4));
  a.store(Space::global, DataType::u32, R(8), R(5));
  a.exit();
  a.function("perLane").parameterBytes = 16;
  Runner runner;
  runner.request.limits.warpSize = warpSize;
  u32* value = runner.array<u32>(warpSize);
  u32* predicate = runner.array<u32>(warpSize);
  runner.pass(value), runner.pass(predicate);
  const auto result = runner.run(a.program, {1}, {warpSize});
  EXPECT_EQ(result.status, LaunchStatus::completed) << result.message;
  return {{value, value + warpSize}, {predicate, predicate + warpSize}};
}

Outcome shuffled(ShuffleMode mode, u32 b, u32 c) {
  return perLane([&](Assembler& a) {
    a.emit(Opcode::add, DataType::u32, {R(2)}, {R(0), imm(100)});
    a.emit(Opcode::shfl, DataType::u32, {R(4), P(1)}, {R(2), imm(b), imm(c), imm(kAll)}).modifiers.shuffle = mode;
  });
}

TEST(Shuffle, UpDownButterflyIndex) {
  const Outcome up = shuffled(ShuffleMode::up, 3, 0);
  const Outcome down = shuffled(ShuffleMode::down, 5, 31);
  const Outcome butterfly = shuffled(ShuffleMode::bfly, 7, 31);
  const Outcome index = shuffled(ShuffleMode::idx, 9, 31);
  for (u32 lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(up.value[lane], 100 + (lane >= 3 ? lane - 3 : lane));
    EXPECT_EQ(up.predicate[lane], lane >= 3);
    EXPECT_EQ(down.value[lane], 100 + (lane + 5 < 32 ? lane + 5 : lane));
    EXPECT_EQ(down.predicate[lane], lane + 5 < 32);
    EXPECT_EQ(butterfly.value[lane], 100 + (lane ^ 7));
    EXPECT_EQ(index.value[lane], 109u);
    EXPECT_EQ(index.predicate[lane], 1u);
  }
}

TEST(Shuffle, SegmentsOfEight) {
  // As CUDA's width 8: c = (32 - 8) << 8 | 0x1f, and | 0 for up.
  const Outcome down = shuffled(ShuffleMode::down, 2, 0x181f);
  const Outcome up = shuffled(ShuffleMode::up, 2, 0x1800);
  const Outcome index = shuffled(ShuffleMode::idx, 3, 0x181f);
  for (u32 lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(down.value[lane], 100 + (lane % 8 + 2 < 8 ? lane + 2 : lane));
    EXPECT_EQ(up.value[lane], 100 + (lane % 8 >= 2 ? lane - 2 : lane));
    EXPECT_EQ(index.value[lane], 100 + lane / 8 * 8 + 3);
  }
}

TEST(Vote, AllAnyUniBallot) {
  const auto vote = [](VoteMode mode, u32 bound) {
    return perLane([&](Assembler& a) {
      a.compare(0, Compare::lt, DataType::u32, R(0), imm(bound));
      if (mode == VoteMode::ballot) {
        a.emit(Opcode::vote, DataType::u32, {R(4)}, {P(0), imm(kAll)}).modifiers.vote = mode;
      } else {
        a.emit(Opcode::vote, DataType::pred, {P(1)}, {P(0), imm(kAll)}).modifiers.vote = mode;
      }
    });
  };
  EXPECT_EQ(vote(VoteMode::ballot, 12).value[31], 0xfffu);
  EXPECT_EQ(vote(VoteMode::all, 31).predicate[0], 0u);
  EXPECT_EQ(vote(VoteMode::all, 32).predicate[0], 1u);
  EXPECT_EQ(vote(VoteMode::any, 1).predicate[31], 1u);
  EXPECT_EQ(vote(VoteMode::any, 0).predicate[31], 0u);
  EXPECT_EQ(vote(VoteMode::uni, 0).predicate[5], 1u);
  EXPECT_EQ(vote(VoteMode::uni, 5).predicate[5], 0u);
  EXPECT_EQ(vote(VoteMode::uni, 32).predicate[5], 1u);
}

TEST(Vote, TilesVoteSideBySide) {
  const Outcome tiles = perLane([](Assembler& a) {
    a.emit(Opcode::and_, DataType::u32, {R(2)}, {R(0), imm(24)});
    a.emit(Opcode::shl, DataType::u32, {R(3)}, {imm(0xff), R(2)});
    a.compare(0, Compare::ge, DataType::u32, R(0), imm(13));
    a.emit(Opcode::vote, DataType::u32, {R(4)}, {P(0), R(3)}).modifiers.vote = VoteMode::ballot;
  });
  EXPECT_EQ(tiles.value[0], 0u);
  EXPECT_EQ(tiles.value[8], 0x0000'e000u);
  EXPECT_EQ(tiles.value[16], 0x00ff'0000u);
  EXPECT_EQ(tiles.value[31], 0xff00'0000u);
}

TEST(Match, AnyAndAll) {
  const Outcome any = perLane([](Assembler& a) {
    a.emit(Opcode::and_, DataType::u32, {R(2)}, {R(0), imm(3)});
    a.emit(Opcode::match, DataType::u32, {R(4)}, {R(2), imm(kAll)});
  });
  for (u32 lane = 0; lane < 32; ++lane) EXPECT_EQ(any.value[lane], 0x1111'1111u << lane % 4);
  const auto all = [](u32 bits) {
    return perLane([&](Assembler& a) {
      a.emit(Opcode::and_, DataType::u32, {R(2)}, {R(0), imm(bits)});
      a.emit(Opcode::match, DataType::u32, {R(4), P(1)}, {R(2), imm(kAll)}).modifiers.matchAll = true;
    });
  };
  EXPECT_EQ(all(0).value[7], 0xffff'ffffu);
  EXPECT_EQ(all(0).predicate[7], 1u);
  EXPECT_EQ(all(1).value[7], 0u);
  EXPECT_EQ(all(1).predicate[7], 0u);
}

TEST(Redux, ReducesOverTheMembers) {
  const auto redux = [](isa::AtomicOp op, DataType type, u32 mask, s32 shift) {
    return perLane([&](Assembler& a) {
             a.emit(Opcode::sub, DataType::u32, {R(2)}, {R(0), imm(static_cast<u32>(shift))});
             a.emit(Opcode::vote, DataType::u32, {R(4)}, {P(isa::kTruePredicate), imm(kAll)}).modifiers.vote = VoteMode::ballot;
             a.compare(0, Compare::lt, DataType::u32, R(0), imm(mask == kAll ? 32 : 8));
             const u32 split = a.branch(notP(0));
             a.emit(Opcode::redux, type, {R(4)}, {R(2), imm(mask)}).modifiers.atomic = op;
             a.at(split).target = a.at(split).reconvergence = a.here();
           })
        .value;
  };
  EXPECT_EQ(redux(isa::AtomicOp::add, DataType::u32, kAll, 0)[3], 496u);
  EXPECT_EQ(redux(isa::AtomicOp::add, DataType::u32, 0xff, 0)[3], 28u);
  EXPECT_EQ(redux(isa::AtomicOp::min, DataType::s32, kAll, 10)[3], static_cast<u32>(-10));
  EXPECT_EQ(redux(isa::AtomicOp::min, DataType::u32, kAll, 10)[3], 0u);
  EXPECT_EQ(redux(isa::AtomicOp::max, DataType::s32, kAll, 10)[3], 21u);
  EXPECT_EQ(redux(isa::AtomicOp::or_, DataType::u32, 0xff, 0)[3], 7u);
  EXPECT_EQ(redux(isa::AtomicOp::xor_, DataType::u32, 0xff, 0)[3], 0u);
}

TEST(Elect, TheLowestMemberLeads) {
  const Outcome elect = perLane([](Assembler& a) { a.emit(Opcode::elect, DataType::u32, {R(4), P(1)}, {imm(kAll)}); });
  for (u32 lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(elect.value[lane], 0u);
    EXPECT_EQ(elect.predicate[lane], lane == 0);
  }
}

TEST(ActiveMask, ShowsThePath) {
  const Outcome mask = perLane([](Assembler& a) {
    a.compare(0, Compare::lt, DataType::u32, R(0), imm(5));
    const u32 split = a.branch(P(0));
    a.emit(Opcode::activemask, DataType::u32, {R(4)});
    a.at(split).target = a.at(split).reconvergence = a.here();
  });
  EXPECT_EQ(mask.value[0], 0u);
  EXPECT_EQ(mask.value[5], 0xffff'ffe0u);
}

// Both sides of a branch come to the same function-like tail one after the other; the operation waits for all its members.
TEST(Gather, DivergedLanesMeetAtAMaskedOperation) {
  Assembler a;
  a.special(0, SpecialRegister::laneid);
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(7));
  const u32 split = a.branch(P(0));  // no meeting point: both sides reach the tail on their own
  a.emit(Opcode::mov, DataType::u32, {R(2)}, {imm(1)});
  const u32 over = a.jump();
  a.at(split).target = a.here();
  a.emit(Opcode::mov, DataType::u32, {R(2)}, {imm(100)});
  a.at(over).target = a.here();
  const u32 tail = a.here();
  a.emit(Opcode::redux, DataType::u32, {R(4)}, {R(2), imm(kAll)}).modifiers.atomic = isa::AtomicOp::add;
  a.elementAddress(6, 0, R(0));
  a.store(Space::global, DataType::u32, R(6), R(4));
  a.exit();
  a.function("gather").parameterBytes = 8;
  for (const auto policy : {exec::Reconvergence::stack, exec::Reconvergence::independent}) {
    Runner runner;
    runner.request.limits.reconvergence = policy;
    u32* out = runner.array<u32>(32);
    runner.pass(out);
    const auto result = runner.run(a.program, {1}, {32});
    ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
    for (u32 lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], 725u);
    EXPECT_EQ(result.counts[tail].warps, 1u);
    EXPECT_EQ(result.counts[tail].lanes, 32u);
    EXPECT_EQ(result.counts[tail + 1].warps, 1u);
  }
}

TEST(Gather, WaitingForALaneThatNeverComesIsReported) {
  Assembler a;
  a.special(0, SpecialRegister::laneid);
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(7));
  const u32 split = a.branch(P(0));
  a.emit(Opcode::warpsync, DataType::u32, {}, {imm(kAll)});
  const u32 over = a.jump();
  a.at(split).target = a.here();
  a.barrier(3);
  a.at(split).reconvergence = a.at(over).target = a.here();
  a.exit();
  a.function("never");
  for (const auto policy : {exec::Reconvergence::stack, exec::Reconvergence::independent}) {
    Runner runner;
    runner.request.limits.reconvergence = policy;
    const auto result = runner.run(a.program, {1}, {32});
    EXPECT_EQ(result.status, LaunchStatus::hang);
    EXPECT_NE(result.message.find("lanes 7-31: wait for the other lanes of the member mask at test.ptx:103"), std::string::npos)
        << result.message;
  }
}

TEST(Gather, ExitedLanesAreNotNeeded) {
  const Outcome outcome = perLane([](Assembler& a) {
    a.compare(0, Compare::ge, DataType::u32, R(0), imm(20));
    a.emit(Opcode::exit, DataType::u32).guard = P(0);
    a.emit(Opcode::vote, DataType::u32, {R(4)}, {P(isa::kTruePredicate), imm(kAll)}).modifiers.vote = VoteMode::ballot;
  });
  EXPECT_EQ(outcome.value[0], 0xfffffu);
  EXPECT_EQ(outcome.value[20], 0u);
}

TEST(WideWarp, HalvesSeeTheirOwnBits) {
  const Outcome outcome = perLane(
      [](Assembler& a) {
        a.compare(0, Compare::ge, DataType::u32, R(0), imm(40));
        a.emit(Opcode::vote, DataType::u32, {R(4)}, {P(0), imm(kAll)}).modifiers.vote = VoteMode::ballot;
      },
      64);
  EXPECT_EQ(outcome.value[3], 0u);
  EXPECT_EQ(outcome.value[50], 0xffff'ff00u);
}

}  // namespace
}  // namespace warpwright::testing
