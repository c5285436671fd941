// Search with the SAT solver CaDiCaL. The unknowns are the bits of the matrix and of the line partner.
#include <algorithm>
#include <bit>
#include <cadical.hpp>
#include <map>

#include "bank_search/problem.hpp"

namespace warpwright::bank_search {
namespace {

using parallel_memory::XorMatrix;

constexpr int kSatisfiable = 10, kUnsatisfiable = 20;  // answers, as IPASIR has them

// The solver asks now and then whether it shall stop.
class Listener : public CaDiCaL::Terminator {
 public:
  Listener(const Watcher& watcher, const Result& soFar) : watcher_(watcher), soFar_(soFar) {}
  bool terminate() override {
    watcher_(0, soFar_);
    return false;
  }

 private:
  const Watcher& watcher_;
  const Result& soFar_;
};

class SolverSearch {
 public:
  SolverSearch(const Problem& problem, u64 mostConflicts, const Watcher& watcher)
      : problem_(problem), mostConflicts_(static_cast<int>(std::min<u64>(mostConflicts, 2'000'000'000))), listener_(watcher, result_) {
    solver_.set("quiet", 1);
    if (watcher) solver_.connect_terminator(&listener_);
    for (u32 row = 0; row < problem.q; ++row) rows_.push_back(variables(problem.n));
    if (problem.wide) addPartner();
    for (const Difference& difference : differencesOf(problem)) serve(difference);
    keepBanksApart();
  }

  Result run() {
    for (;;) {
      solver_.limit("conflicts", mostConflicts_);
      const int answer = solver_.solve();
      if (answer != kSatisfiable) {
        if (answer != kUnsatisfiable) result_.outcome = Outcome::stopped;
        return result_;
      }
      result_ = {Outcome::found, parallel_memory::cheapest(found()), 0, 0};
      result_.gates = parallel_memory::xorGates(result_.matrix);
      if (result_.gates == 0) return result_;
      askForFewerThan(result_.gates);
    }
  }

 private:
  using Clause = std::vector<int>;

  int variable() { return ++variables_; }
  std::vector<int> variables(u32 count) {
    std::vector<int> result(count);
    for (int& each : result) each = variable();
    return result;
  }
  void add(const Clause& clause) {
    for (const int literal : clause) solver_.add(literal);
    solver_.add(0);
  }
  int bothOf(int a, int b) {
    const int both = variable();
    add({-both, a});
    add({-both, b});
    add({both, -a, -b});
    return both;
  }
  int xorOf(int a, int b) {
    const int sum = variable();
    add({-sum, a, b});
    add({-sum, -a, -b});
    add({sum, -a, b});
    add({sum, a, -b});
    return sum;
  }

  // Bit `row` of the bank of an address. Addresses with the same low bits share what these make.
  int bankBit(u32 row, u64 address) {
    const u32 top = static_cast<u32>(std::bit_width(address)) - 1;
    const u64 rest = address ^ u64 { 1 } << top;
    if (rest == 0) return rows_[row][top];
    int& known = bankBits_[{row, address}];
    if (known == 0) known = xorOf(bankBit(row, rest), rows_[row][top]);
    return known;
  }

  // The line partner, in one bank with address 0.
  void addPartner() {
    partner_ = variables(problem_.n);
    for (const auto& row : rows_) {
      int sum = bothOf(row[0], partner_[0]);
      for (u32 bit = 1; bit < problem_.n; ++bit) sum = xorOf(sum, bothOf(row[bit], partner_[bit]));
      add({-sum});
    }
  }

  // A bit of the bank is set, or the difference is the line partner.
  void serve(const Difference& difference) {
    Clause clause;
    for (u32 row = 0; row < problem_.q && difference.bits != 0; ++row) clause.push_back(bankBit(row, difference.bits));
    if (problem_.wide && difference.isWhole) {
      const int isPartner = variable();
      for (u32 bit = 0; bit < problem_.n; ++bit) add({-isPartner, difference.bits >> bit & 1 ? partner_[bit] : -partner_[bit]});
      clause.push_back(isPartner);
    }
    add(clause);
  }

  // No sum of rows is zero: every bank has words.
  void keepBanksApart() {
    for (u32 choice = 1; choice >> problem_.q == 0; ++choice) {
      Clause clause;
      for (u32 bit = 0; bit < problem_.n; ++bit) {
        int sum = 0;
        for (u32 row = 0; row < problem_.q; ++row)
          if (choice >> row & 1) sum = sum == 0 ? rows_[row][bit] : xorOf(sum, rows_[row][bit]);
        clause.push_back(sum);
      }
      add(clause);
    }
  }

  // A row of k ones takes k - 1 gates. atLeast_[k]: more than k of the bits are set (sequential counter, Sinz 2005).
  void askForFewerThan(u32 gates) {
    const u32 most = problem_.q + gates - 1;  // ones
    if (atLeast_.empty()) {
      atLeast_.resize(most + 1);
      for (const auto& row : rows_)
        for (const int bit : row) count(bit);
    }
    if (atLeast_[most] != 0) add({-atLeast_[most]});
  }
  void count(int bit) {
    for (std::size_t k = atLeast_.size(); k-- > 0;) {
      if (k > 0 && atLeast_[k - 1] == 0) continue;
      const int next = variable();
      if (atLeast_[k] != 0) add({-atLeast_[k], next});
      if (k == 0) add({-bit, next});
      if (k > 0) add({-bit, -atLeast_[k - 1], next});
      atLeast_[k] = next;
    }
  }

  XorMatrix found() {
    const auto maskOf = [&](const std::vector<int>& bits) {
      u64 mask = 0;
      for (u32 bit = 0; bit < bits.size(); ++bit) mask |= u64{solver_.val(bits[bit]) > 0} << bit;
      return mask;
    };
    XorMatrix matrix;
    for (const auto& row : rows_) matrix.bankMasks.push_back(maskOf(row));
    if (problem_.wide) matrix.linePartner = maskOf(partner_);
    return matrix;
  }

  const Problem& problem_;
  int mostConflicts_;
  Result result_;
  Listener listener_;
  CaDiCaL::Solver solver_;
  int variables_ = 0;
  std::vector<std::vector<int>> rows_;  // by row and address bit
  std::vector<int> partner_;            // by address bit
  std::map<std::pair<u32, u64>, int> bankBits_;
  std::vector<int> atLeast_;
};

}  // namespace

Result searchWithSolver(const Problem& problem, u64 mostConflicts, const Watcher& watcher) {
  return SolverSearch(problem, mostConflicts, watcher).run();
}

}  // namespace warpwright::bank_search
