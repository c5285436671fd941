// A paper's evaluation beside ours, figure by figure.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/analysis/table.hpp"
#include "lab/execution/sweep.hpp"
#include "lab/reproduction/comparison.hpp"
#include "lab/reproduction/pressure.hpp"
#include "lab/reproduction/published.hpp"
#include "lab/reproduction/registers.hpp"
#include "lab/reproduction/spe.hpp"
#include "rtl/synthesis.hpp"

namespace warpwright::lab {

// Of a paper's items: those of a figure, a table, a chapter, or what a section has outside both; nothing given: all. Throws Error for one
// that the paper has not.
struct Selection {
  std::string figure, table, chapter, section;
  // What is synthesised, and nothing else; without it everything else.
  bool hardware = false;

  // What is wanted of a kind of items.
  const std::string& of(const std::string& kind) const { return kind == "figure" ? figure : kind == kSection ? section : table; }
};
std::vector<Item> select(const Paper& paper, const Selection& selection);

class Reproduction {
 public:
  Reproduction(const Paper& paper, const Simulator& simulator, Store& store, const SweepOptions& options, const std::string& size);

  // Runs what the item needs. Throws Error, and MistakesFound for a wrong experiment.
  ItemComparison compare(const Item& item);
  // Runs that failed so far.
  u64 failed() const { return failed_; }

 private:
  Compared compared(const Item& item, const PublishedValue& value);
  std::vector<std::string> notesOn(const Item& item);
  Value ours(const Item& item, const PublishedValue& value);
  // Of an energy, what it is with all costs at their bounds.
  std::optional<Bounds> boundsOf(const Item& item, const PublishedValue& value);
  // Several where they are equally good.
  std::vector<std::string> oursInWords(const Item& item, const PublishedValue& value);
  const Table& tableOf(const std::string& experiment);
  Table carryOut(const Experiment& experiment, Mistakes& mistakes);

  const Paper& paper_;
  const Simulator& simulator_;
  Store& store_;
  const SweepOptions& options_;
  std::string size_;
  RegisterCounts registers_;
  Pressure pressure_;
  SpeRuns spe_;
  rtl::Synthesis synthesis_;
  std::vector<StudiedKernel> studied_;   // by items of register pressure
  std::map<std::string, Table> tables_;  // by experiment
  u64 failed_ = 0;
};

}  // namespace warpwright::lab
