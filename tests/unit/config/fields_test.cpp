#include "config/fields.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "config/fields/rows.hpp"
#include "config/rules.hpp"

namespace warpwright::config {
namespace {

// One that has the section.
Machine timedMachine(const Section& section) {
  Machine machine;
  machine.timed = true;
  if (section.policy) *std::get<Policy*>(section.chosenBy(machine).value()) = Policy(*section.policy);
  for (const MechanismKind* kind : mechanismKinds()) machine.mechanisms.add(*kind);
  return machine;
}

// Gives the field another value that its range allows; the machine need not obey the rules.
void change(const Field& field, Machine& machine) {
  const Slot slot = field.slot(machine).value();
  if (u32* const* number = std::get_if<u32*>(&slot)) **number += 1;
  if (u64* const* number = std::get_if<u64*>(&slot)) **number += 1;
  if (bool* const* flag = std::get_if<bool*>(&slot)) **flag = !**flag;
  if (std::string* const* text = std::get_if<std::string*>(&slot)) **text += "x";
  if (Policy* const* policy = std::get_if<Policy*>(&slot)) (*policy)->name += "x";
  if (const EnumSlot* member = std::get_if<EnumSlot>(&slot)) *member->value = static_cast<u8>((*member->value + 1) % member->names.size());
}

TEST(Fields, EachReachesAMemberOfItsOwn) {
  std::set<std::string> dumps;
  for (const Section& section : sections()) {
    const Machine defaults = timedMachine(section);
    for (const Field& field : section.fields) {
      Machine changed = timedMachine(section);
      change(field, changed);
      EXPECT_NE(changed, defaults) << field.key();
      EXPECT_TRUE(dumps.insert(toToml(changed)).second) << field.key();
      EXPECT_NE(hashOf(changed), hashOf(defaults)) << field.key();
    }
  }
}

// How many members an aggregate has: as many initializers as it takes.
struct Any {
  template <class T>
  operator T() const;
};
template <class T, class... Given>
consteval std::size_t membersOf() {
  if constexpr (requires { T{Given{}..., Any{}}; }) {
    return membersOf<T, Given..., Any>();
  } else {
    return sizeof...(Given);
  }
}

TEST(Fields, CoverEveryMember) {
  EXPECT_EQ(cacheRows().size(), membersOf<Cache>());
  EXPECT_EQ(partitionRows().size(), membersOf<Partition>());
  EXPECT_EQ(networkRows().size(), membersOf<Network>());
  EXPECT_EQ(dramRows().size(), membersOf<Dram>());
  EXPECT_EQ(pipesRows().size(), membersOf<Pipes>());
  EXPECT_EQ(latencyRows().size(), membersOf<LatencyOf>());
  EXPECT_EQ(finerLatencyRows().size(), membersOf<LatencyOf>());
  EXPECT_EQ(pipelineRows().size() + smMemoryRows().size() + pipesParts().size() + operationParts().size() + finerOperationParts().size(),
            membersOf<Sm>());
  constexpr std::size_t kTimed = 1, kStructures = 12;  // Sm, seven caches, Partition, Network, Dram, Mechanisms
  EXPECT_EQ(machineRows().size() + chipRows().size() + smRows().size() + kTimed + kStructures, membersOf<Machine>());
}

TEST(Fields, KeysAreUniqueAndFound) {
  std::set<std::string> keys;
  for (const Field* field : fields()) {
    EXPECT_TRUE(keys.insert(field->key()).second) << field->key();
    EXPECT_EQ(findField(field->key()), field);
    EXPECT_FALSE(field->text.empty()) << field->key();
  }
  EXPECT_TRUE(keys.contains("sm.pipes.sfu.width"));
  EXPECT_TRUE(keys.contains("texture_cache.mshrs"));
  EXPECT_EQ(findField("sm.pipes.sfu"), nullptr);
}

TEST(Fields, DefaultsLieInTheirRanges) {
  const Machine defaults;
  for (const Field* field : fields()) EXPECT_EQ(field->problem(defaults), std::nullopt) << field->key();
}

TEST(Fields, SetRefusesOtherTypes) {
  Machine machine;
  const Field* ways = findField("l1d.ways");
  EXPECT_TRUE(ways->set(machine, u64{6}));
  EXPECT_EQ(machine.l1d.ways, 6u);
  EXPECT_FALSE(ways->set(machine, true));
  EXPECT_FALSE(ways->set(machine, std::string_view("six")));
  EXPECT_FALSE(ways->set(machine, u64{1} << 32));
  const Field* replacement = findField("l1d.replacement");
  EXPECT_TRUE(replacement->set(machine, std::string_view("tree_plru")));
  EXPECT_EQ(machine.l1d.replacement, "tree_plru");
  EXPECT_FALSE(replacement->set(machine, std::string_view("plru")));
  EXPECT_TRUE(replacement->rangeText().starts_with("`lru` or `tree_plru` or `fifo` or `random`"));
}

// The names stand in the order of the members.
TEST(Fields, NamesFollowTheEnumerations) {
  Machine machine;
  const auto value = [&](const char* key) { return findField(key)->valueText(machine); };
  machine.sm.scheduler = "relaxed_barrel";
  EXPECT_EQ(value("sm.pipeline.scheduler"), "\"relaxed_barrel\"");
  machine.sm.coalescing = Coalescing::sectors;
  EXPECT_EQ(value("sm.memory.coalescing"), "\"sectors\"");
  machine.sm.pipeline = Pipeline::inOrder;
  EXPECT_EQ(value("sm.pipeline.model"), "\"in_order\"");
  machine.l2.replacement = "random";
  EXPECT_EQ(value("l2.replacement"), "\"random\"");
  machine.l2.globalWrites = WritePolicy::writeBack;
  EXPECT_EQ(value("l2.global_writes"), "\"write_back\"");
  machine.l2.setHash = "xor_fold";
  EXPECT_EQ(value("l2.set_hash"), "\"xor_fold\"");
  machine.network.topology = Topology::butterfly;
  EXPECT_EQ(value("network.topology"), "\"butterfly\"");
  machine.network.arbitration = "oldest";
  EXPECT_EQ(value("network.arbitration"), "\"oldest\"");
  machine.dram.kind = DramKind::hbm2;
  EXPECT_EQ(value("dram.kind"), "\"hbm2\"");
  machine.dram.scheduler = "fr_fcfs";
  EXPECT_EQ(value("dram.scheduler"), "\"fr_fcfs\"");
  machine.dram.page = PagePolicy::closed;
  EXPECT_EQ(value("dram.page"), "\"closed\"");
}

TEST(Rules, NameFieldsThatExist) {
  for (const Rule& rule : rules()) {
    for (const std::string& key : rule.keys) EXPECT_NE(findField(key), nullptr) << key;
  }
}

}  // namespace
}  // namespace warpwright::config
