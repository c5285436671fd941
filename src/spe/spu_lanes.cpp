// Instructions of the SPU that compute: on lanes, bytes and bits of registers.
#include <bit>
#include <cmath>

#include "spe/addresses.hpp"
#include "spe/spu.hpp"

namespace warpwright::spe {
namespace {

u32 bitsOf(float value) { return std::bit_cast<u32>(value); }
float realOf(u32 bits) { return std::bit_cast<float>(bits); }

// Words are big-endian in a register: byte 0 is the highest of word 0.
u8 byteOf(const Words& words, u32 index) { return static_cast<u8>(words[index / 4] >> (24 - 8 * (index % 4))); }

template <typename Byte>
Words wordsOf(Byte&& byte) {
  Words words{};
  for (u32 i = 0; i < kQuadBytes; ++i) words[i / 4] |= u32{byte(i)} << (24 - 8 * (i % 4));
  return words;
}

}  // namespace

float estimated(float value) {
  constexpr u32 kLeft = 23 - 11;  // bits of the fraction that go: eleven and the leading one stay
  return realOf((bitsOf(value) + (1u << (kLeft - 1))) >> kLeft << kLeft);
}

BytePattern wordPattern(u32 first, u32 second, u32 third, u32 fourth) {
  BytePattern bytes{};
  const std::array words{first, second, third, fourth};
  for (u32 i = 0; i < kQuadBytes; ++i) bytes[i] = static_cast<u8>(words[i / 4] * 4 + i % 4);
  return bytes;
}

template <typename Function>
Quad Spu::ofWords(Opcode opcode, std::initializer_list<const Quad*> sources, s32 immediate, Function&& function) {
  Words result{};
  const Quad* const* const given = sources.begin();
  for (std::size_t lane = 0; lane < result.size(); ++lane) {
    std::array<u32, 3> words{};
    for (std::size_t i = 0; i < sources.size(); ++i) words[i] = given[i]->word(lane);
    result[lane] = function(words[0], words[1], words[2]);
  }
  return record(opcode, result, sources, immediate);
}

template <typename Function>
Quad Spu::ofFloats(Opcode opcode, std::initializer_list<const Quad*> sources, Function&& function) {
  return ofWords(opcode, sources, 0, [&](u32 a, u32 b, u32 c) { return bitsOf(function(realOf(a), realOf(b), realOf(c))); });
}

Quad Spu::constant(float value) { return constant(Words{bitsOf(value), bitsOf(value), bitsOf(value), bitsOf(value)}); }
Quad Spu::pattern(const BytePattern& bytes) {
  return constant(wordsOf([&](u32 i) { return bytes[i]; }));
}

// ---- lanes

Quad Spu::shufb(const Quad& first, const Quad& second, const Quad& pattern) {
  const auto byte = [&](u32 i) {
    const u8 from = byteOf(pattern.words(), i);
    if (from >= 0x80) return static_cast<u8>(from >= 0xe0 ? 0x80 : from >= 0xc0 ? 0xff : 0);
    return byteOf(from & 0x10 ? second.words() : first.words(), from & 0xf);
  };
  return record(Opcode::shufb, wordsOf(byte), {&first, &second, &pattern});
}

Quad Spu::rotqbyi(const Quad& value, s32 bytes) {
  const auto byte = [&](u32 i) { return byteOf(value.words(), (i + static_cast<u32>(bytes)) % kQuadBytes); };
  return record(Opcode::rotqbyi, wordsOf(byte), {&value}, bytes);
}

Quad Spu::rotqby(const Quad& value, const Quad& bytes) {
  const auto byte = [&](u32 i) { return byteOf(value.words(), (i + bytes.word(0)) % kQuadBytes); };
  return record(Opcode::rotqby, wordsOf(byte), {&value, &bytes});
}

namespace {

// Bytes of the second register, but for as many of the first one's as begin at this address.
Words inserting(u32 bytes, u32 address) {
  const u32 begin = address % kQuadBytes / bytes * bytes;
  return wordsOf([&](u32 i) { return static_cast<u8>(i - begin < bytes ? i - begin : kQuadBytes + i); });
}

}  // namespace

Quad Spu::cwd(const Quad& base, s32 offset) { return record(Opcode::cwd, inserting(4, sum(base, offset)), {&base}, offset); }
Quad Spu::cwx(const Quad& base, const Quad& index) { return record(Opcode::cwx, inserting(4, sum(base, index)), {&base, &index}); }
Quad Spu::cdd(const Quad& base, s32 offset) { return record(Opcode::cdd, inserting(8, sum(base, offset)), {&base}, offset); }
Quad Spu::cdx(const Quad& base, const Quad& index) { return record(Opcode::cdx, inserting(8, sum(base, index)), {&base, &index}); }

// ---- arithmetic

// The SPU rounds toward zero and knows no infinities; here floats are IEEE's, as both forms of a program compute the same way.
Quad Spu::fa(const Quad& a, const Quad& b) {
  return ofFloats(Opcode::fa, {&a, &b}, [](float x, float y, float) { return x + y; });
}
Quad Spu::fs(const Quad& a, const Quad& b) {
  return ofFloats(Opcode::fs, {&a, &b}, [](float x, float y, float) { return x - y; });
}
Quad Spu::fm(const Quad& a, const Quad& b) {
  return ofFloats(Opcode::fm, {&a, &b}, [](float x, float y, float) { return x * y; });
}
Quad Spu::fma(const Quad& a, const Quad& b, const Quad& c) {
  return ofFloats(Opcode::fma, {&a, &b, &c}, [](float x, float y, float z) { return std::fma(x, y, z); });
}
Quad Spu::fms(const Quad& a, const Quad& b, const Quad& c) {
  return ofFloats(Opcode::fms, {&a, &b, &c}, [](float x, float y, float z) { return std::fma(x, y, -z); });
}
Quad Spu::fnms(const Quad& a, const Quad& b, const Quad& c) {
  return ofFloats(Opcode::fnms, {&a, &b, &c}, [](float x, float y, float z) { return std::fma(-x, y, z); });
}
Quad Spu::frest(const Quad& a) {
  return ofFloats(Opcode::frest, {&a}, [](float x, float, float) { return 1 / x; });
}
Quad Spu::frsqest(const Quad& a) {
  return ofFloats(Opcode::frsqest, {&a}, [](float x, float, float) { return 1 / std::sqrt(std::fabs(x)); });
}
Quad Spu::fi(const Quad& a, const Quad& estimate) {
  return ofFloats(Opcode::fi, {&a, &estimate}, [](float, float y, float) { return estimated(y); });
}

Quad Spu::il(s32 value) {
  return ofWords(Opcode::il, {}, value, [&](u32, u32, u32) { return static_cast<u32>(value); });
}
Quad Spu::ila(u32 address) {
  return ofWords(Opcode::ila, {}, static_cast<s32>(address), [&](u32, u32, u32) { return address; });
}
Quad Spu::a(const Quad& first, const Quad& second) {
  return ofWords(Opcode::a, {&first, &second}, 0, [](u32 x, u32 y, u32) { return x + y; });
}
Quad Spu::ai(const Quad& first, s32 value) {
  return ofWords(Opcode::ai, {&first}, value, [&](u32 x, u32, u32) { return x + static_cast<u32>(value); });
}
Quad Spu::sf(const Quad& first, const Quad& second) {
  return ofWords(Opcode::sf, {&first, &second}, 0, [](u32 x, u32 y, u32) { return y - x; });
}
Quad Spu::ceq(const Quad& first, const Quad& second) {
  return ofWords(Opcode::ceq, {&first, &second}, 0, [](u32 x, u32 y, u32) { return x == y ? ~u32{0} : 0; });
}
Quad Spu::cgt(const Quad& first, const Quad& second) {
  return ofWords(Opcode::cgt, {&first, &second}, 0,
                 [](u32 x, u32 y, u32) { return static_cast<s32>(x) > static_cast<s32>(y) ? ~u32{0} : 0; });
}
Quad Spu::fcgt(const Quad& first, const Quad& second) {
  return ofWords(Opcode::fcgt, {&first, &second}, 0, [](u32 x, u32 y, u32) { return realOf(x) > realOf(y) ? ~u32{0} : 0; });
}
Quad Spu::selb(const Quad& first, const Quad& second, const Quad& mask) {
  return ofWords(Opcode::selb, {&first, &second, &mask}, 0, [](u32 x, u32 y, u32 m) { return (x & ~m) | (y & m); });
}
Quad Spu::and_(const Quad& first, const Quad& second) {
  return ofWords(Opcode::and_, {&first, &second}, 0, [](u32 x, u32 y, u32) { return x & y; });
}
Quad Spu::or_(const Quad& first, const Quad& second) {
  return ofWords(Opcode::or_, {&first, &second}, 0, [](u32 x, u32 y, u32) { return x | y; });
}
Quad Spu::xor_(const Quad& first, const Quad& second) {
  return ofWords(Opcode::xor_, {&first, &second}, 0, [](u32 x, u32 y, u32) { return x ^ y; });
}
Quad Spu::shli(const Quad& first, s32 bits) {
  return ofWords(Opcode::shli, {&first}, bits, [&](u32 x, u32, u32) { return bits >= 32 ? 0 : x << bits; });
}

}  // namespace warpwright::spe
