#include "report/page.hpp"

#include <stdexcept>

// The file becomes part of the program as it is: an installed command needs no other file to write a report.
asm(R"(
  .pushsection .rodata
  .global warpwright_report_page
  .global warpwright_report_page_end
warpwright_report_page:
  .incbin ")" WARPWRIGHT_REPORT_PAGE R"("
warpwright_report_page_end:
  .byte 0
  .popsection
)");

extern "C" const char warpwright_report_page[], warpwright_report_page_end[];

namespace warpwright::report {
namespace {

constexpr std::string_view kTitleMark = "{{title}}", kDataMark = "{{data}}";

std::string_view entityOf(char c) {
  switch (c) {
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '&':
      return "&amp;";
    default:
      return {};
  }
}

std::string escapedForMarkup(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const std::string_view entity = entityOf(c);
    entity.empty() ? result.push_back(c) : void(result.append(entity));
  }
  return result;
}

// Replaces the mark, which must occur: the template belongs to this program.
void fill(std::string& page, std::string_view mark, std::string_view text) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw std::logic_error("the template of the report lacks " + std::string(mark));
  page.replace(at, mark.size(), text);
}

}  // namespace

std::string_view pageTemplate() {
  return {warpwright_report_page, static_cast<std::size_t>(warpwright_report_page_end - warpwright_report_page)};
}

std::string escapedForScript(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) {
    switch (c) {
      case '<':
        result += "\\u003c";
        break;
      case '>':
        result += "\\u003e";
        break;
      case '&':
        result += "\\u0026";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string filledPage(std::string_view page, std::string_view title, std::string_view json) {
  std::string result(page);
  // The data first: a title that looks like a mark is then no mark.
  fill(result, kDataMark, escapedForScript(json));
  fill(result, kTitleMark, escapedForMarkup(title));
  return result;
}

}  // namespace warpwright::report
