// `warpwright kernel`: one kernel of a PTX file, without a host program.
#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <fstream>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/app.hpp"
#include "cli/checks.hpp"
#include "cli/kernel_argument.hpp"
#include "cli/simulation_options.hpp"
#include "runtime/environment.hpp"
#include "runtime/interrupt.hpp"
#include "runtime/kernel_lookup.hpp"
#include "runtime/ptx_source.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kKernelExamples =
    "Examples:\n"
    "  warpwright kernel saxpy.ptx --grid 4 --block 256 \\\n"
    "      --arg i32:1024 --arg f32:2.0 --arg buf:f32:1024:iota --arg buf:f32:1024:random:1 --print 3:8\n"
    "  warpwright kernel tiles.ptx --kernel transpose --grid 32,32 --block 32,8 --shared 4224 \\\n"
    "      --arg buf:f32:1048576 --arg buf:f32:1048576:file=in.bin --dump-buffer 0=out.bin\n"
    "\n"
    "Arguments, in the order of the kernel's parameters:\n";

struct KernelChoice {
  std::string file, kernel, grid = "1", block = "1";
  u64 sharedBytes = 0;
  bool cooperative = false;
  std::string cluster;  // empty: as the kernel says
  std::vector<std::string> arguments, prints, dumps;
  SimulationOptions simulation;
};

struct Argument {
  KernelArgument given;
  GlobalAddress address;  // of a buffer
};

Dim3 parseExtent(const std::string& text) {
  u32 extents[3] = {1, 1, 1};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    const auto [next, code] = std::from_chars(at, end, extents[i]);
    if (code != std::errc{} || extents[i] == 0) break;
    if (next == end) return {extents[0], extents[1], extents[2]};
    if (*next != ',') break;
    at = next + 1;
  }
  throw Error(fmt::format("'{}' is no extent", text), {}, "write X, X,Y or X,Y,Z with numbers from 1 up");
}

std::string signatureText(const isa::Function& kernel) {
  std::string text =
      fmt::format("'{}' takes {} argument{}", demangled(kernel.name), kernel.parameters.size(), kernel.parameters.size() == 1 ? "" : "s");
  for (const isa::Parameter& parameter : kernel.parameters) text += fmt::format("\n    {} bytes  {}", parameter.size, parameter.name);
  return text;
}

void checkSizes(const isa::Function& kernel, const std::vector<Argument>& arguments, u32 addressBits) {
  if (arguments.size() != kernel.parameters.size()) throw Error(fmt::format("{} --arg given", arguments.size()), {}, signatureText(kernel));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const KernelArgument& given = arguments[i].given;
    const u64 size = given.isBuffer ? addressBits / 8 : given.value.size();
    if (size == kernel.parameters[i].size) continue;
    throw Error(fmt::format("argument {} ('{}') has {} bytes, the parameter {}", i, given.text, size, kernel.parameters[i].size), {},
                signatureText(kernel));
  }
}

void placeBuffer(exec::GlobalMemory& memory, Argument& argument, std::size_t index) {
  const u64 bytes = argument.given.bufferBytes();
  const auto address = memory.allocate(bytes, exec::AllocationKind::device, fmt::format("argument {}", index));
  if (!address) throw Error(fmt::format("argument '{}' does not fit in device memory", argument.given.text));
  argument.address = *address;
  const std::vector<u8> contents = initialBytes(argument.given);
  std::memcpy(exec::GlobalMemory::hostPointer(*address), contents.data(), bytes);
  memory.markInitialised(*address, bytes);
}

std::vector<u8> parameterBlock(const isa::Function& kernel, const std::vector<Argument>& arguments) {
  std::vector<u8> block(kernel.parameterBytes);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const isa::Parameter& parameter = kernel.parameters[i];
    const void* const source =
        arguments[i].given.isBuffer ? static_cast<const void*>(&arguments[i].address) : arguments[i].given.value.data();
    std::memcpy(block.data() + parameter.offset, source, parameter.size);
  }
  return block;
}

const Argument& bufferAt(const std::vector<Argument>& arguments, const std::string& text, std::string_view index) {
  std::size_t number = 0;
  const auto [end, code] = std::from_chars(index.data(), index.data() + index.size(), number);
  const bool valid = code == std::errc{} && end == index.data() + index.size() && number < arguments.size();
  if (valid && arguments[number].given.isBuffer) return arguments[number];
  throw WrongUsage("'" + text + "' names no buffer", "give the position of a buf: argument; the first argument is 0");
}

// "INDEX" or "INDEX:COUNT": the elements, one line a buffer.
void printBuffer(const std::vector<Argument>& arguments, const std::string& text) {
  const auto colon = text.find(':');
  const Argument& buffer = bufferAt(arguments, text, std::string_view(text).substr(0, colon));
  u64 count = buffer.given.count;
  if (colon != std::string::npos) {
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data() + colon + 1, end, count).ptr != end) throw WrongUsage("--print " + text, "write INDEX or INDEX:COUNT");
  }
  count = std::min(count, buffer.given.count);
  const auto* bytes = reinterpret_cast<const u8*>(exec::GlobalMemory::hostPointer(buffer.address));
  for (u64 i = 0; i < count; ++i)
    fmt::print("{}{}", i == 0 ? "" : " ", elementText(buffer.given.type, bytes + i * sizeOf(buffer.given.type)));
  fmt::print("\n");
}

// "INDEX=FILE": the raw bytes.
void dumpBuffer(const std::vector<Argument>& arguments, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) throw WrongUsage("--dump-buffer " + text, "write INDEX=FILE");
  const Argument& buffer = bufferAt(arguments, text, std::string_view(text).substr(0, equals));
  std::ofstream out(text.substr(equals + 1), std::ios::binary);
  out.write(reinterpret_cast<const char*>(exec::GlobalMemory::hostPointer(buffer.address)),
            static_cast<std::streamsize>(buffer.given.bufferBytes()));
  out.flush();
  if (!out) throw Error("cannot write '" + text.substr(equals + 1) + "'", {}, "name a file in a writable folder");
}

int finish(runtime::Device& device, const runtime::Environment& environment, const exec::LaunchResult& result) {
  for (const std::string& warning : result.warnings) fmt::print(stderr, "warpwright: {}\n", warning);
  for (const std::string& fault : result.tolerated) fmt::print(stderr, "warpwright: {}\n", fault);
  const bool completed = result.status == exec::LaunchStatus::completed;
  if (!completed) fmt::print(stderr, "warpwright: {}\n", result.message);
  runtime::report(device, environment.report);
  if (result.status == exec::LaunchStatus::stopped && runtime::interrupted()) runtime::dieOfInterrupt();
  return completed ? 0 : 1;
}

int run(const KernelChoice& choice) {
  choice.simulation.exportToEnvironment();
  const std::string ptx = readFile(choice.file);
  const runtime::Environment environment = runtime::readEnvironment();
  runtime::Device device(runtime::settingsFrom(environment, runtime::addressBitsOf(ptx)));
  const runtime::Module& module = device.loadModule(ptx, choice.file);

  runtime::Launch launch;
  launch.module = &module;
  launch.kernel = &runtime::findKernel(module.loaded->program, choice.kernel);
  launch.grid = parseExtent(choice.grid);
  launch.block = parseExtent(choice.block);
  launch.dynamicSharedBytes = choice.sharedBytes;
  launch.cooperative = choice.cooperative;
  if (!choice.cluster.empty()) launch.cluster = parseExtent(choice.cluster);

  std::vector<Argument> arguments;
  for (const std::string& text : choice.arguments) arguments.push_back({parseArgument(text)});
  checkSizes(*launch.kernel, arguments, device.settings().addressBits);
  for (const std::string& text : choice.prints) bufferAt(arguments, text, std::string_view(text).substr(0, text.find(':')));
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].given.isBuffer) placeBuffer(device.memory(), arguments[i], i);
  launch.parameters = parameterBlock(*launch.kernel, arguments);

  const exec::LaunchResult result = device.launch(launch);
  for (const Argument& each : arguments)
    if (each.given.isBuffer) device.copiedToHost(exec::GlobalMemory::hostPointer(each.address), each.given.bufferBytes());
  for (const std::string& text : choice.prints) printBuffer(arguments, text);
  for (const std::string& text : choice.dumps) dumpBuffer(arguments, text);
  return finish(device, environment, result);
}

}  // namespace

void addKernel(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("kernel", "Run one kernel of a PTX file, without a host program");
  auto choice = std::make_shared<KernelChoice>();
  command->add_option("file", choice->file, "PTX file (warpwright-cc --ptx makes one)")->required()->type_name("FILE.ptx");
  command->add_option("-k,--kernel", choice->kernel, "The kernel, as named in the source or in the PTX; needless when there is only one")
      ->type_name("NAME");
  command->add_option("-g,--grid", choice->grid, "Blocks of the grid")->check(readableBy(parseExtent))->type_name("X[,Y[,Z]]");
  command->add_option("-b,--block", choice->block, "Threads of a block")->check(readableBy(parseExtent))->type_name("X[,Y[,Z]]");
  command->add_option("-s,--shared", choice->sharedBytes, "Dynamic shared memory of a block, bytes")->type_name("BYTES");
  command->add_option("-a,--arg", choice->arguments, "One argument of the kernel; see below")
      ->check(readableBy(parseArgument))
      ->type_name("FORM")
      ->allow_extra_args(false);
  command->add_flag("--cooperative", choice->cooperative, "Launch so that the grid can synchronise");
  command->add_option("--cluster", choice->cluster, "Blocks of a cluster; without it as the kernel says (.reqnctapercluster), or one")
      ->check(readableBy(parseExtent))
      ->type_name("X[,Y[,Z]]");
  command->add_option("--print", choice->prints, "Print buffer argument INDEX after the run, or its first COUNT elements")
      ->type_name("INDEX[:COUNT]")
      ->allow_extra_args(false);
  command->add_option("--dump-buffer", choice->dumps, "Write the raw bytes of buffer argument INDEX to FILE after the run")
      ->type_name("INDEX=FILE")
      ->allow_extra_args(false);
  choice->simulation.addTo(*command);
  command->footer(kKernelExamples + (std::string(kArgumentForms) + "\n"));
  command->callback([choice, &status] { status = run(*choice); });
}

}  // namespace warpwright::cli
