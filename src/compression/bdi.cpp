#include "compression/bdi.hpp"

#include <array>

#include "compression/bits.hpp"
#include "compression/words.hpp"

namespace warpwright::compression {
namespace {

constexpr u32 kEncodingBits = 4;

struct Shape {
  std::string_view name;
  u32 valueBytes, deltaBytes;  // 0: no differences
};
constexpr std::array<Shape, kBdiEncodings> kShapes{{{"zeros", 0, 0},
                                                    {"repeated", 8, 0},
                                                    {"base8_delta1", 8, 1},
                                                    {"base4_delta1", 4, 1},
                                                    {"base8_delta2", 8, 2},
                                                    {"base4_delta2", 4, 2},
                                                    {"base8_delta4", 8, 4},
                                                    {"base2_delta1", 2, 1},
                                                    {"none", 0, 0}}};

// The bits of the values begin with a byte, where they have whole bytes.
bool startsByte(u32 deltas) { return deltas % 8 == 0; }

const Shape& shapeOf(BdiEncoding encoding) { return kShapes[static_cast<std::size_t>(encoding)]; }

// A difference from zero comes first: where both fit, the value itself is stored.
bool isImmediate(u64 value, const Shape& shape) { return fits(value, shape.valueBytes * 8, shape.deltaBytes * 8); }

bool fitsShape(Line line, const Shape& shape) {
  const u64 base = valueAt(line, 0, shape.valueBytes);
  for (u32 i = 0; i < line.size() / shape.valueBytes; ++i) {
    const u64 value = valueAt(line, i, shape.valueBytes);
    if (!isImmediate(value, shape) && !fits(value - base, shape.valueBytes * 8, shape.deltaBytes * 8)) return false;
  }
  return true;
}

bool isRepeated(Line line, u64 value) {
  for (u32 i = 0; i < line.size() / 8; ++i)
    if (valueAt(line, i, 8) != value) return false;
  return true;
}

bool isPossible(Line line, BdiEncoding encoding) {
  if (encoding == BdiEncoding::zeros) return isRepeated(line, 0);
  if (encoding == BdiEncoding::repeated) return isRepeated(line, valueAt(line, 0, 8));
  return fitsShape(line, shapeOf(encoding));
}

bool makesSmaller(Line line, BdiEncoding encoding, BdiEncoding than) {
  const u32 lineBytes = static_cast<u32>(line.size());
  return bdiBytes(encoding, lineBytes) < bdiBytes(than, lineBytes) && isPossible(line, encoding);
}

}  // namespace

std::string_view name(BdiEncoding encoding) { return shapeOf(encoding).name; }

u32 bdiValueBytes(BdiEncoding encoding) { return shapeOf(encoding).valueBytes; }
u32 bdiDeltaBytes(BdiEncoding encoding) { return shapeOf(encoding).deltaBytes; }
u32 bdiDeltas(BdiEncoding encoding, u32 lineBytes) { return bdiDeltaBytes(encoding) == 0 ? 0 : lineBytes / bdiValueBytes(encoding); }

u32 bdiBytes(BdiEncoding encoding, u32 lineBytes) {
  if (encoding == BdiEncoding::none) return lineBytes;
  const Shape& shape = shapeOf(encoding);
  const u32 deltas = bdiDeltas(encoding, lineBytes);
  return (kEncodingBits + deltas + 7) / 8 + shape.valueBytes + deltas * shape.deltaBytes;
}

BdiEncoding bdiEncodingOf(Line line, const Variants& variants) {
  if (makesSmaller(line, variants.bdiFirst, BdiEncoding::none)) return variants.bdiFirst;
  BdiEncoding best = BdiEncoding::none;
  for (std::size_t i = 0; i + 1 < kBdiEncodings; ++i) {
    const BdiEncoding encoding = static_cast<BdiEncoding>(i);
    if (makesSmaller(line, encoding, best)) best = encoding;
  }
  return best;
}

std::optional<Bytes> bdiCompress(Line line, const Variants& variants) {
  const BdiEncoding encoding = bdiEncodingOf(line, variants);
  if (encoding == BdiEncoding::none) return std::nullopt;
  const Shape& shape = shapeOf(encoding);
  const u32 deltas = bdiDeltas(encoding, static_cast<u32>(line.size()));
  BitWriter to;
  to.put(static_cast<u64>(encoding), kEncodingBits);
  if (startsByte(deltas)) to.align();
  for (u32 i = 0; i < deltas; ++i) to.put(isImmediate(valueAt(line, i, shape.valueBytes), shape) ? 0 : 1, 1);
  to.align();
  const u64 base = valueAt(line, 0, shape.valueBytes);
  to.put(base, shape.valueBytes * 8);
  for (u32 i = 0; i < deltas; ++i) {
    const u64 value = valueAt(line, i, shape.valueBytes);
    to.put(isImmediate(value, shape) ? value : value - base, shape.deltaBytes * 8);
  }
  return to.take();
}

// The encoding lies with the line.
void bdiDecompress(std::span<const std::byte> compressed, std::span<std::byte> line, const Variants&) {
  BitReader from(compressed);
  const BdiEncoding encoding = static_cast<BdiEncoding>(from.take(kEncodingBits));
  const Shape& shape = shapeOf(encoding);
  if (shape.deltaBytes == 0) {
    from.align();
    const u64 value = from.take(shape.valueBytes * 8);
    for (u32 i = 0; i < line.size() / 8; ++i) setValueAt(line, i, 8, value);
    return;
  }
  const u32 deltas = static_cast<u32>(line.size()) / shape.valueBytes;
  if (startsByte(deltas)) from.align();
  const u64 hasBase = from.take(deltas);  // 64 at most: 128 bytes of values of 2
  from.align();
  const u64 base = from.take(shape.valueBytes * 8);
  for (u32 i = 0; i < deltas; ++i) {
    const u64 delta = signExtended(from.take(shape.deltaBytes * 8), shape.deltaBytes * 8);
    setValueAt(line, i, shape.valueBytes, (hasBase >> i & 1) != 0 ? base + delta : delta);
  }
}

}  // namespace warpwright::compression
