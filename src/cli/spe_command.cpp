// `warpwright spe`: programs on a simulated SPE of the Cell processor, with and without a SAMS local store.
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/app.hpp"
#include "cli/checks.hpp"
#include "spe/code_profile.hpp"
#include "spe/konata.hpp"
#include "spe/programs/program.hpp"
#include "spe/statistics_text.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kSpeExamples =
    "Examples:\n"
    "  warpwright spe list\n"
    "  warpwright spe run transpose                       on the original SPE\n"
    "  warpwright spe run transpose --spe sams            where a load brings a column\n"
    "  warpwright spe run complex-multiplication --set spe.order=scheduled --listing\n"
    "  warpwright spe machines                            what --spe and --set take\n";

struct SpeChoice {
  std::string program, spe = "original", json, konata;
  std::vector<std::string> settings;
  bool listing = false, quiet = false;
};

// In the form of `warpwright run --json`, with the program for a kernel.
stats::Json profileOf(const spe::Program& program, const spe::Spu& spu, const spe::CodeProfile& code) {
  stats::Json kernel = {{"name", program.name}, {"signature", program.name}, {"spe", spe::jsonOf(spu.statistics())}};
  kernel["code"] = spe::jsonOf(spu.code(), code);
  return {{"kernels", {std::move(kernel)}}};
}

int run(const SpeChoice& choice) {
  const spe::Program& program = spe::programOf(choice.program);
  spe::Spu spu(spe::machineOf(choice.spe, choice.settings));
  spe::CodeProfile code;
  spu.listen(&code);
  spe::KonataLog log;
  if (!choice.konata.empty()) spu.listen(&log);
  const spe::Result result = program.run(spu);
  spu.finish();
  if (!choice.konata.empty()) writeFile(choice.konata, log.text());
  if (choice.listing) fmt::print("{}\n", spe::listingOf(spu.code(), code));
  if (!choice.quiet) fmt::print("{} on the SPE '{}'\n{}", program.name, choice.spe, spe::tableOf(spu.statistics()));
  if (!choice.json.empty()) writeFile(choice.json, profileOf(program, spu, code).dump(2) + "\n");
  if (result == program.expected()) return 0;
  fmt::print(stderr, "warpwright: error: the results are wrong\n");
  return 1;
}

void list() {
  for (const spe::Program& program : spe::programs()) fmt::print("{:<24}{}\n", program.name, program.description);
}

void addRunOf(CLI::App& spe, int& status) {
  CLI::App* command = spe.add_subcommand("run", "Run a program, check its results, and say what it did and waited for");
  auto choice = std::make_shared<SpeChoice>();
  command->add_option("program", choice->program, "One of `warpwright spe list`")->required()->type_name("PROGRAM");
  command->add_option("--spe", choice->spe, "One of `warpwright spe machines`; default: original")->type_name("NAME");
  command->add_option("--set", choice->settings, "Set a key of the SPE (repeatable); `warpwright spe machines` lists them")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--listing", choice->listing,
                    "Print the code first, with how often each instruction was issued and what was lost there");
  command->add_flag("--quiet", choice->quiet, "Print no counts");
  command->add_option("--json", choice->json, "Write the counts to FILE as well")->type_name("FILE");
  command->add_option("--konata", choice->konata, "Write a pipeline log for Konata to FILE")->type_name("FILE");
  command->callback([choice, &status] { status = run(*choice); });
}

}  // namespace

void addSpe(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("spe", "Run programs on an SPE of the Cell processor, with and without a SAMS local store");
  command->require_subcommand(1);
  command->footer(kSpeExamples);
  addRunOf(*command, status);
  command->add_subcommand("list", "The programs")->callback([&status] {
    list();
    status = 0;
  });
  command->add_subcommand("machines", "The SPEs, and the keys that they can be changed by")->callback([&status] {
    fmt::print("{}", spe::machinesText());
    status = 0;
  });
}

}  // namespace warpwright::cli
