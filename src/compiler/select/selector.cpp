#include "compiler/select/selector.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;

Selector::Selector(const ptx::Module& module, const ModuleLayout& layout, const CallGraph& calls, u32 function)
    : module_(module), layout_(layout), calls_(calls), own_(layout.functions[function]), source_(module.functions[function]) {
  code_.module = &module;
  code_.index = function;
  code_.addressBits = module.addressBits;
  code_.frameBytes = own_.frameBytes;
  code_.usesStack = !source_.isKernel;
  code_.newGroup(1, 1);  // kStackWord
}

MachineFunction Selector::run() {
  declareRegisters();
  for (u32 i = 0; i < source_.labels.size(); ++i) code_.newLabel();
  std::vector<std::vector<u32>> labelsAt(source_.body.size() + 1);
  for (u32 i = 0; i < source_.labels.size(); ++i) labelsAt[source_.labels[i].position].push_back(i);
  for (const ptx::NamedList& list : source_.branchTargets) code_.branchTables.push_back(list.entries);

  keepLoops(labelsAt);
  prologue();
  for (u32 i = 0; i <= source_.body.size(); ++i) {
    for (const u32 label : labelsAt[i]) code_.labels[label] = static_cast<u32>(code_.code.size());
    if (i < source_.body.size()) selectInstruction(i);
  }
  in_ = nullptr;
  guard_ = Operand::makePredicate(isa::kTruePredicate);
  selectRet();
  return std::move(code_);
}

// .pragma "nounroll" of a module, of a function, or of the loop that begins where it stands.
void Selector::keepLoops(std::vector<std::vector<u32>>& labelsAt) {
  const auto visit = [&](const ptx::Pragma& pragma) {
    if (pragma.text != "nounroll") return;
    if (pragma.position == ptx::kNoIndex) {
      code_.keepsLoops = true;
      return;
    }
    code_.rolledLoops.push_back(code_.newLabel());
    labelsAt[pragma.position].push_back(code_.rolledLoops.back());
  };
  for (const ptx::Pragma& pragma : module_.pragmas) visit(pragma);
  for (const ptx::Pragma& pragma : source_.pragmas) visit(pragma);
}

void Selector::declareRegisters() {
  for (u32 r = 0; r < source_.registers.size(); ++r) {
    const ptx::Register& reg = source_.registers[r];
    byName_[reg.name] = r;
    if (reg.type == ptx::Type::pred) {
      wordOf_.push_back(code_.newPredicate());
      continue;
    }
    const u32 words = (ptx::sizeOf(reg.type) + 3) / 4;
    wordOf_.push_back(code_.newGroup(words, words));
  }
}

// Device functions: the parameters that are registers.
void Selector::prologue() {
  if (source_.isKernel) return;
  for (u32 i = 0; i < source_.parameters.size(); ++i) {
    const std::optional<u32> word = registerOf(source_.parameters[i]);
    if (!word) continue;
    const Address address{frameBase(), static_cast<s64>(own_.signature.parameters[i]), isa::Space::local, false, {}};
    emitLoad(address, dataType(source_.parameters[i].type), 1, Operand::makeRegister(*word));
  }
}

// Device functions leave the return values that are registers in the parameter area.
void Selector::storeReturns() {
  for (u32 i = 0; i < source_.returns.size(); ++i) {
    const std::optional<u32> word = registerOf(source_.returns[i]);
    if (!word) continue;
    const Address address{frameBase(), static_cast<s64>(own_.signature.returns[i]), isa::Space::local, false, {}};
    emitStore(address, unsignedOf(dataType(source_.returns[i].type)), 1, Operand::makeRegister(*word));
  }
}

std::optional<u32> Selector::registerOf(const ptx::Variable& value) const {
  const auto found = byName_.find(value.name);
  if (value.space != ptx::Space::reg || found == byName_.end()) return std::nullopt;
  if (isa::registerWords(dataType(value.type)) != 0) return firstWord(found->second);
  throw Error(fmt::format("'{}' of function '{}' cannot be passed in a register", value.name, source_.name),
              {module_.sourceName, value.line, value.column}, "pass predicates as .u32");
}

void Selector::selectInstruction(u32 position) {
  in_ = &source_.body[position];
  position_ = position;
  guard_ = in_->guard.reg == ptx::kNoIndex ? Operand::makePredicate(isa::kTruePredicate)
                                           : Operand::makePredicate(firstWord(in_->guard.reg), in_->guard.negated);
  if (const Handler handler = handlerOf(in_->opcode)) {
    (this->*handler)();
    return;
  }
  laneByTable();
}

MachineInstruction& Selector::emit(isa::Opcode opcode, DataType type) {
  MachineInstruction& result = code_.code.emplace_back();
  result.opcode = opcode;
  result.type = type;
  result.guard = guard_;
  if (in_ == nullptr) return result;
  result.origin = position_;
  result.sourceFile = in_->sourceFile;
  result.sourceLine = in_->sourceLine;
  result.ptxLine = in_->line;
  return result;
}

MachineInstruction& Selector::emit(isa::Opcode opcode, DataType type, std::initializer_list<Operand> destinations,
                                   std::initializer_list<Operand> sources) {
  MachineInstruction& result = emit(opcode, type);
  std::copy(destinations.begin(), destinations.end(), result.destinations.begin());
  std::copy(sources.begin(), sources.end(), result.sources.begin());
  return result;
}

MachineInstruction& Selector::compute(isa::Opcode opcode, DataType type, std::initializer_list<Operand> destinations,
                                      std::initializer_list<Operand> sources) {
  MachineInstruction& result = emit(opcode, type, destinations, sources);
  result.guard = Operand::makePredicate(isa::kTruePredicate);
  return result;
}

void Selector::copyWord(u32 to, Operand from) { emit(isa::Opcode::mov, DataType::u32, {Operand::makeRegister(to)}, {from}); }

void Selector::extend(const ptx::Operand& destination, DataType type) {
  if (destination.kind != ptx::Operand::Kind::reg || isPredicate(destination.reg)) return;
  const u32 words = registerWordsOf(destination.reg);
  if (words <= isa::registerWords(type)) return;
  const u32 low = firstWord(destination.reg);
  if (isa::isSigned(type) && !isa::isFloat(type)) {
    emit(isa::Opcode::shr, DataType::s32, {Operand::makeRegister(low + 1)}, {Operand::makeRegister(low), Operand::makeImmediate(31)});
    return;
  }
  copyWord(low + 1, Operand::makeImmediate(0));
}

void Selector::unsupported(const std::string& why, const std::string& remedy) const {
  const std::string reason = why.empty() ? "there is no machine instruction for it" : why;
  throw Error(fmt::format("cannot compile '{}' in {} '{}': {}", in_->text, source_.isKernel ? "kernel" : "function", source_.name, reason),
              {module_.sourceName, in_->line, in_->column},
              remedy.empty() ? "replace it with a form that docs/ptx-forms.md lists" : remedy);
}

bool Selector::hasOperand(u32 index) const { return index < in_->operands.size() && in_->operands[index].kind != ptx::Operand::Kind::none; }

const ptx::Operand& Selector::operand(u32 index) const {
  if (!hasOperand(index)) unsupported("an operand is missing", "see the PTX manual for the operands of this instruction");
  return in_->operands[index];
}

Selector::Handler Selector::handlerOf(ptx::Opcode opcode) {
  using P = ptx::Opcode;
  switch (opcode) {
    case P::add:
      return &Selector::selectAdd;
    case P::addc:
      return &Selector::selectAddc;
    case P::sub:
      return &Selector::selectSub;
    case P::subc:
      return &Selector::selectSubc;
    case P::mul:
      return &Selector::selectMul;
    case P::mad:
      return &Selector::selectMad;
    case P::madc:
      return &Selector::selectMadc;
    case P::mul24:
      return &Selector::selectMul24;
    case P::mad24:
      return &Selector::selectMad24;
    case P::dp2a:
    case P::dp4a:
      return &Selector::selectDotProduct;
    case P::shf:
      return &Selector::selectFunnel;
    case P::lop3:
      return &Selector::selectLop3;
    case P::prmt:
      return &Selector::selectPermute;
    case P::setp:
      return &Selector::selectSetp;
    case P::min:
      return &Selector::selectMin;
    case P::max:
      return &Selector::selectMax;
    case P::fma:
      return &Selector::selectFma;
    case P::createpolicy:
      return &Selector::selectCreatePolicy;
    case P::mapa:
      return &Selector::selectMapa;
    case P::getctarank:
      return &Selector::selectGetCtaRank;
    // Hints, and what a machine without dependent grids and register pools has already done.
    case P::applypriority:
    case P::discard:
    case P::griddepcontrol:
    case P::setmaxnreg:
      return &Selector::drop;
    case P::vabsdiff:
    case P::vabsdiff2:
    case P::vabsdiff4:
    case P::vadd:
    case P::vadd2:
    case P::vadd4:
    case P::vavrg2:
    case P::vavrg4:
    case P::vmad:
    case P::vmax:
    case P::vmax2:
    case P::vmax4:
    case P::vmin:
    case P::vmin2:
    case P::vmin4:
    case P::vset:
    case P::vset2:
    case P::vset4:
    case P::vshl:
    case P::vshr:
    case P::vsub:
    case P::vsub2:
    case P::vsub4:
      return &Selector::selectVideo;
    case P::set:
      return &Selector::selectSet;
    case P::slct:
      return &Selector::selectSlct;
    case P::sin:
    case P::cos:
    case P::ex2:
    case P::lg2:
    case P::tanh:
      return &Selector::selectSpecialFunction;
    case P::cvt:
      return &Selector::selectCvt;
    case P::mov:
      return &Selector::selectMov;
    case P::ld:
    case P::ldu:
      return &Selector::selectLd;
    case P::st:
      return &Selector::selectSt;
    case P::atom:
      return &Selector::selectAtom;
    case P::red:
      return &Selector::selectRed;
    case P::prefetch:
    case P::prefetchu:
      return &Selector::selectPrefetch;
    case P::membar:
    case P::fence:
      return &Selector::selectFence;
    case P::cvta:
      return &Selector::selectCvta;
    case P::isspacep:
      return &Selector::selectIsspacep;
    case P::tex:
    case P::tld4:
      return &Selector::selectTex;
    case P::txq:
    case P::suq:
      return &Selector::selectTextureQuery;
    case P::suld:
      return &Selector::selectSuld;
    case P::sust:
      return &Selector::selectSust;
    case P::sured:
      return &Selector::selectSured;
    case P::shfl:
      return &Selector::selectShfl;
    case P::vote:
      return &Selector::selectVote;
    case P::match:
      return &Selector::selectMatch;
    case P::redux:
      return &Selector::selectRedux;
    case P::activemask:
      return &Selector::selectActivemask;
    case P::elect:
      return &Selector::selectElect;
    case P::bar:
    case P::barrier:
      return &Selector::selectBar;
    case P::mma:
      return &Selector::selectMma;
    case P::wmma:
      return &Selector::selectWmma;
    case P::ldmatrix:
      return &Selector::selectLdmatrix;
    case P::stmatrix:
      return &Selector::selectStmatrix;
    case P::movmatrix:
      return &Selector::selectMovmatrix;
    case P::cp:
      return &Selector::selectCp;
    case P::mbarrier:
      return &Selector::selectMbarrier;
    case P::bra:
      return &Selector::selectBra;
    case P::brx:
      return &Selector::selectBrx;
    case P::ret:
      return &Selector::selectRet;
    case P::exit:
      return &Selector::selectExit;
    case P::trap:
    case P::brkpt:
      return &Selector::selectSimpleControl;
    case P::nanosleep:
      return &Selector::selectNanosleep;
    case P::pmevent:
      return &Selector::drop;
    case P::call:
      return &Selector::selectCall;
    default:
      return nullptr;
  }
}

}  // namespace warpwright::compiler
