// Reads parts of a TOML table with errors that name position, cause and remedy. For table.cpp alone.
#pragma once

#include <toml++/toml.h>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "energy/quantity.hpp"

namespace warpwright::energy {

class TomlReader {
 public:
  explicit TomlReader(std::string file) : file_(std::move(file)) {}

  const std::string& file() const { return file_; }
  SourcePosition at(const toml::source_region& region) const { return {file_, region.begin.line, region.begin.column}; }
  [[noreturn]] void refuse(const toml::node& node, const std::string& problem, const std::string& remedy) const {
    throw Error(problem, at(node.source()), remedy);
  }
  // "unknown WHAT 'NAME'", with the nearest of the names that exist.
  [[noreturn]] void refuseUnknown(std::string_view what, const std::string& name, const toml::key& key,
                                  std::span<const std::string> known) const;

  toml::table parse(const std::string& text) const;
  const toml::table& tableOf(const toml::node& node, const std::string& name) const;
  void refuseOtherKeys(const toml::table& table, std::initializer_list<std::string_view> known) const;
  // Throw where the key is absent.
  std::string text(const toml::table& table, std::string_view key, const std::string& of) const;
  double positive(const toml::table& table, std::string_view key, const std::string& of) const;
  double positiveOr(const toml::table& table, std::string_view key, double otherwise) const;
  // A number `key` (0 or more) with its range: `low` and `high`, or `within`, a factor either way.
  Factor range(const toml::table& table, std::string_view key, const std::string& of) const;

 private:
  double number(const toml::node& node, std::string_view key) const;
  Factor checked(const toml::node& node, const Factor& range) const;

  std::string file_;
};

}  // namespace warpwright::energy
