#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <warpwright/parallel_memory/conflicts.hpp>

namespace warpwright::parallel_memory {
namespace {

// The lanes of an access that moves over the memory: lanes enter and leave one at a time, and the degree is always known.
class Window {
 public:
  explicit Window(const BankTable& table) : lanesOf_(table.lines()), linesOf_(table.banks()), wordsOf_(table.banks()), banksWith_(64) {
    banksWith_[0] = table.banks();
  }

  void enter(BankTable::Place place) {
    if (wordsOf_[place.bank]++ == 1) ++sharedBanks_;
    if (lanesOf_[place.line]++ != 0) return;
    const std::uint32_t lines = ++linesOf_[place.bank];
    if (lines >= banksWith_.size()) banksWith_.resize(2 * lines);
    --banksWith_[lines - 1];
    ++banksWith_[lines];
    degree_ = std::max(degree_, lines);
  }

  void leave(BankTable::Place place) {
    if (wordsOf_[place.bank]-- == 2) --sharedBanks_;
    if (--lanesOf_[place.line] != 0) return;
    const std::uint32_t lines = linesOf_[place.bank]--;
    --banksWith_[lines];
    ++banksWith_[lines - 1];
    if (lines == degree_ && banksWith_[lines] == 0) --degree_;
  }

  std::uint32_t degree() const { return degree_; }
  bool banksDiffer() const { return sharedBanks_ == 0; }

 private:
  std::vector<std::uint16_t> lanesOf_;            // by line
  std::vector<std::uint32_t> linesOf_, wordsOf_;  // by bank
  std::vector<std::uint32_t> banksWith_;          // by number of distinct lines
  std::uint32_t degree_ = 0, sharedBanks_ = 0;
};

// Means are made of whole sums, so that the order of the bases does not matter.
class Sum {
 public:
  void add(const Window& window) {
    ++degrees_.bases;
    total_ += window.degree();
    degrees_.worst = std::max(degrees_.worst, window.degree());
    degrees_.conflictFreeBases += window.degree() == 1 ? 1 : 0;
    degrees_.banksDiffer &= window.banksDiffer();
  }
  Degrees result() {
    if (degrees_.bases != 0) degrees_.mean = static_cast<double>(total_) / static_cast<double>(degrees_.bases);
    return degrees_;
  }

 private:
  Degrees degrees_;
  Address total_ = 0;
};

// 0 when the offsets are no arithmetic progression from 0 on.
Address strideFromZero(const Pattern& pattern) {
  if (pattern.offsets.size() < 2 || pattern.offsets[0] != 0) return 0;
  const Address stride = pattern.offsets[1];
  for (std::size_t lane = 0; lane < pattern.offsets.size(); ++lane)
    if (pattern.offsets[lane] != lane * stride) return 0;
  return stride;
}

// All base addresses: along each residue class of the stride the next base needs one word more and one less.
Degrees slide(const BankTable& table, Address stride, std::size_t lanes, Address bases) {
  Sum sum;
  Window window(table);
  const Address reach = (lanes - 1) * stride;
  for (Address first = 0; first < std::min(stride, bases); ++first) {
    for (Address place = first; place < first + reach; place += stride) window.enter(table[place]);
    Address base = first;
    for (; base < bases; base += stride) {
      window.enter(table[base + reach]);
      sum.add(window);
      window.leave(table[base]);
    }
    for (Address place = base; place < base + reach; place += stride) window.leave(table[place]);
  }
  return sum.result();
}

Degrees jump(const BankTable& table, const Pattern& pattern, Address bases) {
  Sum sum;
  Window window(table);
  for (Address base = 0; base < bases; base += pattern.alignment) {
    if (!pattern.mayBeginAt(base)) continue;
    for (const Address offset : pattern.offsets) window.enter(table[base + offset]);
    sum.add(window);
    for (const Address offset : pattern.offsets) window.leave(table[base + offset]);
  }
  return sum.result();
}

// Reads "kind:numbers" with the separators that stand between the numbers.
class PatternText {
 public:
  explicit PatternText(const std::string& text) : text_(text), rest_(text) {}

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void expect(std::string_view word) {
    if (!take(word)) refuse();
  }
  Address number() {
    Address value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{} || value == 0 || value > (Address{1} << 32)) refuse();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  Address numberOrZero() {
    if (take("0")) return 0;
    return number();
  }
  bool atEnd() const { return rest_.empty(); }
  [[noreturn]] void refuse() const {
    throw std::invalid_argument("'" + text_ +
                                "' is no access pattern; there are stride:S, family:V, block:RxC@P, diagonal@P and "
                                "antidiagonal@P, with numbers from 1 on (V: from 0), ,VxH behind the last three for lanes V rows and H "
                                "columns apart, and /A behind "
                                "for base addresses that are multiples of A");
  }

 private:
  const std::string& text_;
  std::string_view rest_;
};

// Neighbours of a pattern in a two-dimensional array: rows and columns from one to the next.
struct Apart {
  Address rows = 1, columns = 1;
};

Apart readApart(PatternText& text) {
  if (!text.take(",")) return {};
  Apart apart;
  apart.rows = text.number();
  text.expect("x");
  apart.columns = text.number();
  return apart;
}

Pattern blockPattern(Address rows, Address columns, Address pitch, Apart apart) {
  Pattern pattern;
  for (Address i = 0; i < rows; ++i)
    for (Address j = 0; j < columns; ++j) pattern.offsets.push_back(i * apart.rows * pitch + j * apart.columns);
  pattern.columns = pitch;
  pattern.right = (columns - 1) * apart.columns;
  return pattern;
}

Pattern readBlock(PatternText& text) {
  constexpr Address kMostLanes = 1024;
  const Address rows = text.number();
  text.expect("x");
  const Address columns = text.number();
  text.expect("@");
  const Address pitch = text.number();
  if (rows > kMostLanes || columns > kMostLanes || rows * columns > kMostLanes) text.refuse();
  return blockPattern(rows, columns, pitch, readApart(text));
}

Pattern readDiagonal(PatternText& text, std::uint32_t lanes, bool isBackward) {
  const Address pitch = text.number();
  const Apart apart = readApart(text);
  const Address down = apart.rows * pitch, reach = (lanes - 1) * apart.columns;
  if (isBackward && down <= apart.columns) text.refuse();
  Pattern pattern = stridedPattern(isBackward ? down - apart.columns : down + apart.columns, lanes);
  pattern.columns = pitch;
  (isBackward ? pattern.left : pattern.right) = reach;
  return pattern;
}

std::vector<Pattern> familyPatterns(std::uint32_t family, std::uint32_t lanes) {
  std::vector<Pattern> patterns;
  for (std::uint32_t sigma = 1; sigma < lanes; sigma += 2) patterns.push_back(stridedPattern(Address{sigma} << family, lanes));
  return patterns;
}

std::vector<Pattern> readPatterns(PatternText& text, std::uint32_t lanes) {
  if (text.take("stride:")) return {stridedPattern(text.number(), lanes)};
  if (text.take("family:")) {
    const Address family = text.numberOrZero();
    if (family > 31) text.refuse();
    return familyPatterns(static_cast<std::uint32_t>(family), lanes);
  }
  if (text.take("diagonal@")) return {readDiagonal(text, lanes, false)};
  if (text.take("antidiagonal@")) return {readDiagonal(text, lanes, true)};
  text.expect("block:");
  return {readBlock(text)};
}

}  // namespace

std::uint32_t conflictDegree(const BankMap& map, std::span<const Address> addresses) {
  std::vector<Cell> cells;
  for (const Address address : addresses) cells.push_back(map.cellOf(address));
  const auto key = [](const Cell& cell) { return std::pair(cell.bank, cell.row); };
  std::sort(cells.begin(), cells.end(), [&](const Cell& a, const Cell& b) { return key(a) < key(b); });
  std::uint32_t worst = 0, rows = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool newBank = i == 0 || cells[i].bank != cells[i - 1].bank;
    if (newBank) rows = 0;
    rows += newBank || cells[i].row != cells[i - 1].row ? 1 : 0;
    worst = std::max(worst, rows);
  }
  return worst;
}

Pattern stridedPattern(Address stride, std::uint32_t lanes) {
  Pattern pattern{"stride:" + std::to_string(stride), {}};
  for (Address lane = 0; lane < lanes; ++lane) pattern.offsets.push_back(lane * stride);
  return pattern;
}

std::vector<Pattern> parsePatterns(const std::string& text, std::uint32_t lanes) {
  PatternText reader(text);
  std::vector<Pattern> patterns = readPatterns(reader, lanes);
  const Address alignment = reader.take("/") ? reader.number() : 1;
  if (!reader.atEnd()) reader.refuse();
  for (Pattern& pattern : patterns) {
    pattern.alignment = alignment;
    if (patterns.size() == 1) pattern.name = text;
  }
  return patterns;
}

Degrees degreesOf(const BankTable& table, const Pattern& pattern) {
  if (pattern.offsets.empty()) return {};
  const Address last = *std::max_element(pattern.offsets.begin(), pattern.offsets.end());
  if (last >= table.words()) return {};
  const Address bases = table.words() - last;
  const Address stride = strideFromZero(pattern);
  if (stride != 0 && pattern.alignment == 1 && pattern.columns == 0) return slide(table, stride, pattern.offsets.size(), bases);
  return jump(table, pattern, bases);
}

}  // namespace warpwright::parallel_memory
