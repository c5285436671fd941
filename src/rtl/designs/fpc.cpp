// Frequent pattern compression with one pattern a segment of eight words: segments side by side, then shifted to where they begin.
#include "compression/fpc.hpp"

#include <fmt/format.h>

#include <array>

#include "rtl/designs/catalogue.hpp"
#include "rtl/designs/codecs.hpp"

namespace warpwright::rtl {
namespace {

constexpr u32 kPatterns = 8, kPatternBits = 3;

// Of a word w: whether it has the pattern, what is kept of it, and the word of what was kept (k).
struct Pattern {
  u32 bits;
  const char *has, *kept, *word;
};
constexpr std::array<Pattern, kPatterns> kWords = {{
    {0, "w == '0", "", "'0"},
    {4, "&w[31:3] | ~|w[31:3]", "w[3:0]", "{{28{k[3]}}, k[3:0]}"},
    {8, "&w[31:7] | ~|w[31:7]", "w[7:0]", "{{24{k[7]}}, k[7:0]}"},
    {8, "w == {4{w[7:0]}}", "w[7:0]", "{4{k[7:0]}}"},
    {16, "&w[31:15] | ~|w[31:15]", "w[15:0]", "{{16{k[15]}}, k[15:0]}"},
    {16, "w[15:0] == '0", "w[31:16]", "{k[15:0], 16'h0}"},
    {16, "(&w[15:7] | ~|w[15:7]) & (&w[31:23] | ~|w[31:23])", "{w[23:16], w[7:0]}", "{{8{k[15]}}, k[15:8], {8{k[7]}}, k[7:0]}"},
    {32, "1'b1", "w", "k"},
}};

struct Sizes {
  u32 lineBytes = 0, words = 0, segments = 0, headBytes = 0;  // words: of a segment
  u32 segmentBits() const { return words * 32; }
};

Sizes sizesOf(u32 lineBytes) {
  const u32 words = compression::fpcSegmentWords({}, lineBytes), segments = lineBytes / 4 / words;
  return {lineBytes, words, segments, (segments * kPatternBits + 7) / 8};
}

// Bytes of a segment with each pattern.
std::string bytesChoice(const Sizes& sizes) {
  std::string text = "function automatic logic [7:0] bytes_of(input logic [2:0] pattern);\n  case (pattern)\n";
  for (u32 pattern = 0; pattern + 1 < kPatterns; ++pattern)
    text += fmt::format("    {}: bytes_of = {};\n", literal(3, pattern), literal(8, kWords[pattern].bits * sizes.words / 8));
  return text + fmt::format("    default: bytes_of = {};\n  endcase\nendfunction", literal(8, kWords.back().bits * sizes.words / 8));
}

// The first pattern that all words have, and the words by it.
Module segmentEncoder(const Sizes& sizes) {
  Module module("fpc_segment_encoder");
  module.input("words", sizes.segmentBits()).output("pattern", kPatternBits).output("image", sizes.segmentBits());
  std::string has = "logic [7:0] all_have;\nlogic [31:0] w;\nalways_comb begin\n  all_have = '1;\n";
  has += fmt::format("  for (int i = 0; i < {}; i++) begin\n    w = words[i * 32 +: 32];\n", sizes.words);
  for (u32 pattern = 0; pattern < kPatterns; ++pattern) has += fmt::format("    all_have[{}] &= {};\n", pattern, kWords[pattern].has);
  has += "  end\n  pattern = 3'd7;\n  for (int i = 6; i >= 0; i--) if (all_have[i]) pattern = 3'(i);\nend";
  std::string image = fmt::format(
      "logic [31:0] v;\nalways_comb begin\n  image = '0;\n  for (int i = 0; i < {}; i++) begin\n    v = words[i * 32 +: 32];\n    case "
      "(pattern)\n",
      sizes.words);
  for (u32 pattern = 1; pattern < kPatterns; ++pattern) {
    std::string kept = kWords[pattern].kept;
    for (char& each : kept) each = each == 'w' ? 'v' : each;
    image += fmt::format("      {0}: image[i * {1} +: {1}] = {2};\n", literal(3, pattern), kWords[pattern].bits, kept);
  }
  return module.body(has).body(image + "      default: ;\n    endcase\n  end\nend");
}

Module segmentDecoder(const Sizes& sizes) {
  Module module("fpc_segment_decoder");
  module.input("pattern", kPatternBits).input("image", sizes.segmentBits()).output("words", sizes.segmentBits());
  std::string text = fmt::format(
      "logic [31:0] k;\nalways_comb begin\n  words = '0;\n  k = '0;\n  for (int i = 0; i < {}; i++)\n    case (pattern)\n", sizes.words);
  for (u32 pattern = 1; pattern < kPatterns; ++pattern)
    text += fmt::format("      {}: begin\n        k = {}'(image[i * {} +: {}]);\n        words[i * 32 +: 32] = {};\n      end\n",
                        literal(3, pattern), 32, kWords[pattern].bits, kWords[pattern].bits, kWords[pattern].word);
  return module.body(text + "      default: ;\n    endcase\nend");
}

// Where each segment's bytes begin: `at_SEGMENT`, and behind the last one.
void place(Module& module, const Sizes& sizes) {
  module.body(bytesChoice(sizes));
  for (u32 segment = 0; segment <= sizes.segments; ++segment) {
    module.wire(fmt::format("at_{}", segment), 8);
    module.assign(fmt::format("at_{}", segment),
                  segment == 0 ? literal(8, sizes.headBytes) : fmt::format("at_{0} + bytes_of(patterns[{0} * 3 +: 3])", segment - 1));
  }
}

Package makeCompressor(const Values& values) {
  const Sizes sizes = sizesOf(lineBytesOf(values));
  const u32 lineBits = sizes.lineBytes * 8;
  const Module encoder = segmentEncoder(sizes);
  Module module = compressorPorts("fpc_compressor", sizes.lineBytes);
  module.wire("patterns", sizes.segments * kPatternBits).wire("images", lineBits);
  // A line that becomes no smaller may have an image that is longer than it.
  module.wire("whole", lineBits + 8);
  std::string whole = fmt::format("{}'(patterns)", lineBits + 8);
  for (u32 segment = 0; segment < sizes.segments; ++segment) {
    module.instance(encoder, fmt::format("segment_{}", segment),
                    fmt::format(".words(line[{0} +: {1}]), .pattern(patterns[{2} +: 3]), .image(images[{0} +: {1}])",
                                segment * sizes.segmentBits(), sizes.segmentBits(), segment * kPatternBits));
    whole += fmt::format(" | ({0}'(images[{1} +: {2}]) << {{at_{3}, 3'h0}})", lineBits + 8, segment * sizes.segmentBits(),
                         sizes.segmentBits(), segment);
  }
  place(module, sizes);
  module.assign("whole", whole);
  module.assign("is_compressed", fmt::format("at_{} < {}", sizes.segments, literal(8, sizes.lineBytes)));
  module.assign("bytes", fmt::format("is_compressed ? at_{} : {}", sizes.segments, literal(8, sizes.lineBytes)));
  module.assign("compressed", fmt::format("is_compressed ? whole[{}:0] : '0", lineBits - 1));
  return compressorPackage(compression::Codec::fpc, {encoder, module}, sizes.lineBytes);
}

Package makeDecompressor(const Values& values) {
  const Sizes sizes = sizesOf(lineBytesOf(values));
  const Module decoder = segmentDecoder(sizes);
  Module module = decompressorPorts("fpc_decompressor", sizes.lineBytes);
  module.wire("patterns", sizes.segments * kPatternBits);
  module.assign("patterns", fmt::format("compressed[{}:0]", sizes.segments * kPatternBits - 1));
  place(module, sizes);
  for (u32 segment = 0; segment < sizes.segments; ++segment) {
    const std::string image = fmt::format("image_{}", segment);
    module.wire(image, sizes.segmentBits());
    module.assign(image, fmt::format("{}'(compressed >> {{at_{}, 3'h0}})", sizes.segmentBits(), segment));
    module.instance(decoder, fmt::format("segment_{}", segment),
                    fmt::format(".pattern(patterns[{} +: 3]), .image({}), .words(line[{} +: {}])", segment * kPatternBits, image,
                                segment * sizes.segmentBits(), sizes.segmentBits()));
  }
  return decompressorPackage(compression::Codec::fpc, {decoder, module}, sizes.lineBytes);
}

}  // namespace

Design fpcCompressorDesign() {
  return {"fpc-compressor", "frequent pattern compression of a line (src/compression/fpc.hpp)", lineParameter(), makeCompressor};
}
Design fpcDecompressorDesign() { return {"fpc-decompressor", "the same backwards", lineParameter(), makeDecompressor}; }

}  // namespace warpwright::rtl
