// `warpwright disasm`: machine code beside its PTX, of a PTX file or of the code in a program.
#include <fmt/format.h>

#include "base/error.hpp"
#include "cli/app.hpp"
#include "cli/simulation_options.hpp"
#include "isa/disassembler.hpp"
#include "runtime/checked_compilation.hpp"
#include "runtime/code_units.hpp"
#include "runtime/environment.hpp"
#include "runtime/kernel_lookup.hpp"
#include "sm/instruction_info.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kDisasmExamples =
    "Examples:\n"
    "  warpwright disasm saxpy.ptx                    every function\n"
    "  warpwright disasm ./saxpy --kernel saxpy       one kernel of the code in a program\n"
    "  warpwright disasm ./saxpy --ptx                the PTX as it is embedded\n"
    "  warpwright disasm saxpy.ptx --machine gtx480   with that machine's register limit\n"
    "  warpwright disasm saxpy.ptx --max-registers 8  with spills\n"
    "  warpwright disasm saxpy.ptx --machine h100 --control-bits\n";

struct DisasmChoice {
  std::string file, kernel, machine;
  u32 maxRegisters = isa::kMaxRegisters;
  std::string spillFirst = "distant";
  bool ptxOnly = false, plain = false, controlBits = false;
};

void printProgram(const isa::Program& program, const DisasmChoice& choice) {
  const isa::ListingOptions options{!choice.plain, !choice.plain, choice.controlBits};
  if (!choice.kernel.empty()) return fmt::print("{}", isa::disassemble(program, runtime::findKernel(program, choice.kernel), options));
  for (const isa::Function& function : program.functions)
    if (!function.isDeclaration) fmt::print("{}\n", isa::disassemble(program, function, options));
}

void print(const DisasmChoice& choice) {
  const config::Machine machine = config::loadMachine(choice.machine);
  if (choice.controlBits) config::requireTimed(machine);
  const std::vector<runtime::CodeUnit> units = runtime::codeUnits(choice.file, machine);
  bool printed = choice.ptxOnly;
  for (const runtime::CodeUnit& unit : units) {
    if (choice.ptxOnly) {
      fmt::print("{}\n", unit.code.text);
      continue;
    }
    compiler::Options options = runtime::optionsFor(unit, machine, choice.maxRegisters);
    options.spillPolicy = runtime::parseSpillPolicy(choice.spillFirst);
    if (choice.controlBits) options.issueTiming = sm::issueTimingOf(machine.sm);
    const isa::Program program = runtime::compileChecked(runtime::parseUnit(unit), options, unit.code.text);
    // One unit of several may have no kernels, or not the one asked for.
    if (units.size() > 1 && !runtime::hasKernel(program, choice.kernel)) continue;
    printProgram(program, choice);
    printed = true;
  }
  if (!printed) throw Error("'" + choice.file + "': no kernel '" + choice.kernel + "' in any of its modules");
}

}  // namespace

void addDisasm(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("disasm", "Show the machine code of a PTX file or a program, beside its PTX and source lines");
  auto choice = std::make_shared<DisasmChoice>();
  choice->machine = runtime::kDefaultMachine;
  command->add_option("file", choice->file, "PTX file, or program, object file or archive of nvcc or warpwright-cc")
      ->required()
      ->type_name("FILE");
  command->add_option("-k,--kernel", choice->kernel, "Only this kernel; its name as in the source or as in the PTX")->type_name("NAME");
  command->add_option("-m,--machine", choice->machine, "Machine whose register limit and compute capability hold")
      ->type_name("NAME|FILE.toml");
  addRegisterOptions(*command, choice->maxRegisters, choice->spillFirst);
  command->add_flag("--ptx", choice->ptxOnly, "Show the PTX instead");
  command->add_flag("--plain", choice->plain, "Machine code alone, without PTX and source lines");
  command->add_flag("--control-bits", choice->controlBits,
                    "Before each instruction the control bits that keep it from what it depends on, for the latencies of the machine");
  command->footer(kDisasmExamples);
  command->callback([choice, &status] {
    print(*choice);
    status = 0;
  });
}

}  // namespace warpwright::cli
