// What SPEs are like, and how they are changed.
#include "spe/machine.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace warpwright::spe {
namespace {

Machine with(const std::string& name, const std::vector<std::string>& settings) { return machineOf(name, settings); }

// Table 4.5, and section 4.4.2 for the pipelines of figure 4.7.
TEST(Machine, LatenciesAreThoseOfTheThesis) {
  struct Row {
    const char* name;
    u32 load, store, branch;
  };
  for (const Row& row : {Row{"original", 6, 4, 18}, Row{"sams", 10, 7, 21}, Row{"long-latency", 10, 7, 21},
                         Row{"sams-overlapped", 9, 6, 20}, Row{"sams-base-register", 8, 5, 19}}) {
    const Machine machine = machineOf(row.name);
    EXPECT_EQ(machine.loadLatency(), row.load) << row.name;
    EXPECT_EQ(machine.storeLatency(), row.store) << row.name;
    EXPECT_EQ(machine.branchPenalty(), row.branch) << row.name;
    // A fetch takes a load's way but for the switch behind the modules.
    EXPECT_EQ(machine.fetchLatency(), row.load - machine.outboundStages) << row.name;
    EXPECT_EQ(machine.sams, std::string_view(row.name).starts_with("sams")) << row.name;
  }
}

TEST(Machine, EveryFieldIsSetAndDumped) {
  const std::string standard = toToml(machineOf("original"));
  for (const Field& field : fields()) {
    const bool isOrder = field.name == "order", isSwitch = field.name == "sams";
    // The least value that is not the standard one.
    std::string value = isOrder ? "scheduled" : isSwitch ? "true" : std::to_string(field.minimum);
    if (!isOrder && !isSwitch && field.valueText(machineOf("original")) == value) value = std::to_string(field.maximum);
    const Machine machine = with("original", {field.key() + "=" + value});
    EXPECT_EQ(field.valueText(machine), isOrder ? "\"scheduled\"" : value);
    EXPECT_NE(toToml(machine), standard) << field.key();
    EXPECT_EQ(findField(field.key()), &field);
  }
  EXPECT_EQ(with("sams", {"spe.inbound_stages=2", "spe.inbound_stages=5"}).loadLatency(), 12u);
}

std::string refusalOf(const std::string& name, const std::vector<std::string>& settings) {
  try {
    machineOf(name, settings);
  } catch (const Error& error) {
    return error.message() + " / " + error.remedy();
  }
  return "taken";
}

TEST(Machine, WhatIsWrongIsNamed) {
  EXPECT_EQ(refusalOf("sam", {}), "unknown SPE 'sam' / did you mean 'sams'?");
  EXPECT_EQ(refusalOf("sams", {"spe.fetches_ahed=1"}), "unknown key of an SPE 'spe.fetches_ahed' / did you mean 'spe.fetches_ahead'?");
  EXPECT_EQ(refusalOf("sams", {"spe.fetches_ahead"}), "a setting is written KEY=VALUE, not 'spe.fetches_ahead' / as spe.fetches_ahead=0");
  EXPECT_EQ(refusalOf("sams", {"spe.fetches_ahead=9"}), "spe.fetches_ahead = 9 is out of range: 0 to 4 / ");
  EXPECT_EQ(refusalOf("sams", {"spe.fetch_bytes=48"}), "spe.fetch_bytes = 48 is out of range: 32 to 128, a power of two / ");
  EXPECT_EQ(refusalOf("sams", {"spe.dma_queue=many"}), "spe.dma_queue = many is out of range: 1 to 1024 / ");
  EXPECT_EQ(refusalOf("sams", {"spe.order=random"}), "spe.order = random is out of range: program or scheduled / ");
  EXPECT_EQ(refusalOf("sams", {"spe.sams=1"}), "spe.sams = 1 is out of range: true or false / ");
}

}  // namespace
}  // namespace warpwright::spe
