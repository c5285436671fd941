#include "lab/analysis/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "lab/analysis/expression.hpp"
#include "machines/metrics.hpp"

namespace warpwright::lab {
namespace {

// Statistics that a row is made of: of one kernel, or of all kernels of a program.
struct Source {
  std::vector<nlohmann::json> kernels;
};

class TableMaker {
 public:
  TableMaker(Store& store, const ExperimentInfo& info) : store_(store) {
    Mistakes mistakes;
    experiment_ = parseExperiment(info.text, info.file, mistakes);
    mistakes.report();
    for (const Column& column : experiment_.columns) expressions_.emplace_back(column.value);
    table_.byKernel = experiment_.byKernel;
    table_.byApplication = experiment_.byApplication;
    for (const Sweep& sweep : experiment_.sweeps) table_.parameters.push_back(sweep.name);
    for (const Column& column : experiment_.columns) table_.columns.push_back(column.name);
  }

  Table make(Id experiment) {
    for (const RunInfo& run : store_.runs(experiment)) addRows(run);
    for (std::size_t row = 0; row < table_.rows.size(); ++row) points_[pointOf(table_.rows[row])] = row;
    for (std::size_t column = 0; column < expressions_.size(); ++column) fill(column);
    addMeans();
    for (const Program& program : experiment_.programs) addRemarks(program);
    return std::move(table_);
  }

 private:
  void addRows(const RunInfo& run) {
    Row row{run.program, run.application, {}, run.machine, run.parameters, run.state, run.message, {}};
    std::vector<KernelInfo> kernels = store_.kernels(run.run);
    for (const KernelInfo& kernel : kernels) launched_[run.program].insert(kernel.label);
    std::erase_if(kernels, [&](const KernelInfo& kernel) { return !isWanted(experiment_, run.program, kernel.label); });
    if (!experiment_.byKernel || kernels.empty()) {
      Source all;
      for (const KernelInfo& kernel : kernels) all.kernels.push_back(nlohmann::json::parse(kernel.statistics));
      addRow(row, std::move(all));
      return;
    }
    for (const KernelInfo& kernel : kernels) {
      row.kernel = kernel.label;
      addRow(row, {{nlohmann::json::parse(kernel.statistics)}});
    }
  }

  void addRow(Row row, Source source) {
    row.values.resize(expressions_.size());
    table_.rows.push_back(std::move(row));
    sources_.push_back(std::move(source));
  }

  // What the file calls kernels is known only once the program has run.
  void addRemarks(const Program& program) {
    const auto launched = launched_.find(program.label);
    if (launched == launched_.end()) return;
    for (const std::string& name : program.kernels) {
      const auto isIt = [&](const std::string& kernel) { return isCalled(kernel, name); };
      if (std::none_of(launched->second.begin(), launched->second.end(), isIt))
        table_.remarks.push_back(
            fmt::format("'{}' launched no kernel called '{}'; it launched {}", program.label, name, fmt::join(launched->second, ", ")));
    }
  }

  static std::string pointOf(const Row& row) {
    return row.program + "\n" + row.kernel + "\n" + row.machine + "\n" + textOf(row.parameters);
  }

  // The row that `row` is compared with; nothing: there is none.
  const std::size_t* baselineOf(const Row& row) const {
    Row point{.program = row.program, .kernel = row.kernel, .machine = row.machine, .parameters = row.parameters};
    for (const Setting& coordinate : experiment_.baseline) {
      if (coordinate.name == "machine") point.machine = coordinate.value;
      for (Setting& parameter : point.parameters)
        if (parameter.name == coordinate.name) parameter.value = coordinate.value;
    }
    const auto found = points_.find(pointOf(point));
    return found == points_.end() ? nullptr : &found->second;
  }

  // Earlier columns first, in all rows, as columns may refer to them in the baseline's.
  void fill(std::size_t column) {
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      table_.rows[row].values[column] = expressions_[column].evaluate([&](const std::string& name) -> Value {
        if (!name.starts_with(kBaselinePrefix)) return valueOf(row, name, column);
        const std::size_t* baseline = baselineOf(table_.rows[row]);
        return baseline ? valueOf(*baseline, name.substr(kBaselinePrefix.size()), column) : std::nullopt;
      });
    }
  }

  Value valueOf(std::size_t row, const std::string& name, std::size_t before) const {
    for (std::size_t column = 0; column < before; ++column)
      if (table_.columns[column] == name && name != experiment_.columns[column].value) return table_.rows[row].values[column];
    Value sum;
    for (const nlohmann::json& kernel : sources_[row].kernels) {
      const Value value = metricOf(kernel, name);
      // Bins that are empty are left out; without any other counter there is no sum.
      if (!value && !machines::isBin(name)) return std::nullopt;
      if (value) sum = sum.value_or(0) + *value;
    }
    return sum;
  }

  void addMeans() {
    std::vector<const Row*> groups;  // the first row of each
    std::set<std::string> seen;
    for (const Row& row : table_.rows)
      if (seen.insert(row.machine + "\n" + textOf(row.parameters)).second) groups.push_back(&row);
    for (const Mean mean : {Mean::arithmetic, Mean::geometric, Mean::harmonic})
      if (std::any_of(experiment_.columns.begin(), experiment_.columns.end(), [&](const Column& column) { return has(column, mean); }))
        for (const Row* group : groups) table_.means.push_back(meanRow(mean, *group));
  }

  static bool has(const Column& column, Mean mean) {
    return std::find(column.means.begin(), column.means.end(), mean) != column.means.end();
  }

  MeanRow meanRow(Mean mean, const Row& group) const {
    MeanRow result{mean, group.machine, group.parameters, {}, {}, {}};
    for (std::size_t column = 0; column < table_.columns.size(); ++column) {
      std::vector<const Row*> rows;
      u64 wanted = 0;
      for (const Row& row : table_.rows) {
        if (row.machine != group.machine || row.parameters != group.parameters) continue;
        ++wanted;
        if (row.values[column]) rows.push_back(&row);
      }
      const bool asked = has(experiment_.columns[column], mean);
      result.values.push_back(asked ? meanOfRows(mean, rows, column, table_.byApplication) : std::nullopt);
      result.counts.push_back(rows.size());
      result.wanted.push_back(wanted);
    }
    return result;
  }

  Store& store_;
  Experiment experiment_;
  std::vector<Expression> expressions_;
  Table table_;
  std::vector<Source> sources_;                            // of the rows
  std::map<std::string, std::size_t> points_;              // the row at a point
  std::map<std::string, std::set<std::string>> launched_;  // kernels, by program
};

}  // namespace

Value metricOf(const nlohmann::json& statistics, const std::string& metric) {
  const nlohmann::json* value = &statistics;
  std::size_t begin = 0;
  while (begin <= metric.size()) {
    const std::size_t dot = std::min(metric.find('.', begin), metric.size());
    if (!value->is_object()) return std::nullopt;
    const auto member = value->find(metric.substr(begin, dot - begin));
    if (member == value->end()) return std::nullopt;
    value = &*member;
    begin = dot + 1;
  }
  if (!value->is_number()) return std::nullopt;
  return value->get<double>();
}

std::size_t columnOf(const Table& table, const std::string& name) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), name);
  if (found == table.columns.end()) throw Error("the experiment has no column '" + name + "'");
  return static_cast<std::size_t>(found - table.columns.begin());
}

Table tableOf(Store& store, const ExperimentInfo& experiment) {
  return store.database().understood([&] { return TableMaker(store, experiment).make(experiment.id); });
}

}  // namespace warpwright::lab
