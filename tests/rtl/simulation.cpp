#include "rtl/simulation.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "base/file.hpp"

namespace warpwright::rtl {
namespace {

namespace fs = std::filesystem;

constexpr u32 kExhaustiveBits = 17;
constexpr u32 kShards = 2;  // compiled side by side

void run(const std::string& command, const std::string& log) {
  if (std::system(fmt::format("{} >{} 2>&1", command, log).c_str()) != 0) throw std::runtime_error(command + "\n" + readFile(log));
}

// More than 64 bits, so that Verilator gives arrays of words whatever the width.
u32 portWidth(u32 bits) { return std::max(bits, 65u); }

// The top with all inputs in one port and all outputs in another.
std::string wrapper(const Module& top, const std::string& name) {
  std::string connections = top.isClocked() ? ".clk(clk), .reset(reset)" : "";
  for (const Port& port : top.ports()) {
    const Field field = top.field(port.name);
    connections +=
        fmt::format("{}.{}({}[{} +: {}])", connections.empty() ? "" : ", ", port.name, port.isOutput ? "out" : "in", field.at, field.width);
  }
  const u32 outputs = portWidth(top.outputBits());
  const std::string rest = outputs == top.outputBits() ? "" : fmt::format("  assign out[{}:{}] = '0;\n", outputs - 1, top.outputBits());
  return fmt::format(
      "module {} (input logic clk, input logic reset, input logic [{}:0] in, output logic [{}:0] out);\n  {} dut({});\n{}endmodule\n", name,
      portWidth(top.inputBits()) - 1, outputs - 1, top.name(), connections, rest);
}

// Functions with C names: a model; a step of it.
std::string functions(const Module& top, const std::string& name) {
  const u32 in = (top.inputBits() + 31) / 32, out = (top.outputBits() + 31) / 32;
  return fmt::format(R"(
extern "C" void* make_{0}() {{
  auto* model = new V{0};
  model->clk = 0;
  model->reset = 1;
  model->eval();
  model->clk = 1;
  model->eval();
  model->clk = 0;
  model->reset = 0;
  model->eval();
  return model;
}}
extern "C" void step_{0}(void* of, const unsigned* in, unsigned* out) {{
  auto* model = static_cast<V{0}*>(of);
  for (int i = 0; i < {1}; ++i) model->in[i] = in[i];
  model->eval();
  for (int i = 0; i < {2}; ++i) out[i] = model->out[i];
{3}}}
)",
                     name, in, out, top.isClocked() ? "  model->clk = 1;\n  model->eval();\n  model->clk = 0;\n  model->eval();\n" : "");
}

void verilate(const Package& package, const fs::path& folder, const std::string& name) {
  fs::create_directories(folder);
  std::string text;
  for (const Module& module : package.modules) text += module.text();
  writeFile(folder / (name + ".sv"), text + wrapper(package.top(), name));
  run(fmt::format("verilator --cc -O3 -Wall -Wno-DECLFILENAME -Wno-UNUSED -Wno-UNOPTFLAT -Wno-PINCONNECTEMPTY --Mdir {0} --prefix V{1} "
                  "--top-module {1} {0}/{1}.sv",
                  folder.string(), name),
      folder / "verilator.log");
}

// One library of the designs of a shard, in one translation unit.
void compile(const std::vector<Package>& packages, const fs::path& folder, u32 shard) {
  std::string text;
  for (std::size_t i = shard; i < packages.size(); i += kShards) {
    const std::string name = fmt::format("d{}", i);
    const fs::path own = folder / name;
    verilate(packages[i], own, name);
    for (const auto& entry : fs::directory_iterator(own))
      if (entry.path().extension() == ".cpp") text += fmt::format("#include \"{}\"\n", entry.path().string());
    text += functions(packages[i].top(), name);
  }
  const std::string path = (folder / fmt::format("shard{}", shard)).string();
  writeFile(path + ".cpp", text);
  run(fmt::format("g++ -std=c++20 -O1 -w -fPIC -shared -I{0} -I{0}/vltstd -o {1}.so {1}.cpp", VERILATOR_INCLUDE, path), path + ".log");
}

}  // namespace

Bits Simulation::step(const Bits& inputs) {
  Bits outputs(top_.outputBits());
  step_(model_, inputs.words().data(), outputs.words().data());
  return outputs;
}

std::vector<Simulation> simulate(const std::vector<Package>& packages, const std::string& folder) {
  const fs::path root = fs::path(WARPWRIGHT_BINARY_DIR) / "rtl-tests" / folder;
  fs::remove_all(root);
  fs::create_directories(root);
  std::vector<std::thread> threads;
  std::vector<std::string> mistakes(kShards);
  for (u32 shard = 0; shard < kShards; ++shard)
    threads.emplace_back([&, shard] {
      try {
        compile(packages, root, shard);
      } catch (const std::exception& mistake) {
        mistakes[shard] = mistake.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& mistake : mistakes)
    if (!mistake.empty()) throw std::runtime_error(mistake);
  std::vector<void*> libraries;
  for (u32 shard = 0; shard < kShards; ++shard) {
    libraries.push_back(dlopen((root / fmt::format("shard{}.so", shard)).c_str(), RTLD_NOW));
    if (libraries.back() == nullptr) throw std::runtime_error(dlerror());
  }
  std::vector<Simulation> simulations;
  for (std::size_t i = 0; i < packages.size(); ++i) {
    void* library = libraries[i % kShards];
    const auto make = reinterpret_cast<void* (*)()>(dlsym(library, fmt::format("make_d{}", i).c_str()));
    const auto step = reinterpret_cast<void (*)(void*, const u32*, u32*)>(dlsym(library, fmt::format("step_d{}", i).c_str()));
    simulations.emplace_back(packages[i].top(), make(), step);
  }
  return simulations;
}

std::string difference(Simulation& simulation, const Package& package, u64 count) {
  const u32 width = package.top().inputBits();
  const bool isExhaustive = width <= kExhaustiveBits && !package.top().isClocked() && !package.draw;
  Random random(1);
  for (u64 i = 0; i < (isExhaustive ? u64{1} << width : count); ++i) {
    Bits inputs(width);
    if (isExhaustive) {
      inputs.put({0, width}, i);
    } else {
      inputs = drawInputs(package, random);
    }
    const Bits expected = package.model(inputs), got = simulation.step(inputs);
    if (got == expected) continue;
    std::string text = fmt::format("{} at step {}:", package.top().name(), i);
    for (const Port& port : package.top().ports()) {
      const Field field = package.top().field(port.name);
      if (!port.isOutput) {
        text += fmt::format("\n  {} = {}", port.name, inputs.slice(field).hex());
      } else if (got.slice(field) != expected.slice(field)) {
        text += fmt::format("\n  {} is {} instead of {}", port.name, got.slice(field).hex(), expected.slice(field).hex());
      }
    }
    return text;
  }
  return "";
}

}  // namespace warpwright::rtl
