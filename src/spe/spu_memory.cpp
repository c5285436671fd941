// Instructions of the SPU that reach the local store, and commands of the memory flow controller.
#include <fmt/format.h>

#include "base/error.hpp"
#include "spe/addresses.hpp"
#include "spe/spu.hpp"

namespace warpwright::spe {
namespace {

constexpr u32 kLocalStoreBytes = LocalStore::kWords * sizeof(u32);

// The SPU leaves out the low bits of an address.
PortAccess aligned(u32 address) { return accessOf(Port::normal, address / kQuadBytes * 4, 1); }

Touched touchedBy(std::span<const u32> words) { return {words.front() * 4, words.back() * 4 + 4}; }

}  // namespace

// ---- local store

PortAccess Spu::inLayout(Port port, u32 address) const {
  if (!machine_.sams) throw Error("a strided access on an SPE whose local store has none", {}, "choose the SPE with SAMS (--spe sams)");
  if (address % 4 != 0) throw Error(fmt::format("an access to words at byte {}", address), {}, "begin at a multiple of four bytes");
  return accessOf(port, address / 4, strideBytes_ / 4);
}

void Spu::noteAccess(Instruction& instruction, const PortAccess& access) {
  instruction.port = access.port;
  instruction.touched = touchedBy(access.words());
  instruction.portCycles = store_.cyclesFor(access.words(), access.family);
  noteUnawaited(instruction.touched);
}

Quad Spu::load(Opcode opcode, const PortAccess& access, std::initializer_list<const Quad*> sources, s32 immediate) {
  Words words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = store_.read(access.all[i], access.family);
  Quad result = record(opcode, words, sources, immediate);
  noteAccess(block_.instructions.back(), access);
  return result;
}

void Spu::store(Opcode opcode, const PortAccess& access, std::initializer_list<const Quad*> sources, s32 immediate) {
  const Words& words = (*sources.begin())->words();
  for (std::size_t i = 0; i < access.count; ++i) store_.write(access.all[i], access.family, words[i]);
  noteAccess(add(opcode, sources, immediate), access);
}

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

}  // namespace warpwright::spe
