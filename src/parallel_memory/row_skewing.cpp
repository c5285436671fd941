#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <warpwright/parallel_memory/row_skewing.hpp>

namespace warpwright::parallel_memory {
namespace {

constexpr std::uint32_t kLargestRoot = 8, kNobody = ~0u;

// The permutations of biBaseShifts(), group after group of m rows. With s = g + k for row k of group g, the sum of shift and row is
// m (pi(k) + g + floor(s / m)) + s mod m, so that forward diagonals ask for different quotients within each class s mod m.
class Permutations {
 public:
  Permutations(std::uint32_t root, std::uint32_t seed) : root_(root), state_(seed), taken_(root * root, false) {}

  // Of the next group, of `rows` rows; nothing where the groups before left no choice.
  std::optional<std::vector<std::uint32_t>> next(std::uint32_t group, std::uint32_t rows) {
    group_ = group;
    rowOf_.assign(root_, kNobody);
    order_ = shuffled();
    for (std::uint32_t row = 0; row < rows; ++row) {
      std::vector<bool> tried(root_, false);
      if (!match(row, tried)) return std::nullopt;
    }
    std::vector<std::uint32_t> values(rows);
    for (std::uint32_t value = 0; value < root_; ++value) {
      if (rowOf_[value] == kNobody) continue;
      values[rowOf_[value]] = value;
      taken_[placeOf(rowOf_[value], value)] = true;
    }
    return values;
  }

 private:
  // The class of the row's sum, and the quotient in it.
  std::size_t placeOf(std::uint32_t row, std::uint32_t value) const {
    const std::uint32_t sum = group_ + row;
    return sum % root_ * root_ + (value + group_ + sum / root_) % root_;
  }

  // Kuhn's augmenting paths.
  bool match(std::uint32_t row, std::vector<bool>& tried) {
    for (const std::uint32_t value : order_) {
      if (tried[value] || taken_[placeOf(row, value)]) continue;
      tried[value] = true;
      if (rowOf_[value] != kNobody && !match(rowOf_[value], tried)) continue;
      rowOf_[value] = row;
      return true;
    }
    return false;
  }

  std::vector<std::uint32_t> shuffled() {
    std::vector<std::uint32_t> order(root_);
    std::iota(order.begin(), order.end(), 0u);
    for (std::uint32_t i = root_ - 1; i > 0; --i) {
      state_ = state_ * 1664525 + 1013904223;  // any sequence would do, as long as it is the same everywhere
      std::swap(order[i], order[(state_ >> 16) % (i + 1)]);
    }
    return order;
  }

  std::uint32_t root_, group_ = 0, state_;
  std::vector<bool> taken_;           // by class and quotient
  std::vector<std::uint32_t> rowOf_;  // by value
  std::vector<std::uint32_t> order_;  // in which values are tried
};

std::optional<std::vector<std::uint32_t>> tryShifts(std::uint32_t root, std::uint32_t seed) {
  Permutations permutations(root, seed);
  std::vector<std::uint32_t> shifts;
  for (std::uint32_t group = 0; group < root; ++group) {
    const auto values = permutations.next(group, group + 1 == root ? root - 1 : root);
    if (!values) return std::nullopt;
    for (const std::uint32_t value : *values) shifts.push_back(root * value + group);
  }
  return shifts;
}

}  // namespace

RowSkewing::RowSkewing(std::uint32_t banks, Address words, Address columns, std::vector<std::uint32_t> shifts)
    : BankMap({banks, 1, words}), shifts_(std::move(shifts)), columns_(columns == 0 ? banks : columns) {
  if (shifts_.empty()) throw std::invalid_argument("semi-linear skewing: a table of shifts must not be empty");
  rowsOfBanks_ = (columns_ + banks - 1) / banks;
}

Cell RowSkewing::cellOf(Address address) const {
  const Address i = address / columns_, j = address % columns_;
  return {static_cast<std::uint32_t>((shifts_[i % shifts_.size()] + j) % banks()), i * rowsOfBanks_ + j / banks(), 0};
}

std::vector<std::uint32_t> semiLinearShifts(std::uint32_t banks) {
  if (banks == 0) throw std::invalid_argument("semi-linear skewing: there must be a bank");
  const bool isEven = banks % 2 == 0;
  std::vector<std::uint32_t> shifts(isEven ? banks - 1 : banks);
  for (std::uint32_t row = 0; row < shifts.size(); ++row) shifts[row] = isEven && row >= banks / 2 ? row + 1 : row;
  return shifts;
}

std::vector<std::uint32_t> biBaseShifts(std::uint32_t banks) {
  if (banks == 1) return {0};
  for (std::uint32_t root = 2; root <= kLargestRoot; ++root) {
    if (root * root != banks) continue;
    for (std::uint32_t seed = 0;; ++seed)
      if (auto shifts = tryShifts(root, seed)) return *shifts;
  }
  throw std::invalid_argument("bi-base skewing: there is no table for " + std::to_string(banks) +
                              " banks; take 4, 9, 16, 25, 36, 49 or 64");
}

}  // namespace warpwright::parallel_memory
