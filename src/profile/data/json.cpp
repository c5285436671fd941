#include "stats/json.hpp"

#include "profile/data/report.hpp"

namespace warpwright::profile {
namespace {

stats::Json contentJson(const Content& content) {
  stats::Json result = stats::toJson(content);
  result["bdi_ratio"] = stats::toJson(content.ratio(content.bdi));
  result["fpc_ratio"] = stats::toJson(content.ratio(content.fpc));
  result["c_pack_ratio"] = stats::toJson(content.ratio(content.cPack));
  result["entropy_bits_per_word"] = stats::toJson(content.values.entropy());
  return result;
}

}  // namespace

stats::Json dataJson(const KernelData& data) {
  stats::Json result = stats::Json::array();
  for (const ArrayData& array : data.arrays()) {
    stats::Json entry = {{"name", array.name},
                         {"bytes", array.bytes == 0 ? stats::Json(nullptr) : stats::Json(array.bytes)},
                         {"arguments", array.arguments}};
    if (array.loaded.lines != 0) entry["loaded"] = contentJson(array.loaded);
    if (array.stored.lines != 0) entry["stored"] = contentJson(array.stored);
    result.push_back(std::move(entry));
  }
  return result;
}

}  // namespace warpwright::profile
