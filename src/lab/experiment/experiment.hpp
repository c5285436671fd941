// What an experiment file says (docs/lab.md): programs × machines × swept parameters, and the columns to make of their statistics.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/mistakes.hpp"

namespace warpwright::lab {

// "l1d.ways" = "4": values are texts, as the command line takes them.
struct Setting {
  std::string name, value;
  bool operator==(const Setting&) const = default;
};
using Settings = std::vector<Setting>;

// "l1d.ways=4 max_registers=16"
std::string textOf(const Settings& settings);
// Empty when nothing sets it.
std::string valueOf(const Settings& settings, const std::string& name);

struct Program {
  std::string label;        // names its rows; unlike any other
  std::string application;  // rows of one application share one weight in means
  std::string run;          // a workload's name, or a path
  std::vector<std::string> arguments;
  std::vector<std::string> kernels;  // the only ones of interest, by name in the source; empty: all
  SourcePosition where;
};

struct MachineChoice {
  std::string label;
  std::string machine;  // a preset or a path
  Settings settings;    // of its keys
  SourcePosition where;
};

// Instead of values of max_registers: every number from r_base of the program's kernels down to their minimum, on the machine.
inline constexpr const char* kMaxRegisters = "max_registers";
inline constexpr const char* kBaseToMinimum = "base..minimum";

struct Sweep {
  std::string name;
  std::vector<std::string> values;
  SourcePosition where;
};

enum class Mean { arithmetic, geometric, harmonic };
std::string_view nameOf(Mean mean);

struct Column {
  std::string name, value;  // value: an expression over metrics and earlier columns (analysis/expression.hpp)
  std::vector<Mean> means;
  SourcePosition where;
};

struct Experiment {
  std::string name, description;
  std::string file;  // for messages
  std::string text;  // as it was written
  std::vector<Program> programs;
  std::vector<MachineChoice> machines;
  std::vector<Sweep> sweeps;
  Settings options;             // of every run (experiment/run_options.hpp)
  std::vector<Column> columns;  // plain metrics first
  Settings baseline;            // what differs from a row in the row it is compared with: machine=gtx480, l1d.ways=4
  bool byKernel = true;         // rows are kernels; else programs, whose counters are summed over kernels
  bool byApplication = false;   // means weigh applications, else rows, alike
  SourcePosition baselineWhere;
};

// Does a file that says `name` mean the kernel? "f" is "f(int)" and "f(float)", and "f #2" of another module, too.
bool isCalled(const std::string& kernel, const std::string& name);
// Is it among the kernels that the file says are of interest?
bool isWanted(const Experiment& experiment, const std::string& program, const std::string& kernel);

// That every workload takes.
std::span<const std::string> workloadSizes();

// Reads a file's text and adds what is wrong with its form and names to `mistakes`; programs and machines are looked for by plan().
Experiment parseExperiment(const std::string& text, const std::string& file, Mistakes& mistakes);

}  // namespace warpwright::lab
