#include "cli/against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/profile_json.hpp"
#include "cli/what_if/kernel_filter.hpp"
#include "profile/units.hpp"
#include "runtime/environment.hpp"

namespace warpwright::cli {
namespace {

using stats::Json;

// Of all issue slots.
constexpr double kWorthSaying = 0.05;

u64 instructionsOf(const Json& kernel) {
  u64 sum = 0;
  for (const auto& [name, count] : kernel.at("counters").at("warp_instructions").items()) sum += count.get<u64>();
  return sum;
}

std::string nameOf(const Json& kernel) { return demangled(kernel.at("name").get<std::string>()); }

std::string changeText(u64 before, u64 after, const char* unit) {
  const std::string share =
      before == 0 ? "" : fmt::format(" ({:+.1f} %)", (static_cast<double>(after) / static_cast<double>(before) - 1) * 100);
  return fmt::format("{} -> {} {}{}", profile::countText(before), profile::countText(after), unit, share);
}

std::map<std::string, double> sharesOf(const Json& kernel) {
  std::map<std::string, double> shares;
  for (const Json& limit : kernel.at("timing").value("limits", Json::array()))
    shares[limit.at("rule").get<std::string>()] = limit.at("share").get<double>();
  return shares;
}

std::string limitsText(const Json& before, const Json& after) {
  std::map<std::string, double> earlier = sharesOf(before), now = sharesOf(after);
  std::string text;
  for (const auto& [rule, share] : earlier) now.try_emplace(rule, 0);
  for (const auto& [rule, share] : now) {
    const double then = earlier.contains(rule) ? earlier.at(rule) : 0;
    if (std::abs(share - then) >= kWorthSaying)
      text += fmt::format("    {:<24} {:>7} -> {:>7}\n", rule, profile::percentText(then), profile::percentText(share));
  }
  return text.empty() ? text : "  of its issue slots:\n" + text;
}

std::string kernelText(const Json& before, const Json& after) {
  std::string text = nameOf(after) + "\n  ";
  if (!isTimed(before) || !isTimed(after))
    return text + changeText(instructionsOf(before), instructionsOf(after), "warp instructions") + "\n";
  text += changeText(cyclesOf(before), cyclesOf(after), "core cycles") + "\n";
  const std::string machineThen = before["timing"].at("machine_hash"), machineNow = after["timing"].at("machine_hash");
  if (machineThen != machineNow) text += "  on another machine, or one with other settings\n";
  return text + limitsText(before, after);
}

std::string onlyIn(const Json& profile, const Json& other, const std::string& kernels, const char* when) {
  std::string text;
  for (const Json& kernel : profile.at("kernels"))
    if (isNamedBy(kernels, kernel) && findKernel(other, kernel) == nullptr) text += fmt::format("{}\n  {} alone\n", nameOf(kernel), when);
  return text;
}

}  // namespace

Json earlierProfile(const std::string& file) {
  const std::string text = readFile(file);
  Json profile = Json::parse(text, nullptr, false);
  if (!profile.is_object() || !profile.contains("kernels"))
    throw Error(fmt::format("'{}' is no profile", file), {"--against", 0, 0}, "name a file that `warpwright run --json` has written");
  return profile;
}

std::string comparisonWith(const Json& earlier, const Json& now) {
  std::string text = "Against the earlier run\n=======================\n";
  const std::string kernels = runtime::readEnvironment().report.kernel;
  for (const Json& kernel : now.at("kernels")) {
    if (!isNamedBy(kernels, kernel)) continue;
    if (const Json* before = findKernel(earlier, kernel)) text += kernelText(*before, kernel);
  }
  return text + onlyIn(earlier, now, kernels, "in the earlier run") + onlyIn(now, earlier, kernels, "in this run");
}

}  // namespace warpwright::cli
