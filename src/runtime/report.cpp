#include "runtime/report.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "base/error.hpp"

namespace warpwright::runtime {
namespace {

constexpr u32 kNarrowest = 80;

profile::ReportOptions terminalOptions(bool lines) {
  profile::ReportOptions options;
  options.lines = lines;
  winsize size{};
  if (!isatty(STDERR_FILENO)) return options;
  options.colour = true;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) options.width = std::max<u32>(kNarrowest, size.ws_col);
  return options;
}

void writeJson(const profile::Profile& profile, const std::string& file) {
  std::ofstream out(file, std::ios::binary);
  out << profile.json() << '\n';
  out.flush();
  if (!out) throw Error("cannot write the profile to '" + file + "': " + std::strerror(errno), {}, "name a file in a writable folder");
}

}  // namespace

void report(const profile::Profile& profile, const ReportSettings& settings) {
  // The program's own output comes first where both streams go to one place.
  std::fflush(stdout);
  if (!settings.quiet && !profile.empty()) std::fputs(profile.table(terminalOptions(settings.lines)).c_str(), stderr);
  if (!settings.jsonFile.empty()) writeJson(profile, settings.jsonFile);
}

}  // namespace warpwright::runtime
