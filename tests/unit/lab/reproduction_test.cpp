#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/file.hpp"
#include "lab/experiment/experiment.hpp"
#include "lab/reproduction/published.hpp"
#include "lab/reproduction/reproduce.hpp"
#include "lab/reproduction/settings.hpp"
#include "lab/reproduction/tag_rules.hpp"

namespace warpwright::lab {
namespace {

bool isMissing(const Item& item, const PublishedValue& value) { return !item.mechanism.empty() || !value.mechanism.empty(); }

TEST(Published, EveryValueHasASourceOfOursOrNamesWhatIsMissing) {
  const std::vector<std::string> ids = paperIds();
  EXPECT_EQ(ids.size(), 5U);
  for (const std::string& id : ids) {
    const Paper paper = loadPaper(id);
    EXPECT_EQ(paper.id, id);
    for (const Item& item : paper.items) {
      EXPECT_FALSE(item.section.empty()) << id << ' ' << item.number;
      EXPECT_TRUE(!item.mechanism.empty() || item.origin != Origin::runs || !item.experiment.empty()) << id << ' ' << item.number;
      for (const PublishedValue& value : item.values) EXPECT_NE(isMissing(item, value), !value.ours.empty()) << id << ' ' << value.name;
    }
  }
}

TEST(Published, DesignsThatAreSynthesisedExist) {
  const Paper paper = loadPaper("004");
  u32 values = 0;
  for (const Item& item : select(paper, {.hardware = true})) {
    EXPECT_EQ(item.origin, Origin::synthesis) << item.number;
    for (const PublishedValue& value : item.values) {
      ++values;
      EXPECT_NO_THROW(rtl::makePackage(value.design)) << value.name;
      EXPECT_EQ(value.ours.find("over.") != std::string::npos, !value.overDesign.empty()) << value.name;
      if (!value.overDesign.empty()) EXPECT_NO_THROW(rtl::makePackage(value.overDesign)) << value.name;
    }
  }
  EXPECT_GT(values, 40U);
  for (const Item& item : select(paper, {})) EXPECT_NE(item.origin, Origin::synthesis) << item.number;
  EXPECT_THROW(select(loadPaper("003"), {.hardware = true}), Error);
}

TEST(Published, ExperimentsHaveTheColumnsMeansAndMachinesThatValuesName) {
  for (const std::string& id : paperIds()) {
    const Paper paper = loadPaper(id);
    for (const Item& item : paper.items) {
      if (item.experiment.empty()) continue;
      const std::string file = paper.folder + "/" + item.experiment;
      Mistakes mistakes;
      const Experiment experiment = parseExperiment(readFile(file), file, mistakes);
      for (const Error& mistake : mistakes.found()) ADD_FAILURE() << mistake.what();
      const auto columnOf = [&](const std::string& name) {
        return std::find_if(experiment.columns.begin(), experiment.columns.end(), [&](const Column& each) { return each.name == name; });
      };
      // A picked machine is a row of the table, and none of the file.
      const auto hasMachine = [&](const std::string& name) {
        return name.empty() || (item.experiment == paper.pick.experiment && name == paper.pick.name) ||
               std::any_of(experiment.machines.begin(), experiment.machines.end(), [&](const auto& each) { return each.label == name; });
      };
      for (const std::string& name : item.bars.machines) EXPECT_TRUE(hasMachine(name)) << file << ' ' << name;
      for (const std::vector<std::string>* drawn : {&item.bars.columns, &item.map.columns})
        for (const std::string& name : *drawn) EXPECT_NE(columnOf(name), experiment.columns.end()) << file << ' ' << name;
      for (const PublishedValue& value : item.values) {
        if (isMissing(item, value) || item.origin != Origin::runs) continue;
        EXPECT_TRUE(hasMachine(value.machine) && hasMachine(value.overMachine)) << file << ' ' << value.name;
        const auto column = columnOf(value.ours);
        ASSERT_NE(column, experiment.columns.end()) << file << ' ' << value.ours;
        const bool hasMean = std::any_of(column->means.begin(), column->means.end(), [&](Mean mean) { return nameOf(mean) == value.mean; });
        EXPECT_TRUE(value.mean.empty() || hasMean) << file << ' ' << value.ours;
      }
    }
  }
}

// The machines of the studies are those that the papers' tables describe.
TEST(Published, MachinesHaveThePublishedSettings) {
  u32 found = 0;
  for (const std::string& id : paperIds()) {
    const Paper paper = loadPaper(id);
    for (const Item& item : paper.items) {
      if (item.origin != Origin::settings) continue;
      for (const PublishedValue& value : item.values) {
        ++found;
        // Times of DRAM are whole ticks of its clock.
        if (value.unit == "ns")
          EXPECT_NEAR(settingNumber(paper, value.machine, value.ours).value_or(0), value.published.value_or(-1), 1)
              << id << ' ' << value.name;
        else if (value.word.empty())
          EXPECT_EQ(settingNumber(paper, value.machine, value.ours), value.published) << id << ' ' << value.name;
        else
          EXPECT_EQ(settingWord(paper, value.machine, value.ours), value.word) << id << ' ' << value.name;
      }
    }
  }
  EXPECT_EQ(found, 111U);
}

TEST(Published, SettingsOfAMachine) {
  const Paper paper = loadPaper("000");
  EXPECT_EQ(settingNumber(paper, "3", "mechanism.avc.bytes / 1024"), 24);
  EXPECT_EQ(settingNumber(paper, "3", "mechanism.avc.skewed"), 0);
  EXPECT_EQ(settingNumber(paper, "joint", "mechanism.avc.joint_tags"), 1);
  EXPECT_EQ(settingNumber(paper, "fermi-avc-24", "mechanism.avc.bytes"), std::nullopt);
  EXPECT_EQ(settingNumber(paper, "3", "l1d.replacement"), std::nullopt);
  EXPECT_EQ(settingWord(paper, "3", "l1d.replacement"), "tree_plru");
  EXPECT_EQ(settingWord(paper, "3", "l1d.none"), "");
  EXPECT_THROW(settingNumber(paper, "4", "l1d.bytes"), Error);
  EXPECT_EQ(machineOf(paper, "1").preset, "fermi-avc-40");
  EXPECT_THROW(machineOf(paper, "4"), Error);
}

// Table 1 of paper 002, whose mechanism has a hyphen in its name, which an expression has not.
TEST(Published, SettingsOfAMechanism) {
  const Paper paper = loadPaper("002");
  EXPECT_EQ(settingNumber(paper, "tCbase", "mechanism.tiny_cache.lines * mechanism.tiny_cache.line_bytes"), 1024);
  EXPECT_EQ(settingNumber(paper, "fermi-esesc", "mechanism.tiny_cache.lines"), std::nullopt);
  EXPECT_EQ(settingWord(paper, "tCbase", "mechanism.tiny-cache.bypass"), "none");
  EXPECT_EQ(settingWord(paper, "tCbase", "sm.pipeline.scheduler"), "switch_on_memory");
  // A machine that differs is seen: 15 SMs and 48 warps in place of 4 and 24.
  EXPECT_EQ(settingNumber(paper, "gtx480", "chip.multiprocessors"), 15);
  EXPECT_EQ(settingNumber(paper, "gtx480", "sm.warps"), 48);
}

TEST(Published, TagRules) {
  EXPECT_EQ(tagOfResult("sum U A"), "A");
  EXPECT_EQ(tagOfResult("sum A A"), "V");
  EXPECT_EQ(tagOfResult("product A U"), "V");
  EXPECT_EQ(tagOfResult("shift_left A U"), "A");
  EXPECT_EQ(tagOfResult("shift_left U A"), "V");
  for (const char* wrong : {"", "sum", "sum U", "sum U X", "sum U AV", "summ U U"}) EXPECT_EQ(tagOfResult(wrong), "") << wrong;
}

TEST(Published, AnEnergyHasATableAndAReason) {
  EXPECT_EQ(loadPaper("000").energy.table, "40nm");
  const std::string paper = "id = \"1\"\nitems = []\n[energy]\ntable = \"28nm\"\n";
  EXPECT_EQ(parsePaper(paper + "reason = \"r\"\n", "1.toml").energy.reason, "r");
  EXPECT_THROW(parsePaper(paper, "1.toml"), Error);
  EXPECT_THROW(parsePaper(paper + "reason = \"r\"\nnanojoules = 2\n", "1.toml"), Error);
}

TEST(Published, AnInputOfTrafficHasAReason) {
  const std::string items = "id = \"1\"\nitems = []\n[[traffic]]\nprogram = \"p\"\n";
  const Paper paper = parsePaper(items + "variant = \"v\"\nreason = \"r\"\n", "1.toml");
  EXPECT_EQ(paper.traffic.at(0).variant, "v");
  EXPECT_THROW(parsePaper(items + "variant = \"v\"\n", "1.toml"), Error);
  EXPECT_THROW(parsePaper(items + "size = \"small\"\nreason = \"r\"\n", "1.toml"), Error);
}

// A kernel is measured in one way: one variant of its program, and machines that the paper has.
TEST(Published, AKernelUnderPressureHasOneVariant) {
  std::map<std::pair<std::string, std::string>, std::string> variants;
  for (const Item& item : loadPaper("000").items) {
    if (item.origin != Origin::pressure) continue;
    for (const PublishedValue& value : item.values) {
      const auto [known, isNew] = variants.try_emplace({value.program, value.kernel}, value.variant);
      EXPECT_EQ(known->second, value.variant) << item.number << ' ' << value.name;
    }
  }
  const Paper paper = loadPaper("000");
  for (const PublishedMachine& machine : paper.machines)
    EXPECT_NO_THROW(machineOf(paper, machine.baseline.empty() ? "B" : machine.baseline));
}

TEST(Published, AnotherTableOfEnergiesCanBeGiven) {
  Paper paper = loadPaper("000");
  setEnergy(paper, "28nm");
  EXPECT_EQ(paper.energy.table, "28nm");
  EXPECT_EQ(paper.energy.reason, "--energy");
  for (const char* wrong : {"29nm", "avc=1", ""}) EXPECT_THROW(setEnergy(paper, wrong), Error) << wrong;
  Paper none = loadPaper("001");
  EXPECT_THROW(setEnergy(none, "28nm"), Error);
}

TEST(Published, ProfilesAreExperiments) {
  u32 found = 0;
  for (const std::string& id : paperIds()) {
    const Paper paper = loadPaper(id);
    for (const Item& item : paper.items) {
      if (item.profiles.empty()) continue;
      ++found;
      const std::string file = paper.folder + "/" + item.profiles;
      Mistakes mistakes;
      parseExperiment(readFile(file), file, mistakes);
      for (const Error& mistake : mistakes.found()) ADD_FAILURE() << mistake.what();
    }
  }
  EXPECT_EQ(found, 4U);
}

TEST(Published, MistakesInTheDataHavePositions) {
  try {
    parsePaper("id = \"1\"\n[[items]]\nfigure = \"1\"\nvalues = [\n  { name = \"x\", publishd = 3 }]\n", "1.toml");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.where().line, 5U);
    EXPECT_NE(std::string(error.what()).find("did you mean 'published'?"), std::string::npos) << error.what();
  }
}

// How a study's values are found is the paper's own, beside its values.
TEST(Published, AStudyUnderPressureIsData) {
  const Paper paper = loadPaper("000");
  EXPECT_EQ(paper.targets.size(), 3U);
  EXPECT_EQ(paper.pressure.registers, "fermi32");
  EXPECT_DOUBLE_EQ(paper.pressure.negligible, 1e-4);
  EXPECT_EQ(machineOf(paper, paper.pressure.machine).preset, "fermi-avc-32");
  EXPECT_EQ(paper.pressure.columns.size(), 5U);
  EXPECT_EQ(paper.pressure.classColumns.size(), 2U);
  EXPECT_TRUE(loadPaper("001").pressure.columns.empty());
  const auto messageOf = [](const std::string& text) {
    try {
      parsePaper("id = \"1\"\nitems = []\n" + text, "1.toml");
    } catch (const Error& error) {
      return std::string(error.message());
    }
    return std::string("no error");
  };
  const std::string target =
      "[[targets]]\nname = \"t\"\nmachine = \"gtx480\"\naddress_bits = 32\n[[machines]]\nname = \"m\"\npreset = \"gtx480\"\n";
  const std::string study =
      "[pressure]\nregisters = \"t\"\nmachine = \"m\"\nbaseline = \"m\"\nnegligible = 0.5\ncolumns = [{ name = \"a\", value = \"1\" }]\n";
  const std::string classes = "[pressure.classes]\npreset = \"gtx480\"\ncolumns = [{ name = \"b\", value = \"2\" }]\n";
  EXPECT_EQ(messageOf(target + study + classes), "no error");
  EXPECT_NE(messageOf(study + classes).find("needs 'registers' with the name of a target"), std::string::npos);
  EXPECT_NE(messageOf(target + study).find("'classes' with a 'preset'"), std::string::npos);
  EXPECT_NE(messageOf("[[targets]]\nname = \"t\"\nmachine = \"gtx480\"\naddress_bits = 16\n").find("'address_bits' of 32 or 64"),
            std::string::npos);
  try {
    parsePaper("id = \"1\"\n[[items]]\nfigure = \"1\"\norigin = \"pressure\"\n", "1.toml");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the origin of figure 1 needs [pressure]");
  }
}

TEST(Published, ValuesMayBeDrawnOnlyOrComparedWithAnotherKernel) {
  const Paper paper = parsePaper(
      "id = \"1\"\n[[items]]\nfigure = \"1\"\nvalues = [\n  { name = \"x\", published = \"drawn\", ours = \"time\", kernel = \"a\", "
      "machine = \"m\", over_kernel = \"b\", over_machine = \"n\" }]\n",
      "1.toml");
  const PublishedValue& value = paper.items.at(0).values.at(0);
  EXPECT_EQ(value.published, std::nullopt);
  EXPECT_EQ(value.overKernel, "b");
  EXPECT_EQ(value.overMachine, "n");
  EXPECT_NO_THROW(parsePaper("id = \"1\"\nitems = [{ figure = \"1\", values = [{ published = \"none\" }] }]", "1.toml"));
  const auto withOrigin = [](const std::string& origin) {
    return parsePaper("id = \"1\"\nitems = [{ table = \"1\", origin = \"" + origin + "\", values = [{ published = \"lru\" }] }]", "1.toml");
  };
  EXPECT_THROW(withOrigin("runs"), Error);
  EXPECT_THROW(withOrigin("guesses"), Error);
  EXPECT_EQ(withOrigin("settings").items.at(0).values.at(0).word, "lru");
}

TEST(Selection, TakesFiguresTablesAndChapters) {
  const Paper paper = loadPaper("000");
  EXPECT_EQ(select(paper, {}).size(), paper.items.size());
  ASSERT_EQ(select(paper, {.figure = "1a"}).size(), 1U);
  EXPECT_EQ(select(paper, {.figure = "1"}).size(), 2U);  // 1a and 1b
  EXPECT_EQ(select(paper, {.table = "4"}).at(0).kind, "table");
  EXPECT_THROW(select(paper, {.figure = "4"}), Error);
  ASSERT_EQ(select(loadPaper("002"), {.section = "3.2"}).size(), 1U);
  EXPECT_EQ(select(loadPaper("002"), {.section = "3.2"}).at(0).kind, kSection);
  EXPECT_EQ(select(loadPaper("002"), {.figure = "8"}).size(), 2U);  // bars, and what is picked by them
  try {
    select(loadPaper("002"), {.section = "3.1"});
    ADD_FAILURE() << "there is no such section";
  } catch (const Error& error) {
    const std::string known = error.what();
    ASSERT_NE(known.find("figure 8"), std::string::npos) << known;
    EXPECT_EQ(known.find("figure 8"), known.rfind("figure 8")) << "named twice";
  }
  for (const Item& item : select(loadPaper("004"), {.chapter = "6"})) EXPECT_TRUE(item.number.starts_with("6."));
}

}  // namespace
}  // namespace warpwright::lab
