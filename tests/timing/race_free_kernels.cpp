#include "race_free_kernels.hpp"

#include <fmt/format.h>

#include <random>

namespace warpwright::testing {
namespace {

using K = RaceFreeKernel;

// Registers: %t thread, %b block, %g thread of the grid, %v its value, %x, %y, %i for all; %a array, %s shared memory, %w block's slab.
// Shared memory: kSlab words, as many half-words and bytes behind them, and a counter.
constexpr u32 kHalvesAt = K::kSlab * 4, kBytesAt = kHalvesAt + K::kSlab * 2, kSharedCounterAt = kBytesAt + K::kSlab,
              kFlagAt = kSharedCounterAt + 4, kSharedBytes = kFlagAt + 4;

class Writer {
 public:
  explicit Writer(u64 seed) : random_(seed) {}

  std::string kernel(u32 phases) {
    begin();
    for (u32 phase = 0; phase < phases; ++phase) below(4) == 0 ? warpPhase() : blockPhase();
    lastBlock();
    return text_;
  }

 private:
  u32 below(u32 bound) { return static_cast<u32>(random_() % bound); }
  u32 odd(u32 bound) { return below(bound / 2) * 2 + 1; }
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  void begin() {
    line(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 all)
{{
.reg .b32 %t, %b, %g, %v, %x, %y, %i, %own, %s;
.reg .b16 %h;
.reg .b64 %a, %p, %o, %w;
.reg .pred %c, %z;
.shared .align 16 .b8 shared[{}];
ld.param.u64 %a, [all];
mov.u32 %t, %tid.x;
mov.u32 %b, %ctaid.x;
mad.lo.u32 %g, %b, {}, %t;
mad.lo.u32 %v, %g, 2654435761, 12345;
mov.u32 %s, shared;
mul.lo.u32 %x, %b, {};
add.u32 %x, %x, {};
cvt.u64.u32 %o, %x;
add.u64 %w, %a, %o;
mov.u32 %y, 0;
setp.eq.u32 %z, %t, 0;
@%z st.shared.u32 [%s+{}], %y;)",
         kSharedBytes, K::kThreads, K::kSlab * 4, K::kSlabsAt * 4, kSharedCounterAt);
    // Every word, half-word and byte has a value, those that no thread owns included.
    for (const u32 first : {0u, K::kSlab - K::kThreads}) {
      line("add.u32 %own, %t, {};", first);
      ownWord("st", "%v");
      slab("st", "%v");
      ownHalf("st");
      ownByte("st");
      line("bar.sync 0;");
    }
  }

  // --- accesses to what thread %own % kSlab of the block owns, or what any may read
  void ownWord(std::string_view operation, std::string_view value, std::string_view kind = "") {
    line("and.b32 %i, %own, {};\nshl.b32 %i, %i, 2;\nadd.u32 %i, %i, %s;", K::kSlab - 1);
    operation == "st" ? line("st{}.shared.u32 [%i], {};", kind, value) : line("ld{}.shared.u32 {}, [%i];", kind, value);
  }
  void slab(std::string_view operation, std::string_view value, std::string_view kind = "") {
    line("and.b32 %i, %own, {};\nmul.wide.u32 %o, %i, 4;\nadd.u64 %p, %w, %o;", K::kSlab - 1);
    operation == "st" ? line("st{}.global.u32 [%p], {};", kind, value) : line("ld{}.global.u32 {}, [%p];", kind, value);
  }
  void ownHalf(std::string_view operation) {
    line("and.b32 %i, %own, {};\nshl.b32 %i, %i, 1;\nadd.u32 %i, %i, %s;", K::kSlab - 1);
    if (operation == "st") return line("cvt.u16.u32 %h, %v;\nst.shared.u16 [%i+{}], %h;", kHalvesAt);
    line("ld.shared.u16 %h, [%i+{}];\ncvt.u32.u16 %x, %h;", kHalvesAt);
  }
  void ownByte(std::string_view operation) {
    line("and.b32 %i, %own, {};\nadd.u32 %i, %i, %s;", K::kSlab - 1);
    if (operation == "st") return line("st.shared.u8 [%i+{}], %v;", kBytesAt);
    line("ld.shared.u8 %x, [%i+{}];", kBytesAt);
  }
  void spread(std::string_view operation, u32 factor, u32 first) {
    line("mad.lo.u32 %i, %g, {}, {};\nand.b32 %i, %i, {};\nmul.wide.u32 %o, %i, 4;\nadd.u64 %p, %a, %o;", factor, first, K::kSpread - 1);
    operation == "st" ? line("st.global.u32 [%p+{}], %v;", K::kSpreadAt * 4) : line("ld.global.u32 %x, [%p+{}];", K::kSpreadAt * 4);
  }
  // Of neighbours together.
  void packed(u32 first, u32 words) {
    line("and.b32 %i, %own, {};\nshl.b32 %i, %i, 2;\nadd.u32 %i, %i, %s;\nld.shared.u32 %x, [%i+{}];", words - 1, first);
  }
  void use() { line("mad.lo.u32 %v, %v, 31, %x;"); }

  void ownAccess() {
    const std::string_view operation = below(2) == 0 ? "st" : "ld", kind = below(6) == 0 ? ".volatile" : "";
    switch (below(5)) {
      case 0:
        slab(operation, operation == "st" ? "%v" : "%x", kind);
        break;
      case 1:
        ownHalf(operation);
        break;
      case 2:
        ownByte(operation);
        break;
      case 3:
        spread(operation, kSpreadFactor, kSpreadFirst);
        break;
      default:
        ownWord(operation, operation == "st" ? "%v" : "%x", kind);
    }
    if (operation == "ld") use();
  }
  void readOnly() {
    line("mad.lo.u32 %i, %t, {}, {};\nand.b32 %i, %i, {};\nmul.wide.u32 %o, %i, 4;\nadd.u64 %p, %a, %o;", below(5), below(300),
         K::kReadOnly - 2);
    if (below(2) == 0) {
      line("ld.global.u32 %x, [%p];");
    } else {
      line("ld.global.u16 %h, [%p+2];\ncvt.u32.u16 %x, %h;");
    }
    use();
  }
  void other() {
    switch (below(6)) {
      case 0:
        return line("and.b32 %x, %v, 255;\nred.global.add.u32 [%a+{}], %x;", (K::kCountersAt + 1 + below(K::kCounters - 1)) * 4);
      case 1:
        return line("red.shared.add.u32 [%s+{}], 3;", kSharedCounterAt);
      case 2:
        return line("membar.gl;");
      case 3:
        return line("membar.cta;");
      default:
        return readOnly();
    }
  }
  // Of words of the phase before, whoever wrote them.
  void readOthers() {
    line("mad.lo.u32 %own, %t, {}, {};", below(7), below(200));
    switch (below(6)) {
      case 0:
        slab("ld", "%x");
        break;
      case 1:
        ownHalf("ld");
        break;
      case 2:
        ownByte("ld");
        break;
      case 3:
        packed(kHalvesAt, K::kSlab / 2);
        break;
      case 4:
        packed(kBytesAt, K::kSlab / 4);
        break;
      default:
        ownWord("ld", "%x");
    }
    use();
  }

  // Threads own other words in each phase, which they write and read; after a barrier all read all.
  void blockPhase() {
    line("mad.lo.u32 %own, %t, {}, {};", odd(64), below(500));
    for (u32 i = 0; i < 8; ++i) below(3) == 0 ? other() : ownAccess();
    line("bar.sync 0;");
    for (u32 i = 0; i < 4; ++i) readOthers();
    line("bar.sync 0;");
  }

  // Threads of a warp read what one another wrote.
  void warpPhase() {
    line("mov.u32 %own, %t;");
    for (u32 i = 0; i < 5; ++i) ownAccess();
    line("bar.warp.sync 0xffffffff;");
    line("xor.b32 %own, %t, {};", below(32));
    ownWord("ld", "%x");
    use();
    slab("ld", "%x");
    use();
    line("bar.warp.sync 0xffffffff;\nmov.u32 %own, %t;");
    for (u32 i = 0; i < 3; ++i) ownAccess();
    line("bar.sync 0;");
  }

  // The block that is the last to come, by a counter, adds up what all have left in their slabs.
  void lastBlock() {
    line("mul.wide.u32 %o, %g, 4;\nadd.u64 %p, %a, %o;\nst.global.u32 [%p+{}], %v;", K::kOutAt * 4);
    line("bar.sync 0;\n@%z ld.shared.u32 %x, [%s+{}];\n@%z red.global.add.u32 [%a+{}], %x;", kSharedCounterAt, (K::kCountersAt + 1) * 4);
    line("membar.gl;\n@%z atom.global.add.u32 %y, [%a+{}], 1;\nmembar.gl;\n@%z st.shared.u32 [%s+{}], %y;", K::kCountersAt * 4, kFlagAt);
    line("bar.sync 0;\nld.shared.u32 %y, [%s+{}];\nsetp.ne.u32 %c, %y, {};\n@%c bra END;", kFlagAt, K::kBlocks - 1);
    line("mov.u32 %v, 0;\nmul.wide.u32 %o, %t, 4;\nadd.u64 %p, %a, %o;");
    for (u32 block = 0; block < K::kBlocks; ++block)
      line("ld.global.u32 %x, [%p+{}];\nmad.lo.u32 %v, %v, 31, %x;", (K::kSlabsAt + block * K::kSlab) * 4);
    line("st.global.u32 [%p+{}], %v;\nEND:\nret;\n}}", K::kTotalAt * 4);
  }

  // Odd, so that each thread of the grid owns a word of its own through all phases.
  const u32 kSpreadFactor = 5, kSpreadFirst = 77;
  std::mt19937_64 random_;
  std::string text_;
};

}  // namespace

std::string RaceFreeKernel::ptx(u64 seed, u32 phases) { return Writer(seed).kernel(phases); }

}  // namespace warpwright::testing
