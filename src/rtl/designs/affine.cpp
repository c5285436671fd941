// Affine vectors: the encoding and decoding units of the affine vector cache (Collange and Kouyoumdjian, "Affine Vector Cache",
// sections 4.2 and 5.2), and the rules of tags (Collange, Defour and Zhang, "Dynamic detection of uniform and affine vectors in GPGPU
// computations", table 1).
#include <fmt/format.h>

#include <array>

#include "rtl/designs/catalogue.hpp"
#include "rtl/logic.hpp"
#include "values/compact_form.hpp"
#include "values/tag_rules.hpp"

namespace warpwright::rtl {
namespace {

using values::CompactForm;
using values::Encoder;
using values::Encoding;
using values::Tag;

struct Sizes {
  u32 lanes = 0, strideBits = 0;
  // The code of the stride: its logarithm, or all bits set for stride 0.
  u64 uniformCode() const { return (u64{1} << strideBits) - 1; }
};

constexpr u32 kWordBits = 32;

Sizes sizesOf(const Values& values) { return {values.number("lanes"), values.number("stride-bits")}; }

std::vector<Parameter> parameters() {
  return {{"lanes", "lanes of a vector", "32", 2, 64}, {"stride-bits", "bits that hold the logarithm of the stride", "3", 1, 5}};
}

constexpr std::string_view kEquations =
    "A vector is `base + (lane << stride)`; the code of a stride is its logarithm, all ones: stride 0. The encoder takes the stride from "
    "the "
    "lowest active pair of lanes 2i and 2i + 1, as the lowest bit in which they differ, and compares all active lanes with what it decodes "
    "to (src/values/compact_form.hpp).\n";

Module encoder(const Sizes& sizes) {
  Module module("avc_encoder");
  module.input("words", sizes.lanes * kWordBits).input("active", sizes.lanes);
  module.output("is_encoded").output("is_sparse").output("base", kWordBits).output("stride", sizes.strideBits);
  const u32 laneBits = bitsFor(sizes.lanes);
  module.wire("pairs", sizes.lanes).wire("first", laneBits).wire("even", laneBits).wire("differing", kWordBits).wire("shift", 5);
  module.wire("first_word", kWordBits).wire("is_uniform").wire("is_aligned").wire("fits").wire("has_one");
  module.assign("pairs", fmt::format("active & (active >> 1) & {{{}{{2'b01}}}}", sizes.lanes / 2));
  module.body(lowestSet("first", "active", sizes.lanes)).body(lowestSet("even", "pairs", sizes.lanes));
  module.assign("first_word", "words[first * 32 +: 32]");
  module.assign("has_one", fmt::format("active != '0 && (active & (active - {}'d1)) == '0", sizes.lanes));
  module.assign("differing", "words[even * 32 +: 32] ^ words[even * 32 + 32 +: 32]");
  module.body(lowestSet("shift", "differing", kWordBits));
  module.assign("is_uniform", "has_one || differing == '0");
  module.assign("is_aligned", "(first_word & ((32'd1 << shift) - 32'd1)) == '0");
  module.wire("candidate", kWordBits);
  module.assign("candidate", "is_uniform ? first_word : first_word - (32'(first) << shift)");
  module.assign("base", "active != '0 && is_encoded ? candidate : '0");
  module.assign("stride", fmt::format("active == '0 || is_uniform || !is_encoded ? '1 : shift[{}:0]", sizes.strideBits - 1));
  module.body(fmt::format(R"(
always_comb begin
  fits = 1'b1;
  for (int lane = 0; lane < {}; lane++)
    if (active[lane]) fits &= words[lane * 32 +: 32] == candidate + (is_uniform ? 32'd0 : 32'(lane) << shift);
end
)",
                          sizes.lanes));
  module.assign("is_sparse", "active != '0 && !has_one && pairs == '0");
  // With five bits every shift but 31 has a code, which stands for stride 0.
  module.assign("is_encoded",
                fmt::format("active == '0 || has_one || (pairs != '0 && fits && (is_uniform || (is_aligned && {}'(shift) < {})))", 6,
                            literal(6, sizes.uniformCode())));
  return module;
}

Bits drawVector(const Sizes& sizes, Random& random) {
  Bits inputs = anyBits(sizes.lanes * (kWordBits + 1), random);
  const u64 kind = random() % 4;
  const u32 shift = static_cast<u32>(random() % 9), base = static_cast<u32>(random()) & (kind == 3 ? ~0u : ~0u << shift);
  for (u32 lane = 0; lane < sizes.lanes; ++lane) inputs.put({lane * kWordBits, kWordBits}, kind == 0 ? base : base + (lane << shift));
  if (random() % 3 == 0) inputs.put({static_cast<u32>(random() % sizes.lanes) * kWordBits, kWordBits}, random());
  const Field active{sizes.lanes * kWordBits, sizes.lanes};
  const u64 all = sizes.lanes == 64 ? ~u64{0} : (u64{1} << sizes.lanes) - 1;
  const u64 any = random() & all, some = random() & any, few = random() & some;
  const std::array<u64, 5> masks = {all, any, few, u64{1} << random() % sizes.lanes, random() % 8 == 0 ? 0 : random() & all};
  inputs.put(active, masks[random() % masks.size()]);
  return inputs;
}

Package makeEncoder(const Values& values) {
  const Sizes sizes = sizesOf(values);
  if (sizes.lanes % 2 != 0) throw std::invalid_argument("lanes come in pairs");
  const Module module = encoder(sizes);
  return {.modules = {module},
          .equations = std::string(kEquations),
          .draw = [=](Random& random) { return drawVector(sizes, random); },
          .model =
              [=](const Bits& inputs) {
                std::array<u32, kMaxWarpSize> words{};
                for (u32 lane = 0; lane < sizes.lanes; ++lane) words[lane] = inputs.words()[lane];
                const LaneMask active(inputs.get({sizes.lanes * kWordBits, sizes.lanes}));
                const Encoding encoding = Encoder(sizes.strideBits).encode(words.data(), active);
                Bits outputs(module.outputBits());
                outputs.put(module.field("is_encoded"), encoding.succeeded());
                outputs.put(module.field("is_sparse"), encoding.outcome == Encoding::Outcome::sparseMask);
                outputs.put(module.field("base"), encoding.form.base);
                outputs.put(module.field("stride"), encoding.form.log2Stride);
                return outputs;
              }};
}

Package makeDecoder(const Values& values) {
  const Sizes sizes = sizesOf(values);
  Module module("avc_decoder");
  module.input("base", kWordBits).input("stride", sizes.strideBits).output("words", sizes.lanes * kWordBits);
  for (u32 lane = 0; lane < sizes.lanes; ++lane)
    module.assign(fmt::format("words[{} +: 32]", lane * kWordBits),
                  fmt::format("base + (&stride ? 32'd0 : {} << stride)", literal(kWordBits, lane)));
  return {.modules = {module}, .equations = std::string(kEquations), .model = [=](const Bits& inputs) {
            const u64 stride = inputs.get(module.field("stride"));
            const CompactForm form{static_cast<u32>(inputs.get(module.field("base"))),
                                   stride == sizes.uniformCode() ? CompactForm::kUniform : static_cast<u8>(stride)};
            std::array<u32, kMaxWarpSize> words{};
            values::decode(form, words.data(), sizes.lanes);
            Bits outputs(module.outputBits());
            for (u32 lane = 0; lane < sizes.lanes; ++lane) outputs.put({lane * kWordBits, kWordBits}, words[lane]);
            return outputs;
          }};
}

// ---- tags. Codes: 0 generic, 1 affine, 2 uniform.
constexpr std::array<Tag (*)(Tag, Tag), 6> kRules = {values::lanewise,   values::product,   values::sum,
                                                     values::difference, values::shiftLeft, values::either};

Tag tagOf(u64 code) { return static_cast<Tag>(code % 3); }

// The rules as a table of sums of products: each is asked for all pairs of tags.
Package makeTags(const Values&) {
  Module module("tag_propagation");
  module.input("rule", 3).input("a", 2).input("b", 2).output("result", 2);
  std::vector<std::string> results;
  for (u64 inputs = 0; inputs < 128; ++inputs) {
    const u64 rule = std::min<u64>(inputs >> 4, kRules.size() - 1);
    results.push_back(literal(2, static_cast<u64>(kRules[rule](tagOf(inputs >> 2 & 3), tagOf(inputs & 3)))));
  }
  module.wire("operands", 7).assign("operands", "{rule, a, b}").body(choice("result", "operands", 7, results));
  return {
      .modules = {module},
      .equations =
          "Rules: 0 lanewise, 1 product, 2 sum, 3 difference, 4 shift to the left, 5 either (src/values/tag_rules.hpp). Tags: 0 generic, 1 "
          "affine, 2 uniform; 3 is taken for 0.\n",
      .model = [=](const Bits& inputs) {
        const u64 rule = std::min<u64>(inputs.get({0, 3}), kRules.size() - 1);
        Bits outputs(2);
        outputs.put({0, 2}, static_cast<u64>(kRules[rule](tagOf(inputs.get({3, 2})), tagOf(inputs.get({5, 2})))));
        return outputs;
      }};
}

}  // namespace

Design avcEncoderDesign() {
  return {"avc-encoder", "the encoding unit of the affine vector cache (docs/affine-vector-cache.md)", parameters(), makeEncoder};
}
Design avcDecoderDesign() { return {"avc-decoder", "its decoding unit", parameters(), makeDecoder}; }
Design tagPropagationDesign() {
  return {"tag-propagation", "tags of results from tags of operands (src/values/tag_rules.hpp)", {}, makeTags};
}

}  // namespace warpwright::rtl
