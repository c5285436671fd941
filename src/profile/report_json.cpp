#include "base/demangle.hpp"
#include "profile/data/report.hpp"
#include "profile/derived.hpp"
#include "profile/findings.hpp"
#include "profile/report.hpp"
#include "stats/json.hpp"

namespace warpwright::profile {
namespace {

using stats::Json;

Json triple(const Dim3& size) { return Json::array({size.x, size.y, size.z}); }

bool isEmpty(const Json& value) {
  if (value.is_null()) return true;
  if (value.is_number()) return value.get<double>() == 0;
  if (!value.is_object()) return false;
  for (const auto& [name, member] : value.items()) {
    if (!isEmpty(member)) return false;
  }
  return true;
}

// Without members that are zero, null or made only of such: what did not happen at a line need not be listed.
Json pruned(const Json& object) {
  if (!object.is_object()) return object;
  Json result = Json::object();
  for (const auto& [name, member] : object.items()) {
    if (!isEmpty(member)) result[name] = pruned(member);
  }
  return result;
}

Json footprintJson(const KernelProfile& kernel) {
  Json result = stats::toJson(kernel.footprint());
  result["sectors_of_all_launches"] = kernel.distinctSectors();
  result["lines_of_all_launches"] = kernel.distinctLines();
  return result;
}

Json findingsJson(const KernelProfile& kernel) {
  Json result = Json::array();
  for (const Finding& finding : findingsOf(kernel)) {
    Json entry = {{"rule", finding.rule}, {"text", finding.text}, {"weight", finding.weight}};
    if (finding.where.line != 0) {
      entry["file"] = finding.where.file;
      entry["line"] = finding.where.line;
    }
    result.push_back(std::move(entry));
  }
  return result;
}

Json linesJson(const KernelProfile& kernel) {
  Json result = Json::array();
  for (const auto& [where, line] : kernel.lines()) {
    result.push_back({{"file", where.line == 0 ? Json(nullptr) : Json(where.file)},
                      {"line", where.line == 0 ? Json(nullptr) : Json(where.line)},
                      {"counters", pruned(stats::toJson(line.counters))},
                      {"footprint_sectors", line.footprintSectors},
                      {"requests_per_sector", stats::toJson(stats::ratio(line.counters.global.total().sectors, line.footprintSectors))},
                      {"derived", pruned(derivedJson(line.counters, kernel.warpSize()))}});
  }
  return result;
}

Json kernelJson(const KernelProfile& kernel) {
  const exec::LaunchShape& shape = kernel.firstShape();
  const Resources& resources = kernel.resources();
  Json result = {{"name", kernel.name()}, {"signature", demangled(kernel.name())}, {"module", kernel.module()}};
  result.update(stats::toJson(kernel.totals()));
  result["grid"] = triple(shape.grid);
  result["block"] = triple(shape.block);
  result["dynamic_shared_bytes"] = shape.dynamicSharedBytes;
  result["shapes_vary"] = kernel.shapesVary();
  result["registers_per_thread"] = resources.registers;
  result["static_shared_bytes"] = resources.sharedBytes;
  result["local_bytes_per_thread"] = resources.localBytes;
  result["counters"] = stats::toJson(kernel.counters());
  result["derived"] = derivedJson(kernel.counters(), kernel.warpSize());
  result["footprint"] = footprintJson(kernel);
  if (!kernel.data().empty()) result["data"] = dataJson(kernel.data());
  if (!kernel.mechanisms().empty()) result["mechanisms"] = stats::toJson(kernel.mechanisms());
  result["findings"] = findingsJson(kernel);
  result["violations"] = kernel.violations();
  result["lines"] = linesJson(kernel);
  return result;
}

}  // namespace

Json profileJson(const std::vector<const KernelProfile*>& kernels, const Geometry& geometry) {
  Json result = {
      {"schema", "warpwright-profile"},
      {"version", kSchemaVersion},
      {"machine",
       {{"warp_size", geometry.warpSize}, {"shared_banks", geometry.sharedBanks}, {"shared_bank_bytes", geometry.sharedBankBytes}}},
      {"kernels", Json::array()}};
  for (const KernelProfile* kernel : kernels) result["kernels"].push_back(kernelJson(*kernel));
  return result;
}

}  // namespace warpwright::profile
