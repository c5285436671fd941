// Tiny caches in whole machines: which races they report, and where.
#include "tiny_cache_machines.hpp"

namespace warpwright {
namespace {

using namespace testing::tiny_caches;
using isa::Opcode;
using isa::Space;
using testing::TimedMachine;

// Each thread stores its number, reads its neighbour's after a barrier, stores again, and reads its neighbour's again: with what is in
// `between`, or without it, a cache still has what it read first.
std::string exchange(const char* kind, const char* between, const char* space, const char* type) {
  return fmt::format(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 all) {{
.reg .b32 %t, %x, %y;
.reg .b64 %a, %o, %n;
.shared .align 4 .b8 ours[128];
ld.param.u64 %a, [all];
{0}
mov.u32 %t, %tid.x;
mul.wide.u32 %o, %t, 4;
add.u64 %o, %a, %o;
xor.b32 %x, %t, 1;
mul.wide.u32 %n, %x, 4;
add.u64 %n, %a, %n;
st{1}.{2}.{3} [%o], %t;
bar.sync 0;
ld{1}.{2}.{3} %x, [%n];
bar.warp.sync 0xffffffff;
ld{1}.{2}.{3} %x, [%n];
add.u32 %x, %x, 100;
st{1}.{2}.{3} [%o], %x;
{4}
ld{1}.{2}.{3} %y, [%n];
bar.sync 0;
st.{2}.{3} [%o], %y;
ret;
}})",
                     std::string_view(space) == "shared" ? "mov.u64 %a, ours;" : "", kind, space, type, between);
}

u64 staleWords(const char* kind, const char* between, const char* space, const char* type = "u32") {
  TimedMachine machine(machineOf("fermi-esesc", tiny(), 1));
  u32* words = machine.array<u32>(32);
  const TimedResult result = machine.run(compiled(exchange(kind, between, space, type)), {1}, {32}, {reinterpret_cast<u64>(words)});
  expectLaws(result);
  const Statistics all = counted(result);
  if (all.stale.words != 0) {
    EXPECT_EQ(all.stale.lane.value, 0u);
    EXPECT_EQ(all.stale.isShared.value, std::string_view(space) == "shared");
    EXPECT_EQ(all.stale.address.value, (std::string_view(space) == "shared" ? 0 : reinterpret_cast<u64>(words)) + 4);
  }
  return all.stale.words;
}

TEST(TinyCacheRaces, ReportsRaces) {
  for (const char* space : {"shared", "global"}) {
    EXPECT_EQ(staleWords("", "", space), 32u) << space;
    EXPECT_EQ(staleWords("", "", space, "u16"), 32u) << space;
    EXPECT_EQ(staleWords("", "membar.cta;", space, "u16"), 0u) << space;
    EXPECT_EQ(staleWords("", "bar.warp.sync 0xffffffff;", space), 0u) << space;
    EXPECT_EQ(staleWords("", "membar.cta;", space), 0u) << space;
    EXPECT_EQ(staleWords("", "bar.sync 0;", space), 0u) << space;
    EXPECT_EQ(staleWords(".volatile", "", space), 0u) << space;
  }
}

// Lane 5 of one SM reads a word, tells another SM, which stores there and tells it, and reads the word again. The flags are volatile: with
// what is in `between` on both sides there is no race.
std::string messageAcross(const char* between) {
  return fmt::format(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 all) {{
.reg .b32 %t, %b, %x, %y, %f;
.reg .b64 %a;
.reg .pred %o, %c;
ld.param.u64 %a, [all];
mov.u32 %t, %tid.x;
mov.u32 %b, %ctaid.x;
setp.ne.u32 %o, %t, 5;
@%o bra END;
setp.ne.u32 %c, %b, 0;
@%c bra OTHER;
ld.global.u32 %x, [%a];
{0}
mov.u32 %f, 1;
st.volatile.global.u32 [%a+256], %f;
WAIT:
ld.volatile.global.u32 %f, [%a+512];
setp.eq.u32 %c, %f, 0;
@%c bra WAIT;
{0}
ld.global.u32 %y, [%a];
mad.lo.u32 %x, %x, 10, %y;
st.global.u32 [%a+768], %x;
bra END;
OTHER:
ld.volatile.global.u32 %f, [%a+256];
setp.eq.u32 %c, %f, 0;
@%c bra OTHER;
{0}
mov.u32 %y, 7;
st.global.u32 [%a], %y;
{0}
mov.u32 %f, 1;
st.volatile.global.u32 [%a+512], %f;
END:
ret;
}})",
                     between);
}

// The second load of the word that the two SMs share.
u32 secondWeakLoad(const isa::Program& program) {
  u32 found = 0;
  for (u32 pc = 0; pc < program.code.size(); ++pc) {
    const isa::Instruction& instruction = program.code[pc];
    const bool isWeakLoad = instruction.opcode == Opcode::ld && instruction.modifiers.ordering == isa::Ordering::weak;
    if (isWeakLoad && instruction.modifiers.space == Space::global && ++found == 2) return pc;
  }
  ADD_FAILURE() << "there are not two";
  return 0;
}

TEST(TinyCacheRaces, ReportsRacesOfSms) {
  for (const char* between : {"", "membar.gl;"}) {
    TimedMachine machine(machineOf("fermi-esesc", tiny(), 2));
    u32* words = machine.array<u32>(256);
    const isa::Program program = compiled(messageAcross(between));
    const TimedResult result = machine.run(program, {2}, {32}, {reinterpret_cast<u64>(words)});
    expectLaws(result);
    EXPECT_EQ(words[192], 7u);
    const Statistics all = counted(result);
    const bool isRace = *between == '\0';
    EXPECT_EQ(all.stale.words, isRace ? 1u : 0u);
    if (!isRace) continue;
    EXPECT_EQ(all.stale.pc.value, secondWeakLoad(program));
    EXPECT_EQ(all.stale.address.value, reinterpret_cast<u64>(words));
    EXPECT_EQ(all.stale.lane.value, 5u);
    EXPECT_EQ(all.stale.isShared.value, 0u);
  }
}

// A warp has 16 lines of shared memory in each lane, all dirty and all in one bank. Loads of global memory displace them, 32 words of a
// bank each time: the second of them is answered by the first-level cache before the banks take what it displaces.
TEST(TinyCacheRaces, TakesAnswersBeforeTheBanksAreFree) {
  std::string body;
  for (u32 i = 0; i < 16; ++i) body += fmt::format("ld.global.u32 %x, [%p+{}];\nadd.u32 %v, %v, %x;\n", i * 128);
  body += "bar.sync 0;\n";
  for (u32 i = 0; i < 16; ++i) body += fmt::format("st.shared.u32 [%s+{}], %v;\n", i * 64);
  for (u32 i = 0; i < 16; ++i) body += fmt::format("ld.global.u32 %y{}, [%p+{}];\n", i, i * 128);
  for (u32 i = 0; i < 16; ++i) body += fmt::format("add.u32 %v, %v, %y{};\n", i);
  const std::string ptx = fmt::format(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 all) {{
.reg .b32 %t, %v, %x, %s, %y<16>;
.reg .b64 %p, %o;
.shared .align 64 .b8 ours[32768];
ld.param.u64 %p, [all];
mov.u32 %t, %tid.x;
mul.wide.u32 %o, %t, 4;
add.u64 %p, %p, %o;
mov.u32 %s, ours;
mad.lo.u32 %s, %t, 1024, %s;
mov.u32 %v, 0;
{}st.global.u32 [%p], %v;
ret;
}})",
                                      body);
  TimedMachine machine(machineOf("fermi-esesc", tiny(), 1));
  u32* words = machine.array<u32>(16 * 32);
  std::iota(words, words + 16 * 32, 0u);
  const TimedResult result = machine.run(compiled(ptx), {1}, {32}, {reinterpret_cast<u64>(words)});
  expectLaws(result);
  for (u32 t = 0; t < 32; ++t) EXPECT_EQ(words[t], 2 * (16 * t + 32 * 15 * 16 / 2));
  const Statistics all = counted(result);
  EXPECT_EQ(all.stale.words, 0u);
  EXPECT_EQ(all.below.sharedWritePasses, 16u * 32);
}

}  // namespace
}  // namespace warpwright
