// SAMS between the lanes and the banks (Gou, figure 3.8): address generation, translation and switches.
#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <warpwright/parallel_memory/sams.hpp>

#include "rtl/designs/catalogue.hpp"
#include "rtl/designs/sams.hpp"

namespace warpwright::rtl {
namespace {

namespace pm = parallel_memory;

WideMemory memoryOf(const Values& values) {
  const WideMemory memory{values.number("n"), values.number("q"), values.number("width")};
  if (memory.n < memory.q + 2) throw std::invalid_argument("n must be at least q + 2");
  return memory;
}

std::vector<Parameter> parameters() {
  return {
      {"n", "logarithm of the words", "12", 3, 63}, {"q", "logarithm of the banks", "2", 1, 5}, {"width", "bits of a word", "32", 1, 64}};
}

std::vector<pm::Cell> cellsOf(const WideMemory& memory, u64 base, u64 stride, u32 s) {
  const pm::Sams map(memory.q, s, memory.n);
  std::vector<pm::Cell> cells;
  for (u32 lane = 0; lane < memory.lanes(); ++lane) cells.push_back(map.cellOf((base + lane * stride) & (map.words() - 1)));
  return cells;
}

Module inbound(const WideMemory& memory, const Module& agu, const Module& atu, const Module& in) {
  const u32 lanes = memory.lanes(), rowBits = memory.rowBits();
  Module module("sams_inbound");
  module.input("base", memory.n).input("stride", memory.n).input("s", samsFamilyBits(memory)).input("write");
  module.input("data", lanes * memory.wordBits);
  module.output("rows", lanes * rowBits).output("enables", memory.cells()).output("to_memory", memory.cells() * memory.wordBits);
  module.output("banks", lanes * memory.q).output("offsets", lanes);
  module.wire("addresses", lanes * memory.n).wire("lane_rows", lanes * rowBits);
  module.instance(agu, "agu", "");
  for (u32 lane = 0; lane < lanes; ++lane)
    module.instance(atu, fmt::format("atu_{}", lane),
                    fmt::format(".address(addresses[{} +: {}]), .bank(banks[{} +: {}]), .row(lane_rows[{} +: {}]), .offset(offsets[{}])",
                                lane * memory.n, memory.n, lane * memory.q, memory.q, lane * rowBits, rowBits, lane));
  return module.instance(in, "in", "");
}

std::vector<Module> inboundModules(const WideMemory& memory) {
  std::vector<Module> modules = {strideAgu(memory, "sams_agu"), samsAtu(memory), switchIn(memory)};
  modules.push_back(inbound(memory, modules[0], modules[1], modules[2]));
  return modules;
}

// Outputs of the way in.
void putRouted(const Module& module, const Routed& routed, Bits& outputs) {
  outputs.paste(module.field("rows").at, routed.rows);
  outputs.paste(module.field("enables").at, routed.enables);
  outputs.paste(module.field("to_memory").at, routed.toMemory);
}

struct Access {
  std::vector<pm::Cell> cells;
  Routed routed;
};

Access accessOf(const WideMemory& memory, const Module& module, const Bits& inputs) {
  const auto get = [&](std::string_view port) { return inputs.get(module.field(port)); };
  Access access{cellsOf(memory, get("base"), get("stride"), static_cast<u32>(get("s"))), {}};
  access.routed = routeIn(memory, access.cells, get("write") != 0, inputs.slice(module.field("data")));
  return access;
}

Package makeAgu(const Values& values) {
  const WideMemory memory{values.number("n"), values.number("q"), 1};
  if (memory.n < memory.q + 2) throw std::invalid_argument("n must be at least q + 2");
  return {.modules = {strideAgu(memory, "sams_agu")},
          .equations = "Lane i has the address base + i * stride, modulo 2^n.\n",
          .model = [memory](const Bits& inputs) {
            Bits outputs(memory.lanes() * memory.n);
            const u64 base = inputs.get({0, memory.n}), stride = inputs.get({memory.n, memory.n});
            for (u32 lane = 0; lane < memory.lanes(); ++lane) outputs.put({lane * memory.n, memory.n}, base + lane * stride);
            return outputs;
          }};
}

Package makeInbound(const Values& values) {
  const WideMemory memory = memoryOf(values);
  const std::vector<Module> modules = inboundModules(memory);
  return {.modules = modules, .equations = samsEquations(), .model = [memory, module = modules.back()](const Bits& inputs) {
            const Access access = accessOf(memory, module, inputs);
            Bits outputs(module.outputBits());
            putRouted(module, access.routed, outputs);
            for (u32 lane = 0; lane < memory.lanes(); ++lane) {
              outputs.put(module.field("banks").part(lane, memory.q), access.cells[lane].bank);
              outputs.put(module.field("offsets").part(lane, 1), access.cells[lane].offset);
            }
            return outputs;
          }};
}

Module wholeMemory(const WideMemory& memory, const Module& in, const Module& out) {
  const u32 lanes = memory.lanes();
  Module module("sams_memory");
  module.clocked().input("base", memory.n).input("stride", memory.n).input("s", samsFamilyBits(memory)).input("write");
  module.input("data", lanes * memory.wordBits).input("from_memory", memory.cells() * memory.wordBits);
  module.output("rows", lanes * memory.rowBits()).output("enables", memory.cells()).output("to_memory", memory.cells() * memory.wordBits);
  module.output("lanes", lanes * memory.wordBits);
  module.wire("banks", lanes * memory.q).wire("offsets", lanes).wire("banks_read", lanes * memory.q).wire("offsets_read", lanes);
  module.instance(in, "inbound", "");
  module.body(R"(
// The banks answer in the next cycle.
always_ff @(posedge clk)
  if (reset) begin
    banks_read <= '0;
    offsets_read <= '0;
  end else begin
    banks_read <= banks;
    offsets_read <= offsets;
  end
)");
  return module.instance(out, "outbound", ".banks(banks_read), .offsets(offsets_read)");
}

Package make(const Values& values) {
  const WideMemory memory = memoryOf(values);
  std::vector<Module> modules = inboundModules(memory);
  const Module in = modules.back(), out = switchOut(memory);
  modules.push_back(out);
  modules.push_back(wholeMemory(memory, in, out));
  const auto read = std::make_shared<std::vector<pm::Cell>>(memory.lanes());
  return {.modules = modules, .equations = samsEquations(), .model = [=, module = modules.back()](const Bits& inputs) {
            const Access access = accessOf(memory, module, inputs);
            Bits outputs(module.outputBits());
            putRouted(module, access.routed, outputs);
            outputs.paste(module.field("lanes").at, routeOut(memory, *read, inputs.slice(module.field("from_memory"))));
            *read = access.cells;
            return outputs;
          }};
}

}  // namespace

Design samsAguDesign() {
  return {"sams-agu",
          "address generation for strides (Gou, section 3.4.1)",
          {{"n", "logarithm of the words", "12", 3, 63}, {"q", "logarithm of the lanes", "3", 1, 6}},
          makeAgu};
}

Design samsInboundDesign() {
  return {"sams-inbound", "SAMS from the lanes to the banks: address generation, translation, switch (Gou, table 4.2)", parameters(),
          makeInbound};
}

Design samsDesign() { return {"sams", "SAMS between lanes and synchronous banks, both ways (Gou, figure 3.8)", parameters(), make}; }

}  // namespace warpwright::rtl
