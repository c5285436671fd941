#include "machines/shared_banks.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "compiler/analysis/shared_layouts.hpp"
#include "config/bank_map.hpp"
#include "config/machine.hpp"

namespace warpwright::machines {
namespace {

using isa::ThreadSymbol;

config::Machine fermi(const std::string& bankMap) {
  config::Machine machine = config::loadMachine("gtx480");
  machine.sm.bankMap = bankMap;
  return machine;
}

isa::SharedAccess access(u64 base, s64 perX, s64 perY) {
  isa::SharedAccess access;
  access.base = base;
  access.terms = {{{ThreadSymbol::none, ThreadSymbol::none, ThreadSymbol::tidX}, perX},
                  {{ThreadSymbol::none, ThreadSymbol::none, ThreadSymbol::tidY}, perY}};
  return access;
}

// Two arrays: one read along its rows only, one that is written by rows and read by columns of 32 words.
struct Kernel {
  Kernel() {
    kernel.sharedVariables = {{"rows", 0, 4096}, {"tile", 4096, 4096}};
    kernel.sharedAccesses = {access(0, 4, 128), access(4096, 4, 128), access(4096, 128, 4)};
    launch->program = &program;
    launch->kernel = &kernel;
    launch->block = {32, 32, 1};
  }
  exec::LoadedProgram program;
  isa::Function kernel;
  std::shared_ptr<exec::Launch> launch = std::make_shared<exec::Launch>();
  exec::LaunchRequest request{launch};
};

TEST(SharedBanks, InterleavedBanksHaveNoTable) {
  const config::Machine machine = fermi("low_order");
  EXPECT_EQ(SharedBanks(machine).mapsFor(Kernel().request).common, nullptr);
}

TEST(SharedBanks, AFixedMapIsThatOfTheLibrary) {
  const config::Machine machine = fermi("sams:s=3");
  SharedBanks banks(machine);
  Kernel kernel;
  const auto table = banks.mapsFor(kernel.request).common;
  const auto map = config::sharedBankMap(machine, "sams:s=3");
  ASSERT_EQ(table->words(), 48u * 1024 / 4);
  for (u64 word = 0; word < table->words(); ++word) ASSERT_EQ((*table)[word].bank, map->cellOf(word).bank);
  EXPECT_EQ(banks.mapsFor(kernel.request).common, table);
}

TEST(SharedBanks, AFixedMapHasTheMachinesBanksAndWords) {
  const config::Machine machine = fermi("low_order");
  EXPECT_NO_THROW(config::sharedBankMap(machine, "prime"));  // 37 banks
  EXPECT_THROW(config::sharedBankMap(machine, "sams:q=3"), std::invalid_argument);
  EXPECT_THROW(config::sharedBankMap(machine, "sams:n=8"), std::invalid_argument);
}

TEST(SharedBanks, AnArrayOfWhichNothingIsKnownIsInterleaved) {
  const config::Machine machine = fermi("per_array");
  SharedBanks banks(machine);
  Kernel kernel;
  kernel.kernel.sharedAccesses.erase(kernel.kernel.sharedAccesses.begin());
  const auto table = banks.mapsFor(kernel.request).common;
  const auto plain = config::sharedBankMap(machine, "sams:s=0");
  for (u64 word = 0; word < 1024; ++word) ASSERT_EQ((*table)[word].bank, plain->cellOf(word).bank);
}

TEST(SharedBanks, EachArrayGetsTheMapWithTheFewestConflicts) {
  const config::Machine machine = fermi("per_array");
  SharedBanks banks(machine);
  Kernel kernel;
  const auto table = banks.mapsFor(kernel.request).common;
  std::set<u32> columnBanks, rowBanks;
  for (u64 lane = 0; lane < 32; ++lane) {
    columnBanks.insert((*table)[1024 + 32 * lane].bank);
    rowBanks.insert((*table)[1024 + lane].bank);
  }
  EXPECT_EQ(columnBanks.size(), 32u);
  EXPECT_GE(rowBanks.size(), 16u);  // two words a line
}

// Rows of the array longer than a line of all banks: 32 words on 8 banks, 64 on 32.
TEST(SharedBanks, ColumnsOfWideArraysFindNoConflict) {
  for (const char* bankMap : {"per_array", "per_array:harper"}) {
    for (const char* name : {"gt200-elastic", "gtx480"}) {
      config::Machine machine = config::loadMachine(name);
      machine.sm.bankMap = bankMap;
      const u32 columns = machine.sharedBanks == 8 ? 32 : 64;
      SharedBanks banks(machine);
      Kernel kernel;
      kernel.kernel.sharedVariables = {{"tile", 0, 32 * 4 * columns}};
      kernel.kernel.sharedAccesses = {access(0, 4 * columns, 4), access(0, 4, 4 * columns)};
      const auto table = banks.mapsFor(kernel.request).common;
      std::set<u32> of;
      for (u32 lane = 0; lane < machine.sharedBanks; ++lane) of.insert((*table)[columns * lane].bank);
      EXPECT_EQ(of.size(), machine.sharedBanks) << bankMap << ' ' << name;
    }
  }
}

// Neighbours then share lines, so that half as many words are read (Gou, section 4.3.2).
TEST(SharedBanks, ArraysOfWhichOnlyNeighboursAreReadTakeTheFewestWords) {
  const config::Machine machine = fermi("per_array");
  SharedBanks banks(machine);
  Kernel kernel;
  const auto table = banks.mapsFor(kernel.request).common;
  const auto nas = config::sharedBankMap(machine, "nas");
  for (u64 word = 0; word < 1024; ++word) ASSERT_EQ((*table)[word].bank, nas->cellOf(word).bank);
}

// Passes of an access with this stride to 256 words, by as many threads as are inside.
template <class BankOf>
u32 passesWithin256(u32 stride, u32 banks, BankOf bankOf) {
  u32 passes = 0;
  for (u32 first = 0; first * stride < 256; first += banks) {
    std::map<u32, u32> of;
    for (u32 thread = first; thread < first + banks && thread * stride < 256; ++thread) ++of[bankOf(u64{thread} * stride)];
    passes += std::max_element(of.begin(), of.end(), [](auto& a, auto& b) { return a.second < b.second; })->second;
  }
  return passes;
}

// The levels of a reduction of 256 words: strides 2 to 256, by threads of whom ever fewer are inside the array. The others do nothing. 12
// passes are none too many for 32 banks.
TEST(SharedBanks, ThreadsOutsideTheArrayDoNotCount) {
  for (const auto& [name, least] : {std::pair{"gt200-elastic", 43u}, {"gtx480", 12u}}) {
    config::Machine machine = config::loadMachine(name);
    machine.sm.bankMap = "per_array:harper";
    SharedBanks banks(machine);
    Kernel kernel;
    kernel.launch->block = {256, 1, 1};
    kernel.kernel.sharedVariables = {{"partial", 0, 1024}};
    kernel.kernel.sharedAccesses.clear();
    const auto total = [&](auto bankOf) {
      u32 passes = 0;
      for (u32 stride = 2; stride <= 256; stride *= 2) passes += passesWithin256(stride, machine.sharedBanks, bankOf);
      return passes;
    };
    for (u32 stride = 2; stride <= 256; stride *= 2) kernel.kernel.sharedAccesses.push_back(access(0, 4 * stride, 0));
    const auto table = banks.mapsFor(kernel.request).common;
    const u32 chosen = total([&](u64 word) { return (*table)[word].bank; });
    EXPECT_EQ(chosen, least) << name;
    for (const std::string& choice : config::bankMapChoices(machine)) {
      const auto map = config::sharedBankMap(machine, choice);
      EXPECT_LE(chosen, total([&](u64 word) { return map->cellOf(word).bank; })) << name << ' ' << choice;
    }
  }
}

TEST(SharedBanks, LinesOfDifferentMapsShareNoCell) {
  for (const char* bankMap : {"per_array", "per_array:harper"}) {
    const config::Machine machine = fermi(bankMap);
    SharedBanks banks(machine);
    Kernel kernel;
    kernel.kernel.sharedVariables[0].size = 4000;  // the arrays meet in the middle of a line
    kernel.kernel.sharedVariables[1] = {"tile", 4000, 4096};
    kernel.kernel.sharedAccesses[1].base = kernel.kernel.sharedAccesses[2].base = 4000;
    kernel.kernel.sharedVariables.push_back({"wide", 8192, 8192});
    kernel.kernel.sharedAccesses.push_back(access(8192, 256, 4));
    const auto table = banks.mapsFor(kernel.request).common;
    std::map<std::pair<u32, u32>, u32> words;
    for (u64 word = 0; word < table->words(); ++word) ++words[{(*table)[word].bank, (*table)[word].line}];
    for (const auto& [place, count] : words) ASSERT_EQ(count, table->lineWords()) << bankMap;
  }
}

TEST(SharedBanks, TheChoiceDependsOnTheBlock) {
  const config::Machine machine = fermi("per_array:harper");
  SharedBanks banks(machine);
  Kernel kernel;
  kernel.kernel.sharedAccesses = {access(4096, 64, 4)};  // 16 words from thread to thread, one from row to row
  const auto wide = banks.mapsFor(kernel.request).common;
  kernel.launch->block = {1, 256, 1};
  const auto narrow = banks.mapsFor(kernel.request).common;
  EXPECT_NE(wide, narrow);
  EXPECT_NE((*wide)[1024 + 32].bank, (*narrow)[1024 + 32].bank);
  EXPECT_EQ((*narrow)[1024 + 32].bank, 0u);  // plain interleaving serves neighbours best
}

TEST(SharedBanks, AnAccessHasTheLayoutThatItNames) {
  const config::Machine machine = fermi("per_access");
  SharedBanks banks(machine);
  Kernel kernel;
  kernel.program.program.marks[std::string(compiler::kSharedLayouts.name)].of = {0, 1 + 3, 1 + 31};
  const access::SharedMaps maps = banks.mapsFor(kernel.request);
  const auto bankOf = [&](u32 pc, u64 word) { return (*maps.at(Pc{pc}))[word].bank; };
  const auto named = config::sharedBankMap(machine, "sams:s=3"), none = config::sharedBankMap(machine, "nas");
  for (u64 word = 0; word < 4096; ++word) {
    ASSERT_EQ(bankOf(1, word), named->cellOf(word).bank);
    ASSERT_EQ(bankOf(0, word), none->cellOf(word).bank) << "it names none";
    ASSERT_EQ(bankOf(7, word), none->cellOf(word).bank) << "beyond the marks";
  }
  EXPECT_EQ(maps.at(Pc{2}), maps.layouts.back().get()) << "there is no family 31";
}

}  // namespace
}  // namespace warpwright::machines
