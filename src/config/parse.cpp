#include <fmt/format.h>
#include <toml++/toml.h>

#include <filesystem>
#include <limits>
#include <map>
#include <sstream>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "config/fields.hpp"

namespace warpwright::config {
namespace {

using Positions = std::map<std::string, SourcePosition>;

class Reader {
 public:
  explicit Reader(std::string fileName) : file_(std::move(fileName)) { machine_.name = std::filesystem::path(file_).stem().string(); }

  Machine read(const std::string& text) {
    readTable(parse(text), "");
    for (const CrossCheck& check : crossChecks()) {
      if (!check.holds(machine_)) throw Error(fmt::format("{} {}", check.key, check.text), positionOf(std::string(check.key)));
    }
    return std::move(machine_);
  }

 private:
  toml::table parse(const std::string& text) const {
    try {
      return toml::parse(text, file_);
    } catch (const toml::parse_error& error) {
      throw Error(std::string(error.description()), position(error.source()), "see docs/machines.md for the format of machine files");
    }
  }

  void readTable(const toml::table& table, const std::string& section) {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      const bool isSection = section.empty() && hasSection(name);
      if (isSection && node.is_table()) {
        readTable(*node.as_table(), name);
        continue;
      }
      if (isSection) throw Error("'" + name + "' is a section", position(key.source()), "write it as [" + name + "]");
      readField(section.empty() ? name : section + "." + name, key, node);
    }
  }

  void readField(const std::string& key, const toml::key& where, const toml::node& node) {
    for (const Field& field : fields()) {
      if (field.key() != key) continue;
      positions_[key] = position(node.source());
      std::visit([&](auto member) { assign(field, machine_.*member, node); }, field.member);
      if (const auto problem = field.problem(machine_)) throw Error(*problem, positions_[key]);
      return;
    }
    throwUnknown(key, position(where.source()));
  }

  template <class T>
  void assign(const Field& field, T& member, const toml::node& node) const {
    const auto value = node.value_exact<std::int64_t>();
    if (!value) throw Error(fmt::format("{} must be an integer", field.key()), position(node.source()), rangeOf(field));
    if (*value < 0 || static_cast<u64>(*value) > std::numeric_limits<T>::max()) {
      throw Error(fmt::format("{} = {} is out of range: {}", field.key(), *value, field.rangeText()), position(node.source()));
    }
    member = static_cast<T>(*value);
  }

  void assign(const Field& field, std::string& member, const toml::node& node) const {
    const auto value = node.value_exact<std::string>();
    if (!value) throw Error(fmt::format("{} must be a string", field.key()), position(node.source()), rangeOf(field));
    member = *value;
  }

  static std::string rangeOf(const Field& field) { return fmt::format("{}: {}", field.key(), field.rangeText()); }

  static bool hasSection(const std::string& name) {
    for (const Field& field : fields()) {
      if (field.section == name) return !name.empty();
    }
    return false;
  }

  [[noreturn]] static void throwUnknown(const std::string& key, SourcePosition where) {
    std::vector<std::string> known;
    for (const Field& field : fields()) known.push_back(field.key());
    const std::string near = nearestName(key, known);
    throw Error("unknown key '" + key + "'", std::move(where),
                near.empty() ? "the keys are listed in docs/machines.md" : "did you mean '" + near + "'?");
  }

  SourcePosition position(const toml::source_region& region) const { return {file_, region.begin.line, region.begin.column}; }

  // Of the value a key was given, else of the file as a whole.
  SourcePosition positionOf(const std::string& key) const {
    const auto found = positions_.find(key);
    return found == positions_.end() ? SourcePosition{file_, 0, 0} : found->second;
  }

  std::string file_;
  Machine machine_;
  Positions positions_;
};

}  // namespace

Machine parseMachine(const std::string& toml, const std::string& fileName) { return Reader(fileName).read(toml); }

}  // namespace warpwright::config
