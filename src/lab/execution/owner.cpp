#include "lab/execution/owner.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace warpwright::lab {
namespace {

constexpr const char* kWord = "process";

std::string bootOfMachine() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  file >> boot;
  return boot;
}

// In clock ticks since the boot (field 22 of /proc/PID/stat; the second, in parentheses, may hold spaces); empty: it has ended.
std::string startOf(long process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name = text.rfind(')');
  if (name == std::string::npos) return {};
  std::istringstream rest(text.substr(name + 1));
  std::string field;
  for (int number = 3; number <= 22; ++number) {
    rest >> field;
    if (number == 3 && field == "Z") return {};  // it has ended, and its parent has not asked yet
  }
  return field;
}

}  // namespace

std::string thisProcess() { return fmt::format("{} {} {} {}", kWord, bootOfMachine(), getpid(), startOf(getpid())); }

bool isProcess(const std::string& owner) { return owner.starts_with(kWord); }

bool lives(const std::string& owner) {
  std::istringstream parts(owner);
  std::string word, boot, start;
  long process = 0;
  parts >> word >> boot >> process >> start;
  return word == kWord && boot == bootOfMachine() && !start.empty() && startOf(process) == start;
}

}  // namespace warpwright::lab
