#include "rtl/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace warpwright::rtl {
namespace {

using Given = std::map<std::string, std::string, std::less<>>;

void check(const Design& design, const Parameter& parameter, const std::string& text) {
  if (parameter.isText()) return;
  u64 number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed == std::errc{} && end == text.data() + text.size() && number >= parameter.least && number <= parameter.most) return;
  throw Error(fmt::format("{}: {} is '{}'", design.name, parameter.name, text), {},
              fmt::format("{}: a number from {} to {}", parameter.text, parameter.least, parameter.most));
}

Values complete(const Design& design, const Given& given) {
  std::vector<std::string> known;
  Given all;
  for (const Parameter& parameter : design.parameters) {
    known.emplace_back(parameter.name);
    const auto found = given.find(parameter.name);
    const std::string text = found == given.end() ? std::string(parameter.preset) : found->second;
    check(design, parameter, text);
    all[known.back()] = text;
  }
  for (const auto& [name, text] : given)
    if (!all.contains(name)) throw unknownName(fmt::format("parameter of {}", design.name), name, known, {}, "`warpwright rtl` lists them");
  return Values(std::move(all));
}

bool isText(const Design& design, const std::string& name) {
  return std::any_of(design.parameters.begin(), design.parameters.end(),
                     [&](const Parameter& each) { return each.name == name && each.isText(); });
}

}  // namespace

const Design& designNamed(const std::string& name) {
  std::vector<std::string> known;
  for (const Design& design : designs()) {
    if (design.name == name) return design;
    known.emplace_back(design.name);
  }
  throw unknownName("design", name, known, {}, "`warpwright rtl` lists them");
}

Package makePackage(const Design& design, const Given& given) {
  try {
    return design.make(complete(design, given));
  } catch (const std::invalid_argument& mistake) {
    throw Error(fmt::format("{}: {}", design.name, mistake.what()), {}, "`warpwright rtl` lists the parameters");
  }
}

Package makePackage(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const Design& design = designNamed(text.substr(0, colon));
  Given given;
  for (std::size_t at = colon + 1; at < text.size();) {
    const std::size_t equals = std::min(text.find('=', at), text.size());
    const std::string name = text.substr(at, equals - at);
    const std::size_t end = isText(design, name) ? text.size() : std::min(text.find(',', at), text.size());
    given[name] = equals < end ? text.substr(equals + 1, end - equals - 1) : "";
    at = end + 1;
  }
  return makePackage(design, given);
}

Bits anyBits(u32 width, Random& random) {
  Bits bits(width);
  for (u32 at = 0; at < width; at += 32) {
    const u32 now = std::min(32u, width - at);
    bits.put({at, now}, random());
  }
  return bits;
}

Bits drawInputs(const Package& package, Random& random) {
  return package.draw ? package.draw(random) : anyBits(package.top().inputBits(), random);
}

}  // namespace warpwright::rtl
