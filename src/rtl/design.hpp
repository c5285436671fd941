// The designs: what can be written as hardware, from which parameters, and the C++ function that each is held against.
#pragma once

#include <functional>
#include <map>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rtl/module.hpp"

namespace warpwright::rtl {

struct Parameter {
  std::string_view name, text;
  std::string_view preset;  // a number; of a text anything
  u64 least = 0, most = 0;  // both 0: it is a text
  bool isText() const { return most == 0; }
};

// By the parameters' names; all of a design are there.
class Values {
 public:
  explicit Values(std::map<std::string, std::string, std::less<>> texts) : texts_(std::move(texts)) {}
  const std::string& text(std::string_view name) const { return texts_.find(name)->second; }
  u32 number(std::string_view name) const { return static_cast<u32>(std::stoul(text(name))); }

 private:
  std::map<std::string, std::string, std::less<>> texts_;
};

using Random = std::mt19937_64;

struct Package {
  std::vector<Module> modules = {};  // the last one is the top
  std::string equations = {};        // and where they stand; Markdown
  // Inputs, one behind the other, as they may occur; empty: any.
  std::function<Bits(Random&)> draw = {};
  // Outputs for inputs by the project's C++ functions; where the top is clocked, those of the cycle, and it goes on to the next. Empty: the
  // model is a part of the simulator, which this library does not know; tests/rtl holds the one against the other.
  std::function<Bits(const Bits&)> model = {};
  // Of tables that a chip would have as memory, whatever synthesis makes of them.
  u64 memoryBits = 0;

  const Module& top() const { return modules.back(); }
};

struct Design {
  std::string_view name, text;  // text: what it is, and where that is described
  std::vector<Parameter> parameters;
  // Throws std::invalid_argument, or Error, for values that do not go together.
  Package (*make)(const Values& values);
};

std::span<const Design> designs();

// "sams-atu:n=23,q=3"; parameters that the text does not name have their presets. A text parameter stands last, and may have commas. Throws
// Error for what there is not.
Package makePackage(const std::string& text);
Package makePackage(const Design& design, const std::map<std::string, std::string, std::less<>>& given);
const Design& designNamed(const std::string& name);

// Inputs as they may occur.
Bits drawInputs(const Package& package, Random& random);
Bits anyBits(u32 width, Random& random);

}  // namespace warpwright::rtl
