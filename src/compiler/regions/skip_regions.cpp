#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "base/memory_units.hpp"
#include "compiler/regions/effects.hpp"
#include "compiler/regions/find_regions.hpp"
#include "compiler/regions/region.hpp"
#include "ptx/module.hpp"

namespace warpwright::compiler {
namespace {

ptx::Operand registerOperand(u32 reg) {
  ptx::Operand operand;
  operand.kind = ptx::Operand::Kind::reg;
  operand.reg = reg;
  return operand;
}

ptx::Operand pairOperand(u32 low, u32 high) {
  ptx::Operand operand;
  operand.kind = ptx::Operand::Kind::vector;
  operand.elements = {registerOperand(low), registerOperand(high)};
  return operand;
}

// Surrounds a stretch of a kernel with what skips it.
class Skipping {
 public:
  Skipping(ptx::Function& kernel, const Stretch& stretch, std::string prefix, std::vector<u32> keys, std::vector<u32> results)
      : kernel_(kernel),
        stretch_(stretch),
        prefix_(std::move(prefix)),
        keys_(std::move(keys)),
        results_(std::move(results)),
        like_(kernel.body[stretch.begin]) {}

  SkippableRegion run() {
    region_.kernel = kernel_.name;
    region_.line = lineOf(like_);
    region_.instructions = stretch_.end - stretch_.begin;
    makeRegisters();
    std::vector<ptx::Instruction> before = lookUp(), behind = update();
    const u32 known = stretch_.begin + static_cast<u32>(before.size()) - 2;
    const u32 done = stretch_.end + static_cast<u32>(before.size());
    insert(std::move(before), std::move(behind));
    kernel_.labels[lookUpLabel_].position = known;
    kernel_.labels[doneLabel_].position = done;
    return std::move(region_);
  }

  static u32 lineOf(const ptx::Instruction& instruction) { return instruction.sourceLine != 0 ? instruction.sourceLine : instruction.line; }

 private:
  u32 addRegister(const std::string& name, ptx::Type type) {
    kernel_.registers.push_back({fmt::format("%{}_{}", prefix_, name), type});
    return static_cast<u32>(kernel_.registers.size() - 1);
  }
  u32 addLabel(const char* name) {
    kernel_.labels.push_back({fmt::format("${}_{}", prefix_, name), 0});
    return static_cast<u32>(kernel_.labels.size() - 1);
  }
  const std::string& nameOf(u32 reg) const { return kernel_.registers[reg].name; }
  u32 wordsIn(u32 reg) const { return ptx::sizeOf(kernel_.registers[reg].type) / static_cast<u32>(kWordBytes); }

  void makeRegisters() {
    for (const u32 key : keys_) {
      for (u32 word = 0; word < wordsIn(key); ++word) {
        keyWords_.push_back(addRegister(fmt::format("k{}", keyWords_.size()), ptx::Type::b32));
        region_.keys.push_back({nameOf(keyWords_.back()), kernel_.registers[key].type == ptx::Type::f32});
      }
    }
    for (const u32 result : results_) region_.results += wordsIn(result);
    for (u32 word = 0; word < std::max<std::size_t>(keyWords_.size(), region_.results); ++word) {
      words_.push_back(addRegister(fmt::format("w{}", word), ptx::Type::b32));
      region_.words.push_back(nameOf(words_.back()));
    }
    known_ = addRegister("known", ptx::Type::b32);
    skips_ = addRegister("skips", ptx::Type::pred);
    region_.known = nameOf(known_);
    lookUpLabel_ = addLabel("look_up");
    doneLabel_ = addLabel("done");
    updateLabel_ = addLabel("update");
    skippedLabel_ = addLabel("skipped");
    endLabel_ = addLabel("end");
    region_.lookUpLabel = kernel_.labels[lookUpLabel_].name;
    region_.updateLabel = kernel_.labels[updateLabel_].name;
  }

  ptx::Instruction instruction(ptx::Opcode opcode, ptx::Type type, std::vector<ptx::Operand> operands, const std::string& text) const {
    ptx::Instruction result;
    result.opcode = opcode;
    result.modifiers.type = type;
    result.operands = std::move(operands);
    result.line = like_.line;
    result.sourceFile = like_.sourceFile;
    result.sourceLine = like_.sourceLine;
    result.text = text;
    return result;
  }
  ptx::Instruction move(u32 to, u32 from) const {
    return instruction(ptx::Opcode::mov, ptx::Type::b32, {registerOperand(to), registerOperand(from)},
                       fmt::format("mov.b32 {}, {};", nameOf(to), nameOf(from)));
  }
  ptx::Instruction moveConstant(u32 to, u64 value) const {
    ptx::Operand constant;
    constant.kind = ptx::Operand::Kind::integer;
    constant.bits = value;
    return instruction(ptx::Opcode::mov, ptx::Type::b32, {registerOperand(to), constant},
                       fmt::format("mov.b32 {}, {};", nameOf(to), value));
  }
  ptx::Instruction jump(u32 label) const {
    ptx::Operand target;
    target.kind = ptx::Operand::Kind::symbol;
    target.symbol = {ptx::SymbolKind::label, label};
    ptx::Instruction result = instruction(ptx::Opcode::bra, ptx::Type::none, {target}, fmt::format("bra {};", kernel_.labels[label].name));
    return result;
  }

  std::vector<ptx::Instruction> toWords(const std::vector<u32>& registers, const std::vector<u32>& words) const {
    return moves(registers, words, true);
  }
  std::vector<ptx::Instruction> fromWords(const std::vector<u32>& registers, const std::vector<u32>& words) const {
    return moves(registers, words, false);
  }
  std::vector<ptx::Instruction> moves(const std::vector<u32>& registers, const std::vector<u32>& words, bool areSources) const {
    std::vector<ptx::Instruction> code;
    u32 word = 0;
    for (const u32 reg : registers) {
      if (wordsIn(reg) == 1)
        code.push_back(areSources ? move(words[word], reg) : move(reg, words[word]));
      else
        code.push_back(moveWide(reg, words[word], words[word + 1], areSources));
      word += wordsIn(reg);
    }
    return code;
  }
  ptx::Instruction moveWide(u32 reg, u32 low, u32 high, bool isSource) const {
    std::vector<ptx::Operand> operands{registerOperand(reg), pairOperand(low, high)};
    std::vector<std::string> texts{nameOf(reg), fmt::format("{{{}, {}}}", nameOf(low), nameOf(high))};
    if (isSource) {
      std::ranges::reverse(operands);
      std::ranges::reverse(texts);
    }
    return instruction(ptx::Opcode::mov, ptx::Type::b64, std::move(operands), fmt::format("mov.b64 {}, {};", texts[0], texts[1]));
  }

  // Its last two instructions are behind the point at which the table is looked up.
  std::vector<ptx::Instruction> lookUp() const {
    std::vector<ptx::Instruction> code = toWords(keys_, keyWords_);
    for (std::size_t word = 0; word < words_.size(); ++word)
      code.push_back(word < keyWords_.size() ? move(words_[word], keyWords_[word]) : moveConstant(words_[word], 0));
    code.push_back(moveConstant(known_, 0));
    ptx::Operand one;
    one.kind = ptx::Operand::Kind::integer;
    one.bits = 1;
    ptx::Instruction compare = instruction(ptx::Opcode::setp, ptx::Type::u32, {registerOperand(skips_), registerOperand(known_), one},
                                           fmt::format("setp.eq.u32 {}, {}, 1;", nameOf(skips_), nameOf(known_)));
    compare.modifiers.compare = ptx::Compare::eq;
    code.push_back(std::move(compare));
    code.push_back(jump(skippedLabel_));
    code.back().guard.reg = skips_;
    return code;
  }

  std::vector<ptx::Instruction> update() {
    std::vector<ptx::Instruction> code = toWords(results_, words_);
    updateAt_ = static_cast<u32>(code.size());
    code.push_back(jump(endLabel_));
    skippedAt_ = static_cast<u32>(code.size());
    std::ranges::move(fromWords(results_, words_), std::back_inserter(code));
    return code;
  }

  // Labels at the beginning lead to the look-up. At the end, jumps of the region lead to the update, and others to what follows.
  void insert(std::vector<ptx::Instruction> before, std::vector<ptx::Instruction> behind) {
    const u32 front = static_cast<u32>(before.size()), back = static_cast<u32>(behind.size());
    for (u32 position = stretch_.begin; position < stretch_.end; ++position) {
      ptx::Instruction& each = kernel_.body[position];
      if (each.opcode != ptx::Opcode::bra) continue;
      u32& label = each.operands.at(0).symbol.index;
      if (kernel_.labels[label].position == stretch_.end) label = doneLabel_;
    }
    const auto moved = [&](u32 position) {
      if (position == ptx::kNoIndex || position <= stretch_.begin) return position;
      return position + front + (position >= stretch_.end ? back : 0);
    };
    for (ptx::Label& label : kernel_.labels) label.position = moved(label.position);
    for (ptx::Pragma& pragma : kernel_.pragmas) pragma.position = moved(pragma.position);
    kernel_.body.insert(kernel_.body.begin() + stretch_.end, behind.begin(), behind.end());
    kernel_.body.insert(kernel_.body.begin() + stretch_.begin, before.begin(), before.end());
    const u32 end = stretch_.end + front;
    kernel_.labels[updateLabel_].position = end + updateAt_;
    kernel_.labels[skippedLabel_].position = end + skippedAt_;
    kernel_.labels[endLabel_].position = end + back;
  }

  ptx::Function& kernel_;
  const Stretch stretch_;
  const std::string prefix_;
  const std::vector<u32> keys_, results_;
  const ptx::Instruction like_;  // where the region begins
  SkippableRegion region_;
  std::vector<u32> keyWords_, words_;
  u32 known_ = 0, skips_ = 0;
  u32 lookUpLabel_ = 0, doneLabel_ = 0, updateLabel_ = 0, skippedLabel_ = 0, endLabel_ = 0;
  u32 updateAt_ = 0, skippedAt_ = 0;
};

class Kernels {
 public:
  Kernels(ptx::Module& module, const RegionChoice& choice) : module_(module), choice_(choice) {}

  std::vector<SkippableRegion> run() {
    for (ptx::Function& function : module_.functions)
      if (function.isKernel && !function.isDeclaration && choice_.wants(function.name)) skipIn(function);
    return std::move(regions_);
  }

 private:
  void skipIn(ptx::Function& kernel) {
    std::vector<Stretch> stretches = marked(kernel);
    const bool isSaid = !stretches.empty();
    for (const Stretch& each : stretches) check(kernel, each);
    if (!isSaid) stretches = gatherRegions(kernel, searchIn(kernel));
    const std::vector<bool> uniform = uniformRegisters(kernel);
    for (std::size_t i = stretches.size(); i-- > 0;) {
      const Stretch& each = stretches[i];
      std::vector<u32> keys = inputsOf(kernel, each, uniform), results = outputsOf(kernel, each);
      requireWords(kernel, each, keys, "depends on");
      requireWords(kernel, each, results, "gives");
      const std::string prefix = fmt::format("{}_{}", choice_.name, regions_.size());
      regions_.push_back(Skipping(kernel, each, prefix, std::move(keys), std::move(results)).run());
    }
  }

  RegionSearch searchIn(const ptx::Function& kernel) const {
    const auto isNamed = [this](const ptx::Instruction& each) { return isOnNamedLine(each); };
    if (std::ranges::any_of(kernel.body, isNamed)) return {isNamed, 0, kMostRegionWords};
    const auto isFound = [this](const ptx::Instruction& each) { return choice_.found && isLong(each); };
    return {isFound, choice_.leastWork, kMostRegionWords};
  }

  bool isOnNamedLine(const ptx::Instruction& instruction) const {
    const u32 line = Skipping::lineOf(instruction);
    return std::ranges::any_of(choice_.lines, [&](const LineRange& range) {
      if (line < range.first || line > range.last) return false;
      const auto file = module_.files.find(instruction.sourceFile);
      return range.file.empty() || (file != module_.files.end() && file->second.ends_with(range.file));
    });
  }

  // Between the pragmas "NAME begin" and "NAME end".
  std::vector<Stretch> marked(const ptx::Function& kernel) const {
    std::vector<Stretch> stretches;
    std::optional<u32> open;
    for (const ptx::Pragma& pragma : kernel.pragmas) {
      const bool begins = pragma.text == choice_.name + " begin";
      if (!begins && pragma.text != choice_.name + " end") continue;
      if (begins == open.has_value() || pragma.position == ptx::kNoIndex)
        refuse(kernel, pragma.position, fmt::format("has a pragma \"{}\" out of its order", pragma.text),
               fmt::format("write .pragma \"{0} begin\"; and .pragma \"{0} end\"; around each region", choice_.name));
      if (!begins && *open < pragma.position) stretches.push_back({*open, pragma.position});
      open = begins ? std::optional(pragma.position) : std::nullopt;
    }
    if (open)
      refuse(kernel, *open, fmt::format("has a pragma \"{} begin\" without an end", choice_.name),
             fmt::format("write .pragma \"{} end\"; behind the region", choice_.name));
    return stretches;
  }

  void check(const ptx::Function& kernel, const Stretch& stretch) const {
    const auto leads = [&](u32 position) {
      return kernel.body[position].opcode == ptx::Opcode::bra ? kernel.labels[kernel.body[position].operands.at(0).symbol.index].position
                                                              : position + 1;
    };
    for (u32 position = 0; position < kernel.body.size(); ++position) {
      const ptx::Instruction& each = kernel.body[position];
      const u32 target = leads(position);
      if (!stretch.contains(position)) {
        if (each.opcode == ptx::Opcode::bra && target > stretch.begin && target < stretch.end)
          refuse(kernel, position, fmt::format("jumps into a region: '{}'", each.text), "have it begin where the jump leads");
        continue;
      }
      if (each.opcode == ptx::Opcode::bra && !stretch.contains(target) && target != stretch.end)
        refuse(kernel, position, fmt::format("jumps out of a region: '{}'", each.text), "have the region end where the jump leads");
      if (each.opcode != ptx::Opcode::bra && !isPure(each))
        refuse(kernel, position, fmt::format("has an instruction in a region that cannot be skipped: '{}'", each.text),
               "let regions compute values of registers from registers, parameters and constants alone");
    }
  }

  void requireWords(const ptx::Function& kernel, const Stretch& stretch, const std::vector<u32>& registers, const char* does) const {
    const std::optional<u32> words = wordsOf(kernel, registers);
    if (!words)
      refuse(kernel, stretch.begin, fmt::format("has a region that {} a predicate, or a register that is no whole word", does),
             "have it begin before what it is made of, or end behind what is made of it");
    if (*words == 0 || *words > kMostRegionWords)
      refuse(kernel, stretch.begin,
             fmt::format("has a region that {} {} words of registers, and may have 1 to {}", does, *words, kMostRegionWords),
             "choose a smaller or a larger one");
  }

  [[noreturn]] void refuse(const ptx::Function& kernel, u32 position, const std::string& what, const std::string& remedy) const {
    const bool isInside = position < kernel.body.size();
    const u32 line = isInside ? kernel.body[position].line : kernel.line, column = isInside ? kernel.body[position].column : kernel.column;
    throw Error(fmt::format("kernel '{}' {}", demangled(kernel.name), what), {module_.sourceName, line, column}, remedy);
  }

  ptx::Module& module_;
  const RegionChoice& choice_;
  std::vector<SkippableRegion> regions_;
};

}  // namespace

std::vector<SkippableRegion> makeSkippable(ptx::Module& module, const RegionChoice& choice) { return Kernels(module, choice).run(); }

}  // namespace warpwright::compiler
