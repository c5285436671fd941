#include "cc/driver/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace warpwright::cc {
namespace {

struct Match {
  const OptionRow* row = nullptr;
  std::optional<std::string> value;  // the part of the word after the name
};

bool startsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

// A value may be glued to a one-letter option (-Idir) and to the few long ones that compilers treat so (-Wno-x, -isystemdir).
bool takesGluedValue(const OptionRow& row, std::string_view name) { return row.form == Form::kValue && name.size() == 2; }

std::optional<Match> matchName(const OptionRow& row, const std::string& name, const std::string& word) {
  if (word == name) return Match{&row, std::nullopt};
  if (row.form == Form::kFlag || !startsWith(word, name)) return std::nullopt;
  if (word[name.size()] == '=') return Match{&row, word.substr(name.size() + 1)};
  if (takesGluedValue(row, name)) return Match{&row, word.substr(name.size())};
  return std::nullopt;
}

// Exact names and NAME=VALUE win over a one-letter option with a glued value: -lineinfo is not -l ineinfo.
std::optional<Match> findOption(const std::string& word) {
  std::optional<Match> glued;
  for (const OptionRow& row : optionTable()) {
    for (const std::string& name : row.names) {
      std::optional<Match> match = matchName(row, name, word);
      if (!match) continue;
      if (!match->value || word[name.size()] == '=') return match;
      glued = match;
    }
  }
  return glued;
}

std::vector<std::string> optionNames() {
  std::vector<std::string> names;
  for (const OptionRow& row : optionTable()) names.insert(names.end(), row.names.begin(), row.names.end());
  return names;
}

[[noreturn]] void throwUnknown(const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const std::string nearest = nearestName(name, optionNames());
  const std::string remedy = nearest.empty() ? "see warpwright-cc --help" : fmt::format("did you mean {}?", nearest);
  throw Error(fmt::format("unknown option '{}'", word), {}, remedy);
}

// Words such as -lineinf are far likelier a misspelt option than a library named "ineinf".
void rejectLikelyMisspelling(const std::string& word, const Match& match) {
  if (match.row->names.front() != "-l" || !match.value) return;
  std::vector<std::string> longNames;
  for (const std::string& name : optionNames()) {
    if (name.size() > 4 && startsWith(name, "-l")) longNames.push_back(name);
  }
  for (const std::string& name : longNames) {
    const bool truncated = word.size() + 2 >= name.size() && startsWith(name, word);
    if (truncated) throw Error(fmt::format("unknown option '{}'", word), {}, fmt::format("did you mean {}?", name));
  }
}

std::vector<std::string> wordsOfFile(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(fmt::format("cannot read the options file '{}'", path));
  std::vector<std::string> words;
  for (std::string word; file >> word;) words.push_back(word);
  return words;
}

// @FILE and nvcc's --options-file FILE stand for the words of a file.
std::vector<std::string> expandFiles(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool named = (argument == "--options-file" || argument == "-optf") && i + 1 < arguments.size();
    if (!named && !startsWith(argument, "@")) {
      words.push_back(argument);
      continue;
    }
    const std::vector<std::string> inner = wordsOfFile(named ? arguments[++i] : argument.substr(1));
    words.insert(words.end(), inner.begin(), inner.end());
  }
  return words;
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// nvcc writes "-Werror all-warnings"; to clang -Werror alone means that.
std::vector<std::string> withoutWarningKinds(std::vector<std::string> words) {
  for (size_t i = 1; i < words.size(); ++i)
    if (words[i] == "all-warnings" && words[i - 1] == "-Werror") words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
  return words;
}

bool isInput(const std::string& word) { return word.empty() || word[0] != '-' || word == "-"; }

}  // namespace

Options parseOptions(const std::vector<std::string>& arguments) {
  Options options;
  const std::vector<std::string> words = withoutWarningKinds(expandFiles(arguments));
  const bool forward = contains(words, "-forward-unknown-to-host-compiler") || contains(words, "--forward-unknown-to-host-compiler");
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (isInput(word)) {
      options.inputs.push_back(word);
      continue;
    }
    const std::optional<Match> match = findOption(word);
    if (!match && forward) {
      options.hostFlags.push_back(word);
      continue;
    }
    if (!match) throwUnknown(word);
    rejectLikelyMisspelling(word, *match);
    if (match->row->form == Form::kFlag || match->value) {
      match->row->apply(options, match->value.value_or(""));
      continue;
    }
    if (i + 1 == words.size()) throw Error(fmt::format("option '{}' needs a value: {}", word, match->row->valueName));
    match->row->apply(options, words[++i]);
  }
  return options;
}

std::string helpText() {
  std::string text =
      "Usage: warpwright-cc [options] file...\n"
      "Compiles and links single-source CUDA C++ with clang alone, for the simulated machine.\n";
  std::string group;
  for (const OptionRow& row : optionTable()) {
    if (row.group != group) {
      group = row.group;
      text += fmt::format("\n{}:\n", group);
    }
    const std::string value = row.valueName.empty() ? "" : (row.form == Form::kEquals ? "=" : " ") + row.valueName;
    std::string names = row.names.front() + value;
    for (size_t i = 1; i < row.names.size(); ++i) names += ", " + row.names[i];
    text += names.size() > 34 ? fmt::format("  {}\n  {:<34} {}\n", names, "", row.help) : fmt::format("  {:<34} {}\n", names, row.help);
  }
  text +=
      "\nExamples:\n"
      "  warpwright-cc -O2 saxpy.cu -o saxpy          compile and link; then: warpwright run ./saxpy\n"
      "  warpwright-cc --ptx saxpy.cu -o saxpy.ptx    only the PTX of the kernels\n"
      "  warpwright-cc -c a.cu && warpwright-cc a.o b.cpp -lm -o app\n"
      "  warpwright-cc -rdc=true a.cu b.cu -o app     a kernel of a.cu uses __device__ functions and variables of b.cu\n"
      "  warpwright-cc -m32 -maxrregcount=32 sgemm.cu -o sgemm   32-bit device addresses, 32 registers a thread\n"
      "\nEnvironment: WARPWRIGHT_CLANG names the clang++ to use (also -ccbin).\n";
  return text;
}

}  // namespace warpwright::cc
