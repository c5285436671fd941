// The fuzz corpus and thousands of mutations of it, the same on every machine: a module or an Error, nothing else.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "parse_helpers.hpp"

namespace warpwright::ptx {
namespace {

struct Sample {
  std::string name, text;
};

std::vector<Sample> readCorpus() {
  std::vector<Sample> samples;
  for (const auto& entry : std::filesystem::directory_iterator(WARPWRIGHT_SOURCE_DIR "/tests/fuzz/corpus/ptx")) {
    std::ifstream file(entry.path(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    samples.push_back({entry.path().filename().string(), text.str()});
  }
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.name < b.name; });
  return samples;
}

// Pieces that lead into the corners of the grammar.
constexpr const char* kPieces[] = {"{",        "}",      "(",        ")",       "[",     "]",
                                   ";",        ",",      ":",        "<",       ">",     "@",
                                   "!",        "|",      "-",        "~",       "?",     "%r1",
                                   "%p1",      "%tid.x", "0x",       "0f",      "0d0",   "18446744073709551615",
                                   "1/0",      ".reg",   ".param",   ".u32",    ".pred", ".align",
                                   ".v4",      "=",      "generic(", "0xFF(",   "_",     "call",
                                   ".entry",   ".func",  "/*",       "//",      "\"",    "<1073741824>",
                                   ".section", ".loc",   "bra",      "mov.b64", "\n",    ".b128"};

std::string mutate(std::string text, std::mt19937_64& random) {
  const auto below = [&](std::size_t bound) { return bound == 0 ? std::size_t{0} : static_cast<std::size_t>(random() % bound); };
  for (std::size_t change = 1 + below(4); change > 0; --change) {
    const std::size_t from = below(text.size() + 1);
    const std::size_t length = std::min(below(40), text.size() - from);
    switch (below(6)) {
      case 0:
        text.erase(from, length);
        break;
      case 1:
        text.insert(below(text.size() + 1), text.substr(from, length));
        break;
      case 2:
        text.insert(from, kPieces[below(std::size(kPieces))]);
        break;
      case 3:
        text.replace(from, length, kPieces[below(std::size(kPieces))]);
        break;
      case 4:
        if (from < text.size()) text[from] = static_cast<char>(random());
        break;
      default:
        text.resize(from + length);
        break;
    }
  }
  return text;
}

TEST(Replay, HandWrittenSamplesParse) {
  u32 count = 0;
  for (const Sample& sample : readCorpus()) {
    if (!sample.name.ends_with(".ptx")) continue;
    EXPECT_NO_THROW(parse(sample.text, sample.name)) << sample.name;
    ++count;
  }
  EXPECT_GE(count, 7u);
}

TEST(Replay, EverySampleAndItsMutationsEndInAModuleOrAnError) {
  constexpr u32 kMutations = 2000;
  std::mt19937_64 random(20);
  u32 errors = 0, modules = 0;
  for (const Sample& sample : readCorpus()) {
    for (u32 i = 0; i <= kMutations; ++i) {
      const std::string text = i == 0 ? sample.text : mutate(sample.text, random);
      try {
        parse(text, sample.name);
        ++modules;
      } catch (const Error& error) {
        ++errors;
        ASSERT_FALSE(error.message().empty());
        ASSERT_GT(error.where().line, 0u) << error.what();
      }
    }
  }
  // Mutations that all failed, or all passed, would test little.
  EXPECT_GT(errors, modules / 10);
  EXPECT_GT(modules, errors / 100);
}

}  // namespace
}  // namespace warpwright::ptx
