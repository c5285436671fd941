// One SQLite file. What SQLite refuses becomes an Error that says what to do about it.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <memory>
#include <string>
#include <type_traits>

namespace warpwright::lab {

inline constexpr std::chrono::seconds kLockWait{30};

// What is done with a database.
enum class Access { read, write, create };  // create: when there is none

struct OpenOptions {
  Access access = Access::write;
  std::chrono::milliseconds lockWait = kLockWait;  // for other writers, before the database counts as locked
};

class Database {
 public:
  // Opens in WAL mode: readers never wait, writers wait for one another. Throws Error. To be read, a file that may not be written is as
  // good, wherever it lies.
  Database(const std::string& file, const OpenOptions& options);

  const std::string& file() const { return file_; }
  // Runs `use` and explains what SQLite throws, and JSON that is none.
  template <class Use>
  auto with(Use&& use) {
    try {
      return understood([&] { return use(*connection_); });
    } catch (const SQLite::Exception& error) {
      explain(error);
    }
  }
  // Runs `read`, which makes something of what the database holds: what it cannot understand is damage.
  template <class Read>
  auto understood(Read&& read) const {
    try {
      return read();
    } catch (...) {
      explainCaught();
    }
  }
  [[noreturn]] void explainDamage(const std::string& of) const;
  // Of the exception that is being handled: of JSON that is none, the damage; any other goes on.
  [[noreturn]] void explainCaught() const;
  // The same in a transaction that writes: all of it or nothing happens. Keep it short, as others wait.
  template <class Use>
  auto write(Use&& use) {
    return with([&](SQLite::Database& database) {
      SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
      if constexpr (std::is_void_v<decltype(use(database))>) {
        use(database);
        transaction.commit();
      } else {
        auto result = use(database);
        transaction.commit();
        return result;
      }
    });
  }

 private:
  void open(const OpenOptions& options);
  [[noreturn]] void explain(const SQLite::Exception& error) const;

  std::string file_;
  std::unique_ptr<SQLite::Database> connection_;
};

}  // namespace warpwright::lab
