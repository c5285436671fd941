// Rules that tie fields together.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/machine.hpp"

namespace warpwright::config {

struct Rule {
  std::vector<std::string> keys;  // of the fields involved; the first is the one to blame
  std::string text;               // what must hold
  std::function<bool(const Machine&)> holds;
  bool timed = false;                                   // asked of timed machines only
  std::function<std::string(const Machine&)> why = {};  // what exactly is wrong, where the text cannot say it; empty: nothing to add

  // "l1d.bytes = 16384, l1d.ways = 3: must be …"
  std::string problem(const Machine& machine) const;
};

std::span<const Rule> rules();

// Those that the machine breaks.
std::vector<const Rule*> brokenRules(const Machine& machine);

// For whoever builds from some sections of a machine and has not read it from a file: throws Error, which begins with the key, when a field
// of theirs leaves its range, or when they break a rule that names no other section. Of a timed machine, whether or not it is called one.
void validateSections(const Machine& machine, std::span<const std::string_view> sections);
// The section alone.
void validate(const Cache& cache, std::string_view section);
void validate(const Dram& dram);

}  // namespace warpwright::config
