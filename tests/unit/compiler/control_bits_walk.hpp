// Checks control bits by walking through code as a thread does, along ways that its branches leave open, and knows nothing of how the
// compiler found them: no register is read or overwritten before its time has come.
#pragma once

#include <fmt/format.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "isa/disassembler.hpp"
#include "isa/program.hpp"
#include "isa/result_pipe.hpp"

namespace warpwright::testing {

class ControlBitsWalk {
 public:
  ControlBitsWalk(const isa::Program& program, const isa::Function& function, const isa::IssueTiming& timing)
      : program_(program), function_(function), timing_(timing) {
    for (Pc pc = function.begin; pc < function.end; ++pc) {
      reads_.push_back(unitsOf(program.code[pc], false));
      writes_.push_back(unitsOf(program.code[pc], true));
    }
  }

  // From the entry, at most so many instructions. Gives what is wrong; empty: nothing.
  std::string run(u64 seed, u32 instructions) {
    random_.seed(seed);
    now_ = 0;
    ready_.clear();
    guards_.clear();
    access_ = 0;
    open_.clear();
    Pc pc = function_.begin;
    for (u32 i = 0; i < instructions && pc != kNoPc && pc < function_.end; ++i) {
      const std::string problem = issue(pc);
      if (!problem.empty())
        return fmt::format("{} at {}: {}: {}", function_.name, u32{pc}, isa::disassemble(program_.code[pc], program_.addressBits), problem);
      pc = follow(pc);
    }
    return {};
  }

 private:
  // Predicates count from 1000 on.
  using Units = std::set<u32>;
  // An instruction whose time nobody knows: it will write (or has yet to read) the unit until its counter is waited for.
  struct Open {
    u32 unit = 0;
    bool writes = false;
    u8 counter = isa::ControlBits::kNoCounter;
    u64 since = 0;
  };

  Units unitsOf(const isa::Instruction& instruction, bool written) const {
    const isa::OpcodeInfo& row = isa::info(instruction.opcode);
    const std::string_view letters = written ? row.destinations : row.sources;
    Units units;
    for (u32 i = 0; i < letters.size(); ++i) {
      const isa::Operand& operand = written ? instruction.destinations[i] : instruction.sources[i];
      if (operand.kind == isa::Operand::Kind::predicate && operand.index != isa::kTruePredicate) units.insert(1000 + operand.index);
      if (operand.kind != isa::Operand::Kind::reg) continue;
      units.insert(operand.index);
      for (u32 w = 1; w < isa::operandWords(instruction, letters[i], program_.addressBits); ++w) units.insert(operand.index + w);
    }
    if (!written && instruction.guard.index != isa::kTruePredicate) units.insert(1000 + instruction.guard.index);
    return units;
  }

  std::string issue(Pc pc) {
    const isa::Instruction& instruction = program_.code[pc];
    const isa::ControlBits& bits = program_.control[pc];
    if (bits.stall == 0 || bits.stall > isa::kMostStall) return fmt::format("stalls for {} cycles", bits.stall);
    // A counter is seen from the second cycle behind the issue on.
    std::erase_if(open_, [&](const Open& each) {
      return each.counter != isa::ControlBits::kNoCounter && (bits.waits >> each.counter & 1) != 0 && each.since + 2 <= now_;
    });
    const Units &reads = reads_[pc - function_.begin], &writes = writes_[pc - function_.begin];
    const isa::Production production = isa::productionOf(instruction, timing_);
    const u64 latency = production == isa::Production::fixed ? timing_.latency[static_cast<u32>(isa::latencyOf(instruction))] : 0;
    const isa::ResultPipe pipe = isa::resultPipeOf(instruction);
    for (const u32 unit : reads) {
      if (isWritten(unit)) return fmt::format("reads {} before it is written", unit);
      const u64 ready = readyFor(unit, pipe);
      if (ready > now_) return fmt::format("reads {} {} cycles early", unit, ready - now_);
    }
    const u32 guard = 1000 + instruction.guard.index;
    if (instruction.guard.index != isa::kTruePredicate && guards_[guard] > now_)
      return fmt::format("is guarded by {} {} cycles early", guard, guards_[guard] - now_);
    const bool isAccess = isa::unitOf(instruction) == isa::Unit::load_store;
    if (isAccess && access_ > now_) return fmt::format("accesses memory {} cycles early", access_ - now_);
    for (const u32 unit : writes) {
      if (isOpen(unit)) return fmt::format("overwrites {}, which is under way", unit);
      if (ready_[unit] != 0 && now_ + latency <= ready_[unit] && ready_[unit] > now_) return fmt::format("is overtaken in {}", unit);
    }
    const bool leaves =
        isa::info(instruction.opcode).flow == isa::Flow::call || (instruction.opcode == isa::Opcode::ret && !function_.isKernel);
    for (const u32 unit : writes) {
      if (production == isa::Production::fixed && now_ + latency >= ready_[unit]) from_[unit] = pipe;
      if (production == isa::Production::fixed) ready_[unit] = std::max(ready_[unit], now_ + latency);
      if (unit >= 1000) guards_[unit] = std::max(guards_[unit], now_ + timing_.guard);
      if (production == isa::Production::variable) open_.push_back({unit, true, bits.writeCounter, now_});
    }
    if (production == isa::Production::variable && isa::info(instruction.opcode).flow == isa::Flow::next) {
      const u8 counter = bits.readCounter != isa::ControlBits::kNoCounter ? bits.readCounter : bits.writeCounter;
      for (const u32 unit : reads)
        if (unit < 1000) open_.push_back({unit, false, counter, now_});
    }
    if (isAccess) access_ = now_ + timing_.memory;
    now_ += std::max<u64>(bits.distance(), decides(instruction) ? timing_.branch : 1);
    if (!leaves) return {};
    if (!open_.empty()) return fmt::format("leaves while {} is under way", open_.front().unit);
    for (const auto& [unit, time] : ready_)
      if (time > now_) return fmt::format("leaves {} cycles before {} is written", time - now_, unit);
    return {};
  }

  u64 readyFor(u32 unit, isa::ResultPipe pipe) {
    if (ready_[unit] == 0) return 0;
    return ready_[unit] + (isa::comesLater(from_[unit], pipe) ? timing_.otherPipe : 0);
  }
  bool isWritten(u32 unit) const {
    return std::any_of(open_.begin(), open_.end(), [&](const Open& each) { return each.unit == unit && each.writes; });
  }
  bool isOpen(u32 unit) const {
    return std::any_of(open_.begin(), open_.end(), [&](const Open& each) { return each.unit == unit; });
  }
  static bool decides(const isa::Instruction& instruction) {
    const isa::Flow flow = isa::info(instruction.opcode).flow;
    return flow == isa::Flow::jump || flow == isa::Flow::call || flow == isa::Flow::leave || flow == isa::Flow::pause;
  }

  Pc follow(Pc pc) {
    const isa::Instruction& instruction = program_.code[pc];
    const isa::Flow flow = isa::info(instruction.opcode).flow;
    const bool isGuarded = instruction.guard.index != isa::kTruePredicate;
    if (isGuarded && random_() % 2 == 0) return next(pc);
    if (flow == isa::Flow::leave || flow == isa::Flow::stop) return kNoPc;
    if (instruction.opcode == isa::Opcode::bra) return Pc(instruction.target);
    if (instruction.opcode != isa::Opcode::brx) return next(pc);
    const std::vector<Pc>& table = program_.branchTables[instruction.target];
    return table[random_() % table.size()];
  }

  const isa::Program& program_;
  const isa::Function& function_;
  const isa::IssueTiming& timing_;
  std::vector<Units> reads_, writes_;  // by instruction of the function
  std::mt19937_64 random_;
  u64 now_ = 0;
  std::map<u32, u64> ready_, guards_;    // guards_: when a predicate may guard
  std::map<u32, isa::ResultPipe> from_;  // which pipe writes it
  u64 access_ = 0;                       // when an instruction may access memory
  std::vector<Open> open_;
};

// Along `walks` ways through each function. Gives the first thing that is wrong.
inline std::string wrongWithControlBits(const isa::Program& program, const isa::IssueTiming& timing, u32 walks, u32 instructions) {
  for (const isa::Function& function : program.functions) {
    ControlBitsWalk walk(program, function, timing);
    for (u32 seed = 1; seed <= walks; ++seed)
      if (std::string problem = walk.run(seed, instructions); !problem.empty()) return fmt::format("walk {}: {}", seed, problem);
  }
  return {};
}

}  // namespace warpwright::testing
