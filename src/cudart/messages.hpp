// What the shim says on stderr.
#pragma once

#include <string_view>

namespace warpwright::cudart {

// "warpwright: TEXT"; always.
void printError(std::string_view text);
// The same, unless WARPWRIGHT_QUIET is set: explanations of error codes that the program gets anyway.
void printNote(std::string_view text);
void silenceNotes(bool silent);

}  // namespace warpwright::cudart
