#include "ptx/types.hpp"

#include <array>
#include <cstddef>

namespace warpwright::ptx {
namespace {

enum class Interpretation : u8 { other, bits, integer, floating };

struct TypeInfo {
  std::string_view name;
  u32 size;
  Interpretation kind;
  bool isSigned;
};

// In the order of enum Type.
constexpr std::array kTypes = {
    TypeInfo{"", 0, Interpretation::other, false},           TypeInfo{"pred", 0, Interpretation::other, false},
    TypeInfo{"b8", 1, Interpretation::bits, false},          TypeInfo{"b16", 2, Interpretation::bits, false},
    TypeInfo{"b32", 4, Interpretation::bits, false},         TypeInfo{"b64", 8, Interpretation::bits, false},
    TypeInfo{"b128", 16, Interpretation::bits, false},       TypeInfo{"u8", 1, Interpretation::integer, false},
    TypeInfo{"u16", 2, Interpretation::integer, false},      TypeInfo{"u32", 4, Interpretation::integer, false},
    TypeInfo{"u64", 8, Interpretation::integer, false},      TypeInfo{"s8", 1, Interpretation::integer, true},
    TypeInfo{"s16", 2, Interpretation::integer, true},       TypeInfo{"s32", 4, Interpretation::integer, true},
    TypeInfo{"s64", 8, Interpretation::integer, true},       TypeInfo{"f16", 2, Interpretation::floating, true},
    TypeInfo{"f16x2", 4, Interpretation::floating, true},    TypeInfo{"bf16", 2, Interpretation::floating, true},
    TypeInfo{"bf16x2", 4, Interpretation::floating, true},   TypeInfo{"tf32", 4, Interpretation::floating, true},
    TypeInfo{"f32", 4, Interpretation::floating, true},      TypeInfo{"f64", 8, Interpretation::floating, true},
    TypeInfo{"f32x2", 8, Interpretation::floating, true},    TypeInfo{"u16x2", 4, Interpretation::integer, false},
    TypeInfo{"s16x2", 4, Interpretation::integer, true},     TypeInfo{"e4m3x2", 2, Interpretation::floating, true},
    TypeInfo{"e5m2x2", 2, Interpretation::floating, true},   TypeInfo{"e2m3x2", 2, Interpretation::floating, true},
    TypeInfo{"e3m2x2", 2, Interpretation::floating, true},   TypeInfo{"e2m1x2", 1, Interpretation::floating, true},
    TypeInfo{"ue8m0x2", 2, Interpretation::floating, false},
};
static_assert(kTypes.size() == static_cast<std::size_t>(Type::ue8m0x2) + 1);

// In the order of enum Space.
constexpr std::array<std::string_view, 8> kSpaces = {"", "reg", "sreg", "const", "global", "local", "param", "shared"};

const TypeInfo& info(Type type) { return kTypes[static_cast<std::size_t>(type)]; }

}  // namespace

u32 sizeOf(Type type) { return info(type).size; }
bool isFloat(Type type) { return info(type).kind == Interpretation::floating; }
bool isSigned(Type type) { return info(type).isSigned; }
bool isUntyped(Type type) { return info(type).kind == Interpretation::bits; }
std::string_view name(Type type) { return info(type).name; }
std::string_view name(Space space) { return kSpaces[static_cast<std::size_t>(space)]; }

Type typeNamed(std::string_view text) {
  for (std::size_t i = 1; i < kTypes.size(); ++i)
    if (kTypes[i].name == text) return static_cast<Type>(i);
  return Type::none;
}

bool registerFits(Type instruction, Type reg, bool relaxed) {
  if (instruction == Type::pred || reg == Type::pred) return instruction == reg;
  const u32 wanted = sizeOf(instruction);
  const u32 actual = sizeOf(reg);
  if (isFloat(instruction)) return reg == instruction || (isUntyped(reg) && actual == wanted);
  if (actual == wanted) return isUntyped(instruction) || !isFloat(reg);
  return relaxed && actual > wanted && !isFloat(reg);
}

}  // namespace warpwright::ptx
