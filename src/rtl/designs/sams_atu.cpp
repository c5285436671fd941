// The address translation of SAMS (Gou, figure 3.9, equations 3.1 to 3.3), one lane. The comparisons with s are made here; the thesis has
// them ready in registers.
#include <fmt/format.h>

#include <stdexcept>
#include <warpwright/parallel_memory/sams.hpp>

#include "rtl/designs/catalogue.hpp"
#include "rtl/designs/sams.hpp"
#include "rtl/logic.hpp"

namespace warpwright::rtl {

namespace pm = parallel_memory;

u32 samsFamilyBits(const WideMemory& memory) { return bitsFor(u64{memory.n} - memory.q + 1); }

std::string samsEquations() {
  return R"(Gou, "Customizable Memory Schemes for Data Parallel Accelerators" (2011), equations 3.1 to 3.3; `a` is the address of a word, `T_H(x, y)`
Harper's exclusive-or of bit k of the address with bit k + max(x, y), for k below min(x, y):

- bank: `a mod 2^q` for s = 0; `{a[q:s], (a (x) T_H(s-1, q+1)) mod 2^(s-1)}` for s from 1 to q; `(a (x) T_H(q, s)) mod 2^q` for s above q
- row: `a >> (q+1)`; for s above q `(((a >> q) + 1) mod 2^(n-q)) >> 1`
- offset: `a[q]` for s = 0; `a[s-1]` for s from 1 to q; `not a[q]` for s above q
)";
}

Module samsAtu(const WideMemory& memory) {
  const u32 n = memory.n, q = memory.q;
  const u32 sBits = samsFamilyBits(memory);
  Module module("sams_atu");
  module.input("address", n).input("s", sBits).output("bank", q).output("row", memory.rowBits()).output("offset");
  module.body(linear({"bank", "address", "s", q, n, sBits},
                     [&](u64 s, u64 address) { return pm::Sams(q, static_cast<u32>(s), std::min(n, 63u)).cellOf(address).bank; }));
  const bool reaches = u64{q} + 1 < u64{1} << sBits;  // Otherwise no family that there is lies above q.
  module.wire("is_above").assign("is_above", reaches ? fmt::format("s > {}", literal(sBits, q)) : "1'b0");
  module.wire("next", n - q).assign("next", fmt::format("address[{}:{}] + {}", n - 1, q, literal(n - q, 1)));
  module.assign("row", fmt::format("is_above ? next[{0}:1] : address[{1}:{2}]", n - q - 1, n - 1, q + 1));
  std::vector<std::string> offsets(u64{1} << sBits, fmt::format("~address[{}]", q));
  for (u32 s = 0; s <= q && s < offsets.size(); ++s) offsets[s] = fmt::format("address[{}]", s == 0 ? q : s - 1);
  module.body(choice("offset", "s", sBits, offsets));
  return module;
}

namespace {

Package make(const Values& values) {
  const WideMemory memory{values.number("n"), values.number("q"), 1};
  if (memory.n < memory.q + 2) throw std::invalid_argument("n must be at least q + 2");
  const Module module = samsAtu(memory);
  Package package{.modules = {module}, .equations = samsEquations()};
  if (memory.n == 64) return package;  // more words than the C++ map counts
  const Field address = module.field("address"), s = module.field("s"), bank = module.field("bank"), row = module.field("row"),
              offset = module.field("offset");
  package.model = [=, bits = module.outputBits()](const Bits& inputs) {
    const pm::Cell cell = pm::Sams(memory.q, static_cast<u32>(inputs.get(s)), memory.n).cellOf(inputs.get(address));
    Bits outputs(bits);
    outputs.put(bank, cell.bank);
    outputs.put(row, cell.row);
    outputs.put(offset, cell.offset);
    return outputs;
  };
  return package;
}

}  // namespace

Design samsAtuDesign() {
  return {"sams-atu",
          "one lane of SAMS' address translation, the stride family s at run time (Gou, figure 3.9, table 3.1)",
          {{"n", "logarithm of the words", "12", 3, 64}, {"q", "logarithm of the banks", "3", 1, 6}},
          make};
}

}  // namespace warpwright::rtl
