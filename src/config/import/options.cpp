#include "config/import/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

namespace warpwright::config {
namespace {

std::string textOf(const Option& option) { return fmt::format("-{} {}", option.name, option.value); }

// Early files of version 4 write these without the prefix that the options have had since.
std::string nameSince(const std::string& name) {
  for (const std::string_view each : {"adaptive_cache_config", "enable_specialized_operand_collector", "gmem_skip_L1D", "l1_banks",
                                      "l1_latency", "memory_partition_indexing", "perf_sim_memcpy", "smem_latency", "sub_core_model"}) {
    if (name == each) return "gpgpu_" + name;
  }
  return name == "dual_bus_interface" ? "dram_" + name : name;
}

}  // namespace

Options::Options(const std::string& text, const std::string& fileName) : fileName_(fileName) {
  for (Option& option : readOptions(text, fileName, notes_)) {
    const std::string name = nameSince(option.name);
    const auto found = byName_.find(name);
    if (found != byName_.end()) note(found->second, fmt::format("given again in line {}, which counts", option.where.line));
    byName_.insert_or_assign(name, option);
  }
}

const Option* Options::take(std::string_view name) {
  const auto found = byName_.find(name);
  if (found == byName_.end()) return nullptr;
  taken_[found->first] = true;
  return &found->second;
}

bool Options::number(std::string_view name, u64& into) {
  const Option* option = take(name);
  if (option != nullptr) into = numberOf(*option, option->value);
  return option != nullptr;
}

bool Options::number(std::string_view name, u32& into) {
  u64 value = into;
  const bool given = number(name, value);
  if (value > std::numeric_limits<u32>::max()) refuse(*take(name), "the number is too large");
  into = static_cast<u32>(value);
  return given;
}

bool Options::flag(std::string_view name, bool& into) {
  u32 value = into ? 1 : 0;
  const bool given = number(name, value);
  if (value > 1) refuse(*take(name), "expected 0 or 1");
  into = value == 1;
  return given;
}

void Options::require(const std::vector<std::string>& names) const {
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    if (!byName_.contains(name)) missing.push_back("-" + name);
  }
  if (missing.empty()) return;
  throw Error(fmt::format("the file does not say {}", fmt::join(missing, ", ")), {fileName_, 0, 0},
              "is it a configuration of GPGPU-Sim? These options have no value that would fit every GPU");
}

void Options::note(const Option& option, std::string reason) { notes_.push_back({option.where, textOf(option), std::move(reason)}); }

std::vector<LeftOver> Options::leftOver() const {
  std::vector<LeftOver> result = notes_;
  for (const auto& [name, option] : byName_) {
    if (!taken_.contains(name)) result.push_back({option.where, textOf(option), std::string(reasonFor(name))});
  }
  std::stable_sort(result.begin(), result.end(), [](const LeftOver& a, const LeftOver& b) {
    return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
  });
  return result;
}

}  // namespace warpwright::config
