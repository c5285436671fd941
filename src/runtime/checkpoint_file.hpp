// A file of launches that can be run again without the program that made them: `warpwright run --checkpoint`, `warpwright replay`.
//
// It is a list of records, each compressed, in the order of what they describe: the settings, modules when a launch first needs them, and
// launches. A launch holds what changed in device memory since the end of the launch before it; its own effects are not recorded, as
// running it makes them.
#pragma once

#include <fstream>
#include <optional>
#include <string>

#include "stats/json_type.hpp"

namespace warpwright::runtime {

class CheckpointWriter {
 public:
  // Throws Error when the file cannot be written.
  explicit CheckpointWriter(const std::string& file);
  void add(const stats::Json& record);

 private:
  std::string file_;
  std::ofstream out_;
};

class CheckpointReader {
 public:
  // Throws Error for a file that is no checkpoint of this version of Warpwright.
  explicit CheckpointReader(const std::string& file);
  // The next record; none at the end. Throws Error for a damaged file.
  std::optional<stats::Json> next();

 private:
  [[noreturn]] void refuse(const std::string& why) const;

  std::string file_;
  std::ifstream in_;
};

}  // namespace warpwright::runtime
