#include "lab/store/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

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

// SQLite keeps files beside the database, so that its folder matters too.
bool isWritable(const std::filesystem::path& file) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  return ::access(file.c_str(), W_OK) == 0 && ::access(folder.c_str(), W_OK) == 0;
}

// Nothing can change a file without a log: SQLite then needs no files of its own beside it, where it might have no room for them.
std::string readOnlyUri(const std::string& file) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(file).lexically_normal().string()) {
    const bool isSpecial = c == '?' || c == '#' || c == '%';
    uri += isSpecial ? fmt::format("%{:02x}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return uri + (std::filesystem::exists(file + "-wal") ? "?mode=ro" : "?mode=ro&immutable=1");
}

}  // namespace

Database::Database(const std::string& file, const OpenOptions& options) : file_(file) {
  // A limit on the size of files is an error to be explained, not a death.
  std::signal(SIGXFSZ, SIG_IGN);
  std::error_code failed;
  const bool exists = std::filesystem::exists(file, failed);
  if (!exists && options.access != Access::create)
    throw Error("there is no database '" + file + "'", {}, "`warpwright lab run experiment.toml` makes one; --db names it");
  if (exists && !std::filesystem::is_regular_file(file, failed))
    throw Error(fmt::format("'{}' is {}, and no database can be there", file,
                            std::filesystem::is_directory(file, failed) ? "a folder" : "a device"),
                {}, "name a file with --db");
  try {
    open(options);
  } catch (const SQLite::Exception& error) {
    explain(error);
  }
}

void Database::open(const OpenOptions& options) {
  const int wait = static_cast<int>(options.lockWait.count());
  if (options.access == Access::read && !isWritable(file_)) {
    connection_ = std::make_unique<SQLite::Database>(readOnlyUri(file_), SQLite::OPEN_READONLY | SQLite::OPEN_URI, wait);
    return;
  }
  const int create = options.access == Access::create ? SQLite::OPEN_CREATE : 0;
  connection_ = std::make_unique<SQLite::Database>(file_, SQLite::OPEN_READWRITE | create, wait);
  connection_->exec("PRAGMA journal_mode = WAL");
  // A finished run survives a crash of the machine too: every commit is on the disk.
  connection_->exec("PRAGMA synchronous = FULL");
  connection_->exec("PRAGMA foreign_keys = ON");
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

void Database::explainCaught() const {
  try {
    throw;
  } catch (const nlohmann::json::exception&) {
    explainDamage("JSON");
  }
}

}  // namespace warpwright::lab
