// The command line that every workload shares: --size, --variant (where a program has several), --help.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace workloads {

constexpr int kExitWrongResult = 1;
constexpr int kExitUsage = 2;

enum class Size { test, small, paper };

// What a program says about itself.
struct Program {
  std::string name, summary;
  std::string test, small, paper;     // what each size means
  std::vector<std::string> variants;  // empty when there is only one
  std::string usual = "all";          // variant when none is asked for
};

struct Options {
  Size size = Size::test;
  std::string variant = "all";

  bool runs(const std::string& name) const { return variant == "all" || variant == name; }

  template <class T>
  T pick(T test, T small, T paper) const {
    if (size == Size::test) return test;
    return size == Size::small ? small : paper;
  }
};

namespace detail {

inline std::string join(const std::vector<std::string>& words) {
  std::string text = "all";
  for (const std::string& word : words) text += "|" + word;
  return text;
}

inline void printHelp(const Program& program) {
  std::printf("%s: %s\n\nusage: %s [--size test|small|paper]", program.name.c_str(), program.summary.c_str(), program.name.c_str());
  if (!program.variants.empty()) std::printf(" [--variant %s] (default: %s)", join(program.variants).c_str(), program.usual.c_str());
  std::printf("\n\nsizes:\n  test   %s (default)\n  small  %s\n  paper  %s\n", program.test.c_str(), program.small.c_str(),
              program.paper.c_str());
  std::printf("\nThe result is compared with a single-threaded reference; the exit status is 0 when they agree, %d when they differ.\n",
              kExitWrongResult);
}

[[noreturn]] inline void usageError(const Program& program, const std::string& message) {
  std::fprintf(stderr, "%s: %s\nTry '%s --help'.\n", program.name.c_str(), message.c_str(), program.name.c_str());
  std::exit(kExitUsage);
}

inline Size parseSize(const Program& program, const std::string& text) {
  if (text == "test") return Size::test;
  if (text == "small") return Size::small;
  if (text == "paper") return Size::paper;
  usageError(program, "--size is test, small or paper, not '" + text + "'");
}

inline std::string parseVariant(const Program& program, const std::string& text) {
  if (text == "all") return text;
  for (const std::string& variant : program.variants)
    if (variant == text) return text;
  usageError(program, "--variant is one of " + join(program.variants) + ", not '" + text + "'");
}

}  // namespace detail

// Options come as `--size small` or `--size=small`. Help and mistakes end the program.
inline Options parseOptions(int argc, char** argv, const Program& program) {
  Options options;
  options.variant = program.usual;
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    if (name == "--help" || name == "-h") {
      detail::printHelp(program);
      std::exit(0);
    }
    const size_t equals = name.find('=');
    const bool attached = equals != std::string::npos;
    std::string value = attached ? name.substr(equals + 1) : "";
    name = name.substr(0, equals);
    const bool known = name == "--size" || (name == "--variant" && !program.variants.empty());
    if (!known) detail::usageError(program, "unknown argument '" + std::string(argv[i]) + "'");
    if (!attached) {
      if (++i == argc) detail::usageError(program, name + " needs a value");
      value = argv[i];
    }
    if (name == "--size") options.size = detail::parseSize(program, value);
    if (name == "--variant") options.variant = detail::parseVariant(program, value);
  }
  return options;
}

}  // namespace workloads
