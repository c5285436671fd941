#include "spe/programs/particle_access.hpp"

#include "spe/programs/fluid_cells.hpp"

namespace warpwright::spe::fluidanimate {
namespace {

constexpr s32 kTripleBytes = 12, kQuadBytes = 16;

// Of the first particle of a batch.
constexpr s32 byteOf(u32 array, u32 batch) { return static_cast<s32>(4 * (array + 12 * batch)); }
constexpr s32 densityByteOf(u32 batch) { return static_cast<s32>(4 * (kDensity + 4 * batch)); }
constexpr bool isHalf(u32 batch) { return 4 * batch + 2 == kMost; }

// Triples and words have the same family: one stride is set once for all.
class WithViews final : public ParticleAccess {
 public:
  explicit WithViews(Spu& spu) : spu_(spu) { spu_.setstride(kTripleBytes); }

  Place triple(const Quad& base, s32 offset) override { return {.offset = offset, .bases = {base}}; }
  Place triple(const Place& other, s32 further) override { return triple(other.bases[0], other.offset + further); }
  Place word(const Quad& base, s32 offset) override { return triple(base, offset); }
  void prepareToStore(Place&, u32) override {}

  Quad load(const Place& place) override { return spu_.lqwsfd(place.bases[0], place.offset); }
  // Two words and one: a fourth would be the next particle's.
  void store(const Quad& value, const Place& place) override {
    spu_.stdwsfd(value, place.bases[0], place.offset);
    spu_.stwwsfd(spu_.rotqbyi(value, 8), place.bases[0], place.offset + 8);
  }
  Quad loadWord(const Place& place) override { return load(place); }
  void storeWord(const Quad& value, const Place& place) override { spu_.stwwsfd(value, place.bases[0], place.offset); }
  Quad alignedWord(const Quad& base, s32 offset) override { return spu_.lqwsfd(base, offset); }

  Vector<Quad> loadBatch(const Quad& cell, u32 batch, u32 array) override {
    const s32 byte = byteOf(array, batch);
    Vector<Quad> result;
    result.x = spu_.lqwsd(cell, byte);
    result.y = spu_.lqwsd(cell, byte + 4);
    result.z = spu_.lqwsd(cell, byte + 8);
    return result;
  }
  void storeBatch(const Vector<Quad>& value, const Quad& cell, u32 batch, u32 array) override {
    const s32 byte = byteOf(array, batch);
    const auto put = isHalf(batch) ? &Spu::stdwsd : &Spu::stqwsd;
    (spu_.*put)(value.x, cell, byte);
    (spu_.*put)(value.y, cell, byte + 4);
    (spu_.*put)(value.z, cell, byte + 8);
  }
  Quad loadDensities(const Quad& cell, u32 batch) override { return spu_.lqwsfd(cell, densityByteOf(batch)); }
  void storeDensities(const Quad& value, const Quad& cell, u32 batch) override {
    if (isHalf(batch))
      spu_.stdwsfd(value, cell, densityByteOf(batch));
    else
      spu_.stqwsfd(value, cell, densityByteOf(batch));
  }

 private:
  Spu& spu_;
};

// Loads and stores move quads: what lies across two takes both, and less than one is inserted into what was there.
class WithShuffles final : public ParticleAccess {
 public:
  WithShuffles(Spu& spu, Sorter& sorter)
      : spu_(spu),
        sorter_(sorter),
        lowBits_(spu.constant(Words{15, 15, 15, 15})),
        inOrder_(spu.pattern(wordPattern(0, 1, 2, 3))),
        lowestByte_(spu.pattern({3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3})) {}

  // Every byte of a triple comes from so many bytes further on as it lies behind the begin of a quad.
  Place triple(const Quad& base, s32 offset) override {
    Place place = word(base, offset);
    const Quad behind = spu_.and_(place.bases[0], lowBits_);
    place.align = spu_.a(inOrder_, spu_.shufb(behind, behind, lowestByte_));
    return place;
  }
  Place triple(const Place& other, s32 further) override {
    Place place = other;
    place.offset += further;
    return place;
  }
  // An instruction has offsets of whole quads.
  Place word(const Quad& base, s32 offset) override {
    if (offset % kQuadBytes == 0) return {.offset = offset, .bases = {base}};
    return {.bases = {spu_.ai(base, offset)}};
  }
  void prepareToStore(Place& place, u32 words) override {
    for (u32 i = 0; i < words; ++i) {
      if (i > 0) place.bases[i] = spu_.ai(place.bases[0], static_cast<s32>(4 * i));
      place.patterns[i] = spu_.cwd(place.bases[i], 0);
    }
  }

  Quad load(const Place& place) override {
    const Quad first = spu_.lqd(place.bases[0], place.offset);
    return spu_.shufb(first, spu_.lqd(place.bases[0], place.offset + kQuadBytes), place.align);
  }
  void store(const Quad& value, const Place& place) override {
    insert(value, place, 0);
    insert(spu_.rotqbyi(value, 4), place, 1);
    insert(spu_.rotqbyi(value, 8), place, 2);
  }
  Quad loadWord(const Place& place) override { return spu_.rotqby(spu_.lqd(place.bases[0], place.offset), place.bases[0]); }
  void storeWord(const Quad& value, const Place& place) override { insert(value, place, 0); }
  Quad alignedWord(const Quad& base, s32 offset) override {
    const s32 behind = offset % kQuadBytes;
    const Quad quad = spu_.lqd(base, offset - behind);
    return behind == 0 ? quad : spu_.rotqbyi(quad, behind);
  }

  Vector<Quad> loadBatch(const Quad& cell, u32 batch, u32 array) override {
    const s32 byte = byteOf(array, batch), behind = byte % kQuadBytes;
    std::vector<Quad> quads;
    for (s32 i = 0; i * kQuadBytes < behind + 4 * kTripleBytes; ++i) quads.push_back(spu_.lqd(cell, byte - behind + i * kQuadBytes));
    const u32 first = static_cast<u32>(behind) / 4;
    const auto field = [&](u32 at) { return sorter_.gather(quads, {at, at + 3, at + 6, at + 9}); };
    Vector<Quad> result;
    result.x = field(first);
    result.y = field(first + 1);
    result.z = field(first + 2);
    return result;
  }
  // Of accelerations, which lie at whole quads.
  void storeBatch(const Vector<Quad>& value, const Quad& cell, u32 batch, u32 array) override {
    const s32 byte = byteOf(array, batch);
    spu_.stqd(sorter_.shuffle(sorter_.shuffle(value.x, value.y, {0, 4, 1, 1}), value.z, {0, 1, 4, 2}), cell, byte);
    if (isHalf(batch)) {
      const Quad old = spu_.lqd(cell, byte + kQuadBytes);
      const Quad rest = sorter_.shuffle(value.y, value.z, {1, 5, 5, 5});
      spu_.stqd(sorter_.shuffle(rest, old, {0, 1, 6, 7}), cell, byte + kQuadBytes);
      return;
    }
    spu_.stqd(sorter_.shuffle(sorter_.shuffle(value.x, value.y, {2, 5, 6, 6}), value.z, {1, 5, 0, 2}), cell, byte + kQuadBytes);
    spu_.stqd(sorter_.shuffle(sorter_.shuffle(value.x, value.y, {3, 7, 7, 7}), value.z, {6, 0, 1, 7}), cell, byte + 2 * kQuadBytes);
  }
  // Densities begin in the middle of a quad.
  Quad loadDensities(const Quad& cell, u32 batch) override {
    const s32 begin = densityByteOf(batch) - 8;
    const Quad first = spu_.lqd(cell, begin);
    return sorter_.shuffle(first, spu_.lqd(cell, begin + kQuadBytes), {2, 3, 4, 5});
  }
  void storeDensities(const Quad& value, const Quad& cell, u32 batch) override {
    const s32 begin = densityByteOf(batch) - 8;
    spu_.stqd(sorter_.shuffle(value, spu_.lqd(cell, begin), {4, 5, 0, 1}), cell, begin);
    if (isHalf(batch)) return;
    spu_.stqd(sorter_.shuffle(value, spu_.lqd(cell, begin + kQuadBytes), {2, 3, 6, 7}), cell, begin + kQuadBytes);
  }

 private:
  void insert(const Quad& value, const Place& place, u32 word) {
    const Quad old = spu_.lqd(place.bases[word], place.offset);
    spu_.stqd(spu_.shufb(value, old, place.patterns[word]), place.bases[word], place.offset);
  }

  Spu& spu_;
  Sorter& sorter_;
  Quad lowBits_, inOrder_, lowestByte_;
};

static_assert(byteOf(kAcceleration, 0) % kQuadBytes == 0 && densityByteOf(0) % kQuadBytes == 8);

}  // namespace

std::unique_ptr<ParticleAccess> accessFor(Spu& spu, Sorter& sorter) {
  if (spu.machine().sams) return std::make_unique<WithViews>(spu);
  return std::make_unique<WithShuffles>(spu, sorter);
}

}  // namespace warpwright::spe::fluidanimate
