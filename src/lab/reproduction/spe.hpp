// What programs did on a simulated SPE (docs/spe.md).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "spe/statistics.hpp"

namespace warpwright::lab {

// Runs each program once on each SPE that is asked for.
class SpeRuns {
 public:
  // An expression over what the program did on the SPE: instructions, loads, stores, memory, cycles, and cycles_fetched_late, where nothing
  // is fetched ahead; issue_cycles, and stall_… and port_… of the names in spe/statistics.hpp and spe/port.hpp; over the same of the
  // original SPE, original_instructions and so on; over what an SPE is like, load_latency, store_latency and branch_penalty, and
  // words_… of how many words an access through a port reaches. Nothing: there is no such name. Throws Error for an SPE or a program that
  // there is not, and for a program whose results are wrong.
  std::optional<double> value(const std::string& program, const std::string& spe, const std::string& expression);

 private:
  enum class Way { asWritten, fetchedLate, scheduled };

  std::optional<double> named(const std::string& program, const std::string& spe, const std::string& name);
  const spe::Statistics& statisticsOf(const std::string& program, const std::string& spe, Way way);

  std::map<std::string, spe::Statistics> runs_;
};

// What table 4.1 says of a port, found by an access through it: "strided stride", "normal family", … Empty: there is no such thing.
std::string portWord(const std::string& what);

}  // namespace warpwright::lab
