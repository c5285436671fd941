// What is wrong with what the user wrote, all of it, before anything is done.
#pragma once

#include <vector>

#include "base/error.hpp"

namespace warpwright::lab {

// what() holds every mistake, one below the other.
class MistakesFound : public std::runtime_error {
 public:
  explicit MistakesFound(const std::vector<Error>& mistakes);
};

class Mistakes {
 public:
  // A mistake told twice (one machine in many runs) is kept once.
  void add(const Error& mistake);

  // Runs `check` and keeps the Error that it throws; one without a position gets `where`. True: nothing was thrown.
  template <class Check>
  bool collect(const SourcePosition& where, Check&& check) {
    try {
      check();
      return true;
    } catch (const Error& mistake) {
      add(mistake.where().file.empty() ? Error(mistake.message(), where, mistake.remedy()) : mistake);
      return false;
    }
  }

  bool empty() const { return found_.empty(); }
  const std::vector<Error>& found() const { return found_; }
  // Throws MistakesFound unless there are none.
  void report() const;

 private:
  std::vector<Error> found_;
};

}  // namespace warpwright::lab
