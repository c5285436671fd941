#include "image.hpp"

#include <fmt/format.h>

#include <regex>

#include "base/error.hpp"
#include "fatbin/device_code.hpp"
#include "fatbin/in_process.hpp"
#include "fatbin/select.hpp"

namespace warpwright::cuda {
namespace {

std::string textOf(const fatbin::Entry& entry) {
  const auto bound = entry.registerBound();
  return (bound ? fmt::format("// warpwright: maxrregcount={}\n", *bound) : "") + entry.ptx();
}

// Read: std::vector<fatbin::Container>().
template <typename Read>
Image imageFrom(u32 smVersion, Read&& read) {
  Image image;
  std::vector<fatbin::Container> containers;
  try {
    containers = read();
  } catch (const Error& error) {
    return {CUDA_ERROR_INVALID_IMAGE, {}, error.what()};
  }
  try {
    for (const fatbin::Selection& selection : fatbin::selectPtx(containers, smVersion)) image.units.push_back(textOf(*selection.entry));
  } catch (const Error& error) {
    return {CUDA_ERROR_NO_BINARY_FOR_GPU, {}, error.what()};
  }
  return image;
}

// Names that the text defines: functions with a body, variables that are not extern.
const std::regex kExternal(R"((^|\n)[ \t]*\.extern\s+([^;{]*?)([A-Za-z_$%][\w$]*)\s*(\([^;{]*\)|\[[^;{]*\])?\s*(\.noreturn\s*)?;)");
const std::regex kWholeText(R"((^|\n)[ \t]*\.(version|target|address_size|file)\b[^\n]*)");
const std::regex kLine(R"((^|\n)[ \t]*\.loc\b[^\n]*)");

bool defines(const std::string& unit, const std::string& name) {
  std::string quoted;
  for (const char c : name) quoted += c == '$' || c == '%' ? std::string("\\") + c : std::string(1, c);
  const std::regex definition("(^|\\n)[ \\t]*(\\.visible|\\.weak|\\.common)\\s+[^;{=]*?[\\s)]" + quoted + "\\s*[\\[(;={\\n]");
  return std::regex_search(unit, definition);
}

std::string withoutDeclarations(const std::string& unit, const std::vector<std::string>& units) {
  std::string result;
  auto from = unit.cbegin();
  for (std::sregex_iterator at(unit.begin(), unit.end(), kExternal), end; at != end; ++at) {
    const std::string name = (*at)[3];
    const bool elsewhere = std::any_of(units.begin(), units.end(), [&](const std::string& other) { return defines(other, name); });
    result.append(from, elsewhere ? (*at)[0].first : (*at)[0].second);
    if (elsewhere) result += '\n';
    from = (*at)[0].second;
  }
  return result.append(from, unit.cend());
}

}  // namespace

Image readImage(const void* image, u32 smVersion) {
  if (!image) return {CUDA_ERROR_INVALID_VALUE, {}, "no image"};
  return imageFrom(smVersion, [&] { return fatbin::imageContainers(image, "module"); });
}

Image readBytes(std::string_view bytes, const std::string& name, u32 smVersion) {
  return imageFrom(smVersion, [&] { return fatbin::fileContainers(bytes, name); });
}

std::string join(const std::vector<std::string>& units) {
  if (units.size() == 1) return units.front();
  std::string text;
  for (std::size_t i = 0; i < units.size(); ++i) {
    std::string unit = withoutDeclarations(units[i], units);
    // Source files are numbered a unit: lines of the later units would point into the first one's files.
    if (i > 0) unit = std::regex_replace(std::regex_replace(unit, kWholeText, "$1"), kLine, "$1");
    text += unit + "\n";
  }
  return text;
}

}  // namespace warpwright::cuda
