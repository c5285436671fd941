// What a paper published of its evaluation (data/published/*.toml), figure by figure, and how our value is found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::lab {

struct PublishedValue {
  std::string name, unit;
  std::optional<double> published;  // nothing: the paper only draws it, has no such value, or `word`
  std::string word;                 // published, and no number: "tree_plru"
  bool isDrawn = false;
  bool byFormula = false;  // the paper has a formula, and `published` is what it gives for the parameters at hand
  bool isMean = false;     // the paper gives only a mean
  std::string source;      // section or table of the paper, where it is not the item's
  std::string mechanism;   // that it needs and that is missing; empty: none
  // Ours, by the item's origin: a column of its experiment; an expression over register counts (registers.hpp); a value under pressure
  // (pressure.hpp); a degree or a cost of a bank map (bank_maps.hpp); an expression over keys of a machine, or a key (settings.hpp); a rule
  // and the tags of its operands (tag_rules.hpp); an expression over what structures take of a chip (hardware.hpp); the name of the
  // pick, of which it is the machine that is picked for `program` (pick.hpp); an expression over what a program did on an SPE (spe.hpp), or
  // over what a design takes as logic (synthesis.hpp).
  std::string ours, program, kernel, machine, mean;
  std::string variant;  // of the program; empty: what it does when none is asked for
  // With these, ours is how far the row of `kernel` on `machine` exceeds that of another kernel of the program on another machine.
  std::string overKernel, overMachine;
  std::string map, pattern;        // of a bank map
  std::string design, overDesign;  // of synthesis; what it is compared with
  double scale = 1;                // ours is multiplied by it: 100 where the unit is %
};

// Where the values of an item come from.
enum class Origin : u8 { runs, registers, pressure, bankMaps, settings, tagRules, hardware, picks, spe, synthesis };

// Bars of every program: of `machines`, in these columns of the item's experiment (grids.hpp).
struct Bars {
  std::vector<std::string> machines, columns;
};

// Means over two parameters of the experiment that are swept, in these columns of it.
struct Map {
  std::string down, across;
  std::vector<std::string> columns;
};

// Of items that are neither figure nor table: what a section says in its text.
inline constexpr const char* kSection = "section";

struct Item {
  std::string kind;    // "figure", "table" or kSection
  std::string number;  // "1a"; of a section "3.2"
  std::string chapter, section, title;
  std::string mechanism;   // that all of it needs and that is missing; empty: none
  std::string experiment;  // a file beside the data
  std::string profiles;    // another, whose rows the figure draws and gives no numbers of
  Origin origin = Origin::runs;
  Bars bars = {};      // no columns: it has none
  Map map = {};        // the same
  std::string reason;  // known, for differences
  std::vector<PublishedValue> values;
};

// A machine of the paper that is no preset: a preset with settings ("mechanism.avc.ways=2").
struct PublishedMachine {
  std::string name, preset;
  std::vector<std::string> settings;
  std::string baseline = {};    // the paper's machine that it is compared with; empty: as the item says
  std::string spillFirst = {};  // what the compiler spills first for it; empty: as ever
};

// The variant with which a program's traffic under register pressure is counted, where the one of all else shows something else.
struct TrafficInput {
  std::string program, variant, reason;
};

// The table of energies (docs/energy.md) that the paper's energies are accounted with.
struct EnergyChoice {
  std::string table;   // name or file; empty: the paper has no energies
  std::string reason;  // why this one
};

// For what register counts are made: a machine and a width of addresses.
struct RegisterTarget {
  std::string name, machine;
  u32 addressBits = 0;  // 32 or 64
};

// A column of the study's runs: a name, and an expression over metrics (docs/lab.md).
struct StudyColumn {
  std::string name, value;
};

// How runs under register pressure are made and read (pressure.hpp).
struct PressureStudy {
  std::string registers;             // the target whose counts bound the numbers of registers
  std::string machine, baseline;     // the configuration that values without one are of; what machines without a baseline are compared with
  double negligible = 0;             // traffic below it counts as none
  std::vector<std::string> wide;     // programs that have a variant with blocks of 32 x 32
  std::vector<StudyColumn> columns;  // of timed runs
  PublishedMachine classes;          // that observes what private memory holds
  std::vector<StudyColumn> classColumns;
};

// The best machine for each program by one experiment (pick.hpp): `machines` are tried, and the one with the least value in the column
// `least` is picked. Tables of the experiment have it under `name`.
struct Pick {
  std::string name, experiment, least;  // no name: the paper has none
  std::vector<std::string> machines;
};

struct Paper {
  std::string id, title, authors;
  int year = 0;
  std::string folder;  // of its data file
  std::vector<Item> items;
  std::vector<PublishedMachine> machines;
  EnergyChoice energy = {};
  std::vector<TrafficInput> traffic = {};
  std::vector<RegisterTarget> targets = {};
  PressureStudy pressure = {};
  Pick pick = {};
};

// The papers that there are data of: "000", "001", …
std::vector<std::string> paperIds();
// Throws Error for an unknown paper, and for a data file that is wrong.
Paper loadPaper(const std::string& id);
Paper parsePaper(const std::string& text, const std::string& file);
// Throws Error for a machine that the paper has not.
const PublishedMachine& machineOf(const Paper& paper, const std::string& name);
// Another table for its energies. Throws Error for one that does not exist, and for a paper without energies.
void setEnergy(Paper& paper, const std::string& table);

}  // namespace warpwright::lab
