// Warpwright as a library: load PTX or CUDA C++, run kernels on a simulated GPU, read statistics. docs/library.md shows it in use.
//
//     find_package(warpwright REQUIRED)
//     target_link_libraries(app PRIVATE warpwright::simulator)
//
// Every mistake (an unknown machine, PTX that does not parse, a kernel that reads out of bounds) is a std::runtime_error whose what() has
// position, cause and remedy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpwright {

// Of a grid, in blocks, or of a block, in threads.
struct Extent {
  std::uint32_t x = 1, y = 1, z = 1;
};

// An argument of a kernel: any value that can be copied byte by byte. Addresses are std::uint64_t, or std::uint32_t in code with 32-bit
// addresses.
class Argument {
 public:
  template <class T>
  Argument(const T& value) : bytes_(sizeof(T)) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(bytes_.data(), &value, sizeof(T));
  }
  // Its bytes as they are.
  static Argument ofBytes(std::vector<std::uint8_t> bytes) {
    Argument result(std::uint8_t{0});
    result.bytes_ = std::move(bytes);
    return result;
  }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

struct SimulatorOptions {
  std::string machine = "v100";        // a preset (`warpwright machines`) or a machine file
  std::vector<std::string> overrides;  // of the machine's keys: "l1d.ways=8" (docs/machines.md)
  bool timed = true;                   // simulate every cycle; false: results and profile only, much faster
  std::uint32_t threads = 1;           // of the host, for a timed simulation; the results are the same with any number
  std::uint32_t maxRegisters = 0;      // of a thread; 0: as many as the machine has
  std::uint32_t addressBits = 64;      // as the PTX says (.address_size): 32 or 64
  bool lines = false;                  // charge stalls to source lines, in statistics()
  std::string checks;                  // beside the usual ones: "races,uninitialised", "all" (docs/checks.md)
  bool stopOnFault = true;             // false: kernels that access memory out of bounds go on; takeWarnings() tells
  std::string energyTable;             // of a timed simulation (docs/energy.md): "40nm"; empty: no energy is accounted
  // Files that writeTraces() writes of a timed simulation (docs/traces.md): for Perfetto, for Konata, counters over time as CSV. Empty:
  // none.
  std::string traceFile, konataFile, seriesFile;
  std::uint64_t traceFrom = 0, traceUntil = ~std::uint64_t{0};  // core cycles, the last one not included
  std::uint64_t traceInterval = 1000;                           // core cycles of a row of the counters
  // Gets what kernels print. Empty: standard output does.
  std::function<void(std::string_view text)> print;
  // Asked some times a second while kernels run: true stops them. Empty: nobody asks. Neither may throw.
  std::function<bool()> mustStop;
};

// CUDA C++ for Simulator::loadCuda() and compileCuda().
struct CudaSource {
  std::string text;
  std::string name = "module.cu";    // of its file, for messages and source lines
  std::vector<std::string> options;  // of warpwright-cc: "-I", "include", "-DN=4", "-use_fast_math" (docs/warpwright-cc.md)
};

struct CompiledCuda {
  std::string ptx;
  std::string remarks;  // what the compiler says: warnings
};
// Compiles with the warpwright-cc beside this library. Throws an error that holds what the compiler says.
CompiledCuda compileCuda(const CudaSource& source);

// A __device__, __constant__ or __managed__ variable.
struct Symbol {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
};

struct KernelParameter {
  std::string name;  // in the PTX
  std::size_t bytes = 0;
  bool isFloat = false;  // float, double or half
};

struct KernelInfo {
  std::string name, signature;                    // in the PTX, in the source
  std::uint32_t registers = 0;                    // of a thread
  std::uint64_t sharedBytes = 0, localBytes = 0;  // of a block, without dynamic shared memory; of a thread
  std::vector<KernelParameter> parameters;
};

// Launches that run one after the other, beside those of other streams.
struct Stream {
  std::uint32_t number = 0;
};

// A simulated GPU with its memory. One thread at a time may use it.
class Simulator {
 public:
  explicit Simulator(const SimulatorOptions& options = {});
  ~Simulator();
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;

  // Compiles and loads PTX text; its kernels can be launched from then on. `name` serves messages.
  void load(const std::string& ptx, const std::string& name = "module");
  // The same for CUDA C++ text, by compileCuda() for the simulator's address width. Returns the compiler's remarks.
  std::string loadCuda(const CudaSource& source);
  // Those that are loaded, as in the PTX.
  std::vector<std::string> kernels() const;
  KernelInfo kernel(const std::string& name) const;
  // A variable of the code by its name in the PTX or in the source ("table", "ns::table"). write() and read() reach it.
  Symbol symbol(const std::string& name) const;

  // Device memory. It lives until it is freed, or as long as the simulator.
  std::uint64_t allocate(std::size_t bytes);
  void free(std::uint64_t address);
  // Copies between host and device, which wait for all launches. What is written may lie in L2 then, as after cudaMemcpy.
  void write(std::uint64_t address, const void* from, std::size_t bytes);
  void read(void* to, std::uint64_t address, std::size_t bytes);

  // Runs a kernel to its end, after all that streams hold. Its name is as in the PTX, or as in the source ("saxpy", "scan<float>"); one
  // argument for each parameter.
  void launch(const std::string& kernel, Extent grid, Extent block, const std::vector<Argument>& arguments,
              std::uint64_t dynamicSharedBytes = 0);

  // Streams: their launches run when synchronize() or a copy waits for them, side by side as far as the machine has room (a functional
  // simulation computes one after the other). Of streams with lower priority numbers blocks come first.
  Stream createStream(int priority = 0);
  void launch(Stream stream, const std::string& kernel, Extent grid, Extent block, const std::vector<Argument>& arguments,
              std::uint64_t dynamicSharedBytes = 0);
  // Waits for all launches. The first that fails is an error; those that had not ended by then are given up.
  void synchronize();
  // Simulated time of all launches so far. A functional simulation has a lower bound.
  std::uint64_t nanoseconds() const;

  // What was reported since this was last asked of kernels that went on: undefined synchronisation, faults without stopOnFault, and races
  // beside the first, which makes its launch fail when it has ended.
  std::vector<std::string> takeWarnings();
  // Writes the files that the options name, with what was traced so far.
  void writeTraces();

  // Everything that was counted so far, as the JSON of `warpwright run --json` (docs/profile.md, docs/timing.md).
  std::string statistics() const;
  // One number of a kernel by its dotted path, summed over its launches so far: "timing.counters.cycles". `warpwright lab metrics` lists
  // the paths; another path is an error that names the nearest, as is a kernel that is not loaded. Nothing: the kernel was not launched, or
  // it has no such number (a rate of nothing, a time of a simulation without).
  std::optional<double> statistic(const std::string& kernel, const std::string& path) const;

  // The machine as it is simulated, overrides and all: a machine file.
  std::string machine() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The presets by name.
std::vector<std::string> machineNames();
// The machine file of a preset, or what a file makes with overrides: every key has its value.
std::string machineText(const std::string& nameOrFile, const std::vector<std::string>& overrides = {});
// All keys of machines as JSON: [{"key", "unit", "range", "text", "default"}].
std::string machineKeys();
// All mechanisms as JSON: [{"name", "text", "paper", "timed", "settings": [{"name", "unit", "range", "text", "default"}], "counts":
// [{"name", "unit", "text"}]}]. "counts" is of the timed machine.
std::string mechanismList();
// Every path that Simulator::statistic() takes, but for bins of histograms.
std::vector<std::string> statisticNames();
// Throws what Simulator::statistic() does for a path that no kernel ever has.
void requireStatistic(const std::string& path);

}  // namespace warpwright
