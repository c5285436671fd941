#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <warpwright/parallel_memory/bank_table.hpp>

namespace warpwright::parallel_memory {
namespace {

constexpr std::uint64_t kMostRows = std::uint64_t{1} << 32;

[[noreturn]] void refuse(const std::string& file, std::size_t line, const std::string& what) {
  throw std::invalid_argument(file + ":" + std::to_string(line) + ": error: " + what);
}

template <class... Numbers>
bool readLine(std::istream& stream, Numbers&... numbers) {
  std::string text;
  if (!std::getline(stream, text)) return false;
  std::istringstream words(text);
  return static_cast<bool>((words >> ... >> numbers)) && (words >> std::ws).eof();
}

// Where rows are far apart, as with much padding, lines are numbered in their order.
void closeGaps(std::vector<std::uint64_t>& lines) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 26;
  if (*std::max_element(lines.begin(), lines.end()) < kMost) return;
  std::vector<std::uint64_t> sorted = lines;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (std::uint64_t& line : lines)
    line = static_cast<std::uint64_t>(std::lower_bound(sorted.begin(), sorted.end(), line) - sorted.begin());
}

}  // namespace

BankTable::BankTable(const BankMap& map, Address words) : shape_{map.banks(), map.lineWords(), words} {
  std::vector<std::uint64_t> lines;
  lines.reserve(words);
  places_.reserve(words);
  for (Address address = 0; address < words; ++address) {
    const Cell cell = map.cellOf(address);
    lines.push_back(cell.row * map.banks() + cell.bank);
    places_.push_back({cell.bank, 0});
  }
  if (lines.empty()) return;
  closeGaps(lines);
  for (Address address = 0; address < words; ++address) places_[address].line = static_cast<std::uint32_t>(lines[address]);
  lines_ = static_cast<std::uint32_t>(*std::max_element(lines.begin(), lines.end())) + 1;
}

TableMap TableMap::read(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::invalid_argument("cannot read the bank map '" + file + "'");
  Shape shape;
  if (!readLine(stream, shape.banks, shape.lineWords) || shape.banks == 0 || shape.lineWords == 0)
    refuse(file, 1, "expected 'banks line_words', two positive numbers");
  if (shape.banks > kMostBanks || shape.lineWords > kMostBanks)
    refuse(file, 1, "there are at most " + std::to_string(kMostBanks) + " banks, and words of a line");
  std::vector<Cell> cells;
  std::set<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>> taken;
  while (stream.peek() != std::ifstream::traits_type::eof()) {
    const std::size_t line = cells.size() + 2;
    Cell cell;
    if (!readLine(stream, cell.bank, cell.row, cell.offset)) refuse(file, line, "expected 'bank row offset', three numbers");
    if (cell.bank >= shape.banks || cell.offset >= shape.lineWords) refuse(file, line, "there is no such bank or offset");
    if (cell.row >= kMostRows) refuse(file, line, "rows are numbered from 0 to 2^32 - 1");
    if (!taken.insert({cell.bank, cell.row, cell.offset}).second) refuse(file, line, "an earlier address has this cell");
    cells.push_back(cell);
  }
  if (cells.empty()) refuse(file, 2, "the map has no address");
  shape.words = cells.size();
  return {shape, std::move(cells)};
}

void writeTable(const BankMap& map, Address words, const std::string& file) {
  std::ofstream stream(file);
  stream << map.banks() << ' ' << map.lineWords() << '\n';
  for (Address address = 0; address < words; ++address) {
    const Cell cell = map.cellOf(address);
    stream << cell.bank << ' ' << cell.row << ' ' << cell.offset << '\n';
  }
  if (!stream.flush()) throw std::runtime_error("cannot write the bank map '" + file + "'");
}

}  // namespace warpwright::parallel_memory
