#include "rtl/package.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"

namespace warpwright::rtl {
namespace {

constexpr u32 kVectors = 256;
constexpr u64 kSeed = 1;

struct Vectors {
  std::string inputs, outputs;  // a line of hexadecimal digits each, as $readmemh takes them
};

Vectors vectorsOf(const Package& package) {
  Random random(kSeed);
  Vectors vectors;
  for (u32 i = 0; i < kVectors; ++i) {
    const Bits inputs = drawInputs(package, random);
    vectors.inputs += inputs.hex() + "\n";
    if (package.model) vectors.outputs += package.model(inputs).hex() + "\n";
  }
  return vectors;
}

// Ports as one value each way: "{last, ..., first}".
std::string joined(const Module& top, bool outputs) {
  std::string list;
  for (const Port& port : top.ports())
    if (port.isOutput == outputs) list = port.name + (list.empty() ? "" : ", ") + list;
  return "{" + list + "}";
}

std::string testbench(const Package& package) {
  const Module& top = package.top();
  std::string signals;
  for (const Port& port : top.ports()) signals += fmt::format("  logic {}{};\n", range(port.width), port.name);
  const std::string read = package.model ? "    $readmemh(\"outputs.hex\", expected);\n" : "";
  const std::string compare = package.model ? R"(      if (got !== expected[cycle]) begin
        $display("cycle %0d: inputs %h, outputs %h instead of %h", cycle, inputs[cycle], got, expected[cycle]);
        mistakes = mistakes + 1;
      end
)"
                                            : R"(      $display("cycle %0d: inputs %h, outputs %h", cycle, inputs[cycle], got);
)";
  const std::string end = package.model ? fmt::format(
                                              "    if (mistakes == 0) $display(\"all of {} cycles as the C++ functions say\");\n"
                                              "    else $fatal(1, \"%0d of {} cycles differ\", mistakes);\n",
                                              kVectors, kVectors)
                                        : "";
  return fmt::format(R"(`timescale 1ns / 1ps
// Inputs from inputs.hex, a line a cycle{note}.
module testbench;
  logic clk = 0, reset = 1;
{signals}  logic [{in}:0] inputs [0:{last}];
  logic [{out}:0] expected [0:{last}];
  logic [{out}:0] got;
  integer mistakes = 0;
  {name} dut(.*);
  initial begin
    $readmemh("inputs.hex", inputs);
{read}    {joinedIn} = '0;
    #5 clk = 1;
    #5 clk = 0;
    reset = 0;
    for (int cycle = 0; cycle < {count}; cycle++) begin
      {joinedIn} = inputs[cycle];
      #1 got = {joinedOut};
{compare}      #4 clk = 1;
      #5 clk = 0;
    end
{end}    $finish;
  end
endmodule
)",
                     fmt::arg("note", package.model ? "; outputs.hex has what the outputs must be, before the cycle's clock edge" : ""),
                     fmt::arg("signals", signals), fmt::arg("in", top.inputBits() - 1), fmt::arg("out", top.outputBits() - 1),
                     fmt::arg("last", kVectors - 1), fmt::arg("count", kVectors), fmt::arg("name", top.name()), fmt::arg("read", read),
                     fmt::arg("joinedIn", joined(top, false)), fmt::arg("joinedOut", joined(top, true)), fmt::arg("compare", compare),
                     fmt::arg("end", end));
}

std::string readme(const Package& package, const std::string& title) {
  std::string files;
  for (const Module& module : package.modules) files += module.name() + ".sv ";
  const std::string checked =
      package.model
          ? "`testbench.sv` gives the module `inputs.hex` and compares with `outputs.hex`, which the C++ functions made:\n"
          : "`testbench.sv` gives the module `inputs.hex` and prints its outputs; Warpwright's `tests/rtl` compares the module with the "
            "simulator's model:\n";
  return fmt::format(R"(# {}

Written by `warpwright rtl`. The top is `{}`{}.

{}
{}
    verilator --binary --timing -Wno-fatal --top-module testbench testbench.sv {}
    obj_dir/Vtestbench
)",
                     title, package.top().name(),
                     package.top().isClocked() ? ", with a clock and a synchronous reset" : ", without a clock", package.equations, checked,
                     files);
}

}  // namespace

void writePackage(const Package& package, const std::string& title, const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw Error(fmt::format("cannot make the folder {}: {}", folder, failed.message()), {}, "choose another with -o");
  for (const Module& module : package.modules) writeFile(fmt::format("{}/{}.sv", folder, module.name()), module.text());
  const Vectors vectors = vectorsOf(package);
  writeFile(folder + "/inputs.hex", vectors.inputs);
  if (package.model) writeFile(folder + "/outputs.hex", vectors.outputs);
  writeFile(folder + "/testbench.sv", testbench(package));
  writeFile(folder + "/README.md", readme(package, title));
}

}  // namespace warpwright::rtl
