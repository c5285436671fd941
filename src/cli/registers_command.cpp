// `warpwright registers`: what the kernels of a file need in registers, and what fewer cost.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "base/long_work.hpp"
#include "cli/app.hpp"
#include "cli/checks.hpp"
#include "cli/executed_spills.hpp"
#include "cli/simulation_options.hpp"
#include "compiler/register_report.hpp"
#include "runtime/checked_compilation.hpp"
#include "runtime/code_units.hpp"
#include "runtime/environment.hpp"
#include "runtime/occupancy.hpp"

namespace warpwright::cli {
namespace {

using compiler::KernelRegisters;

constexpr const char* kRegistersExamples =
    "Examples:\n"
    "  warpwright registers saxpy.ptx                        every kernel, every number of registers\n"
    "  warpwright registers ./sgemm --summary                one line a kernel\n"
    "  warpwright registers saxpy64.ptx --compare saxpy32.ptx    the same code with 32-bit addresses beside it\n"
    "  warpwright registers --run ./sgemm -- --size small    how often the spill code runs, too\n"
    "\n"
    "loads and stores are spill instructions in the code; run loads and run stores are warp instructions of all launches.\n";

struct RegistersChoice {
  std::string file, kernel, machine = runtime::kDefaultMachine, compare, spillFirst = "distant";
  u32 maxRegisters = isa::kMaxRegisters, threads = 256;
  bool summary = false, run = false;
  std::vector<std::string> arguments;  // of the program, with `run`
};

struct Report {
  KernelRegisters registers;
  u32 addressBits = 64;
  u64 sharedBytes = 0;
  u32 threads = 0;  // of a block
};

bool isWanted(const RegistersChoice& choice, const std::string& name) {
  if (choice.kernel.empty() || choice.kernel == name) return true;
  const std::string readable = demangled(name);
  return readable == choice.kernel || nameIn(readable) == choice.kernel;
}

// As many as are asked for, as far as the kernel's launch bounds allow; .reqntid allows nothing else.
u32 threadsOf(const isa::Function& kernel, u32 wanted) {
  if (kernel.requiredThreads.count() > 0) return static_cast<u32>(kernel.requiredThreads.count());
  if (kernel.maxThreads.count() == 0) return wanted;
  return static_cast<u32>(std::min<u64>(wanted, kernel.maxThreads.count()));
}

[[noreturn]] void reportMissingKernel(const std::string& file, const std::string& wanted, const std::vector<std::string>& names) {
  if (names.empty()) throw Error(fmt::format("'{}': no kernel", file));
  throw Error(fmt::format("'{}': no kernel '{}'", file, wanted), {}, fmt::format("its kernels are: {}", fmt::join(names, ", ")));
}

std::vector<Report> reportsOf(const std::string& file, const RegistersChoice& choice, const config::Machine& machine) {
  std::vector<Report> reports;
  std::vector<std::string> names;
  for (const runtime::CodeUnit& unit : runtime::codeUnits(file, machine)) {
    const ptx::Module module = runtime::parseUnit(unit);
    compiler::Options options = runtime::optionsFor(unit, machine, choice.maxRegisters);
    options.spillPolicy = runtime::parseSpillPolicy(choice.spillFirst);
    const isa::Program program = runtime::compileChecked(module, options, unit.code.text);
    for (KernelRegisters& kernel : compiler::reportRegisters(module, options)) {
      names.push_back(demangled(kernel.name));
      if (!isWanted(choice, kernel.name)) continue;
      const isa::Function& function = *program.findFunction(kernel.name);
      reports.push_back({std::move(kernel), module.addressBits, function.sharedBytes, threadsOf(function, choice.threads)});
    }
  }
  if (reports.empty()) reportMissingKernel(file, choice.kernel, names);
  return reports;
}

// Of a column with the names of all kernels.
std::size_t nameWidth(const std::vector<Report>& reports) {
  std::size_t width = 40;
  for (const Report& report : reports) width = std::max(width, demangled(report.registers.name).size());
  return width;
}

void printSummary(const std::vector<Report>& reports) {
  const std::size_t width = nameWidth(reports);
  fmt::print("{:<{}}{:>8}{:>9}{:>8}{:>9}\n", "kernel", width, "bits", "default", "r_base", "minimum");
  for (const Report& report : reports)
    fmt::print("{:<{}}{:>8}{:>9}{:>8}{:>9}\n", demangled(report.registers.name), width, report.addressBits, report.registers.standard,
               report.registers.base, report.registers.minimum);
}

using Runs = std::map<u32, std::map<std::string, ExecutedSpills>>;  // by number of registers, by kernel

// The program with every number of registers that makes one of its kernels spill and that all of them can be compiled with.
Runs runProgram(const std::vector<Report>& reports, const RegistersChoice& choice) {
  u32 least = 0;
  for (const Report& report : reports) least = std::max(least, report.registers.minimum);
  ProgramRun run{{choice.file}, choice.machine, choice.spillFirst};
  run.words.insert(run.words.end(), choice.arguments.begin(), choice.arguments.end());
  std::set<u32> limits;
  for (const Report& report : reports)
    for (const compiler::RegisterPoint& point : report.registers.points)
      if (point.limit >= least && point.spills()) limits.insert(point.limit);
  Runs runs;
  LongWork work("runs", limits.size());
  for (const u32 limit : limits) {
    work.begin(fmt::format("{} registers", limit));
    runs[limit] = executedSpills(run, limit);
  }
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

void printKernel(const Report& report, const RegistersChoice& choice, const config::Machine& machine, const Runs& runs) {
  const KernelRegisters& kernel = report.registers;
  fmt::print("kernel {}\n  {}-bit addresses: default {}, r_base {} (no spills), minimum {}; blocks of {} threads\n", demangled(kernel.name),
             report.addressBits, kernel.standard, kernel.base, kernel.minimum, report.threads);
  fmt::print("  {:>9}{:>8}{:>8}{:>8}{}{:>12}{:>12}  {}\n", "registers", "slots", "loads", "stores",
             choice.run ? fmt::format("{:>12}{:>12}", "run loads", "run stores") : "", "blocks/SM", "warps/SM", "limited by");
  const u32 warps = (report.threads + machine.warpSize - 1) / machine.warpSize;
  for (const compiler::RegisterPoint& point : kernel.points) {
    const runtime::Occupancy occupancy = runtime::occupancyOf(machine, {report.threads, point.limit, report.sharedBytes});
    fmt::print("  {:>9}{:>8}{:>8}{:>8}{}{:>12}{:>12}  {}\n", point.limit, point.spillSlots, point.loads, point.stores,
               choice.run ? executedText(runs, kernel.name, point) : "", occupancy.blocksPerSm, occupancy.blocksPerSm * warps,
               occupancy.limiter);
  }
  fmt::print("\n");
}

void printComparison(const std::vector<Report>& left, const std::vector<Report>& right) {
  std::map<std::string, const Report*> other;
  for (const Report& report : right) other[report.registers.name] = &report;
  const auto isInBoth = [&](const Report& report) { return other.contains(report.registers.name); };
  if (std::none_of(left.begin(), left.end(), isInBoth))
    throw Error("the two files have no kernel in common", {}, "compare the same code, compiled with -m64 and with -m32");
  const u32 bitsLeft = left.front().addressBits, bitsRight = right.front().addressBits;
  const std::size_t width = nameWidth(left);
  fmt::print("{:<{}}{:>12}{:>12}{:>6}{:>12}{:>12}{:>6}\n", "kernel", width, fmt::format("default {}", bitsLeft),
             fmt::format("default {}", bitsRight), "diff", fmt::format("r_base {}", bitsLeft), fmt::format("r_base {}", bitsRight), "diff");
  for (const Report& report : left) {
    const auto found = other.find(report.registers.name);
    if (found == other.end()) continue;
    const KernelRegisters &a = report.registers, &b = found->second->registers;
    fmt::print("{:<{}}{:>12}{:>12}{:>+6}{:>12}{:>12}{:>+6}\n", demangled(a.name), width, a.standard, b.standard,
               static_cast<int>(a.standard) - static_cast<int>(b.standard), a.base, b.base,
               static_cast<int>(a.base) - static_cast<int>(b.base));
  }
}

void print(const RegistersChoice& choice) {
  const config::Machine machine = config::loadMachine(choice.machine);
  if (choice.threads > machine.threadsPerBlock)
    throw Error(fmt::format("blocks of {} threads: {} has blocks of up to {}", choice.threads, choice.machine, machine.threadsPerBlock), {},
                "give --block a lower number");
  const std::vector<Report> reports = reportsOf(choice.file, choice, machine);
  if (!choice.compare.empty()) return printComparison(reports, reportsOf(choice.compare, choice, machine));
  if (choice.summary) return printSummary(reports);
  fmt::print("machine {}\n\n", choice.machine);
  const Runs runs = choice.run ? runProgram(reports, choice) : Runs{};
  for (const Report& report : reports) printKernel(report, choice, machine, runs);
}

}  // namespace

void addRegisters(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("registers", "Show how many registers kernels need, and what it costs to give them fewer");
  auto choice = std::make_shared<RegistersChoice>();
  command->add_option("file", choice->file, "PTX file, or program, object file or archive of nvcc or warpwright-cc")
      ->required()
      ->type_name("FILE");
  command->add_option("-k,--kernel", choice->kernel, "Only this kernel; its name as in the source or as in the PTX")->type_name("NAME");
  command->add_option("-m,--machine", choice->machine, "Machine for the register limit and the occupancy")->type_name("NAME|FILE.toml");
  command
      ->add_option("-b,--block", choice->threads,
                   "Threads of a block, for the occupancy; default 256, or as many as the kernel's launch bounds allow")
      ->check(positive<u32>())
      ->type_name("N");
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
  command->footer(kRegistersExamples);
  command->callback([choice, &status] {
    if (!choice->run && !choice->arguments.empty())
      throw WrongUsage(fmt::format("'{}' is no option of registers", choice->arguments.front()), "arguments of the program go with --run");
    print(*choice);
    status = 0;
  });
}

}  // namespace warpwright::cli
