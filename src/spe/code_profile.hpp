// The code of a program, with how often each instruction was issued and what was lost before it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "spe/code_line.hpp"
#include "spe/pipeline.hpp"
#include "stats/json.hpp"

namespace warpwright::spe {

// Counts for each address.
class CodeProfile final : public PipelineListener {
 public:
  struct Count {
    u64 times = 0;
    std::array<u64, kStalls> lost{};  // cycles before it, by cause

    u64 allLost() const;
    Stall mainCause() const;
  };

  void issued(const Issue& issue) override;
  Count at(u32 address) const;

 private:
  std::vector<Count> counts_;  // by word of the code
};

// A line an instruction: times, cycles lost before it, most of them for what, address, text.
std::string listingOf(const std::vector<CodeLine>& code, const CodeProfile& profile);
// The same: label, address, text, times, lost by cause.
stats::Json jsonOf(const std::vector<CodeLine>& code, const CodeProfile& profile);

}  // namespace warpwright::spe
