// Warpwright as a library: load PTX, run kernels on a simulated GPU, read statistics. docs/library.md shows it in use.
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
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
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

  // Device memory. It lives as long as the simulator.
  std::uint64_t allocate(std::size_t bytes);
  void write(std::uint64_t address, const void* from, std::size_t bytes);
  void read(void* to, std::uint64_t address, std::size_t bytes) const;

  // Runs a kernel to its end. Its name is as in the PTX, or as in the source ("saxpy", "scan<float>"); one argument for each parameter.
  void launch(const std::string& kernel, Extent grid, Extent block, const std::vector<Argument>& arguments,
              std::uint64_t dynamicSharedBytes = 0);

  // Everything that was counted so far, as the JSON of `warpwright run --json` (docs/profile.md, docs/timing.md).
  std::string statistics() const;
  // One number of a kernel by its dotted path, summed over its launches so far: "timing.counters.cycles". `warpwright lab metrics` lists
  // the paths. Nothing: the kernel was not launched, or has no such number.
  std::optional<double> statistic(const std::string& kernel, const std::string& path) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwright
