#include "runtime/launch_times.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "stats/json.hpp"

namespace warpwright::runtime {
namespace {

using stats::Json;

constexpr std::string_view kRemedy = "name another folder with --sample-times, or delete this one";

[[noreturn]] void refuse(const std::string& file) {
  throw Error(fmt::format("'{}' holds a line that is no time of a launch", file), {}, std::string(kRemedy));
}

// Infinite numbers have no JSON.
Json numberOrNull(double number) { return std::isinf(number) ? Json(nullptr) : Json(number); }
double numberOf(const Json& json) { return json.is_null() ? stats::kEndless : json.get<double>(); }

// Numbers as they come, spread evenly: multiplication by 2^64 over the golden ratio (Knuth, "The Art of Computer Programming", 6.4).
u64 spread(u64 number) { return number * 0x9E3779B97F4A7C15u >> 32; }

std::string lineOf(const LaunchTimes::Key& launch, const LaunchTimes::Time& time) {
  return Json{{"launch", launch.number},
              {"kernel", launch.kernel},
              {"warp_instructions", launch.warpInstructions},
              {"cycles", time.cycles.value},
              {"variance", numberOrNull(time.cycles.variance)},
              {"degrees", numberOrNull(time.cycles.degrees)},
              {"extrapolated", time.cycles.isPredicted},
              {"warp_instructions_in_detail", time.instructionsInDetail}}
      .dump();
}

}  // namespace

LaunchTimes::LaunchTimes(const std::string& folder, SamplePart part, const std::string& conditions) : part_(part) {
  namespace fs = std::filesystem;
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw Error(fmt::format("cannot make the folder '{}' for times of launches: {}", folder, failed.message()), {}, "name a writable one");
  file_ = (fs::path(folder) / fmt::format("part-{}-of-{}.jsonl", part.number, part.count)).string();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".jsonl") read(entry.path().string(), conditions);
  open(conditions);
}

// A last line without an end was being written when its run was stopped, or is being written.
void LaunchTimes::read(const std::string& file, const std::string& conditions) {
  const std::string text = readFile(file);
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const Json record = Json::parse(text.substr(begin, end - begin), nullptr, false);
    if (!record.is_object()) refuse(file);
    if (begin == 0) {
      if (!record.contains("conditions") || record.at("conditions") != conditions)
        throw Error(fmt::format("'{}' holds times of another machine, of other options, or of another version of Warpwright", file), {},
                    std::string(kRemedy));
      continue;
    }
    try {
      addKnown(record, file);
    } catch (const Json::exception&) {
      refuse(file);
    }
  }
}

// Throws Json::exception for a record that lacks something.
void LaunchTimes::addKnown(const Json& record, const std::string& file) {
  const Key launch{record.at("launch"), record.at("kernel"), record.at("warp_instructions")};
  const stats::Estimate cycles{record.at("cycles"), numberOf(record.at("variance")), numberOf(record.at("degrees")),
                               record.at("extrapolated")};
  known_.insert_or_assign(launch.number, Known{launch, {cycles, record.at("warp_instructions_in_detail")}, file});
}

// What a run that was stopped has left of a line goes.
void LaunchTimes::open(const std::string& conditions) {
  namespace fs = std::filesystem;
  const std::string before = fs::exists(file_) ? readFile(file_) : std::string();
  const std::size_t whole = before.rfind('\n') + 1;
  if (whole != before.size()) fs::resize_file(file_, whole);
  out_.open(file_, std::ios::binary | std::ios::app);
  if (whole == 0) write(Json{{"conditions", conditions}}.dump());
}

const LaunchTimes::Time* LaunchTimes::find(const Key& launch) const {
  const auto found = known_.find(launch.number);
  if (found == known_.end()) return nullptr;
  const Known& known = found->second;
  if (known.launch.kernel != launch.kernel || known.launch.warpInstructions != launch.warpInstructions)
    throw Error(
        fmt::format("'{}' holds the time of another program: launch {} was {} with {} warp instructions there, and is {} with {} here",
                    known.file, launch.number, known.launch.kernel, known.launch.warpInstructions, launch.kernel, launch.warpInstructions),
        {}, std::string(kRemedy) + "; a program that does not do the same in every run can only be sampled in one");
  return &known.time;
}

// By number: which launches others have timed already differs from run to run.
bool LaunchTimes::isMine(const Key& launch) const { return spread(launch.number) % part_.count == part_.number - 1; }

void LaunchTimes::add(const Key& launch, const Time& time) {
  write(lineOf(launch, time));
  known_.insert_or_assign(launch.number, Known{launch, time, file_});
}

void LaunchTimes::write(const std::string& line) {
  out_ << line << '\n';
  out_.flush();
  if (!out_)
    throw Error(fmt::format("cannot write times of launches to '{}': {}", file_, std::strerror(errno)), {}, "make room on its disk");
}

}  // namespace warpwright::runtime
