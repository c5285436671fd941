// A bank map as a table, for asking it often; and tables as files, for maps that come from elsewhere.
#pragma once

#include <string>
#include <vector>
#include <warpwright/parallel_memory/bank_map.hpp>

namespace warpwright::parallel_memory {

// Bank and line of every word: words with one line are served together. Lines are numbered row x banks + bank, or in that order where these
// numbers are huge.
class BankTable {
 public:
  struct Place {
    std::uint32_t bank = 0, line = 0;
  };
  explicit BankTable(const BankMap& map) : BankTable(map, map.words()) {}
  // Of the first `words` words.
  BankTable(const BankMap& map, Address words);
  BankTable(Shape shape, std::vector<Place> places) : shape_(shape), places_(std::move(places)) {}

  const Place& operator[](Address address) const { return places_[address]; }
  Address words() const { return places_.size(); }
  std::uint32_t banks() const { return shape_.banks; }
  std::uint32_t lineWords() const { return shape_.lineWords; }
  std::uint32_t lines() const { return lines_; }  // above every line

 private:
  Shape shape_;
  std::vector<Place> places_;
  std::uint32_t lines_ = 0;
};

// A map that is a table. File: a line "banks line_words", then a line "bank row offset" for each address from 0 on.
class TableMap final : public BankMap {
 public:
  // Throws std::invalid_argument, with file and line, for a file that is none, or in which two addresses have one cell.
  static TableMap read(const std::string& file);
  Cell cellOf(Address address) const override { return cells_[address]; }

 private:
  TableMap(Shape shape, std::vector<Cell> cells) : BankMap(shape), cells_(std::move(cells)) {}

  std::vector<Cell> cells_;
};

// The first `words` words of a map, as TableMap reads them. Throws std::runtime_error when the file cannot be written.
void writeTable(const BankMap& map, Address words, const std::string& file);

}  // namespace warpwright::parallel_memory
