// An SPU as programs in C++ use it: each function is an instruction, which is computed at once and recorded.
//
// Programs are written like those with a compiler's intrinsics. What is recorded is the code of blocks, which labels and branches end; a
// block is ordered, given registers and timed when it ends. Control flow is C++'s own: `while (spu.brnz(counter)) …` goes on as the branch
// does. Addresses are bytes of the local store in the preferred slot (word 0) of a register.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <unordered_map>

#include "spe/code_line.hpp"
#include "spe/local_store.hpp"
#include "spe/pipeline.hpp"
#include "spe/quad.hpp"
#include "spe/schedule.hpp"

namespace warpwright::spe {

// For shufb: where each byte of the result comes from, 0 … 15 of the first register and 16 … 31 of the second (SPU Instruction Set
// Architecture).
using BytePattern = std::array<u8, 16>;
// The same by words: 0 … 3 of the first and 4 … 7 of the second.
BytePattern wordPattern(u32 first, u32 second, u32 third, u32 fourth);

// The twelve bits that an estimate of the SPU is good to.
float estimated(float value);

class Spu {
 public:
  explicit Spu(const Machine& machine);
  ~Spu();
  Spu(const Spu&) = delete;
  Spu& operator=(const Spu&) = delete;

  const Machine& machine() const { return machine_; }
  LocalStore& localStore() { return store_; }

  // ---- values that a program begins with: constants of its data section, which take no instruction
  Quad constant(const Words& words);
  Quad constant(float value);
  Quad pattern(const BytePattern& bytes);

  // ---- local store: sixteen bytes at a multiple of sixteen
  Quad lqd(const Quad& base, s32 offset);
  Quad lqx(const Quad& base, const Quad& index);
  Quad lqa(u32 address);
  void stqd(const Quad& value, const Quad& base, s32 offset);
  void stqx(const Quad& value, const Quad& base, const Quad& index);
  void stqa(const Quad& value, u32 address);

  // ---- SAMS local store (table 4.4): four words from any word on, a stride apart (ws), or next to each other in an array whose layout is
  // for the stride (wsf). Throw Error on an SPE without it.
  void setstride(u32 bytes);
  Quad lqwsd(const Quad& base, s32 offset);
  Quad lqwsx(const Quad& base, const Quad& index);
  Quad lqwsa(u32 address);
  Quad lqwsfd(const Quad& base, s32 offset);
  Quad lqwsfx(const Quad& base, const Quad& index);
  Quad lqwsfa(u32 address);
  void stqwsd(const Quad& value, const Quad& base, s32 offset);
  void stqwsx(const Quad& value, const Quad& base, const Quad& index);
  void stqwsa(const Quad& value, u32 address);
  // Two words of the register, or one, from its first on. A store moves so few because each has a module of its own (section 4.4.1); the
  // thesis names no instructions for it.
  void stdwsd(const Quad& value, const Quad& base, s32 offset);
  void stdwsx(const Quad& value, const Quad& base, const Quad& index);
  void stdwsa(const Quad& value, u32 address);
  void stwwsd(const Quad& value, const Quad& base, s32 offset);
  void stwwsx(const Quad& value, const Quad& base, const Quad& index);
  void stwwsa(const Quad& value, u32 address);
  void stqwsfd(const Quad& value, const Quad& base, s32 offset);
  void stqwsfx(const Quad& value, const Quad& base, const Quad& index);
  void stqwsfa(const Quad& value, u32 address);
  void stdwsfd(const Quad& value, const Quad& base, s32 offset);
  void stdwsfx(const Quad& value, const Quad& base, const Quad& index);
  void stdwsfa(const Quad& value, u32 address);
  void stwwsfd(const Quad& value, const Quad& base, s32 offset);
  void stwwsfx(const Quad& value, const Quad& base, const Quad& index);
  void stwwsfa(const Quad& value, u32 address);

  // ---- memory flow controller: transfers between the local store and main memory, by byte addresses at multiples of sixteen and at most
  // 16 KB each. The words come to lie in the layout of a family, or are in it. Values move at once, time passes until mfcWait(): accesses
  // before that are counted. Throw Error for transfers that there cannot be.
  void attach(std::span<u32> mainMemory) { mainMemory_ = mainMemory; }
  void mfcGet(u32 local, u32 main, u32 bytes, u32 tag, Family family = std::nullopt);
  void mfcPut(u32 local, u32 main, u32 bytes, u32 tag, Family family = std::nullopt);
  // The same for a list in the local store, at a multiple of eight: each element says how many bytes and where they are in main memory, in
  // two words; in the local store they follow each other from `local` on, in the order of the list. The list itself is plain words, in no
  // layout.
  void mfcGetl(u32 local, u32 list, u32 listBytes, u32 tag, Family family = std::nullopt);
  void mfcPutl(u32 local, u32 list, u32 listBytes, u32 tag, Family family = std::nullopt);
  void mfcWait(u32 tags);  // a bit for each tag

  // ---- lanes
  Quad shufb(const Quad& first, const Quad& second, const Quad& pattern);
  Quad rotqbyi(const Quad& value, s32 bytes);
  Quad rotqby(const Quad& value, const Quad& bytes);  // by word 0, as an address that was cut to a quad leaves it over
  // The pattern that puts the first word, or two, of a shuffle's first register into its second one, where this address lies in a quad.
  Quad cwd(const Quad& base, s32 offset);
  Quad cwx(const Quad& base, const Quad& index);
  Quad cdd(const Quad& base, s32 offset);
  Quad cdx(const Quad& base, const Quad& index);

  // ---- single precision, in all lanes
  Quad fa(const Quad& a, const Quad& b);
  Quad fs(const Quad& a, const Quad& b);
  Quad fm(const Quad& a, const Quad& b);
  Quad fma(const Quad& a, const Quad& b, const Quad& c);   // a * b + c
  Quad fms(const Quad& a, const Quad& b, const Quad& c);   // a * b - c
  Quad fnms(const Quad& a, const Quad& b, const Quad& c);  // c - a * b

  // Estimates of 1 / a and of 1 / sqrt(|a|), and the interpolation that leaves twelve bits of one. The tables of the hardware are not kept:
  // what fi leaves is the exact value, rounded.
  Quad frest(const Quad& a);
  Quad frsqest(const Quad& a);
  Quad fi(const Quad& a, const Quad& estimate);

  // ---- whole numbers, in all lanes
  Quad il(s32 value);
  Quad ila(u32 address);
  Quad a(const Quad& a, const Quad& b);
  Quad ai(const Quad& a, s32 value);
  Quad sf(const Quad& a, const Quad& b);  // b - a
  Quad ceq(const Quad& a, const Quad& b);
  Quad cgt(const Quad& a, const Quad& b);
  Quad fcgt(const Quad& a, const Quad& b);
  Quad selb(const Quad& a, const Quad& b, const Quad& mask);  // b where the mask has ones
  Quad and_(const Quad& a, const Quad& b);
  Quad or_(const Quad& a, const Quad& b);
  Quad xor_(const Quad& a, const Quad& b);
  Quad shli(const Quad& a, s32 bits);

  // ---- control. A branch goes back to, or on to, a label; whether it is taken is the result. Its name is what hints call it by.
  void label(std::string_view name);
  void br(std::string_view name = {});
  bool brz(const Quad& condition, std::string_view name = {});
  bool brnz(const Quad& condition, std::string_view name = {});
  // The branch of this name will go to this label, each time that it comes by: until another hint, as there is one buffer for targets. A
  // branch whose hint is wrong, because it is not taken or goes elsewhere, costs what one without a hint does when it is taken.
  void hbrr(std::string_view branch, std::string_view target);

  // Times what has been recorded so far.
  void finish();
  Statistics statistics() const;
  void listen(PipelineListener* listener) { pipeline_.listen(listener); }
  // The code of all blocks, in the order in which they first ran.
  const std::vector<CodeLine>& code() const { return code_; }

 private:
  Quad record(Opcode opcode, const Words& result, std::initializer_list<const Quad*> sources, s32 immediate = 0);
  Instruction& add(Opcode opcode, std::initializer_list<const Quad*> sources, s32 immediate);
  template <typename Function>
  Quad ofFloats(Opcode opcode, std::initializer_list<const Quad*> sources, Function&& function);
  template <typename Function>
  Quad ofWords(Opcode opcode, std::initializer_list<const Quad*> sources, s32 immediate, Function&& function);

  Quad load(Opcode opcode, const PortAccess& access, std::initializer_list<const Quad*> sources, s32 immediate);
  void store(Opcode opcode, const PortAccess& access, std::initializer_list<const Quad*> sources, s32 immediate);
  void noteAccess(Instruction& instruction, const PortAccess& access);
  // Words a stride apart, or next to each other, in the layout for the stride.
  PortAccess ofField(u32 address) const { return inLayout(Port::strided, address); }
  PortAccess ofStructure(u32 address) const { return inLayout(Port::unitStride, address); }
  PortAccess inLayout(Port port, u32 address) const;
  bool branch(Opcode opcode, const Quad* condition, bool taken, std::string_view name);
  NameId idOf(std::string_view name);

  // Of a command: where it moves how much.
  struct Part {
    u32 local = 0, main = 0, bytes = 0;
  };
  void require(const Part& part) const;
  // What the list says.
  std::vector<Part> partsOf(u32 local, u32 list, u32 listBytes);
  void command(std::span<const Part> parts, u32 tag, u32 listBytes = 0);
  void moveIn(std::span<const Part> parts, Family family);
  void moveOut(std::span<const Part> parts, Family family);
  void noteUnawaited(const Touched& touched);

  u32 addressOf(const std::vector<u32>& order);
  void giveRegisters(const std::vector<u32>& order);
  // Forgets the block, which holds values.
  void release();
  std::string textOf(const Instruction& instruction) const;

  Machine machine_;
  Values values_;
  LocalStore store_;
  Pipeline pipeline_;
  Schedules schedules_;
  Block block_;
  std::string label_ = "start";
  u32 strideBytes_ = 4;
  std::span<u32> mainMemory_;
  std::array<std::vector<Touched>, 32> moving_;  // by tag: what transfers move that nobody has waited for
  u64 unawaited_ = 0;
  std::unordered_map<std::string, NameId> ids_;
  std::vector<std::string> names_{""};              // by id
  std::unordered_map<std::string, u32> addresses_;  // of blocks, by what identifies one: its label and its instructions
  std::vector<CodeLine> code_;
  u32 codeEnd_ = 0;
  u32 mostRegisters_ = 0;
};

}  // namespace warpwright::spe
