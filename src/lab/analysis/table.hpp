// The table that an experiment file describes, from what the store holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/experiment/experiment.hpp"
#include "lab/store/store.hpp"

namespace warpwright::lab {

using Value = std::optional<double>;

struct Row {
  std::string program, application, kernel, machine;  // kernel: empty where rows are programs, or where the run gave none
  Settings parameters;
  State state = State::waiting;
  std::string message;
  std::vector<Value> values;  // one a column
};

// A mean over the rows of one machine and one combination of parameters.
struct MeanRow {
  Mean mean = Mean::arithmetic;
  std::string machine;
  Settings parameters;
  std::vector<Value> values;        // nothing in columns that have no such mean
  std::vector<u64> counts, wanted;  // rows that had a value, and rows
};

struct Table {
  std::vector<std::string> parameters;  // names of what is swept
  std::vector<std::string> columns;
  bool byKernel = true, byApplication = false;
  std::vector<Row> rows;
  std::vector<MeanRow> means;
  std::vector<std::string> remarks;  // on what the file asks for and the runs do not have
};

// Throws MistakesFound for an experiment that this version no longer reads.
Table tableOf(Store& store, const ExperimentInfo& experiment);

// One mean of values with weights; nothing where there are none, or where the mean is not defined for them (a geometric or harmonic mean
// of what is not positive).
Value meanOf(Mean mean, const std::vector<double>& values, const std::vector<double>& weights);

// The same over rows that all have a value in the column; `byApplication`: the rows of one application weigh as one.
Value meanOfRows(Mean mean, const std::vector<const Row*>& rows, std::size_t column, bool byApplication);

// Throws Error when there is none.
std::size_t columnOf(const Table& table, const std::string& name);

// The numbers of a kernel's statistics, by their dotted paths.
Value metricOf(const nlohmann::json& statistics, const std::string& metric);

}  // namespace warpwright::lab
