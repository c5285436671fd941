// Whatever the text of a machine file or of an option file: an Error, or a machine that obeys the rules and can be written and read back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "config/import/import.hpp"
#include "config/machine.hpp"

namespace {

using namespace warpwright;

void check(const config::Machine& machine) {
  config::validate(machine);
  if (config::parseMachine(toToml(machine), "again.toml") != machine) std::abort();
}

template <typename Action>
void attempt(const Action& action) {
  try {
    check(action());
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  attempt([&] { return config::importGpgpuSim(text, "fuzz.config").machine; });
  // A base would be read from any file of the host.
  if (text.find("base") == std::string::npos) attempt([&] { return config::parseMachine(text, "fuzz.toml"); });
  return 0;
}
