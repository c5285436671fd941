#include "report/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "report/experiment_data.hpp"
#include "report/page.hpp"

namespace warpwright::report {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& file, int reason) {
  throw Error("cannot write '" + file + "': " + std::strerror(reason), {},
              "name a file in a writable folder, on a disk with room, with -o");
}

// 0, or what errno says.
int writeText(const std::string& file, const std::string& text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (out) return 0;
  return errno == 0 ? EIO : errno;
}

}  // namespace

std::string pageOf(lab::Store& store, const lab::ExperimentInfo& experiment, const Writer& writer) {
  Json data = dataOf(store, experiment, writer.told);
  data["writer"] = writer.command;
  if (!writer.knowsHost)
    for (Json& run : data["runs"]) run["seconds"] = run["peak_bytes"] = nullptr;
  // Names and messages may hold bytes that are no UTF-8; they show as U+FFFD.
  const std::string json = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  return filledPage(pageTemplate(), experiment.name, json);
}

void writePage(const std::string& file, const std::string& page) {
  std::error_code failed;
  if (fs::is_directory(file, failed)) refuse(file, EISDIR);
  // What is no ordinary file (/dev/stdout) is written to as it is; else a new file beside the old one takes its place in one step.
  const bool replaces = !fs::exists(file, failed) || fs::is_regular_file(file, failed);
  const std::string target = replaces ? fmt::format("{}.part{}", file, getpid()) : file;
  int reason = writeText(target, page);
  if (!replaces && reason == 0) return;
  if (reason == 0) {
    fs::rename(target, file, failed);
    if (!failed) return;
    reason = failed.value();
  }
  if (replaces) fs::remove(target, failed);
  refuse(file, reason);
}

}  // namespace warpwright::report
