// Theorem 7 and the Chinese Remainder Network: words really arrive where the map says.
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <warpwright/parallel_memory/prime.hpp>
#include <warpwright/parallel_memory/routing.hpp>
#include <warpwright/parallel_memory/schemes.hpp>
#include <warpwright/parallel_memory/two_dsmm.hpp>

namespace warpwright::parallel_memory {
namespace {

// The bank at which item `item` of a 2^p x 2^q array leaves two stages.
std::uint32_t arrival(const TwoStageSettings& settings, std::uint32_t item, std::uint32_t q, Bundle bundle) {
  const std::uint32_t row = item >> q, column = item & ((1u << q) - 1);
  const bool byColumns = bundle == Bundle::columns;
  const std::uint32_t place = settings.first[byColumns ? column : row], other = settings.second[place][byColumns ? row : column];
  return byColumns ? other << q | place : place << q | other;
}

std::vector<std::uint32_t> banksOf(const BankMap& map, const Pattern& pattern, Address base) {
  std::vector<std::uint32_t> banks;
  for (const Address offset : pattern.offsets) banks.push_back(map.cellOf(base + offset).bank);
  return banks;
}

// From every base address from which the pattern is without conflict, every word arrives at its bank. How many such addresses there are.
int expectArrivals(const TwoDsmm& map, const Pattern& pattern, Bundle bundle) {
  int bases = 0;
  const auto [p, q, rows, columns] = map.size();
  for (Address base = 0; base + pattern.offsets.back() < map.words(); ++base) {
    if (!pattern.mayBeginAt(base)) continue;
    const std::vector<std::uint32_t> banks = banksOf(map, pattern, base);
    if (std::set<std::uint32_t>(banks.begin(), banks.end()).size() != banks.size()) continue;
    const auto settings = twoStageSettings(banks, p, q, bundle);
    EXPECT_TRUE(settings) << pattern.name << " from " << base;
    if (!settings) return bases;
    for (std::uint32_t item = 0; item < banks.size(); ++item) EXPECT_EQ(arrival(*settings, item, q, bundle), banks[item]);
    ++bases;
  }
  return bases;
}

TEST(Routing, TheoremSevenForEverySizeAndFamily) {
  for (std::uint32_t q = 1; q <= 3; ++q) {
    for (std::uint32_t p = 1; p <= q; ++p) {
      for (std::uint32_t vs = 0; vs <= 1; ++vs) {
        for (std::uint32_t hs = 0; hs <= 1; ++hs) {
          const std::uint32_t lanes = 1u << (p + q);
          const Address columns = Address{4} << (p + q + hs), rows = Address{4} << (p + vs);
          const TwoDsmm map({p, q, rows, columns}, {vs, hs});
          const std::string size = std::to_string(1u << p) + "x" + std::to_string(1u << q) + "@" + std::to_string(columns);
          const std::string apart = "," + std::to_string(1u << vs) + "x" + std::to_string(1u << hs);
          const std::string line = "block:1x" + std::to_string(lanes) + "@" + std::to_string(columns);
          SCOPED_TRACE(size + apart);
          for (const std::string& text : {line + apart, "block:" + size + apart, "block:" + size})
            EXPECT_GT(expectArrivals(map, parsePatterns(text, lanes).front(), Bundle::columns), 0) << text;
          const std::string aligned = line + "/" + std::to_string(1u << (q + std::min(p, hs)));
          EXPECT_GT(expectArrivals(map, parsePatterns(aligned, lanes).front(), Bundle::rows), 0);
        }
      }
    }
  }
}

TEST(Routing, DiagonalsByColumns) {
  const TwoDsmm map({1, 2, 64, 64}, {1, 1});
  for (const char* text : {"diagonal@64,2x2", "antidiagonal@64,2x2"})
    EXPECT_GT(expectArrivals(map, parsePatterns(text, 8).front(), Bundle::columns), 0) << text;
}

// Where hs is above 0, a continuous row has two mh in a column, so that it really takes the other path.
TEST(Routing, ContinuousRowsCannotGoByColumns) {
  const auto map = makeBankMap("2dsmm:p=1,hs=1,columns=32", {3, 10});
  EXPECT_EQ(networkFor(*map, parsePatterns("block:1x8@32", 8).front()).name, "two stages by rows");
  EXPECT_EQ(networkFor(*map, parsePatterns("block:2x4@32", 8).front()).name, "two stages by columns");
}

TEST(Routing, WhatIsNoTheoremTakesACrossbar) {
  const auto map = makeBankMap("2dsmm:p=1,hs=1,columns=32", {3, 10});
  EXPECT_EQ(networkFor(*map, parsePatterns("stride:1", 4).front()).name, "crossbar") << "fewer words than banks";
  EXPECT_EQ(networkFor(*makeBankMap("low_order", {3, 10}), parsePatterns("stride:1", 8).front()).crosspoints(), 64u);
  EXPECT_EQ(networkFor(*makeBankMap("sams", {3, 10}), parsePatterns("stride:1", 8).front()).crosspoints(), 128u) << "rows of two words";
}

TEST(Routing, CrosspointsOfTheFigures) {
  // Figure 3.12: 2 x 4 banks. Stage one moves pairs among four places, stage two has four switches of 2 x 2: 32 + 16 in place of 64.
  EXPECT_EQ(twoStageNetwork(1, 2, Bundle::columns).crosspoints(), 48u);
  EXPECT_EQ(twoStageNetwork(1, 2, Bundle::rows).crosspoints(), 2u * 2 * 4 + 2u * 4 * 4);
}

TEST(Routing, TornBundlesAndSharedBanksAreRefused) {
  EXPECT_TRUE(twoStageSettings(std::vector<std::uint32_t>{0, 1, 2, 3}, 1, 1, Bundle::columns));
  EXPECT_FALSE(twoStageSettings(std::vector<std::uint32_t>{0, 1, 3, 2}, 1, 1, Bundle::columns)) << "column 0 to mh 0 and 1";
  EXPECT_TRUE(twoStageSettings(std::vector<std::uint32_t>{0, 1, 3, 2}, 1, 1, Bundle::rows));
  EXPECT_FALSE(twoStageSettings(std::vector<std::uint32_t>{0, 1, 0, 3}, 1, 1, Bundle::columns)) << "two words for one bank";
  EXPECT_THROW(twoStageSettings(std::vector<std::uint32_t>{0, 1}, 1, 1, Bundle::columns), std::invalid_argument);
}

TEST(Routing, ChineseRemaindersForEveryStrideAndBase) {
  for (const std::uint32_t banks : {1u, 2u, 7u, 9u, 15u, 30u, 45u, 105u}) {
    const ChineseRemainderNetwork network(banks);
    for (Address stride = 1; stride <= 2 * banks; ++stride) {
      for (Address base = 0; base < banks; base += 1 + banks / 16) {
        const auto settings = network.settingsFor(base, stride);
        std::set<std::uint32_t> wanted;
        for (std::uint32_t lane = 0; lane < banks; ++lane) wanted.insert(static_cast<std::uint32_t>((base + lane * stride) % banks));
        ASSERT_EQ(settings.has_value(), wanted.size() == banks) << banks << ' ' << stride;
        if (!settings) continue;
        for (std::uint32_t lane = 0; lane < banks; ++lane)
          ASSERT_EQ(network.route(lane, *settings), (base + lane * stride) % banks) << banks << ' ' << stride << ' ' << base;
      }
    }
  }
}

TEST(Routing, ChineseRemaindersCostTheSumOfTheFactors) {
  const ChineseRemainderNetwork network(105);
  EXPECT_EQ(std::vector<std::uint32_t>(network.factors().begin(), network.factors().end()), (std::vector<std::uint32_t>{3, 5, 7}));
  EXPECT_EQ(network.network().crosspoints(), 105u * (3 + 5 + 7));
  const PrimeByRemainders map(15, 6);
  EXPECT_EQ(networkFor(map, stridedPattern(7, 15)).crosspoints(), 15u * (3 + 5));
  EXPECT_EQ(networkFor(map, stridedPattern(5, 15)).name, "crossbar") << "a stride with conflicts";
  EXPECT_THROW(ChineseRemainderNetwork(0), std::invalid_argument);
}

}  // namespace
}  // namespace warpwright::parallel_memory
