// The form of an experiment file.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/nearest.hpp"
#include "lab/analysis/expression.hpp"
#include "lab/analysis/metrics.hpp"
#include "lab/experiment/experiment.hpp"
#include "lab/experiment/run_options.hpp"
#include "lab/experiment/spe.hpp"
#include "plugins/load.hpp"

namespace warpwright::lab {
namespace {

constexpr const char* kFormat = "docs/lab.md describes experiment files";
constexpr const char* kMachineAxis = "machine";
constexpr const char* kSize = "--size";

using Words = std::vector<std::string>;

const Words kTopLevel = {"name",    "description", "size",     "programs", "machines", "sweep",  "options",
                         "metrics", "columns",     "baseline", "rows",     "weights",  "plugins"};
const Words kOfProgram = {"run", "name", "application", "arguments", "size", "kernels"};
const Words kOfMachine = {"machine", "name", "set"};
const Words kOfColumn = {"name", "value", "means"};

const std::string& labelOf(const Program& program) { return program.label; }
const std::string& labelOf(const MachineChoice& machine) { return machine.label; }
const std::string& labelOf(const Column& column) { return column.name; }

class ExperimentReader {
 public:
  ExperimentReader(const std::string& file, Experiment& experiment, Mistakes& mistakes)
      : file_(file), to_(experiment), mistakes_(mistakes) {}

  void read(const toml::table& table) {
    refuseUnknown(table, kTopLevel, "key");
    to_.name = text(table, "name", std::filesystem::path(file_).stem().string());
    to_.description = text(table, "description", "");
    readPlugins(table["plugins"].node());
    size_ = sizeIn(table, "");
    readList(table, "programs", [&](const toml::node& node) { readProgram(node); });
    readList(table, "machines", [&](const toml::node& node) { readMachine(node); });
    readSweep(table["sweep"].node());
    readOptions(table["options"].node());
    to_.byKernel = oneOf(table, "rows", {"kernel", "program"}) == "kernel";
    to_.byApplication = oneOf(table, "weights", {"row", "application"}) == "application";
    readColumns(table);
    readBaseline(table["baseline"].node());
    requireUnique(to_.programs, "programs");
    requireUnique(to_.machines, "machines");
    requireUnique(to_.columns, "columns");
    checkExpressions();
  }

 private:
  SourcePosition at(const toml::source_region& source) const { return {file_, source.begin.line, source.begin.column}; }
  SourcePosition at(const toml::node& node) const { return at(node.source()); }
  void mistake(const std::string& message, const SourcePosition& where, const std::string& remedy = kFormat) {
    mistakes_.add(Error(message, where, remedy));
  }

  void refuseUnknown(const toml::table& table, const Words& known, std::string_view what) {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) == known.end())
        mistakes_.add(unknownName(what, name, known, at(key.source()), kFormat));
    }
  }

  std::string text(const toml::table& table, const char* key, const std::string& otherwise) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    if (const auto value = node->value_exact<std::string>()) return *value;
    mistake(fmt::format("'{}' must be a string", key), at(*node));
    return otherwise;
  }

  // The first of the choices is the default.
  std::string oneOf(const toml::table& table, const char* key, const Words& choices) {
    std::string value = text(table, key, choices.front());
    if (std::find(choices.begin(), choices.end(), value) != choices.end()) return value;
    mistake(fmt::format("'{}' is {}, not '{}'", key, fmt::join(choices, " or "), value), at(*table.get(key)));
    return choices.front();
  }

  // A string, an integer, a number or a switch, as the command line writes it.
  std::string scalar(const toml::node& node, const std::string& name) {
    if (const auto value = node.value_exact<std::string>()) return *value;
    if (const auto value = node.value_exact<int64_t>()) return std::to_string(*value);
    if (const auto value = node.value_exact<bool>()) return *value ? "true" : "false";
    if (const auto value = node.value_exact<double>()) return fmt::format("{}", *value);
    mistake(fmt::format("'{}' must be a string, a number or a switch", name), at(node));
    return {};
  }

  Words scalars(const toml::table& table, const char* key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    const toml::array* array = node->as_array();
    if (array == nullptr) {
      mistake(fmt::format("'{}' must be an array", key), at(*node));
      return {};
    }
    Words values;
    for (const toml::node& element : *array) values.push_back(scalar(element, key));
    return values;
  }

  template <class Read>
  void readList(const toml::table& table, const char* key, Read&& read) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return mistake(fmt::format("'{}' is missing", key), {file_, 0, 0});
    const toml::array* array = node->as_array();
    if (array == nullptr || array->empty()) return mistake(fmt::format("'{}' must be an array of at least one element", key), at(*node));
    for (const toml::node& element : *array) read(element);
  }

  // "l1d.ways" = 4 may be written with or without quotation marks around the name; without, TOML makes tables of it.
  template <class Use>
  void eachSetting(const toml::table& table, const std::string& prefix, Use&& use) {
    for (const auto& [key, node] : table) {
      const std::string name = prefix.empty() ? std::string(key.str()) : fmt::format("{}.{}", prefix, key.str());
      if (const toml::table* inner = node.as_table()) {
        eachSetting(*inner, name, use);
      } else {
        use(name, node, at(key.source()));
      }
    }
  }

  // First of all: names of keys and metrics may be theirs.
  void readPlugins(const toml::node* node) {
    if (node == nullptr) return;
    if (!node->is_array()) return mistake("'plugins' must be an array", at(*node));
    for (const toml::node& element : *node->as_array()) {
      const auto name = element.value_exact<std::string>();
      if (!name) return mistake("a plug-in is a path", at(element));
      const std::filesystem::path file = std::filesystem::absolute(file_).parent_path() / *name;
      mistakes_.collect(at(element), [&] { plugins::load(file.string()); });
    }
  }

  void readProgram(const toml::node& node) {
    Program program{.where = at(node)};
    if (const auto name = node.value_exact<std::string>()) {
      program.run = *name;
      program.label = program.application = std::filesystem::path(*name).stem().string();
      addSize(program, isWorkload(*name) ? size_ : "");
    } else if (const toml::table* table = node.as_table()) {
      refuseUnknown(*table, kOfProgram, "key of a program");
      program.run = text(*table, "run", "");
      if (program.run.empty()) return mistake("a program needs 'run': the name of a workload, or a path", at(node));
      program.application = text(*table, "application", std::filesystem::path(program.run).stem().string());
      program.label = text(*table, "name", program.application);
      program.arguments = scalars(*table, "arguments");
      program.kernels = scalars(*table, "kernels");
      addSize(program, isWorkload(program.run) ? sizeIn(*table, size_) : text(*table, "size", ""));
    } else {
      return mistake("a program is a string or a table", at(node));
    }
    to_.programs.push_back(std::move(program));
  }

  // What sizes a program has, only a workload's is known.
  static bool isWorkload(const std::string& run) { return run.find('/') == std::string::npos && !isSpe(run); }

  std::string sizeIn(const toml::table& table, const std::string& otherwise) {
    std::string size = text(table, "size", otherwise);
    const std::span<const std::string> known = workloadSizes();
    if (size != otherwise && std::find(known.begin(), known.end(), size) == known.end())
      mistakes_.add(unknownName("size", size, known, at(*table.get("size")), fmt::format("one of {}", fmt::join(known, ", "))));
    return size;
  }

  static void addSize(Program& program, const std::string& size) {
    if (!size.empty()) program.arguments.insert(program.arguments.end(), {kSize, size});
  }

  void readMachine(const toml::node& node) {
    MachineChoice choice{.where = at(node)};
    if (const auto name = node.value_exact<std::string>()) {
      choice.machine = choice.label = *name;
    } else if (const toml::table* table = node.as_table()) {
      refuseUnknown(*table, kOfMachine, "key of a machine");
      choice.machine = text(*table, "machine", "");
      if (choice.machine.empty()) return mistake("a machine needs 'machine': the name of a preset, or a path", at(node));
      choice.label = text(*table, "name", choice.machine);
      readMachineSettings(table->get("set"), choice);
    } else {
      return mistake("a machine is a string or a table", at(node));
    }
    to_.machines.push_back(std::move(choice));
  }

  void readMachineSettings(const toml::node* settings, MachineChoice& choice) {
    if (settings == nullptr) return;
    if (!settings->is_table()) return mistake("'set' is a table", at(*settings), "write it as set = { \"l1d.ways\" = 8 }");
    eachSetting(*settings->as_table(), "", [&](const std::string& name, const toml::node& value, const SourcePosition& where) {
      if (kindOf(name) != ParameterKind::machineKey)
        return mistakes_.add(unknownName("key of a machine", name, parameterNames(), where, "docs/machines.md lists the keys"));
      choice.settings.push_back({name, scalar(value, name)});
    });
  }

  void readSweep(const toml::node* node) {
    if (node == nullptr) return;
    if (!node->is_table()) return mistake("'sweep' is a section", at(*node), "write it as [sweep]");
    eachSetting(*node->as_table(), "", [&](const std::string& name, const toml::node& values, const SourcePosition& where) {
      if (kindOf(name) == ParameterKind::unknown)
        return mistakes_.add(unknownName("parameter", name, parameterNames(), where, "docs/lab.md lists what can be swept"));
      if (name == kMaxRegisters && values.value_exact<std::string>() == kBaseToMinimum)
        return to_.sweeps.push_back({name, {kBaseToMinimum}, at(values)});
      const toml::array* array = values.as_array();
      if (array == nullptr || array->empty()) return mistakes_.add(noValues(name, at(values)));
      Sweep sweep{name, {}, at(values)};
      for (const toml::node& value : *array) addValue(sweep, value);
      to_.sweeps.push_back(std::move(sweep));
    });
  }

  static Error noValues(const std::string& name, const SourcePosition& where) {
    const std::string remedy =
        name == kMaxRegisters ? fmt::format("write \"{}\" for every number from r_base on", kBaseToMinimum) : kFormat;
    return Error(fmt::format("'{}' must be an array of at least one value", name), where, remedy);
  }

  void addValue(Sweep& sweep, const toml::node& node) {
    const std::string value = scalar(node, sweep.name);
    if (std::find(sweep.values.begin(), sweep.values.end(), value) != sweep.values.end())
      return mistake(fmt::format("'{}' has the value {} twice", sweep.name, value), at(node), "leave one of them out");
    sweep.values.push_back(value);
    checkOption(sweep.name, value, at(node));
  }

  void checkOption(const std::string& name, const std::string& value, const SourcePosition& where) {
    const RunOption* option = findRunOption(name);
    if (option == nullptr || option->check == nullptr) return;
    mistakes_.collect(where, [&] {
      try {
        option->check(value);
      } catch (const Error& error) {
        throw Error(name + ": " + error.message(), {}, error.remedy());
      }
    });
  }

  void readOptions(const toml::node* node) {
    if (node == nullptr) return;
    if (!node->is_table()) return mistake("'options' is a section", at(*node), "write it as [options]");
    Words known;
    for (const RunOption& option : runOptions()) known.emplace_back(option.name);
    eachSetting(*node->as_table(), "", [&](const std::string& name, const toml::node& value, const SourcePosition& where) {
      if (findRunOption(name) == nullptr) return mistakes_.add(unknownName("option", name, known, where, kFormat));
      to_.options.push_back({name, scalar(value, name)});
      checkOption(name, to_.options.back().value, at(value));
    });
  }

  void readColumns(const toml::table& table) {
    const toml::node* metrics = table.get("metrics");
    if (const toml::array* array = metrics ? metrics->as_array() : nullptr) {
      for (const toml::node& node : *array) {
        const std::string name = scalar(node, "metrics");
        to_.columns.push_back({name, name, {}, at(node)});
      }
    } else if (metrics) {
      mistake("'metrics' must be an array", at(*metrics));
    }
    const toml::node* columns = table.get("columns");
    if (const toml::array* array = columns ? columns->as_array() : nullptr) {
      for (const toml::node& node : *array) readColumn(node);
    } else if (columns) {
      mistake("'columns' must be an array of tables", at(*columns), "write each as [[columns]]");
    }
    if (to_.columns.empty()) mistake("neither 'metrics' nor 'columns' say what to show", {file_, 0, 0});
  }

  void readColumn(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return mistake("a column is a table", at(node), "write it as [[columns]]");
    refuseUnknown(*table, kOfColumn, "key of a column");
    Column column{text(*table, "name", ""), text(*table, "value", ""), {}, at(node)};
    if (column.value.empty()) return mistake("a column needs 'value': an expression over metrics", at(node));
    if (column.name.empty()) column.name = column.value;
    for (const std::string& name : scalars(*table, "means")) readMean(name, at(*table->get("means")), column);
    column.where = at(*table->get("value"));
    to_.columns.push_back(std::move(column));
  }

  void readMean(const std::string& name, const SourcePosition& where, Column& column) {
    Words known;
    for (const Mean mean : {Mean::arithmetic, Mean::geometric, Mean::harmonic}) {
      if (name == nameOf(mean)) return column.means.push_back(mean);
      known.emplace_back(nameOf(mean));
    }
    mistakes_.add(unknownName("mean", name, known, where, "arithmetic, geometric or harmonic"));
  }

  void readBaseline(const toml::node* node) {
    if (node == nullptr) return;
    to_.baselineWhere = at(*node);
    if (!node->is_table()) return mistake("'baseline' is a section", at(*node), "write it as [baseline]");
    eachSetting(*node->as_table(), "", [&](const std::string& name, const toml::node& value, const SourcePosition& where) {
      to_.baseline.push_back({name, scalar(value, name)});
      checkCoordinate(name, to_.baseline.back().value, where);
    });
  }

  void checkCoordinate(const std::string& name, const std::string& value, const SourcePosition& where) {
    Words axes = {kMachineAxis}, values;
    for (const Sweep& sweep : to_.sweeps) axes.push_back(sweep.name);
    if (std::find(axes.begin(), axes.end(), name) == axes.end())
      return mistakes_.add(unknownName("axis", name, axes, where, "the axes are machine and the parameters of [sweep]"));
    if (name == kMachineAxis)
      for (const MachineChoice& machine : to_.machines) values.push_back(machine.label);
    for (const Sweep& sweep : to_.sweeps)
      if (sweep.name == name) values = sweep.values;
    if (values == Words{kBaseToMinimum}) return checkOption(name, value, where);
    if (std::find(values.begin(), values.end(), value) == values.end())
      mistakes_.add(unknownName("value of '" + name + "'", value, values, where, fmt::format("one of {}", fmt::join(values, ", "))));
  }

  template <class Items>
  void requireUnique(const Items& items, const char* what) {
    std::set<std::string> seen;
    for (const auto& item : items)
      if (!seen.insert(labelOf(item)).second)
        mistake(fmt::format("two {} are called '{}'", what, labelOf(item)), item.where, "give one of them another 'name'");
  }

  void checkExpressions() {
    Words names = metricNames();
    for (const Column& column : to_.columns) {
      mistakes_.collect(column.where, [&] { checkColumn(column, names); });
      names.push_back(column.name);
    }
  }

  void checkColumn(const Column& column, const Words& names) {
    const Expression expression(column.value);
    bool usesBaseline = false;
    for (const std::string& used : expression.names()) {
      const bool ofBaseline = used.starts_with(kBaselinePrefix);
      const std::string name = ofBaseline ? used.substr(kBaselinePrefix.size()) : used;
      usesBaseline |= ofBaseline;
      if (!isMetric(name) && std::find(names.begin(), names.end(), name) == names.end())
        mistakes_.add(unknownName("metric", name, names, column.where, "`warpwright lab metrics` lists them"));
      else if (!to_.byKernel && isMetric(name) && !isCounter(name))
        mistake(fmt::format("'{}' is no counter, so it cannot be summed over a program's kernels", name), column.where,
                "make a column of the counters behind it, or use rows = \"kernel\"");
    }
    const bool hasBaseline = to_.baselineWhere.line != 0;
    if (usesBaseline && !hasBaseline) mistake("a column refers to a baseline, and there is none", column.where, "add a section [baseline]");
  }

  std::string file_, size_;
  Experiment& to_;
  Mistakes& mistakes_;
};

}  // namespace

std::string textOf(const Settings& settings) {
  std::string text;
  for (const Setting& setting : settings) text += fmt::format("{}{}={}", text.empty() ? "" : " ", setting.name, setting.value);
  return text;
}

std::string valueOf(const Settings& settings, const std::string& name) {
  for (const Setting& setting : settings)
    if (setting.name == name) return setting.value;
  return {};
}

std::string_view nameOf(Mean mean) {
  switch (mean) {
    case Mean::arithmetic:
      return "arithmetic";
    case Mean::geometric:
      return "geometric";
    case Mean::harmonic:
      return "harmonic";
  }
  return {};
}

bool isCalled(const std::string& kernel, const std::string& name) {
  return kernel == name || kernel.starts_with(name + "(") || kernel.starts_with(name + " #");
}

bool isWanted(const Experiment& experiment, const std::string& program, const std::string& kernel) {
  const auto found =
      std::find_if(experiment.programs.begin(), experiment.programs.end(), [&](const Program& each) { return each.label == program; });
  if (found == experiment.programs.end() || found->kernels.empty()) return true;
  return std::any_of(found->kernels.begin(), found->kernels.end(), [&](const std::string& name) { return isCalled(kernel, name); });
}

std::span<const std::string> workloadSizes() {
  static const std::vector<std::string> sizes = {"test", "small", "paper"};
  return sizes;
}

Experiment parseExperiment(const std::string& text, const std::string& file, Mistakes& mistakes) {
  Experiment experiment;
  experiment.file = file;
  experiment.text = text;
  try {
    ExperimentReader(file, experiment, mistakes).read(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    mistakes.add(Error(std::string(error.description()), {file, error.source().begin.line, error.source().begin.column}, kFormat));
  }
  return experiment;
}

}  // namespace warpwright::lab
