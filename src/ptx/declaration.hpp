// Variable declarations: ".global .align 4 .u32 x[2] = {1, 2}", parameters, registers.
#pragma once

#include "ptx/context.hpp"

namespace warpwright::ptx {

// The qualifiers of a declaration between its space and its name.
struct Qualifiers {
  Type type = Type::none;
  u8 vector = 1;
  u32 alignment = 0;  // 0: none given
  bool managed = false;
  bool isReference = false;  // .texref, .surfref, .samplerref
  Space pointee = Space::generic;
  u32 pointeeAlignment = 0;
};

// ".align 8 .v2 .f32", with .ptr and .attribute where they may stand. A type must be there.
Qualifiers parseQualifiers(Context& context);

// Name and array bounds of one declarator; the cursor is behind the qualifiers.
Variable parseDeclarator(Context& context, Space space, const Qualifiers& qualifiers);
// The same with its "= initialiser" where there is one, which may give an unsized array its size. Module scope.
Variable parseInitialisedDeclarator(Context& context, Space space, const Qualifiers& qualifiers, Linkage linkage);

// ".space …;" at module scope, after the linkage directive; the cursor is at the space.
void parseModuleVariables(Context& context, Linkage linkage);
// ".reg …;", ".local …;", ".shared …;", ".param …;" in a body.
void parseLocalDeclaration(Context& context);

// "(.param .u32 a, …)" of a function or prototype; the cursor is at the parenthesis. Without a parenthesis: no parameters.
std::vector<Variable> parseParameters(Context& context);

// A space directive: ".shared" → shared. Empty for anything else.
std::optional<Space> spaceNamed(std::string_view directive);

// Bounds that keep sizes and indices far from overflow.
inline constexpr u64 kMostBytes = u64{1} << 40;           // of one variable
inline constexpr u64 kMostInitialBytes = u64{1} << 26;    // of one initialiser
inline constexpr u64 kMostParameterBytes = u64{1} << 20;  // of one parameter
inline constexpr u64 kMostAlignment = u64{1} << 16;
inline constexpr u32 kMostDimensions = 16;
inline constexpr u64 kMostRegisters = u64{1} << 30;  // of one parameterised name

}  // namespace warpwright::ptx
