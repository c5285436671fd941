// Runs every file of the conformance suite through parser, compiler and functional machine, once for each way of reconverging and,
// where the result does not depend on it, for other warp sizes; compares all outputs with the expectations in the file. Once more with
// every check: none may find anything, nor change a result. And once with a profile, whose laws hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "compiler/compiler.hpp"
#include "exec/launch.hpp"
#include "profile/collector.hpp"
#include "profile/kernel_profile.hpp"
#include "ptx/parser.hpp"
#include "test_file.hpp"

namespace warpwright::conformance {
namespace {

namespace fs = std::filesystem;

constexpr int kUntouched = 0xa5;  // the byte that fills the output buffer before the launch
constexpr size_t kDifferencesPrinted = 4;

struct Scenario {
  fs::path path;
  exec::Reconvergence reconvergence;
  u32 warpSize;
  bool checked = false, profiled = false;
};

std::vector<Scenario> scenarios() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(WARPWRIGHT_SOURCE_DIR "/tests/conformance/ptx")) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Scenario> all;
  for (const fs::path& path : paths) {
    all.push_back({path, exec::Reconvergence::stack, 32});
    all.push_back({path, exec::Reconvergence::independent, 32});
    all.push_back({path, exec::Reconvergence::independent, 32, true});
    all.push_back({path, exec::Reconvergence::stack, 32, false, true});
    if (readTestFile(path.string()).warpSize != 0) continue;
    all.push_back({path, exec::Reconvergence::stack, 8});
    all.push_back({path, exec::Reconvergence::independent, 64});
  }
  return all;
}

std::string scenarioName(const ::testing::TestParamInfo<Scenario>& info) {
  std::string name = info.param.path.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name + (info.param.reconvergence == exec::Reconvergence::stack ? "_stack" : "_independent") + std::to_string(info.param.warpSize) +
         (info.param.checked ? "_checked" : "") + (info.param.profiled ? "_profiled" : "");
}

// What the test's failure messages start with, instead of the raw bytes of the parameter.
void PrintTo(const Scenario& scenario, std::ostream* stream) { *stream << scenario.path.filename(); }

std::vector<u8> inputBytes(const TestFile& file) {
  std::vector<u8> bytes(bufferBytes(file.inputs), 0);
  for (const Column& column : file.inputs)
    for (size_t i = 0; i < column.values.size(); ++i)
      std::memcpy(&bytes[column.offset + i * column.size], &column.values[i].bits, column.size);
  return bytes;
}

// The parameter block of `k(out, in, p0, p1 ...)`.
std::vector<u8> parameterBlock(const TestFile& file, const isa::Function& kernel, u32 addressBits, u64 out, u64 in) {
  std::vector<u8> block(kernel.parameterBytes, 0);
  const u64 addresses[] = {out, in};
  for (size_t i = 0; i < std::size(addresses); ++i) std::memcpy(&block.at(kernel.parameters.at(i).offset), &addresses[i], addressBits / 8);
  for (size_t p = 0; p < file.parameters.size(); ++p) {
    const Column& column = file.parameters[p];
    const u64 offset = kernel.parameters.at(std::size(addresses) + p).offset;
    for (size_t i = 0; i < column.values.size(); ++i) std::memcpy(&block.at(offset + i * column.size), &column.values[i].bits, column.size);
  }
  return block;
}

class Printer : public exec::HostServices {
 public:
  void print(std::string_view text) override { printed += text; }
  void printError(std::string_view line) override { printed += line; }
  std::string printed;
};

// The names that a file's "ends" may give.
std::string_view nameOf(exec::LaunchStatus status) {
  switch (status) {
    case exec::LaunchStatus::completed:
      return "completed";
    case exec::LaunchStatus::trap:
      return "trap";
    case exec::LaunchStatus::breakpoint:
      return "breakpoint";
    case exec::LaunchStatus::assertion:
      return "assertion";
    default:
      return "another way";
  }
}

void checkProfile(const exec::LaunchRequest& request, const exec::LaunchResult& result, profile::Collector& collector) {
  profile::KernelProfile profile("k", "", request.limits.warpSize);
  profile.add(request, result, 1, collector);
  EXPECT_EQ(profile.violations(), std::vector<std::string>{});
}

struct Outcome {
  std::vector<u8> output;
  std::string printed;
};

Outcome run(const TestFile& file, const Scenario& scenario) {
  isa::Program program = compiler::compile(ptx::parse(file.ptx, file.name + ".ptx"));
  const u32 addressBits = program.addressBits;
  exec::GlobalMemory::Options options;
  options.addressBits = addressBits;
  options.capacity = u64{64} << 20;
  options.trackInitialisation = options.wideGaps = scenario.checked;
  exec::GlobalMemory memory(options);
  const auto loaded = exec::load(std::move(program), memory);
  const isa::Function* kernel = loaded->program.findFunction("k");
  if (kernel == nullptr) throw Error("there is no kernel k");

  const std::vector<u8> input = inputBytes(file);
  std::vector<u8> output(bufferBytes(file.outputs), kUntouched);
  const GlobalAddress in = memory.allocate(std::max<u64>(input.size(), 1), exec::AllocationKind::device, "in").value();
  const GlobalAddress out = memory.allocate(std::max<u64>(output.size(), 1), exec::AllocationKind::device, "out").value();
  std::copy_n(reinterpret_cast<const std::byte*>(input.data()), input.size(), exec::GlobalMemory::hostPointer(in));
  std::fill_n(exec::GlobalMemory::hostPointer(out), output.size(), std::byte{kUntouched});
  memory.markInitialised(in, input.size());
  memory.markInitialised(out, output.size());

  const std::vector<u8> parameters = parameterBlock(file, *kernel, addressBits, out, in);
  exec::LaunchRequest request;
  request.launch = std::make_shared<const exec::Launch>(
      exec::Launch{{{file.grid, 1, 1}, {file.threads, 1, 1}, file.sharedBytes}, loaded.get(), kernel, parameters});
  request.limits.reconvergence = scenario.reconvergence;
  request.limits.warpSize = scenario.warpSize;
  request.checks.uninitialised = request.checks.races = request.checks.synchronisation = scenario.checked;
  Printer printer;
  request.host = &printer;
  profile::Collector collector({.warpSize = scenario.warpSize, .sharedBanks = 32, .sharedBankBytes = 4});
  if (scenario.profiled) {
    collector.begin(loaded->program.code.size());
    request.observer = &collector;
  }
  const exec::LaunchResult result = exec::launch(request, memory);
  if (scenario.profiled) checkProfile(request, result, collector);
  if (nameOf(result.status) != file.ending) throw Error("the launch is to end as " + file.ending + ": " + result.message);
  std::copy_n(exec::GlobalMemory::hostPointer(out), output.size(), reinterpret_cast<std::byte*>(output.data()));
  return {output, printer.printed};
}

// The inputs of one element, to make a difference reproducible by hand.
std::string inputsAt(const TestFile& file, size_t index) {
  std::ostringstream text;
  for (const Column& column : file.inputs)
    if (index < column.values.size()) text << " " << column.type << " 0x" << std::hex << column.values[index].bits << std::dec;
  return text.str();
}

std::string describe(const Value& value) {
  if (value.kind == Value::Kind::nan) return "a NaN";
  std::ostringstream text;
  text << "0x" << std::hex << value.bits;
  return text.str();
}

void compare(const TestFile& file, const Column& column, const std::vector<u8>& output) {
  size_t differences = 0;
  for (size_t i = 0; i < column.values.size(); ++i) {
    u64 got = 0;
    std::memcpy(&got, &output[column.offset + i * column.size], column.size);
    if (accepts(column, column.values[i], got)) continue;
    if (++differences > kDifferencesPrinted) continue;
    ADD_FAILURE() << file.form << ": output " << (&column - file.outputs.data()) << " (" << column.type << ") of thread " << i
                  << ": expected " << describe(column.values[i]) << ", got 0x" << std::hex << got << std::dec << " from"
                  << inputsAt(file, i);
  }
  EXPECT_EQ(differences, 0u) << "of " << column.values.size();
}

class Conformance : public ::testing::TestWithParam<Scenario> {};

TEST_P(Conformance, GivesTheManualsResult) {
  const TestFile file = readTestFile(GetParam().path.string());
  ASSERT_FALSE(file.outputs.empty() && file.ending == "completed") << "a file without expectations tests nothing";
  Outcome outcome;
  try {
    outcome = run(file, GetParam());
  } catch (const std::exception& error) {
    FAIL() << file.form << ": " << error.what();
  }
  for (const Column& column : file.outputs) compare(file, column, outcome.output);
  if (!file.printed) return;
  EXPECT_EQ(outcome.printed, *file.printed) << file.form;
}

INSTANTIATE_TEST_SUITE_P(Ptx, Conformance, ::testing::ValuesIn(scenarios()), scenarioName);

}  // namespace
}  // namespace warpwright::conformance
