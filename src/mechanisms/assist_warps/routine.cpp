#include "mechanisms/assist_warps/routine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "base/memory_units.hpp"
#include "base/nearest.hpp"
#include "compiler/analysis/function_notes.hpp"
#include "exec/stepper.hpp"
#include "mechanisms/kernel_names.hpp"

namespace warpwright::mechanisms::assist_warps {
namespace {

// Each once, in the order in which points have them.
std::vector<RegistersAt::Wanted> registersOf(const Annotation& says) {
  std::vector<RegistersAt::Wanted> wanted;
  for (u32 i = 0; i < says.in.size(); ++i)
    if (says.in[i] == LiveIn::reg) wanted.push_back({says.registers[i], i, std::nullopt});
  for (u32 i = 0; i < says.out.size(); ++i) {
    if (says.out[i] != LiveOut::reg) continue;
    const auto found = std::ranges::find(wanted, says.changed[i], &RegistersAt::Wanted::name);
    if (found == wanted.end())
      wanted.push_back({says.changed[i], std::nullopt, i});
    else
      found->result = i;
  }
  return wanted;
}

class Reader {
 public:
  Reader(const isa::Program& program, const compiler::FunctionNote& note)
      : program_(program), note_(note), function_(*program.findFunction(note.function)) {}

  // Nothing: the function is no routine.
  std::optional<Routine> read() const {
    std::optional<Annotation> annotation;
    for (const std::string& pragma : note_.pragmas) {
      std::optional<Annotation> each = parseAnnotation(pragma, note_.where);
      if (each && annotation) refuse("it has two annotations", "write one with all keys");
      if (each) annotation = std::move(each);
    }
    if (!annotation) return std::nullopt;
    return routineOf(std::move(*annotation));
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
    throw Error(fmt::format("the routine '{}': {}", demangled(function_.name), what), note_.where, remedy);
  }

  Routine routineOf(Annotation annotation) const {
    if (function_.isKernel) refuse("a kernel is no routine", "write it as a .func");
    if (function_.sharedBytes != 0)
      refuse("it declares shared memory", "ask for it in the annotation: buffer=BYTES and in=buffer, table=BYTES and in=table");
    Routine routine;
    routine.function = &function_;
    routine.number = static_cast<u32>(&function_ - program_.functions.data());
    routine.annotation = std::move(annotation);
    const Annotation& says = routine.annotation;
    expect("in", "parameters", says.in.size(), note_.arguments.size());
    expect("out", "results", says.out.size(), note_.results.size());
    for (std::size_t i = 0; i < says.in.size(); ++i) routine.arguments.push_back(argument(says.in[i], note_.arguments[i]));
    for (std::size_t i = 0; i < says.out.size(); ++i) routine.results.push_back(result(says.out[i], note_.results[i]));
    placeAtPoint(routine);
    const auto isOfInstruction = [](const TriggerCondition& each) {
      constexpr Trigger kOther[] = {Trigger::miss,    Trigger::fill,  Trigger::idle,     Trigger::timer,
                                    Trigger::request, Trigger::fault, Trigger::missBelow};
      return std::ranges::find(kOther, each.trigger) == std::end(kOther);
    };
    const auto isTimer = [](const TriggerCondition& each) { return each.trigger == Trigger::timer; };
    routine.hasTimer = std::any_of(says.on.begin(), says.on.end(), isTimer);
    addUnitsOf(function_, routine.units);
    routine.watchesIssues = std::any_of(says.on.begin(), says.on.end(), isOfInstruction);
    return routine;
  }

  static void placeAtPoint(Routine& routine) {
    u32 operand = 0;
    for (const RegistersAt::Wanted& each : registersOf(routine.annotation)) {
      if (each.parameter) routine.arguments[*each.parameter].operand = operand;
      if (each.result) routine.results[*each.result].operand = operand;
      operand += each.parameter ? routine.arguments[*each.parameter].count : routine.results[*each.result].count;
    }
  }

  // Routines have no recursion (exec::checkRoutine), which is found out later: the depth is bounded here.
  void addUnitsOf(const isa::Function& function, UnitSet& units, u32 depth = 0) const {
    constexpr u32 kDeepest = 16;
    for (Pc pc = function.begin; pc < function.end; ++pc) {
      const isa::Instruction& instruction = program_.code.at(pc);
      units.insert(static_cast<u32>(isa::unitOf(instruction)));
      if (instruction.opcode == isa::Opcode::call && depth < kDeepest)
        addUnitsOf(program_.functions.at(instruction.target), units, depth + 1);
    }
  }

  void expect(const char* key, const char* what, std::size_t said, std::size_t there) const {
    if (said == there) return;
    refuse(fmt::format("its annotation names {} {}, and it has {}", said, what, there),
           fmt::format("{}=… says what each of them is, in their order", key));
  }

  Words argument(LiveIn what, const compiler::PassedValue& value) const {
    const u64 addressBytes = program_.addressBits / 8;
    if (what == LiveIn::address && value.bytes != addressBytes)
      refuse(fmt::format("its parameter '{}' for an address has {} bytes", value.name, value.bytes),
             fmt::format("addresses of the program have {}", addressBytes));
    return words("parameter", value);
  }

  Words result(LiveOut what, const compiler::PassedValue& value) const {
    if (what == LiveOut::count && value.bytes != kWordBytes)
      refuse(fmt::format("its result '{}' to be counted has {} bytes", value.name, value.bytes), "declare it .u32");
    if (what == LiveOut::resume && value.bytes != kWordBytes)
      refuse(fmt::format("its result '{}', which says how to go on, has {} bytes", value.name, value.bytes), "declare it .u32");
    if (what == LiveOut::map && value.bytes != program_.addressBits / 8)
      refuse(fmt::format("its result '{}' for an address has {} bytes", value.name, value.bytes),
             fmt::format("addresses of the program have {}", program_.addressBits / 8));
    return words("result", value);
  }

  Words words(const char* what, const compiler::PassedValue& value) const {
    if (value.bytes % kWordBytes != 0)
      refuse(fmt::format("its {} '{}' has {} bytes", what, value.name, value.bytes), "values come in words: declare it .b32 or .b64");
    if (!value.firstRegister)
      refuse(fmt::format("its {} '{}' lies in memory", what, value.name), "have fewer of them: twelve words are in registers");
    return {.first = *value.firstRegister, .count = static_cast<u32>(value.bytes / kWordBytes)};
  }

  const isa::Program& program_;
  const compiler::FunctionNote& note_;
  const isa::Function& function_;
};

bool isEnabled(const std::string& function, const std::string& only) {
  if (only.empty()) return true;
  const std::string list = "," + only + ",";
  return list.find("," + function + ",") != std::string::npos;
}

bool speaksOf(const Annotation& annotation, const isa::Function& kernel) {
  return annotation.kernels.empty() || isAmong(kernel.name, annotation.kernels);
}

std::vector<Routine> allOf(const isa::Program& program, const std::string& only) {
  std::vector<Routine> routines;
  for (const compiler::FunctionNote& note : compiler::functionNotes(program)) {
    if (!isEnabled(note.function, only)) continue;
    if (std::optional<Routine> routine = Reader(program, note).read()) routines.push_back(std::move(*routine));
  }
  return routines;
}

constexpr u32 aligned(u32 bytes) {
  constexpr u32 kAlignment = 16;  // of buffers and tables
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// What the routines of a group have together.
struct Share {
  u32 registers = 0, bufferBytes = 0, tableBytes = 0;
  bool isScratch = false;  // the buffer
  u32 number = 0, place = 0, bufferPlace = 0, tablePlace = 0;

  void widen(const Routine& routine) {
    registers = std::max(registers, routine.function->registers);
    bufferBytes = std::max(bufferBytes, aligned(routine.annotation.bufferBytes));
    tableBytes = std::max(tableBytes, aligned(routine.annotation.tableBytes));
    isScratch |= !routine.isAskedFor();
  }
};

// No group of the user's has an empty name in front.
std::string groupOf(const Routine& routine) {
  return routine.annotation.group.empty() ? " " + routine.function->name : routine.annotation.group;
}

// Registers that are kept for a warp, by the name of a group and their own.
class KeptRegisters {
 public:
  explicit KeptRegisters(u32& registers) : registers_(registers) {}

  void place(Routine& routine) {
    const Annotation& says = routine.annotation;
    for (std::size_t i = 0; i < says.in.size(); ++i)
      if (says.in[i] == LiveIn::kept) place(routine, says.registers[i], routine.arguments[i]);
    for (std::size_t i = 0; i < says.out.size(); ++i)
      if (says.out[i] == LiveOut::kept) place(routine, says.changed[i], routine.results[i]);
  }

 private:
  struct Placed {
    u32 place = 0, words = 0;
  };

  void place(const Routine& routine, const std::string& name, Words& words) {
    const auto [found, isNew] = placed_.try_emplace({groupOf(routine), name}, Placed{registers_, words.count});
    if (isNew) registers_ += words.count;
    if (found->second.words != words.count)
      throw Error(fmt::format("the routine '{}': the kept register '{}' has {} words here and {} elsewhere",
                              demangled(routine.function->name), name, words.count, found->second.words),
                  {}, "declare all parameters and results for it with the same type");
    words.kept = found->second.place;
  }

  u32& registers_;
  std::map<std::pair<std::string, std::string>, Placed> placed_;
};

u32 wordsOf(const std::vector<Words>& values) {
  u32 count = 0;
  for (const Words& each : values) count += each.count;
  return count;
}

}  // namespace

bool Routine::isOn(Trigger trigger) const {
  return std::any_of(annotation.on.begin(), annotation.on.end(), [&](const TriggerCondition& each) { return each.trigger == trigger; });
}

Routines routinesFor(const isa::Program& program, const isa::Function& kernel, const std::string& only) {
  Routines result;
  std::vector<Routine> routines = allOf(program, only);
  std::erase_if(routines, [&](const Routine& each) { return !speaksOf(each.annotation, kernel); });
  std::map<std::string, Share> shares;  // by group
  for (const Routine& routine : routines) shares[groupOf(routine)].widen(routine);
  u32 number = 0;
  for (auto& [name, share] : shares) {
    share.number = number++;
    share.place = std::exchange(result.registers, result.registers + share.registers);
    share.bufferPlace = std::exchange(result.bufferBytes, result.bufferBytes + share.bufferBytes);
    share.tablePlace = std::exchange(result.tableBytes, result.tableBytes + share.tableBytes);
    if (share.isScratch) result.scratchBytes += share.bufferBytes;
  }
  KeptRegisters kept(result.registers);
  for (Routine& routine : routines) {
    kept.place(routine);
    const Share& share = shares[groupOf(routine)];
    routine.place = share.place;
    routine.bufferPlace = share.bufferPlace;
    routine.tablePlace = share.tablePlace;
    routine.group = share.number;
    result.watchIssues |= routine.watchesIssues;
    result.words = std::max(result.words, wordsOf(routine.arguments) + wordsOf(routine.results));
    result.all.push_back(std::move(routine));
  }
  return result;
}

std::vector<KernelMention> kernelsNamed(const isa::Program& program, const std::string& only) {
  std::vector<KernelMention> mentions;
  for (const Routine& routine : allOf(program, only))
    for (const std::string& kernel : routine.annotation.kernels)
      mentions.push_back({kernel, fmt::format("the routine '{}'", demangled(routine.function->name))});
  return mentions;
}

std::vector<RegistersAt> registersFor(const std::string& function, std::span<const std::string> pragmas, const SourcePosition& where,
                                      const std::string& only) {
  std::vector<RegistersAt> result;
  if (!isEnabled(function, only)) return result;
  for (const std::string& pragma : pragmas) {
    const std::optional<Annotation> says = parseAnnotation(pragma, where);
    if (!says) continue;
    for (const TriggerCondition& each : says->on)
      if (says->isAtPoint(each)) result.push_back({each.number, each.name, registersOf(*says), says->kernels});
  }
  return result;
}

Stored storedOf(const isa::Program& program, const std::string& only) {
  Stored stored;
  for (const Routine& routine : allOf(program, only)) {
    stored.instructions += routine.instructions();
    stored.triggers += static_cast<u32>(routine.annotation.on.size());
  }
  return stored;
}

void checkRoutines(const isa::Program& program, const std::string& only, const Stored& most) {
  u32 registers = 0;
  KeptRegisters kept(registers);
  for (Routine& routine : allOf(program, only)) {
    exec::checkRoutine(program, *routine.function);
    kept.place(routine);
  }
  const Stored stored = storedOf(program, only);
  if (stored.instructions > most.instructions)
    throw Error(fmt::format("the routines of '{}' have {} instructions, and the assist warp store holds {}", program.sourceName,
                            stored.instructions, most.instructions),
                {}, "make them shorter, enable fewer of them (only), or raise store_instructions");
  if (stored.triggers > most.triggers)
    throw Error(fmt::format("the routines of '{}' have {} triggers, and the controller's map holds {}", program.sourceName, stored.triggers,
                            most.triggers),
                {}, "enable fewer of them (only), or raise map_entries");
}

void requireNames(const isa::Program& program, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Routine& routine : allOf(program, "")) known.push_back(routine.function->name);
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end())
      throw unknownName("routine", name, known, {"only", 0, 0}, fmt::format("the routines are: {}", fmt::join(known, ", ")));
}

void requireRoutines(const isa::Program& program) {
  if (!allOf(program, "").empty()) return;
  throw Error(fmt::format("'{}' has no routine", program.sourceName), {},
              "annotate a function: .pragma \"assist on=store in=value out=count\"; (docs/assist-warps.md)");
}

}  // namespace warpwright::mechanisms::assist_warps
