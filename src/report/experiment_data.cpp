#include "report/experiment_data.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "lab/analysis/table.hpp"
#include "lab/experiment/experiment.hpp"
#include "report/code_data.hpp"
#include "report/kernel_data.hpp"
#include "report/pc_histogram_data.hpp"
#include "report/series_data.hpp"

namespace warpwright::report {
namespace {

// More points than a plot is wide show nothing more, and make the file larger.
constexpr std::size_t kMostSeriesRows = 1000, kMostPcSamples = 1000, kMostInstructions = 1000;
constexpr const char* kSlotCounters = "timing.counters.gpu.sm.slots.";

Json settingsJson(const lab::Settings& settings) {
  Json object = Json::object();
  for (const lab::Setting& setting : settings) object[setting.name] = setting.value;
  return object;
}

Json valuesJson(const std::vector<lab::Value>& values) {
  Json array = Json::array();
  for (const lab::Value& value : values) array.push_back(value ? Json(*value) : Json(nullptr));
  return array;
}

// Every key of a machine file with its value as text.
void addKeys(const toml::table& table, const std::string& prefix, Json& keys) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* inner = node.as_table())
      addKeys(*inner, name + ".", keys);
    else
      keys[name] = fmt::format("{}", fmt::streamed(toml::node_view(node)));
  }
}

Json keysOf(const std::string& machine) {
  Json keys = Json::object();
  addKeys(toml::parse(machine), {}, keys);
  return keys;
}

// A column of a row of SQLite, as JSON.
Json jsonOf(const SQLite::Column& column) {
  if (column.isNull()) return nullptr;
  if (column.isInteger()) return column.getInt64();
  if (column.isFloat()) return column.getDouble();
  return column.getString();
}

class DataMaker {
 public:
  DataMaker(lab::Store& store, const lab::ExperimentInfo& info, const Told& told) : store_(store), info_(info), told_(told) {
    lab::Mistakes mistakes;
    experiment_ = lab::parseExperiment(info.text, info.file, mistakes);
    mistakes.report();
  }

  Json make() {
    told_("the runs");
    Json runs = runsJson();
    requireFinished(runs);
    Json data = {{"experiment", experimentJson()}};
    told_("the table");
    addTable(data);
    data["runs"] = std::move(runs);
    data["configurations"] = std::move(configurations_);
    addKernels(data);
    told_("the series");
    data["series"] = seriesJson();
    return data;
  }

 private:
  Json experimentJson() const {
    Json columns = Json::array();
    for (const lab::Column& column : experiment_.columns) {
      Json means = Json::array();
      for (const lab::Mean mean : column.means) means.push_back(nameOf(mean));
      columns.push_back({{"name", column.name}, {"value", column.value}, {"means", std::move(means)}});
    }
    Json sweeps = Json::array();
    for (const lab::Sweep& sweep : experiment_.sweeps) sweeps.push_back(sweep.name);
    return {{"name", info_.name},
            {"id", info_.id},
            {"description", experiment_.description},
            {"created", info_.created},
            {"revision", info_.revision},
            {"file", info_.file},
            {"text", info_.text},
            {"rows", experiment_.byKernel ? "kernel" : "program"},
            {"weights", experiment_.byApplication ? "application" : "row"},
            {"baseline", settingsJson(experiment_.baseline)},
            {"parameters", std::move(sweeps)},
            {"columns", std::move(columns)}};
  }

  void addTable(Json& data) {
    const lab::Table table = tableOf(store_, info_);
    data["rows"] = Json::array();
    for (const lab::Row& row : table.rows)
      data["rows"].push_back({{"program", row.program},
                              {"application", row.application},
                              {"kernel", row.kernel},
                              {"machine", row.machine},
                              {"parameters", settingsJson(row.parameters)},
                              {"state", nameOf(row.state)},
                              {"values", valuesJson(row.values)}});
    data["means"] = Json::array();
    for (const lab::MeanRow& mean : table.means)
      data["means"].push_back({{"mean", nameOf(mean.mean)},
                               {"machine", mean.machine},
                               {"parameters", settingsJson(mean.parameters)},
                               {"values", valuesJson(mean.values)}});
  }

  // Rows of a query with the experiment as its parameter, columns by their names.
  Json queried(const std::string& query) {
    return store_.database().with([&](SQLite::Database& database) {
      SQLite::Statement rows(database, query);
      rows.bind(1, info_.id);
      Json result = Json::array();
      while (rows.executeStep()) {
        Json row = Json::object();
        for (int i = 0; i < rows.getColumnCount(); ++i) row[rows.getColumnName(i)] = jsonOf(rows.getColumn(i));
        result.push_back(std::move(row));
      }
      return result;
    });
  }

  Json runsJson() {
    Json rows = queried(
        "SELECT l.run, l.program, l.application, l.machine, l.parameters, l.state, l.message, l.seconds, l.peak_bytes, l.started, "
        "l.attempts, l.exit_status, l.command, l.revision, l.version, r.configuration "
        "FROM run_list l JOIN runs r ON r.id = l.run WHERE l.experiment_id = ? ORDER BY l.position");
    std::map<s64, std::size_t> indices;
    for (const Json& row : queried("SELECT DISTINCT c.id, c.machine, c.text FROM cells x JOIN runs r ON r.id = x.run "
                                   "JOIN configurations c ON c.id = r.configuration WHERE x.experiment = ? ORDER BY x.position")) {
      if (!indices.try_emplace(row["id"], configurations_.size()).second) continue;
      configurations_.push_back({{"machine", row["machine"]}, {"text", row["text"]}, {"keys", keysOf(row["text"])}});
    }
    for (Json& row : rows) {
      row["parameters"] = Json::parse(row["parameters"].get<std::string>());
      row["configuration"] = indices.at(row["configuration"]);
    }
    return rows;
  }

  void requireFinished(const Json& runs) const {
    std::map<std::string, u64> states;
    for (const Json& run : runs) ++states[run["state"]];
    if (states.contains("done")) return;
    std::string counts;
    for (const auto& [state, count] : states) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, state);
    throw Error(fmt::format("no run of '{}@{}' in '{}' has finished ({})", info_.name, info_.id, store_.database().file(), counts), {},
                fmt::format("`warpwright lab status {}@{} --db {}` says why, `warpwright lab run {}` runs what is missing", info_.name,
                            info_.id, store_.database().file(), info_.file));
  }

  void addKernels(Json& data) {
    const Json rows = queried(
        "SELECT DISTINCT run, kernel_position, program, kernel, name, signature, statistics, lists FROM kernel_list "
        "WHERE experiment_id = ? ORDER BY position, kernel_position");
    MetricTable metrics;
    Json kernels = Json::array();
    std::vector<Json> lists;
    for (const Json& row : rows) {
      told_(fmt::format("{} of {} kernels", lists.size() + 1, rows.size()));
      Json ownLists = Json::parse(row["lists"].get<std::string>());
      addBoundaries(row, ownLists);
      if (!lab::isWanted(experiment_, row["program"], row["kernel"])) continue;
      metrics.addRow(Json::parse(row["statistics"].get<std::string>()));
      lists.push_back(std::move(ownLists));
      kernels.push_back({{"run", row["run"]},
                         {"position", row["kernel_position"]},
                         {"label", row["kernel"]},
                         {"name", row["name"]},
                         {"signature", row["signature"]}});
    }
    std::vector<std::string> slots, files;
    for (const std::string& name : metrics.names())
      if (name.starts_with(kSlotCounters)) slots.push_back(name.substr(std::string_view(kSlotCounters).size()));
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      kernels[i]["values"] = metrics.rowJson(i);
      kernels[i]["findings"] = lists[i].value("findings", Json::array());
      kernels[i]["lines"] = linesOf(lists[i], slots, files);
      kernels[i]["launches"] = launchesOf(lists[i]);
      for (const char* list : {"data", "limits", "what_if", "units", "roofline"})
        if (lists[i].contains(list)) kernels[i][list] = lists[i][list];
      if (lists[i].contains("code")) kernels[i]["code"] = codeOf(lists[i]["code"], kMostInstructions);
      if (lists[i].contains("pc_histogram")) kernels[i]["pc_histogram"] = pcHistogramOf(lists[i]["pc_histogram"], kMostPcSamples);
    }
    data["metrics"] = metrics.namesJson();
    data["zero_metrics"] = metrics.zeroNamesJson();
    data["slots"] = slots;
    data["line_columns"] = kLineColumns;
    data["kernels"] = std::move(kernels);
    data["sources"] = sourcesJson(files);
  }

  // Where the kernel's launches begin and end on the clock of the run's series; stores of before have no such times.
  void addBoundaries(const Json& row, const Json& lists) {
    for (const Json& launch : lists.value("timing_launches", Json::array())) {
      if (!launch.contains("begin")) continue;
      boundaries_[row["run"].get<u64>()].push_back({{"name", row["kernel"]}, {"begin", launch["begin"]}, {"end", launch["end"]}});
    }
  }

  // The texts of files, in the order of their numbers; of the versions of a file, the one that the latest run saw.
  Json sourcesJson(const std::vector<std::string>& files) {
    std::map<std::string, std::string> texts;
    for (const Json& row : queried("SELECT DISTINCT s.path, s.text FROM cells c JOIN run_sources x ON x.run = c.run "
                                   "JOIN sources s ON s.id = x.source WHERE c.experiment = ? ORDER BY s.id"))
      texts[row["path"]] = row["text"];
    Json sources = Json::array();
    for (const std::string& file : files)
      sources.push_back({{"path", file}, {"text", texts.contains(file) ? Json(texts[file]) : Json(nullptr)}});
    return sources;
  }

  Json seriesJson() {
    Json all = Json::array();
    for (const Json& row : queried("SELECT DISTINCT s.run, s.csv FROM cells c JOIN series s ON s.run = c.run WHERE c.experiment = ?")) {
      Json series = seriesOf(row["csv"], kMostSeriesRows);
      series["run"] = row["run"];
      if (const auto known = boundaries_.find(row["run"].get<u64>()); known != boundaries_.end()) series["launches"] = known->second;
      all.push_back(std::move(series));
    }
    return all;
  }

  lab::Store& store_;
  const lab::ExperimentInfo& info_;
  const Told& told_;
  lab::Experiment experiment_;
  Json configurations_ = Json::array();
  std::map<u64, Json> boundaries_;  // of launches, by run
};

}  // namespace

Json dataOf(lab::Store& store, const lab::ExperimentInfo& experiment, const Told& told) {
  try {
    return store.database().understood([&] { return DataMaker(store, experiment, told).make(); });
  } catch (const toml::parse_error&) {
    store.database().explainDamage("a machine");
  }
}

}  // namespace warpwright::report
