// A small assembler for tests of the engine: builds isa::Program by hand.
#pragma once

#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "exec/launch.hpp"
#include "isa/program.hpp"

namespace warpwright::testing {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

inline Operand R(u32 index) { return Operand::makeRegister(index); }
inline Operand P(u32 index) { return Operand::makePredicate(index); }
inline Operand notP(u32 index) { return Operand::makePredicate(index, true); }
inline Operand imm(u64 bits) { return Operand::makeImmediate(bits); }
inline Operand param(u64 offset) { return Operand::makeParam(offset); }

class Assembler {
 public:
  Assembler() { program.sourceName = "test.ptx"; }

  Pc here() const { return Pc(static_cast<u32>(program.code.size())); }

  // Every instruction gets its own PTX line, 100 + its index, so that reports can be checked.
  isa::Instruction& emit(Opcode opcode, DataType type, std::initializer_list<Operand> destinations = {},
                         std::initializer_list<Operand> sources = {}) {
    isa::Instruction instruction;
    instruction.opcode = opcode;
    instruction.type = type;
    std::copy(destinations.begin(), destinations.end(), instruction.destinations.begin());
    std::copy(sources.begin(), sources.end(), instruction.sources.begin());
    instruction.ptxLine = 100 + here();
    program.code.push_back(instruction);
    return program.code.back();
  }
  isa::Instruction& special(u32 destination, isa::SpecialRegister which) {
    isa::Instruction& i = emit(Opcode::s2r, DataType::u32, {R(destination)});
    i.modifiers.special = which;
    return i;
  }
  isa::Instruction& load(isa::Space space, DataType type, u32 destination, Operand address, s64 offset = 0, u8 vector = 1) {
    isa::Instruction& i = emit(Opcode::ld, type, {R(destination)}, {address});
    i.modifiers.space = space;
    i.offset = offset;
    i.vector = vector;
    return i;
  }
  isa::Instruction& store(isa::Space space, DataType type, Operand address, Operand value, s64 offset = 0, u8 vector = 1) {
    isa::Instruction& i = emit(Opcode::st, type, {}, {address, value});
    i.modifiers.space = space;
    i.offset = offset;
    i.vector = vector;
    return i;
  }
  isa::Instruction& compare(u32 predicate, isa::Compare how, DataType type, Operand a, Operand b) {
    isa::Instruction& i = emit(Opcode::setp, type, {P(predicate)}, {a, b});
    i.modifiers.compare = how;
    return i;
  }
  // Branch with a condition; targets are patched by setTarget when they lie ahead.
  Pc branch(Operand condition, u32 target = isa::kNoTarget, u32 reconvergence = isa::kNoTarget) {
    isa::Instruction& i = emit(Opcode::bra, DataType::u32);
    i.guard = condition;
    i.target = target;
    i.reconvergence = reconvergence;
    return previous(here());
  }
  Pc jump(u32 target = isa::kNoTarget) { return branch(P(isa::kTruePredicate), target); }
  isa::Instruction& at(u32 index) { return program.code[index]; }
  void exit() { emit(Opcode::exit, DataType::u32); }
  void barrier(u32 number = 0) { emit(Opcode::bar_sync, DataType::u32, {}, {imm(number)}).modifiers.aligned = true; }

  // Linear thread number of the grid (one-dimensional) in R(destination); R(destination + 1) is overwritten.
  void globalThread(u32 destination) {
    special(destination, isa::SpecialRegister::ctaid_x);
    special(destination + 1, isa::SpecialRegister::ntid_x);
    emit(Opcode::mul_lo, DataType::u32, {R(destination)}, {R(destination), R(destination + 1)});
    special(destination + 1, isa::SpecialRegister::tid_x);
    emit(Opcode::add, DataType::u32, {R(destination)}, {R(destination), R(destination + 1)});
  }
  // R(pair) = pointer parameter + index * scale
  void elementAddress(u32 pair, u32 parameterOffset, Operand index, u32 scale = 4) {
    emit(Opcode::mad_wide, DataType::u32, {R(pair)}, {index, imm(scale), param(parameterOffset)});
  }

  // The code since the last function becomes one more.
  isa::Function& function(const std::string& name, bool isKernel = true) {
    isa::Function f;
    f.name = name;
    f.isKernel = isKernel;
    f.begin = program.functions.empty() ? Pc{0} : program.functions.back().end;
    f.end = here();
    program.functions.push_back(f);
    return program.functions.back();
  }

  isa::Program program;
};

// Collects what a kernel prints.
class Printer : public exec::HostServices {
 public:
  void print(std::string_view part) override { text += part; }
  void printError(std::string_view line) override { errors += line; }
  std::string text, errors;
};

// Runs the program's first kernel.
class Runner {
 public:
  explicit Runner(exec::GlobalMemory::Options options = {64, u64{64} << 20, false}) : memory(options) {}

  // Zeroed device memory.
  template <typename T>
  T* array(std::size_t count, const std::string& label = {}) {
    return reinterpret_cast<T*>(exec::GlobalMemory::hostPointer(*memory.allocate(count * sizeof(T), exec::AllocationKind::device, label)));
  }
  template <typename T>
  void pass(T value) {
    const std::size_t at = (parameters.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    parameters.resize(at + sizeof(T));
    std::memcpy(parameters.data() + at, &value, sizeof(T));
  }
  exec::LaunchResult run(const isa::Program& program, Dim3 grid, Dim3 block) {
    loaded = exec::load(program, memory);
    launch->program = loaded.get();
    launch->kernel = nullptr;
    for (const isa::Function& function : loaded->program.functions) {
      if (function.isKernel && !launch->kernel) launch->kernel = &function;
    }
    launch->grid = grid;
    launch->block = block;
    launch->parameters = parameters;
    request.host = &printer;
    return exec::launch(request, memory);
  }

  exec::GlobalMemory memory;
  std::shared_ptr<exec::Launch> launch = std::make_shared<exec::Launch>();
  exec::LaunchRequest request{launch};
  std::vector<u8> parameters;
  Printer printer;
  std::unique_ptr<exec::LoadedProgram> loaded;
};

}  // namespace warpwright::testing
