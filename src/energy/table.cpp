#include "energy/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/file.hpp"
#include "energy/events.hpp"
#include "energy/table_files.hpp"
#include "energy/technology.hpp"
#include "energy/toml_reader.hpp"

namespace warpwright::energy {
namespace fs = std::filesystem;
namespace {

constexpr const char *kBase = "base", *kLength = "length", *kDram = "dram", *kFactor = "factor";

std::vector<std::string> pathsOfEntries() {
  std::vector<std::string> paths = {std::string(kWire)};
  for (const Event& event : events()) {
    if (event.origin == Origin::table) paths.push_back(event.path());
  }
  return paths;
}

std::vector<std::string> unitsAndPaths() {
  std::vector<std::string> all;
  for (const Event& event : events()) {
    if (all.empty() || std::ranges::find(all, event.unit) == all.end()) all.push_back(event.unit);
    all.push_back(event.path());
  }
  return all;
}

// A table in the making: the base's entries first, which the file's own replace. Entries are scaled when the last file has been read, as
// that one says to which node.
class Builder {
 public:
  void addFile(const std::string& text, const std::string& fileName) {
    chain_.push_back(fs::weakly_canonical(fileName));
    const TomlReader reader(fileName);
    const toml::table table = reader.parse(text);
    if (const toml::node* base = table.get(kBase)) addBase(reader, *base);
    table_.name = fs::path(fileName).stem().string();
    table_.description = reader.text(table, "description", "the table");
    table_.nanometres = nodeOf(reader, table, 0);
    for (const auto& [key, node] : table) readUnit(reader, key, node);
    chain_.pop_back();
  }

  Table finish(const std::string& fileName) {
    requireAll(fileName);
    for (auto& [path, entry] : table_.entries) {
      entry.energy = scaled(entry.energy, logicScale(entry.sourceNanometres, table_.nanometres));
    }
    return std::move(table_);
  }

 private:
  void addBase(const TomlReader& reader, const toml::node& node) {
    const auto name = node.value_exact<std::string>();
    if (!name) reader.refuse(node, "base is a text", "the name of a table of energies, or the path of one");
    const fs::path file = tableFile(*name, fs::path(reader.file()).parent_path());
    if (std::ranges::find(chain_, fs::weakly_canonical(file)) != chain_.end()) {
      reader.refuse(node, fmt::format("'{}' is the base of itself", *name), "one of the files must stand alone");
    }
    addFile(readFile(file.string()), file.string());
  }

  // `otherwise` 0: it must be there.
  static double nodeOf(const TomlReader& reader, const toml::table& table, double otherwise) {
    const char* key = "nanometres";
    const double node = otherwise == 0 ? reader.positive(table, key, "the table") : reader.positiveOr(table, key, otherwise);
    if (node >= kFinestNode && node <= kCoarsestNode) return node;
    reader.refuse(*table.get(key), fmt::format("there are no data for {} nm", node), fmt::format("{} to {}", kFinestNode, kCoarsestNode));
  }

  void readUnit(const TomlReader& reader, const toml::key& key, const toml::node& node) {
    const std::string unit(key.str());
    if (unit == kBase || unit == "description" || unit == "nanometres") return;
    if (unit == kFactor) return readFactors(reader, reader.tableOf(node, unit));
    for (const auto& [name, entry] : reader.tableOf(node, unit)) {
      const std::string path = fmt::format("{}.{}", unit, name.str());
      const toml::table& table = reader.tableOf(entry, path);
      if (unit == kLength) {
        readLength(reader, name, table);
      } else if (unit == kDram && std::ranges::find(kDramKinds, name.str()) != kDramKinds.end()) {
        readDram(reader, std::string(name.str()), table);
      } else {
        readEntry(reader, path, name, table);
      }
    }
  }

  void readEntry(const TomlReader& reader, const std::string& path, const toml::key& key, const toml::table& table) {
    static const std::vector<std::string> kPaths = pathsOfEntries();
    if (std::ranges::find(kPaths, path) == kPaths.end()) reader.refuseUnknown("entry", path, key, kPaths);
    reader.refuseOtherKeys(table, {"picojoules", "low", "high", "within", "nanometres", "source"});
    const Factor range = reader.range(table, "picojoules", path);
    table_.entries[path] = {picojoules(range.low, range.value, range.high), nodeOf(reader, table, table_.nanometres),
                            reader.text(table, "source", path)};
  }

  void readFactors(const TomlReader& reader, const toml::table& table) {
    static const std::vector<std::string> kKnown = unitsAndPaths();
    for (const auto& [name, node] : table) {
      const std::string key(name.str());
      if (std::ranges::find(kKnown, key) == kKnown.end()) reader.refuseUnknown("unit or event", key, name, kKnown);
      const auto factor = node.value<double>();
      if (!factor || !(*factor >= 0))
        reader.refuse(node, fmt::format("the factor of {} is no number from 0 on", key), "1 leaves it as it is");
      table_.factors[key] = *factor;
    }
  }

  void readLength(const TomlReader& reader, const toml::key& key, const toml::table& table) {
    static const std::vector<std::string> kNames(lengths().begin(), lengths().end());
    const std::string name(key.str());
    if (std::ranges::find(kNames, name) == kNames.end()) reader.refuseUnknown("length", name, key, kNames);
    reader.refuseOtherKeys(table, {"millimetres", "low", "high", "within", "source"});
    table_.lengths[name] = {reader.range(table, "millimetres", name), reader.text(table, "source", name)};
  }

  void readDram(const TomlReader& reader, const std::string& kind, const toml::table& table) {
    reader.refuseOtherKeys(table, {"volts", "idd0", "idd2n", "idd3n", "idd4r", "idd4w", "idd5", "t_rc_ns", "t_ras_ns", "t_rfc_ns",
                                   "burst_ns", "burst_bits", "width_bits", "within", "interface", "source"});
    const auto number = [&](std::string_view key) { return reader.positive(table, key, kind); };
    const toml::node* interface = table.get("interface");
    if (interface == nullptr) reader.refuse(table, fmt::format("{} has no 'interface'", kind), "what a bit costs between the chips");
    const toml::table& perBit = reader.tableOf(*interface, "interface");
    reader.refuseOtherKeys(perBit, {"picojoules", "low", "high", "within"});
    const Factor range = reader.range(perBit, "picojoules", "the interface");
    table_.dram[kind] = {{.volts = number("volts"),
                          .idd0 = number("idd0"),
                          .idd2n = number("idd2n"),
                          .idd3n = number("idd3n"),
                          .idd4r = number("idd4r"),
                          .idd4w = number("idd4w"),
                          .idd5 = number("idd5"),
                          .tRC = number("t_rc_ns"),
                          .tRAS = number("t_ras_ns"),
                          .tRFC = number("t_rfc_ns"),
                          .burstNanoseconds = number("burst_ns"),
                          .bitsPerBurst = number("burst_bits"),
                          .widthBits = number("width_bits"),
                          .interfacePerBit = picojoules(range.low, range.value, range.high),
                          .uncertainty = within<Factor>(1, number("within"))},
                         reader.text(table, "source", kind)};
  }

  void requireAll(const std::string& fileName) const {
    std::vector<std::string> missing;
    for (const std::string& path : pathsOfEntries()) {
      if (!table_.entries.contains(path)) missing.push_back(path);
    }
    for (const std::string_view name : lengths()) {
      if (!table_.lengths.contains(name)) missing.push_back(fmt::format("{}.{}", kLength, name));
    }
    if (missing.empty()) return;
    throw Error(fmt::format("the table has no [{}]", fmt::join(missing, "], [")), {fileName, 0, 0},
                "add them with their sources, or inherit them: base = \"45nm\"");
  }

  Table table_;
  std::vector<fs::path> chain_;  // the files whose bases are being read
};

}  // namespace

Table parseTable(const std::string& toml, const std::string& fileName) {
  Builder builder;
  builder.addFile(toml, fileName);
  return builder.finish(fileName);
}

}  // namespace warpwright::energy
