#include "energy/table.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "energy/events.hpp"
#include "energy/technology.hpp"

namespace warpwright::energy {
namespace {

const std::string kFolder = std::string(WARPWRIGHT_SOURCE_DIR) + "/configs";
const char* const kTables[] = {"45nm", "40nm", "32nm", "28nm", "5nm"};

class Tables : public ::testing::Test {
 protected:
  void SetUp() override { setenv("WARPWRIGHT_CONFIGS", kFolder.c_str(), 1); }
};

// What is wrong with a table that inherits from 45nm.
Error errorOf(const std::string& toml) {
  try {
    parseTable("base = \"45nm\"\ndescription = \"a test\"\nnanometres = 45\n" + toml, kFolder + "/energy/test.toml");
  } catch (const Error& error) {
    return error;
  }
  return Error("nothing is wrong");
}

TEST_F(Tables, AreReadByName) {
  for (const char* name : kTables) {
    const Table table = loadTable(name);
    EXPECT_EQ(table.name, name);
    EXPECT_EQ(table.nanometres, std::stod(name));
    EXPECT_FALSE(table.description.empty());
  }
}

TEST_F(Tables, HaveASourceAndARangeForEveryNumber) {
  for (const char* name : kTables) {
    const Table table = loadTable(name);
    for (const Event& event : events()) {
      EXPECT_EQ(table.entries.contains(event.path()), event.origin == Origin::table) << name << " " << event.path();
    }
    for (const auto& [path, entry] : table.entries) {
      EXPECT_GT(entry.source.size(), 2u) << name << " " << path;
      EXPECT_GT(entry.energy.low, 0) << name << " " << path;
      EXPECT_LT(entry.energy.low, entry.energy.value) << name << " " << path;
      EXPECT_LT(entry.energy.value, entry.energy.high) << name << " " << path;
    }
    for (const auto& [length, entry] : table.lengths) EXPECT_GT(entry.source.size(), 2u) << name << " " << length;
    for (const char* kind : {"gddr3", "gddr5", "hbm2"}) EXPECT_TRUE(table.dram.contains(kind)) << name << " " << kind;
  }
}

// A letter in brackets names a source in the head of the file, or of the file that the entry is inherited from.
TEST_F(Tables, NameTheirSources) {
  for (const char* name : kTables) {
    const std::string text = readFile(kFolder + "/energy/" + name + ".toml");
    for (std::size_t at = text.find('['); at != std::string::npos; at = text.find('[', at + 1)) {
      if (text.substr(at + 2, 1) != "]") continue;
      EXPECT_NE(text.find("# " + text.substr(at, 3) + ": "), std::string::npos) << name << ": " << text.substr(at, 3);
    }
  }
}

TEST_F(Tables, ScaleWhatTheyInherit) {
  const Table root = loadTable("45nm"), fine = loadTable("32nm");
  const Factor factor = logicScale(45, 32);
  const Energy &inherited = fine.entries.at("pipe.special").energy, &there = root.entries.at("pipe.special").energy;
  EXPECT_DOUBLE_EQ(inherited.low, there.low * factor.low);
  EXPECT_DOUBLE_EQ(inherited.value, there.value * factor.value);
  EXPECT_DOUBLE_EQ(inherited.high, there.high * factor.high);
}

// 50 pJ at 40 nm in 45nm.toml.
TEST_F(Tables, ScaleFromTheNodeOfTheSource) {
  EXPECT_NEAR(loadTable("40nm").entries.at("pipe.fp64_fma").energy.value, 50e-12, 1e-18);
  EXPECT_NEAR(loadTable("45nm").entries.at("pipe.fp64_fma").energy.value, 50e-12 * logicScale(40, 45).value, 1e-18);
}

// Keckler and others, table 1, give the wire of 40 nm twice: 240 fJ a transition and mm, and 310 pJ for 256 bits over 10 mm.
TEST_F(Tables, AgreeWithThemselves) {
  const Energy wire = loadTable("40nm").entries.at(std::string(kWire)).energy;
  EXPECT_NEAR(wire.value, 310e-12 / 256 / 10, 1e-15);
  EXPECT_NEAR(wire.high, 240e-15, 1e-18);
}

TEST_F(Tables, ReplaceWhatTheyGiveThemselves) {
  const Table table = parseTable(
      "base = \"45nm\"\ndescription = \"a test\"\nnanometres = 45\n"
      "[pipe.move]\npicojoules = 4\nwithin = 2\nsource = \"a test\"\n",
      kFolder + "/energy/test.toml");
  EXPECT_EQ(table.name, "test");
  const Energy move = table.entries.at("pipe.move").energy;
  EXPECT_DOUBLE_EQ(move.low, 2e-12);
  EXPECT_DOUBLE_EQ(move.value, 4e-12);
  EXPECT_DOUBLE_EQ(move.high, 8e-12);
  EXPECT_EQ(table.entries.at("pipe.move").source, "a test");
}

TEST_F(Tables, TellWhichNamesThereAre) {
  try {
    loadTable("48nm");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.remedy().find("did you mean"), std::string::npos) << error.what();
  }
  try {
    loadTable("fermi");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.remedy().find("28nm, 32nm, 40nm, 45nm, 5nm"), std::string::npos) << error.what();
  }
}

TEST_F(Tables, RefuseAnEntryThatNothingCounts) {
  const Error error = errorOf("[pipe.int_ad]\npicojoules = 1\nwithin = 2\nsource = \"x\"\n");
  EXPECT_EQ(error.message(), "unknown entry 'pipe.int_ad'");
  EXPECT_EQ(error.remedy(), "did you mean 'pipe.int_add'?");
  EXPECT_EQ(error.where().line, 4u);
}

TEST_F(Tables, RefuseANumberWithoutASource) {
  const Error error = errorOf("[pipe.move]\npicojoules = 1\nwithin = 2\n");
  EXPECT_EQ(error.message(), "pipe.move has no 'source'");
  EXPECT_EQ(error.where().line, 4u);
}

TEST_F(Tables, RefuseANumberWithoutARange) {
  EXPECT_EQ(errorOf("[pipe.move]\npicojoules = 1\nsource = \"x\"\n").message(), "the range of pipe.move is not given, or given twice");
  EXPECT_EQ(errorOf("[pipe.move]\npicojoules = 1\nlow = 1\nsource = \"x\"\n").message(),
            "the range of pipe.move is not given, or given twice");
  EXPECT_EQ(errorOf("[pipe.move]\npicojoules = 1\nlow = 1\nhigh = 1\nwithin = 2\nsource = \"x\"\n").message(),
            "the range of pipe.move is not given, or given twice");
}

TEST_F(Tables, RefuseWhatIsNoRange) {
  const Error error = errorOf("[pipe.move]\npicojoules = 1\nlow = 2\nhigh = 3\nsource = \"x\"\n");
  EXPECT_EQ(error.message(), "2 to 3 is no range of 1");
  EXPECT_EQ(error.where().line, 5u);
  EXPECT_EQ(errorOf("[pipe.move]\npicojoules = 1\nwithin = 0.5\nsource = \"x\"\n").message(), "'within' is 1 or more");
  EXPECT_EQ(errorOf("[pipe.move]\npicojoules = -1\nwithin = 2\nsource = \"x\"\n").message(), "-0.5 to -2 is no range of -1");
  EXPECT_EQ(errorOf("[pipe.move]\npicojoules = \"1\"\nwithin = 2\nsource = \"x\"\n").message(), "'picojoules' is a number");
  EXPECT_EQ(errorOf("[pipe.move]\npicojoules = inf\nwithin = 2\nsource = \"x\"\n").message(), "'picojoules' is a number");
}

TEST_F(Tables, RefuseNodesWithoutData) {
  EXPECT_EQ(errorOf("[pipe.move]\npicojoules = 1\nwithin = 2\nnanometres = 130\nsource = \"x\"\n").message(),
            "there are no data for 130 nm");
  EXPECT_THROW(parseTable("base = \"45nm\"\ndescription = \"x\"\nnanometres = 3\n", kFolder + "/energy/test.toml"), Error);
}

TEST_F(Tables, RefuseOtherMistakes) {
  EXPECT_EQ(errorOf("[pipe.move]\npicojoule = 1\n").remedy(), "did you mean 'picojoules'?");
  EXPECT_EQ(errorOf("[length.register_to_pip]\nmillimetres = 1\nwithin = 2\nsource = \"x\"\n").remedy(),
            "did you mean 'register_to_pipe'?");
  EXPECT_EQ(errorOf("pipe = 3\n").message(), "'pipe' is a table");
  EXPECT_EQ(errorOf("[dram.gddr5]\nvolts = 1\n").message(), "gddr5 has no 'interface'");
  EXPECT_EQ(errorOf("pipe = [\n").where().line, 4u);
}

TEST_F(Tables, NeedAllEntriesWithoutABase) {
  try {
    parseTable("description = \"x\"\nnanometres = 45\n", "alone.toml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("[pipe.int_add]"), std::string::npos);
    EXPECT_NE(error.message().find("[length.network_link]"), std::string::npos);
    EXPECT_NE(error.remedy().find("base"), std::string::npos);
  }
}

TEST_F(Tables, AreNoBaseOfThemselves) {
  const std::string file = ::testing::TempDir() + "itself.toml";
  writeFile(file, "base = \"./itself.toml\"\ndescription = \"x\"\nnanometres = 45\n");
  EXPECT_THROW(loadTable(file), Error);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace warpwright::energy
