// Whatever is done to an option file: a machine that obeys the rules, or an Error.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/error.hpp"
#include "config/import/import.hpp"
#include "sample.hpp"

namespace warpwright::config {
namespace {

class Mutator {
 public:
  std::string mutate(std::string text) {
    const u32 edits = 1 + below(4);
    for (u32 i = 0; i < edits; ++i) edit(text);
    return text;
  }

 private:
  u32 below(std::size_t limit) { return std::uniform_int_distribution<u32>(0, static_cast<u32>(limit) - 1)(random_); }

  void edit(std::string& text) {
    static constexpr std::string_view kCharacters = "0123456789:,=-\"#.; \n\tNSLBTRAm\0\x7f\xff";
    static constexpr const char* kPieces[] = {"18446744073709551615", "4294967296", "0", "-1", "1e9", "", "none", "nan", "\n-", "::"};
    const std::size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        text[at] = kCharacters[below(kCharacters.size())];
        break;
      case 1:
        text.erase(at, below(12));
        break;
      case 2:
        text.insert(at, 1, kCharacters[below(kCharacters.size())]);
        break;
      case 3:
        replaceNumber(text, at, kPieces[below(std::size(kPieces))]);
        break;
      default:
        text.resize(std::max<std::size_t>(at, 1));
        break;
    }
  }

  static void replaceNumber(std::string& text, std::size_t from, const char* piece) {
    const std::size_t start = text.find_first_of("0123456789", from);
    if (start == std::string::npos) return;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", start), text.size());
    text.replace(start, end - start, piece);
  }

  std::mt19937 random_{20260101};
};

TEST(MalformedOptions, GiveAMachineOrAnError) {
  Mutator mutator;
  u32 machines = 0, errors = 0;
  for (u32 run = 0; run < 3000; ++run) {
    const std::string text = mutator.mutate(kGtx480);
    try {
      const Imported result = importGpgpuSim(text, "m.config");
      validate(result.machine);
      EXPECT_EQ(parseMachine(toToml(result, "m.config"), "m.toml"), result.machine) << text;
      ++machines;
    } catch (const Error& error) {
      EXPECT_NE(error.message(), "") << text;
      ++errors;
    }
  }
  EXPECT_GT(machines, 300u);
  EXPECT_GT(errors, 300u);
}

}  // namespace
}  // namespace warpwright::config
