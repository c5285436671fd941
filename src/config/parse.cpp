#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "config/fields.hpp"
#include "config/files.hpp"
#include "config/rules.hpp"

namespace warpwright::config {
namespace fs = std::filesystem;
namespace {

constexpr const char* kBase = "base";

// "l1d" and "sm.pipes"; "mechanism" of "mechanism.NAME".
bool isSection(const std::string& key) {
  const std::string prefix = key + ".";
  const auto all = sections();
  return std::any_of(all.begin(), all.end(), [&](const Section& section) {
    const bool holdsParts =
        std::any_of(section.fields.begin(), section.fields.end(), [&](const Field& field) { return field.key().starts_with(prefix); });
    return section.name == key || section.name.starts_with(prefix) || holdsParts;
  });
}

constexpr std::string_view kMechanism = "mechanism.";

// NAME of "mechanism.NAME" and "mechanism.NAME.KEY"; empty: the key is no mechanism's.
std::string mechanismOf(const std::string& key) {
  if (!key.starts_with(kMechanism)) return {};
  const std::string rest = key.substr(kMechanism.size());
  return rest.substr(0, rest.find('.'));
}

// "mechanism.NAME", and not one of its keys.
bool isMechanism(const std::string& key) { return key.starts_with(kMechanism) && key.find('.', kMechanism.size()) == std::string::npos; }

[[noreturn]] void throwUnknown(const std::string& key, SourcePosition where) {
  std::vector<std::string> known = {kBase};
  for (const Field* field : fields()) known.push_back(field->key());
  for (const Section& section : sections()) {
    if (!section.name.empty()) known.push_back(section.name);
  }
  const std::string near = nearestName(key, known);
  throw Error("unknown key '" + key + "'", std::move(where),
              near.empty() ? "the keys are listed in docs/machines.md" : "did you mean '" + near + "'?");
}

// A machine in the making: values of a base first, then of the file, then of the command line; later ones replace earlier ones.
class Builder {
 public:
  void addFile(const std::string& text, const std::string& fileName) {
    const fs::path canonical = fs::weakly_canonical(fileName);
    chain_.push_back(canonical);
    const toml::table table = parse(text, fileName);
    if (const toml::node* base = table.get(kBase)) addBase(*base, fileName);
    machine_.name = fs::path(fileName).stem().string();
    file_ = fileName;
    ++layer_;
    readTable(table, "");
    chain_.pop_back();
  }

  // "l1d.ways=8". A text may stand without its quotation marks.
  void addOverride(const std::string& text) {
    file_ = sourceOfOverride(text);
    ++layer_;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw Error("a setting is written KEY=VALUE", {file_, 0, 0}, "as l1d.ways=8");
    const std::string key = text.substr(0, equals), value = text.substr(equals + 1);
    if (isMechanism(key)) {
      const toml::table table = parse("value = " + value, file_);
      return chooseMechanism(key, *table.get("value"), {file_, 0, 0});
    }
    const Field* field = findField(key);
    if (field == nullptr) throwUnknown(key, {file_, 0, 0});
    requireMechanism(key);
    requirePolicy(field->section, {file_, 0, 0});
    const bool isSwitch = field->range.policies != nullptr && field->range.policies->isSwitch() && (value == "true" || value == "false");
    const bool takesText = field->typeText() == "a string" || field->range.policies != nullptr;
    const bool isText = takesText && !value.starts_with('"') && !isSwitch;
    if (isText) return assign(*field, toml::value<std::string>(value), {file_, 0, 0});
    const toml::table table = parse("value = " + value, file_);
    if (table.size() != 1) throw Error("a setting has one value", {file_, 0, 0});
    assign(*field, *table.get("value"), {file_, 0, 0});
  }

  Machine finish() {
    requireSections();
    for (const Rule* rule : brokenRules(machine_)) throw Error(rule->problem(machine_), positionOf(rule->keys));
    for (const auto& [kind, settings] : machine_.mechanisms.all()) {
      if (const auto problem = problemOf(*kind, settings, machine_)) throw Error(*problem, positionOf(keysOf(*kind)));
    }
    for (const PolicyProblem& problem : policyProblems(machine_)) throw Error(problem.text, positionOf({problem.key}));
    return std::move(machine_);
  }

 private:
  // "mechanism.NAME" and all of its settings.
  static std::vector<std::string> keysOf(const MechanismKind& kind) {
    std::vector<std::string> keys = {fmt::format("{}{}", kMechanism, kind.name)};
    for (const MechanismSetting& setting : kind.settings) keys.push_back(fmt::format("{}.{}", keys.front(), setting.name));
    return keys;
  }

  static toml::table parse(const std::string& text, const std::string& fileName) {
    try {
      return toml::parse(text, fileName);
    } catch (const toml::parse_error& error) {
      throw Error(std::string(error.description()), {fileName, error.source().begin.line, error.source().begin.column},
                  "see docs/machines.md for the format of machine files");
    }
  }

  void addBase(const toml::node& node, const std::string& fileName) {
    const SourcePosition where{fileName, node.source().begin.line, node.source().begin.column};
    const auto name = node.value_exact<std::string>();
    if (!name) throw Error("base must be a string", where, "the name of a machine, or the path of a machine file");
    const fs::path file = machineFile(*name, fs::path(fileName).parent_path());
    if (std::find(chain_.begin(), chain_.end(), fs::weakly_canonical(file)) != chain_.end()) {
      throw Error(fmt::format("'{}' is the base of itself", *name), where, "one of the files must stand alone");
    }
    addFile(readMachineText(file), file.string());
  }

  void readTable(const toml::table& table, const std::string& prefix) {
    // Values first: they decide which policies a section may have tables of.
    for (const bool tables : {false, true}) {
      for (const auto& [name, node] : table) {
        const std::string key = prefix.empty() ? std::string(name.str()) : fmt::format("{}.{}", prefix, name.str());
        if (node.is_table() == tables && key != kBase) readNode(key, name, node);
      }
    }
  }

  void readNode(const std::string& key, const toml::key& name, const toml::node& node) {
    if (const Field* field = findField(key)) return assign(*field, node, position(node.source()));
    if (isMechanism(key)) chooseMechanism(key, node, position(name.source()));
    if (isMechanism(key) && node.is_boolean()) return;
    if (!isSection(key)) throwUnknown(key, position(name.source()));
    if (!node.is_table()) throw Error("'" + key + "' is a section", position(name.source()), "write it as [" + key + "]");
    requirePolicy(key, position(name.source()));
    given_.insert(key);
    readTable(*node.as_table(), key);
  }

  // [mechanism.NAME] and mechanism.NAME = true add it, mechanism.NAME = false takes away what a base has.
  void chooseMechanism(const std::string& key, const toml::node& node, const SourcePosition& where) {
    const MechanismKind& kind = kindOf(mechanismOf(key), where);
    if (!node.is_table() && !node.is_boolean()) throw Error(key + " is a table, true or false", where, "write it as [" + key + "]");
    positions_[key] = {where, layer_};
    if (node.value_exact<bool>().value_or(true)) return machine_.mechanisms.add(kind);
    machine_.mechanisms.remove(kind.name);
  }

  static const MechanismKind& kindOf(const std::string& name, const SourcePosition& where) {
    try {
      return mechanismKind(name);
    } catch (const Error& error) {
      throw Error(error.message(), where, error.remedy());
    }
  }

  void requireMechanism(const std::string& key) const {
    const std::string name = mechanismOf(key);
    if (name.empty() || machine_.mechanisms.has(name)) return;
    throw Error(fmt::format("the machine has no mechanism '{}', so there is no key '{}'", name, key), {file_, 0, 0},
                fmt::format("add --mechanism {}", name));
  }

  // A policy's settings exist where it is chosen.
  void requirePolicy(const std::string& section, const SourcePosition& where) const {
    const Section* found = findSection(section);
    if (found == nullptr || found->policy == nullptr || isChosen(*found, machine_)) return;
    throw Error(fmt::format("'{}' is not chosen, so there is no [{}]", found->policy->name, section), where,
                fmt::format("choose it in [{}], or leave its settings out", section.substr(0, section.rfind('.'))));
  }

  void assign(const Field& field, const toml::node& node, const SourcePosition& where) {
    const std::string key = field.key();
    given_.insert(field.section);
    positions_[key] = {where, layer_};
    if (!assignValue(field, node, where)) {
      throw Error(fmt::format("{} must be {}", key, field.typeText()), where, fmt::format("{}: {}", key, field.rangeText()));
    }
    if (const auto problem = field.problem(machine_)) throw Error(*problem, where);
  }

  static std::string remedyFor(const Field& field, const toml::node& node) {
    return field.range.policies ? field.range.policies->remedy(node.value_or(std::string())) : std::string();
  }

  // False when the value is of another type.
  bool assignValue(const Field& field, const toml::node& node, const SourcePosition& where) {
    const auto refuse = [&](const auto& value) {
      throw Error(fmt::format("{} = {} is out of range: {}", field.key(), value, field.rangeText()), where, remedyFor(field, node));
    };
    const std::string_view type = field.typeText();
    if (const auto flag = node.value_exact<bool>()) return field.set(machine_, *flag);
    if (const auto number = node.value_exact<std::int64_t>(); number && type == "an integer") {
      if (*number < 0 || !field.set(machine_, static_cast<u64>(*number))) refuse(*number);
      return true;
    }
    if (const auto text = node.value_exact<std::string>(); text && (type == "a string" || field.range.policies != nullptr)) {
      if (!field.set(machine_, std::string_view(*text))) refuse("\"" + *text + "\"");
      return true;
    }
    return false;
  }

  // A file with any part of the timed machine must have the parts that nothing can stand in for.
  void requireSections() {
    std::string timed;
    std::vector<std::string> missing;
    for (const Section& section : sections()) {
      const bool given = given_.contains(section.name);
      if (section.timed && given && timed.empty()) timed = section.name;
      if (section.required && !given) missing.push_back("[" + section.name + "]");
    }
    machine_.timed = !timed.empty();
    if (timed.empty() || missing.empty()) return;
    throw Error(fmt::format("[{}] belongs to a timed machine, which also needs {}", timed, fmt::join(missing, " and ")), {file_, 0, 0},
                "add them, or inherit them: base = \"gtx480\"");
  }

  SourcePosition position(const toml::source_region& region) const { return {file_, region.begin.line, region.begin.column}; }

  // Of the key that was given last (over the base, or on the command line); of several in one file, the first. Else the file
  // as a whole.
  SourcePosition positionOf(const std::vector<std::string>& keys) const {
    Given latest{{file_, 0, 0}, 0};
    for (const std::string& key : keys) {
      const auto found = positions_.find(key);
      if (found != positions_.end() && found->second.layer > latest.layer) latest = found->second;
    }
    return latest.where;
  }

  struct Given {
    SourcePosition where;
    u32 layer;
  };

  Machine machine_;
  std::string file_;             // what is being read
  std::vector<fs::path> chain_;  // the files whose bases are being read
  std::set<std::string> given_;  // sections
  u32 layer_ = 0;                // one for each file and setting
  std::map<std::string, Given> positions_;
};

}  // namespace

std::string sourceOfOverride(const std::string& override) {
  const std::size_t equals = override.find('=');
  const std::string key = override.substr(0, equals);
  if (isMechanism(key) && equals != std::string::npos && override.substr(equals) == "=true") return "--mechanism " + mechanismOf(key);
  return "--set " + override;
}

Machine parseMachine(const std::string& toml, const std::string& fileName, Overrides overrides) {
  Builder builder;
  builder.addFile(toml, fileName);
  for (const std::string& text : overrides) builder.addOverride(text);
  return builder.finish();
}

}  // namespace warpwright::config
