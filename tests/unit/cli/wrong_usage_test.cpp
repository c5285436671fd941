// Command lines that are wrong in every way that holds for any command: of all subcommands each ends with status 2 and says why, without
// doing anything. A new subcommand or option is tried by being there.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/app.hpp"
#include "cli/command_line.hpp"

namespace warpwright::cli {
namespace {

using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

struct Command {
  Words words;  // "lab", "run"
  const CLI::App* parser;
};

// Also those that help does not show.
void collect(const CLI::App& parser, const Words& words, std::vector<Command>& into) {
  for (const CLI::App* sub : parser.get_subcommands([](const CLI::App*) { return true; })) {
    const Words longer = words + Words{sub->get_name()};
    into.push_back({longer, sub});
    collect(*sub, longer, into);
  }
}

class EveryCommand : public ::testing::Test {
 protected:
  EveryCommand() { collect(*app, {}, commands); }

  // Ends with status 2, tells its error, and has nothing for standard output. Returns what it told.
  std::string refused(Words words) {
    words.insert(words.begin(), "warpwright");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const int ended = runCommand(static_cast<int>(arguments.size()), arguments.data());
    const std::string out = ::testing::internal::GetCapturedStdout(), err = ::testing::internal::GetCapturedStderr();
    std::string line;
    for (const std::string& word : words) line += word + ' ';
    EXPECT_EQ(ended, 2) << line << '\n' << err;
    EXPECT_EQ(out, "") << line;
    EXPECT_TRUE(err.starts_with("warpwright: error: ")) << line << '\n' << err;
    return err;
  }

  static bool takesValue(const CLI::Option& option) { return option.get_expected_max() > 0; }

  int status = 0;
  std::unique_ptr<CLI::App> app = makeApp(status);
  std::vector<Command> commands;
};

TEST_F(EveryCommand, IsFound) {
  EXPECT_GT(commands.size(), 20U);
  const auto isLabTask = [](const Command& each) { return each.words == Words{"lab", "task"}; };
  EXPECT_TRUE(std::any_of(commands.begin(), commands.end(), isLabTask));
}

TEST_F(EveryCommand, RefusesAnUnknownOption) {
  for (const Command& command : commands) {
    const std::string told = refused(command.words + Words{"--never-heard-of"});
    // Where something is missing as well, that may be told.
    const auto isRequired = [](const CLI::Option* option) { return option->get_required(); };
    const auto options = command.parser->get_options();
    if (std::none_of(options.begin(), options.end(), isRequired) && command.parser->get_require_subcommand_min() == 0) {
      EXPECT_NE(told.find("--never-heard-of"), std::string::npos) << told;
    }
  }
}

TEST_F(EveryCommand, RefusesAnOptionThatLacksALetter) {
  for (const Command& command : commands) {
    Words known;
    for (const CLI::Option* option : command.parser->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (const std::string& name : known) {
      const std::string near = name.substr(0, name.size() - 1);
      if (near.size() < 5 || std::find(known.begin(), known.end(), near) != known.end()) continue;
      const std::string told = refused(command.words + Words{near});
      EXPECT_NE(told.find("remedy: did you mean '"), std::string::npos) << near << '\n' << told;
    }
  }
}

TEST_F(EveryCommand, RefusesAnOptionWithoutItsValue) {
  for (const Command& command : commands) {
    for (const CLI::Option* option : command.parser->get_options())
      if (!option->get_lnames().empty() && takesValue(*option)) refused(command.words + Words{"--" + option->get_lnames().front()});
  }
}

// Words of the program are none of the reader's mistakes.
TEST_F(EveryCommand, SaysNothingOfOtherWordsWhenAnOptionComesTwice) {
  const std::string told = refused({"run", "--kernel", "one", "--kernel", "two", "./program", "--size", "test"});
  EXPECT_NE(told.find("--kernel"), std::string::npos) << told;
  EXPECT_EQ(told.find("did you mean"), std::string::npos) << told;
}

TEST_F(EveryCommand, RefusesAValueForAFlag) {
  for (const Command& command : commands) {
    for (const CLI::Option* option : command.parser->get_options()) {
      if (option->get_lnames().empty() || takesValue(*option) || option->get_lnames().front() == "help") continue;
      refused(command.words + Words{"--" + option->get_lnames().front() + "=perhaps"});
    }
  }
}

TEST_F(EveryCommand, RefusesWordsWhereNumbersAreDue) {
  for (const Command& command : commands) {
    for (const CLI::Option* option : command.parser->get_options()) {
      const std::string type = option->get_type_name();
      const bool isNumber = type == "N" || type == "S" || type == "ROWS" || type == "BYTES" || type == "SIZE" || type == "N|P%";
      if (isNumber && !option->get_lnames().empty()) refused(command.words + Words{"--" + option->get_lnames().front(), "many"});
    }
  }
}

TEST_F(EveryCommand, RefusesToLackWhatItNeeds) {
  for (const Command& command : commands) {
    const auto options = command.parser->get_options();
    const bool needs = std::any_of(options.begin(), options.end(), [](const CLI::Option* option) { return option->get_required(); });
    if (needs || command.parser->get_require_subcommand_min() > 0 || command.parser->get_prefix_command()) refused(command.words);
  }
  refused({});
}

TEST_F(EveryCommand, RefusesWordsThatItHasNoPlaceFor) {
  const Words words(20, "word");
  for (const Command& command : commands)
    if (!command.parser->get_prefix_command()) refused(command.words + words);  // those behind a program's name are the program's
  EXPECT_NE(refused({"kernal"}).find("did you mean 'kernel'"), std::string::npos);
  EXPECT_NE(refused({"lab", "shw"}).find("did you mean 'show'"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::cli
