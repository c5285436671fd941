// The two queues behind the last execution stage of an elastic pipeline, and the multiplexers beside them (Gou, figure 5.6, table 5.2).
#include <fmt/format.h>

#include <deque>
#include <memory>

#include "rtl/designs/catalogue.hpp"

namespace warpwright::rtl {
namespace {

// A queue that moves when something comes: what came last is in latch 0, what came first in latch count - 1.
std::string queue(std::string_view name, u32 depth, u32 bits) {
  return fmt::format(R"(
logic [{depth}*{bits}-1:0] {name};
logic [{countBits}-1:0] {name}_count;
logic [{bits}-1:0] {name}_oldest;
logic {name}_push, {name}_pop;
always_comb begin
  {name}_oldest = '0;
  for (int i = 0; i < {depth}; i++) if ({name}_count == {countBits}'(i + 1)) {name}_oldest = {name}[i * {bits} +: {bits}];
end
always_ff @(posedge clk)
  if (reset) {name}_count <= '0;
  else begin
    if ({name}_push) {name} <= {moved};
    {name}_count <= {name}_count + {countBits}'({name}_push) - {countBits}'({name}_pop);
  end
)",
                     fmt::arg("name", name), fmt::arg("depth", depth), fmt::arg("bits", bits),
                     fmt::arg("countBits", bitsFor(u64{depth} + 1)),
                     fmt::arg("moved", depth == 1 ? "result" : fmt::format("{{{}[{}*{}-1:0], result}}", name, depth - 1, bits)));
}

struct Sizes {
  u32 nonmem = 0, premem = 0, bits = 0;
};

// The queues without bits.
class Model {
 public:
  Model(const Sizes& sizes, const Module& top) : sizes_(sizes), top_(top) {}

  Bits operator()(const Bits& inputs) {
    const auto has = [&](std::string_view port) { return inputs.get(top_.field(port)) != 0; };
    const auto data = [&](std::string_view port) { return inputs.slice(top_.field(port)); };
    const bool isMemory = has("valid") && has("is_memory"), isOther = has("valid") && !has("is_memory");
    const bool portIsFree = !has("outside") && !has("memory_done"), writesOldest = portIsFree && !nonmem_.empty(),
               writesDirectly = portIsFree && nonmem_.empty() && isOther, takesOldest = has("memory_ready") && !premem_.empty(),
               takesDirectly = has("memory_ready") && premem_.empty();
    const bool isRefused =
        (isMemory && premem_.size() == sizes_.premem && !takesOldest) || (isOther && nonmem_.size() == sizes_.nonmem && !writesOldest);
    Bits outputs(top_.outputBits());
    outputs.put(top_.field("refuses"), isRefused);
    outputs.put(top_.field("to_memory_valid"), isMemory || !premem_.empty());
    outputs.paste(top_.field("to_memory").at, premem_.empty() ? data("result") : premem_.front());
    outputs.put(top_.field("written_valid"), !portIsFree || writesOldest || writesDirectly);
    outputs.paste(top_.field("written").at, has("outside")       ? data("outside_data")
                                            : has("memory_done") ? data("memory_data")
                                            : !nonmem_.empty()   ? nonmem_.front()
                                                                 : data("result"));
    if (takesOldest) premem_.pop_front();
    if (writesOldest) nonmem_.pop_front();
    if (isMemory && !takesDirectly && !isRefused) premem_.push_back(data("result"));
    if (isOther && !writesDirectly && !isRefused) nonmem_.push_back(data("result"));
    return outputs;
  }

 private:
  Sizes sizes_;
  Module top_;
  std::deque<Bits> nonmem_, premem_;
};

Package make(const Values& values) {
  const Sizes sizes{values.number("nonmem"), values.number("premem"), values.number("lanes") * values.number("width")};
  Module module("pipeline_queues");
  module.clocked().input("valid").input("is_memory").input("result", sizes.bits).input("memory_ready");
  module.input("outside").input("outside_data", sizes.bits).input("memory_done").input("memory_data", sizes.bits);
  module.output("refuses").output("to_memory_valid").output("to_memory", sizes.bits).output("written_valid").output("written", sizes.bits);
  module.body(queue("nonmem", sizes.nonmem, sizes.bits)).body(queue("premem", sizes.premem, sizes.bits));
  module.body(fmt::format(R"(
logic is_memory_access, is_other, is_free, nonmem_full, premem_full;
assign is_memory_access = valid && is_memory;
assign is_other = valid && !is_memory;
assign is_free = !outside && !memory_done;
assign nonmem_full = 32'(nonmem_count) == {nonmem};
assign premem_full = 32'(premem_count) == {premem};
assign premem_pop = memory_ready && premem_count != '0;
assign premem_push = is_memory_access && !(memory_ready && premem_count == '0) && !refuses;
assign nonmem_pop = is_free && nonmem_count != '0;
assign nonmem_push = is_other && !(is_free && nonmem_count == '0) && !refuses;
assign refuses = (is_memory_access && premem_full && !premem_pop) || (is_other && nonmem_full && !nonmem_pop);
assign to_memory_valid = is_memory_access || premem_count != '0;
assign to_memory = premem_count != '0 ? premem_oldest : result;
assign written_valid = !is_free || nonmem_count != '0 || is_other;
// Data from outside come first, those of the execution stage last.
assign written = outside ? outside_data : memory_done ? memory_data : nonmem_count != '0 ? nonmem_oldest : result;
)",
                          fmt::arg("nonmem", sizes.nonmem), fmt::arg("premem", sizes.premem)));
  return {
      .modules = {module},
      .equations =
          "Gou (2011), section 5.4. Sub-warps with memory access wait for the first memory stage in the PREMEM queue, those without for "
          "write-back in the NONMEM queue, or pass them by.\n",
      .model = Model(sizes, module),
      .memoryBits = u64{sizes.nonmem + sizes.premem} * sizes.bits};
}

}  // namespace

Design pipelineQueuesDesign() {
  return {"pipeline-queues",
          "the queues and multiplexers of an elastic pipeline (Gou, figure 5.6, table 5.2)",
          {{"nonmem", "entries of the NONMEM queue, M", "4", 1, 15},
           {"premem", "entries of the PREMEM queue, N", "3", 1, 15},
           {"lanes", "lanes", "8", 1, 32},
           {"width", "bits of a lane's latch", "32", 1, 64}},
          make};
}

}  // namespace warpwright::rtl
