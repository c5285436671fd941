#include "runtime/fast_forward.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <vector>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"

namespace warpwright::runtime {

FastForward::FastForward(const std::string& until) : kernel_(until.substr(0, until.find('#'))), left_(until.empty() ? 0 : 1) {
  const auto hash = until.find('#');
  if (hash == std::string::npos) return;
  const std::string_view digits = std::string_view(until).substr(hash + 1);
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), left_);
  if (kernel_.empty() || code != std::errc{} || end != digits.data() + digits.size() || left_ == 0)
    throw Error("cannot read '" + until + "' as a launch", {}, "write KERNEL or KERNEL#N, N counting its launches from 1");
}

bool FastForward::isIt(const std::string& name) const {
  const std::string signature = demangled(name);
  return kernel_ == name || kernel_ == signature || kernel_ == nameIn(signature);
}

bool FastForward::reaches(const std::string& kernel) {
  if (left_ == 0) return true;
  ++launches_[kernel];
  if (isIt(kernel)) --left_;
  return left_ == 0;
}

std::string FastForward::explanation() const {
  u64 came = 0;
  std::vector<std::string> names;
  for (const auto& [name, count] : launches_) {
    if (isIt(name)) came += count;
    names.push_back(nameIn(demangled(name)));
  }
  if (came != 0)
    return fmt::format("kernel '{}' was launched {} times, {} were waited for: nothing was timed", kernel_, came, came + left_);
  const std::string near = nearestName(kernel_, names);
  const std::string hint =
      near.empty() ? fmt::format("the kernels launched are: {}", fmt::join(names, ", ")) : fmt::format("did you mean '{}'?", near);
  return fmt::format("no launch of '{}' came: nothing was timed{}", kernel_, names.empty() ? "" : "\n  remedy: " + hint);
}

}  // namespace warpwright::runtime
