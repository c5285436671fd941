// `warpwright report`: an experiment of the lab as one HTML file (docs/report.md).
#include <fmt/format.h>

#include "base/long_work.hpp"
#include "cli/app.hpp"
#include "report/report.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kReportExamples =
    "Examples:\n"
    "  warpwright report lab.db                         the latest experiment, as report.html\n"
    "  warpwright report lab.db caches@3 -o caches.html\n";

struct ReportChoice {
  std::string store, experiment, output = "report.html";
};

void writeReport(const ReportChoice& choice) {
  LongWork work("report");
  work.begin("the store");
  lab::Store store(choice.store, {.access = lab::Access::read});
  const lab::ExperimentInfo experiment = store.find(choice.experiment);
  report::writePage(choice.output, report::pageOf(store, experiment, {.told = [&](const std::string& what) { work.begin(what); }}));
  work.rest();
  fmt::print(stderr, "{}: {}@{}\n", choice.output, experiment.name, experiment.id);
}

}  // namespace

void addReport(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("report", "Write an experiment as one HTML file: charts, tables, annotated source, settings");
  auto choice = std::make_shared<ReportChoice>();
  command->add_option("store", choice->store, "The store of the lab")->required()->type_name("FILE.db");
  command->add_option("experiment", choice->experiment, "NAME (the latest of that name) or NAME@NUMBER; default: the latest")
      ->type_name("EXPERIMENT");
  command->add_option("-o,--output", choice->output, "File to write; default report.html")->type_name("FILE");
  command->footer(kReportExamples);
  command->callback([choice, &status] {
    writeReport(*choice);
    status = 0;
  });
}

}  // namespace warpwright::cli
