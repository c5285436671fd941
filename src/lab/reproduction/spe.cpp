#include "lab/reproduction/spe.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "lab/analysis/expression.hpp"
#include "spe/programs/program.hpp"

namespace warpwright::lab {

const spe::Statistics& SpeRuns::statisticsOf(const std::string& program, const std::string& name, Way way) {
  const std::string key = fmt::format("{} {} {}", program, name, static_cast<int>(way));
  if (const auto known = runs_.find(key); known != runs_.end()) return known->second;
  spe::Machine machine = spe::machineOf(name);
  if (way == Way::fetchedLate) machine.fetchesAhead = 0;
  if (way == Way::scheduled) machine.order = spe::Order::scheduled;
  const spe::Program& chosen = spe::programOf(program);
  spe::Spu spu(machine);
  if (chosen.run(spu) != chosen.expected()) throw Error(fmt::format("'{}' computes wrong results on the SPE '{}'", program, name));
  spu.finish();
  return runs_.emplace(key, spu.statistics()).first->second;
}

std::optional<double> SpeRuns::named(const std::string& program, const std::string& name, const std::string& what) {
  constexpr std::string_view kOriginal = "original_";
  if (what.starts_with(kOriginal)) return named(program, "original", what.substr(kOriginal.size()));
  const spe::Machine machine = spe::machineOf(name);
  if (what == "load_latency") return machine.loadLatency();
  if (what == "store_latency") return machine.storeLatency();
  if (what == "branch_penalty") return machine.branchPenalty();
  if (program.empty()) return std::nullopt;
  if (what == "cycles_fetched_late") return static_cast<double>(statisticsOf(program, name, Way::fetchedLate).cycles);
  if (what == "cycles_scheduled") return static_cast<double>(statisticsOf(program, name, Way::scheduled).cycles);
  const spe::Statistics& statistics = statisticsOf(program, name, Way::asWritten);
  if (what == "cycles") return static_cast<double>(statistics.cycles);
  if (what == "instructions") return static_cast<double>(statistics.instructions);
  if (what == "loads") return static_cast<double>(statistics.loads);
  if (what == "stores") return static_cast<double>(statistics.stores);
  if (what == "memory") return static_cast<double>(statistics.loads + statistics.stores);
  return std::nullopt;
}

std::optional<double> SpeRuns::value(const std::string& program, const std::string& name, const std::string& expression) {
  return Expression(expression).evaluate([&](const std::string& what) { return named(program, name, what); });
}

}  // namespace warpwright::lab
