#include "cli/executed_spills.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cc/driver/process.hpp"

namespace warpwright::cli {
namespace {

std::vector<std::string> commandFor(const ProgramRun& run, u32 maxRegisters, const std::string& profile) {
  std::vector<std::string> command = {"/proc/self/exe", "run", "--functional", "--json", profile};
  command.insert(command.end(),
                 {"--max-registers", std::to_string(maxRegisters), "--machine", run.machine, "--spill-first", run.spillFirst});
  command.insert(command.end(), run.words.begin(), run.words.end());
  return command;
}

}  // namespace

std::map<std::string, ExecutedSpills> executedSpills(const ProgramRun& run, u32 maxRegisters) {
  const cc::TemporaryFolder folder;
  const std::string profile = folder.path() + "/profile.json";
  int status = 0;
  const std::string output = cc::capture(commandFor(run, maxRegisters, profile), &status);
  if (status != 0 || !std::filesystem::exists(profile))
    throw Error(fmt::format("'{}' with {} registers ended with status {}:\n{}", run.words.front(), maxRegisters, status, output), {},
                "run it by hand with `warpwright run`; arguments of its own follow --");
  std::map<std::string, ExecutedSpills> result;
  const nlohmann::json counted = nlohmann::json::parse(readFile(profile));
  for (const nlohmann::json& kernel : counted.at("kernels")) {
    const auto& spills = kernel.at("counters").at("spills");
    result[kernel.at("name")] = {spills.at("warp_loads"), spills.at("warp_stores")};
  }
  return result;
}

}  // namespace warpwright::cli
