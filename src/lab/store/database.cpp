#include "lab/store/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <csignal>
#include <filesystem>

#include "base/error.hpp"

namespace warpwright::lab {
namespace {

struct Explanation {
  int code;  // of SQLite
  const char* cause;
  const char* remedy;
};

constexpr const char* kDamagedRemedy =
    "restore a copy, or rescue what can be read: sqlite3 damaged.db .recover | sqlite3 rescued.db; runs that are lost are simulated again";
constexpr const char* kFullRemedy =
    "free some space (or raise the quota or file-size limit), then give the same command again: finished runs are kept";

constexpr Explanation kExplanations[] = {
    {SQLITE_BUSY, "is locked by another process", "wait for it, or find it with `fuser`; --lock-wait sets how long to wait"},
    {SQLITE_LOCKED, "is locked by another process", "wait for it, or find it with `fuser`; --lock-wait sets how long to wait"},
    {SQLITE_NOTADB, "is no SQLite database, or is damaged", kDamagedRemedy},
    {SQLITE_CORRUPT, "is damaged", kDamagedRemedy},
    {SQLITE_FULL, "cannot grow: the disk is full", kFullRemedy},
    {SQLITE_IOERR, "cannot be read or written: the disk is full, a limit is reached, or the disk fails", kFullRemedy},
    {SQLITE_READONLY, "is read-only", "make the file and its folder writable"},
    {SQLITE_PERM, "may not be opened", "make the file and its folder writable"},
    {SQLITE_CANTOPEN, "cannot be opened", "name a file in a writable folder with --db"},
};

}  // namespace

Database::Database(const std::string& file, const OpenOptions& options) : file_(file) {
  // A limit on the size of files is an error to be explained, not a death.
  std::signal(SIGXFSZ, SIG_IGN);
  std::error_code failed;
  if (!options.create && !std::filesystem::exists(file, failed))
    throw Error("there is no database '" + file + "'", {}, "`warpwright lab run experiment.toml` makes one; --db names it");
  try {
    const int flags = SQLite::OPEN_READWRITE | (options.create ? SQLite::OPEN_CREATE : 0);
    connection_ = std::make_unique<SQLite::Database>(file, flags, static_cast<int>(options.lockWait.count()));
    connection_->exec("PRAGMA journal_mode = WAL");
    // A finished run survives a crash of the machine too: every commit is on the disk.
    connection_->exec("PRAGMA synchronous = FULL");
    connection_->exec("PRAGMA foreign_keys = ON");
  } catch (const SQLite::Exception& error) {
    explain(error);
  }
}

void Database::explain(const SQLite::Exception& error) const {
  const int code = error.getErrorCode() & 0xff;  // the primary code
  for (const Explanation& each : kExplanations)
    if (each.code == code) throw Error(fmt::format("the database '{}' {} ({})", file_, each.cause, error.what()), {}, each.remedy);
  throw Error(fmt::format("the database '{}': {}", file_, error.what()));
}

void Database::explainDamage(const std::string& of) const {
  throw Error(fmt::format("the database '{}' is damaged: {} in it cannot be read", file_, of), {}, kDamagedRemedy);
}

}  // namespace warpwright::lab
