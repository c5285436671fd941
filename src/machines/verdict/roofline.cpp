#include "machines/verdict/roofline.hpp"

#include <algorithm>

#include "profile/units.hpp"
#include "stats/json.hpp"

namespace warpwright::machines {
namespace {

// Lanes that all pipes of a kind take in a cycle, of all SMs; schedulers issue no more than one warp each.
double lanesPerCycle(const config::Pipes& pipes, u32 interval, const config::Machine& machine) {
  if (pipes.count == 0) return 0;
  const double warps = static_cast<double>(pipes.count) / std::max(interval, machine.warpSize / std::min(pipes.width, machine.warpSize));
  return std::min<double>(warps, machine.schedulersPerSm) * machine.warpSize * machine.multiprocessors;
}

double bytesPerNanosecond(const config::Machine& machine) {
  const config::Dram& dram = machine.dram;
  return static_cast<double>(dram.channels) * dram.busBytes * dram.dataRate * static_cast<double>(dram.clockKhz) / 1e6;
}

}  // namespace

std::vector<Roof> rooflineOf(const TimingCounters& counters, const config::Machine& machine) {
  const config::Sm& sm = machine.sm;
  const double cyclesPerNanosecond = static_cast<double>(machine.coreClockKhz) / 1e6;
  std::vector<Roof> roofs;
  const auto add = [&](std::string_view precision, isa::PipeOperation operation, const config::Pipes& pipes, u32 interval) {
    const u64 operations = counters.gpu.sm.operations[operation];
    if (operations == 0 || counters.nanoseconds == 0) return;
    Roof roof{.precision = precision, .operations = operations};
    roof.perByte = stats::ratio(operations, counters.gpu.memory.dram.movedBytes).value_or(0);
    roof.rate = static_cast<double>(operations) / static_cast<double>(counters.nanoseconds);
    roof.pipes = lanesPerCycle(pipes, interval, machine) * cyclesPerNanosecond;
    roof.dram = roof.perByte * bytesPerNanosecond(machine);
    roofs.push_back(roof);
  };
  add("single", isa::PipeOperation::fp32Fma, sm.fp32, sm.fma32.interval);
  add("double", isa::PipeOperation::fp64Fma, sm.fp64, sm.fma64.interval);
  return roofs;
}

void appendRoofline(profile::TextPage& page, const std::vector<Roof>& roofs) {
  if (roofs.empty()) return;
  page.heading("Roofline (an operation: addition, multiplication, or both at once)");
  page.row("  {:<12}{:>14}{:>16}{:>10}{:>12}{:>12}", "precision", "operations", "a byte of DRAM", "GOP/s", "of the roof", "roof");
  for (const Roof& roof : roofs)
    page.row("  {:<12}{:>14}{:>16}{:>10}{:>12}{:>12}", roof.precision, profile::countText(roof.operations),
             roof.perByte == 0 ? "-" : profile::ratioText(roof.perByte), profile::ratioText(roof.rate, 1),
             profile::percentText(roof.rate / roof.roof()), roof.isBoundByDram() ? "DRAM" : "pipes");
}

stats::Json rooflineJson(const std::vector<Roof>& roofs) {
  stats::Json result = stats::Json::array();
  for (const Roof& roof : roofs)
    result.push_back({{"precision", roof.precision},
                      {"operations", roof.operations},
                      {"per_byte", roof.perByte},
                      {"rate", roof.rate},
                      {"pipes", roof.pipes},
                      {"dram", roof.dram}});
  return result;
}

}  // namespace warpwright::machines
