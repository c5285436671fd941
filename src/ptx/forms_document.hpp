// The grammar as a document for readers: docs/ptx-forms.md.
#pragma once

#include <string>

namespace warpwright::ptx {

// Markdown: every instruction form and special register that the parser takes.
std::string formsDocument();

}  // namespace warpwright::ptx
