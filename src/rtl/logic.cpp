#include "rtl/logic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "rtl/module.hpp"

namespace warpwright::rtl {
namespace {

const std::string& mostFrequent(const std::vector<std::string>& values) {
  std::map<std::string_view, std::size_t> counts;
  for (const std::string& value : values) ++counts[value];
  return *std::max_element(values.begin(), values.end(), [&](const auto& a, const auto& b) { return counts[a] < counts[b]; });
}

}  // namespace

std::string xorOf(std::string_view signal, u64 mask) {
  if (mask == 0) return "1'b0";
  std::string text;
  for (; mask != 0; mask &= mask - 1) text += fmt::format("{}{}[{}]", text.empty() ? "" : " ^ ", signal, std::countr_zero(mask));
  return text;
}

std::string choice(std::string_view to, std::string_view selector, u32 selectorBits, const std::vector<std::string>& values) {
  std::vector<std::string> all = values;
  all.resize(std::size_t{1} << selectorBits, values.back());
  const std::string& common = mostFrequent(all);
  std::string cases;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != common) cases += fmt::format("    {}: {} = {};\n", literal(selectorBits, i), to, all[i]);
  if (cases.empty()) return fmt::format("assign {} = {};", to, common);
  return fmt::format("always_comb\n  case ({})\n{}    default: {} = {};\n  endcase", selector, cases, to, common);
}

std::string linear(const Linear& shape, const std::function<u64(u64 selector, u64 value)>& function) {
  const u64 selectors = u64{1} << shape.selectorBits;
  std::vector<std::vector<u64>> columns(selectors);
  for (u64 selector = 0; selector < selectors; ++selector)
    for (u32 bit = 0; bit < shape.fromBits; ++bit) columns[selector].push_back(function(selector, u64{1} << bit));
  std::string text;
  for (u32 out = 0; out < shape.toBits; ++out) {
    std::vector<std::string> values;
    for (const std::vector<u64>& column : columns) {
      u64 mask = 0;
      for (u32 bit = 0; bit < shape.fromBits; ++bit) mask |= (column[bit] >> out & 1) << bit;
      values.push_back(xorOf(shape.from, mask));
    }
    const std::string to = shape.toBits == 1 ? std::string(shape.to) : fmt::format("{}[{}]", shape.to, out);
    text += (out == 0 ? "" : "\n") + choice(to, shape.selector, shape.selectorBits, values);
  }
  return text;
}

std::string lowestSet(std::string_view to, std::string_view signal, u32 count) {
  const u32 width = bitsFor(count);
  return fmt::format(
      "always_comb begin\n  {0} = '0;\n  for (int i = {1}; i > 0; i--) if ({2}[i]) {0} = {3}'(i);\n  if ({2}[0]) {0} = '0;\nend", to,
      count - 1, signal, width);
}

}  // namespace warpwright::rtl
