#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <warpwright/parallel_memory/bank_table.hpp>
#include <warpwright/parallel_memory/clustered.hpp>
#include <warpwright/parallel_memory/fibonacci.hpp>
#include <warpwright/parallel_memory/interleaving.hpp>
#include <warpwright/parallel_memory/latin_square.hpp>
#include <warpwright/parallel_memory/prime.hpp>
#include <warpwright/parallel_memory/row_skewing.hpp>
#include <warpwright/parallel_memory/sams.hpp>
#include <warpwright/parallel_memory/schemes.hpp>
#include <warpwright/parallel_memory/software.hpp>
#include <warpwright/parallel_memory/two_dsmm.hpp>
#include <warpwright/parallel_memory/xor_map.hpp>

namespace warpwright::parallel_memory {
namespace {

using Map = std::unique_ptr<BankMap>;

constexpr std::uint32_t kMostBankBits = 10, kMostAddressBits = 24;
static_assert(kMostBanks == 1u << kMostBankBits);

std::uint32_t number(const Values& values, std::string_view name, std::uint64_t otherwise) {
  const auto found = values.find(name);
  return static_cast<std::uint32_t>(found == values.end() ? otherwise : found->second);
}

std::uint32_t banksOf(const Memory& memory) { return 1u << memory.q; }
Address wordsOf(const Memory& memory) { return Address{1} << memory.n; }

// `least`: the smallest prime that will do.
std::uint32_t primeBanks(const Memory& memory, const Values& values, std::uint32_t least) {
  const std::uint32_t banks = number(values, "p", primeFrom(std::max(least, banksOf(memory))));
  if (banks == 0 || banks > kMostBanks) throw std::invalid_argument("p must be between 1 and " + std::to_string(kMostBanks));
  return banks;
}

Map makeFibonacciLattice(const Memory& memory, const Values& values) {
  const std::uint32_t banks = number(values, "p", fibonacciFrom(banksOf(memory)));
  if (banks == 0 || banks > kMostBanks) throw std::invalid_argument("p must be between 1 and " + std::to_string(kMostBanks));
  return std::make_unique<FibonacciLattice>(banks, wordsOf(memory), number(values, "columns", 0));
}

Map makeTwoDsmm(const Memory& memory, const Values& values) {
  TwoDsmm::Size size;
  size.p = number(values, "p", memory.q / 2);
  if (size.p > memory.q) throw std::invalid_argument("2dsmm: p must not be above q, the logarithm of all banks");
  size.q = memory.q - size.p;
  size.columns = number(values, "columns", std::uint64_t{1} << std::max(memory.n / 2, size.q));
  if (size.columns == 0 || size.columns > wordsOf(memory)) throw std::invalid_argument("2dsmm: more columns than words, or none");
  size.rows = wordsOf(memory) / size.columns;
  const std::uint32_t vertical = number(values, "vertical", 33);
  if (vertical != 33 && vertical != 342)
    throw std::invalid_argument("2dsmm: vertical = " + std::to_string(vertical) +
                                " is no section with a vertical function; take 33 (section 3.3) or 342 (section 3.4.2)");
  return std::make_unique<TwoDsmm>(size, TwoDsmm::Families{number(values, "vs", 0), number(values, "hs", 0)},
                                   vertical == 33 ? TwoDsmm::Vertical::section33 : TwoDsmm::Vertical::section342);
}

Map makeClustered(const Memory& memory, const Values& values) {
  const std::uint32_t c = number(values, "c", memory.q / 2), within = memory.q - std::min(c, memory.q);
  return std::make_unique<Clustered>(Clustered::Parameters{memory.q, c, number(values, "s", within), number(values, "at", memory.q)},
                                     wordsOf(memory));
}

std::vector<Scheme> makeSchemes() {
  std::vector<Scheme> all;
  all.push_back(
      {"low_order", "low-order interleaving: neighbouring words in neighbouring banks", {}, [](const Memory& m, const Values&) -> Map {
         return std::make_unique<LowOrder>(banksOf(m), wordsOf(m));
       }});
  all.push_back({"skewing", "each row of banks rotated by one more than the row before", {}, [](const Memory& m, const Values&) -> Map {
                   return std::make_unique<Skewing>(banksOf(m), wordsOf(m));
                 }});
  all.push_back({"linear",
                 "general linear skewing of an array: bank (lambda1 i + lambda2 j) mod banks",
                 {{"lambda1", "factor of the row; default 1"},
                  {"lambda2", "factor of the column, odd; default 1"},
                  {"columns", "of the array; default: as many as banks"}},
                 [](const Memory& m, const Values& v) -> Map {
                   return std::make_unique<LinearSkewing>(
                       banksOf(m), wordsOf(m),
                       LinearSkewing::Parameters{number(v, "lambda1", 1), number(v, "lambda2", 1), number(v, "columns", 0)});
                 }});
  all.push_back({"semi_linear",
                 "semi-linear skewing: rows, columns and forward diagonals of (banks - 1) x (banks - 1) elements",
                 {{"columns", "of the array; default: as many as banks"}},
                 [](const Memory& m, const Values& v) -> Map {
                   return std::make_unique<RowSkewing>(banksOf(m), wordsOf(m), number(v, "columns", 0), semiLinearShifts(banksOf(m)));
                 }});
  all.push_back({"bi_base",
                 "bi-base skewing, for 4, 16 or 64 banks: beside these, square submatrices of as many elements as banks",
                 {{"columns", "of the array; default: as many as banks"}},
                 [](const Memory& m, const Values& v) -> Map {
                   return std::make_unique<RowSkewing>(banksOf(m), wordsOf(m), number(v, "columns", 0), biBaseShifts(banksOf(m)));
                 }});
  all.push_back({"prime",
                 "a prime number of banks, rows by division (equation 2.1)",
                 {{"p", "banks; default: the smallest prime from 2^q on"}},
                 [](const Memory& m, const Values& v) -> Map {
                   const std::uint32_t banks = primeBanks(m, v, 2);
                   if (!isPrime(banks))
                     throw std::invalid_argument("p = " + std::to_string(banks) + " is no prime; the next is " +
                                                 std::to_string(primeFrom(banks)));
                   return std::make_unique<PrimeBanks>(banks, wordsOf(m));
                 }});
  all.push_back({"prime_unused",
                 "2^q + 1 banks with unused cells, as in the Burroughs Scientific Processor (equation 2.2)",
                 {},
                 [](const Memory& m, const Values&) -> Map { return std::make_unique<PrimeWithUnusedCells>(m.q, wordsOf(m)); }});
  all.push_back({"prime_remainder",
                 "a prime number of banks, rows by the Chinese remainder theorem",
                 {{"p", "banks, odd; default: the smallest prime from 2^q on"}},
                 [](const Memory& m, const Values& v) -> Map {
                   return std::make_unique<PrimeByRemainders>(primeBanks(m, v, 3), m.n - std::min(m.q, m.n));
                 }});
  all.push_back({"harper",
                 "Harper's XOR scheme: no conflict for stride family s",
                 {{"s", "stride family; default 0"}},
                 [](const Memory& m, const Values& v) -> Map { return std::make_unique<HarperXor>(m.q, number(v, "s", 0), wordsOf(m)); }});
  all.push_back({"clustered",
                 "2^c clusters of banks for two windows of stride families; for accesses of 2^(q - c) lanes",
                 {{"c", "logarithm of the clusters; default q / 2"},
                  {"s", "stride family within a cluster, at least q - c; default q - c"},
                  {"at", "lowest address bit of the cluster's number, at least q - c; default q"}},
                 makeClustered});
  all.push_back({"latin",
                 "perfect Latin square, for a square number of banks",
                 {{"columns", "of the array, a multiple of the banks; default: as many"}},
                 [](const Memory& m, const Values& v) -> Map {
                   return std::make_unique<PerfectLatinSquare>(banksOf(m), wordsOf(m), number(v, "columns", 0));
                 }});
  all.push_back(
      {"fibonacci",
       "Fibonacci lattice, for a Fibonacci number of banks: no conflict for rectangles of up to banks / sqrt(5) words",
       {{"p", "banks; default: the smallest Fibonacci number from 2^q on"}, {"columns", "of the array; default: as many as banks"}},
       makeFibonacciLattice});
  all.push_back({"sams",
                 "single-affiliation multiple-stride scheme, lines of two words: no conflict for unit stride and stride family s",
                 {{"s", "stride family; default q: Matched SAMS"}},
                 [](const Memory& m, const Values& v) -> Map { return std::make_unique<Sams>(m.q, number(v, "s", m.q), m.n); }});
  all.push_back({"nas", "\"not a stride\": lines of two neighbouring words (section 4.3.2)", {}, [](const Memory& m, const Values&) -> Map {
                   return std::make_unique<NotAStride>(m.q, wordsOf(m));
                 }});
  all.push_back({"2dsmm",
                 "2D strided multi-access memory: 2^p x 2^(q - p) banks for a two-dimensional array",
                 {{"p", "logarithm of the rows of banks, at most that of their columns; default q / 2"},
                  {"vs", "vertical stride family; default 0"},
                  {"hs", "horizontal stride family; default 0"},
                  {"vertical", "function of the thesis's section: 33 (3.3) or 342 (3.4.2); default 33"},
                  {"columns", "of the array, a power of two; default: those of the squarest one"}},
                 makeTwoDsmm});
  all.push_back({"swizzle",
                 "XOR swizzle as programmers write it: tile[y][x ^ y], Swizzle<bits, base, shift>",
                 {{"bits", "how many; default q"},
                  {"base", "the lowest that is changed; default 0"},
                  {"shift", "how far above lie those it takes; default q"}},
                 [](const Memory& m, const Values& v) -> Map {
                   return std::make_unique<Swizzle>(
                       banksOf(m), wordsOf(m), Swizzle::Parameters{number(v, "bits", m.q), number(v, "base", 0), number(v, "shift", m.q)});
                 }});
  all.push_back({"padding",
                 "unused words behind each row of an array: tile[32][32 + 1]",
                 {{"columns", "of the array; default: as many as banks"}, {"pad", "unused words; default 1"}},
                 [](const Memory& m, const Values& v) -> Map {
                   return std::make_unique<Padding>(banksOf(m), wordsOf(m), number(v, "columns", banksOf(m)), number(v, "pad", 1));
                 }});
  return all;
}

constexpr std::string_view kMatrix = "matrix:", kTable = "table:";

std::string knownNames() {
  std::string names;
  for (const Scheme& scheme : schemes()) names += std::string(scheme.name) + ", ";
  return names + "matrix:MASKS and table:FILE";
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw std::invalid_argument("bank map '" + text + "': " + why);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::optional<std::uint64_t> parseNumber(std::string_view text) {
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "0x21,0x42": a mask for each bit of the bank, the lowest first; "/0x3": the line partner.
Map makeMatrix(const std::string& text, const Memory& memory) {
  const std::vector<std::string_view> parts = split(std::string_view(text).substr(kMatrix.size()), '/');
  if (parts.empty() || parts.size() > 2) refuse(text, "expected masks of the bank's bits, and /PARTNER where lines have two words");
  XorMatrix matrix;
  for (const std::string_view part : split(parts[0], ',')) {
    const auto mask = parseNumber(part);
    if (!mask || *mask >= wordsOf(memory))
      refuse(text, "'" + std::string(part) + "' is no mask of " + std::to_string(memory.n) + " address bits");
    matrix.bankMasks.push_back(*mask);
  }
  if (matrix.bankMasks.size() > kMostBankBits) refuse(text, "there are at most " + std::to_string(kMostBankBits) + " bits of a bank");
  if (parts.size() == 2) {
    const auto partner = parseNumber(parts[1]);
    if (!partner || *partner == 0 || *partner >= wordsOf(memory)) refuse(text, "'" + std::string(parts[1]) + "' is no line partner");
    matrix.linePartner = *partner;
  }
  return std::make_unique<XorMap>(matrix, memory.n);
}

const Scheme& find(const std::string& text, std::string_view name) {
  const auto all = schemes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Scheme& scheme) { return scheme.name == name; });
  if (found == all.end()) refuse(text, "there is no scheme '" + std::string(name) + "'; there are " + knownNames());
  return *found;
}

Values readValues(const std::string& text, std::string_view list, const Scheme& scheme, Memory& memory) {
  Values values;
  for (const std::string_view part : split(list, ',')) {
    const std::size_t equals = part.find('=');
    const std::string name(part.substr(0, equals));
    const auto value = equals == std::string_view::npos ? std::nullopt : parseNumber(part.substr(equals + 1));
    if (!value || *value > 0xffff'ffff) refuse(text, "'" + std::string(part) + "' is not NAME=NUMBER, with a number from 0 to 4294967295");
    if (name == "q" || name == "n") {
      (name == "q" ? memory.q : memory.n) = static_cast<std::uint32_t>(*value);
      continue;
    }
    const auto isNamed = [&](const Parameter& parameter) { return parameter.name == name; };
    if (std::none_of(scheme.parameters.begin(), scheme.parameters.end(), isNamed)) {
      std::string names = "q, n";
      for (const Parameter& parameter : scheme.parameters) names += ", " + std::string(parameter.name);
      refuse(text, "'" + std::string(scheme.name) + "' has no parameter '" + name + "'; it has " + names);
    }
    values[name] = *value;
  }
  return values;
}

}  // namespace

std::span<const Scheme> schemes() {
  static const std::vector<Scheme> all = makeSchemes();
  return all;
}

std::unique_ptr<BankMap> makeBankMap(const std::string& text, Memory memory) {
  if (text.starts_with(kTable)) return std::make_unique<TableMap>(TableMap::read(text.substr(kTable.size())));
  if (text.starts_with(kMatrix)) return makeMatrix(text, memory);
  const std::size_t colon = std::min(text.find(':'), text.size());
  const Scheme& scheme = find(text, std::string_view(text).substr(0, colon));
  const Values values = readValues(text, std::string_view(text).substr(std::min(colon + 1, text.size())), scheme, memory);
  if (memory.q > kMostBankBits) refuse(text, "q must not be above " + std::to_string(kMostBankBits));
  if (memory.n > kMostAddressBits || memory.n < memory.q)
    refuse(text, "n, the logarithm of the words, must be between q and " + std::to_string(kMostAddressBits));
  return scheme.make(memory, values);
}

std::vector<HardwarePart> hardwareCostOf(const BankMap& map) {
  const auto logarithm = [](Address number) { return static_cast<std::uint32_t>(std::countr_zero(number)); };
  if (dynamic_cast<const Sams*>(&map) != nullptr) return samsCost(logarithm(map.banks()), logarithm(map.words()));
  if (const auto* twoDsmm = dynamic_cast<const TwoDsmm*>(&map)) return twoDsmmCost(twoDsmm->size());
  return {};
}

}  // namespace warpwright::parallel_memory
