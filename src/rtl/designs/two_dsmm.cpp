// 2DSMM (Gou, section 3.4.2): address generation for six patterns, address translation, routing in two stages. The banks lie in an array of
// 2^p x 2^q; the vertical function is that of section 3.3 or that of section 3.4.2, which the thesis' circuit has.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <warpwright/parallel_memory/routing.hpp>
#include <warpwright/parallel_memory/sams.hpp>
#include <warpwright/parallel_memory/two_dsmm.hpp>

#include "rtl/designs/catalogue.hpp"
#include "rtl/logic.hpp"

namespace warpwright::rtl {
namespace {

namespace pm = parallel_memory;

struct Sizes {
  u32 p = 0, q = 0, rows = 0, columns = 0;  // logarithms
  u32 wordBits = 0;
  bool isSection33 = false;

  u32 lanes() const { return 1u << (p + q); }
  u32 localBits() const { return rows + columns - p - q; }  // of an address in a bank
  u32 vsBits() const { return bitsFor(u64{rows} - p + 1); }
  u32 hsBits() const { return bitsFor(u64{columns} - q + 1); }
  u32 indexBits() const { return p + q; }
  pm::TwoDsmm map(pm::TwoDsmm::Families families) const {
    return {{p, q, u64{1} << rows, u64{1} << columns},
            families,
            isSection33 ? pm::TwoDsmm::Vertical::section33 : pm::TwoDsmm::Vertical::section342};
  }
};

// Codes of the port `pattern`, figure 3.10.
enum Pattern : u32 { kRow, kBlock, kForward, kBackward, kContinuousRow, kContinuousBlock };
constexpr u32 kPatterns = 6, kPatternBits = 3;

// Multiples of the strides lie in a table that is written before (table 3.3): lane by lane, as the strides change.
Module generation(const Sizes& sizes) {
  const u32 m = sizes.rows, n = sizes.columns, lanes = sizes.lanes();
  Module module("two_dsmm_agu");
  module.clocked().input("i", m).input("j", n).input("pattern", kPatternBits);
  module.input("set").input("set_lane", sizes.indexBits()).input("vertical", m).input("horizontal", n);
  module.output("is", lanes * m).output("js", lanes * n);
  module.wire("verticals", lanes * m).wire("horizontals", lanes * n);
  module.body(fmt::format(R"(
always_ff @(posedge clk)
  if (reset) {{verticals, horizontals}} <= '0;
  else if (set) begin
    verticals[set_lane * {0} +: {0}] <= vertical;
    horizontals[set_lane * {1} +: {1}] <= horizontal;
  end
)",
                          m, n));
  const auto entry = [](std::string_view table, u32 lane, u32 bits) { return fmt::format("{}[{} +: {}]", table, lane * bits, bits); };
  for (u32 lane = 0; lane < lanes; ++lane) {
    const u32 row = lane >> sizes.q, column = lane & ((1u << sizes.q) - 1);
    module.wire(fmt::format("down_{}", lane), m).wire(fmt::format("across_{}", lane), n);
    const std::string none = literal(m, 0), multiple = entry("horizontals", lane, n);
    module.body(
        choice(fmt::format("down_{}", lane), "pattern", kPatternBits,
               {none, entry("verticals", row, m), entry("verticals", lane, m), entry("verticals", lane, m), none, literal(m, row)}));
    module.body(choice(fmt::format("across_{}", lane), "pattern", kPatternBits,
                       {multiple, entry("horizontals", column, n), multiple, "-" + multiple, literal(n, lane), literal(n, column)}));
    module.assign(entry("is", lane, m), fmt::format("i + down_{}", lane)).assign(entry("js", lane, n), fmt::format("j + across_{}", lane));
  }
  return module;
}

// alpha + beta modulo 2^p, both of them chosen by hs.
void rotate(Module& module, const Sizes& sizes) {
  const u32 p = sizes.p, q = sizes.q;
  const Linear alpha{"alpha", "j", "hs", p, sizes.columns, sizes.hsBits()}, beta{"beta", "j", "hs", p, sizes.columns, sizes.hsBits()};
  module.wire("alpha", p).wire("beta", p).wire("rotation", p);
  module.body(linear(alpha, [=](u64 hs, u64 j) { return j >> (q + hs); }));
  module.body(linear(beta, [=](u64 hs, u64 j) { return (j >> q) << (p - std::min<u64>(p, hs)); }));
  module.assign("rotation", "alpha + beta");
}

// Harper's function of `from`, for the families that `selector` names.
std::string harper(const Linear& shape) {
  return linear(shape, [banks = shape.toBits](u64 family, u64 value) { return pm::harperBank(value, banks, static_cast<u32>(family)); });
}

// ((i + (rotation << vs)) (x) T(p, vs)) mod 2^p. Below bit vs the sum is i, and of its bits from there on the function takes the lowest p,
// so that p bits are added behind a multiplexer, as in the thesis' figure 3.12.
Module vertical342(Module module, const Sizes& sizes) {
  const u32 p = sizes.p, m = sizes.rows;
  std::vector<std::string> results;
  for (u32 vs = 0; vs >> sizes.vsBits() == 0; ++vs) {
    const auto bitOfSum = [&](u32 bit) {
      if (bit < vs) return bit < m ? fmt::format("i[{}]", bit) : std::string("1'b0");
      return p == 1 ? std::string("turned") : fmt::format("turned[{}]", bit - vs);
    };
    std::string bits;
    for (u32 k = 0; k < p; ++k) {
      const std::string folded = k < std::min(p, vs) ? " ^ " + bitOfSum(k + std::max(p, vs)) : "";
      bits = bitOfSum(k) + folded + (k == 0 ? "" : ", ") + bits;
    }
    results.push_back("{" + bits + "}");
  }
  module.wire("high", p).wire("turned", p);
  module.body(linear({"high", "i", "vs", p, m, sizes.vsBits()}, [](u64 vs, u64 i) { return i >> vs; }));
  module.assign("turned", "high + rotation");
  return module.body(choice("mv", "vs", sizes.vsBits(), results));
}

Module translation(const Sizes& sizes) {
  const u32 p = sizes.p, q = sizes.q, m = sizes.rows, n = sizes.columns;
  Module module("two_dsmm_atu");
  module.input("i", m).input("j", n).input("vs", sizes.vsBits()).input("hs", sizes.hsBits());
  module.output("mv", p).output("mh", q).output("row", sizes.localBits());
  rotate(module, sizes);
  module.body(harper({"mh", "j", "hs", q, n, sizes.hsBits()}));
  module.assign("row", n == q ? fmt::format("i[{}:{}]", m - 1, p) : fmt::format("{{i[{}:{}], j[{}:{}]}}", m - 1, p, n - 1, q));
  if (sizes.isSection33) {
    module.wire("folded", p).body(harper({"folded", "i", "vs", p, m, sizes.vsBits()}));
    return module.assign("mv", "folded + rotation");
  }
  return vertical342(module, sizes);
}

// Words of `bits` bits, in an array of 2^p x 2^q: whole columns to the column that the index of their first word says, then the words of
// each column to their row; where `isByRows` rows and columns are swapped.
std::string stages(const Sizes& sizes, bool isByRows, bool isInward, std::string_view from, std::string_view to, u32 bits) {
  const u32 columns = 1u << sizes.q, rows = 1u << sizes.p;
  const u32 bundles = isByRows ? rows : columns, words = isByRows ? columns : rows;
  const auto at = [&](std::string_view bundle, std::string_view word) {
    return isByRows ? fmt::format("({} * {} + {})", bundle, columns, word) : fmt::format("({} * {} + {})", word, columns, bundle);
  };
  const std::string place = isByRows ? "mvs" : "mhs", inner = isByRows ? "mhs" : "mvs";
  const u32 placeBits = isByRows ? sizes.p : sizes.q, innerBits = isByRows ? sizes.q : sizes.p;
  const std::string middle = fmt::format("{}_middle", to), moved = fmt::format("{}_index", to);
  const std::string hit = fmt::format("{}_hit", to);
  const auto compare = [&](const std::string& index, const std::string& position, u32 indexBits) {
    return fmt::format("{} = {}[{} * {} +: {}] == {}'(where);\n", hit, index, position, indexBits, indexBits, indexBits);
  };
  const auto move = [&](std::string_view target, const std::string& there, std::string_view source, const std::string& here, u32 width) {
    return fmt::format("{0}[{1} * {4} +: {4}] |= {2}[{3} * {4} +: {4}] & {{{4}{{{5}}}}};\n", target, there, source, here, width, hit);
  };
  const auto loop = [](u32 depth, std::string_view variable, u32 count) {
    return fmt::format("{}for (int {} = 0; {} < {}; {}++) begin\n", std::string(depth * 2, ' '), variable, variable, count, variable);
  };
  const std::string here = at("bundle", "word"), there = at("where", "word"), inside = at("bundle", "where");
  const std::string ends = "      end\n    end\n  end\n";
  // Stage one moves bundles, stage two words in them. Outward they are passed the other way round, with the indices as they are inward.
  const auto bundlesMove = [&](const std::string& moves) {
    return loop(1, "bundle", bundles) + loop(2, "where", bundles) + "      " + compare(place, at("bundle", "0"), placeBits) +
           loop(3, "word", words) + moves + ends;
  };
  const auto wordsMove = [&](const std::string& moves) {
    return loop(1, "bundle", bundles) + loop(2, "word", words) + loop(3, "where", words) + "        " + compare(moved, here, innerBits) +
           moves + ends;
  };
  const std::string indices = "        " + move(moved, there, inner, here, innerBits);
  std::string text = fmt::format("always_comb begin\n  {} = '0;\n  {} = '0;\n  {} = '0;\n", middle, moved, to);
  if (isInward) {
    text += bundlesMove(indices + "        " + move(middle, there, from, here, bits)) +
            wordsMove("        " + move(to, inside, middle, here, bits));
  } else {
    text += bundlesMove(indices) + wordsMove("        " + move(middle, here, from, inside, bits)) +
            bundlesMove("        " + move(to, here, middle, there, bits));
  }
  return text + "end";
}

// Figure 3.14, both flows, and the choice between them. Outward words go back where their addresses came from.
Module routing(const Sizes& sizes, bool isInward, u32 bits) {
  const u32 lanes = sizes.lanes();
  Module module(isInward ? "routing_in" : "routing_out");
  module.input("mvs", lanes * sizes.p).input("mhs", lanes * sizes.q).input("is_continuous_row");
  module.input("from", lanes * bits).output("to", lanes * bits);
  for (const bool isByRows : {false, true}) {
    const std::string to = isByRows ? "by_rows" : "by_columns";
    module.wire(to + "_hit")
        .wire(to, lanes * bits)
        .wire(to + "_middle", lanes * bits)
        .wire(to + "_index", lanes * (isByRows ? sizes.q : sizes.p));
    module.body(stages(sizes, isByRows, isInward, "from", to, bits));
  }
  return module.assign("to", "is_continuous_row ? by_rows : by_columns");
}

Sizes sizesOf(const Values& values) {
  const Sizes sizes{values.number("p"),       values.number("q"),     values.number("rows"),
                    values.number("columns"), values.number("width"), values.number("equation") == 33};
  if (sizes.p > sizes.q) throw std::invalid_argument("p must not be above q");
  if (sizes.rows <= sizes.p || sizes.columns < sizes.q) throw std::invalid_argument("rows must be above p, and columns not below q");
  if (sizes.rows < sizes.p + sizes.q || sizes.columns < sizes.p + sizes.q)
    throw std::invalid_argument("rows and columns must not be below p + q, so that an access fits in each direction");
  return sizes;
}

std::vector<Parameter> parameters(bool hasData) {
  std::vector<Parameter> all = {{"p", "logarithm of the rows of banks", "1", 1, 3},
                                {"q", "logarithm of the columns of banks", "2", 1, 4},
                                {"rows", "logarithm of the rows of the array", "10", 2, 24},
                                {"columns", "logarithm of the columns of the array", "8", 2, 24},
                                {"equation", "33 or 342: the section whose vertical function it is", "342", 33, 342}};
  all.push_back({"width", "bits of a word", hasData ? "32" : "1", 1, 512});
  return all;
}

std::string equations(const Sizes& sizes) {
  return fmt::format(
      R"(Gou (2011), section {}; element (i, j) of an array with M = 2^{} rows and N = 2^{} columns; `(x) T(x, y)` is Harper's exclusive-or:

- vertical: `{}`
- horizontal: `(j (x) T(q, hs)) mod 2^q`
- address in the bank: `(i >> p) (N >> q) + (j >> q)`: no bit of one term meets one of the other, so that it takes no adder
- `alpha = j >> (q + hs)`, `beta = (j >> q) 2^(p - min(p, hs))`, modulo 2^p

Patterns: 0 strided row, 1 strided block, 2 forward and 3 backward diagonal, 4 continuous row, 5 continuous block.
)",
      sizes.isSection33 ? "3.3" : "3.4.2", sizes.rows, sizes.columns,
      sizes.isSection33 ? "(i (x) T(p, vs) + alpha + beta) mod 2^p" : "((i + (alpha + beta) 2^vs) (x) T(p, vs)) mod 2^p");
}

struct Place {
  u64 i = 0, j = 0;
};

Place placeOf(const Sizes& sizes, u32 pattern, const Place& base, const Place& step, u32 lane) {
  const u64 row = lane >> sizes.q, column = lane & ((1u << sizes.q) - 1);
  const std::array<Place, kPatterns> offsets = {{{0, lane * step.j},
                                                 {row * step.i, column * step.j},
                                                 {lane * step.i, lane * step.j},
                                                 {lane * step.i, 0 - lane * step.j},
                                                 {0, lane},
                                                 {row, column}}};
  const Place& offset = offsets[std::min(pattern, kPatterns - 1)];
  return {(base.i + offset.i) & ((u64{1} << sizes.rows) - 1), (base.j + offset.j) & ((u64{1} << sizes.columns) - 1)};
}

Package makeTranslation(const Values& values) {
  const Sizes sizes = sizesOf(values);
  const Module module = translation(sizes);
  return {.modules = {module}, .equations = equations(sizes), .model = [=](const Bits& inputs) {
            const auto get = [&](std::string_view port) { return inputs.get(module.field(port)); };
            const pm::Cell cell = sizes.map({static_cast<u32>(get("vs")), static_cast<u32>(get("hs"))}).cellAt(get("i"), get("j"));
            Bits outputs(module.outputBits());
            outputs.put(module.field("mv"), cell.bank >> sizes.q);
            outputs.put(module.field("mh"), cell.bank);
            outputs.put(module.field("row"), cell.row);
            return outputs;
          }};
}

Package makeGeneration(const Values& values) {
  const Sizes sizes = sizesOf(values);
  const Module module = generation(sizes);
  const auto multiples = std::make_shared<std::vector<Place>>(sizes.lanes());
  return {.modules = {module},
          .equations = equations(sizes),
          .model =
              [=](const Bits& inputs) {
                const auto get = [&](std::string_view port) { return inputs.get(module.field(port)); };
                Bits outputs(module.outputBits());
                const u32 pattern = static_cast<u32>(get("pattern"));
                const bool isContinuous = pattern >= kContinuousRow;
                for (u32 lane = 0; lane < sizes.lanes(); ++lane) {
                  // Of a block the multiples for the lane's row and column; else its own. They are in the table: not the strides
                  // themselves.
                  const Place& own = (*multiples)[lane];
                  const Place block{(*multiples)[lane >> sizes.q].i, (*multiples)[lane & ((1u << sizes.q) - 1)].j};
                  const Place& step = pattern == kBlock ? block : own;
                  Place place = placeOf(sizes, pattern, {get("i"), get("j")}, {}, lane);
                  if (!isContinuous && pattern != kRow) place.i += step.i;
                  if (!isContinuous) place.j += pattern == kBackward ? 0 - step.j : step.j;
                  outputs.put(module.field("is").part(lane, sizes.rows), place.i);
                  outputs.put(module.field("js").part(lane, sizes.columns), place.j);
                }
                if (get("set") != 0) (*multiples)[get("set_lane")] = {get("vertical"), get("horizontal")};
                return outputs;
              },
          .memoryBits = u64{sizes.lanes()} * (sizes.rows + sizes.columns)};
}

// An access to a pattern; the families are those of its strides, `step`.
struct Access {
  u32 pattern = 0;
  pm::TwoDsmm::Families families = {};
  Place base = {}, step = {};
  std::vector<u32> banks = {};
  std::vector<u64> locals = {};
};

// At a place that suits the pattern (two_dsmm.hpp), near its base.
Access accessAt(const Sizes& sizes, Access access) {
  const auto [vs, hs] = access.families;
  Place& base = access.base;
  if (access.pattern == kContinuousRow) base.j &= ~((u64{1} << (sizes.q + std::min(sizes.p, hs))) - 1);
  if (access.pattern == kContinuousBlock) {
    base.i &= ~((u64{1} << std::min(sizes.p, vs)) - 1);
    base.j &= ~((u64{1} << std::min(sizes.q, hs)) - 1);
  }
  const pm::TwoDsmm map = sizes.map(access.families);
  for (u32 lane = 0; lane < sizes.lanes(); ++lane) {
    const Place place = placeOf(sizes, access.pattern, base, access.step, lane);
    const pm::Cell cell = map.cellAt(place.i, place.j);
    access.banks.push_back(cell.bank);
    access.locals.push_back(cell.row);
  }
  return access;
}

Access drawAccess(const Sizes& sizes, Random& random) {
  const u32 vs = static_cast<u32>(random() % (sizes.rows - sizes.p + 1)), hs = static_cast<u32>(random() % (sizes.columns - sizes.q + 1));
  const u32 pattern = static_cast<u32>(random() % kPatterns);
  const Place base{random(), random()};
  return accessAt(sizes, {pattern, {vs, hs}, base, {(2 * (random() % 8) + 1) << vs, (2 * (random() % 8) + 1) << hs}});
}

bool hasSettings(const Sizes& sizes, const Access& access) {
  const pm::Bundle bundle = access.pattern == kContinuousRow ? pm::Bundle::rows : pm::Bundle::columns;
  return pm::twoStageSettings(access.banks, sizes.p, sizes.q, bundle).has_value();
}

// At the edges of the array patterns wrap around, where the scheme promises nothing.
Access drawServed(const Sizes& sizes, Random& random) {
  Access access = drawAccess(sizes, random);
  while (!hasSettings(sizes, access)) access = drawAccess(sizes, random);
  return access;
}

u32 bankAt(const Sizes& sizes, const Module& module, const Bits& inputs, u32 lane) {
  return static_cast<u32>(inputs.get(module.field("mvs").part(lane, sizes.p)) << sizes.q |
                          inputs.get(module.field("mhs").part(lane, sizes.q)));
}

Package routingPackage(const Sizes& sizes, bool isInward) {
  const u32 bits = isInward ? sizes.wordBits + sizes.localBits() : sizes.wordBits;
  const Module module = routing(sizes, isInward, bits);
  return {
      .modules = {module},
      .equations = equations(sizes) + "\nWords go to their banks in two stages, `pm::twoStageSettings` (Gou, figure 3.14, theorem 7).\n",
      .draw =
          [=](Random& random) {
            const Access access = drawServed(sizes, random);
            Bits inputs = anyBits(module.inputBits(), random);
            inputs.put(module.field("is_continuous_row"), access.pattern == kContinuousRow);
            for (u32 lane = 0; lane < sizes.lanes(); ++lane) {
              inputs.put(module.field("mvs").part(lane, sizes.p), access.banks[lane] >> sizes.q);
              inputs.put(module.field("mhs").part(lane, sizes.q), access.banks[lane]);
            }
            return inputs;
          },
      .model =
          [=](const Bits& inputs) {
            const Bits from = inputs.slice(module.field("from"));
            Bits outputs(module.outputBits());
            for (u32 lane = 0; lane < sizes.lanes(); ++lane) {
              const u32 bank = bankAt(sizes, module, inputs, lane), there = isInward ? bank : lane, here = isInward ? lane : bank;
              outputs.paste(there * bits, from.slice({here * bits, bits}));
            }
            return outputs;
          }};
}

Package makeRoutingIn(const Values& values) { return routingPackage(sizesOf(values), true); }
Package makeRoutingOut(const Values& values) { return routingPackage(sizesOf(values), false); }

// Local addresses and words to the banks, with the translation in front; what the banks gave for the access before to the lanes.
Module wholeMemory(const Sizes& sizes, const std::array<Module, 4>& parts) {
  const auto& [agu, atu, in, out] = parts;
  const u32 lanes = sizes.lanes(), local = sizes.localBits(), packet = local + sizes.wordBits;
  Module module("two_dsmm");
  module.clocked().input("i", sizes.rows).input("j", sizes.columns).input("pattern", kPatternBits);
  module.input("vs", sizes.vsBits()).input("hs", sizes.hsBits());
  module.input("set").input("set_lane", sizes.indexBits()).input("vertical", sizes.rows).input("horizontal", sizes.columns);
  module.input("data", lanes * sizes.wordBits).input("from_memory", lanes * sizes.wordBits);
  module.output("packets", lanes * packet).output("lanes", lanes * sizes.wordBits);
  module.wire("is", lanes * sizes.rows).wire("js", lanes * sizes.columns).wire("mvs", lanes * sizes.p).wire("mhs", lanes * sizes.q);
  module.wire("unrouted", lanes * packet)
      .wire("is_continuous_row")
      .assign("is_continuous_row", fmt::format("pattern == {}", literal(kPatternBits, kContinuousRow)));
  module.instance(agu, "agu", "");
  for (u32 lane = 0; lane < lanes; ++lane) {
    module.instance(atu, fmt::format("atu_{}", lane),
                    fmt::format(".i(is[{} +: {}]), .j(js[{} +: {}]), .mv(mvs[{} +: {}]), .mh(mhs[{} +: {}]), .row(unrouted[{} +: {}])",
                                lane * sizes.rows, sizes.rows, lane * sizes.columns, sizes.columns, lane * sizes.p, sizes.p, lane * sizes.q,
                                sizes.q, lane * packet, local));
    module.assign(fmt::format("unrouted[{} +: {}]", lane * packet + local, sizes.wordBits),
                  fmt::format("data[{} +: {}]", lane * sizes.wordBits, sizes.wordBits));
  }
  module.instance(in, "in", ".from(unrouted), .to(packets)");
  module.wire("mvs_read", lanes * sizes.p).wire("mhs_read", lanes * sizes.q).wire("row_read");
  module.body(R"(
// The banks answer in the next cycle.
always_ff @(posedge clk)
  if (reset) {mvs_read, mhs_read, row_read} <= '0;
  else {mvs_read, mhs_read, row_read} <= {mvs, mhs, is_continuous_row};
)");
  return module.instance(out, "out", ".mvs(mvs_read), .mhs(mhs_read), .is_continuous_row(row_read), .from(from_memory), .to(lanes)");
}

// Strides that are written to the table, then accesses with them; and so on.
class Session {
 public:
  Session(const Sizes& sizes, const Module& top) : sizes_(sizes), top_(top), read_(sizes.lanes()) {}

  Bits draw(Random& random) {
    Bits inputs = anyBits(top_.inputBits(), random);
    const auto put = [&](std::string_view port, u64 value) { inputs.put(top_.field(port), value); };
    const u32 step = steps_++ % (sizes_.lanes() + kAccesses);
    if (step == 0) strides_ = drawServed(sizes_, random);
    const bool isWritten = step < sizes_.lanes();
    put("set", isWritten);
    put("set_lane", step % sizes_.lanes());
    put("vertical", step * strides_.step.i);
    put("horizontal", step * strides_.step.j);
    // While the table is written, a pattern that does not need it.
    Access access = isWritten ? continuousRow() : strides_;
    for (bool isServed = isWritten; !isServed;) {
      access = accessAt(sizes_, {static_cast<u32>(random() % kPatterns), strides_.families, {random(), random()}, strides_.step});
      isServed = hasSettings(sizes_, access);
    }
    put("pattern", access.pattern);
    put("vs", access.families.vs);
    put("hs", access.families.hs);
    put("i", access.base.i);
    put("j", access.base.j);
    access_ = access;
    return inputs;
  }

  // Of the inputs that were drawn last.
  Bits outputs(const Bits& inputs) {
    const u32 word = sizes_.wordBits, local = sizes_.localBits(), packet = local + word;
    Bits result(top_.outputBits());
    const Field packets = top_.field("packets"), lanes = top_.field("lanes"), data = top_.field("data"), from = top_.field("from_memory");
    for (u32 lane = 0; lane < sizes_.lanes(); ++lane) {
      const u32 at = packets.at + access_.banks[lane] * packet;
      result.put({at, local}, access_.locals[lane]);
      result.paste(at + local, inputs.slice(data.part(lane, word)));
      if (steps_ > 1) result.paste(lanes.at + lane * word, inputs.slice(from.part(read_[lane], word)));
    }
    // After a reset the routing is that of no access.
    if (steps_ == 1) result.paste(lanes.at, afterReset(inputs.slice(from)));
    read_ = access_.banks;
    return result;
  }

 private:
  static constexpr u32 kAccesses = 24;

  Access continuousRow() const { return accessAt(sizes_, {kContinuousRow, strides_.families, {}, strides_.step}); }
  // All indices are 0: every lane gets the word of bank 0.
  Bits afterReset(const Bits& from) const {
    Bits lanes(from.width());
    const u32 word = sizes_.wordBits;
    for (u32 lane = 0; lane < sizes_.lanes(); ++lane) lanes.paste(lane * word, from.slice({0, word}));
    return lanes;
  }

  Sizes sizes_;
  Module top_;
  Access strides_, access_;
  std::vector<u32> read_;
  u64 steps_ = 0;
};

Package make(const Values& values) {
  const Sizes sizes = sizesOf(values);
  const std::array<Module, 4> parts = {generation(sizes), translation(sizes), routing(sizes, true, sizes.wordBits + sizes.localBits()),
                                       routing(sizes, false, sizes.wordBits)};
  const Module top = wholeMemory(sizes, parts);
  const auto session = std::make_shared<Session>(sizes, top);
  return {.modules = {parts[0], parts[1], parts[2], parts[3], top},
          .equations = equations(sizes),
          .draw = [session](Random& random) { return session->draw(random); },
          .model = [session](const Bits& inputs) { return session->outputs(inputs); },
          .memoryBits = u64{sizes.lanes()} * (sizes.rows + sizes.columns + sizes.p + sizes.q)};
}

}  // namespace

Design twoDsmmAguDesign() {
  return {"2dsmm-agu", "address generation of 2DSMM for six patterns (Gou, figure 3.11)", parameters(false), makeGeneration};
}
Design twoDsmmAtuDesign() {
  return {"2dsmm-atu", "one lane of 2DSMM's address translation (Gou, figure 3.12)", parameters(false), makeTranslation};
}
Design twoDsmmRoutingInDesign() {
  return {"2dsmm-routing-in", "2DSMM's two-stage routing of local addresses and data to the banks (Gou, figure 3.14)", parameters(true),
          makeRoutingIn};
}
Design twoDsmmRoutingOutDesign() {
  return {"2dsmm-routing-out", "2DSMM's two-stage routing of what the banks give to the lanes", parameters(true), makeRoutingOut};
}
Design twoDsmmDesign() {
  return {"2dsmm", "2DSMM between the lanes and synchronous banks, both ways (Gou, figure 3.8)", parameters(true), make};
}

}  // namespace warpwright::rtl
