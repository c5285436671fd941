// Which papers there are, and what one asks of a paper that has been read.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/nearest.hpp"
#include "energy/table.hpp"
#include "lab/mistakes.hpp"
#include "lab/reproduction/published.hpp"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

fs::path dataFolder() {
  const fs::path installed = fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "share/warpwright/published";
  std::error_code failed;
  return fs::is_directory(installed, failed) ? installed : fs::path(WARPWRIGHT_SOURCE_PUBLISHED);
}

}  // namespace

const PublishedMachine& machineOf(const Paper& paper, const std::string& name) {
  std::vector<std::string> known;
  for (const PublishedMachine& machine : paper.machines) {
    if (machine.name == name) return machine;
    known.push_back(machine.name);
  }
  throw unknownName("machine", name, known, {}, "see [[machines]] of the paper's data");
}

void setEnergy(Paper& paper, const std::string& table) {
  if (paper.energy.table.empty()) throw Error(fmt::format("paper {} has no energies", paper.id), {}, "leave --energy out");
  energy::loadTable(table);
  paper.energy = {table, "--energy"};
}

std::vector<std::string> paperIds() {
  std::vector<std::string> ids;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(dataFolder(), failed))
    if (entry.path().extension() == ".toml") ids.push_back(entry.path().stem().string());
  std::sort(ids.begin(), ids.end());
  return ids;
}

Paper loadPaper(const std::string& id) {
  const std::vector<std::string> known = paperIds();
  if (std::find(known.begin(), known.end(), id) == known.end())
    throw unknownName("paper", id, known, {}, fmt::format("one of {}", fmt::join(known, ", ")));
  const std::string file = (dataFolder() / (id + ".toml")).string();
  return parsePaper(readFile(file), file);
}

}  // namespace warpwright::lab
