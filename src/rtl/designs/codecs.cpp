#include "rtl/designs/codecs.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace warpwright::rtl {
namespace {

using compression::Bytes;
using compression::Codec;

Bytes bytesOf(const Bits& bits) {
  Bytes bytes(bits.width() / 8);
  for (u32 i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(bits.get({i * 8, 8}));
  return bytes;
}

Bits bitsOf(const Bytes& bytes, u32 width) {
  Bits bits(width);
  for (u32 i = 0; i < bytes.size(); ++i) bits.put({i * 8, 8}, std::to_integer<u64>(bytes[i]));
  return bits;
}

// Numbers near a base, near zero, of few values, of few bits, or anything: lines that codecs tell apart.
Bits drawLine(u32 lineBytes, Random& random) {
  Bits line(lineBytes * 8);
  const u32 width = 8u << (random() % 4), differenceBits = static_cast<u32>(random() % width) + 1;
  const u64 base = random() % 3 == 0 ? 0 : random(), kind = random() % 6;
  const u64 few[5] = {random(), random(), random() & 0xff, random(), random()};
  for (u32 at = 0; at < line.width(); at += width) {
    const u64 difference = random() & ((u64{2} << (differenceBits - 1)) - 1);
    const u64 choices[6] = {base + difference,
                            random() % 2 == 0 ? base - difference : difference,
                            few[random() % 5] ^ (random() & 0xff),
                            base,
                            difference * 0x0101010101010101u,
                            difference << 16};
    line.put({at, width}, choices[kind]);
  }
  // Now and then a value that does not belong.
  if (random() % 4 == 0) line.put({static_cast<u32>(random() % (lineBytes / 4)) * 32, 32}, random());
  return line;
}

std::string equationsOf(Codec codec) {
  return fmt::format("The image of a line, byte by byte, is that of `src/compression/{}.hpp`, whose beginning gives the layout.\n",
                     compression::name(codec));
}

}  // namespace

std::vector<Parameter> lineParameter() { return {{"line", "bytes of a line: 32, 64 or 128", "128", 32, 128}}; }

u32 lineBytesOf(const Values& values) {
  const u32 bytes = values.number("line");
  if (!std::has_single_bit(bytes)) throw std::invalid_argument("a line has 32, 64 or 128 bytes");
  return bytes;
}

Module compressorPorts(std::string name, u32 lineBytes) {
  Module module(std::move(name));
  return module.input("line", lineBytes * 8).output("compressed", lineBytes * 8).output("bytes", 8).output("is_compressed");
}

Module decompressorPorts(std::string name, u32 lineBytes) {
  Module module(std::move(name));
  return module.input("compressed", lineBytes * 8).output("line", lineBytes * 8);
}

Package compressorPackage(Codec codec, std::vector<Module> modules, u32 lineBytes) {
  const Module top = modules.back();
  return {.modules = std::move(modules),
          .equations = equationsOf(codec),
          .draw = [=](Random& random) { return drawLine(lineBytes, random); },
          .model =
              [=](const Bits& inputs) {
                const auto compressed = compression::compress(codec, bytesOf(inputs));
                Bits outputs(top.outputBits());
                if (compressed) outputs.paste(0, bitsOf(*compressed, lineBytes * 8));
                outputs.put(top.field("bytes"), compressed ? compressed->size() : lineBytes);
                outputs.put(top.field("is_compressed"), compressed.has_value());
                return outputs;
              }};
}

Package decompressorPackage(Codec codec, std::vector<Module> modules, u32 lineBytes) {
  return {.modules = std::move(modules),
          .equations = equationsOf(codec),
          .draw =
              [=](Random& random) {
                auto compressed = compression::compress(codec, bytesOf(drawLine(lineBytes, random)));
                while (!compressed) compressed = compression::compress(codec, bytesOf(drawLine(lineBytes, random)));
                return bitsOf(*compressed, lineBytes * 8);
              },
          .model =
              [=](const Bits& inputs) {
                Bytes line(lineBytes);
                compression::decompress(codec, bytesOf(inputs), line);
                return bitsOf(line, lineBytes * 8);
              }};
}

}  // namespace warpwright::rtl
