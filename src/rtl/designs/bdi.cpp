// Base-delta-immediate compression: all encodings side by side, the smallest that fits chosen.
#include "compression/bdi.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rtl/designs/catalogue.hpp"
#include "rtl/designs/codecs.hpp"

namespace warpwright::rtl {
namespace {

using compression::BdiEncoding;

constexpr u32 kEncodingBits = 4;

// An encoding of a line of some size; sizes in bits.
struct Shape {
  u32 number = 0, bytes = 0;
  u32 value = 0, delta = 0, count = 0;
  u32 maskAt = 0, baseAt = 0, deltasAt = 0;
};

Shape shapeOf(BdiEncoding encoding, u32 lineBytes) {
  const u32 value = compression::bdiValueBytes(encoding) * 8, delta = compression::bdiDeltaBytes(encoding) * 8;
  const u32 count = compression::bdiDeltas(encoding, lineBytes), head = (kEncodingBits + count + 7) / 8 * 8;
  return {static_cast<u32>(encoding),
          compression::bdiBytes(encoding, lineBytes),
          value,
          delta,
          count,
          count % 8 == 0 ? 8 : kEncodingBits,
          head,
          head + value};
}

// Those that make the line smaller, in the order in which they are preferred.
std::vector<Shape> shapes(u32 lineBytes) {
  std::vector<Shape> all;
  for (u32 number = 0; number + 1 < compression::kBdiEncodings; ++number) {
    const Shape shape = shapeOf(static_cast<BdiEncoding>(number), lineBytes);
    if (shape.bytes < lineBytes) all.push_back(shape);
  }
  std::stable_sort(all.begin(), all.end(), [](const Shape& a, const Shape& b) { return a.bytes < b.bytes; });
  return all;
}

void declare(Module& module, const Shape& shape, u32 lineBytes) {
  module.wire(fmt::format("fits_{}", shape.number)).wire(fmt::format("image_{}", shape.number), lineBytes * 8);
}

// Zeros, and one value of 8 bytes over and over.
void encodeWhole(Module& module, const Shape& shape, u32 lineBytes) {
  module.assign(fmt::format("fits_{}", shape.number),
                shape.value == 0 ? "line == '0" : fmt::format("line == {{{}{{line[63:0]}}}}", lineBytes / 8));
  module.assign(fmt::format("image_{}", shape.number),
                shape.value == 0 ? literal(lineBytes * 8, shape.number)
                                 : fmt::format("{}'({{line[63:0], {}}})", lineBytes * 8, literal(8, shape.number)));
}

void encodeDeltas(Module& module, const Shape& shape) {
  module.body(fmt::format(R"(
logic [{value}-1:0] value_{n}, difference_{n};
logic is_immediate_{n}, is_near_{n};
always_comb begin
  fits_{n} = 1'b1;
  image_{n} = '0;
  image_{n}[3:0] = 4'd{n};
  image_{n}[{baseAt} +: {value}] = line[{value}-1:0];
  for (int i = 0; i < {count}; i++) begin
    value_{n} = line[i * {value} +: {value}];
    difference_{n} = value_{n} - line[{value}-1:0];
    is_immediate_{n} = &value_{n}[{value}-1:{delta}-1] | ~|value_{n}[{value}-1:{delta}-1];
    is_near_{n} = &difference_{n}[{value}-1:{delta}-1] | ~|difference_{n}[{value}-1:{delta}-1];
    fits_{n} &= is_immediate_{n} | is_near_{n};
    image_{n}[{maskAt} + i] = ~is_immediate_{n};
    image_{n}[{deltasAt} + i * {delta} +: {delta}] = is_immediate_{n} ? value_{n}[{delta}-1:0] : difference_{n}[{delta}-1:0];
  end
end
)",
                          fmt::arg("n", shape.number), fmt::arg("value", shape.value), fmt::arg("delta", shape.delta),
                          fmt::arg("count", shape.count), fmt::arg("maskAt", shape.maskAt), fmt::arg("baseAt", shape.baseAt),
                          fmt::arg("deltasAt", shape.deltasAt)));
}

Package makeCompressor(const Values& values) {
  const u32 lineBytes = lineBytesOf(values);
  Module module = compressorPorts("bdi_compressor", lineBytes);
  std::string chain = "always_comb begin\n  compressed = '0;\n  bytes = " + literal(8, lineBytes) + ";\n  is_compressed = 1'b1;\n";
  std::string otherwise = "  ";
  for (const Shape& shape : shapes(lineBytes)) {
    declare(module, shape, lineBytes);
    shape.count == 0 ? encodeWhole(module, shape, lineBytes) : encodeDeltas(module, shape);
    chain += fmt::format("{0}if (fits_{1}) begin\n    compressed = image_{1};\n    bytes = {2};\n  end", otherwise, shape.number,
                         literal(8, shape.bytes));
    otherwise = " else ";
  }
  module.body(chain + " else is_compressed = 1'b0;\nend");
  return compressorPackage(compression::Codec::bdi, {module}, lineBytes);
}

std::string decodeDeltas(const Shape& shape) {
  return fmt::format(R"(    {n}:
      for (int i = 0; i < {count}; i++)
        line[i * {value} +: {value}] =
            (compressed[{maskAt} + i] ? compressed[{baseAt} +: {value}] : '0) +
            {{{{{extension}{{compressed[{deltasAt} + i * {delta} + {delta} - 1]}}}}, compressed[{deltasAt} + i * {delta} +: {delta}]}};
)",
                     fmt::arg("n", literal(4, shape.number)), fmt::arg("count", shape.count), fmt::arg("value", shape.value),
                     fmt::arg("maskAt", shape.maskAt), fmt::arg("baseAt", shape.baseAt), fmt::arg("delta", shape.delta),
                     fmt::arg("extension", shape.value - shape.delta), fmt::arg("deltasAt", shape.deltasAt));
}

Package makeDecompressor(const Values& values) {
  const u32 lineBytes = lineBytesOf(values);
  Module module = decompressorPorts("bdi_decompressor", lineBytes);
  std::string cases;
  for (const Shape& shape : shapes(lineBytes)) {
    if (shape.count != 0) cases += decodeDeltas(shape);
    if (shape.count == 0 && shape.value != 0)
      cases += fmt::format("    {}: line = {{{}{{compressed[{} +: 64]}}}};\n", literal(4, shape.number), lineBytes / 8, shape.baseAt);
  }
  module.body("always_comb begin\n  line = '0;\n  case (compressed[3:0])\n" + cases + "    default: line = '0;\n  endcase\nend");
  return decompressorPackage(compression::Codec::bdi, {module}, lineBytes);
}

}  // namespace

Design bdiCompressorDesign() {
  return {"bdi-compressor", "base-delta-immediate compression of a line (src/compression/bdi.hpp)", lineParameter(), makeCompressor};
}
Design bdiDecompressorDesign() { return {"bdi-decompressor", "the same backwards", lineParameter(), makeDecompressor}; }

}  // namespace warpwright::rtl
