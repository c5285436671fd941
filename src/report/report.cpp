#include "report/report.hpp"

#include <unistd.h>

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

}  // namespace

std::string pageOf(lab::Store& store, const lab::ExperimentInfo& experiment) {
  // Names and messages may hold bytes that are no UTF-8; they show as U+FFFD.
  const std::string json = dataOf(store, experiment).dump(-1, ' ', false, Json::error_handler_t::replace);
  return filledPage(pageTemplate(), experiment.name, json);
}

void writePage(const std::string& file, const std::string& page) {
  std::error_code failed;
  const bool isOrdinary = !fs::exists(file, failed) || fs::is_regular_file(file, failed);
  if (fs::is_directory(file, failed)) refuse(file, EISDIR);
  // Beside the file, so that renaming is one step; what is no ordinary file (/dev/stdout) is written to as it is.
  const std::string target = isOrdinary ? file + ".part" + std::to_string(getpid()) : file;
  errno = 0;
  std::ofstream out(target, std::ios::binary);
  out << page;
  out.close();
  const int reason = errno;
  if (out && isOrdinary) fs::rename(target, file, failed);
  if (out && !(isOrdinary && failed)) return;
  std::error_code ignored;
  if (isOrdinary) fs::remove(target, ignored);
  refuse(file, out ? failed.value() : reason);
}

}  // namespace warpwright::report
