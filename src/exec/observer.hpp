// Typed events of the functional machine. With no observer the engine runs a variant that raises none.
#pragma once

#include "base/spread.hpp"
#include "base/types.hpp"
#include "isa/instruction.hpp"

namespace warpwright::exec {

struct WarpId {
  u64 block = 0;  // linear block index
  u32 warp = 0;   // in the block
};

// What a warp holds at the time of an event.
struct WarpView {
  const u32* registers = nullptr;        // register-major
  u32 lanes = 0;                         // words of a register; a warp may have fewer
  const LaneMask* predicates = nullptr;  // isa::kPredicates + 1
  LaneMask existing;                     // lanes that have a thread, though it may have exited

  const u32* at(u32 number) const { return registers + std::size_t{number} * lanes; }
};

// A warp instruction that executes; registers still hold the values from before.
struct IssueEvent {
  WarpId warp;
  Pc pc;  // index into Program::code
  const isa::Instruction* instruction = nullptr;
  LaneMask active;     // lanes on this path
  LaneMask executing;  // … whose guard holds
  WarpView view;
};

// A warp instruction has written its registers and predicates; not raised for one that has none. As a rule it follows the issue. Atomics of
// a timed machine write later, as do barriers that reduce.
struct ResultEvent {
  WarpId warp;
  Pc pc;
  const isa::Instruction* instruction = nullptr;
  LaneMask written;  // lanes; an operation among lanes writes those of other paths as well that waited for it
  WarpView view;
};

// A warp-wide memory access (ld, st, atom), before it happens. Addresses of lanes outside `mask` are undefined.
struct MemoryEvent {
  WarpId warp;
  Pc pc;
  const isa::Instruction* instruction = nullptr;
  isa::Space space = isa::Space::global;  // where it goes: never generic. A generic access to several spaces raises one event a space
  bool isLoad = false, isStore = false;   // an atomic with a result is both, a reduction a store
  bool isAtomic = false;
  LaneMask mask;
  u32 bytesPerLane = 0;             // vector elements included
  Spread spread = Spread::unknown;  // of the addresses of the lanes in `mask`
  // Registers, [word][lane]: what a store stores, and where a load puts what it finds. Null for everything else.
  const u32* values = nullptr;
  const u64* addresses = nullptr;  // one a lane. global: device address. shared, constant, param: offset. local: the thread's own offset
};

struct BranchEvent {
  WarpId warp;
  Pc pc;
  const isa::Instruction* instruction = nullptr;
  LaneMask active;
  LaneMask taken;   // brx: lanes that go to the most popular target; see `targets`
  u32 targets = 1;  // distinct next addresses; above 1 the branch diverges
};

// A warp instruction of a texture or surface. A lane may read several texels (filters) or none (borders).
struct TexelEvent {
  WarpId warp;
  Pc pc;
  const isa::Instruction* instruction = nullptr;
  bool isStore = false;
  LaneMask mask;
  const u64* addresses = nullptr;  // `count` device addresses of texels, lane after lane
  u32 count = 0;
  u32 bytes = 0;  // at each address
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Asked once a launch; without events of issue and of results the dispatch loop raises only those of memory and branches.
  virtual bool wantsIssue() const { return true; }
  virtual void issue(const IssueEvent&) {}
  virtual void issueTakenBack(const IssueEvent&) {}  // the instruction has to wait and will be issued again; nothing has changed
  virtual void result(const ResultEvent&) {}
  virtual void memory(const MemoryEvent&) {}
  virtual void branch(const BranchEvent&) {}
  virtual void texels(const TexelEvent&) {}
  virtual void blockBegins(u64 /*block*/) {}
  virtual void blockEnds(u64 /*block*/) {}
};

}  // namespace warpwright::exec
