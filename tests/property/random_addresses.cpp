#include "random_addresses.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "random.hpp"

namespace warpwright::testing {
namespace {

// Every variable gives each thread eight bytes of its own.
constexpr u32 kSlotBytes = 8;
constexpr u32 kChains = 6, kSteps = 7;

struct Variable {
  std::string_view name, space;
  bool writable = true;
  bool hasGeneric = true;  // global addresses are generic ones
  bool initialised = false;
};

constexpr std::array<Variable, 7> kVariables = {{{"g", "global", true, false, true},
                                                 {"c", "const", false, true, true},
                                                 {"bytes", "param", false, true, true},
                                                 {"ms", "shared"},
                                                 {"ks", "shared"},
                                                 {"jl", "local"},
                                                 {"kl", "local"}}};

u64 initialValue(u32 variable, u32 thread) { return (variable + 1) * u64{0x9e3779b97f4a7c15} * (thread + 1); }

// A register that points `delta` bytes behind the beginning of the thread's slot.
struct Pointer {
  u32 variable = 0;
  u32 bits = 64;
  bool generic = false;
  s64 delta = 0;
  std::string reg;
};

class AddressGenerator {
 public:
  AddressGenerator(u64 seed, u32 addressBits, u32 threads)
      : random_(seed), addressBits_(addressBits), threads_(threads), contents_(kVariables.size(), std::vector<u64>(threads)) {
    program_.expected.resize(threads);
    for (u32 v = 0; v < kVariables.size(); ++v)
      for (u32 thread = 0; thread < threads; ++thread) contents_[v][thread] = initialValue(v, thread);
  }

  AddressProgram run() {
    prologue();
    for (u32 chain = 0; chain < kChains; ++chain) followChain();
    checkPredicates();
    std::string body = std::move(out_);
    // Only now is it known how much a thread writes.
    static constexpr std::string_view kBytesMark = "%o_bytes";
    body.replace(body.find(kBytesMark), kBytesMark.size(), std::to_string(program_.expected[0].size() * 8));
    out_ = fmt::format(".version 7.8\n.target sm_70\n.address_size {}\n", addressBits_);
    variables();
    functions();
    declarations();
    out_ += body + "  ret;\n}\n";
    program_.ptx = std::move(out_);
    return std::move(program_);
  }

 private:
  template <class... T>
  void line(fmt::format_string<T...> text, T&&... values) {
    out_ += "  ";
    fmt::format_to(std::back_inserter(out_), text, std::forward<T>(values)...);
    out_ += '\n';
  }
  std::string newRegister(u32 bits) { return bits == 64 ? fmt::format("%d{}", longs_++) : fmt::format("%r{}", words_++); }
  u32 anyBits() { return random_.chance(50) ? 64 : 32; }
  const Variable& variableOf(const Pointer& pointer) const { return kVariables[pointer.variable]; }

  // --- the text around the code
  void variables() {
    for (u32 v = 0; v < 2; ++v) {
      fmt::format_to(std::back_inserter(out_), ".{} .align 8 .u64 {}[{}] = {{", kVariables[v].space, kVariables[v].name, threads_);
      for (u32 thread = 0; thread < threads_; ++thread)
        fmt::format_to(std::back_inserter(out_), "{}{}", thread == 0 ? "" : ", ", initialValue(v, thread));
      out_ += "};\n";
    }
    // Pointers that initialisers hold, in words of either width.
    out_ += ".global .u64 wideG = g;\n.global .u64 wideC = generic(c);\n.const .u64 ownC = c;\n";
    if (addressBits_ == 32) out_ += ".global .u32 wordG = g;\n.const .u32 wordC = generic(c);\n";
    const u32 bytes = threads_ * kSlotBytes;
    out_ += fmt::format(".shared .align 8 .b8 ms[{}];\n", bytes);
    program_.bytes.resize(bytes);
    for (u32 thread = 0; thread < threads_; ++thread)
      for (u32 i = 0; i < kSlotBytes; ++i) program_.bytes[thread * kSlotBytes + i] = static_cast<u8>(initialValue(2, thread) >> (8 * i));
  }

  // Pass a pointer on, directly and through the frame; store a value in a frame through a generic address and load it again.
  void functions() {
    for (const u32 bits : {32, 64}) {
      const std::string_view mov = bits == 64 ? "mov.u64" : "mov.u32";
      out_ += fmt::format(".func (.reg .b{0} y) pass{0}(.reg .b{0} x) {{ {1} y, x; ret; }}\n", bits, mov);
      out_ += fmt::format(
          R"(.func (.param .b{0} y) keep{0}(.param .b{0} x)
{{
  .local .align 8 .b8 own[16];
  .reg .b{0} %a, %b, %v;
  ld.param.u{0} %v, [x];
  mov.u{0} %a, own;
  st.local.u{0} [%a+8], %v;
  cvta.local.u{0} %b, own;
  ld.u{0} %v, [%b+8];
  st.param.u{0} [y], %v;
  ret;
}}
)",
          bits);
    }
  }

  void declarations() {
    const u32 bytes = threads_ * kSlotBytes;
    out_ += fmt::format(".visible .entry k(.param .u64 out, .param .u64 in, .param .align 8 .b8 bytes[{}])\n{{\n", bytes);
    line(".reg .pred %p<{}>;", kPredicates + 1);
    line(".reg .b32 %t<4>, %w<2>, %r<{}>;", words_ + 1);
    line(".reg .b64 %o<4>, %x<2>, %d<{}>;", longs_ + 1);
    line(".shared .align 8 .b8 ks[{}];", bytes);
    line(".local .align 8 .b8 jl[{0}], kl[{0}];", kSlotBytes);
  }

  // %t0: thread; %w0, %x0: the offset of its slot; %o0: where it writes.
  void prologue() {
    line("mov.u32 %t0, %tid.x;");
    line("mov.u32 %t1, %ctaid.x;");
    line("mov.u32 %t2, %ntid.x;");
    line("mad.lo.u32 %t0, %t1, %t2, %t0;");
    line("mul.lo.u32 %w0, %t0, {};", kSlotBytes);
    line("cvt.u64.u32 %x0, %w0;");
    line("ld.param.u64 %o0, [out];");
    // Values that live to the end: whatever an address displaces by mistake is likely to be one of them.
    for (u32 p = 0; p < kPredicates; ++p) line("setp.lt.u32 %p{}, %t0, {};", p, boundOf(p));
    line("cvt.u64.u32 %o1, %t0;");
    line("add.u64 %o1, %o1, 1;");
    for (u32 v = 0; v < kVariables.size(); ++v) initialise(v);
    line("mad.wide.u32 %o0, %t0, %o_bytes, %o0;");
  }

  void initialise(u32 variable) {
    const Variable& to = kVariables[variable];
    if (to.initialised) return;
    line("mul.lo.u64 %o2, %o1, {};", initialValue(variable, 0));
    if (to.space == "local") return line("st.local.u64 [{}], %o2;", to.name);
    line("mov.u32 %t3, {};", to.name);
    line("add.u32 %t3, %t3, %w0;");
    line("st.shared.u64 [%t3], %o2;");
  }

  static constexpr u32 kPredicates = 5;
  u32 boundOf(u32 predicate) const { return (predicate + 1) * threads_ / (kPredicates + 1); }

  void checkPredicates() {
    for (u32 p = 0; p < kPredicates; ++p) {
      line("selp.u64 %o2, 1, 0, %p{};", p);
      putOut([&](u32 thread) { return u64{thread < boundOf(p)}; });
    }
  }

  // Writes %o2.
  template <class Value>
  void putOut(Value&& value) {
    const std::size_t offset = program_.expected[0].size() * 8;
    if (addressBits_ == 64) {
      line("st.global.u64 [%o0+{}], %o2;", offset);
    } else {
      line("cvt.u32.u64 %t3, %o0;");
      line("st.global.u64 [%t3+{}], %o2;", offset);
    }
    for (u32 thread = 0; thread < threads_; ++thread) program_.expected[thread].push_back(value(thread));
  }

  // --- addresses
  void followChain() {
    Pointer pointer = beginning();
    for (u32 step = 0; step < kSteps; ++step) {
      change(pointer);
      if (random_.chance(40)) use(pointer);
    }
    use(pointer);
  }

  // Global addresses have as many bits as the module's.
  bool fits(u32 variable, u32 bits) const { return bits == 64 || addressBits_ == 32 || kVariables[variable].space != "global"; }

  Pointer beginning() {
    Pointer pointer;
    pointer.variable = random_.below(kVariables.size());
    pointer.bits = anyBits();
    if (!fits(pointer.variable, pointer.bits)) pointer.bits = 64;
    const Variable& variable = variableOf(pointer);
    pointer.generic = random_.chance(40);
    pointer.reg = newRegister(pointer.bits);
    if (!fromInitialiser(pointer)) {
      const s64 displacement = random_.chance(40) ? random_.below(64) : 0;
      const std::string name = displacement == 0 ? std::string(variable.name) : fmt::format("{}+{}", variable.name, displacement);
      if (pointer.generic)
        line("cvta.{}.u{} {}, {};", variable.space, pointer.bits, pointer.reg, name);
      else
        line("mov.u{} {}, {};", pointer.bits, pointer.reg, name);
      pointer.delta = displacement;
    }
    if (variable.space == "local") return pointer;
    const std::string slot = newRegister(pointer.bits);
    line("add.u{} {}, {}, {};", pointer.bits, slot, pointer.reg, pointer.bits == 64 ? "%x0" : "%w0");
    pointer.reg = slot;
    return pointer;
  }

  bool fromInitialiser(Pointer& pointer) {
    if (pointer.variable > 1 || random_.chance(60)) return false;
    const bool isGlobal = pointer.variable == 0;
    const bool wide = addressBits_ == 64 || random_.chance(50);
    pointer.generic = isGlobal ? false : !wide || random_.chance(50);
    const std::string_view space = isGlobal || (wide && pointer.generic) ? "global" : "const";
    const std::string_view name = isGlobal ? (wide ? "wideG" : "wordG") : wide ? (pointer.generic ? "wideC" : "ownC") : "wordC";
    // A word of a wide one is its low one.
    const u32 bits = wide ? pointer.bits : 32;
    line("ld.{}.u{} {}, [{}];", space, bits, pointer.reg, name);
    return true;
  }

  void change(Pointer& pointer) {
    switch (random_.below(8)) {
      case 0:
        return move(pointer, random_.chance(90) ? random_.below(256) : random_.below(1 << 24));
      case 1:
        return move(pointer, -static_cast<s64>(random_.chance(90) ? random_.below(256) : random_.below(1 << 24)));
      case 2:
        return resize(pointer);
      case 3:
        return convert(pointer);
      case 4:
        return repack(pointer);
      case 5:
        return call(pointer);
      case 6:
        return keep(pointer);
      default:
        return choose(pointer);
    }
  }

  void move(Pointer& pointer, s64 bytes) {
    const std::string from = std::exchange(pointer.reg, newRegister(pointer.bits));
    if (random_.chance(50))
      line("add.s{} {}, {}, {};", pointer.bits, pointer.reg, from, bytes);
    else
      line("sub.s{} {}, {}, {};", pointer.bits, pointer.reg, from, -bytes);
    pointer.delta += bytes;
  }

  // An address in front of its variable may be negative in its space: its high word then depends on its width.
  void resize(Pointer& pointer) {
    const u32 bits = 96 - pointer.bits;
    if (!fits(pointer.variable, bits) || pointer.delta < 0) return;
    const std::string from = std::exchange(pointer.reg, newRegister(bits));
    line("cvt.u{}.u{} {}, {};", bits, pointer.bits, pointer.reg, from);
    pointer.bits = bits;
  }

  void convert(Pointer& pointer) {
    const std::string from = std::exchange(pointer.reg, newRegister(pointer.bits));
    line("cvta.{}{}.u{} {}, {};", pointer.generic ? "to." : "", variableOf(pointer).space, pointer.bits, pointer.reg, from);
    pointer.generic = !pointer.generic;
  }

  void repack(Pointer& pointer) {
    if (pointer.bits == 32) return;
    const std::string low = newRegister(32), high = newRegister(32), from = std::exchange(pointer.reg, newRegister(64));
    line("mov.b64 {{{}, {}}}, {};", low, high, from);
    line("mov.b64 {}, {{{}, {}}};", pointer.reg, low, high);
  }

  void call(Pointer& pointer) {
    const u32 bits = pointer.bits;
    const std::string from = std::exchange(pointer.reg, newRegister(bits));
    if (random_.chance(50)) return line("call ({}), pass{}, ({});", pointer.reg, bits, from);
    line("{{ .param .b{0} argument; .param .b{0} result;", bits);
    line("st.param.b{} [argument], {};", bits, from);
    line("call (result), keep{}, (argument);", bits);
    line("ld.param.b{} {}, [result]; }}", bits, pointer.reg);
  }

  // In memory and back; of a pair that is an address of 32 bits, the low word alone.
  void keep(Pointer& pointer) {
    if (pointer.variable == 6) return;
    const std::string from = std::exchange(pointer.reg, newRegister(pointer.bits));
    const bool high = pointer.bits == 32 && pointer.delta >= 0 && random_.chance(50);
    line("ld.local.u64 %o3, [kl];");
    line("st.local.u{} [kl], {};", pointer.bits, from);
    if (high) {
      line("st.local.u32 [kl+4], 0;");
      pointer.bits = 64;
      pointer.reg = newRegister(64);
    }
    line("ld.local.u{} {}, [kl];", pointer.bits, pointer.reg);
    line("st.local.u64 [kl], %o3;");
  }

  // Lanes come to the same address in two ways.
  void choose(Pointer& pointer) {
    const u32 p = random_.below(kPredicates), bits = pointer.bits;
    const std::string from = std::exchange(pointer.reg, newRegister(bits));
    line("@%p{} add.u{} {}, {}, 16;", p, bits, pointer.reg, from);
    line("@!%p{} sub.u{} {}, {}, -16;", p, bits, pointer.reg, from);
    pointer.delta += 16;
  }

  // --- accesses
  void use(const Pointer& pointer) {
    if (random_.chance(25) && pointer.delta >= 0 && pointer.bits == 64 && variableOf(pointer).space != "global") highWord(pointer);
    if (random_.chance(20)) askSpace(pointer);
    if (variableOf(pointer).writable && random_.chance(50)) store(pointer);
    load(pointer);
  }

  // All windows of the generic space lie below 4 GiB.
  void highWord(const Pointer& pointer) {
    line("shr.u64 %o2, {}, 32;", pointer.reg);
    putOut([](u32) { return u64{0}; });
  }

  void askSpace(const Pointer& pointer) {
    const Variable& variable = variableOf(pointer);
    if (!(pointer.generic || variable.space == "global") || pointer.delta < 0 || pointer.delta > 1 << 20) return;
    const bool right = random_.chance(50);
    line("isspacep.{} %p{}, {};", right ? variable.space : variable.space == "shared" ? "local" : "shared", kPredicates, pointer.reg);
    line("selp.u64 %o2, 7, 3, %p{};", kPredicates);
    putOut([&](u32) { return u64{right ? 7u : 3u}; });
  }

  // "space.type value, [address]" of an access of so many bytes, `at` bytes into the slot.
  std::string place(const Pointer& pointer, u32 at) const {
    const s64 displacement = s64{at} - pointer.delta;
    return displacement == 0 ? fmt::format("[{}]", pointer.reg) : fmt::format("[{}+{}]", pointer.reg, displacement);
  }
  std::string spaceOf(const Pointer& pointer) {
    const Variable& variable = variableOf(pointer);
    if (variable.space == "global" && random_.chance(50)) return "";
    return pointer.generic ? "" : fmt::format(".{}", variable.space);
  }

  void load(const Pointer& pointer) {
    const u32 bytes = 1u << random_.below(4), at = random_.below(kSlotBytes / bytes) * bytes;
    line("ld{}.u{} %o2, {};", spaceOf(pointer), 8 * bytes, place(pointer, at));
    const u64 mask = bytes == 8 ? ~u64{0} : (u64{1} << (8 * bytes)) - 1;
    putOut([&](u32 thread) { return contents_[pointer.variable][thread] >> (8 * at) & mask; });
  }

  void store(const Pointer& pointer) {
    const bool adds = random_.chance(30) && variableOf(pointer).space != "local";
    const u32 bytes = adds ? 4 + 4 * random_.below(2) : 1u << random_.below(4), at = random_.below(kSlotBytes / bytes) * bytes;
    const u64 value = random_.next();
    line("mul.lo.u64 %o2, %o1, {};", value);
    if (adds && bytes == 4) line("cvt.u32.u64 %t3, %o2;");
    if (adds)
      line("red{}.add.u{} {}, {};", spaceOf(pointer), 8 * bytes, place(pointer, at), bytes == 4 ? "%t3" : "%o2");
    else
      line("st{}.u{} {}, %o2;", spaceOf(pointer), 8 * bytes, place(pointer, at));
    const u64 mask = (bytes == 8 ? ~u64{0} : (u64{1} << (8 * bytes)) - 1) << (8 * at);
    for (u32 thread = 0; thread < threads_; ++thread) {
      u64& slot = contents_[pointer.variable][thread];
      const u64 given = value * (thread + 1) << (8 * at);
      slot = (slot & ~mask) | ((adds ? (slot & mask) + given : given) & mask);
    }
  }

  Random random_;
  u32 addressBits_, threads_;
  std::vector<std::vector<u64>> contents_;  // by variable and thread
  AddressProgram program_;
  std::string out_;
  u32 words_ = 0, longs_ = 0;
};

}  // namespace

AddressProgram randomAddresses(u64 seed, u32 addressBits, u32 threads) { return AddressGenerator(seed, addressBits, threads).run(); }

}  // namespace warpwright::testing
