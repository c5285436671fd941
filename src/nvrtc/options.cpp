#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace warpwright::nvrtc {
namespace {

enum class Takes { nothing, value };
// What becomes of an option: it goes to the compiler under a name of its own, or it changes nothing here.
struct Row {
  std::vector<std::string> names;
  Takes takes;
  std::string compilerName;  // empty: accepted, without effect on the result
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {{"--gpu-architecture", "-arch"}, Takes::value, "-arch"},
      {{"--define-macro", "-D"}, Takes::value, "-D"},
      {{"--undefine-macro", "-U"}, Takes::value, "-U"},
      {{"--include-path", "-I"}, Takes::value, "-I"},
      {{"--pre-include", "-include"}, Takes::value, "-include"},
      {{"--std", "-std"}, Takes::value, "-std"},
      {{"--maxrregcount", "-maxrregcount"}, Takes::value, "-maxrregcount"},
      {{"--ftz", "-ftz"}, Takes::value, "-ftz"},
      {{"--fmad", "-fmad"}, Takes::value, "-fmad"},
      {{"--prec-sqrt", "-prec-sqrt"}, Takes::value, "-prec-sqrt"},
      {{"--prec-div", "-prec-div"}, Takes::value, "-prec-div"},
      {{"--use_fast_math", "-use_fast_math"}, Takes::nothing, "-use_fast_math"},
      {{"--device-debug", "-G"}, Takes::nothing, "-G"},
      {{"--generate-line-info", "-lineinfo"}, Takes::nothing, "-lineinfo"},
      {{"--disable-warnings", "-w"}, Takes::nothing, "-w"},
      {{"--device-as-default-execution-space", "-default-device"}, Takes::nothing, ""},
      {{"--device-c", "-dc"}, Takes::nothing, ""},
      {{"--device-w", "-dw"}, Takes::nothing, ""},
      {{"--relocatable-device-code", "-rdc"}, Takes::value, ""},
      {{"--extensible-whole-program", "-ewp"}, Takes::nothing, ""},
      {{"--dopt", "-dopt"}, Takes::value, ""},
      {{"--ptxas-options", "-Xptxas"}, Takes::value, ""},
      {{"--extra-device-vectorization", "-extra-device-vectorization"}, Takes::nothing, ""},
      {{"--modify-stack-limit", "-modify-stack-limit"}, Takes::value, ""},
      {{"--builtin-move-forward", "-builtin-move-forward"}, Takes::value, ""},
      {{"--builtin-initializer-list", "-builtin-initializer-list"}, Takes::value, ""},
      {{"--no-source-include", "-no-source-include"}, Takes::nothing, ""},
      {{"--restrict", "-restrict"}, Takes::nothing, ""},
      {{"--device-int128", "-device-int128"}, Takes::nothing, ""},
      {{"--optimization-info", "-opt-info"}, Takes::value, ""},
      {{"--display-error-number", "-err-no"}, Takes::nothing, ""},
      {{"--no-display-error-number", "-no-err-no"}, Takes::nothing, ""},
      {{"--diag-error", "-diag-error"}, Takes::value, ""},
      {{"--diag-suppress", "-diag-suppress"}, Takes::value, ""},
      {{"--diag-warn", "-diag-warn"}, Takes::value, ""},
      {{"--brief-diagnostics", "-brief-diag"}, Takes::value, ""},
      {{"--time", "-time"}, Takes::value, ""},
      {{"--split-compile", "-split-compile"}, Takes::value, ""},
      {{"--version-ident", "-version-ident"}, Takes::value, ""},
      {{"--minimal", "-minimal"}, Takes::nothing, ""},
  };
  return all;
}

struct Match {
  const Row* row = nullptr;
  std::optional<std::string> value;
};

bool isShort(const std::string& name) { return name.size() == 2; }

// "-D NAME" in one word, "-DNAME", "--define-macro=NAME", or the value as the next word.
std::optional<Match> match(const std::string& word) {
  std::optional<Match> glued;
  for (const Row& row : rows()) {
    for (const std::string& name : row.names) {
      if (word == name) return Match{&row, std::nullopt};
      if (row.takes == Takes::nothing || !word.starts_with(name)) continue;
      const std::string rest = word.substr(name.size());
      if (rest.front() == '=' || rest.front() == ' ')
        return Match{&row, rest.substr(rest.find_first_not_of(" =", 1) == std::string::npos ? 1 : rest.find_first_not_of(' ', 1))};
      if (isShort(name)) glued = Match{&row, rest};
    }
  }
  return glued;
}

[[noreturn]] void refuse(const std::string& word) {
  std::vector<std::string> names;
  for (const Row& row : rows()) names.insert(names.end(), row.names.begin(), row.names.end());
  const std::string nearest = nearestName(word.substr(0, word.find_first_of("= ")), names);
  throw Error(fmt::format("unknown option '{}'", word), {}, nearest.empty() ? "" : fmt::format("did you mean {}?", nearest));
}

}  // namespace

CompileOptions readOptions(const std::vector<std::string>& words) {
  CompileOptions result;
  std::vector<std::string> arguments = {"--ptx"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto found = match(words[i]);
    if (!found) refuse(words[i]);
    const Row& row = *found->row;
    if (row.takes == Takes::value && !found->value) {
      if (i + 1 == words.size()) throw Error(fmt::format("option '{}' needs a value", words[i]));
      found->value = words[++i];
    }
    if (row.names.front() == "--gpu-architecture") result.realArchitecture = found->value->starts_with("sm_");
    if (row.names.front() == "--device-as-default-execution-space") result.deviceByDefault = true;
    if (row.compilerName.empty()) continue;
    arguments.push_back(row.compilerName);
    if (row.takes == Takes::nothing) continue;
    if (isShort(row.compilerName))
      arguments.back() += *found->value;
    else
      arguments.push_back(*found->value);
  }
  result.compiler = cc::parseOptions(arguments);
  return result;
}

}  // namespace warpwright::nvrtc
