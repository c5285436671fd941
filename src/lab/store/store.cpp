#include "lab/store/store.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "lab/store/kernel_rows.hpp"
#include "lab/store/schema.hpp"
#include "lab/store/time.hpp"

namespace warpwright::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> kStates = {"waiting", "running", "done", "failed", "timed out"};

std::string jsonText(const Settings& settings) {
  Json object = Json::object();
  for (const Setting& setting : settings) object[setting.name] = setting.value;
  return object.dump();
}

Settings settingsIn(const std::string& json) {
  Settings settings;
  const Json object = Json::parse(json);
  for (const auto& [name, value] : object.items()) settings.push_back({name, value.get<std::string>()});
  return settings;
}

// The row of `hash` in a table of things that are named by their hash; made when there is none.
Id rowOf(SQLite::Database& database, const std::string& insert, const std::string& select, const std::vector<std::string>& values) {
  SQLite::Statement add(database, insert);
  for (std::size_t i = 0; i < values.size(); ++i) add.bind(static_cast<int>(i + 1), values[i]);
  add.exec();
  SQLite::Statement find(database, select);
  find.bind(1, values.front());
  find.executeStep();
  return find.getColumn(0).getInt64();
}

Id simulatorRow(SQLite::Database& database, const Simulator& simulator) {
  return rowOf(database, "INSERT OR IGNORE INTO simulators(revision, version) VALUES (?, ?)",
               "SELECT id FROM simulators WHERE revision = ?", {simulator.revision, simulator.version});
}

Id runRow(SQLite::Database& database, const RunSpec& run, Id simulator) {
  const Id program = rowOf(database, "INSERT OR IGNORE INTO programs(hash, path) VALUES (?, ?)", "SELECT id FROM programs WHERE hash = ?",
                           {run.programHash, run.program});
  const Id configuration = rowOf(database, "INSERT OR IGNORE INTO configurations(hash, machine, text) VALUES (?, ?, ?)",
                                 "SELECT id FROM configurations WHERE hash = ?", {run.configurationHash, run.machine, run.configuration});
  return rowOf(database,
               fmt::format("INSERT OR IGNORE INTO runs(key, arguments, options, command, simulator, program, configuration) "
                           "VALUES (?, ?, ?, ?, {}, {}, {})",
                           simulator, program, configuration),
               "SELECT id FROM runs WHERE key = ?", {run.key, Json(run.arguments).dump(), jsonText(run.options), run.command});
}

void addCells(SQLite::Database& database, Id experiment, Id simulator, const std::vector<Cell>& cells) {
  SQLite::Statement add(
      database, "INSERT INTO cells(experiment, position, run, program, application, machine, parameters) VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    add.bind(1, experiment);
    add.bind(2, static_cast<s64>(i));
    add.bind(3, runRow(database, cell.run, simulator));
    add.bind(4, cell.program);
    add.bind(5, cell.application);
    add.bind(6, cell.machine);
    add.bind(7, jsonText(cell.parameters));
    add.exec();
    add.reset();
  }
}

std::string textOf(const SQLite::Column& column) { return column.getString(); }

constexpr const char* kExperimentColumns =
    "SELECT e.id, e.name, e.file, e.text, e.created, s.revision FROM experiments e JOIN simulators s ON s.id = e.simulator";

ExperimentInfo experimentOf(SQLite::Statement& row) {
  return {row.getColumn(0).getInt64(), textOf(row.getColumn(1)), textOf(row.getColumn(2)),
          textOf(row.getColumn(3)),    textOf(row.getColumn(4)), textOf(row.getColumn(5))};
}

RunInfo runOf(SQLite::Statement& row) {
  RunInfo info;
  info.run = row.getColumn(0).getInt64();
  info.position = static_cast<u64>(row.getColumn(1).getInt64());
  info.program = textOf(row.getColumn(2));
  info.application = textOf(row.getColumn(3));
  info.machine = textOf(row.getColumn(4));
  info.parameters = settingsIn(textOf(row.getColumn(5)));
  info.state = stateNamed(textOf(row.getColumn(6)));
  info.message = textOf(row.getColumn(7));
  info.command = textOf(row.getColumn(8));
  info.seconds = row.getColumn(9).getDouble();
  info.key = textOf(row.getColumn(10));
  info.programHash = textOf(row.getColumn(11));
  info.configurationHash = textOf(row.getColumn(12));
  info.revision = textOf(row.getColumn(13));
  return info;
}

}  // namespace

std::string_view nameOf(State state) { return kStates[static_cast<std::size_t>(state)]; }

State stateNamed(std::string_view name) {
  const auto found = std::find(kStates.begin(), kStates.end(), name);
  return static_cast<State>(found - kStates.begin());
}

Store::Store(const std::string& file, const OpenOptions& options) : database_(file, options) { migrate(database_); }

Id Store::add(const Plan& plan) {
  return database_.write([&](SQLite::Database& database) {
    SQLite::Statement known(database, "SELECT id FROM experiments WHERE hash = ?");
    known.bind(1, plan.hash);
    if (known.executeStep()) return static_cast<Id>(known.getColumn(0).getInt64());
    const Id simulator = simulatorRow(database, plan.simulator);
    SQLite::Statement add(database, "INSERT INTO experiments(hash, name, file, text, simulator, created) VALUES (?, ?, ?, ?, ?, ?)");
    add.bind(1, plan.hash);
    add.bind(2, plan.experiment.name);
    add.bind(3, plan.experiment.file);
    add.bind(4, plan.experiment.text);
    add.bind(5, simulator);
    add.bind(6, utcNow());
    add.exec();
    const Id id = database.getLastInsertRowid();
    addCells(database, id, simulator, plan.cells);
    return id;
  });
}

std::optional<Id> Store::claim(Id experiment, const std::string& owner) {
  return database_.write([&](SQLite::Database& database) -> std::optional<Id> {
    SQLite::Statement take(database,
                           "UPDATE runs SET state = 'running', owner = ?1, attempts = attempts + 1, message = '' "
                           "WHERE id = (SELECT r.id FROM cells c JOIN runs r ON r.id = c.run "
                           "WHERE c.experiment = ?2 AND r.state = 'waiting' ORDER BY c.position LIMIT 1) RETURNING id");
    take.bind(1, owner);
    take.bind(2, experiment);
    std::optional<Id> run;
    // To the end: the statement must be done before the transaction is.
    while (take.executeStep()) run = take.getColumn(0).getInt64();
    return run;
  });
}

std::vector<Id> Store::waiting(Id experiment, u64 most) {
  return database_.with([&](SQLite::Database& database) {
    SQLite::Statement find(database,
                           "SELECT r.id FROM cells c JOIN runs r ON r.id = c.run WHERE c.experiment = ? AND r.state = 'waiting' "
                           "GROUP BY r.id ORDER BY min(c.position) LIMIT ?");
    find.bind(1, experiment);
    find.bind(2, static_cast<s64>(most));
    std::vector<Id> runs;
    while (find.executeStep()) runs.push_back(find.getColumn(0).getInt64());
    return runs;
  });
}

std::vector<Id> Store::take(const std::vector<Id>& runs, const std::string& owner) {
  return database_.write([&](SQLite::Database& database) {
    SQLite::Statement take(database,
                           "UPDATE runs SET state = 'running', owner = ?, attempts = attempts + 1, message = '' "
                           "WHERE id = ? AND state = 'waiting'");
    std::vector<Id> taken;
    for (const Id run : runs) {
      take.bind(1, owner);
      take.bind(2, run);
      if (take.exec() != 0) taken.push_back(run);
      take.reset();
    }
    return taken;
  });
}

RunSpec Store::specOf(Id run) {
  return database_.with([&](SQLite::Database& database) {
    SQLite::Statement find(database,
                           "SELECT r.key, p.path, p.hash, r.arguments, c.machine, c.text, c.hash, r.options, r.command FROM runs r "
                           "JOIN programs p ON p.id = r.program JOIN configurations c ON c.id = r.configuration WHERE r.id = ?");
    find.bind(1, run);
    find.executeStep();
    const auto column = [&](int index) { return textOf(find.getColumn(index)); };
    return RunSpec{column(0), column(1), column(2), Json::parse(column(3)).get<std::vector<std::string>>(),
                   column(4), column(5), column(6), settingsIn(column(7)),
                   column(8)};
  });
}

void Store::finish(Id run, const std::string& owner, const Outcome& outcome) {
  // Made outside of the transaction, which is to be short.
  const std::vector<KernelRow> kernels = outcome.state == State::done ? kernelRows(outcome.profile) : std::vector<KernelRow>{};
  const std::vector<SourceFile> sources = sourcesOf(kernels);
  database_.write([&](SQLite::Database& database) {
    SQLite::Statement end(database,
                          "UPDATE runs SET state = ?1, message = ?2, owner = '', started = ?3, seconds = ?4, peak_bytes = ?5, "
                          "exit_status = ?6 WHERE id = ?7 AND owner = ?8 AND state = 'running'");
    end.bind(1, std::string(nameOf(outcome.state)));
    end.bind(2, outcome.message);
    end.bind(3, outcome.started);
    end.bind(4, outcome.seconds);
    end.bind(5, static_cast<s64>(outcome.peakBytes));
    end.bind(6, outcome.exitStatus);
    end.bind(7, run);
    end.bind(8, owner);
    if (end.exec() == 0) return;
    addKernelRows(database, run, kernels);
    addSources(database, run, sources);
    if (!outcome.series.empty()) addSeries(database, run, outcome.series);
  });
}

void Store::release(const std::string& owner) {
  database_.write([&](SQLite::Database& database) {
    SQLite::Statement release(database, "UPDATE runs SET state = 'waiting', owner = '' WHERE owner = ? AND state = 'running'");
    release.bind(1, owner);
    release.exec();
  });
}

std::vector<std::string> Store::owners(std::optional<Id> experiment) {
  return database_.with([&](SQLite::Database& database) {
    std::vector<std::string> owners;
    SQLite::Statement all(database,
                          "SELECT DISTINCT owner FROM runs WHERE state = 'running' "
                          "AND (?1 IS NULL OR id IN (SELECT run FROM cells WHERE experiment = ?1))");
    if (experiment) all.bind(1, *experiment);
    while (all.executeStep()) owners.push_back(textOf(all.getColumn(0)));
    return owners;
  });
}

void Store::retry(Id experiment) {
  database_.write([&](SQLite::Database& database) {
    SQLite::Statement again(database,
                            "UPDATE runs SET state = 'waiting' WHERE state IN ('failed', 'timed out') "
                            "AND id IN (SELECT run FROM cells WHERE experiment = ?)");
    again.bind(1, experiment);
    again.exec();
  });
}

std::vector<ProgramProgress> Store::progress(Id experiment) {
  return database_.with([&](SQLite::Database& database) {
    std::vector<ProgramProgress> programs;
    SQLite::Statement all(database,
                          "SELECT sum(state = 'waiting'), sum(state = 'running'), sum(state = 'done'), "
                          "sum(state IN ('failed', 'timed out')), ifnull(avg(CASE WHEN state != 'running' THEN seconds END), 0) "
                          "FROM runs WHERE id IN (SELECT run FROM cells WHERE experiment = ?) GROUP BY program");
    all.bind(1, experiment);
    const auto number = [&](int column) { return static_cast<u64>(all.getColumn(column).getInt64()); };
    while (all.executeStep()) programs.push_back({number(0), number(1), number(2), number(3), all.getColumn(4).getDouble()});
    return programs;
  });
}

std::vector<ExperimentInfo> Store::experiments() {
  return database_.with([](SQLite::Database& database) {
    std::vector<ExperimentInfo> found;
    SQLite::Statement all(database, std::string(kExperimentColumns) + " ORDER BY e.id");
    while (all.executeStep()) found.push_back(experimentOf(all));
    return found;
  });
}

ExperimentInfo Store::find(const std::string& name) {
  const std::vector<ExperimentInfo> all = experiments();
  if (all.empty())
    throw Error(fmt::format("'{}' holds no experiment", database_.file()), {}, "`warpwright lab run experiment.toml` adds one");
  if (name.empty()) return all.back();
  std::vector<std::string> known;
  for (auto each = all.rbegin(); each != all.rend(); ++each) {
    known.push_back(each->name);
    known.push_back(fmt::format("{}@{}", each->name, each->id));
    if (name == known.back() || name == each->name) return *each;
  }
  throw unknownName("experiment", name, known, {}, "`warpwright lab status` lists them");
}

std::vector<RunInfo> Store::runs(Id experiment) {
  return database_.with([&](SQLite::Database& database) {
    std::vector<RunInfo> found;
    SQLite::Statement all(database,
                          "SELECT r.id, c.position, c.program, c.application, c.machine, c.parameters, r.state, r.message, r.command, "
                          "r.seconds, r.key, p.hash, f.hash, s.revision FROM cells c JOIN runs r ON r.id = c.run "
                          "JOIN programs p ON p.id = r.program JOIN configurations f ON f.id = r.configuration "
                          "JOIN simulators s ON s.id = r.simulator WHERE c.experiment = ? ORDER BY c.position");
    all.bind(1, experiment);
    while (all.executeStep()) found.push_back(runOf(all));
    return found;
  });
}

std::vector<KernelInfo> Store::kernels(Id run) {
  return database_.with([&](SQLite::Database& database) {
    std::vector<KernelInfo> found;
    SQLite::Statement all(database, "SELECT label, name, statistics FROM kernels WHERE run = ? ORDER BY position");
    all.bind(1, run);
    while (all.executeStep()) found.push_back({textOf(all.getColumn(0)), textOf(all.getColumn(1)), textOf(all.getColumn(2))});
    return found;
  });
}

}  // namespace warpwright::lab
