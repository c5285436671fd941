// `warpwright rtl`: hardware as SystemVerilog (docs/rtl.md).
#include <fmt/format.h>

#include "cli/app.hpp"
#include "cli/checks.hpp"
#include "rtl/package.hpp"
#include "rtl/synthesis.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kRtlExamples =
    "Examples:\n"
    "  warpwright rtl                                     the designs and their parameters\n"
    "  warpwright rtl sams --n 23 --q 3 -o sams           modules, a testbench, and a README with the equations\n"
    "  warpwright rtl sams-atu --n 23 --q 3 --synthesise  gates and look-up tables, by Yosys\n"
    "  warpwright rtl xor-map --map matrix:0x9,0x12 -o xor\n";

struct RtlChoice {
  const rtl::Design* design = nullptr;
  std::map<std::string, std::string, std::less<>> values;
  std::string folder;
  bool synthesises = false;
};

std::string rangeOf(const rtl::Parameter& parameter) {
  return parameter.isText() ? fmt::format("{}; default {}", parameter.text, parameter.preset)
                            : fmt::format("{}, {} to {}; default {}", parameter.text, parameter.least, parameter.most, parameter.preset);
}

CLI::Validator numberFrom(u64 least, u64 most) {
  return {[least, most](std::string& text) {
            return checkNumber<u64>(text, fmt::format("number from {} to {}", least, most),
                                    [least, most](u64 value) { return value >= least && value <= most; });
          },
          ""};
}

void listDesigns() {
  for (const rtl::Design& design : rtl::designs()) {
    fmt::print("{}\n    {}\n", design.name, design.text);
    for (const rtl::Parameter& parameter : design.parameters) fmt::print("    --{}: {}\n", parameter.name, rangeOf(parameter));
  }
}

std::string titleOf(const RtlChoice& choice) {
  std::string title = fmt::format("{}: {}", choice.design->name, choice.design->text);
  for (const rtl::Parameter& parameter : choice.design->parameters) {
    const auto given = choice.values.find(parameter.name);
    title += fmt::format("; {} {}", parameter.name, given == choice.values.end() ? parameter.preset : given->second);
  }
  return title;
}

void printCounts(const rtl::Counts& counts) {
  fmt::print(
      "{} gates (NAND and NOR of two inputs, inverters), {} of them in a row at most; {} flip-flops\n"
      "{} look-up tables of four inputs, or {} of six\n",
      counts.gates, counts.depth, counts.flipFlops, counts.lut4, counts.lut6);
}

void write(const RtlChoice& choice) {
  const rtl::Package package = rtl::makePackage(*choice.design, choice.values);
  if (!choice.folder.empty()) {
    writePackage(package, titleOf(choice), choice.folder);
    fmt::print("{}/README.md says what it is\n", choice.folder);
  }
  if (choice.synthesises) return printCounts(rtl::synthesise(package));
  if (choice.folder.empty())
    for (const rtl::Module& module : package.modules) fmt::print("{}\n", module.text());
}

void addDesign(CLI::App& parent, const rtl::Design& design, int& status) {
  CLI::App* command = parent.add_subcommand(std::string(design.name), std::string(design.text));
  auto choice = std::make_shared<RtlChoice>();
  choice->design = &design;
  for (const rtl::Parameter& parameter : design.parameters) {
    CLI::Option* option = command->add_option_function<std::string>(
        fmt::format("--{}", parameter.name),
        [choice, name = std::string(parameter.name)](const std::string& text) { choice->values[name] = text; }, rangeOf(parameter));
    option->type_name(parameter.isText() ? "TEXT" : "N");
    if (!parameter.isText()) option->check(numberFrom(parameter.least, parameter.most));
  }
  command
      ->add_option("-o,--output", choice->folder, "Write modules, testbench and README to this folder; without it the modules are printed")
      ->type_name("DIR");
  command->add_flag("--synthesise,--synthesize", choice->synthesises, "Count gates and look-up tables with Yosys");
  command->callback([choice, &status] {
    status = 0;
    write(*choice);
  });
}

}  // namespace

void addRtl(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("rtl", "Write hardware as SystemVerilog: bank maps, codecs, tables of mechanisms");
  for (const rtl::Design& design : rtl::designs()) addDesign(*command, design, status);
  command->footer(kRtlExamples);
  command->callback([command, &status] {
    status = 0;
    if (command->get_subcommands().empty()) listDesigns();
  });
}

}  // namespace warpwright::cli
