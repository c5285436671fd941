#include "compiler/analysis/analysis.hpp"

namespace warpwright::compiler {
namespace {

bool isOfTheProgram(const MachineInstruction& instruction) {
  return (instruction.role == Role::own || instruction.role == Role::rematerialised) && instruction.number != kNone;
}

}  // namespace

Marking::Marking(const std::vector<const AnalysisKind*>& kinds) {
  for (const AnalysisKind* kind : kinds) running_.push_back({kind, kind->make(), {}});
}

void Marking::mark(const MachineFunction& numbered) {
  for (Running& each : running_) each.marks = each.analysis->mark(numbered);
}

std::vector<std::vector<u32>> Marking::follow(const MachineFunction& finished) const {
  std::vector<std::vector<u32>> result;
  for (const Running& each : running_) {
    std::vector<u32>& marks = result.emplace_back();
    for (const MachineInstruction& instruction : finished.code)
      marks.push_back(isOfTheProgram(instruction) ? each.marks.at(instruction.number) : 0);
  }
  return result;
}

void Marking::store(const std::vector<std::vector<std::vector<u32>>>& byFunction, isa::Program& program) {
  for (std::size_t i = 0; i < running_.size(); ++i) {
    isa::Marks& marks = program.marks[std::string(running_[i].kind->name)];
    for (const auto& function : byFunction)
      if (!function.empty()) marks.of.insert(marks.of.end(), function[i].begin(), function[i].end());
    marks.table = running_[i].analysis->table();
  }
}

}  // namespace warpwright::compiler
