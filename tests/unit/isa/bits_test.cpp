// Bit operations against bit-by-bit readings of the PTX manual.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "isa/address_space.hpp"
#include "unit/isa/one_lane.hpp"

namespace warpwright::test {
namespace {

u32 bitOf(u64 value, u32 position) { return static_cast<u32>(value >> position & 1); }

u64 extractByBits(u64 a, u32 position, u32 length, u32 width, bool isSigned) {
  const u32 top = width - 1;
  const u32 fill = !isSigned || length == 0 ? 0 : bitOf(a, std::min(position + length - 1, top));
  u64 result = 0;
  for (u32 i = 0; i < width; ++i) result |= u64{i < length && position + i <= top ? bitOf(a, position + i) : fill} << i;
  return result;
}
u64 insertByBits(u64 a, u64 b, u32 position, u32 length, u32 width) {
  for (u32 i = 0; i < length && position + i < width; ++i) {
    b = (b & ~(u64{1} << (position + i))) | u64{bitOf(a, i)} << (position + i);
  }
  return b;
}

TEST(Bits, FieldsAreExtractedAndInserted) {
  std::mt19937_64 random(1);
  for (u32 i = 0; i < 4000; ++i) {
    const u32 position = random() % 3 == 0 ? random() & 0xff : random() % 70, length = random() % 3 == 0 ? random() & 0xff : random() % 70;
    const u64 a = random(), b = random(), junk = random() & 0xffff'ff00;  // only the low byte of position and length counts
    for (const u32 width : {32u, 64u}) {
      const u64 mask = width == 64 ? ~u64{0} : 0xffff'ffff;
      const DataType plain = width == 64 ? DataType::u64 : DataType::u32, withSign = width == 64 ? DataType::s64 : DataType::s32;
      ASSERT_EQ(result(operation(Opcode::bfe, plain), a & mask, position | junk, length | junk),
                extractByBits(a & mask, position, length, width, false));
      ASSERT_EQ(result(operation(Opcode::bfe, withSign), a & mask, position, length),
                extractByBits(a & mask, position, length, width, true));
      ASSERT_EQ(result(operation(Opcode::bfi, plain), a & mask, b & mask, position, length | junk),
                insertByBits(a & mask, b & mask, position, length, width));
    }
  }
}

TEST(Bits, Counts) {
  EXPECT_EQ(result(operation(Opcode::popc, DataType::u32), 0xf0f0'0001), 9u);
  EXPECT_EQ(result(operation(Opcode::popc, DataType::u64), ~u64{0}), 64u);
  EXPECT_EQ(result(operation(Opcode::clz, DataType::u32), 0), 32u);
  EXPECT_EQ(result(operation(Opcode::clz, DataType::u64), 0), 64u);
  EXPECT_EQ(result(operation(Opcode::clz, DataType::u64), 1), 63u);
  EXPECT_EQ(result(operation(Opcode::brev, DataType::u32), 0x1), 0x8000'0000u);
  EXPECT_EQ(result(operation(Opcode::brev, DataType::u64), 0x8000'0000'0000'0003), 0xc000'0000'0000'0001u);
}

TEST(Bits, FindOfTheMostSignificant) {
  isa::Modifiers amount;
  amount.shiftAmount = true;
  EXPECT_EQ(result(operation(Opcode::bfind, DataType::u32), 0), 0xffff'ffffu);
  EXPECT_EQ(result(operation(Opcode::bfind, DataType::u32), 0x8000'0000), 31u);
  EXPECT_EQ(result(operation(Opcode::bfind, DataType::s32), 0xffff'ffff), 0xffff'ffffu);
  EXPECT_EQ(result(operation(Opcode::bfind, DataType::s32), 0xffff'fffe), 0u);
  EXPECT_EQ(result(operation(Opcode::bfind, DataType::u64), u64{1} << 40), 40u);
  EXPECT_EQ(result(operation(Opcode::bfind, DataType::u32, amount), 0x10), 27u);
  EXPECT_EQ(result(operation(Opcode::bfind, DataType::s64, amount), 0), 0xffff'ffffu);
}

TEST(Bits, AddressesInBlocksOfACluster) {
  const auto map = [](DataType type, u64 address, u32 rank) { return result(operation(Opcode::mapa, type), address, rank); };
  EXPECT_EQ(map(DataType::u32, 0x123, 0), 0x8'0123u);
  EXPECT_EQ(map(DataType::u32, 0x123, 15), 0x80'0123u);
  EXPECT_EQ(map(DataType::u32, 0x80'0123, 0), 0x8'0123u) << "from another block's";
  EXPECT_EQ(map(DataType::u64, isa::kSharedWindow + 0x123, 2), isa::kSharedWindow + 0x18'0123);
  EXPECT_EQ(map(DataType::u32, 0x123, 0xffff'ffff), 0x88'0123u) << "no cluster has a rank of 16";
  isa::Modifiers shared, cluster;
  shared.space = cluster.space = isa::Space::shared;
  cluster.ofCluster = true;
  for (const auto& [address, own, any] : {std::tuple{u64{0x100'0000}, 1u, 1u},
                                          {0x107'ffff, 1, 1},
                                          {0x108'0000, 0, 1},
                                          {0x1ff'ffff, 0, 1},
                                          {0x200'0000, 0, 0},
                                          {0xff'ffff, 0, 0}}) {
    EXPECT_EQ(result(operation(Opcode::isspacep, DataType::u64, shared), address), own) << address;
    EXPECT_EQ(result(operation(Opcode::isspacep, DataType::u64, cluster), address), any) << address;
  }
}

TEST(Bits, MasksAndExtension) {
  isa::Modifiers clamp;
  clamp.clamp = true;
  const auto mask = [](const isa::Modifiers& modifiers, u32 a, u32 b) {
    return result(operation(Opcode::bmsk, DataType::u32, modifiers), a, b);
  };
  EXPECT_EQ(mask({}, 4, 8), 0xff0u);
  EXPECT_EQ(mask({}, 36, 40), 0xff0u);
  EXPECT_EQ(mask(clamp, 36, 8), 0u);
  EXPECT_EQ(mask(clamp, 4, 40), 0xffff'fff0u);
  EXPECT_EQ(mask({}, 28, 8), 0xf000'0000u);
  const auto extend = [](const isa::Modifiers& modifiers, DataType type, u32 a, u32 b) {
    return result(operation(Opcode::szext, type, modifiers), a, b);
  };
  EXPECT_EQ(extend({}, DataType::s32, 0x1234'5680, 8), 0xffff'ff80u);
  EXPECT_EQ(extend({}, DataType::u32, 0x1234'5680, 8), 0x80u);
  EXPECT_EQ(extend(clamp, DataType::s32, 0x1234'5680, 40), 0x1234'5680u);
  EXPECT_EQ(extend({}, DataType::s32, 0x1234'5680, 40), 0xffff'ff80u);
  EXPECT_EQ(extend({}, DataType::s32, 0x1234'5680, 0), 0u);
}

TEST(Bits, NthSet) {
  const auto find = [](u32 mask, u32 base, s32 offset) {
    return result(operation(Opcode::fns, DataType::u32), mask, base, static_cast<u32>(offset));
  };
  EXPECT_EQ(find(0b1011'0100, 2, 0), 2u);
  EXPECT_EQ(find(0b1011'0100, 3, 0), 0xffff'ffffu);
  EXPECT_EQ(find(0b1011'0100, 3, 1), 4u);
  EXPECT_EQ(find(0b1011'0100, 2, 2), 4u);
  EXPECT_EQ(find(0b1011'0100, 4, -2), 2u);
  EXPECT_EQ(find(0b1011'0100, 0, 5), 0xffff'ffffu);
}

u32 byteOf(u64 bytes, u32 index) { return static_cast<u32>(bytes >> (8 * index)) & 0xff; }

TEST(Bits, PermutationOfBytes) {
  std::mt19937_64 random(2);
  for (u32 i = 0; i < 1000; ++i) {
    const u64 bytes = random();
    const u32 selector = static_cast<u32>(random()), low = static_cast<u32>(bytes), high = static_cast<u32>(bytes >> 32);
    u32 expected = 0;
    for (u32 part = 0; part < 4; ++part) {
      const u32 nibble = selector >> (4 * part) & 0xf, byte = byteOf(bytes, nibble & 7);
      expected |= ((nibble & 8) != 0 ? ((byte & 0x80) != 0 ? 0xffu : 0u) : byte) << (8 * part);
    }
    ASSERT_EQ(result(operation(Opcode::prmt, DataType::u32), low, high, selector), expected);
  }
}

TEST(Bits, PermutationModes) {
  const auto permute = [](isa::PermuteMode mode, u32 c) {
    isa::Modifiers modifiers;
    modifiers.permute = mode;
    return result(operation(Opcode::prmt, DataType::u32, modifiers), 0x3322'1100, 0x7766'5544, c);
  };
  EXPECT_EQ(permute(isa::PermuteMode::f4e, 1), 0x4433'2211u);
  EXPECT_EQ(permute(isa::PermuteMode::b4e, 1), 0x6677'0011u);
  EXPECT_EQ(permute(isa::PermuteMode::rc8, 2), 0x2222'2222u);
  EXPECT_EQ(permute(isa::PermuteMode::ecl, 2), 0x3322'2222u);
  EXPECT_EQ(permute(isa::PermuteMode::ecr, 1), 0x1111'1100u);
  EXPECT_EQ(permute(isa::PermuteMode::rc16, 1), 0x3322'3322u);
}

TEST(Bits, AnyFunctionOfThree) {
  std::mt19937_64 random(3);
  for (u32 table = 0; table < 256; ++table) {
    isa::Modifiers modifiers;
    modifiers.lut = static_cast<u8>(table);
    const u32 a = static_cast<u32>(random()), b = static_cast<u32>(random()), c = static_cast<u32>(random());
    u32 expected = 0;
    for (u32 i = 0; i < 32; ++i) expected |= (table >> (bitOf(a, i) << 2 | bitOf(b, i) << 1 | bitOf(c, i)) & 1) << i;
    ASSERT_EQ(result(operation(Opcode::lop3, DataType::u32, modifiers), a, b, c), expected);
  }
}

TEST(Bits, ShiftsClampAtTheWidth) {
  for (const u32 amount : {0u, 1u, 15u, 16u, 31u, 32u, 33u, 63u, 64u, 0xffff'ffffu}) {
    const u64 a = 0x8765'4321'89ab'cdef;
    EXPECT_EQ(result(operation(Opcode::shl, DataType::u16), 0xcdef, amount), amount > 15 ? 0 : (u64{0xcdef} << amount & 0xffff));
    EXPECT_EQ(result(operation(Opcode::shl, DataType::u32), 0x89ab'cdef, amount),
              amount > 31 ? 0 : (u64{0x89ab'cdef} << amount & 0xffff'ffff));
    EXPECT_EQ(result(operation(Opcode::shl, DataType::u64), a, amount), amount > 63 ? 0 : a << amount);
    EXPECT_EQ(result(operation(Opcode::shr, DataType::u32), 0x89ab'cdef, amount), amount > 31 ? 0 : 0x89ab'cdefu >> amount);
    EXPECT_EQ(result(operation(Opcode::shr, DataType::s32), 0x89ab'cdef, amount),
              static_cast<u32>(s64{static_cast<s32>(0x89ab'cdef)} >> std::min(amount, 63u)));
    EXPECT_EQ(result(operation(Opcode::shr, DataType::s16), 0xcdef, amount),
              static_cast<u32>(s64{static_cast<s16>(0xcdef)} >> std::min(amount, 63u)));
    EXPECT_EQ(result(operation(Opcode::shr, DataType::s64), a, amount), static_cast<u64>(static_cast<s64>(a) >> std::min(amount, 63u)));
  }
}

TEST(Bits, FunnelShifts) {
  isa::Modifiers clamp;
  clamp.clamp = true;
  const u64 both = 0x0123'4567'89ab'cdef;
  for (u32 amount = 0; amount < 70; ++amount) {
    const u32 wrap = amount & 31, limited = std::min(amount, 32u);
    EXPECT_EQ(result(operation(Opcode::shf_l, DataType::u32), 0x89ab'cdef, 0x0123'4567, amount), both << wrap >> 32);
    EXPECT_EQ(result(operation(Opcode::shf_r, DataType::u32), 0x89ab'cdef, 0x0123'4567, amount), both >> wrap & 0xffff'ffff);
    EXPECT_EQ(result(operation(Opcode::shf_l, DataType::u32, clamp), 0x89ab'cdef, 0x0123'4567, amount), both << limited >> 32);
    EXPECT_EQ(result(operation(Opcode::shf_r, DataType::u32, clamp), 0x89ab'cdef, 0x0123'4567, amount), both >> limited & 0xffff'ffff);
  }
}

s64 partOf(u32 value, u32 index, u32 width, bool isSigned) {
  const u32 raw = value >> (index * width) & ((1u << width) - 1);
  return isSigned && (raw >> (width - 1)) != 0 ? s64{raw} - (s64{1} << width) : s64{raw};
}

TEST(Bits, DotProducts) {
  std::mt19937_64 random(4);
  for (u32 i = 0; i < 2000; ++i) {
    const u32 a = static_cast<u32>(random()), b = static_cast<u32>(random()), c = static_cast<u32>(random());
    const bool signA = random() % 2 != 0, signB = random() % 2 != 0, upper = random() % 2 != 0;
    isa::Modifiers modifiers;
    modifiers.secondType = signB ? DataType::s32 : DataType::u32;
    modifiers.high = upper;
    const DataType typeA = signA ? DataType::s32 : DataType::u32;
    s64 four = c, two = c;
    for (u32 part = 0; part < 4; ++part) four += partOf(a, part, 8, signA) * partOf(b, part, 8, signB);
    for (u32 part = 0; part < 2; ++part) two += partOf(a, part, 16, signA) * partOf(b, part + (upper ? 2 : 0), 8, signB);
    ASSERT_EQ(result(operation(Opcode::dp4a, DataType::s32, modifiers, typeA), a, b, c), static_cast<u32>(four));
    ASSERT_EQ(result(operation(Opcode::dp2a, DataType::s32, modifiers, typeA), a, b, c), static_cast<u32>(two));
  }
}

}  // namespace
}  // namespace warpwright::test
