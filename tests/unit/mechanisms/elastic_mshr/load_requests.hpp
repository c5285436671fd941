// Loads as the coalescer makes them for elastic MSHRs, and launches that say how much each instruction asks for.
#pragma once

#include <memory>

#include "mechanisms/granularities.hpp"
#include "sm/launch_plan.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::mechanisms::elastic_mshr {

inline mem::Request requestFor(u64 block, u32 id, u32 pc = 0, mem::AccessType type = mem::AccessType::globalRead) {
  mem::Request request;
  request.address = GlobalAddress(block * 32);
  request.lineBytes = 32;
  request.sectors = 1;
  request.type = type;
  request.id = id;
  request.origin.launch = 0;
  request.origin.pc = Pc(pc);
  return request;
}

// Instruction number pc asks for bytes[pc].
class PlanOf {
 public:
  explicit PlanOf(std::vector<u16> bytes, u32 id = 0) {
    testing::Assembler code;
    for (std::size_t pc = 0; pc < bytes.size(); ++pc) code.emit(isa::Opcode::exit, isa::DataType::u32);
    program_.program = code.program;
    auto launch = std::make_shared<exec::Launch>();
    launch->program = &program_;
    exec::LaunchRequest request;
    request.launch = launch;
    plan_ = std::make_unique<sm::LaunchPlan>(request, config::Machine{});
    plan_->id = id;
    plan_->notes.add(Granularities{std::move(bytes)});
  }
  const sm::LaunchPlan& operator*() const { return *plan_; }
  const sm::LaunchPlan* get() const { return plan_.get(); }

 private:
  exec::LoadedProgram program_;
  std::unique_ptr<sm::LaunchPlan> plan_;
};

}  // namespace warpwright::mechanisms::elastic_mshr
