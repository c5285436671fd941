#include "runtime/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/demangle.hpp"
#include "base/memory_units.hpp"
#include "base/nearest.hpp"
#include "mechanisms/kernel_names.hpp"

namespace warpwright::runtime {
namespace {

constexpr u64 kMostWords = 4;  // of a point: the operands of an instruction

u32 lineOf(const ptx::Instruction& instruction) { return instruction.sourceLine != 0 ? instruction.sourceLine : instruction.line; }

u64 wordsIn(u64 bytes) { return (bytes + kWordBytes - 1) / kWordBytes; }

using Wanted = mechanisms::RegistersAt::Wanted;

// What one function wants of the kernels of its module.
class Points {
 public:
  Points(ptx::Module& module, u32 function) : module_(module), function_(function) {}

  void add(const mechanisms::RegistersAt& wanted) {
    // Whoever wants them refuses a function whose parameters or results do not fit, with what it knows of them.
    const auto isBeyond = [](const std::optional<u32>& position, const auto& all) { return position && *position >= all.size(); };
    const auto isMissing = [&](const Wanted& each) {
      return isBeyond(each.parameter, function().parameters) || isBeyond(each.result, function().returns);
    };
    if (std::ranges::any_of(wanted.registers, isMissing)) return;
    for (ptx::Function& kernel : module_.functions) {
      const bool isMeant = kernel.isKernel && (wanted.kernels.empty() || mechanisms::isAmong(kernel.name, wanted.kernels));
      if (isMeant) wanted.label.empty() ? addTo(kernel, wanted) : addAtLabel(kernel, wanted);
    }
  }

 private:
  const ptx::Function& function() const { return module_.functions[function_]; }

  void addTo(ptx::Function& kernel, const mechanisms::RegistersAt& wanted) const {
    u32 before = 0;
    for (ptx::Instruction& instruction : kernel.body) {
      const u32 line = lineOf(instruction);
      if (line == wanted.line && line != before) instruction.observed.push_back(observationOf(kernel, wanted));
      before = line;
    }
  }

  void addAtLabel(ptx::Function& kernel, const mechanisms::RegistersAt& wanted) const {
    for (const ptx::Label& label : kernel.labels)
      if (label.name == wanted.label && label.position < kernel.body.size())
        kernel.body[label.position].observed.push_back(observationOf(kernel, wanted));
  }

  ptx::Observation observationOf(const ptx::Function& kernel, const mechanisms::RegistersAt& wanted) const {
    ptx::Observation observation{function_, {}};
    u64 words = 0;
    for (const Wanted& each : wanted.registers) {
      const u32 reg = registerOf(kernel, each);
      observation.registers.push_back({.reg = reg, .mayChange = each.result.has_value()});
      words += wordsIn(ptx::sizeOf(kernel.registers[reg].type));
    }
    if (words > kMostWords)
      refuse(fmt::format("wants {} words of registers at a point, and may have {}", words, kMostWords), "ask for fewer, or narrower ones");
    return observation;
  }

  u32 registerOf(const ptx::Function& kernel, const Wanted& wanted) const {
    const auto found = std::ranges::find(kernel.registers, wanted.name, &ptx::Register::name);
    if (found == kernel.registers.end()) refuseName(kernel, wanted.name);
    if (found->type == ptx::Type::pred)
      refuse(fmt::format("wants the predicate '{}' of kernel '{}'", wanted.name, demangled(kernel.name)),
             "predicates are in no register: ask for what the program makes them of");
    if (wanted.parameter) requireSameWords(kernel, *found, function().parameters[*wanted.parameter].size);
    if (wanted.result) requireSameBytes(kernel, *found, function().returns[*wanted.result].size);
    return static_cast<u32>(found - kernel.registers.begin());
  }

  void requireSameWords(const ptx::Function& kernel, const ptx::Register& own, u64 bytes) const {
    const u64 words = wordsIn(ptx::sizeOf(own.type));
    if (words == wordsIn(bytes)) return;
    refuse(fmt::format("has {} words for the register '{}' of kernel '{}', which has {}", wordsIn(bytes), own.name, demangled(kernel.name),
                       words),
           "declare the parameter as wide as the register");
  }

  // The upper part of a word that holds a narrower register is the program's own: nobody else knows what it must be.
  void requireSameBytes(const ptx::Function& kernel, const ptx::Register& own, u64 bytes) const {
    if (ptx::sizeOf(own.type) == bytes) return;
    refuse(fmt::format("has a result of {} bytes for the register '{}' of kernel '{}', which has {}", bytes, own.name,
                       demangled(kernel.name), ptx::sizeOf(own.type)),
           bytes > ptx::sizeOf(own.type) && ptx::sizeOf(own.type) < kWordBytes
               ? "results go to registers of whole words: name one of 32 bits or more"
               : "declare the result as wide as the register");
  }

  [[noreturn]] void refuseName(const ptx::Function& kernel, const std::string& name) const {
    std::vector<std::string> names;
    for (const ptx::Register& each : kernel.registers) names.push_back(each.name);
    const std::string near = nearestName(name, names);
    refuse(fmt::format("wants the register '{}' of kernel '{}', which has none of that name", name, demangled(kernel.name)),
           near.empty() ? "name one of its PTX (--dump writes it)" : fmt::format("did you mean '{}'?", near));
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
    throw Error(fmt::format("'{}' {}", demangled(function().name), what), {module_.sourceName, function().line, function().column}, remedy);
  }

  ptx::Module& module_;
  const u32 function_;
};

}  // namespace

void addPoints(ptx::Module& module, const mechanisms::Mechanisms& mechanisms) {
  for (u32 number = 0; number < module.functions.size(); ++number) {
    const ptx::Function& function = module.functions[number];
    const SourcePosition where{module.sourceName, function.line, function.column};
    std::vector<std::string> pragmas;
    for (const ptx::Pragma& each : function.pragmas) pragmas.push_back(each.text);
    if (pragmas.empty()) continue;
    for (const auto& mechanism : mechanisms)
      for (const mechanisms::RegistersAt& wanted : mechanism->registersFor(function.name, pragmas, where))
        Points(module, number).add(wanted);
  }
}

}  // namespace warpwright::runtime
