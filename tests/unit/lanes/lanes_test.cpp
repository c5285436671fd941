// The vector lanes against the scalar semantics: every variant, every host level, warps of 32 and 64, any mask, bit for bit.
#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "exec/lane_function.hpp"
#include "isa/disassembler.hpp"
#include "isa/evaluate.hpp"
#include "unit/lanes/variants.hpp"

namespace warpwright::exec {
namespace {

using isa::DataType;
using isa::Instruction;

constexpr u32 kRegisters = 24;
constexpr u32 kPredicates = isa::kPredicates + 1;

// A warp's registers and predicates with one instruction's operands laid out in them.
class Warp {
 public:
  Warp(const Instruction& instruction, u32 lanes, std::mt19937_64& random) : instruction_(instruction), lanes_(lanes), random_(random) {
    registers_.resize(kRegisters * lanes);
    pool_.resize(kRegisters * lanes);
    fill();
    place();
  }

  void run(HostLevel level, LaneMask executing) {
    decoded_.function = findLaneFunction(instruction_, lanes_, level);
    const LaneState state{registers_.data(), pool_.data(), predicates_.data()};
    decoded_.function(decoded_, state, executing);
  }

  // The state that the scalar semantics give.
  void runScalar(LaneMask executing) {
    const isa::OpcodeInfo& row = isa::info(instruction_.opcode);
    for (u32 lane = 0; lane < lanes_; ++lane) {
      if (!executing.contains(lane)) continue;
      isa::OperandValues sources{};
      for (u32 i = 0; i < row.sources.size(); ++i) sources[i] = read(decoded_.sources[i], typeOf(row.sources[i]), lane);
      const isa::OperandValues results = isa::evaluate(instruction_, sources);
      for (u32 i = 0; i < row.destinations.size(); ++i) write(decoded_.destinations[i], typeOf(row.destinations[i]), lane, results[i]);
    }
  }

  bool operator==(const Warp& other) const { return registers_ == other.registers_ && predicates_ == other.predicates_; }

  std::string difference(const Warp& expected) const {
    for (u32 i = 0; i < registers_.size(); ++i) {
      if (registers_[i] == expected.registers_[i]) continue;
      const u32 lane = i % lanes_;
      std::string text = "R" + std::to_string(i / lanes_) + " lane " + std::to_string(lane) + hex(" is ", registers_[i]) +
                         hex(" instead of ", expected.registers_[i]) + "; sources";
      const isa::OpcodeInfo& row = isa::info(instruction_.opcode);
      for (u32 s = 0; s < row.sources.size(); ++s)
        text += hex(" ", original_ ? original_->read(decoded_.sources[s], typeOf(row.sources[s]), lane) : 0);
      return text;
    }
    for (u32 i = 0; i < predicates_.size(); ++i) {
      if (predicates_[i] != expected.predicates_[i])
        return hex("predicate is ", predicates_[i].bits()) + hex(" instead of ", expected.predicates_[i].bits());
    }
    return "";
  }
  void setOriginal(const Warp& original) { original_ = &original; }

 private:
  static std::string hex(const char* text, u64 value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%s%llx", text, static_cast<unsigned long long>(value));
    return buffer;
  }
  DataType typeOf(char letter) const { return isa::operandType(instruction_, letter, 64); }

  u64 randomValue(DataType type) {
    const std::vector<u64>& boundary = test::boundaryValues(type);
    switch (random_() % 4) {
      case 0:
        return random_();
      case 1:
        return random_() & 63;  // shift amounts, selectors, small numbers
      default:
        return boundary[random_() % boundary.size()];
    }
  }

  void fill() {
    for (u32& word : registers_) word = static_cast<u32>(random_());
    for (u32& word : pool_) word = static_cast<u32>(random_());
    for (LaneMask& mask : predicates_) mask = LaneMask(random_()) & LaneMask::first(lanes_);
    predicates_[isa::kTruePredicate] = ~LaneMask{};
  }

  // Sources in registers 0, 2, 4, 6 (or the pool), destinations in 8, 10 … or, at times, in the place of a source.
  void place() {
    decoded_.instruction = &instruction_;
    const isa::OpcodeInfo& row = isa::info(instruction_.opcode);
    for (u32 i = 0; i < row.sources.size(); ++i) placeSource(row.sources[i], decoded_.sources[i], i);
    const u32 first = random_() % 3 == 0 ? 0 : 8;
    for (u32 i = 0; i < row.destinations.size(); ++i) {
      LaneOperand& operand = decoded_.destinations[i];
      const bool predicate = typeOf(row.destinations[i]) == DataType::pred;
      operand.present = row.destinations[i] != 'p' || (hasOptionalDestination() && random_() % 2 == 0);
      operand.bank = predicate ? LaneOperand::Bank::predicate : LaneOperand::Bank::registers;
      operand.offset = predicate ? 4 + i : (first + 2 * i) * lanes_;
    }
  }
  bool hasOptionalDestination() const { return instruction_.opcode == isa::Opcode::setp || instruction_.modifiers.carryOut; }

  void placeSource(char letter, LaneOperand& operand, u32 index) {
    const DataType type = typeOf(letter);
    operand.present = letter != 'p' || random_() % 2 == 0;
    if (type == DataType::pred) {
      operand.bank = LaneOperand::Bank::predicate;
      operand.offset = index;
      operand.negated = random_() % 2 == 0;
      return;
    }
    const bool constant = random_() % 3 == 0;
    operand.bank = constant ? LaneOperand::Bank::pool : LaneOperand::Bank::registers;
    operand.offset = 2 * index * lanes_;
    std::vector<u32>& bank = constant ? pool_ : registers_;
    for (u32 lane = 0; lane < lanes_; ++lane) {
      const u64 value = randomValue(type);
      bank[operand.offset + lane] = static_cast<u32>(value);
      bank[operand.offset + lanes_ + lane] = static_cast<u32>(value >> 32);
    }
  }

  u64 read(const LaneOperand& operand, DataType type, u32 lane) const {
    if (!operand.present) return 0;
    if (type == DataType::pred) return (predicates_[operand.offset].contains(lane)) != (operand.negated ? 1 : 0);
    const std::vector<u32>& bank = operand.bank == LaneOperand::Bank::pool ? pool_ : registers_;
    const u64 low = bank[operand.offset + lane];
    return isa::registerWords(type) == 2 ? u64{bank[operand.offset + lanes_ + lane]} << 32 | low : low;
  }
  void write(const LaneOperand& operand, DataType type, u32 lane, u64 value) {
    if (!operand.present) return;
    if (type == DataType::pred) {
      predicates_[operand.offset].set(lane, (value & 1) != 0);
      return;
    }
    registers_[operand.offset + lane] = static_cast<u32>(value);
    if (isa::registerWords(type) == 2) registers_[operand.offset + lanes_ + lane] = static_cast<u32>(value >> 32);
  }

  const Instruction& instruction_;
  u32 lanes_;
  std::mt19937_64& random_;
  std::vector<u32> registers_, pool_;
  std::array<LaneMask, kPredicates> predicates_{};
  DecodedInstruction decoded_;
  const Warp* original_ = nullptr;
};

LaneMask randomMask(std::mt19937_64& random, u32 lanes) {
  switch (random() % 4) {
    case 0:
      return LaneMask(random()) & LaneMask::first(lanes);
    case 1:
      return LaneMask::of(static_cast<u32>(random() % lanes));
    default:
      return LaneMask::first(lanes);
  }
}

void compareWithScalar(const std::vector<Instruction>& variants, HostLevel level, u32 lanes) {
  std::mt19937_64 random(lanes);
  for (const Instruction& instruction : variants) {
    for (u32 round = 0; round < 3; ++round) {
      const Warp start(instruction, lanes, random);
      const LaneMask executing = randomMask(random, lanes);
      Warp vector = start, scalar = start;
      vector.setOriginal(start);
      vector.run(level, executing);
      scalar.runScalar(executing);
      if (vector == scalar) continue;
      ADD_FAILURE() << isa::disassemble(instruction, 64) << ": " << vector.difference(scalar);
      break;
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
}

class Lanes : public ::testing::TestWithParam<std::tuple<HostLevel, u32>> {};

TEST_P(Lanes, GiveTheBitsOfTheScalarSemantics) {
  const auto [level, lanes] = GetParam();
  if (level > bestHostLevel()) GTEST_SKIP() << "this host has no " << name(level);
  const std::vector<Instruction> variants = test::laneVariants();
  EXPECT_GT(variants.size(), 3000u);
  compareWithScalar(variants, level, lanes);
}

INSTANTIATE_TEST_SUITE_P(Levels, Lanes,
                         ::testing::Combine(::testing::Values(HostLevel::portable, HostLevel::avx2, HostLevel::avx512),
                                            ::testing::Values(32u, 64u)),
                         [](const auto& parameter) {
                           return std::string(name(std::get<0>(parameter.param))) + "_" + std::to_string(std::get<1>(parameter.param));
                         });

TEST(LaneFunctions, AreNullForOperationsOfTheEngine) {
  Instruction load;
  load.opcode = isa::Opcode::ld;
  EXPECT_EQ(findLaneFunction(load, 32, HostLevel::portable), nullptr);
}

TEST(LaneFunctions, RefuseTypesThatTheTableDoesNotAllow) {
  Instruction add;
  add.opcode = isa::Opcode::add;
  add.type = DataType::u8;
  EXPECT_THROW(findLaneFunction(add, 32, HostLevel::portable), Error);
}

TEST(LaneFunctions, LeaveLanesOutsideTheMaskAlone) {
  Instruction move;
  move.opcode = isa::Opcode::mov;
  std::vector<u32> registers(64, 7);
  for (u32 lane = 0; lane < 32; ++lane) registers[32 + lane] = lane;
  std::array<LaneMask, kPredicates> predicates{};
  DecodedInstruction decoded;
  decoded.instruction = &move;
  decoded.sources[0] = {.present = true, .offset = 32};
  decoded.destinations[0] = {.present = true, .offset = 0};
  findLaneFunction(move, 32, bestHostLevel())(decoded, {registers.data(), registers.data(), predicates.data()}, LaneMask(0x8000'0002));
  for (u32 lane = 0; lane < 32; ++lane) EXPECT_EQ(registers[lane], lane == 1 || lane == 31 ? lane : 7) << lane;
}

}  // namespace
}  // namespace warpwright::exec
