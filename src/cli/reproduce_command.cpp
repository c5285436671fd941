// `warpwright reproduce`: the evaluation of a paper, published values beside ours (docs/lab.md).
#include <fmt/format.h>

#include <thread>

#include "cli/app.hpp"
#include "cli/checks.hpp"
#include "cli/run_page.hpp"
#include "lab/reproduction/reproduce.hpp"
#include "report/paper_page.hpp"
#include "report/report.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kReproduceExamples =
    "Examples:\n"
    "  warpwright reproduce                    the papers that there are\n"
    "  warpwright reproduce 000 --figure 1a    one figure\n"
    "  warpwright reproduce 002 --section 3.2  what a section says in its text\n"
    "  warpwright reproduce 003 --size small   all of a paper's evaluation that exists, with larger inputs\n"
    "  warpwright reproduce 004 --hardware     the synthesised circuits\n"
    "  warpwright reproduce 004 --chapter 3 --html page.html    the same as a page for a browser\n"
    "  warpwright reproduce 000 --figure 7b --energy 28nm    with another table of energies\n";

struct ReproduceChoice {
  std::string paper, size = "test", store = "reproduce.db";
  lab::Selection selection;
  std::string energy, page;
  u32 jobs = 0;
};

void listPapers() {
  for (const std::string& id : lab::paperIds()) {
    const lab::Paper paper = lab::loadPaper(id);
    fmt::print("{}  {}: {} ({})\n", paper.id, paper.authors, paper.title, paper.year);
  }
}

// Prints each comparison when it is made, and adds it to the page: what is made lasts when a later one fails.
void compareAll(lab::Reproduction& reproduction, const lab::Paper& paper, const std::vector<lab::Item>& items,
                const ReproduceChoice& choice) {
  std::vector<lab::ItemComparison> comparisons;
  for (const lab::Item& item : items) {
    comparisons.push_back(reproduction.compare(item));
    fmt::print("\n{}", textOf(comparisons.back()));
    std::fflush(stdout);
    if (!choice.page.empty()) report::writePage(choice.page, report::pageOf(paper, comparisons, {choice.size, items.size()}));
  }
}

int reproduce(const ReproduceChoice& choice) {
  lab::Paper paper = lab::loadPaper(choice.paper);
  if (!choice.energy.empty()) setEnergy(paper, choice.energy);
  const std::vector<lab::Item> items = select(paper, choice.selection);
  if (!choice.page.empty()) checkPage(choice.page);
  const lab::Simulator simulator = lab::thisSimulator();
  lab::Store store(choice.store, {.access = lab::Access::create});
  const lab::SweepOptions options{.jobs = choice.jobs == 0 ? std::max(1U, std::thread::hardware_concurrency()) : choice.jobs};
  fmt::print("{} {}: {} ({}); workloads at size {}\n", paper.id, paper.authors, paper.title, paper.year, choice.size);
  lab::Reproduction reproduction(paper, simulator, store, options, choice.size);
  compareAll(reproduction, paper, items, choice);
  if (reproduction.failed() == 0) return 0;
  fmt::print(stderr, "{} runs failed: `warpwright lab status --db {}` says why\n", reproduction.failed(), choice.store);
  return 1;
}

}  // namespace

void addReproduce(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("reproduce", "Run a paper's evaluation as far as it exists, and print published values beside ours");
  auto choice = std::make_shared<ReproduceChoice>();
  command->add_option("paper", choice->paper, "Number of the paper; none: list them")->type_name("PAPER");
  command->add_option("--figure", choice->selection.figure, "Only this figure")->type_name("NUMBER");
  command->add_option("--table", choice->selection.table, "Only this table")->type_name("NUMBER");
  command->add_option("--section", choice->selection.section, "Only what this section says in its text")->type_name("NUMBER");
  command->add_option("--chapter", choice->selection.chapter, "Only this chapter, of a thesis")->type_name("NUMBER");
  command->add_flag("--hardware", choice->selection.hardware, "What is synthesised: gates and look-up tables of designs, by Yosys");
  command->add_option("--size", choice->size, "Size of the workloads: test (default), small, paper")
      ->check(CLI::IsMember(std::vector<std::string>(lab::workloadSizes().begin(), lab::workloadSizes().end())))
      ->type_name("SIZE");
  command->add_option("--energy", choice->energy, "The table of energies, instead of the published data's")->type_name("NAME|FILE.toml");
  command->add_option("--html", choice->page, "Also write it to FILE: one page that opens without network (docs/report.md)")
      ->type_name("FILE");
  command->add_option("-j,--jobs", choice->jobs, "Runs at a time; default: one a processor")->check(positive<u32>())->type_name("N");
  command->add_option("--db", choice->store, "The store of the runs; default reproduce.db")->type_name("FILE");
  command->footer(kReproduceExamples);
  command->callback([choice, &status] {
    status = 0;
    if (choice->paper.empty()) return listPapers();
    status = reproduce(*choice);
  });
}

}  // namespace warpwright::cli
