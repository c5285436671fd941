#include "runtime/ptx_source.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/error.hpp"

namespace warpwright::runtime {
namespace {

constexpr std::string_view kBoundMarker = "// warpwright: maxrregcount=";
constexpr std::string_view kUnitMarker = "// warpwright: next unit\n";
constexpr std::string_view kAddressSize = ".address_size";

}  // namespace

std::string_view trimPtx(std::string_view ptx) { return ptx.substr(0, ptx.find('\0')); }

std::optional<u32> registerBound(std::string_view ptx) {
  const auto at = ptx.find(kBoundMarker);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view number = ptx.substr(at + kBoundMarker.size());
  number = number.substr(0, number.find_first_of("\r\n"));
  u32 bound = 0;
  const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), bound);
  if (code != std::errc{} || end != number.data() + number.size() || bound == 0)
    throw Error("'" + std::string(number) + "' is not a number of registers", {}, "write -maxrregcount N with N from 1 to 255");
  return bound;
}

u32 addressBitsOf(std::string_view ptx) {
  auto at = ptx.find(kAddressSize);
  if (at == std::string_view::npos) return 32;
  at = ptx.find_first_not_of(" \t", at + kAddressSize.size());
  return at != std::string_view::npos && ptx.substr(at, 2) == "32" ? 32 : 64;
}

std::string joinUnits(const std::vector<PtxUnit>& units) {
  std::string text;
  for (const PtxUnit& unit : units) {
    if (!text.empty()) text.append("\n").append(kUnitMarker);
    if (unit.maxRegisters) text.append(kBoundMarker).append(std::to_string(*unit.maxRegisters)).append("\n");
    text.append(trimPtx(unit.text));
  }
  return text;
}

std::vector<PtxUnit> splitUnits(std::string_view text) {
  std::vector<PtxUnit> units;
  for (;;) {
    const auto end = text.find(kUnitMarker);
    units.push_back({std::string(text.substr(0, end)), std::nullopt});
    if (end == std::string_view::npos) return units;
    text.remove_prefix(end + kUnitMarker.size());
  }
}

}  // namespace warpwright::runtime
