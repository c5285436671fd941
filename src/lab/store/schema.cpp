#include "lab/store/schema.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace warpwright::lab {
namespace {

// PRAGMA application_id: "WLab" in ASCII.
constexpr int kApplication = 0x574c6162;

constexpr const char* kVersion1 = R"sql(
CREATE TABLE simulators (
  id INTEGER PRIMARY KEY,
  revision TEXT NOT NULL UNIQUE,       -- SHA-256 over the command and its libraries
  version TEXT NOT NULL
);

CREATE TABLE programs (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,           -- SHA-256 of the file
  path TEXT NOT NULL                   -- where it lay when it was first used
);

CREATE TABLE configurations (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,           -- SHA-256 of the text
  machine TEXT NOT NULL,               -- its name
  text TEXT NOT NULL                   -- every field, as TOML: a machine file
);

CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,            -- SHA-256 over all that the result depends on
  simulator INTEGER NOT NULL REFERENCES simulators(id),
  program INTEGER NOT NULL REFERENCES programs(id),
  configuration INTEGER NOT NULL REFERENCES configurations(id),
  arguments TEXT NOT NULL,             -- JSON array of strings
  options TEXT NOT NULL,               -- JSON object: the options of `warpwright run`
  command TEXT NOT NULL,               -- that repeats the run
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed', 'timed out')),
  message TEXT NOT NULL DEFAULT '',    -- why it failed
  owner TEXT NOT NULL DEFAULT '',      -- who runs it
  attempts INTEGER NOT NULL DEFAULT 0,
  started TEXT,                        -- UTC, ISO 8601
  seconds REAL,                        -- of the host
  peak_bytes INTEGER,                  -- most memory of the host that the run had resident
  exit_status INTEGER                  -- as shells have it
);
CREATE INDEX runs_by_state ON runs(state);

CREATE TABLE kernels (                 -- of runs that are done
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,           -- in the order of their first launches
  name TEXT NOT NULL,                  -- as in the PTX
  signature TEXT NOT NULL,             -- as in the source, with parameters
  label TEXT NOT NULL,                 -- as in the source
  statistics TEXT NOT NULL,            -- JSON object: the kernel in `warpwright run --json`, without its lists
  lists TEXT NOT NULL,                 -- JSON object: findings, lines, data, timing_lines, timing_launches,
                                       -- pc_histogram
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

CREATE TABLE series (                  -- of runs with the option interval
  run INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
  csv TEXT NOT NULL
);

CREATE TABLE sources (                 -- files that lines refer to, as they were
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (path, hash)
);

CREATE TABLE run_sources (
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  source INTEGER NOT NULL REFERENCES sources(id),
  PRIMARY KEY (run, source)
) WITHOUT ROWID;

CREATE TABLE experiments (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,           -- of its text and of its runs' keys
  name TEXT NOT NULL,
  file TEXT NOT NULL,
  text TEXT NOT NULL,                  -- of the experiment file
  simulator INTEGER NOT NULL REFERENCES simulators(id),
  created TEXT NOT NULL                -- UTC, ISO 8601
);

CREATE TABLE cells (                   -- which run stands where in an experiment; experiments share runs
  experiment INTEGER NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  run INTEGER NOT NULL REFERENCES runs(id),
  program TEXT NOT NULL,               -- labels
  application TEXT NOT NULL,
  machine TEXT NOT NULL,
  parameters TEXT NOT NULL,            -- JSON object: what was swept
  PRIMARY KEY (experiment, position)
) WITHOUT ROWID;
CREATE INDEX cells_by_run ON cells(run);

CREATE VIEW run_list AS
SELECT e.name AS experiment, e.id AS experiment_id, c.position, c.program, c.application, c.machine, c.parameters,
       r.state, r.message, r.seconds, r.peak_bytes, r.started, r.attempts, r.exit_status, r.command, r.id AS run,
       s.revision, s.version
FROM cells c JOIN experiments e ON e.id = c.experiment JOIN runs r ON r.id = c.run JOIN simulators s ON s.id = r.simulator;

CREATE VIEW kernel_list AS
SELECT e.name AS experiment, e.id AS experiment_id, c.position, c.program, c.application, c.machine, c.parameters,
       k.label AS kernel, k.run, k.position AS kernel_position, k.name, k.signature, k.statistics, k.lists
FROM cells c JOIN experiments e ON e.id = c.experiment JOIN kernels k ON k.run = c.run;

CREATE VIEW metrics AS
SELECT k.experiment, k.experiment_id, k.position, k.program, k.application, k.machine, k.parameters, k.kernel, k.run,
       replace(substr(t.fullkey, 3), '"', '') AS metric, t.value
FROM kernel_list k, json_tree(k.statistics) t
WHERE t.type IN ('integer', 'real');
)sql";

constexpr const char* kMigrations[] = {kVersion1};

int pragma(SQLite::Database& database, const std::string& name) { return database.execAndGet("PRAGMA " + name).getInt(); }

bool isEmpty(SQLite::Database& database) { return database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0; }

// Another process may have done the step in the meantime: the version is read in the transaction that changes it.
void takeStep(Database& database, std::span<const char* const> steps) {
  database.write([&](SQLite::Database& connection) {
    const auto version = static_cast<std::size_t>(pragma(connection, "user_version"));
    if (version >= steps.size()) return;
    connection.exec(steps[version]);
    connection.exec(fmt::format("PRAGMA application_id = {}", kApplication));
    connection.exec(fmt::format("PRAGMA user_version = {}", version + 1));
  });
}

}  // namespace

std::span<const char* const> migrations() { return kMigrations; }

void migrate(Database& database, std::span<const char* const> steps) {
  const auto version = [&] { return database.with([](SQLite::Database& connection) { return pragma(connection, "user_version"); }); };
  const bool foreign = database.with(
      [](SQLite::Database& connection) { return !isEmpty(connection) && pragma(connection, "application_id") != kApplication; });
  if (foreign) throw Error(fmt::format("'{}' is a database of another program", database.file()), {}, "name another file with --db");
  if (version() > static_cast<int>(steps.size()))
    throw Error(
        fmt::format("the database '{}' has version {}; this Warpwright knows versions up to {}", database.file(), version(), steps.size()),
        {}, "use the Warpwright that wrote it, or a later one");
  while (version() < static_cast<int>(steps.size())) takeStep(database, steps);
}

}  // namespace warpwright::lab
