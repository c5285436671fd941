#include "runtime/report.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "base/error.hpp"
#include "machines/timing_profile.hpp"
#include "profile/profile.hpp"
#include "runtime/report_text.hpp"
#include "stats/json.hpp"

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

void write(const std::string& text, const char* what, const std::string& file) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.flush();
  if (out) return;
  const int failure = errno;
  out.close();
  out.open(file, std::ios::trunc);  // rather empty than half
  throw Error(fmt::format("cannot write the {} to '{}': {}", what, file, std::strerror(failure)), {}, "name a file in a writable folder");
}

void writeJson(Device& device, const std::string& file) {
  stats::Json all = device.profile().data();
  device.timing().addTo(all, device.profile());
  if (const std::vector<std::string> remarks = device.remarks(); !remarks.empty()) all["remarks"] = remarks;
  if (const InjectionAccount* const injection = device.injection()) all["injection"] = injection->data();
  write(all.dump(2) + "\n", "profile", file);
}

}  // namespace

void report(Device& device, const ReportSettings& settings) {
  // The program's own output comes first where both streams go to one place.
  std::fflush(stdout);
  const machines::TimingProfile& timing = device.timing();
  if (!settings.quiet && !device.profile().empty()) {
    const profile::ReportOptions options = terminalOptions(settings.lines);
    if (!settings.heading.empty()) fmt::print(stderr, "== {}\n", settings.heading);
    std::fputs(reportText(device.profile(), timing, settings.kernel, options).c_str(), stderr);
    for (const std::string& remark : device.remarks()) fmt::print(stderr, "\nwarpwright: {}\n", remark);
  }
  if (const InjectionAccount* const injection = device.injection()) {
    if (!settings.quiet) std::fputs(injection->text().c_str(), stderr);
    injection->write();
  }
  device.writeTraces();
  if (!settings.csvFile.empty()) write(timing.csv(), "timing", settings.csvFile);
  // Last: where it is, everything else is.
  if (!settings.jsonFile.empty()) writeJson(device, settings.jsonFile);
}

}  // namespace warpwright::runtime
