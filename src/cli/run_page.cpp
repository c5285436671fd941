#include "cli/run_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cc/driver/process.hpp"
#include "lab/experiment/plan.hpp"
#include "lab/store/store.hpp"
#include "report/report.hpp"

namespace warpwright::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOwner = "run";
const report::Writer kWriter{"warpwright run", false};

// As a basic string of TOML: JSON's escapes are among TOML's.
std::string quotedText(const std::string& text) { return nlohmann::json(text).dump(); }

// What the page shows first: the time that kernels took, or without one what there is in place of it.
std::string columnsOf(const std::string& profile) {
  const nlohmann::json kernels = nlohmann::json::parse(profile).at("kernels");
  const bool timed = std::ranges::any_of(kernels, [](const auto& kernel) { return kernel.contains("timing"); });
  return fmt::format("{}[[columns]]\nname = \"instructions\"\nvalue = \"derived.warp_instructions\"\n",
                     timed ? "[[columns]]\nname = \"cycles\"\nvalue = \"timing.counters.estimated_cycles\"\n" : "");
}

// An experiment of one run.
std::string experimentOf(const PageRequest& request) {
  std::string arguments, settings;
  for (std::size_t i = 1; i < request.command.size(); ++i) arguments += (arguments.empty() ? "" : ", ") + quotedText(request.command[i]);
  for (const std::string& each : request.overrides) {
    const std::size_t equals = each.find('=');
    settings += fmt::format("{}{} = {}", settings.empty() ? "" : ", ", quotedText(each.substr(0, equals)),
                            quotedText(each.substr(std::min(equals, each.size() - 1) + 1)));
  }
  const std::string name = fs::path(request.command.front()).filename().string();
  return fmt::format("name = {}\nprograms = [{{ run = {}, arguments = [{}] }}]\n[[machines]]\nmachine = {}\nset = {{ {} }}\n{}",
                     quotedText(name), quotedText(fs::absolute(request.command.front()).string()), arguments, quotedText(request.machine),
                     settings, columnsOf(request.profile));
}

}  // namespace

void checkPage(const std::string& file) {
  const fs::path folder = fs::absolute(file).parent_path();
  std::error_code failed;
  if (fs::is_directory(file, failed))
    throw Error(fmt::format("cannot write '{}': it is a folder", file), {"--html", 0, 0}, "name a file in it");
  if (!fs::is_directory(folder, failed))
    throw Error(fmt::format("cannot write '{}': there is no folder '{}'", file, folder.string()), {"--html", 0, 0},
                "name a file in a folder");
}

void writePage(const PageRequest& request) {
  const cc::TemporaryFolder folder;
  const std::string experimentFile = folder.path() + "/run.toml";
  writeFile(experimentFile, experimentOf(request));
  lab::Store store(folder.path() + "/run.db", {.access = lab::Access::create});
  const lab::Id experiment = store.add(lab::planFile(experimentFile, lab::thisSimulator()));
  const std::optional<lab::Id> run = store.claim(experiment, kOwner);
  store.finish(run.value(), kOwner, {.state = lab::State::done, .profile = request.profile, .series = request.series});
  report::writePage(request.file, report::pageOf(store, store.find(""), kWriter));
}

}  // namespace warpwright::cli
