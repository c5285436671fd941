#include "cli/banks/scheme_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "cli/app.hpp"
#include "cli/checks.hpp"

namespace warpwright::cli {

namespace pm = parallel_memory;

u64 SchemeChoice::value(const std::string& name, u64 otherwise) const {
  const auto found = values.find(name);
  return found == values.end() ? otherwise : found->second;
}

std::string SchemeChoice::text() const {
  if (scheme.empty()) throw WrongUsage("no bank map is named", "--scheme NAME; `warpwright banks --list` shows the names");
  std::string text = scheme;
  for (const auto& [name, value] : values) text += fmt::format("{}{}={}", text.find(':') == std::string::npos ? ":" : ",", name, value);
  return text;
}

// --s and the like: each name once, whichever schemes have it.
void addSchemeOptions(CLI::App& command, SchemeChoice& choice) {
  command.add_option("--scheme", choice.scheme, "The bank map: a name of `warpwright banks --list`, with parameters as in sams:q=3,s=2")
      ->type_name("MAP");
  std::map<std::string, std::string> texts = {{"q", "logarithm of the number of banks; default 5"}, {"n", "logarithm of the words"}};
  for (const pm::Scheme& scheme : pm::schemes())
    for (const pm::Parameter& parameter : scheme.parameters) {
      std::string& text = texts[std::string(parameter.name)];
      text += fmt::format("{}{}: {}", text.empty() ? "" : ". ", scheme.name, parameter.text);
    }
  for (const auto& [name, text] : texts)
    command
        .add_option_function<u64>(
            "--" + name, [&choice, key = name](u64 value) { choice.values[key] = value; }, text)
        ->check(wholeNumber())
        ->type_name("N")
        ->group("Parameters of schemes");
}

pm::Memory memoryFor(const SchemeChoice& choice, u64 reach) {
  const u64 q = std::min<u64>(choice.value("q", 5), 10), s = std::min<u64>(std::max(choice.value("s", q), choice.value("at", 0)), 12);
  return {static_cast<u32>(q), static_cast<u32>(std::min<u64>(std::max<u64>(q + s + 2, std::bit_width(reach)), 20))};
}

}  // namespace warpwright::cli
