// `warpwright spe`: programs on a simulated SPE of the Cell processor, with and without a SAMS local store.
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/app.hpp"
#include "cli/checks.hpp"
#include "spe/konata.hpp"
#include "spe/programs/program.hpp"
#include "spe/statistics_text.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  warpwright spe list\n"
    "  warpwright spe run transpose                       on the original SPE\n"
    "  warpwright spe run transpose --spe sams            where a load brings a column\n"
    "  warpwright spe run complex-multiplication --order scheduled --listing\n";

struct Choice {
  std::string program, spe = "original", order = "program", json, konata;
  u32 fetchBytes = 0, fetchesAhead = 0;
  bool listing = false;
};

spe::Machine machineOf(const Choice& choice) {
  spe::Machine machine = spe::machineOf(choice.spe);
  machine.order = choice.order == "scheduled" ? spe::Order::scheduled : spe::Order::program;
  machine.fetchBytes = choice.fetchBytes;
  machine.fetchesAhead = choice.fetchesAhead;
  return machine;
}

int run(const Choice& choice) {
  const spe::Program& program = spe::programOf(choice.program);
  spe::Spu spu(machineOf(choice));
  spe::KonataLog log;
  if (!choice.konata.empty()) spu.listen(&log);
  const spe::Result result = program.run(spu);
  spu.finish();
  const spe::Statistics statistics = spu.statistics();
  if (!choice.konata.empty()) writeFile(choice.konata, log.text());
  if (choice.listing) fmt::print("{}\n", spu.listing());
  fmt::print("{} on the SPE '{}', code in {} order\n{}", program.name, choice.spe, choice.order, spe::tableOf(statistics));
  if (!choice.json.empty()) {
    stats::Json json = spe::jsonOf(statistics);
    json["program"] = program.name;
    json["spe"] = choice.spe;
    json["order"] = choice.order;
    writeFile(choice.json, json.dump(2) + "\n");
  }
  if (result == program.expected()) return 0;
  fmt::print(stderr, "warpwright: error: the results are wrong\n");
  return 1;
}

void list() {
  for (const spe::Program& program : spe::programs()) fmt::print("{:<24}{}\n", program.name, program.description);
}

void addRunOf(CLI::App& spe, int& status) {
  CLI::App* command = spe.add_subcommand("run", "Run a program, check its results, and say what it did and waited for");
  auto choice = std::make_shared<Choice>();
  const spe::Machine standard;
  choice->fetchBytes = standard.fetchBytes;
  choice->fetchesAhead = standard.fetchesAhead;
  command->add_option("program", choice->program, "One of `warpwright spe list`")->required()->type_name("PROGRAM");
  command->add_option("--spe", choice->spe, "original (default), sams, or long-latency: the original with the latencies of sams")
      ->type_name("NAME");
  command->add_option("--order", choice->order, "Code as it was written (default), or scheduled for the two pipes")
      ->check(CLI::IsMember({"program", "scheduled"}))
      ->type_name("program|scheduled");
  command->add_option("--fetch-bytes", choice->fetchBytes, "Of an instruction fetch; default 64")
      ->check(CLI::IsMember({32, 64, 128}))
      ->type_name("32|64|128");
  command->add_option("--fetches-ahead", choice->fetchesAhead, "Fetches that straight code is ahead by; default 2")
      ->check(CLI::Range(0, 4))
      ->type_name("N");
  command->add_flag("--listing", choice->listing, "Print the code first");
  command->add_option("--json", choice->json, "Write the counts to FILE as well")->type_name("FILE");
  command->add_option("--konata", choice->konata, "Write a pipeline log for Konata to FILE")->type_name("FILE");
  command->callback([choice, &status] { status = run(*choice); });
}

}  // namespace

void addSpe(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("spe", "Run programs on an SPE of the Cell processor, with and without a SAMS local store");
  command->require_subcommand(1);
  command->footer(kExamples);
  addRunOf(*command, status);
  command->add_subcommand("list", "The programs")->callback([&status] {
    list();
    status = 0;
  });
}

}  // namespace warpwright::cli
