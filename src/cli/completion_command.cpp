// `warpwright completion SHELL`: scripts made from the parser's own list of commands and options.
#include <fmt/format.h>

#include "cli/app.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kCompletionExamples =
    "Examples:\n"
    "  warpwright completion bash > ~/.local/share/bash-completion/completions/warpwright\n"
    "  warpwright completion zsh > ~/.zfunc/_warpwright       (a folder of fpath)\n"
    "  warpwright completion fish > ~/.config/fish/completions/warpwright.fish\n";

constexpr const char* kMachineNames = "warpwright machines --names 2>/dev/null";

std::vector<const CLI::App*> commandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string optionWords(const CLI::App& command) {
  std::string words;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) words += (words.empty() ? "--" : " --") + name;
  return words;
}

std::string commandWords(const CLI::App& app) {
  std::string words;
  for (const CLI::App* command : commandsOf(app)) words += (words.empty() ? "" : " ") + command->get_name();
  return words;
}

std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4) text.replace(at, 1, "'\\''");
  return "'" + text + "'";
}

std::string bashScript(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* command : commandsOf(app))
    cases += fmt::format("    {}) words={} ;;\n", command->get_name(), quoted(optionWords(*command)));
  return fmt::format(R"sh(_warpwright() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{commands} --help --version' -- "$current"))
    return
  fi
  case "$previous" in
    -m|--machine|machines) COMPREPLY=($(compgen -W "$({machines})" -- "$current") $(compgen -f -X '!*.toml' -- "$current")); return ;;
    --check) COMPREPLY=($(compgen -W 'uninitialised races synchronisation neighbours all' -- "$current")); return ;;
    --on-fault) COMPREPLY=($(compgen -W 'stop warn' -- "$current")); return ;;
    --address-bits) COMPREPLY=($(compgen -W '32 64' -- "$current")); return ;;
    completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$current")); return ;;
  esac
  case "${{COMP_WORDS[1]}}" in
{cases}  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}}
complete -o filenames -F _warpwright warpwright
)sh",
                     fmt::arg("commands", commandWords(app)), fmt::arg("machines", kMachineNames), fmt::arg("cases", cases));
}

std::string zshOptions(const CLI::App& command) {
  std::string lines;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      std::string text = option->get_description();
      for (char& c : text)
        if (c == '[' || c == ']' || c == ':') c = ' ';
      const bool takesValue = option->get_expected_max() > 0;
      const std::string action = name == "machine" ? ":machine:($(" + std::string(kMachineNames) + "))" : takesValue ? ":value:_files" : "";
      lines += fmt::format("        {} \\\n", quoted("--" + name + "[" + text + "]" + action));
    }
  }
  return lines;
}

std::string zshScript(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : commandsOf(app)) {
    commands += fmt::format("    {}\n", quoted(command->get_name() + ":" + command->get_description()));
    cases += fmt::format("    {})\n      _arguments \\\n{}        '*:file:_files' ;;\n", command->get_name(), zshOptions(*command));
  }
  return fmt::format(R"sh(#compdef warpwright
_warpwright() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case "$words[1]" in
{}  esac
}}
_warpwright "$@"
)sh",
                     commands, cases);
}

std::string fishScript(const CLI::App& app) {
  std::string script = "complete -c warpwright -n __fish_use_subcommand -f\n";
  for (const CLI::App* command : commandsOf(app)) {
    const std::string name = command->get_name();
    script += fmt::format("complete -c warpwright -n __fish_use_subcommand -a {} -d {}\n", name, quoted(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& longName : option->get_lnames()) {
        const std::string values = longName == "machine"            ? fmt::format(" -xa '({})'", kMachineNames)
                                   : option->get_expected_max() > 0 ? " -r"
                                                                    : "";
        script += fmt::format("complete -c warpwright -n '__fish_seen_subcommand_from {}' -l {} -d {}{}\n", name, longName,
                              quoted(option->get_description()), values);
      }
    }
  }
  return script + fmt::format("complete -c warpwright -n '__fish_seen_subcommand_from machines' -fa '({})'\n", kMachineNames) +
         "complete -c warpwright -n '__fish_seen_subcommand_from completion' -fa 'bash zsh fish'\n";
}

}  // namespace

void addCompletion(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for bash, zsh or fish");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(kCompletionExamples);
  command->callback([&app, shell, &status] {
    fmt::print("{}", *shell == "bash" ? bashScript(app) : *shell == "zsh" ? zshScript(app) : fishScript(app));
    status = 0;
  });
}

}  // namespace warpwright::cli
