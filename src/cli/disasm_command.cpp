// `warpwright disasm`: machine code beside its PTX, of a PTX file or of the code in a program.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/app.hpp"
#include "cli/kernel_lookup.hpp"
#include "compiler/compiler.hpp"
#include "config/machine.hpp"
#include "fatbin/device_code.hpp"
#include "fatbin/select.hpp"
#include "isa/disassembler.hpp"
#include "ptx/parser.hpp"
#include "runtime/environment.hpp"
#include "runtime/ptx_source.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  warpwright disasm saxpy.ptx                    every function\n"
    "  warpwright disasm ./saxpy --kernel saxpy       one kernel of the code in a program\n"
    "  warpwright disasm ./saxpy --ptx                the PTX as it is embedded\n"
    "  warpwright disasm saxpy.ptx --machine gtx480   with that machine's register limit\n";

struct Choice {
  std::string file, kernel, machine;
  bool ptxOnly = false, plain = false;
};

// The PTX of each translation unit: that for the machine's compute capability, where there are several.
std::vector<fatbin::Selection> select(const std::vector<fatbin::Container>& containers, const Choice& choice,
                                      const config::Machine& machine) {
  if (containers.empty())
    throw Error("'" + choice.file + "' holds no device code", {}, "name a program that nvcc or warpwright-cc compiled, or a PTX file");
  return fatbin::selectPtx(containers, machine.computeMajor * 10 + machine.computeMinor);
}

isa::Program compileEntry(const fatbin::Entry& entry, const std::string& ptx, const std::string& name, const config::Machine& machine) {
  compiler::Options options;
  options.maxRegisters = std::min(options.maxRegisters, machine.registersPerThread);
  for (const auto& bound : {runtime::registerBound(ptx), entry.registerBound()})
    if (bound) options.maxRegisters = std::min(options.maxRegisters, *bound);
  return compiler::compile(ptx::parse(ptx, name), options);
}

void printProgram(const isa::Program& program, const Choice& choice) {
  const isa::ListingOptions options{!choice.plain, !choice.plain};
  if (!choice.kernel.empty()) return fmt::print("{}", isa::disassemble(program, findKernel(program, choice.kernel), options));
  for (const isa::Function& function : program.functions)
    if (!function.isDeclaration) fmt::print("{}\n", isa::disassemble(program, function, options));
}

void print(const Choice& choice) {
  const config::Machine machine = config::loadMachine(choice.machine);
  const std::string bytes = readFile(choice.file);
  const auto containers = fatbin::fileContainers(bytes, choice.file);
  const auto selections = select(containers, choice, machine);
  bool printed = choice.ptxOnly;
  for (std::size_t i = 0; i < selections.size(); ++i) {
    const std::string ptx = selections[i].entry->ptx();
    if (choice.ptxOnly) {
      fmt::print("{}\n", ptx);
      continue;
    }
    const std::string name = selections.size() == 1 ? choice.file : fmt::format("{}[ptx {}]", choice.file, i + 1);
    const isa::Program program = compileEntry(*selections[i].entry, ptx, name, machine);
    // One unit of several may have no kernels, or not the one asked for.
    if (selections.size() > 1 && !hasKernel(program, choice.kernel)) continue;
    printProgram(program, choice);
    printed = true;
  }
  if (!printed) throw Error("'" + choice.file + "': no kernel '" + choice.kernel + "' in any of its modules");
}

}  // namespace

void addDisasm(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("disasm", "Show the machine code of a PTX file or a program, beside its PTX and source lines");
  auto choice = std::make_shared<Choice>();
  choice->machine = runtime::kDefaultMachine;
  command->add_option("file", choice->file, "PTX file, or program, object file or archive of nvcc or warpwright-cc")
      ->required()
      ->type_name("FILE");
  command->add_option("-k,--kernel", choice->kernel, "Only this kernel; its name as in the source or as in the PTX")->type_name("NAME");
  command->add_option("-m,--machine", choice->machine, "Machine whose register limit and compute capability hold")
      ->type_name("NAME|FILE.toml");
  command->add_flag("--ptx", choice->ptxOnly, "Show the PTX instead");
  command->add_flag("--plain", choice->plain, "Machine code alone, without PTX and source lines");
  command->footer(kExamples);
  command->callback([choice, &status] {
    print(*choice);
    status = 0;
  });
}

}  // namespace warpwright::cli
