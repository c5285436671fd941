#include "compiler/patterns/pattern_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::compiler {
namespace {

using isa::ThreadSymbol;
using Operation = NamedValue::Operation;

// Terms of a sum, with their signs between them.
class SumText {
 public:
  void add(bool isNegative, const std::string& term) {
    if (!text_.empty()) {
      text_ += isNegative ? " - " : " + ";
    } else if (isNegative) {
      text_ += "-";
    }
    text_ += term;
  }
  void addTerm(s64 factor, std::string_view symbol) {
    if (factor == 0) return;
    const u64 size = factor < 0 ? ~static_cast<u64>(factor) + 1 : static_cast<u64>(factor);
    add(factor < 0, size == 1 ? std::string(symbol) : fmt::format("{} {}", size, symbol));
  }
  void addNumber(s64 number, bool isAddress = false) {
    if (number == 0) return;
    const u64 size = number < 0 ? ~static_cast<u64>(number) + 1 : static_cast<u64>(number);
    add(number < 0, isAddress && size > 0xffff ? fmt::format("{:#x}", size) : fmt::format("{}", size));
  }
  std::string text() const { return text_.empty() ? "0" : text_; }

 private:
  std::string text_;
};

class FormText {
 public:
  FormText(const PatternVocabulary& vocabulary, const isa::Program& program, const isa::Function& kernel)
      : vocabulary_(vocabulary), program_(program), kernel_(kernel) {}

  std::string of(const Form& form) const {
    SumText sum;
    s64 constant = 0;
    for (const auto& [symbols, factor] : form.terms) {
      std::string product;
      for (const ThreadSymbol symbol : symbols)
        if (symbol != ThreadSymbol::none) product += (product.empty() ? "" : " ") + of(symbol);
      if (product.empty()) {
        constant = static_cast<s64>(factor);
      } else {
        sum.addTerm(static_cast<s64>(factor), product);
      }
    }
    sum.addNumber(constant);
    return sum.text();
  }

 private:
  std::string of(ThreadSymbol symbol) const {
    static constexpr std::string_view kNames[] = {"", "tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ntid.z", "iteration"};
    if (symbol < ThreadSymbol::derived) return std::string(kNames[static_cast<std::size_t>(symbol)]);
    return of(vocabulary_.values[static_cast<std::size_t>(symbol) - static_cast<std::size_t>(ThreadSymbol::derived)]);
  }

  std::string of(const NamedValue& value) const {
    switch (value.operation) {
      case Operation::special:
        return ofSpecial(static_cast<isa::SpecialRegister>(value.number));
      case Operation::parameter:
        return ofParameter(value);
      case Operation::variable:
        return "&" + program_.variables[value.number].name;
      case Operation::stack:
        return "frame";
      case Operation::iteration:
        return fmt::format("{}{}", value.bytes == 0 ? "i" : "n", static_cast<u32>(value.number));
      default:
        return fmt::format("({} {} {})", operand(value.left), sign(value.operation), operand(value.right));
    }
  }
  std::string operand(const Form& form) const { return form.terms.size() > 1 ? "(" + of(form) + ")" : of(form); }

  static std::string_view sign(Operation operation) {
    switch (operation) {
      case Operation::and_:
        return "&";
      case Operation::shl:
        return "<<";
      case Operation::shr:
        return ">>";
      default:
        return "/";
    }
  }
  static std::string ofSpecial(isa::SpecialRegister which) {
    static constexpr std::string_view kNames[] = {"ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z"};
    return std::string(kNames[static_cast<std::size_t>(which) - static_cast<std::size_t>(isa::SpecialRegister::ctaid_x)]);
  }
  std::string ofParameter(const NamedValue& value) const {
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
      const isa::Parameter& parameter = kernel_.parameters[i];
      if (value.number < parameter.offset || value.number >= parameter.offset + parameter.size) continue;
      const u64 inside = value.number - parameter.offset;
      return inside == 0 ? fmt::format("param{}", i) : fmt::format("param{}[{}]", i, inside);
    }
    return fmt::format("param[{}]", value.number);
  }

  const PatternVocabulary& vocabulary_;
  const isa::Program& program_;
  const isa::Function& kernel_;
};

std::string indexText(const IndexSum& y, bool isAddress) {
  SumText sum;
  sum.addTerm(y.a, "tid.z");
  sum.addTerm(y.b, "ctaid.y");
  sum.addTerm(y.c, "tid.y");
  sum.addTerm(y.d, "ctaid.x");
  sum.addTerm(y.e, "tid.x");
  sum.addNumber(y.f, isAddress);
  return sum.text();
}

std::string sectionText(const BitSection& section) {
  return section.shift == 0 ? fmt::format("y[{}:{}]", section.high, section.low)
                            : fmt::format("y[{}:{}] << {}", section.high, section.low, section.shift);
}

}  // namespace

std::string textOf(const AccessPattern& pattern, const isa::Program& program, const isa::Function& kernel) {
  if (pattern.failure != PatternFailure::none) return {};
  const FormText text(*pattern.vocabulary, program, kernel);
  std::string all;
  for (const AddressVersion& version : pattern.versions) all += (all.empty() ? "" : " or ") + text.of(version.address);
  return all;
}

std::string reasonOf(const AccessPattern& pattern) {
  std::string reason(textOf(pattern.failure));
  if (pattern.failure != PatternFailure::operation) return reason;
  return fmt::format("{}: {}", reason, isa::info(pattern.obstacle).mnemonic);
}

std::string textOf(const LaunchPattern& pattern) {
  if (!pattern.isKnown()) return std::string(textOf(pattern.failure));
  std::string text;
  if (pattern.isSkewed()) {
    for (auto section = pattern.sections.rbegin(); section != pattern.sections.rend(); ++section)
      text += (text.empty() ? "" : " | ") + sectionText(*section);
    SumText sum;
    sum.addTerm(pattern.alpha, "(" + text + ")");
    sum.addNumber(pattern.beta, true);
    text = fmt::format("{}, y = {}", sum.text(), indexText(pattern.y, false));
  } else {
    text = indexText(pattern.y, true);
  }
  for (const s64 step : pattern.steps) text += fmt::format(", by {} in each iteration", step);
  return text;
}

}  // namespace warpwright::compiler
