#include "test_file.hpp"

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.hpp"

namespace warpwright::conformance {
namespace {

constexpr u64 kColumnAlignment = 16;  // bytes

struct HeaderLine {
  std::string key, value;
};

// "// key: value" lines up to the first other line; a line that starts with "//   " continues the value before it.
std::vector<HeaderLine> headerLines(std::istream& stream) {
  std::vector<HeaderLine> lines;
  std::string line;
  while (std::getline(stream, line) && line.starts_with("// ")) {
    if (line.starts_with("//   ") && !lines.empty()) {
      lines.back().value += line.substr(4);
      continue;
    }
    const size_t colon = line.find(':');
    if (colon == std::string::npos) throw Error("header line without a colon: " + line);
    lines.push_back({line.substr(3, colon - 3), line.substr(colon + 1)});
  }
  return lines;
}

Value parseValue(const std::string& word) {
  if (word == "nan") return {Value::Kind::nan, 0};
  if (word == "*") return {Value::Kind::anything, 0};
  return {Value::Kind::bits, std::stoull(word, nullptr, 16)};
}

// `head` is what stands between "in" or "out" and the colon: a type and perhaps a tolerance.
Column parseColumn(std::istringstream& head, const std::string& values) {
  Column column;
  head >> column.type;
  column.size = static_cast<u32>(std::stoul(column.type.substr(column.type.find_first_of("0123456789")))) / 8;
  if (std::string tolerance; head >> tolerance >> column.bound) {
    if (tolerance == "ulp") column.tolerance = Tolerance::ulp;
    if (tolerance == "abs") column.tolerance = Tolerance::absolute;
    if (tolerance == "rel") column.tolerance = Tolerance::relative;
    if (column.tolerance == Tolerance::exact) throw Error("unknown tolerance " + tolerance);
  }
  std::istringstream words(values);
  for (std::string word; words >> word;) column.values.push_back(parseValue(word));
  return column;
}

u64 columnBytes(const Column& column) {
  return (column.size * column.values.size() + kColumnAlignment - 1) / kColumnAlignment * kColumnAlignment;
}

void append(std::vector<Column>& columns, Column column) {
  column.offset = bufferBytes(columns);
  columns.push_back(std::move(column));
}

u64 exponentMask(const Column& column) {
  if (column.size == 8) return 0x7ff0'0000'0000'0000;
  if (column.size == 4) return 0x7f80'0000;
  return column.type == "bf16" ? 0x7f80 : 0x7c00;
}

u64 signMask(const Column& column) { return u64{1} << (8 * column.size - 1); }

bool isNan(const Column& column, u64 bits) { return (bits & ~signMask(column)) > exponentMask(column); }

// Position on the number line, counted in units in the last place.
double position(const Column& column, u64 bits) {
  const double magnitude = static_cast<double>(bits & ~signMask(column));
  return bits & signMask(column) ? -magnitude : magnitude;
}

double halfToDouble(u64 bits) {
  constexpr int kFractionBits = 10, kLeastExponent = -24;
  const int field = static_cast<int>(bits >> kFractionBits & 0x1f), fraction = static_cast<int>(bits & 0x3ff);
  const double magnitude = field == 0x1f ? (fraction != 0 ? std::nan("") : INFINITY)
                           : field == 0  ? std::ldexp(fraction, kLeastExponent)
                                         : std::ldexp(fraction | 1 << kFractionBits, kLeastExponent + field - 1);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

double toDouble(const Column& column, u64 bits) {
  if (column.type == "f16") return halfToDouble(bits);
  if (column.type == "bf16") return std::bit_cast<float>(static_cast<u32>(bits) << 16);
  return column.size == 8 ? std::bit_cast<double>(bits) : std::bit_cast<float>(static_cast<u32>(bits));
}

}  // namespace

u64 bufferBytes(const std::vector<Column>& columns) { return columns.empty() ? 0 : columns.back().offset + columnBytes(columns.back()); }

TestFile readTestFile(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) throw Error("cannot read " + path);
  TestFile file;
  file.name = std::filesystem::path(path).stem().string();
  for (const HeaderLine& line : headerLines(stream)) {
    std::istringstream head(line.key);
    std::string word;
    head >> word;
    if (word == "form") file.form = line.value.substr(1);
    if (word == "threads") file.threads = static_cast<u32>(std::stoul(line.value));
    if (word == "grid") file.grid = static_cast<u32>(std::stoul(line.value));
    if (word == "shared") file.sharedBytes = static_cast<u32>(std::stoul(line.value));
    if (word == "warp") file.warpSize = static_cast<u32>(std::stoul(line.value));
    if (word == "ends") file.ending = line.value.substr(1);
    if (word == "prints") file.printed = nlohmann::json::parse(line.value).get<std::string>();
    if (word == "param") append(file.parameters, parseColumn(head, line.value));
    if (word == "in") append(file.inputs, parseColumn(head, line.value));
    if (word == "out") append(file.outputs, parseColumn(head, line.value));
  }
  stream.clear();
  stream.seekg(0);
  std::ostringstream text;
  text << stream.rdbuf();
  file.ptx = text.str();
  return file;
}

bool accepts(const Column& column, const Value& expected, u64 got) {
  if (expected.kind == Value::Kind::anything) return true;
  if (expected.kind == Value::Kind::nan) return isNan(column, got);
  if (expected.bits == got) return true;
  if (column.tolerance == Tolerance::exact || isNan(column, got)) return false;
  if (column.tolerance == Tolerance::ulp) return std::fabs(position(column, got) - position(column, expected.bits)) <= column.bound;
  const double wanted = toDouble(column, expected.bits);
  const double allowed = column.tolerance == Tolerance::absolute ? column.bound : column.bound * std::fabs(wanted);
  return std::fabs(toDouble(column, got) - wanted) <= allowed;
}

}  // namespace warpwright::conformance
