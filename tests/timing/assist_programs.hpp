// Programs with assist warps for tests of the timed machine: kernels and routines as text, and what a run of them did.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mechanisms/assist_warps/settings.hpp"
#include "mechanisms/assist_warps/statistics.hpp"
#include "runtime/device.hpp"
#include "timed_machine.hpp"

namespace warpwright::assist_tests {

using config::Machine;
using mechanisms::assist_warps::RoutineStatistics;
using mechanisms::assist_warps::Settings;
using mechanisms::assist_warps::Statistics;
using sm::Context;
using testing::fermi;
using testing::Step;
using testing::TimedMachine;

inline constexpr u32 kBlocks = 6, kThreads = 128, kRounds = 4, kAll = kBlocks * kThreads, kWords = 16384;
inline constexpr u32 kRemainders = 8192, kSums = 13312;  // words at which the stores of the rounds and the last one begin
// Of the kernel `work`: where its array is empty it stores n modulo 3 in round n of 4, and at last the sum of no odd numbers.
inline constexpr u64 kZerosOfEmptyMemory = kAll * (2 + 1);
inline constexpr u64 kStores = kAll / 32 * (kRounds + 1);  // of warps

// What PTX begins with.
extern const char* const kHead;
// A kernel whose parameter, in %d0, is an array; %r4 is the number of the thread in the grid, and %d1 points to its word. It may use
// registers %r5 to %r15, %d2, %d3, and predicates %p0 to %p2.
std::string kernelOf(const std::string& name, const std::string& body);
// Four rounds of a load, a store of what it has, and a branch that diverges; then a store and an atomic.
extern const std::string kWork;
std::string countingZeros(const std::string& annotation);
// Counts to ten, and loads from the address that it is given, or from 8.
std::string looping(const std::string& annotation, bool takesAddress = false);
// Gives a load twice of what it has loaded.
std::string doubling();

Machine withAssistWarps(Machine machine, const std::function<void(Settings&)>& change = {});

struct Ran {
  machines::TimedResult result;
  std::vector<Step> steps;
  Statistics counted;
  std::map<std::string, RoutineStatistics> routines;
  std::string counters;  // of everything but the mechanism
  std::string all;
  std::vector<u32> memory;
};
// Cycles in which a scheduler has chosen a warp, behind its number.
using Picked = std::set<std::pair<u32, u64>>;
// A kernel, with the words of its array and what its parameters are by the array's place.
struct Subject {
  std::string ptx, kernel;
  u32 blocks = 0, threads = 0, words = 0;
  std::function<std::vector<u64>(const u32* array)> parameters;
};
Ran run(const Machine& config, const Subject& subject, machines::TimingOptions options = {}, Picked* picked = nullptr);
// The kernel `work` of the code.
Ran run(const Machine& config, const std::string& code, machines::TimingOptions options = {}, Picked* picked = nullptr);

// ":LINE" of a file of these routines, at which the text is first.
std::string lineOf(const std::string& routines, const std::string& text);

u64 zerosStored(const std::vector<u32>& memory);

// A file in examples/assist-warps; and what of it follows its head.
std::string exampleFile(const std::string& name);
std::string example(const std::string& name);

// As a user has them: a file, linked into a program that knows nothing of it.
class AssistFile : public ::testing::Test {
 protected:
  ~AssistFile() override;

  // Without a file where there are no routines.
  std::unique_ptr<runtime::Device> device(const std::string& routines, const machines::TimingOptions& options = {},
                                          const std::function<void(Settings&)>& change = {});
  struct Launched {
    runtime::LaunchOutcome outcome;
    Statistics counted;
    u64 cycles = 0;
    std::string all;  // counters
  };
  // Of a module with one kernel, whose parameter is an array of kWords.
  static Launched launch(runtime::Device& device, const std::string& module);
  // What loading `work` beside the routines is refused with; empty: it is not.
  std::string refusal(const std::string& routines, const std::function<void(Settings&)>& change = {});
  const std::string& file() const { return file_; }

 private:
  std::string file_ = ::testing::TempDir() + "routines-" + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".ptx";
};

}  // namespace warpwright::assist_tests
