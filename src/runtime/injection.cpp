#include "runtime/injection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/nearest.hpp"
#include "exec/fault.hpp"
#include "exec/location.hpp"
#include "stats/json.hpp"

namespace warpwright::runtime {
namespace {

constexpr const char* kRemedy =
    "write KEY=VALUE,… with the keys seed, rate, in (result, register, shared, global, joined by +), at, choose, most, to";

[[noreturn]] void refuse(const std::string& what) { throw Error(what, {}, kRemedy); }

std::vector<std::string_view> partsOf(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(between);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <typename T>
T numberIn(std::string_view text, std::string_view key) {
  T number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || end != text.data() + text.size()) refuse(fmt::format("'{}' of {} is no such number", text, key));
  return number;
}

exec::InjectionTarget targetNamed(std::string_view name) {
  const auto found = std::ranges::find(exec::kInjectionTargetNames, name);
  if (found != std::end(exec::kInjectionTargetNames))
    return static_cast<exec::InjectionTarget>(found - std::begin(exec::kInjectionTargetNames));
  const std::vector<std::string> names(std::begin(exec::kInjectionTargetNames), std::end(exec::kInjectionTargetNames));
  const std::string near = nearestName(std::string(name), names);
  refuse(fmt::format("there are no faults in '{}'{}", name, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
}

exec::InjectionPoint pointOf(std::string_view text) {
  const std::vector<std::string_view> parts = partsOf(text, ':');
  if (parts.size() != 5) refuse(fmt::format("'{}' is no place: a place is LAUNCH:BLOCK:WARP:TARGET:EVENT", text));
  return {numberIn<u64>(parts[0], "at"), numberIn<u64>(parts[1], "at"), numberIn<u32>(parts[2], "at"), targetNamed(parts[3]),
          numberIn<u64>(parts[4], "at")};
}

void set(InjectionSettings& settings, std::string_view key, std::string_view value) {
  exec::InjectionPlan& plan = settings.plan;
  if (key == "seed") {
    plan.seed = numberIn<u64>(value, key);
  } else if (key == "rate") {
    plan.rate = numberIn<double>(value, key);
    if (!(plan.rate >= 0 && plan.rate <= 1)) refuse(fmt::format("a rate of {}: it is a share of instructions, from 0 to 1", value));
  } else if (key == "in") {
    plan.targets = 0;
    for (const std::string_view name : partsOf(value, '+')) plan.targets |= static_cast<u8>(1 << static_cast<u32>(targetNamed(name)));
  } else if (key == "at") {
    for (const std::string_view point : partsOf(value, '+')) plan.at.push_back(pointOf(point));
    std::ranges::sort(plan.at);
  } else if (key == "choose") {
    plan.choose = numberIn<u64>(value, key);
  } else if (key == "most") {
    settings.mostInstructions = numberIn<u64>(value, key);
  } else if (key == "to") {
    settings.file = value;
  } else {
    refuse(fmt::format("there is no key '{}'", key));
  }
}

std::string hitText(const exec::InjectedFault& fault) {
  switch (fault.at.target) {
    case exec::InjectionTarget::shared:
      return fmt::format("bit {} of byte {:#x} of shared memory", fault.bit, fault.place);
    case exec::InjectionTarget::global:
      return fmt::format("bit {} of byte {:#x} of global memory", fault.bit, fault.place);
    default:
      if (fault.isPredicate) return fmt::format("predicate {}", fault.place);
      return fmt::format("bit {} of register {}", fault.bit, fault.place);
  }
}

bool isOfThread(const exec::InjectedFault& fault) {
  return fault.at.target == exec::InjectionTarget::result || fault.at.target == exec::InjectionTarget::reg;
}

std::string whereText(const exec::LaunchRequest& request, const exec::InjectedFault& fault) {
  const Dim3 &grid = request.launch->grid, &block = request.launch->block;
  const u64 number = fault.at.block;
  std::string text =
      fmt::format("{}, block ({},{},{})", hitText(fault), number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y);
  if (!isOfThread(fault)) return text;
  return text +
         fmt::format(", thread ({},{},{})", fault.thread % block.x, fault.thread / block.x % block.y, fault.thread / block.x / block.y);
}

LocatedFault located(const exec::LaunchRequest& request, const exec::InjectedFault& fault) {
  const isa::Program& program = request.launch->program->program;
  const SourcePosition position = exec::positionOf(program, fault.pc);
  return {fault,
          demangled(request.launch->kernel->name),
          position.file,
          static_cast<u32>(position.line),
          exec::ptxOf(program, fault.pc),
          whereText(request, fault)};
}

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

InjectionSettings parseInjection(const std::string& text) {
  InjectionSettings settings;
  for (const std::string_view part : partsOf(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) refuse(fmt::format("'{}' has no '='", part));
    set(settings, part.substr(0, equals), part.substr(equals + 1));
  }
  if (settings.plan.rate == 0 && settings.plan.choose == 0 && settings.plan.at.empty() && settings.file.empty())
    refuse("no rate and no place: nothing would happen");
  return settings;
}

std::string textOf(const exec::InjectionPoint& point) {
  return fmt::format("{}:{}:{}:{}:{}", point.launch, point.block, point.warp, exec::kInjectionTargetNames[static_cast<u32>(point.target)],
                     point.event);
}

// Parts of a launch come in the order of their SMs, faults of a launch are told in the order of its blocks and warps. Of candidates those
// with the lowest rates stay, as if the launches had been one.
void InjectionAccount::launchEnded(const exec::LaunchRequest& request, exec::LaunchResult& result, const exec::GlobalMemory& memory) {
  std::ranges::sort(result.injection.faults);
  for (const exec::InjectedFault& fault : result.injection.faults) faults_.push_back(located(request, fault));
  std::ranges::copy(result.injection.candidates, std::back_inserter(candidates_));
  std::ranges::sort(candidates_);
  if (candidates_.size() > settings_.plan.choose) candidates_.resize(settings_.plan.choose);
  warpInstructions_ = std::max(warpInstructions_, result.warpInstructions);
  if (result.status != exec::LaunchStatus::completed) failures_.push_back(firstLine(result.message));
  for (const exec::Allocation& each : memory.live())
    if (each.kind == exec::AllocationKind::managed || each.kind == exec::AllocationKind::host)
      copiedToHost(exec::GlobalMemory::hostPointer(each.address), each.size);
  // The program may come to no orderly end.
  if (!faults_.empty()) write();
}

void InjectionAccount::copiedToHost(const void* bytes, u64 count) {
  const auto* at = static_cast<const u8*>(bytes);
  for (u64 i = 0; i < count; ++i) digest_ = (digest_ ^ at[i]) * 0x100'0000'01b3;
  bytes_ += count;
}

std::string InjectionAccount::text() const {
  if (faults_.empty()) return {};
  std::string text = fmt::format("Injected faults: {}\n", faults_.size());
  for (const LocatedFault& each : faults_)
    text += fmt::format("  {:<8} {}:{} {}: {}\n           at={}\n", exec::kInjectionTargetNames[static_cast<u32>(each.fault.at.target)],
                        each.file.empty() ? "PTX line" : each.file, each.line, each.kernel, each.where, textOf(each.fault.at));
  return text;
}

stats::Json InjectionAccount::data() const {
  stats::Json faults = stats::Json::array(), candidates = stats::Json::array();
  for (const LocatedFault& each : faults_)
    faults.push_back({{"at", textOf(each.fault.at)},
                      {"target", exec::kInjectionTargetNames[static_cast<u32>(each.fault.at.target)]},
                      {"kernel", each.kernel},
                      {"file", each.file},
                      {"line", each.line},
                      {"pc", u32{each.fault.pc}},
                      {"instruction", each.ptx},
                      {"place", each.fault.place},
                      {"bit", each.fault.bit},
                      {"where", each.where}});
  for (const exec::InjectionCandidate& each : candidates_) candidates.push_back(textOf(each.at));
  return {{"faults", std::move(faults)},
          {"candidates", std::move(candidates)},
          {"failures", failures_},
          {"longest_launch", warpInstructions_},
          {"results", {{"bytes", bytes_}, {"digest", fmt::format("{:016x}", digest_)}}}};
}

void InjectionAccount::write() const {
  if (!settings_.file.empty()) writeFile(settings_.file, data().dump(2) + "\n");
}

}  // namespace warpwright::runtime
