#include "isa/types.hpp"

#include <array>

namespace warpwright::isa {
namespace {

struct TypeRow {
  std::string_view name;
  u8 bytes;
  bool isFloat, isSigned;
};

// In the order of DataType.
constexpr std::array<TypeRow, kDataTypes> kTypes{{
    {"NONE", 0, false, false},
    {"PRED", 0, false, false},
    {"U8", 1, false, false},
    {"S8", 1, false, true},
    {"U16", 2, false, false},
    {"S16", 2, false, true},
    {"U32", 4, false, false},
    {"S32", 4, false, true},
    {"U64", 8, false, false},
    {"S64", 8, false, true},
    {"F16", 2, true, true},
    {"BF16", 2, true, true},
    {"F32", 4, true, true},
    {"F64", 8, true, true},
    {"F16X2", 4, true, true},
    {"BF16X2", 4, true, true},
    {"U16X2", 4, false, false},
    {"S16X2", 4, false, true},
}};

constexpr std::array<std::string_view, 6> kSpaces{"GENERIC", "GLOBAL", "SHARED", "LOCAL", "CONSTANT", "PARAM"};
constexpr std::array<std::string_view, 9> kUnits{"INTEGER", "FP32", "FP64", "SFU", "LOAD_STORE", "BRANCH", "WARP", "CONTROL", "TENSOR"};
constexpr std::array<std::string_view, 24> kLatencies{
    "SIMPLE",  "MULTIPLY", "DIVIDE",  "FMA32",           "DIVIDE32", "FMA64",  "DIVIDE64",       "SPECIAL",
    "CONVERT", "MEMORY",   "SHUFFLE", "BRANCH",          "BARRIER",  "MATRIX", "GROUP_MATRIX",   "SHIFT",
    "COUNT",   "ADD32",    "FMA16",   "CONVERT_INTEGER", "VOTE",     "REDUCE", "MATRIX_INTEGER", "MATRIX64"};

const TypeRow& row(DataType type) { return kTypes[static_cast<u32>(type)]; }

}  // namespace

u32 sizeOf(DataType type) { return row(type).bytes; }

u32 registerWords(DataType type) {
  if (type == DataType::pred || type == DataType::none) return 0;
  return sizeOf(type) == 8 ? 2 : 1;
}

bool isFloat(DataType type) { return row(type).isFloat; }
bool isSigned(DataType type) { return row(type).isSigned; }

std::string_view name(DataType type) { return row(type).name; }
std::string_view name(Space space) { return kSpaces[static_cast<u32>(space)]; }
std::string_view name(Unit unit) { return kUnits[static_cast<u32>(unit)]; }
std::string_view name(Latency latency) { return kLatencies[static_cast<u32>(latency)]; }

}  // namespace warpwright::isa
