// `warpwright disasm`: machine code beside its PTX, of a PTX file or of the code in a program.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "cli/app.hpp"
#include "cli/elf_file.hpp"
#include "cli/kernel_lookup.hpp"
#include "compiler/compiler.hpp"
#include "config/machine.hpp"
#include "isa/disassembler.hpp"
#include "ptx/parser.hpp"
#include "runtime/environment.hpp"
#include "runtime/fatbinary.hpp"
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

std::vector<runtime::EmbeddedPtx> textsOf(const std::string& file) {
  const std::string bytes = readFile(file);
  if (!ElfFile::isElf(bytes)) return {{bytes}};
  const auto section = ElfFile(bytes, file).section(".nv_fatbin");
  auto texts = section ? runtime::extractPtx(*section) : std::vector<runtime::EmbeddedPtx>{};
  if (texts.empty()) throw Error("'" + file + "' holds no device code", {}, "name a program that warpwright-cc compiled, or a PTX file");
  return texts;
}

isa::Program compileText(const std::string& ptx, const std::string& name, const config::Machine& machine) {
  compiler::Options options;
  options.maxRegisters = std::min(options.maxRegisters, machine.registersPerThread);
  if (const auto bound = runtime::registerBound(ptx)) options.maxRegisters = std::min(options.maxRegisters, *bound);
  return compiler::compile(ptx::parse(runtime::trimPtx(ptx), name), options);
}

void printProgram(const isa::Program& program, const Choice& choice) {
  const isa::ListingOptions options{!choice.plain, !choice.plain};
  if (!choice.kernel.empty()) return fmt::print("{}", isa::disassemble(program, findKernel(program, choice.kernel), options));
  for (const isa::Function& function : program.functions)
    if (!function.isDeclaration) fmt::print("{}\n", isa::disassemble(program, function, options));
}

void print(const Choice& choice) {
  const auto texts = textsOf(choice.file);
  const config::Machine machine = config::loadMachine(choice.machine);
  bool printed = choice.ptxOnly;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string name = texts.size() == 1 ? choice.file : fmt::format("{}[ptx {}]", choice.file, i + 1);
    if (choice.ptxOnly) {
      fmt::print("{}\n", runtime::trimPtx(texts[i].text));
      continue;
    }
    const isa::Program program = compileText(texts[i].text, name, machine);
    // One unit of several may have no kernels, or not the one asked for.
    if (texts.size() > 1 && !hasKernel(program, choice.kernel)) continue;
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
  command->add_option("file", choice->file, "PTX file, or program compiled by warpwright-cc")->required()->type_name("FILE");
  command->add_option("-k,--kernel", choice->kernel, "Only this kernel; its name as in the source or as in the PTX")->type_name("NAME");
  command->add_option("-m,--machine", choice->machine, "Machine whose register limit holds")->type_name("NAME|FILE.toml");
  command->add_flag("--ptx", choice->ptxOnly, "Show the PTX instead");
  command->add_flag("--plain", choice->plain, "Machine code alone, without PTX and source lines");
  command->footer(kExamples);
  command->callback([choice, &status] {
    print(*choice);
    status = 0;
  });
}

}  // namespace warpwright::cli
