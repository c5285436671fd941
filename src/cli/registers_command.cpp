// `warpwright registers`: what the kernels of a file need in registers, and what fewer cost.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "cli/app.hpp"
#include "cli/code_units.hpp"
#include "cli/executed_spills.hpp"
#include "cli/simulation_options.hpp"
#include "compiler/register_report.hpp"
#include "profile/source_text.hpp"
#include "runtime/environment.hpp"
#include "runtime/occupancy.hpp"

namespace warpwright::cli {
namespace {

using compiler::KernelRegisters;

constexpr const char* kExamples =
    "Examples:\n"
    "  warpwright registers saxpy.ptx                        every kernel, every number of registers\n"
    "  warpwright registers ./sgemm --summary                one line a kernel\n"
    "  warpwright registers saxpy64.ptx --compare saxpy32.ptx    the same code with 32-bit addresses beside it\n"
    "  warpwright registers --run ./sgemm -- --size small    how often the spill code runs, too\n"
    "\n"
    "loads and stores are spill instructions in the code; run loads and run stores are warp instructions of all launches.\n";

struct Choice {
  std::string file, kernel, machine = runtime::kDefaultMachine, compare, spillFirst = "distant";
  u32 maxRegisters = isa::kMaxRegisters, threads = 256;
  bool summary = false, run = false;
  std::vector<std::string> arguments;  // of the program, with `run`
};

struct Report {
  KernelRegisters registers;
  u32 addressBits = 64;
  u64 sharedBytes = 0;
};

bool isWanted(const Choice& choice, const std::string& name) {
  if (choice.kernel.empty() || choice.kernel == name) return true;
  const std::string readable = profile::demangled(name);
  return readable == choice.kernel || readable.substr(0, readable.find('(')) == choice.kernel;
}

std::vector<Report> reportsOf(const std::string& file, const Choice& choice, const config::Machine& machine) {
  std::vector<Report> reports;
  for (const CodeUnit& unit : codeUnits(file, machine)) {
    const ptx::Module module = parseUnit(unit);
    compiler::Options options = optionsFor(unit, machine, choice.maxRegisters);
    options.spillPolicy = runtime::parseSpillPolicy(choice.spillFirst);
    const isa::Program program = compiler::compile(module, options);
    for (KernelRegisters& kernel : compiler::reportRegisters(module, options)) {
      if (!isWanted(choice, kernel.name)) continue;
      const u64 shared = program.findFunction(kernel.name)->sharedBytes;
      reports.push_back({std::move(kernel), module.addressBits, shared});
    }
  }
  if (reports.empty()) throw Error(fmt::format("'{}': no kernel{}", file, choice.kernel.empty() ? "" : " '" + choice.kernel + "'"));
  return reports;
}

void printSummary(const std::vector<Report>& reports) {
  fmt::print("{:<40}{:>8}{:>9}{:>8}{:>9}\n", "kernel", "bits", "default", "r_base", "minimum");
  for (const Report& report : reports)
    fmt::print("{:<40}{:>8}{:>9}{:>8}{:>9}\n", profile::demangled(report.registers.name), report.addressBits, report.registers.standard,
               report.registers.base, report.registers.minimum);
}

using Runs = std::map<u32, std::map<std::string, ExecutedSpills>>;  // by number of registers, by kernel

// The program with every number of registers that makes one of its kernels spill and that all of them can be compiled with.
Runs runProgram(const std::vector<Report>& reports, const Choice& choice) {
  u32 least = 0;
  for (const Report& report : reports) least = std::max(least, report.registers.minimum);
  ProgramRun run{{choice.file}, choice.machine, choice.spillFirst};
  run.words.insert(run.words.end(), choice.arguments.begin(), choice.arguments.end());
  Runs runs;
  for (const Report& report : reports)
    for (const compiler::RegisterPoint& point : report.registers.points)
      if (point.limit >= least && point.spills() && !runs.contains(point.limit)) runs[point.limit] = executedSpills(run, point.limit);
  return runs;
}

// The two columns of what was executed; "-" where nothing was.
std::string executedText(const Runs& runs, const std::string& kernel, const compiler::RegisterPoint& point) {
  ExecutedSpills spills;
  if (point.spills()) {
    const auto run = runs.find(point.limit);
    if (run == runs.end() || !run->second.contains(kernel)) return fmt::format("{:>12}{:>12}", "-", "-");
    spills = run->second.at(kernel);
  }
  return fmt::format("{:>12}{:>12}", spills.loads, spills.stores);
}

void printKernel(const Report& report, const Choice& choice, const config::Machine& machine, const Runs& runs) {
  const KernelRegisters& kernel = report.registers;
  fmt::print("kernel {}\n  {}-bit addresses: default {}, r_base {} (no spills), minimum {}\n", profile::demangled(kernel.name),
             report.addressBits, kernel.standard, kernel.base, kernel.minimum);
  fmt::print("  {:>9}{:>8}{:>8}{:>8}{}{:>12}{:>12}\n", "registers", "slots", "loads", "stores",
             choice.run ? fmt::format("{:>12}{:>12}", "run loads", "run stores") : "", "blocks/SM", "warps/SM");
  const u32 warps = (choice.threads + machine.warpSize - 1) / machine.warpSize;
  for (const compiler::RegisterPoint& point : kernel.points) {
    const runtime::Occupancy occupancy = runtime::occupancyOf(machine, {choice.threads, point.limit, report.sharedBytes});
    fmt::print("  {:>9}{:>8}{:>8}{:>8}{}{:>12}{:>12}  {}\n", point.limit, point.spillSlots, point.loads, point.stores,
               choice.run ? executedText(runs, kernel.name, point) : "", occupancy.blocksPerSm, occupancy.blocksPerSm * warps,
               occupancy.limiter);
  }
  fmt::print("\n");
}

void printComparison(const std::vector<Report>& left, const std::vector<Report>& right) {
  std::map<std::string, const Report*> other;
  for (const Report& report : right) other[report.registers.name] = &report;
  const u32 bitsLeft = left.front().addressBits, bitsRight = right.front().addressBits;
  fmt::print("{:<40}{:>12}{:>12}{:>6}{:>12}{:>12}{:>6}\n", "kernel", fmt::format("default {}", bitsLeft),
             fmt::format("default {}", bitsRight), "diff", fmt::format("r_base {}", bitsLeft), fmt::format("r_base {}", bitsRight), "diff");
  for (const Report& report : left) {
    const auto found = other.find(report.registers.name);
    if (found == other.end()) continue;
    const KernelRegisters &a = report.registers, &b = found->second->registers;
    fmt::print("{:<40}{:>12}{:>12}{:>+6}{:>12}{:>12}{:>+6}\n", profile::demangled(a.name), a.standard, b.standard,
               static_cast<int>(a.standard) - static_cast<int>(b.standard), a.base, b.base,
               static_cast<int>(a.base) - static_cast<int>(b.base));
  }
}

void print(const Choice& choice) {
  const config::Machine machine = config::loadMachine(choice.machine);
  const std::vector<Report> reports = reportsOf(choice.file, choice, machine);
  if (!choice.compare.empty()) return printComparison(reports, reportsOf(choice.compare, choice, machine));
  if (choice.summary) return printSummary(reports);
  fmt::print("machine {}: blocks of {} threads\n\n", choice.machine, choice.threads);
  const Runs runs = choice.run ? runProgram(reports, choice) : Runs{};
  for (const Report& report : reports) printKernel(report, choice, machine, runs);
}

}  // namespace

void addRegisters(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("registers", "Show how many registers kernels need, and what it costs to give them fewer");
  auto choice = std::make_shared<Choice>();
  command->add_option("file", choice->file, "PTX file, or program, object file or archive of nvcc or warpwright-cc")
      ->required()
      ->type_name("FILE");
  command->add_option("-k,--kernel", choice->kernel, "Only this kernel; its name as in the source or as in the PTX")->type_name("NAME");
  command->add_option("-m,--machine", choice->machine, "Machine for the register limit and the occupancy")->type_name("NAME|FILE.toml");
  command->add_option("-b,--block", choice->threads, "Threads of a block, for the occupancy; default 256")->check(CLI::PositiveNumber);
  addRegisterOptions(*command, choice->maxRegisters, choice->spillFirst);
  CLI::Option* compare =
      command->add_option("--compare", choice->compare, "The same kernels compiled with another address width")->type_name("FILE");
  CLI::Option* summary = command->add_flag("--summary", choice->summary, "One line a kernel");
  command
      ->add_flag("--run", choice->run,
                 "Run the program with every number of registers that makes it spill, and count the spills that are executed; the "
                 "program's own arguments follow --")
      ->excludes(compare, summary);
  command->add_option("arguments", choice->arguments, "Of the program, with --run")->type_name("");
  command->footer(kExamples);
  command->callback([choice, &status] {
    if (!choice->run && !choice->arguments.empty())
      throw Error(fmt::format("'{}' is no option of registers", choice->arguments.front()), {}, "arguments of the program go with --run");
    print(*choice);
    status = 0;
  });
}

}  // namespace warpwright::cli
