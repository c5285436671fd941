#include "tiny_kernels.hpp"

namespace warpwright::testing {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;

void add(Assembler& code, u32 to, u32 a, u32 b) { code.emit(Opcode::add, DataType::u32, {R(to)}, {R(a), R(b)}); }

template <class Change>
Machine changed(Change change) {
  Machine machine = fermi();
  change(machine);
  return machine;
}

// One channel, one slice, every clock that of the core: all ways can be added up.
Machine plainMemory() {
  Machine machine = oneClock(fermi());
  machine.dram.channels = 1;
  machine.partition.slices = machine.partition.networkPorts = 1;
  return machine;
}

std::vector<TinyKernel> ofThePipeline() {
  return {
      {"dependent_adds",
       "An add reads its operands in the cycle after its issue, enters the pipe in the next (2 cycles) and takes 4 cycles there: who\n"
       "needs its result issues 6 cycles behind it (sm.operations.simple).",
       [](Assembler& code) {
         for (u32 i = 0; i < 3; ++i) add(code, 4, 4, 5);
       }},
      {"independent_adds", "Nothing depends on anything: one instruction a cycle, the issue width, each complete 6 cycles after its issue.",
       [](Assembler& code) {
         for (u32 i = 0; i < 4; ++i) add(code, 4 + i, 10, 11);
       }},
      {"two_warps",
       "Loose round-robin: the warps' dependent adds alternate, each warp's own 6 cycles apart. Register r of slot s lies in bank (r + s)\n"
       "mod 16: in cycle 7, the result of warp 1 for its R4 takes the bank of warp 0's R5, which is read in cycle 8 and then takes that "
       "of\n"
       "warp 1's R4. The second adds enter their pipe a cycle later for it.",
       [](Assembler& code) {
         for (u32 i = 0; i < 2; ++i) add(code, 4, 4, 5);
       },
       fermi(), 2},
      {"register_bank_conflict",
       "R5 and R21 lie in the same of 16 banks: the second operand is read a cycle later, and all behind comes a cycle later (7 cycles).\n"
       "R5 and R6 do not.",
       [](Assembler& code) {
         add(code, 4, 5, 21);
         add(code, 4, 4, 5);
         add(code, 4, 4, 6);
       }},
      {"narrow_pipe",
       "The special-function pipe is 8 lanes wide: a warp takes 32 / 8 = 4 cycles, but sm.operations.special asks for 8 between two\n"
       "instructions. Latency 10, 2 of them up to the dispatch: each completes 8 cycles behind it.",
       [](Assembler& code) {
         for (u32 i = 0; i < 3; ++i) code.emit(Opcode::ex2, DataType::f32, {R(4 + i)}, {R(10)});
       }},
      {"dual_issue",
       "Issue width 2: two independent adds of the warp issue in one cycle, one into each of the two fp32 pipes. The barrier before the "
       "body\n"
       "takes the other slot of cycle 0.",
       [](Assembler& code) {
         for (u32 i = 0; i < 4; ++i) add(code, 4 + i, 10 + 2 * i, 11 + 2 * i);
       },
       changed([](Machine& m) { m.sm.issueWidth = 2; })},
      {"one_write_back_port",
       "Without operand collectors instructions enter their pipe in the cycle after issue. With one write-back port, the multiplication\n"
       "(latency 6) and the add behind it (latency 5) end in the same cycle: the later one to ask, the add, waits for a cycle.",
       [](Assembler& code) {
         code.emit(Opcode::mul_lo, DataType::u32, {R(4)}, {R(10), R(11)});
         add(code, 5, 10, 11);
       },
       changed([](Machine& m) { m.sm.collectors = 0, m.sm.writeBackPorts = 1, m.sm.multiply.latency = 6, m.sm.simple.latency = 5; })},
  };
}

std::vector<TinyKernel> ofControl() {
  return {
      {"branch", "The jump to the next instruction blocks the warp for sm.operations.branch.latency = 2 cycles; nothing is fetched anew.",
       [](Assembler& code) {
         code.jump(code.here() + 1);
         add(code, 4, 10, 11);
       }},
      {"divergence",
       "Lanes 16 to 31 fall through, lanes 0 to 15 branch to instruction 6; all meet at instruction 7. The paths run one after the other.\n"
       "A branch takes 2 cycles (sm.operations.branch), meanwhile instruction 6 is fetched anew: asked for in cycle 18, looked up in 19,\n"
       "l1i.hit_latency = 1 later there, decoded in 1: it issues in cycle 21. Instruction 7 lies behind it in the buffer.",
       [](Assembler& code) {
         code.special(1, isa::SpecialRegister::laneid);
         code.compare(1, isa::Compare::lt, DataType::u32, R(1), imm(16));
         const u32 branch = code.here();
         code.branch(P(1), branch + 4, branch + 5);
         add(code, 4, 10, 11);
         code.jump(branch + 5);
         code.emit(Opcode::mov, DataType::u32, {R(9)}, {imm(0)});
         add(code, 5, 10, 11);
         add(code, 6, 10, 11);
       }},
      {"barrier",
       "Warp 1 issues the barrier one cycle after warp 0: neither goes on before the cycle behind that. Both go on one after the other.",
       [](Assembler& code) {
         add(code, 4, 10, 11);
         code.barrier();
         add(code, 5, 10, 11);
       },
       fermi(), 2},
  };
}

void sharedLoad(Assembler& code, u32 stride) {
  code.special(1, isa::SpecialRegister::laneid);
  code.emit(Opcode::mul_lo, DataType::u32, {R(1)}, {R(1), imm(u64{stride} * 4)});
  code.load(Space::shared, DataType::u32, 4, R(1)).modifiers.wordAddress = true;
  add(code, 5, 4, 11);
}

void globalLoad(Assembler& code, isa::CacheOp how) {
  code.load(Space::global, DataType::u32, 4, R(2)).modifiers.cache = how;
  add(code, 5, 4, 11);
}

std::vector<TinyKernel> ofMemory() {
  return {
      {"shared_load", "2 cycles to the load/store unit, sm.memory.shared_latency = 26 there: the add issues 28 cycles behind the load.",
       [](Assembler& code) { sharedLoad(code, 1); }},
      {"shared_conflict", "Stride 4: lanes l and l + 8 share a bank, 4 passes instead of one. The last begins 3 cycles later: 31 cycles.",
       [](Assembler& code) { sharedLoad(code, 4); }},
      {"l1_hit",
       "2 cycles to the load/store unit, which hands the access to L1 in that cycle; L1 looks it up in the next and answers "
       "l1d.hit_latency\n"
       "= 35 cycles later; the result takes a cycle back to the registers: 2 + 1 + 35 + 1 = 39.",
       [](Assembler& code) { globalLoad(code, isa::CacheOp::ca); }, plainMemory()},
      {"l2_hit",
       "Beside L1. To L2: 2 to the load/store unit, 1 to the SM's port, network.injection_latency = 8, 2 into the network, router and\n"
       "channel 1 + 1, 1 into the partition, partition.latency = 120: look-up after 136. l2.hit_latency = 1. Back: 1 into the network,\n"
       "1 + 1, one flit (8 + 32 B of 40), 8, 1 to the registers: 136 + 1 + 12 = 149.",
       [](Assembler& code) { globalLoad(code, isa::CacheOp::cg); }, plainMemory()},
      {"row_hit",
       "The line behind the one that opened the row in the first round. Look-up in L2 after 136 cycles (l2_hit), l2.miss_latency = 1, 2 "
       "to\n"
       "the read command, tCL = 12, a burst of 8 transfers at 4 a tick = 2, dram.fixed_latency = 100, a sector of 32 B fills L2 in 1, back "
       "in\n"
       "12: 136 + 1 + 2 + 12 + 2 + 100 + 1 + 12 = 266.",
       [](Assembler& code) {
         globalLoad(code, isa::CacheOp::cg);
         code.emit(Opcode::add, DataType::u64, {R(2)}, {R(2), imm(128)});
       },
       plainMemory()},
      {"store",
       "The fence has waited for the first round's store. A store holds the warp up for nothing: it completes when it has left the\n"
       "load/store unit, the cycle behind its dispatch, and the independent add issues in the cycle behind the store. The acknowledgement\n"
       "comes as the answer of l2_hit does (148), with 1 for l1d.miss_latency, which the store passes, and 1 for L1's answer.",
       [](Assembler& code) {
         code.emit(Opcode::fence, DataType::u32);
         code.store(Space::global, DataType::u32, R(2), R(10));
         add(code, 4, 10, 11);
       },
       plainMemory()},
      {"atomic",
       "As l2_hit (149), the request carries its data (one flit), and the lanes' 32 operations on one word take a tick each\n"
       "(partition.atomics_per_tick = 1): 149 + 32 = 181.",
       [](Assembler& code) {
         isa::Instruction& atomic = code.emit(Opcode::atom, DataType::u32, {R(4)}, {R(2), R(10)});
         atomic.modifiers.space = Space::global;
         atomic.modifiers.atomic = isa::AtomicOp::add;
         add(code, 5, 4, 11);
       },
       plainMemory()},
  };
}

}  // namespace

TwoRounds twoRounds(const TinyKernel& kernel) {
  Assembler code;
  code.program.addressBits = 64;
  code.emit(Opcode::mov, DataType::u32, {R(0)}, {imm(0)});
  code.emit(Opcode::mov, DataType::u64, {R(2)}, {param(0)});
  TwoRounds result;
  const u32 loop = code.here();
  code.barrier();
  result.begin = code.here();
  kernel.body(code);
  result.end = code.here();
  code.emit(Opcode::add, DataType::u32, {R(0)}, {R(0), imm(1)});
  code.compare(0, isa::Compare::lt, DataType::u32, R(0), imm(2));
  code.branch(P(0), loop);
  code.exit();
  isa::Function& function = code.function("k");
  function.registers = 32;
  function.sharedBytes = 4096;
  result.program = code.program;
  return result;
}

std::vector<TinyKernel> tinyKernels() {
  std::vector<TinyKernel> all = ofThePipeline();
  for (const auto& more : {ofControl(), ofMemory()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace warpwright::testing
