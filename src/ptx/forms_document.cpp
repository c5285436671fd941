#include "ptx/forms_document.hpp"

#include <fmt/format.h>

#include "ptx/grammar.hpp"
#include "ptx/special_register.hpp"

namespace warpwright::ptx {
namespace {

constexpr std::string_view kIntroduction = R"(# PTX forms

The instruction forms that Warpwright reads, printed from its grammar table by `warpwright-ptx-forms`.
A form that is not here gives one error when the module is loaded.

`{.x}` may be left out; `(.x/.y)` is one of the values. Rows marked * take their modifiers in any order.
Operands: `T` is the instruction type, `S` the second type, `W` twice the width of `T`, a type name is that type; each is a register
or a constant, and a predicate may be negated with `!`. `=` marks the register that receives the result, `_` that `_` may stand for it,
`|` that a predicate destination may follow (`d|p`), `&` that one must, `+` that a wider register may be used, `?` that the operand may be left out.
`[a]` is an address: register, variable or constant, with a displacement. `[texel]` is `[texture or surface, {coordinates}]`,
`[tensor]` is `[tensor map, {coordinates}]`. `V` is a vector of 2 or 4 elements `T`; `pack` and `unpack` are
the vectors that `mov` joins and splits. `move` is a value, a special register or the address of a variable, function or parameter;
`convert` a value or special register of type `S`; `pointer` a register or the address of a variable; `byte` a constant from 0 to 255, `bit` 0 or 1, `sign` 1 or -1, `constant` any integer.
`4xb32` is a vector of so many registers; `=N/2xf32` one of a register for two of the N columns of a product, which is read and written.

)";

std::string modifiersOf(const Row& row) {
  std::string result;
  for (const Slot& slot : row.slots) {
    const bool alternatives = slot.values.size() > 1;
    std::string values;
    for (const ModifierValue& value : slot.values) values += (values.empty() ? "." : "/.") + std::string(value.text);
    if (slot.optional)
      result += "{" + values + "}";
    else
      result += alternatives ? "(" + values + ")" : values;
  }
  return result;
}

// A bar inside a table cell would end it.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

std::string operandsOf(const Row& row) {
  if (row.opcode == Opcode::call) return "`(returns), target, (arguments), prototype or target list`";
  return row.operandText.empty() ? std::string() : fmt::format("`{}`", cell(row.operandText));
}

}  // namespace

std::string formsDocument() {
  std::string result(kIntroduction);
  result += "## Instructions\n\n| form | operands |\n|---|---|\n";
  for (const Row& row : grammar()) {
    result += fmt::format("| `{}{}`{} | {} |\n", name(row.opcode), modifiersOf(row), row.anyOrder ? " *" : "", operandsOf(row));
  }
  result += "\n## Special registers\n\n| register | type |\n|---|---|\n";
  for (const SpecialRegisterInfo& info : specialRegisters()) result += fmt::format("| `{}` | `.{}` |\n", info.name, name(typeOf(info.reg)));
  result += "| `%envreg0` … `%envreg31` | `.u32` |\n| `%pm0` … `%pm7` | `.u32` |\n";
  return result;
}

}  // namespace warpwright::ptx
