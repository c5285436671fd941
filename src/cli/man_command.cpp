// `warpwright man`: the manual as a man page, made from the parser's own list of commands and options.
#include <fmt/format.h>

#include "cli/app.hpp"

namespace warpwright::cli {
namespace {

// A line of roff that begins with a point or an apostrophe would be a request; hyphens of options are minus signs.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (result.empty() && (c == '.' || c == '\''))
      result += std::string("\\&") + c;
    else
      result += c;
  }
  return result;
}

std::string optionText(const CLI::Option& option) {
  const std::string type = option.get_expected_max() > 0 ? " " + option.get_type_name() : "";
  return fmt::format(".TP\n.B {}\n{}\n", roff(option.get_name(option.get_positional(), true) + type), roff(option.get_description()));
}

// Hidden commands have no group.
std::vector<const CLI::App*> shownCommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
}

std::string commandText(const CLI::App& command, const std::string& before) {
  const std::string name = before + " " + command.get_name();
  std::string text = fmt::format(".SS {}\n{}\n", roff(name), roff(command.get_description()));
  for (const CLI::Option* option : command.get_options())
    if (!option->get_group().empty()) text += optionText(*option);
  for (const CLI::App* each : shownCommands(command)) text += commandText(*each, name);
  return text;
}

std::string page(const CLI::App& app) {
  std::string text =
      ".TH WARPWRIGHT 1 \"\" \"warpwright " WARPWRIGHT_VERSION
      "\" \"User Commands\"\n"
      ".SH NAME\nwarpwright \\- simulate GPUs and other data\\-parallel accelerators\n"
      ".SH SYNOPSIS\n.B warpwright\n.I COMMAND\n[\\fIOPTIONS\\fR] …\n"
      ".SH DESCRIPTION\nRuns CUDA programs on simulated machines with real values, and says what their kernels did: what they "
      "executed, how long each cycle took, and what limits them.\n.SH COMMANDS\n";
  for (const CLI::App* command : shownCommands(app)) text += commandText(*command, "warpwright");
  return text + ".SH SEE ALSO\n.BR warpwright\\-cc (1),\nand the pages in docs/ of the source tree.\n";
}

}  // namespace

void addMan(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("man", "Print this manual as a man page, for `man -l`");
  command->callback([&app, &status] {
    fmt::print("{}", page(app));
    status = 0;
  });
}

}  // namespace warpwright::cli
