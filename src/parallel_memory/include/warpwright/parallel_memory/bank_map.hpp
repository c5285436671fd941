// Where a parallel memory keeps each word: the interface of every scheme.
#pragma once

#include <cstdint>

namespace warpwright::parallel_memory {

using Address = std::uint64_t;  // of a word: its number in the linear address space

// The place of a word: which bank, which of its rows, which word of the row. The three functions of Gou, "Customizable Memory Schemes for
// Data Parallel Accelerators" (2011), section 3.2: module assignment, row assignment, offset assignment.
struct Cell {
  std::uint32_t bank = 0;
  std::uint64_t row = 0;
  std::uint32_t offset = 0;

  bool operator==(const Cell&) const = default;
};

// The size of a memory.
struct Shape {
  std::uint32_t banks = 1;
  std::uint32_t lineWords = 1;  // words of a row; an access to a bank brings all of them
  Address words = 1;            // of the linear address space
};

// The most that the text or the file of a map may ask for; words of a row, too.
inline constexpr std::uint32_t kMostBanks = 1024;

// A map from addresses to cells. No two addresses have one cell.
class BankMap {
 public:
  explicit BankMap(Shape shape) : shape_(shape) {}
  virtual ~BankMap() = default;

  // `address` is below words().
  virtual Cell cellOf(Address address) const = 0;

  std::uint32_t banks() const { return shape_.banks; }
  std::uint32_t lineWords() const { return shape_.lineWords; }
  Address words() const { return shape_.words; }

 private:
  Shape shape_;
};

}  // namespace warpwright::parallel_memory
