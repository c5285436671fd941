// One SQLite file. What SQLite refuses becomes an Error that says what to do about it.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <functional>
#include <string>

namespace warpwright::lab {

inline constexpr std::chrono::seconds kLockWait{30};

struct OpenOptions {
  bool create = false;                             // when there is none
  std::chrono::milliseconds lockWait = kLockWait;  // for other writers, before the database counts as locked
};

class Database {
 public:
  // Opens in WAL mode: readers never wait, writers wait for one another. Throws Error.
  Database(const std::string& file, const OpenOptions& options);

  const std::string& file() const { return file_; }
  // Runs `use` and explains what SQLite throws.
  template <class Use>
  auto with(Use&& use) {
    try {
      return use(*connection_);
    } catch (const SQLite::Exception& error) {
      explain(error);
    }
  }
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
  [[noreturn]] void explain(const SQLite::Exception& error) const;

  std::string file_;
  std::unique_ptr<SQLite::Database> connection_;
};

}  // namespace warpwright::lab
