// What a mechanism is to the rest of the simulator. Each lives in a folder of its own, src/mechanisms/NAME: its settings (a structure with
// rows, config/mechanism.hpp), its model, its statistics, a README that names its paper. `catalogue.cpp` lists the kinds; nothing else
// outside that folder names one.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/analysis/analysis.hpp"
#include "config/machine.hpp"
#include "energy/counted_events.hpp"
#include "energy/table.hpp"
#include "exec/launch.hpp"
#include "exec/observer.hpp"
#include "mechanisms/hardware.hpp"
#include "mem/parts.hpp"
#include "sm/launch_notes.hpp"
#include "sm/parts.hpp"
#include "stats/named_statistics.hpp"

namespace warpwright::ptx {
struct Module;
}

namespace warpwright::mechanisms {

// Hears what a launch, or an SM's share of it, does, and says at the end what it counted.
class LaunchObserver : public exec::Observer {
 public:
  virtual void collect(stats::NamedStatistics& into) const = 0;
};

// What a mechanism takes of an SM for each block, beyond what the kernel itself needs.
struct BlockNeeds {
  u32 registers = 0;    // per thread
  u64 sharedBytes = 0;  // behind the block's own
  u64 sharedBytesOfWarp = 0;
  // Where helpers keep data, whatever takes room for it: of those of a warp, and of all of a block (exec::LaunchRequest).
  u32 helperBytes = 0, helperTableBytes = 0;

  u64 sharedBytesFor(u64 warps) const { return sharedBytes + warps * sharedBytesOfWarp; }
};

// PTX that is linked into every program, as one more of its translation units.
struct CodeUnit {
  std::string name;  // of its file, for messages
  std::string text;
};

// A kernel that a setting, or the code of a program, names for a mechanism, as users write it; and who names it: "the routine 'count'".
struct KernelMention {
  std::string kernel, by;
};

// Registers of kernels that a function is to have, or to change, when a line begins (of the program's source, or of the PTX where that is
// unknown), or at a label of the PTX. A register of which it is both stands there once.
struct RegistersAt {
  struct Wanted {
    std::string name;              // "%r5"
    std::optional<u32> parameter;  // of the function, which gets it
    std::optional<u32> result;     // of the function, which may take its place
  };
  u32 line = 0;
  std::string label;  // empty: it is the line
  std::vector<Wanted> registers;
  std::vector<std::string> kernels;  // as users write them; empty: all that have the line, or the label
};

// A mechanism of one machine. Observers are asked of another object than the one that equips the SMs of the timed machine.
class Mechanism {
 public:
  virtual ~Mechanism() = default;

  // What each program that is loaded gets beside its own code; its addresses have 32 or 64 bits.
  virtual std::vector<CodeUnit> code(u32 /*addressBits*/) const { return {}; }
  // Before each program is compiled, the code of all mechanisms added: may change it by what the compiler offers for that
  // (compiler/regions), and gives what it gets beside, which is checked with it.
  virtual std::vector<CodeUnit> codeFor(ptx::Module& /*program*/, u32 /*addressBits*/) const { return {}; }
  // Before it is loaded, its code added. Throws Error for what the mechanism cannot work with.
  virtual void check(const isa::Program& /*program*/) const {}
  // Of blocks of this kernel of the program, on the functional machine as on the timed one: occupancy, its API and the checks of a launch
  // follow.
  virtual BlockNeeds needs(const isa::Program& /*program*/, const isa::Function& /*kernel*/) const { return {}; }
  // Before a program is compiled, for each of its functions that has pragmas, with its position. Where the line or label is, the program
  // has an instruction of its own for it then (isa::Opcode::point), which holds the registers, word by word in the order of
  // RegistersAt::registers. Where some may change, its destinations are what the program goes on with.
  virtual std::vector<RegistersAt> registersFor(const std::string& /*function*/, std::span<const std::string> /*pragmas*/,
                                                const SourcePosition& /*where*/) const {
    return {};
  }
  // Of a program that is launched: who names a kernel that never is has misspelt it.
  virtual std::vector<KernelMention> kernelsNamed(const isa::Program& /*program*/) const { return {}; }
  // Before a launch on the timed machine: what the parts of its SMs are to know of it (sm/launch_notes.hpp).
  virtual void launchBegins(const exec::LaunchRequest& /*request*/, sm::LaunchNotes& /*into*/) {}

  // For a launch on the functional machine, or an SM's share of one on the timed machine; null: the mechanism observes nothing. SMs run in
  // parallel: observers share nothing that changes.
  virtual std::unique_ptr<LaunchObserver> observe(const exec::LaunchRequest& /*request*/) { return nullptr; }

  // On the timed machine, before it equips anything: the memory whose values its programs see. They change between quanta only, so that any
  // part may read them while it runs: as they are for the functional machine, which is ahead of what travels.
  virtual void attach(const exec::GlobalMemory& /*memory*/) {}
  // Between quanta, where a launch begins: a copy of the host has written these bytes of it since the launch before. They are there.
  virtual void hostWrote(GlobalAddress /*begin*/, u64 /*bytes*/) {}

  // Replaces parts of SM number `sm`, or wraps them (base/part.hpp). Called once for each SM, in their order, before time begins, and for
  // the mechanisms in the order of the catalogue. What it hands out may refer to the mechanism, which outlives the machine's SMs.
  virtual void equip(sm::Parts& /*parts*/, SmId /*sm*/) {}
  // The same for the parts of a memory partition (mem/parts.hpp). Partitions run in parallel, too.
  virtual void equipMemory(mem::Parts& /*parts*/, PartitionId /*partition*/) {}
  // Adds what was counted on all SMs and partitions since the machine was made. Called between quanta, while nothing runs.
  virtual void collect(stats::NamedStatistics& /*into*/) const {}
};

// An option of the commands that simulate, `--NAME FILE`, as often as wanted: it adds the mechanism and names the files, separated by
// commas, in one of its settings.
struct CommandOption {
  std::string_view name, value, text;  // "--name", "FILE.ptx", and what help texts say
  std::string_view setting;
};

struct Kind {
  config::MechanismKind description;
  // `settings` is the structure that description.defaults holds.
  std::unique_ptr<Mechanism> (*make)(const std::any& settings, const config::Machine& machine);
  // What its observers, and on the timed machine the mechanism itself, collect, with all counters at zero; null: nothing.
  stats::NamedStatistics (*observed)() = nullptr;
  stats::NamedStatistics (*counted)() = nullptr;
  // Analyses of the code that a machine with the mechanism wants: isa::Program::marks has what they find.
  std::span<const compiler::AnalysisKind* const> analyses{};
  // What its own structures cost on the timed machine, by numbers of the statistics that it collects under its name (docs/energy.md); null:
  // nothing beyond the baseline's events.
  std::vector<energy::CountedEvent> (*energyEvents)(const std::any& settings, const config::Machine& machine,
                                                    const energy::Table& table) = nullptr;
  // Unit and event of each of these: "avc.tag".
  std::span<const std::string_view> energyPaths{};
  // What its structures take of a chip, of papers that say it (`warpwright reproduce`); null: nothing is known.
  Hardware (*hardware)(const std::any& settings, const config::Machine& machine) = nullptr;
  const CommandOption* option = nullptr;  // null: it has none
  // It needs neither values nor the program that a compiler has seen, so that it works with what was executed elsewhere, too: addresses,
  // lanes and instructions (exec/warp_source.hpp).
  bool takesRecorded = false;
};

// All kinds, in the order in which they are applied.
std::span<const Kind* const> catalogue();

// Adds one at the end, which must stay. Before the first machine is read. Throws Error when there is one of that name.
void addKind(const Kind& kind);

// Those of the machine, in the order of the catalogue. `machine` must outlive them.
using Mechanisms = std::vector<std::unique_ptr<Mechanism>>;
Mechanisms makeMechanisms(const config::Machine& machine);
// Throws Error where one of them works with what it executes alone (Kind::takesRecorded).
void requireTakesRecorded(const config::Machine& machine);
// Of all of them together.
BlockNeeds needsOf(const Mechanisms& mechanisms, const isa::Program& program, const isa::Function& kernel);
// The analyses that the machine's mechanisms want, each once.
std::vector<const compiler::AnalysisKind*> analysesFor(const config::Machine& machine);
// What they collect on the timed machine, with all counters at zero.
stats::NamedStatistics uncounted(const config::Machine& machine);

}  // namespace warpwright::mechanisms
