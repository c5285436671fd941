// The page's template, and how data gets into it.
#pragma once

#include <string>
#include <string_view>

namespace warpwright::report {

// report/dist/page.html, which report/build makes: markup, style and scripts.
std::string_view pageTemplate();

// The same JSON without any character that could end or open an element of HTML: `<`, `>` and `&` as \u escapes.
std::string escapedForScript(std::string_view json);

// The template with the title, and the JSON as its data.
std::string filledPage(std::string_view page, std::string_view title, std::string_view json);

}  // namespace warpwright::report
