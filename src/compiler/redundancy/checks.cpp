#include "compiler/redundancy/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "ptx/special_register.hpp"

namespace warpwright::compiler {
namespace {

constexpr u32 kMostWords = 4;          // of registers at a line (isa::Opcode::point)
constexpr u32 kMostInstructions = 32;  // of a slice
constexpr u32 kSavedBytes = 8 * 32;    // a result for each lane of a warp

// Instructions whose results depend on their registers alone.
constexpr ptx::Opcode kPure[] = {
    ptx::Opcode::abs,  ptx::Opcode::add,   ptx::Opcode::and_, ptx::Opcode::bfe,  ptx::Opcode::bfi,   ptx::Opcode::bfind,
    ptx::Opcode::brev, ptx::Opcode::clz,   ptx::Opcode::cnot, ptx::Opcode::cos,  ptx::Opcode::cvt,   ptx::Opcode::cvta,
    ptx::Opcode::div,  ptx::Opcode::ex2,   ptx::Opcode::fma,  ptx::Opcode::lg2,  ptx::Opcode::lop3,  ptx::Opcode::mad,
    ptx::Opcode::max,  ptx::Opcode::min,   ptx::Opcode::mov,  ptx::Opcode::mul,  ptx::Opcode::mul24, ptx::Opcode::mad24,
    ptx::Opcode::neg,  ptx::Opcode::not_,  ptx::Opcode::or_,  ptx::Opcode::popc, ptx::Opcode::prmt,  ptx::Opcode::rcp,
    ptx::Opcode::rem,  ptx::Opcode::rsqrt, ptx::Opcode::selp, ptx::Opcode::setp, ptx::Opcode::shf,   ptx::Opcode::shl,
    ptx::Opcode::shr,  ptx::Opcode::sin,   ptx::Opcode::slct, ptx::Opcode::sqrt, ptx::Opcode::sub,   ptx::Opcode::xor_};

// Whether a routine, and each time, has the same as its warp: who the thread is, and how many there are.
bool isThreadSpecial(const ptx::Operand& operand) { return operand.special <= ptx::SpecialRegister::nctaid_z; }

bool isControl(ptx::Opcode opcode) {
  return opcode == ptx::Opcode::bra || opcode == ptx::Opcode::brx || opcode == ptx::Opcode::ret || opcode == ptx::Opcode::exit ||
         opcode == ptx::Opcode::call || opcode == ptx::Opcode::bar || opcode == ptx::Opcode::barrier;
}

void addRegisters(const ptx::Operand& operand, std::vector<u32>& into) {
  if (operand.reg != ptx::kNoIndex) into.push_back(operand.reg);
  for (const ptx::Operand& each : operand.elements) addRegisters(each, into);
}

bool isPtxRegister(const ptx::Operand& operand) { return operand.kind == ptx::Operand::Kind::reg; }

class Kernel {
 public:
  Kernel(const ptx::Function& function, const RedundancyOptions& options, RedundantChecks& into)
      : function_(function), options_(options), into_(into) {}

  void run() {
    findNeeded();
    std::set<u32> ends;
    for (const ptx::Label& label : function_.labels) ends.insert(label.position);
    for (u32 i = 0; i < size(); ++i)
      if (isControl(at(i).opcode)) ends.insert(i + 1);
    ends.insert(size());
    u32 begin = 0;
    for (const u32 end : ends) {
      checkSegment(begin, end);
      begin = end;
    }
  }

 private:
  struct Slice {
    u32 target = 0;              // register
    std::set<u32> instructions;  // of the body
    std::vector<u32> leaves;     // registers that it begins with
  };

  u32 size() const { return static_cast<u32>(function_.body.size()); }
  const ptx::Instruction& at(u32 index) const { return function_.body[index]; }
  ptx::Type typeOf(u32 reg) const { return function_.registers[reg].type; }
  const std::string& nameOf(u32 reg) const { return function_.registers[reg].name; }
  u32 wordsOf(u32 reg) const { return ptx::sizeOf(typeOf(reg)) / 4; }  // 0: it cannot be moved
  u32 wordsOf(const std::vector<u32>& registers) const {
    u32 words = 0;
    for (const u32 reg : registers) words += wordsOf(reg);
    return words;
  }

  // Of the registers that a slice begins with. Where these and the result are too many for one point, two routines share a buffer, which
  // holds what is due only where the warp waits for both.
  u32 mostOf(u32 target) const { return options_.priority == "high" ? kMostWords : kMostWords - wordsOf(target); }

  bool isPure(const ptx::Instruction& instruction) const {
    const bool isKnown = std::ranges::find(kPure, instruction.opcode) != std::end(kPure);
    if (!isKnown || instruction.guard.reg != ptx::kNoIndex || instruction.modifiers.carryOut) return false;
    if (instruction.operands.empty() || !isPtxRegister(instruction.operands[0])) return false;
    return std::ranges::all_of(instruction.operands, [](const ptx::Operand& each) {
      return each.kind == ptx::Operand::Kind::reg || each.kind == ptx::Operand::Kind::integer ||
             each.kind == ptx::Operand::Kind::floating || each.kind == ptx::Operand::Kind::none ||
             (each.kind == ptx::Operand::Kind::special && isThreadSpecial(each));
    });
  }

  static std::vector<u32> sourcesOf(const ptx::Instruction& instruction) {
    std::vector<u32> sources;
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) addRegisters(instruction.operands[i], sources);
    return sources;
  }

  bool defines(u32 index, u32 reg) const {
    std::vector<u32> written;
    addRegisters(at(index).secondDestination, written);
    if (!at(index).operands.empty() && at(index).operands[0].kind != ptx::Operand::Kind::address)
      addRegisters(at(index).operands[0], written);
    return std::ranges::find(written, reg) != written.end();
  }

  // Registers that reach a store or a branch, in whatever order: what is pure and writes one of them feeds it.
  void findNeeded() {
    std::vector<u32> open;
    for (const ptx::Instruction& each : function_.body) {
      const bool isSink = each.opcode == ptx::Opcode::st || each.opcode == ptx::Opcode::red || each.opcode == ptx::Opcode::atom;
      for (const ptx::Operand& operand : each.operands)
        if (isSink) addRegisters(operand, open);
      if (each.opcode == ptx::Opcode::ld) addRegisters(each.operands.back(), open);  // its address
      if (each.guard.reg != ptx::kNoIndex) open.push_back(each.guard.reg);
    }
    while (!open.empty()) {
      const u32 reg = open.back();
      open.pop_back();
      if (!needed_.insert(reg).second) continue;
      for (u32 i = 0; i < size(); ++i)
        if (isPure(at(i)) && defines(i, reg))
          for (const u32 source : sourcesOf(at(i))) open.push_back(source);
    }
  }

  bool isWanted(u32 index) const {
    if (!isPure(at(index)) || !needed_.contains(at(index).operands[0].reg)) return false;
    return options_.lines.empty() || options_.lines.contains(at(index).line);
  }

  // From the last result to the first: what a slice repeats needs no other.
  void checkSegment(u32 begin, u32 end) {
    std::set<u32> covered;
    for (u32 index = begin; index < end; ++index) into_.computed += isWanted(index);
    for (u32 index = end; index-- > begin;) {
      // The line behind it must be of this segment: others come to the next one's, too.
      if (!isWanted(index) || covered.contains(index) || index + 1 == end) continue;
      const std::optional<Slice> slice = sliceOf(index, begin);
      if (!slice) continue;
      covered.insert(slice->instructions.begin(), slice->instructions.end());
      into_.instructions += static_cast<u32>(slice->instructions.size());
      write(*slice, at(index + 1).line);
    }
    for (const u32 index : covered) into_.covered += isWanted(index);
  }

  // The instruction before `index` that gives a register its value.
  std::optional<u32> definitionOf(u32 reg, u32 index, u32 begin) const {
    while (index-- > begin)
      if (defines(index, reg)) return index;
    return std::nullopt;
  }

  // Grown from its result towards registers with fewer words, as far as these hold their values where the result is compared. What cannot
  // be moved, as predicates, must be computed within.
  std::optional<Slice> sliceOf(u32 index, u32 begin) const {
    const u32 target = at(index).operands[0].reg;
    if (wordsOf(target) == 0 || wordsOf(target) > 2) return std::nullopt;
    std::map<u32, u32> open;  // leaf: the instruction that reads it first
    Slice slice{target, {index}, {}};
    for (const u32 source : sourcesOf(at(index))) open.emplace(source, index);
    std::optional<Slice> best;
    const auto note = [&] {
      std::vector<u32> leaves;
      for (const auto& [reg, reader] : open) {
        if (wordsOf(reg) == 0) return;
        for (u32 i = reader; i <= index; ++i)
          if (defines(i, reg)) return;
        leaves.push_back(reg);
      }
      if (wordsOf(leaves) > mostOf(target)) return;
      best = slice;
      best->leaves = leaves;
    };
    for (note(); slice.instructions.size() < kMostInstructions; note()) {
      std::optional<std::pair<u32, u32>> next;  // the latest definition, and its register
      for (const auto& [reg, reader] : open) {
        const std::optional<u32> found = definitionOf(reg, reader, begin);
        if (found && isPure(at(*found)) && (!next || *found > next->first)) next = {*found, reg};
      }
      if (!next) break;
      open.erase(next->second);
      slice.instructions.insert(next->first);
      for (const u32 source : sourcesOf(at(next->first))) {
        const auto [known, isNew] = open.emplace(source, next->first);
        // A register that had another value further up would be two leaves.
        if (!isNew && definitionOf(source, known->second, begin) != definitionOf(source, next->first, begin)) return best;
        known->second = std::min(known->second, next->first);
      }
    }
    return best;
  }

  // --- text
  static std::string typeText(u32 words) { return words == 2 ? "b64" : "b32"; }

  std::string declarations(const Slice& slice) const {
    std::set<u32> all(slice.leaves.begin(), slice.leaves.end());
    for (const u32 index : slice.instructions) {
      addAll(at(index).operands, all);
      if (at(index).secondDestination.reg != ptx::kNoIndex) all.insert(at(index).secondDestination.reg);
    }
    std::string text;
    for (const u32 reg : all) text += fmt::format("  .reg .{} {};\n", ptx::name(typeOf(reg)), nameOf(reg));
    return text;
  }
  static void addAll(const std::vector<ptx::Operand>& operands, std::set<u32>& into) {
    std::vector<u32> registers;
    for (const ptx::Operand& each : operands) addRegisters(each, registers);
    into.insert(registers.begin(), registers.end());
  }

  std::string computation(const Slice& slice) const {
    std::string text;
    for (std::size_t i = 0; i < slice.leaves.size(); ++i)
      text += fmt::format("  ld.param.{} {}, [in{}];\n", typeText(wordsOf(slice.leaves[i])), nameOf(slice.leaves[i]), i);
    for (const u32 index : slice.instructions) text += fmt::format("  {}{}\n", at(index).text, at(index).text.ends_with(';') ? "" : ";");
    return text;
  }

  std::string pragma(u32 line, const std::vector<std::string>& in, const std::string& more) const {
    return fmt::format(".pragma \"assist on=line:{} priority={} in={} {} group=redundancy kernel={}\";\n", line, options_.priority,
                       fmt::join(in, ","), more, function_.name);
  }

  // What the program has is in %isThere, what the routine has in %isDue.
  std::string comparison(const std::string& type, const std::string& given) const {
    return fmt::format(
        "  .reg .{0} %isThere, %isDue;\n  .reg .pred %differs;\n  .reg .b32 %found;\n  ld.param.{0} %isThere, [there];\n{1}"
        "  setp.ne.{2} %differs, %isThere, %isDue;\n  selp.b32 %found, 1, 0, %differs;\n  st.param.b32 [found], %found;\n{3}  ret;\n}}\n",
        type, given, type == "b64" ? "s64" : "s32", options_.corrects ? fmt::format("  st.param.{} [now], %isDue;\n", type) : "");
  }

  std::string head(const std::string& name, const std::string& type, const std::vector<std::string>& parameters) const {
    const std::string results = options_.corrects ? fmt::format(".param .b32 found, .param .{} now", type) : ".param .b32 found";
    return fmt::format("\n.visible .func ({}) {}({})\n", results, name, fmt::join(parameters, ", "));
  }

  void write(const Slice& slice, u32 line) {
    const std::string type = typeText(wordsOf(slice.target));
    const std::string name = fmt::format("again_{}_{}", function_.name, line);
    const std::string out = options_.corrects ? fmt::format("out=count,reg:{}", nameOf(slice.target)) : "out=count";
    std::vector<std::string> parameters, in;
    for (std::size_t i = 0; i < slice.leaves.size(); ++i) {
      parameters.push_back(fmt::format(".param .{} in{}", typeText(wordsOf(slice.leaves[i])), i));
      in.push_back("reg:" + nameOf(slice.leaves[i]));
    }
    const std::string own = ".param ." + type + " there", target = "reg:" + nameOf(slice.target);
    if (wordsOf(slice.leaves) + wordsOf(slice.target) <= kMostWords) {
      parameters.push_back(own);
      in.push_back(target);
      into_.text += head(name, type, parameters) + pragma(line, in, out) + "{\n" + declarations(slice) + computation(slice) +
                    comparison(type, fmt::format("  mov.{} %isDue, {};\n", type, nameOf(slice.target)));
      ++into_.routines;
      return;
    }
    // Too many words for one: the first leaves its result in the buffer, by lane, and the second compares.
    const std::string place = fmt::format(
        "  .reg .b32 %place, %lane;\n  ld.param.b32 %place, [buffer];\n  mov.u32 %lane, %laneid;\n"
        "  mad.lo.u32 %place, %lane, {}, %place;\n",
        type == "b64" ? 8 : 4);
    const std::string buffer = fmt::format("buffer={}", kSavedBytes);
    parameters.emplace_back(".param .b32 buffer");
    in.emplace_back("buffer");
    into_.text += fmt::format("\n.visible .func {}_first({})\n", name, fmt::join(parameters, ", ")) + pragma(line, in, buffer) + "{\n" +
                  declarations(slice) + computation(slice) + place +
                  fmt::format("  st.shared.{} [%place], {};\n  ret;\n}}\n", type, nameOf(slice.target));
    into_.text += head(name, type, {own, ".param .b32 buffer"}) + pragma(line, {target, "buffer"}, out + " " + buffer) + "{\n" + place +
                  comparison(type, fmt::format("  ld.shared.{} %isDue, [%place];\n", type));
    into_.routines += 2;
  }

  const ptx::Function& function_;
  const RedundancyOptions& options_;
  RedundantChecks& into_;
  std::set<u32> needed_;  // registers
};

void refuseLinesOfSource(const ptx::Module& module) {
  for (const ptx::Function& function : module.functions)
    for (const ptx::Instruction& each : function.body)
      if (each.sourceLine != 0)
        throw Error(fmt::format("'{}' has lines of a source, and a line of a source may compute and store at once", module.sourceName), {},
                    "compile it with --no-lineinfo: routines are triggered at lines of the PTX then");
}

}  // namespace

RedundantChecks redundantChecks(const ptx::Module& module, const RedundancyOptions& options) {
  refuseLinesOfSource(module);
  RedundantChecks result;
  result.text = fmt::format(".version {}.{}\n.target {}\n.address_size {}\n", module.versionMajor, module.versionMinor, module.target,
                            module.addressBits);
  for (const ptx::Function& function : module.functions) {
    const bool isNamed = options.kernel.empty() || options.kernel == function.name || options.kernel == nameIn(demangled(function.name));
    if (function.isKernel && !function.isDeclaration && isNamed) Kernel(function, options, result).run();
  }
  return result;
}

}  // namespace warpwright::compiler
