// `warpwright import-config`: a machine file from a configuration of GPGPU-Sim.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/app.hpp"
#include "config/import/import.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kImportExamples =
    "Examples:\n"
    "  warpwright import-config gpgpusim.config -o my.toml\n"
    "  warpwright run --machine my.toml ./saxpy\n";

struct ImportChoice {
  std::string input, output;
};

void importFile(const ImportChoice& choice) {
  const config::Imported imported = config::importGpgpuSim(readFile(choice.input), choice.input);
  const std::string toml = toToml(imported, choice.input);
  if (choice.output.empty()) return fmt::print("{}", toml);
  std::ofstream stream(choice.output, std::ios::binary);
  stream << toml;
  if (!stream.flush()) throw Error("cannot write '" + choice.output + "'");
  for (const config::LeftOver& each : imported.leftOver) fmt::print("{}: {}\n    {}\n", each.where.text(), each.option, each.reason);
  fmt::print("{}: {} SMs, {} memory channels; {} options not carried over or not as they were\n", choice.output,
             imported.machine.multiprocessors, imported.machine.dram.channels, imported.leftOver.size());
}

}  // namespace

void addImportConfig(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("import-config", "Make a machine file from a configuration of GPGPU-Sim (gpgpusim.config)");
  auto choice = std::make_shared<ImportChoice>();
  command->add_option("file", choice->input, "The option file")->required()->type_name("FILE");
  command->add_option("-o,--output", choice->output, "The machine file; default: standard output")->type_name("FILE.toml");
  command->footer(kImportExamples);
  command->callback([choice, &status] {
    importFile(*choice);
    status = 0;
  });
}

}  // namespace warpwright::cli
