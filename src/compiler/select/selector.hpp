// Instruction selection: one PTX instruction becomes one or a few machine instructions on virtual registers.
//
// The handlers live in one file a family (select_*.cpp). Most lane operations need none: their operands follow from the letters of the
// instruction table (see lane()). A guard applies to everything an instruction becomes, except to temporaries computed on the way.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/layout.hpp"
#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

class Selector {
 public:
  Selector(const ptx::Module& module, const ModuleLayout& layout, const CallGraph& calls, u32 function);
  MachineFunction run();

 private:
  using Handler = void (Selector::*)();
  static Handler handlerOf(ptx::Opcode opcode);

  // Where a memory access goes.
  struct Address {
    isa::Operand base;  // none: absolute
    s64 offset = 0;
    isa::Space space = isa::Space::generic;
    bool addsFrame = false;
    bool isWord = false;  // the base is one word with 64-bit addresses too
    std::optional<isa::SymbolAddress> symbol;
  };
  // Where a symbol lies: in a space at an offset, known now or (with `symbol`) at load time.
  struct Place {
    isa::Space space = isa::Space::generic;
    s64 offset = 0;
    bool inFrame = false;    // relative to the device function's stack pointer
    bool addsFrame = false;  // plus the frame size: the callee's frame
    std::optional<isa::SymbolAddress> symbol;
  };

  // The two halves of a packed pair.
  struct Halves {
    isa::Operand low, high;
  };

  // --- setting up (selector.cpp)
  void declareRegisters();
  void keepLoops(std::vector<std::vector<u32>>& labelsAt);
  void prologue();
  void storeReturns();
  // First word of the register that a .reg-space parameter or return value is.
  std::optional<u32> registerOf(const ptx::Variable& value) const;
  void selectInstruction(u32 position);

  // --- emitting
  MachineInstruction& emit(isa::Opcode opcode, isa::DataType type);
  MachineInstruction& emit(isa::Opcode opcode, isa::DataType type, std::initializer_list<isa::Operand> destinations,
                           std::initializer_list<isa::Operand> sources);
  // The same without the guard: for temporaries.
  MachineInstruction& compute(isa::Opcode opcode, isa::DataType type, std::initializer_list<isa::Operand> destinations,
                              std::initializer_list<isa::Operand> sources);
  void copyWord(u32 to, isa::Operand from);
  // Fills the words above the first `type`-sized one of a destination register that is wider than the instruction.
  void extend(const ptx::Operand& destination, isa::DataType type);
  [[noreturn]] void unsupported(const std::string& why = {}, const std::string& remedy = {}) const;
  const ptx::Operand& operand(u32 index) const;
  bool hasOperand(u32 index) const;
  u32 operandCount() const { return static_cast<u32>(in_->operands.size()); }

  // --- operands (operands.cpp)
  isa::Operand use(const ptx::Operand& source, isa::DataType type);
  isa::Operand useInRegister(const ptx::Operand& source, isa::DataType type);
  isa::Operand define(const ptx::Operand& destination, isa::DataType type);
  isa::Operand usePredicate(const ptx::Operand& source);
  isa::Operand definePredicate(const ptx::Operand& destination);
  isa::Operand literal(const ptx::Operand& source, isa::DataType type) const;
  isa::Operand readSpecial(ptx::SpecialRegister special, isa::DataType type);
  isa::Operand temporary(isa::DataType type);
  bool isPredicate(u32 reg) const;
  u32 registerWordsOf(u32 reg) const;
  u32 firstWord(u32 reg) const { return wordOf_[reg]; }
  Place placeOf(const ptx::SymbolRef& symbol) const;
  // The symbol's address in its own space, or its generic address, in a register of the given type, or of addresses.
  isa::Operand addressOf(const ptx::Operand& symbol, bool generic, isa::DataType type);
  isa::Operand addressOf(const ptx::Operand& symbol, bool generic);
  Address addressOperand(const ptx::Operand& source, isa::Space space);
  Address wideAddressOperand(const ptx::Operand& source, isa::Space space);
  void setAddress(MachineInstruction& instruction, const Address& address, u32 sourceIndex = 0) const;
  // The register that points to the frame of a device function; absent in kernels, whose frame begins at 0.
  isa::Operand frameBase() const;

  // --- types and modifiers (modifiers.cpp)
  isa::DataType typeFor(isa::Opcode opcode, ptx::Type type) const;
  isa::Modifiers arithmeticModifiers() const;
  void setMemoryModifiers(isa::Modifiers& modifiers) const;
  isa::Space spaceOf(ptx::Space space) const;

  // --- families
  void lane(isa::Opcode opcode);
  void laneByTable();
  void carryArithmetic(isa::Opcode opcode, bool carryIn);
  void selectAdd(), selectAddc(), selectSub(), selectSubc(), selectMul(), selectMad(), selectMadc(), selectMul24(), selectMad24();
  void selectDotProduct(), selectShift(), selectFunnel(), selectLop3(), selectPermute(), selectFma();
  void selectSet(), selectSlct(), selectSpecialFunction(), selectTestp(), selectBfind(), selectClampable();
  void selectCvt(), convertInteger(isa::DataType to, isa::DataType from), convertFloat(isa::DataType to, isa::DataType from);
  void selectMov(), packVector(), unpackVector(), movePredicate();
  void selectLd(), selectSt(), selectAtom(), selectRed(), selectPrefetch(), selectFence(), selectCvta(), selectIsspacep();
  void loadParameter(const ptx::Operand& destination, isa::DataType type, u64 offset);
  void loadVector(const Address&address, isa::DataType type), storeVector(const Address&address, isa::DataType type);
  MachineInstruction& emitLoad(const Address& address, isa::DataType type, u32 vector, isa::Operand destination);
  MachineInstruction& emitStore(const Address& address, isa::DataType type, u32 vector, isa::Operand value);
  void selectTex(), selectTextureQuery(), selectSuld(), selectSust(), selectSured(), setResident();
  isa::Operand textureHandle(const ptx::Operand& place);
  isa::Operand textureCoordinates(const ptx::Operand& place, isa::DataType type);
  MachineInstruction& emitTexture(isa::Opcode opcode, isa::DataType type, u32 vector, const ptx::Operand& place, isa::Operand destination);
  std::vector<ptx::Operand> elementsOf(const ptx::Operand& value) const;
  void takeElements(const std::vector<ptx::Operand>& elements, u32 group, isa::DataType type);
  void selectShfl(), selectVote(), selectMatch(), selectRedux(), selectActivemask(), selectElect();
  void selectBar();
  // halves and smaller formats (select_half.cpp)
  Halves splitPair(isa::Operand pair);
  isa::Operand compareHalves(isa::DataType type, isa::Operand a, isa::Operand b, isa::Operand predicate);
  isa::Operand withProductSign(isa::Operand magnitude, isa::DataType type);
  void selectSetp(), selectHalfSet(), selectMin(), selectMax(), selectExtreme(isa::Opcode opcode);
  bool selectedAsSingles(isa::Opcode opcode), selectedAsNarrowConversion();
  void selectSinglePair(isa::Opcode opcode), selectMixed(isa::Opcode opcode);
  void convertToTf32(), convertToPair(), convertAndPack(), convertToSmall(isa::SmallFormat format);
  // 128-bit registers, vectors of 32 bytes, atomic vectors (select_wide.cpp)
  u32 quadOf(const ptx::Operand& source) const;
  void moveQuad(), loadQuad(const Address&address), storeQuad(const Address&address), atomicVector();
  void loadWideVector(const Address&address, isa::DataType type), storeWideVector(const Address&address, isa::DataType type);
  static void advance(Address& address, s64 bytes);
  // clusters, policies (select_cluster.cpp), video (select_video.cpp)
  void selectCreatePolicy(), selectMapa(), selectGetCtaRank(), selectClusterBarrier();
  void selectVideo(), scalarParts(isa::Video&form) const, packedParts(isa::Video&form) const;
  // --- matrices (select_tensor.cpp)
  struct FragmentAccess {
    Address base;
    isa::Operand stride;  // elements from line to line
    isa::LinearFragment shape;
    u32 elementBits = 0;
    bool stores = false;
    u32 group = 0;  // first register of the fragment
  };
  static isa::Matrix matrixOf(const ptx::MatrixForm& form);
  isa::Operand useFragment(const ptx::Operand& fragment, u32 words);
  void defineFragment(const ptx::Operand& fragment, u32 words, isa::Operand group);
  std::pair<isa::Operand, isa::Operand> firstElement(const isa::LinearFragment& shape);
  Address elementAddress(const FragmentAccess& access, isa::Operand line, isa::Operand position);
  void accessLines(const FragmentAccess&access), accessElements(const FragmentAccess&access);
  isa::Operand guardOfRows(u32 count);
  void selectMma(), selectWmma(), selectLdmatrix(), selectStmatrix(), selectMovmatrix();
  // --- asynchronous copies and mbarrier objects (select_async.cpp)
  void selectCp(), selectCopyAsync(), selectMbarrier();
  isa::Operand addressInRegister(const ptx::Operand& source);
  MachineInstruction& emitMbarrier(isa::MbarrierOp operation, const Address& address, isa::Operand stateTo, isa::Operand done,
                                   isa::Operand state, isa::Operand count);
  void selectBra(), selectBrx(), selectRet(), selectExit(), selectSimpleControl(), selectNanosleep(), drop();
  void selectCall();
  void storeArguments(const CallParts& call, const SignatureLayout& callee, const std::vector<ptx::Variable>* parameters);
  void loadResults(const CallParts& call, const SignatureLayout& callee, const std::vector<ptx::Variable>* returns);
  void enterCallee(), leaveCallee();
  void transfer(const CallParts& call);

  const ptx::Module& module_;
  const ModuleLayout& layout_;
  const CallGraph& calls_;
  const FunctionLayout& own_;
  const ptx::Function& source_;
  MachineFunction code_;
  std::vector<u32> wordOf_;            // per PTX register: first word, or predicate number
  std::map<std::string, u32> byName_;  // registers of .reg-space parameters
  const ptx::Instruction* in_ = nullptr;
  u32 position_ = 0;
  isa::Operand guard_ = isa::Operand::makePredicate(isa::kTruePredicate);
  std::optional<u32> carry_;  // the predicate that stands for CC.CF
};

// Maps ptx::Type to the machine's type: untyped bits become unsigned. none for what has no machine type (f16x2, b128 …).
isa::DataType dataType(ptx::Type type);
isa::DataType unsignedOf(isa::DataType type);
isa::DataType bitsType(u32 bytes);

}  // namespace warpwright::compiler
