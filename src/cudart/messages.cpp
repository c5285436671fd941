#include "messages.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>

namespace warpwright::cudart {
namespace {

std::atomic<bool> notesSilent{false};

}  // namespace

void printError(std::string_view text) {
  std::fflush(stdout);
  std::fputs(fmt::format("warpwright: {}\n", text).c_str(), stderr);
}

void printNote(std::string_view text) {
  if (!notesSilent) printError(text);
}

void silenceNotes(bool silent) { notesSilent = silent; }

}  // namespace warpwright::cudart
