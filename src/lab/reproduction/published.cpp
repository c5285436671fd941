#include "lab/reproduction/published.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "lab/mistakes.hpp"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

class PaperReader {
 public:
  explicit PaperReader(const std::string& file) : file_(file) {}

  Paper read(const toml::table& table) {
    Paper paper{text(table, "id"),
                text(table, "title"),
                text(table, "authors"),
                table["year"].value_or(0),
                fs::path(file_).parent_path().string(),
                {},
                {},
                {}};
    const toml::array* items = table["items"].as_array();
    if (items == nullptr) throw Error("'items' is missing", {file_, 0, 0});
    for (const toml::node& node : *items) paper.items.push_back(readItem(tableOf(node)));
    if (const toml::array* machines = table["machines"].as_array())
      for (const toml::node& node : *machines) paper.machines.push_back(readMachine(tableOf(node)));
    if (const toml::node* energy = table.get("energy")) paper.energy = readEnergy(tableOf(*energy));
    if (const toml::array* inputs = table["traffic"].as_array())
      for (const toml::node& node : *inputs) paper.traffic.push_back(readTraffic(tableOf(node)));
    if (const toml::array* targets = table["targets"].as_array())
      for (const toml::node& node : *targets) paper.targets.push_back(readTarget(tableOf(node)));
    if (const toml::node* pick = table.get("pick")) paper.pick = readPick(tableOf(*pick));
    if (const toml::node* pressure = table.get("pressure")) paper.pressure = readPressure(tableOf(*pressure), paper);
    requireStudy(paper);
    return paper;
  }

 private:
  const toml::table& tableOf(const toml::node& node) const {
    if (const toml::table* table = node.as_table()) return *table;
    throw Error("must be a table", {file_, node.source().begin.line, node.source().begin.column});
  }

  static std::string text(const toml::table& table, const char* key) { return table[key].value_or(std::string()); }

  template <std::size_t N>
  void refuseUnknown(const toml::table& table, const std::array<std::string, N>& known) const {
    for (const auto& [key, node] : table)
      if (std::find(known.begin(), known.end(), key.str()) == known.end())
        throw unknownName("key", std::string(key.str()), known, {file_, key.source().begin.line, key.source().begin.column},
                          "see docs/lab.md");
  }

  Item readItem(const toml::table& table) {
    refuseUnknown<13>(table, {"figure", "table", "chapter", "section", "title", "mechanism", "experiment", "profiles", "origin", "bars",
                              "map", "reason", "values"});
    const char* kind = table.contains("figure") ? "figure" : table.contains("table") ? "table" : kSection;
    Item item{.kind = kind, .number = text(table, kind)};
    item.chapter = text(table, "chapter");
    item.section = text(table, "section");
    item.title = text(table, "title");
    item.mechanism = text(table, "mechanism");
    item.experiment = text(table, "experiment");
    item.profiles = text(table, "profiles");
    item.origin = readOrigin(table);
    if (const toml::node* bars = table.get("bars")) item.bars = readBars(tableOf(*bars));
    if (const toml::node* map = table.get("map")) item.map = readMap(tableOf(*map));
    if (item.experiment.empty() && (!item.bars.columns.empty() || !item.map.columns.empty()))
      throw Error("'bars' and 'map' are of an 'experiment'", positionOf(table), "see docs/lab.md");
    item.reason = text(table, "reason");
    if (const toml::array* values = table["values"].as_array())
      for (const toml::node& node : *values) item.values.push_back(readValue(tableOf(node), hasWords(item.origin)));
    return item;
  }

  Bars readBars(const toml::table& table) const {
    refuseUnknown<2>(table, {"machines", "columns"});
    Bars bars{textsIn(table["machines"].as_array()), textsIn(table["columns"].as_array())};
    if (bars.machines.empty() || bars.columns.empty())
      throw Error("bars need 'machines' and 'columns'", positionOf(table), "see docs/lab.md");
    return bars;
  }

  Map readMap(const toml::table& table) const {
    refuseUnknown<3>(table, {"down", "across", "columns"});
    Map map{text(table, "down"), text(table, "across"), textsIn(table["columns"].as_array())};
    if (map.down.empty() || map.across.empty() || map.columns.empty())
      throw Error("a map needs 'down', 'across' and 'columns'", positionOf(table), "see docs/lab.md");
    return map;
  }

  Pick readPick(const toml::table& table) const {
    refuseUnknown<4>(table, {"name", "experiment", "least", "machines"});
    Pick pick{text(table, "name"), text(table, "experiment"), text(table, "least"), textsIn(table["machines"].as_array())};
    if (pick.name.empty() || pick.experiment.empty() || pick.least.empty() || pick.machines.empty())
      throw Error("a pick needs 'name', 'experiment', 'least' and 'machines'", positionOf(table), "see docs/lab.md");
    return pick;
  }

  static bool hasWords(Origin origin) {
    return origin == Origin::settings || origin == Origin::tagRules || origin == Origin::picks || origin == Origin::spe;
  }

  Origin readOrigin(const toml::table& table) const {
    static const std::array<std::string, 10> kNames = {"runs",      "registers", "pressure", "bank_maps", "settings",
                                                       "tag_rules", "hardware",  "picks",    "spe",       "synthesis"};
    const std::string name = table["origin"].value_or(kNames[0]);
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    if (found != kNames.end()) return static_cast<Origin>(found - kNames.begin());
    const toml::source_region& region = table.get("origin")->source();
    throw unknownName("origin", name, kNames, {file_, region.begin.line, region.begin.column}, "see docs/lab.md");
  }

  PublishedMachine readMachine(const toml::table& table) const {
    refuseUnknown<5>(table, {"name", "preset", "settings", "baseline", "spill_first"});
    PublishedMachine machine{text(table, "name"), text(table, "preset"), {}, text(table, "baseline"), text(table, "spill_first")};
    if (const toml::array* settings = table["settings"].as_array())
      for (const toml::node& setting : *settings) machine.settings.push_back(setting.value_or(std::string()));
    if (machine.name.empty() || machine.preset.empty())
      throw Error("a machine needs 'name' and 'preset'", {file_, table.source().begin.line, table.source().begin.column},
                  "see docs/lab.md");
    return machine;
  }

  EnergyChoice readEnergy(const toml::table& table) const {
    refuseUnknown<2>(table, {"table", "reason"});
    EnergyChoice choice{text(table, "table"), text(table, "reason")};
    if (choice.table.empty() || choice.reason.empty())
      throw Error("an energy needs 'table' and 'reason'", {file_, table.source().begin.line, table.source().begin.column},
                  "say why this table stands for the paper's chip");
    return choice;
  }

  TrafficInput readTraffic(const toml::table& table) const {
    refuseUnknown<3>(table, {"program", "variant", "reason"});
    TrafficInput input{text(table, "program"), text(table, "variant"), text(table, "reason")};
    if (input.program.empty() || input.variant.empty() || input.reason.empty())
      throw Error("an input for traffic needs 'program', 'variant' and 'reason'",
                  {file_, table.source().begin.line, table.source().begin.column}, "see docs/lab.md");
    return input;
  }

  RegisterTarget readTarget(const toml::table& table) const {
    refuseUnknown<3>(table, {"name", "machine", "address_bits"});
    RegisterTarget target{text(table, "name"), text(table, "machine"), table["address_bits"].value_or(u32{0})};
    if (target.name.empty() || target.machine.empty() || (target.addressBits != 32 && target.addressBits != 64))
      throw Error("a target needs 'name', 'machine', and 'address_bits' of 32 or 64", positionOf(table), "see docs/lab.md");
    return target;
  }

  PressureStudy readPressure(const toml::table& table, const Paper& paper) const {
    refuseUnknown<7>(table, {"registers", "machine", "baseline", "negligible", "wide", "columns", "classes"});
    PressureStudy study{.registers = text(table, "registers"),
                        .machine = text(table, "machine"),
                        .baseline = text(table, "baseline"),
                        .negligible = table["negligible"].value_or(0.0),
                        .wide = textsIn(table["wide"].as_array()),
                        .columns = readColumns(table)};
    if (const toml::node* classes = table.get("classes")) {
      const toml::table& own = tableOf(*classes);
      refuseUnknown<3>(own, {"preset", "settings", "columns"});
      study.classes = {"classes", text(own, "preset"), textsIn(own["settings"].as_array())};
      study.classColumns = readColumns(own);
    }
    const bool isKnown =
        std::any_of(paper.targets.begin(), paper.targets.end(), [&](const auto& each) { return each.name == study.registers; });
    if (!isKnown || study.negligible <= 0 || study.classes.preset.empty())
      throw Error("[pressure] needs 'registers' with the name of a target, 'negligible' above 0, and 'classes' with a 'preset'",
                  positionOf(table), "see docs/lab.md");
    machineOf(paper, study.machine);
    machineOf(paper, study.baseline);
    return study;
  }

  std::vector<StudyColumn> readColumns(const toml::table& table) const {
    std::vector<StudyColumn> columns;
    const toml::array* nodes = table["columns"].as_array();
    if (nodes == nullptr) throw Error("'columns' is missing", positionOf(table), "see docs/lab.md");
    for (const toml::node& node : *nodes) {
      const toml::table& column = tableOf(node);
      refuseUnknown<2>(column, {"name", "value"});
      columns.push_back({text(column, "name"), text(column, "value")});
      if (columns.back().name.empty() || columns.back().value.empty())
        throw Error("a column needs 'name' and 'value'", positionOf(column), "see docs/lab.md");
    }
    return columns;
  }

  // Items need what says how their values are found.
  void requireStudy(const Paper& paper) const {
    for (const Item& item : paper.items) {
      if (item.origin == Origin::pressure && paper.pressure.columns.empty())
        throw Error(fmt::format("the origin of {} {} needs [pressure]", item.kind, item.number), {file_, 0, 0}, "see docs/lab.md");
      if (item.origin == Origin::registers && paper.targets.empty())
        throw Error(fmt::format("the origin of {} {} needs [[targets]]", item.kind, item.number), {file_, 0, 0}, "see docs/lab.md");
      const auto isPick = [&](const PublishedValue& value) { return !paper.pick.name.empty() && value.ours == paper.pick.name; };
      if (item.origin == Origin::picks && !std::all_of(item.values.begin(), item.values.end(), isPick))
        throw Error(fmt::format("the origin of {} {} needs [pick], whose name is 'ours'", item.kind, item.number), {file_, 0, 0},
                    "see docs/lab.md");
      if (item.origin == Origin::hardware && paper.energy.table.empty())
        throw Error(fmt::format("the origin of {} {} needs [energy]", item.kind, item.number), {file_, 0, 0}, "see docs/lab.md");
    }
  }

  SourcePosition positionOf(const toml::table& table) const { return {file_, table.source().begin.line, table.source().begin.column}; }

  static std::vector<std::string> textsIn(const toml::array* nodes) {
    std::vector<std::string> texts;
    if (nodes != nullptr)
      for (const toml::node& node : *nodes) texts.push_back(node.value_or(std::string()));
    return texts;
  }

  PublishedValue readValue(const toml::table& table, bool mayBeWord) {
    refuseUnknown<20>(
        table, {"name",    "unit",    "published", "formula", "is_mean", "source",      "mechanism",    "ours",  "program", "kernel",
                "variant", "machine", "mean",      "map",     "pattern", "over_kernel", "over_machine", "scale", "design",  "over_design"});
    const std::string word = table["published"].value_or(std::string());
    const auto published = table["published"].value<double>();
    const bool isWord = !published && word != "drawn" && word != "none";
    if (isWord && (word.empty() || !mayBeWord))
      throw Error("a value needs 'published'", {file_, table.source().begin.line, table.source().begin.column},
                  "write a number, \"drawn\" where the paper has only a picture, or \"none\" where it has no such value");
    return {.name = text(table, "name"),
            .unit = text(table, "unit"),
            .published = published,
            .word = isWord ? word : std::string(),
            .isDrawn = word == "drawn",
            .byFormula = table["formula"].value_or(false),
            .isMean = table["is_mean"].value_or(false),
            .source = text(table, "source"),
            .mechanism = text(table, "mechanism"),
            .ours = text(table, "ours"),
            .program = text(table, "program"),
            .kernel = text(table, "kernel"),
            .machine = text(table, "machine"),
            .mean = text(table, "mean"),
            .variant = text(table, "variant"),
            .overKernel = text(table, "over_kernel"),
            .overMachine = text(table, "over_machine"),
            .map = text(table, "map"),
            .pattern = text(table, "pattern"),
            .design = text(table, "design"),
            .overDesign = text(table, "over_design"),
            .scale = table["scale"].value_or(1.0)};
  }

  std::string file_;
};

}  // namespace

Paper parsePaper(const std::string& text, const std::string& file) {
  try {
    const toml::table table = toml::parse(text, file);
    return PaperReader(file).read(table);
  } catch (const toml::parse_error& error) {
    throw Error(std::string(error.description()), {file, error.source().begin.line, error.source().begin.column});
  }
}

}  // namespace warpwright::lab
