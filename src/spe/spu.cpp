#include "spe/spu.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/error.hpp"

namespace warpwright::spe {
namespace {

constexpr u32 kQuadBytes = 16;
constexpr u32 kInstructionBytes = 4;
constexpr u32 kLocalStoreBytes = LocalStore::kWords * sizeof(u32);

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

Spu::Spu(const Machine& machine) : machine_(machine), pipeline_(machine_, values_), schedules_(machine_) {}
Spu::~Spu() { release(); }

void Spu::release() {
  for (const Instruction& instruction : block_.instructions) forEachValue(instruction, [&](ValueId value) { values_.dropUse(value); });
  block_.instructions.clear();
  block_.parts.clear();
}

// ---- recording

Instruction& Spu::add(Opcode opcode, std::initializer_list<const Quad*> sources, s32 immediate) {
  Instruction instruction{.opcode = opcode, .immediate = immediate};
  std::size_t index = 0;
  for (const Quad* const source : sources) {
    instruction.sources[index++] = source->id();
    values_.addUse(source->id());
  }
  return block_.instructions.emplace_back(instruction);
}

Quad Spu::record(Opcode opcode, const Words& result, std::initializer_list<const Quad*> sources, s32 immediate) {
  Instruction& instruction = add(opcode, sources, immediate);
  instruction.target = values_.add(result);
  values_.addUse(instruction.target);
  return {values_, instruction.target};
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

// A constant has a register before the program begins.
Quad Spu::constant(const Words& words) {
  const ValueId id = values_.add(words);
  Quad quad(values_, id);
  values_.giveRegister(id);
  return quad;
}
Quad Spu::constant(float value) { return constant(Words{bitsOf(value), bitsOf(value), bitsOf(value), bitsOf(value)}); }
Quad Spu::pattern(const BytePattern& bytes) {
  return constant(wordsOf([&](u32 i) { return bytes[i]; }));
}

// ---- local store

// The SPU leaves out the low bits of an address.
Spu::Access Spu::aligned(u32 address) const {
  Access access;
  const u32 first = address / kQuadBytes * 4;
  for (u32 i = 0; i < 4; ++i) access.all[i] = first + i;
  return access;
}

Spu::Access Spu::inLayout(u32 address, u32 strideWords) const {
  if (!machine_.sams) throw Error("a strided access on an SPE whose local store has none", {}, "choose the SPE with SAMS (--spe sams)");
  if (address % 4 != 0) throw Error(fmt::format("an access to words at byte {}", address), {}, "begin at a multiple of four bytes");
  Access access{.family = familyOf(strideBytes_ / 4)};
  for (u32 i = 0; i < 4; ++i) access.all[i] = address / 4 + i * strideWords;
  return access;
}

namespace {

Touched touchedBy(std::span<const u32> words) { return {words.front() * 4, words.back() * 4 + 4}; }

}  // namespace

Quad Spu::load(Opcode opcode, const Access& access, std::initializer_list<const Quad*> sources, s32 immediate) {
  Words words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = store_.read(access.all[i], access.family);
  Quad result = record(opcode, words, sources, immediate);
  Instruction& instruction = block_.instructions.back();
  instruction.touched = touchedBy(access.words());
  instruction.portCycles = store_.cyclesFor(access.words(), access.family);
  noteUnawaited(instruction.touched);
  return result;
}

void Spu::store(Opcode opcode, const Access& access, std::initializer_list<const Quad*> sources, s32 immediate) {
  const Words& words = (*sources.begin())->words();
  for (std::size_t i = 0; i < access.count; ++i) store_.write(access.all[i], access.family, words[i]);
  Instruction& instruction = add(opcode, sources, immediate);
  instruction.touched = touchedBy(access.words());
  instruction.portCycles = store_.cyclesFor(access.words(), access.family);
  noteUnawaited(instruction.touched);
}

namespace {

u32 sum(const Quad& base, s32 offset) { return base.word(0) + static_cast<u32>(offset); }
u32 sum(const Quad& base, const Quad& index) { return base.word(0) + index.word(0); }

}  // namespace

Quad Spu::lqd(const Quad& base, s32 offset) { return load(Opcode::lqd, aligned(sum(base, offset)), {&base}, offset); }
Quad Spu::lqx(const Quad& base, const Quad& index) { return load(Opcode::lqx, aligned(sum(base, index)), {&base, &index}, 0); }
Quad Spu::lqa(u32 address) { return load(Opcode::lqa, aligned(address), {}, static_cast<s32>(address)); }
void Spu::stqd(const Quad& value, const Quad& base, s32 offset) {
  store(Opcode::stqd, aligned(sum(base, offset)), {&value, &base}, offset);
}
void Spu::stqx(const Quad& value, const Quad& base, const Quad& index) {
  store(Opcode::stqx, aligned(sum(base, index)), {&value, &base, &index}, 0);
}
void Spu::stqa(const Quad& value, u32 address) { store(Opcode::stqa, aligned(address), {&value}, static_cast<s32>(address)); }

// ---- memory flow controller

void Spu::noteUnawaited(const Touched& touched) {
  for (const auto& tag : moving_)
    for (const Touched& moved : tag) unawaited_ += moved.overlaps(touched);
}

// Six channels take what a command needs: both addresses, one of them in halves, size, tag and command.
void Spu::require(const Part& part) const {
  constexpr u32 kMostBytes = 16 * 1024;
  const auto [local, main, bytes] = part;
  if (bytes == 0 || bytes % kQuadBytes != 0 || bytes > kMostBytes)
    throw Error(fmt::format("a transfer of {} bytes", bytes), {}, "transfers move multiples of 16 bytes, at most 16 KB");
  if (local % kQuadBytes != 0 || main % kQuadBytes != 0)
    throw Error(fmt::format("a transfer between byte {} of the local store and byte {} of main memory", local, main), {},
                "begin at multiples of 16 bytes");
  if (u64{local} + bytes > kLocalStoreBytes || (u64{main} + bytes) / 4 > mainMemory_.size())
    throw Error(fmt::format("a transfer of {} bytes between byte {} of the local store and byte {} of main memory", bytes, local, main), {},
                fmt::format("the local store has {} bytes, main memory {}", kLocalStoreBytes, mainMemory_.size() * 4));
}

void Spu::command(std::span<const Part> parts, u32 tag, u32 listBytes) {
  constexpr u32 kChannels = 6;
  if (tag >= moving_.size()) throw Error(fmt::format("a transfer with tag {}", tag), {}, "tags are 0 to 31");
  for (const Part& part : parts) require(part);
  for (u32 channel = 0; channel < kChannels; ++channel) add(Opcode::wrch, {}, static_cast<s32>(channel));
  Instruction& given = block_.instructions.back();
  given.firstPart = static_cast<u32>(block_.parts.size());
  given.parts = static_cast<u32>(parts.size());
  given.listBytes = listBytes;
  given.tags = 1u << tag;
  for (const Part& part : parts) {
    block_.parts.push_back(part.bytes);
    moving_[tag].push_back({part.local, part.local + part.bytes});
  }
}

std::vector<Spu::Part> Spu::partsOf(u32 local, u32 list, u32 listBytes) {
  constexpr u32 kMostListBytes = 16 * 1024;
  if (listBytes == 0 || listBytes % kListElementBytes != 0 || listBytes > kMostListBytes)
    throw Error(fmt::format("a list of {} bytes", listBytes), {}, "a list has 1 to 2048 elements of eight bytes");
  if (list % kListElementBytes != 0 || u64{list} + listBytes > kLocalStoreBytes)
    throw Error(fmt::format("a list of {} bytes at byte {} of the local store", listBytes, list), {},
                fmt::format("begin at a multiple of eight; the local store has {} bytes", kLocalStoreBytes));
  std::vector<Part> parts;
  for (u32 element = list; element < list + listBytes; element += kListElementBytes) {
    parts.push_back({local, store_.read(element / 4 + 1, std::nullopt), store_.read(element / 4, std::nullopt)});
    local += parts.back().bytes;
  }
  return parts;
}

void Spu::moveIn(std::span<const Part> parts, Family family) {
  for (const Part& part : parts)
    for (u32 word = 0; word < part.bytes / 4; ++word) store_.write(part.local / 4 + word, family, mainMemory_[part.main / 4 + word]);
}

void Spu::moveOut(std::span<const Part> parts, Family family) {
  for (const Part& part : parts)
    for (u32 word = 0; word < part.bytes / 4; ++word) mainMemory_[part.main / 4 + word] = store_.read(part.local / 4 + word, family);
}

void Spu::mfcGet(u32 local, u32 main, u32 bytes, u32 tag, Family family) {
  const Part part{local, main, bytes};
  command({&part, 1}, tag);
  moveIn({&part, 1}, family);
}

void Spu::mfcPut(u32 local, u32 main, u32 bytes, u32 tag, Family family) {
  const Part part{local, main, bytes};
  command({&part, 1}, tag);
  moveOut({&part, 1}, family);
}

void Spu::mfcGetl(u32 local, u32 list, u32 listBytes, u32 tag, Family family) {
  const std::vector<Part> parts = partsOf(local, list, listBytes);
  command(parts, tag, listBytes);
  moving_[tag].push_back({list, list + listBytes});
  moveIn(parts, family);
}

void Spu::mfcPutl(u32 local, u32 list, u32 listBytes, u32 tag, Family family) {
  const std::vector<Part> parts = partsOf(local, list, listBytes);
  command(parts, tag, listBytes);
  moving_[tag].push_back({list, list + listBytes});
  moveOut(parts, family);
}

// The mask, the wish for all of them, and the answer, which comes when they have ended.
void Spu::mfcWait(u32 tags) {
  add(Opcode::wrch, {}, static_cast<s32>(tags));
  add(Opcode::wrch, {}, 2);
  add(Opcode::rdch, {}, 0).tags = tags;
  for (std::size_t tag = 0; tag < moving_.size(); ++tag)
    if ((tags >> tag & 1) != 0) moving_[tag].clear();
}

// ---- SAMS

// It is read a stage later than other registers, so that accesses may follow at once (section 4.4.2): it is nobody's source.
void Spu::setstride(u32 bytes) {
  if (!machine_.sams) throw Error("a stride on an SPE whose local store has none", {}, "choose the SPE with SAMS (--spe sams)");
  if (bytes == 0 || bytes % 4 != 0) throw Error(fmt::format("a stride of {} bytes", bytes), {}, "strides are multiples of four bytes");
  strideBytes_ = bytes;
  add(Opcode::setstride, {}, static_cast<s32>(bytes));
}

Quad Spu::lqwsd(const Quad& base, s32 offset) { return load(Opcode::lqwsd, ofField(sum(base, offset)), {&base}, offset); }
Quad Spu::lqwsx(const Quad& base, const Quad& index) { return load(Opcode::lqwsx, ofField(sum(base, index)), {&base, &index}, 0); }
Quad Spu::lqwsa(u32 address) { return load(Opcode::lqwsa, ofField(address), {}, static_cast<s32>(address)); }
Quad Spu::lqwsfd(const Quad& base, s32 offset) { return load(Opcode::lqwsfd, ofStructure(sum(base, offset)), {&base}, offset); }
Quad Spu::lqwsfx(const Quad& base, const Quad& index) { return load(Opcode::lqwsfx, ofStructure(sum(base, index)), {&base, &index}, 0); }
Quad Spu::lqwsfa(u32 address) { return load(Opcode::lqwsfa, ofStructure(address), {}, static_cast<s32>(address)); }
void Spu::stqwsd(const Quad& value, const Quad& base, s32 offset) {
  store(Opcode::stqwsd, ofField(sum(base, offset)), {&value, &base}, offset);
}
void Spu::stqwsx(const Quad& value, const Quad& base, const Quad& index) {
  store(Opcode::stqwsx, ofField(sum(base, index)), {&value, &base, &index}, 0);
}
void Spu::stqwsa(const Quad& value, u32 address) { store(Opcode::stqwsa, ofField(address), {&value}, static_cast<s32>(address)); }
void Spu::stqwsfd(const Quad& value, const Quad& base, s32 offset) {
  store(Opcode::stqwsfd, ofStructure(sum(base, offset)), {&value, &base}, offset);
}
void Spu::stqwsfx(const Quad& value, const Quad& base, const Quad& index) {
  store(Opcode::stqwsfx, ofStructure(sum(base, index)), {&value, &base, &index}, 0);
}
void Spu::stqwsfa(const Quad& value, u32 address) { store(Opcode::stqwsfa, ofStructure(address), {&value}, static_cast<s32>(address)); }

void Spu::stdwsd(const Quad& value, const Quad& base, s32 offset) {
  store(Opcode::stdwsd, ofField(sum(base, offset)).first(2), {&value, &base}, offset);
}
void Spu::stdwsx(const Quad& value, const Quad& base, const Quad& index) {
  store(Opcode::stdwsx, ofField(sum(base, index)).first(2), {&value, &base, &index}, 0);
}
void Spu::stdwsa(const Quad& value, u32 address) { store(Opcode::stdwsa, ofField(address).first(2), {&value}, static_cast<s32>(address)); }
void Spu::stdwsfd(const Quad& value, const Quad& base, s32 offset) {
  store(Opcode::stdwsfd, ofStructure(sum(base, offset)).first(2), {&value, &base}, offset);
}
void Spu::stdwsfx(const Quad& value, const Quad& base, const Quad& index) {
  store(Opcode::stdwsfx, ofStructure(sum(base, index)).first(2), {&value, &base, &index}, 0);
}
void Spu::stdwsfa(const Quad& value, u32 address) {
  store(Opcode::stdwsfa, ofStructure(address).first(2), {&value}, static_cast<s32>(address));
}
void Spu::stwwsd(const Quad& value, const Quad& base, s32 offset) {
  store(Opcode::stwwsd, ofField(sum(base, offset)).first(1), {&value, &base}, offset);
}
void Spu::stwwsx(const Quad& value, const Quad& base, const Quad& index) {
  store(Opcode::stwwsx, ofField(sum(base, index)).first(1), {&value, &base, &index}, 0);
}
void Spu::stwwsa(const Quad& value, u32 address) { store(Opcode::stwwsa, ofField(address).first(1), {&value}, static_cast<s32>(address)); }
void Spu::stwwsfd(const Quad& value, const Quad& base, s32 offset) {
  store(Opcode::stwwsfd, ofStructure(sum(base, offset)).first(1), {&value, &base}, offset);
}
void Spu::stwwsfx(const Quad& value, const Quad& base, const Quad& index) {
  store(Opcode::stwwsfx, ofStructure(sum(base, index)).first(1), {&value, &base, &index}, 0);
}
void Spu::stwwsfa(const Quad& value, u32 address) {
  store(Opcode::stwwsfa, ofStructure(address).first(1), {&value}, static_cast<s32>(address));
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

// ---- control

NameId Spu::idOf(std::string_view name) {
  if (name.empty()) return kNoName;
  const auto [found, isNew] = ids_.try_emplace(std::string(name), static_cast<NameId>(names_.size()));
  if (isNew) names_.emplace_back(name);
  return found->second;
}

bool Spu::branch(Opcode opcode, const Quad* condition, bool taken, std::string_view name) {
  Instruction& instruction = condition ? add(opcode, {condition}, 0) : add(opcode, {}, 0);
  instruction.taken = taken;
  instruction.name = idOf(name);
  finish();
  return taken;
}

void Spu::br(std::string_view name) { branch(Opcode::br, nullptr, true, name); }
bool Spu::brz(const Quad& condition, std::string_view name) { return branch(Opcode::brz, &condition, condition.word(0) == 0, name); }
bool Spu::brnz(const Quad& condition, std::string_view name) { return branch(Opcode::brnz, &condition, condition.word(0) != 0, name); }

void Spu::hbrr(std::string_view branch, std::string_view target) {
  if (branch.empty() || target.empty())
    throw Error("a hint without a branch or its target", {}, "name the branch, and the label it goes to");
  Instruction& hint = add(Opcode::hbrr, {}, 0);
  hint.name = idOf(branch);
  hint.hintedTo = idOf(target);
}

void Spu::label(std::string_view name) {
  finish();
  label_ = name;
}

// ---- the end of a block

// A value has its register until the last instruction that uses it, or as long as the program holds on to it.
void Spu::giveRegisters(const std::vector<u32>& order) {
  for (const Instruction& instruction : block_.instructions)
    forEachValue(instruction, [&](ValueId value) { values_.at(value).left = values_.at(value).uses; });
  const auto use = [&](ValueId id) {
    Value& value = values_.at(id);
    if (--value.left == 0 && value.handles == 0) values_.takeRegister(id);
  };
  for (const u32 index : order) {
    const Instruction& instruction = block_.instructions[index];
    for (const ValueId source : instruction.sources)
      if (source != kNoValue) use(source);
    if (instruction.target == kNoValue) continue;
    values_.giveRegister(instruction.target);
    mostRegisters_ = std::max(mostRegisters_, values_.registersTaken());
    use(instruction.target);
  }
}

std::string Spu::textOf(const Instruction& instruction) const {
  std::string text(nameOf(instruction.opcode));
  const char* separator = " ";
  const auto append = [&](const std::string& operand) {
    text += separator + operand;
    separator = ", ";
  };
  if (instruction.target != kNoValue) append(fmt::format("${}", values_.at(instruction.target).reg));
  for (const ValueId source : instruction.sources)
    if (source != kNoValue) append(fmt::format("${}", values_.at(source).reg));
  if (instruction.immediate != 0) append(fmt::format("{}", instruction.immediate));
  if (instruction.name != kNoName) text += " <" + names_[instruction.name] + ">";
  if (instruction.hintedTo != kNoName) text += ", " + names_[instruction.hintedTo];
  return text;
}

// Code is the same where the label, the instructions and their constants are.
u32 Spu::addressOf(const std::vector<u32>& order) {
  std::string key = label_;
  for (const u32 index : order) {
    const Instruction& instruction = block_.instructions[index];
    key += static_cast<char>(instruction.opcode);
    for (const u32 part : {static_cast<u32>(instruction.immediate), instruction.name, instruction.hintedTo})
      key.append(reinterpret_cast<const char*>(&part), sizeof part);
  }
  // Blocks begin at fetch groups.
  const u32 begin = (codeEnd_ + 7) / 8 * 8;
  const auto [found, isNew] = addresses_.try_emplace(std::move(key), begin);
  if (!isNew) return found->second;
  codeEnd_ = begin;
  for (const u32 index : order) {
    code_.push_back({codeEnd_ == begin ? label_ : std::string(), codeEnd_, textOf(block_.instructions[index])});
    codeEnd_ += kInstructionBytes;
  }
  return begin;
}

void Spu::finish() {
  if (block_.instructions.empty()) return;
  std::vector<u32> order(block_.instructions.size());
  std::iota(order.begin(), order.end(), 0u);
  if (machine_.order == Order::scheduled) order = schedules_.of(block_);
  giveRegisters(order);
  u32 address = addressOf(order);
  pipeline_.enter(idOf(label_));
  for (const u32 index : order) {
    const Instruction& instruction = block_.instructions[index];
    pipeline_.issue(instruction, address, block_.partsOf(instruction));
    address += kInstructionBytes;
  }
  release();
}

Statistics Spu::statistics() const {
  Statistics statistics = pipeline_.statistics();
  statistics.mismatches = store_.mismatches();
  statistics.unawaited = unawaited_;
  statistics.mostRegisters = mostRegisters_;
  return statistics;
}

}  // namespace warpwright::spe
