// Listens to an SM and knows nothing of control bits or scoreboards: no instruction reads a register before what is to write it has, no two
// results of a register come in the wrong order, and none comes before its old value has been read.
#pragma once

#include <fmt/format.h>

#include <deque>
#include <map>
#include <string>

#include "isa/program.hpp"
#include "sm/pipeline_listener.hpp"

namespace warpwright::testing {

class HazardChecker final : public sm::PipelineListener {
 public:
  explicit HazardChecker(u32 addressBits = 64) : addressBits_(addressBits) {}

  void issued(const sm::IssuedInstruction& what, Cycle now) override {
    ++instructions_;
    InFlight next{what, unitsOf(*what.instruction, false), unitsOf(*what.instruction, true), now};
    for (const InFlight& earlier : ofWarp(what)) {
      // Lanes that do not execute an instruction are no concern of it.
      if (earlier.what.executing.meets(what.active) && meet(earlier.writes, next.reads))
        complain(earlier, what, "reads what is not written");
    }
    ofWarp(what).push_back(std::move(next));
    warpOf_[what.number] = key(what);
  }
  void dispatched(u32 number, Cycle enters) override { find(number).readUntil = enters; }
  void operandsRead(u32 number, Cycle time) override { find(number).readUntil = time; }
  void completed(u32 number, Cycle now) override {
    std::deque<InFlight>& warp = warps_[warpOf_.at(number)];
    InFlight& done = find(number);
    for (const InFlight& earlier : warp) {
      if (earlier.what.number == number) break;
      if (!earlier.what.executing.meets(done.what.executing)) continue;
      if (meet(earlier.writes, done.writes)) complain(earlier, done.what, "writes before an earlier result");
      if (earlier.readUntil > now && meet(earlier.reads, done.writes)) complain(earlier, done.what, "writes what is not read");
    }
    std::erase_if(warp, [&](const InFlight& each) { return each.what.number == number; });
    warpOf_.erase(number);
  }

  const std::string& problem() const { return problem_; }
  u64 instructions() const { return instructions_; }

 private:
  using Units = std::vector<u32>;  // predicates count from 1000 on
  struct InFlight {
    sm::IssuedInstruction what;
    Units reads, writes;
    Cycle readUntil;
  };
  using Key = std::pair<u64, u32>;  // block, warp

  static Key key(const sm::IssuedInstruction& what) { return {what.block, what.warp}; }
  std::deque<InFlight>& ofWarp(const sm::IssuedInstruction& what) { return warps_[key(what)]; }
  InFlight& find(u32 number) {
    for (InFlight& each : warps_[warpOf_.at(number)])
      if (each.what.number == number) return each;
    throw Error("an instruction that did not issue");
  }

  Units unitsOf(const isa::Instruction& instruction, bool written) const {
    const isa::OpcodeInfo& row = isa::info(instruction.opcode);
    const std::string_view letters = written ? row.destinations : row.sources;
    Units units;
    for (u32 i = 0; i < letters.size(); ++i) {
      const isa::Operand& operand = written ? instruction.destinations[i] : instruction.sources[i];
      if (operand.kind == isa::Operand::Kind::predicate && operand.index != isa::kTruePredicate) units.push_back(1000 + operand.index);
      if (operand.kind != isa::Operand::Kind::reg) continue;
      for (u32 word = 0; word < std::max(1u, isa::operandWords(instruction, letters[i], addressBits_)); ++word)
        units.push_back(operand.index + word);
    }
    if (!written && instruction.guard.index != isa::kTruePredicate) units.push_back(1000 + instruction.guard.index);
    return units;
  }
  static bool meet(const Units& one, const Units& other) {
    return std::any_of(one.begin(), one.end(), [&](u32 unit) { return std::find(other.begin(), other.end(), unit) != other.end(); });
  }
  void complain(const InFlight& earlier, const sm::IssuedInstruction& later, const char* what) {
    if (!problem_.empty()) return;
    problem_ = fmt::format("block {}, warp {}: instruction {} {} (instruction {})", later.block, later.warp, u32{later.pc}, what,
                           u32{earlier.what.pc});
  }

  u32 addressBits_;
  std::map<Key, std::deque<InFlight>> warps_;
  std::map<u32, Key> warpOf_;
  std::string problem_;
  u64 instructions_ = 0;
};

}  // namespace warpwright::testing
