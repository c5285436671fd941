// The bank map that a user names: --scheme and its parameters.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <warpwright/parallel_memory/schemes.hpp>

#include "base/types.hpp"

namespace warpwright::cli {

struct SchemeChoice {
  std::string scheme;
  std::map<std::string, u64> values;  // of the scheme's parameters, q and n

  u64 value(const std::string& name, u64 otherwise) const;
  // As makeBankMap() takes it. Throws WrongUsage when none is named.
  std::string text() const;
};

void addSchemeOptions(CLI::App& command, SchemeChoice& choice);

// A memory large enough for every base address within a period of the banks, as far as addresses up to `reach` let one see.
parallel_memory::Memory memoryFor(const SchemeChoice& choice, u64 reach);

}  // namespace warpwright::cli
