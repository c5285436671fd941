// Exhaustive search, column by column of the matrix: what an address bit adds to the bank.
#include <algorithm>
#include <bit>

#include "bank_search/problem.hpp"

namespace warpwright::bank_search {
namespace {

using parallel_memory::XorMatrix;

constexpr u64 kStepsBetweenReports = 4096;

// Maps that differ by the names of the banks are one. Of each, the matrix is tried in which every column is a sum of those before or the
// first unit vector that is not used yet.
class Exhaustive {
 public:
  Exhaustive(const Problem& problem, u64 mostSteps, const Watcher& watcher)
      : problem_(problem), watcher_(watcher), mostSteps_(mostSteps), stepsLeft_(mostSteps), columns_(problem.n), byTopBit_(problem.n) {
    differences_ = differencesOf(problem);
    for (const Difference& difference : differences_) {
      if (difference.bits == 0) possible_ = false;
      if (difference.bits != 0) byTopBit_[static_cast<u32>(std::bit_width(difference.bits)) - 1].push_back(difference);
    }
  }

  Result run() {
    if (!possible_) return result_;
    partner_ = 0;
    tryColumn(0, 0);
    if (problem_.wide)
      for (const Difference& difference : differences_)
        if (difference.isWhole) tryPartner(difference.bits);
    if (stepsLeft_ == 0) result_.outcome = Outcome::stopped;
    return result_;
  }

 private:
  void tryPartner(u64 partner) {
    partner_ = partner;
    tryColumn(0, 0);
  }

  u32 bankOf(u64 bits) const {
    u32 bank = 0;
    for (; bits != 0; bits &= bits - 1) bank ^= columns_[static_cast<u32>(std::countr_zero(bits))];
    return bank;
  }

  // Whether all differences whose top bit is this one are served.
  bool serves(u32 bit) const {
    if (partner_ != 0 && static_cast<u32>(std::bit_width(partner_)) - 1 == bit && bankOf(partner_) != 0) return false;
    return std::all_of(byTopBit_[bit].begin(), byTopBit_[bit].end(), [&](const Difference& difference) {
      return (difference.isWhole && difference.bits == partner_) || bankOf(difference.bits) != 0;
    });
  }

  void tryColumn(u32 bit, u32 rank) {
    if (bit == problem_.n) return take();
    const u32 choices = 1u << rank;
    const bool grows = rank < problem_.q, mustGrow = problem_.n - bit == problem_.q - rank;
    for (u32 choice = mustGrow ? choices : 0; choice < choices + (grows ? 1 : 0); ++choice) {
      if (stepsLeft_ == 0) return;
      --stepsLeft_;
      if (watcher_ && stepsLeft_ % kStepsBetweenReports == 0) watcher_(mostSteps_ - stepsLeft_, result_);
      columns_[bit] = choice;
      if (serves(bit)) tryColumn(bit + 1, rank + (choice == choices ? 1 : 0));
    }
  }

  void take() {
    ++result_.maps;
    XorMatrix matrix{std::vector<u64>(problem_.q), partner_};
    for (u32 bit = 0; bit < problem_.n; ++bit)
      for (u32 row = 0; row < problem_.q; ++row) matrix.bankMasks[row] |= u64{columns_[bit] >> row & 1} << bit;
    matrix = parallel_memory::cheapest(matrix);
    const u32 gates = parallel_memory::xorGates(matrix);
    if (result_.outcome == Outcome::found && gates >= result_.gates) return;
    result_.outcome = Outcome::found;
    result_.matrix = std::move(matrix);
    result_.gates = gates;
  }

  const Problem& problem_;
  const Watcher& watcher_;
  u64 mostSteps_, stepsLeft_;
  std::vector<u32> columns_;
  std::vector<Difference> differences_;
  std::vector<std::vector<Difference>> byTopBit_;
  u64 partner_ = 0;
  bool possible_ = true;  // no two lanes are a multiple of 2^n apart
  Result result_;
};

}  // namespace

Result searchExhaustively(const Problem& problem, u64 mostSteps, const Watcher& watcher) {
  return Exhaustive(problem, mostSteps, watcher).run();
}

}  // namespace warpwright::bank_search
