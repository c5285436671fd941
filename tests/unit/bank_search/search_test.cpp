#include <gtest/gtest.h>

#include <warpwright/parallel_memory/sams.hpp>

#include "bank_search/problem.hpp"

namespace warpwright::bank_search {
namespace {

namespace pm = parallel_memory;

constexpr u64 kNoLimit = 100'000'000;

Problem problem(u32 q, u32 n, bool wide, const std::vector<std::string>& patterns) {
  Problem result{q, n, wide, {}};
  for (const std::string& text : patterns)
    for (pm::Pattern& pattern : pm::parsePatterns(text, 1u << q)) result.patterns.push_back(std::move(pattern));
  return result;
}

// In a memory four times as large as the search saw.
void expectServes(const Problem& problem, const pm::XorMatrix& matrix) {
  const pm::BankTable table(pm::XorMap(matrix, problem.n + 2));
  for (const pm::Pattern& pattern : problem.patterns) {
    const pm::Degrees degrees = pm::degreesOf(table, pattern);
    EXPECT_TRUE(degrees.isConflictFree() || degrees.bases == 0) << pattern.name;
  }
}

TEST(Differences, OfNeighbours) {
  const auto found = differencesOf(problem(1, 2, false, {"stride:1"}));
  // 0^1, 1^2, 2^3, and 3^4 = 7, which is more than the low bits.
  EXPECT_EQ(found, (std::vector<Difference>{{1, true}, {3, false}, {3, true}}));
}

// Base addresses beyond the low bits: multiples of three have all of them.
TEST(Differences, OfBasesThatAreNoPowerOfTwoApart) {
  EXPECT_EQ(differencesOf(problem(1, 2, false, {"stride:1/3"})), differencesOf(problem(1, 2, false, {"stride:1"})));
  EXPECT_EQ(differencesOf(problem(1, 2, false, {"stride:1/2"})), (std::vector<Difference>{{1, true}}));
}

// What SAMS does can be done with rows of two words, and cannot with rows of one (section 3.1.2).
TEST(Search, UnitStrideAndAnEvenFamilyNeedWideRows) {
  for (u32 q = 1; q <= 3; ++q) {
    for (u32 s = 1; s <= q; ++s) {
      const std::string family = "family:" + std::to_string(s);
      const Problem narrow = problem(q, q + s, false, {"stride:1", family}), wide = problem(q, q + s, true, {"stride:1", family});
      EXPECT_EQ(searchExhaustively(narrow, kNoLimit).outcome, Outcome::none) << q << s;
      EXPECT_EQ(searchWithSolver(narrow, kNoLimit).outcome, Outcome::none) << q << s;
      const Result tried = searchExhaustively(wide, kNoLimit), solved = searchWithSolver(wide, kNoLimit);
      ASSERT_EQ(tried.outcome, Outcome::found) << q << s;
      ASSERT_EQ(solved.outcome, Outcome::found) << q << s;
      EXPECT_EQ(tried.gates, solved.gates) << q << s;
      EXPECT_LE(tried.gates, s - 1) << "SAMS takes " << s - 1;
      expectServes(wide, tried.matrix);
      expectServes(wide, solved.matrix);
    }
  }
}

TEST(Search, OneFamilyIsServedByHarpersScheme) {
  for (u32 s = 0; s <= 3; ++s) {
    const Problem one = problem(2, 2 + s, false, {"family:" + std::to_string(s)});
    const Result tried = searchExhaustively(one, kNoLimit), solved = searchWithSolver(one, kNoLimit);
    ASSERT_EQ(tried.outcome, Outcome::found);
    // Bits s to s + q - 1 alone serve the family, without gates.
    EXPECT_EQ(tried.gates, 0u);
    EXPECT_EQ(solved.gates, 0u);
    EXPECT_GT(tried.maps, 0u);
    expectServes(one, tried.matrix);
  }
}

TEST(Search, RowsColumnsAndBlocksOfATile) {
  const Problem tile = problem(2, 4, false, {"stride:1/4", "stride:4", "block:2x2@4/2"});
  const Result tried = searchExhaustively(tile, kNoLimit), solved = searchWithSolver(tile, kNoLimit);
  EXPECT_EQ(tried.outcome, solved.outcome);
  EXPECT_EQ(tried.gates, solved.gates);
}

TEST(Search, LanesThatAMultipleOfTheWordsSeparatesCannotBeServed) {
  const Problem far = problem(2, 3, true, {"stride:8"});
  EXPECT_EQ(searchExhaustively(far, kNoLimit).outcome, Outcome::none);
  EXPECT_EQ(searchWithSolver(far, kNoLimit).outcome, Outcome::none);
}

TEST(Search, StopsAtItsLimit) {
  EXPECT_EQ(searchExhaustively(problem(3, 7, true, {"stride:1", "family:3"}), 100).outcome, Outcome::stopped);
}

}  // namespace
}  // namespace warpwright::bank_search
