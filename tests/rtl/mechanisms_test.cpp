// Hardware of mechanisms against the simulator's models, step by step.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "isa/program.hpp"
#include "mechanisms/assist_warps/table.hpp"
#include "mechanisms/conflict_aware/predictor.hpp"
#include "mechanisms/elastic_mshr/mshrs.hpp"
#include "mechanisms/tiny_cache/lane_cache.hpp"
#include "rtl/simulation.hpp"

namespace warpwright::rtl {
namespace {

constexpr u32 kSteps = 20000;

// A design with its ports by name. All designs of this file are made at once, when the first is asked for.
class Hardware {
 public:
  explicit Hardware(const std::string& name) : simulation_(all().at(name)), inputs_(simulation_.top().inputBits()) {}

  Hardware& set(std::string_view port, u64 value) {
    inputs_.put(simulation_.top().field(port), value);
    return *this;
  }
  // With the inputs that have been set since the last step; others are 0.
  void step() {
    outputs_ = simulation_.step(inputs_);
    inputs_ = Bits(inputs_.width());
  }
  u64 get(std::string_view port) const { return outputs_.get(simulation_.top().field(port)); }

 private:
  static std::map<std::string, Simulation>& all() {
    static std::map<std::string, Simulation> made = make();
    return made;
  }
  static std::map<std::string, Simulation> make() {
    const std::vector<std::string> names = {"conflict-history:sets=4,pc-bits=7",
                                            "conflict-history:sets=2,ways=4,pc-bits=6",
                                            "conflict-mask",
                                            "vector-mshrs:entries=8,block-bits=6",
                                            "vector-mshrs:entries=4,block-bits=5,elastic=0",
                                            "lane-cache:granules=4,name-bits=6",
                                            "lane-cache:sets=4,ways=2,granules=8,name-bits=5",
                                            "assist-table:entries=6,warps=4,groups=2,instruction-bits=3,limit=4"};
    std::vector<Package> packages;
    for (const std::string& name : names) packages.push_back(makePackage(name));
    const std::vector<Simulation> simulations = simulate(packages, "mechanisms");
    std::map<std::string, Simulation> made;
    for (std::size_t i = 0; i < names.size(); ++i) made.emplace(names[i], simulations[i]);
    return made;
  }

  Simulation simulation_;
  Bits inputs_, outputs_;
};

// ---- conflict-aware scheduling
void compareHistory(const std::string& name, u32 sets, u32 ways, u32 pcBits) {
  namespace conflict_aware = mechanisms::conflict_aware;
  Hardware hardware(name);
  const auto model = conflict_aware::makePredictor({.sets = sets, .ways = ways, .pcBits = pcBits}, 31);
  Random random(1);
  for (u32 i = 0; i < kSteps; ++i) {
    const u32 pcs = 1u << pcBits, pc = static_cast<u32>(random() % pcs), learnt = static_cast<u32>(random() % pcs),
              value = static_cast<u32>(random() % 32);
    const bool looksUp = random() % 2 == 0, learns = random() % 2 == 0, clears = random() % 2000 == 0;
    hardware.set("look_up", looksUp).set("pc", pc).set("learn", learns && !clears).set("learn_pc", learnt).set("learn_value", value);
    hardware.set("clear", clears).step();
    if (looksUp) {
      const std::optional<u32> predicted = model->predict(Pc{pc});
      ASSERT_EQ(hardware.get("hit"), predicted.has_value()) << "step " << i;
      ASSERT_EQ(hardware.get("value"), predicted.value_or(0)) << "step " << i;
    }
    if (clears) {
      model->clear();
    } else if (learns) {
      model->learn(Pc{learnt}, value);
    }
  }
}

TEST(HardwareOfMechanisms, HistoryOfConflicts) {
  compareHistory("conflict-history:sets=4,pc-bits=7", 4, 2, 7);
  compareHistory("conflict-history:sets=2,ways=4,pc-bits=6", 2, 4, 6);
}

// Equation 5.7 as the scheduler has it: the cycle from which the banks are free.
TEST(HardwareOfMechanisms, MaskOfMemoryWarps) {
  constexpr u32 kInterval = 4, kMost = 31;
  Hardware hardware("conflict-mask");
  Random random(1);
  u64 banksFree = 0, needed = 0;
  for (u64 now = 0; now < kSteps; ++now) {
    const u64 ready = random() & 0xffffffff, memory = random() & 0xffffffff, foreseen = random() % 3 == 0 ? random() % 29 : 0,
              conflicts = random() % 8;
    const bool isBusy = now < banksFree, issues = !isBusy && random() % 3 == 0, isServed = random() % 2 == 0, isLast = random() % 4 == 0;
    hardware.set("ready", ready).set("memory", memory).set("issues_access", issues).set("foreseen", foreseen);
    hardware.set("served", isServed).set("is_last", isLast).set("conflicts", conflicts).step();
    ASSERT_EQ(hardware.get("eligible"), isBusy ? ready & ~memory : ready) << "cycle " << now;
    if (issues) banksFree = now + kInterval + foreseen;
    if (!isServed) continue;
    needed = std::min<u64>(needed + conflicts, kMost);
    ASSERT_EQ(hardware.get("needed"), needed) << "cycle " << now;
    if (isLast) needed = 0;
  }
}

// ---- elastic MSHRs
void compareMshrs(const std::string& name, u32 entries, u32 blockBits, bool isElastic) {
  namespace mshr = mechanisms::elastic_mshr;
  Hardware hardware(name);
  mshr::Mshrs model({.entries = entries, .secondaries = 2, .ways = entries});
  Random random(1);
  std::vector<u32> served;  // loads that have their data and are not released
  for (u32 i = 0; i < kSteps; ++i) {
    std::vector<u32> fired;
    for (u32 e = 0; e < entries; ++e)
      if (!model.isFree(e) && model.isWaiting(e) && model[e].packet == e) fired.push_back(e);
    const u64 what = random() % 4;
    if (what == 0 && !fired.empty()) {
      const u32 entry = fired[random() % fired.size()];
      hardware.set("arrive", 1).set("arrive_entry", entry).step();
      model.arrived(entry, [&](u32 load) { served.push_back(load); });
    } else if (what == 1 && !served.empty()) {
      const auto load = served.begin() + static_cast<std::ptrdiff_t>(random() % served.size());
      hardware.set("release_load", 1).set("release_entry", *load / 2).step();
      model.release(*load);
      served.erase(load);
    } else {
      const u64 block = random() % (u64{1} << blockBits);
      const u32 hyper = isElastic ? static_cast<u32>(random() % 4) : 0;
      hardware.set("load", 1).set("block", block);
      if (isElastic) hardware.set("hyper", hyper);
      hardware.step();
      const mshr::Mshrs::Verdict verdict = model.find(block);
      ASSERT_EQ(hardware.get("outcome"), static_cast<u64>(verdict.outcome)) << "step " << i;
      if (verdict.outcome == mshr::Outcome::noEntry) continue;
      ASSERT_EQ(hardware.get("entry"), verdict.entry) << "step " << i;
      const bool reserves = verdict.outcome == mshr::Outcome::reservation;
      ASSERT_EQ(reserves ? hardware.get("packet") : 0, reserves ? verdict.packet : 0) << "step " << i;
      if (verdict.outcome != mshr::Outcome::noSecondary) model.add(verdict, block, 1u << hyper, {}, {});
    }
  }
}

TEST(HardwareOfMechanisms, ElasticMshrs) { compareMshrs("vector-mshrs:entries=8,block-bits=6", 8, 6, true); }
TEST(HardwareOfMechanisms, PlainMshrs) { compareMshrs("vector-mshrs:entries=4,block-bits=5,elastic=0", 4, 5, false); }

// ---- tinyCache
void compareTinyCache(const std::string& name, u32 sets, u32 ways, u32 granules, u32 nameBits) {
  namespace tiny_cache = mechanisms::tiny_cache;
  Hardware hardware(name);
  tiny_cache::LaneCache model({.lines = sets * ways, .ways = ways, .lineBytes = granules * 2});
  Random random(1);
  for (u32 i = 0; i < kSteps; ++i) {
    if (random() % 16 == 0) {
      const u32 entry = static_cast<u32>(random() % (sets * ways));
      hardware.set("take", 1).set("take_entry", entry).step();
      const tiny_cache::Line line = model.take(entry);
      ASSERT_EQ(hardware.get("leaves"), line.state != tiny_cache::State::invalid) << "step " << i;
      ASSERT_EQ(hardware.get("dirty"), line.dirty()) << "step " << i;
      continue;
    }
    const u64 number = random() % (u64{1} << nameBits), touched = random() % ((u64{1} << granules) - 1) + 1;
    const bool writes = random() % 2 == 0;
    hardware.set("access", 1).set("write", writes).set("name", number).set("granules", touched).step();
    const tiny_cache::LineName line = tiny_cache::LineName::global(number);
    const tiny_cache::LaneCache::Outcome outcome = writes ? model.write(line, touched) : model.read(line, touched);
    ASSERT_EQ(hardware.get("event_code"), static_cast<u64>(outcome.event)) << "step " << i;
    ASSERT_EQ(hardware.get("entry"), outcome.entry) << "step " << i;
    ASSERT_EQ(hardware.get("leaves"), outcome.victim.has_value()) << "step " << i;
    ASSERT_EQ(hardware.get("dirty"), outcome.victim ? outcome.victim->line.dirty() : 0) << "step " << i;
  }
}

TEST(HardwareOfMechanisms, TinyCache) {
  compareTinyCache("lane-cache:granules=4,name-bits=6", 2, 8, 4, 6);
  compareTinyCache("lane-cache:sets=4,ways=2,granules=8,name-bits=5", 4, 2, 8, 5);
}

// ---- assist warps
TEST(HardwareOfMechanisms, AssistWarpTable) {
  namespace assist_warps = mechanisms::assist_warps;
  constexpr u32 kEntries = 6, kWarps = 4, kLengths = 7;
  Hardware hardware("assist-table:entries=6,warps=4,groups=2,instruction-bits=3,limit=4");
  assist_warps::AssistTable model({.entries = 4, .lowEntries = 2, .warpEntries = 2, .mostLive = 4});
  std::vector<isa::Function> functions(kLengths);
  std::vector<assist_warps::Routine> routines(kLengths * 2);  // by length and group
  for (u32 i = 0; i < routines.size(); ++i) {
    functions[i / 2].end = Pc{i / 2 + 1};
    routines[i].function = &functions[i / 2];
    routines[i].group = i % 2;
  }
  std::vector<assist_warps::Entry*> entries(kEntries);
  Random random(1);
  u32 helpers = 0;
  for (u32 i = 0; i < kSteps; ++i) {
    std::vector<u32> inUse;
    for (u32 e = 0; e < kEntries; ++e)
      if (entries[e] != nullptr) inUse.push_back(e);
    const u64 what = random() % 8;
    if (what < 2) {
      const auto priority = static_cast<assist_warps::Priority>(random() % 3);
      const u32 warp = static_cast<u32>(random() % kWarps), routine = static_cast<u32>(random() % routines.size());
      hardware.set("insert", 1).set("warp", warp).set("group", routine % 2).set("priority_code", static_cast<u64>(priority));
      hardware.set("length", routine / 2 + 1).step();
      const bool hasRoom = model.hasRoom(priority) && inUse.size() < kEntries;
      ASSERT_EQ(hardware.get("has_room"), hasRoom) << "step " << i;
      if (!hasRoom) continue;
      assist_warps::Entry& entry = model.insert({.slot = SlotId{warp}, .routine = &routines[routine], .priority = priority, .next = Pc{0}});
      ASSERT_EQ(hardware.get("free_entry"), entry.position) << "step " << i;
      entries[entry.position] = &entry;
    } else if (what < 5) {
      hardware.set("stage", 1).step();
      assist_warps::Entry* chosen = model.next();
      ASSERT_EQ(hardware.get("can_stage"), chosen != nullptr) << "step " << i;
      if (chosen == nullptr) continue;
      ASSERT_EQ(hardware.get("chosen"), chosen->position) << "step " << i;
      if (chosen->waits()) model.deployed(*chosen, helpers++);
      model.stage(*chosen);
    } else if (!inUse.empty()) {
      const u32 which = inUse[random() % inUse.size()];
      assist_warps::Entry& entry = *entries[which];
      hardware.set("which", which);
      if (what < 7 && entry.staged > 0) {
        hardware.set("issued", 1).step();
        model.issued(entry);
        // The routine ends with its last instruction.
        if (entry.staged == 0 && entry.next == entry.routine->function->end) {
          hardware.set("which", which).set("through", 1).step();
          model.isThrough(entry);
        }
      } else if (what == 7) {
        hardware.set("ended", 1).step();
        model.free(entry);
        entries[which] = nullptr;
      } else {
        hardware.step();
      }
    }
  }
}

}  // namespace
}  // namespace warpwright::rtl
