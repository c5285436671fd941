#include "lab/execution/batch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kTasks = "tasks.json";
constexpr const char* kSubmitted = "submitted";

// Whole, or not at all: readers never see half a file.
void writeWhole(const std::string& file, const std::string& text) {
  const std::string part = file + ".part";
  std::ofstream out(part, std::ios::binary);
  out << text;
  out.close();
  if (!out || std::rename(part.c_str(), file.c_str()) != 0)
    throw Error(fmt::format("cannot write '{}': {}", file, std::strerror(errno)), {}, "the disk may be full, or the folder not writable");
}

Json jsonOf(const Settings& settings) {
  Json array = Json::array();
  for (const Setting& setting : settings) array.push_back({setting.name, setting.value});
  return array;
}

Settings settingsOf(const Json& array) {
  Settings settings;
  for (const Json& each : array) settings.push_back({each[0], each[1]});
  return settings;
}

Json jsonOf(const Task& task) {
  const RunSpec& spec = task.spec;
  return {{"run", task.run},
          {"key", spec.key},
          {"program", spec.program},
          {"program_hash", spec.programHash},
          {"arguments", spec.arguments},
          {"machine", spec.machine},
          {"configuration", spec.configuration},
          {"configuration_hash", spec.configurationHash},
          {"options", jsonOf(spec.options)},
          {"command", spec.command}};
}

Task taskOf(const Json& json) {
  return {json.at("run"),
          {json.at("key"), json.at("program"), json.at("program_hash"), json.at("arguments"), json.at("machine"), json.at("configuration"),
           json.at("configuration_hash"), settingsOf(json.at("options")), json.at("command")}};
}

Json jsonOf(const Outcome& outcome) {
  return {{"state", nameOf(outcome.state)}, {"message", outcome.message},      {"exit_status", outcome.exitStatus},
          {"seconds", outcome.seconds},     {"peak_bytes", outcome.peakBytes}, {"started", outcome.started},
          {"profile", outcome.profile},     {"series", outcome.series}};
}

Outcome outcomeOf(const Json& json) {
  return {stateNamed(json.at("state").get<std::string>()),
          json.at("message"),
          json.at("exit_status"),
          json.at("seconds"),
          json.at("peak_bytes"),
          json.at("started"),
          json.at("profile"),
          json.at("series")};
}

}  // namespace

Batch Batch::make(const std::string& parent) {
  fs::create_directories(parent);
  std::string folder = parent + "/batch-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr)
    throw Error(fmt::format("cannot make a folder in '{}': {}", parent, std::strerror(errno)), {}, "make it writable");
  return Batch(folder);
}

void Batch::write(const std::vector<Task>& tasks, const Limits& limits, const std::string& revision) const {
  Json all = {{"revision", revision}, {"memory_bytes", limits.memoryBytes}, {"timeout", limits.timeout.count()}, {"tasks", Json::array()}};
  for (const Task& task : tasks) all["tasks"].push_back(jsonOf(task));
  writeWhole(folder_ + "/" + kTasks, all.dump());
}

void Batch::markSubmitted() const { writeWhole(folder_ + "/" + kSubmitted, ""); }
bool Batch::isSubmitted() const { return fs::exists(folder_ + "/" + kSubmitted); }

std::string Batch::name() const { return "warpwright-" + fs::path(folder_).filename().string(); }
std::string Batch::owner() const { return std::string(kSlurmOwner) + fs::path(folder_).filename().string(); }
std::string Batch::outputPattern() const { return folder_ + "/%a.output"; }
std::string Batch::file(u32 index, const char* extension) const { return fmt::format("{}/{}.{}", folder_, index, extension); }

std::vector<Id> Batch::runs() const {
  std::vector<Id> runs;
  if (!fs::exists(folder_ + "/" + kTasks)) return runs;
  const Json all = Json::parse(readFile(folder_ + "/" + kTasks));
  for (const Json& task : all.at("tasks")) runs.push_back(task.at("run"));
  return runs;
}

Task Batch::task(u32 index) const { return taskOf(Json::parse(readFile(folder_ + "/" + kTasks)).at("tasks").at(index)); }

Limits Batch::limits() const {
  const Json all = Json::parse(readFile(folder_ + "/" + kTasks));
  return {all.at("memory_bytes"), std::chrono::seconds(all.at("timeout").get<s64>())};
}

std::string Batch::revision() const { return Json::parse(readFile(folder_ + "/" + kTasks)).at("revision"); }

void Batch::writeOutcome(u32 index, const Outcome& outcome) const { writeWhole(file(index, "outcome"), jsonOf(outcome).dump()); }

bool Batch::hasOutcome(u32 index) const { return fs::exists(file(index, "outcome")); }

std::optional<Outcome> Batch::outcome(u32 index) const {
  std::ifstream stream(file(index, "outcome"), std::ios::binary);
  // Another command that collects the same batch may have removed it.
  if (!stream) return std::nullopt;
  return outcomeOf(Json::parse(stream));
}

std::string Batch::printed(u32 index) const { return fs::exists(file(index, "output")) ? readFile(file(index, "output")) : std::string(); }

void Batch::remove() const {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace warpwright::lab
