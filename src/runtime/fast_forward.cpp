#include "runtime/fast_forward.hpp"

#include <charconv>

#include "base/error.hpp"
#include "profile/source_text.hpp"

namespace warpwright::runtime {
namespace {

// As in the source, without parameters: "scan::add".
std::string_view plain(std::string_view demangled) { return demangled.substr(0, demangled.find('(')); }

}  // namespace

FastForward::FastForward(const std::string& until) : kernel_(until.substr(0, until.find('#'))), left_(until.empty() ? 0 : 1) {
  const auto hash = until.find('#');
  if (hash == std::string::npos) return;
  const std::string_view digits = std::string_view(until).substr(hash + 1);
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), left_);
  if (kernel_.empty() || code != std::errc{} || end != digits.data() + digits.size() || left_ == 0)
    throw Error("cannot read '" + until + "' as a launch", {}, "write KERNEL or KERNEL#N, N counting its launches from 1");
}

bool FastForward::reaches(std::string_view kernel) {
  if (left_ == 0) return true;
  const std::string demangled = profile::demangled(std::string(kernel));
  if (kernel_ == kernel || kernel_ == demangled || kernel_ == plain(demangled)) --left_;
  return left_ == 0;
}

}  // namespace warpwright::runtime
