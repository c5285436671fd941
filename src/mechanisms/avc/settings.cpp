#include "mechanisms/avc/settings.hpp"

#include <fmt/format.h>

#include <array>

#include "config/fields/rows.hpp"

namespace warpwright::mechanisms::avc {
namespace {

using config::Row;
using config::Slot;

// A setting of the geometry.
template <auto Member>
constexpr Row<Settings> part(std::string_view name, std::string_view unit, config::Range range, std::string_view text) {
  return {name, unit, range, text, [](Settings& settings) { return config::slotOf(settings.geometry.*Member); }};
}

std::optional<std::string> jointProblem(const Geometry& geometry, const config::Cache& levelOne) {
  if (geometry.vectorsPerLine * geometry.placeBytes() != levelOne.lineBytes)
    return fmt::format("mechanism.avc.joint_tags: a frame holds {} bytes, which are {} vectors (mechanism.avc.vectors_per_line = {})",
                       levelOne.lineBytes, levelOne.lineBytes / geometry.placeBytes(), geometry.vectorsPerLine);
  const u64 sets = levelOne.bytes / (u64{levelOne.ways} * levelOne.lineBytes);
  if (sets != geometry.sets())
    return fmt::format(
        "mechanism.avc.joint_tags: the caches have different numbers of sets, {} and {}: make mechanism.avc.bytes {} for {} ways",
        geometry.sets(), sets, sets * geometry.ways * levelOne.lineBytes, geometry.ways);
  if (geometry.skewed || geometry.victimLines != 0)
    return "mechanism.avc.joint_tags excludes mechanism.avc.skewed and mechanism.avc.victim_lines, which are of an array of the cache's "
           "own";
  return std::nullopt;
}

}  // namespace

std::vector<config::MechanismSetting> settingRows() {
  static constexpr std::array kRows = {
      part<&Geometry::bytes>(
          "bytes", "bytes", {0, 1u << 24},
          "Data of one instance, 8 bytes a vector or sub-vector; 0: there is none. Default: 16384, configuration 2 of table 3."),
      part<&Geometry::ways>("ways", "lines", {1, 64}, "Lines of a set. Default: 2, configuration 2 of table 3."),
      part<&Geometry::vectorsPerLine>("vectors_per_line", "vectors", {1, 64, true}, "Of one tag. Default: 16, section 4.2."),
      part<&Geometry::subVectors>(
          "sub_vectors", "", {1, kMostSubVectors, true},
          "Of a vector, with a base and a stride each, 8 bytes a sub-vector (section 3.2: vectors of 16 words suit blocks that "
          "are 16 threads wide). Default: 1, section 4."),
      part<&Geometry::replacement>("replacement", "", {.policies = &config::replacementPolicies},
                                   "Which line of a set goes. Default: tree_plru, section 5.1."),
      config::row<&Settings::strideBits>("stride_bits", "bits", {1, 5},
                                         "Of the logarithm of the stride; one value stands for stride 0. Default: 3, section 4.2."),
      config::row<&Settings::extraLatency>(
          "extra_latency", "cycles", {0, 100},
          "Added to every access that it may serve, whoever serves it. Default: 1, section 5.3 (no bypass of the decoding unit)."),
      part<&Geometry::skewed>("skewed", "", {},
                              "Each way has a set index of its own, and the oldest candidate goes (section 5.1, third remedy). Default: "
                              "false."),
      part<&Geometry::jointTags>(
          "joint_tags", "", {},
          "One array, with the ways of both, holds the lines of this cache and of the first-level cache, in skewed ways; "
          "the oldest candidate goes (section 5.1, third remedy). Default: false."),
      part<&Geometry::victimLines>("victim_lines", "lines", {0, 64},
                                   "Places of a fully associative victim cache that keeps evicted lines encoded (section 5.1, second "
                                   "remedy). Default: 0."),
      part<&Geometry::compressedBelow>("compressed_below", "", {},
                                       "Vectors of private memory whose line is evicted stay encoded in the levels below, 16 in 128 bytes "
                                       "(section 5.1, last remedy). Default: false."),
      config::choice<&Settings::global>("global",
                                        "Loads of global data that pass the first-level cache are served too; stores drop their words "
                                        "(section 7, outlook). Default: false."),
      config::choice<&Settings::shared>(
          "shared",
          "Rows of shared memory, 32 words, that a warp stores as affine vectors are kept as base and stride beside "
          "the banks (section 7, outlook). Default: false."),
  };
  return config::settingsOf<Settings>(kRows);
}

std::optional<std::string> problem(const Settings& settings, const config::Machine& machine) {
  const Geometry& geometry = settings.geometry;
  if (!settings.isPresent()) return std::nullopt;
  if (machine.warpSize != kWordsPerVector) return fmt::format("vectors are of 32 lanes (sm.warp_size = {})", machine.warpSize);
  if (machine.l1d.lineBytes != kVectorBytes || machine.l1d.bytes == 0)
    return fmt::format(
        "it stands beside a first-level cache with lines of {} bytes (l1d.bytes = {}, l1d.line_bytes = {}), as fermi-avc-32 has",
        kVectorBytes, machine.l1d.bytes, machine.l1d.lineBytes);
  const u64 wayBytes = u64{geometry.ways} * geometry.vectorsPerLine * geometry.placeBytes();
  if (geometry.bytes % wayBytes != 0)
    return fmt::format("mechanism.avc.bytes = {} is no multiple of {}: {} ways of lines with {} vectors", geometry.bytes, wayBytes,
                       geometry.ways, geometry.vectorsPerLine);
  return geometry.jointTags ? jointProblem(geometry, machine.l1d) : std::nullopt;
}

}  // namespace warpwright::mechanisms::avc
