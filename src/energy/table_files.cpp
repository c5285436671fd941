#include "energy/table_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/nearest.hpp"
#include "config/machine.hpp"
#include "energy/table.hpp"

namespace warpwright::energy {
namespace fs = std::filesystem;
namespace {

fs::path tableFolder() { return fs::path(config::configFolder()) / "energy"; }

[[noreturn]] void throwUnknownTable(const std::string& name) {
  const std::vector<std::string> names = tableNames();
  const std::string near = nearestName(name, names);
  throw Error(fmt::format("no table of energies is called '{}'", name), {},
              near.empty() ? fmt::format("the tables in {} are: {}", tableFolder().string(), fmt::join(names, ", "))
                           : fmt::format("did you mean '{}'?", near));
}

}  // namespace

std::vector<std::string> tableNames() {
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(tableFolder(), failed)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

fs::path tableFile(const std::string& nameOrPath, const fs::path& folder) {
  const bool isPath = nameOrPath.find('/') != std::string::npos || nameOrPath.ends_with(".toml");
  if (isPath) return folder / nameOrPath;
  fs::path file = tableFolder() / (nameOrPath + ".toml");
  std::error_code ignored;
  if (nameOrPath.empty() || !fs::is_regular_file(file, ignored)) throwUnknownTable(nameOrPath);
  return file;
}

Table loadTable(const std::string& nameOrPath) {
  const fs::path file = tableFile(nameOrPath);
  return parseTable(readFile(file.string()), file.string());
}

}  // namespace warpwright::energy
