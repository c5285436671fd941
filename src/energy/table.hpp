// Tables of energies (configs/energy/*.toml): what events cost in one process node, each number with its published source.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "energy/dram.hpp"
#include "energy/quantity.hpp"

namespace warpwright::energy {

struct Entry {
  Energy energy;                // in the table's node
  double sourceNanometres = 0;  // the node that the source speaks of; what it says is scaled from there (technology.hpp)
  std::string source;
};

// Millimetres.
struct Length {
  Factor millimetres;
  std::string source;
};

struct DramChip {
  DramCurrents currents;
  std::string source;
};

// As machine files and tables name them, in the order of config::DramKind.
inline constexpr std::array<std::string_view, 4> kDramKinds = {"gddr3", "gddr5", "gddr6", "hbm2"};

struct Table {
  std::string name, description;
  double nanometres = 0;
  std::map<std::string, Entry, std::less<>> entries;   // by path: "pipe.int_add"
  std::map<std::string, Length, std::less<>> lengths;  // "register_to_pipe"
  std::map<std::string, DramChip, std::less<>> dram;   // by kind: "gddr5"
  std::map<std::string, double, std::less<>> factors;  // by unit or path: what calibration multiplies its events by
};

// NAME of a file in the folder `energy` beside the machine files, or a path to a TOML file (anything with a slash or ending in .toml).
// Throws Error with file, line, cause and remedy.
Table loadTable(const std::string& nameOrPath);
// `fileName` serves messages, and a `base` that is a path is relative to it. What is absent is as in the base, scaled to this table's node.
// A table without a base has an entry for every event that needs one, and every length.
Table parseTable(const std::string& toml, const std::string& fileName);

}  // namespace warpwright::energy
