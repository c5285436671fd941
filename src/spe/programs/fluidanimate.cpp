#include "spe/programs/fluidanimate.hpp"

#include "spe/programs/particle_physics.hpp"
#include "spe/programs/transfers.hpp"

namespace warpwright::spe::fluidanimate {
namespace {

constexpr u32 kBatch = 4, kMostBatches = (kMost + kBatch - 1) / kBatch;
constexpr u32 kGets = 0, kPuts = 1;  // tags

template <typename Value>
using Batches = std::array<Value, kMostBatches>;

// ---- on an SPE

class Step {
 public:
  explicit Step(Spu& spu) : spu_(spu), sorter_(spu), access_(accessFor(spu, sorter_)), physics_({spu, sorter_}) {
    for (u32 batch = 0; batch < kMostBatches; ++batch)
      lanes_[batch] = spu.constant(Words{kBatch * batch, kBatch * batch + 1, kBatch * batch + 2, kBatch * batch + 3});
  }

  Result run() {
    memory_ = mainMemory();
    spu_.attach(memory_);
    forEachCell([&] { addDensities(); });
    forEachCell([&] { addAccelerations(); });
    memory_.resize(kTables);
    return std::move(memory_);
  }

 private:
  // ---- planes: one is worked on with the next, while the one after that comes and the one before goes back

  void transfer(bool get, u32 plane) {
    const u32 local = kLocalCells + plane % kRing * kPlaneBytes;
    inParts(kPlaneBytes, [&](u32 offset, u32 bytes) {
      if (get)
        spu_.mfcGet(local + offset, plane * kPlaneBytes + offset, bytes, kGets, family_);
      else
        spu_.mfcPut(local + offset, plane * kPlaneBytes + offset, bytes, kPuts, family_);
    });
  }
  void getTable(u32 plane) {
    spu_.mfcGet(kLocalTables + plane % 2 * kTableWords * 4, (kTables + plane * kTableWords) * 4, kTableWords * 4, kGets, family_);
  }

  template <typename Function>
  void forEachCell(Function&& function) {
    spu_.label("begin");
    transfer(true, 0);
    transfer(true, 1);
    getTable(0);
    table_ = spu_.ila(kLocalTables);
    Quad left = spu_.il(kHigh);
    u32 plane = 0;
    do {
      spu_.label("plane");
      spu_.mfcWait(1u << kGets);
      if (!spu_.brz(spu_.cgt(left, two_))) transfer(true, plane + 2);
      if (!spu_.brz(spu_.cgt(left, one_))) getTable(plane + 1);
      forEachCellOfPlane(function);
      spu_.label("plane done");
      spu_.mfcWait(1u << kPuts);
      transfer(false, plane++);
      table_ = spu_.xor_(table_, otherTable_);
      left = spu_.ai(left, -1);
    } while (spu_.brnz(left));
    spu_.mfcWait(1u << kPuts);
  }

  // The loop counts down; what follows an inner loop hints the branch back.
  template <typename Function>
  void forEachCellOfPlane(Function&& function) {
    Quad left = access_->alignedWord(table_, 0);
    if (spu_.brz(left)) return;
    entry_ = spu_.ai(table_, kHeadWords * 4);
    do {
      spu_.label("cell");
      cell_ = access_->alignedWord(entry_, 0);
      neighbours_ = access_->alignedWord(entry_, 4);
      count_ = access_->alignedWord(cell_, kCount * 4);
      chooseBatches();
      function();
      if (batches_ < kMostBatches) spu_.br();
      spu_.label("cell done");
      spu_.hbrr("next cell", "cell");
      entry_ = spu_.ai(entry_, kEntryWords * 4);
      left = spu_.ai(left, -1);
    } while (spu_.brnz(left, "next cell"));
  }
  // There is code for each number of batches.
  void chooseBatches() {
    batches_ = 1;
    if (spu_.brz(spu_.cgt(count_, four_))) return;
    batches_ = spu_.brz(spu_.cgt(count_, eight_)) ? 2 : 3;
  }
  // Batches are blocks of their own: ordered together they would hold more values than there are registers.
  std::string named(std::string_view stem) const { return std::string(stem) + static_cast<char>('0' + batches_); }
  void label(std::string_view stem) { spu_.label(named(stem)); }

  // ---- pairs

  // One particle: its triples, its words, and, where that decides who its partners are, its number.
  struct Other {
    Quad triples, words, index;
  };

  // Body: void(const Other&).
  template <typename Body>
  void forEachParticle(std::string_view name, const Quad& cell, Quad left, bool own, Body&& body) {
    Other other{cell, cell, {}};
    if (own) other.index = spu_.il(0);
    const std::string round = named(name), again = round + " again";
    do {
      spu_.label(round);
      spu_.hbrr(again, round);
      body(other);
      other.triples = spu_.ai(other.triples, 12);
      other.words = spu_.ai(other.words, 4);
      if (own) other.index = spu_.ai(other.index, 1);
      left = spu_.ai(left, -1);
    } while (spu_.brnz(left, again));
  }

  // All but the last one, which has no partner behind it.
  template <typename Body>
  void forEachOfOwn(std::string_view name, Body&& body) {
    label("own ");
    const Quad left = spu_.ai(count_, -1);
    if (!spu_.brz(left)) forEachParticle(name, cell_, left, true, body);
  }

  template <typename Body>
  void forEachOfNeighbours(std::string_view name, Body&& body) {
    if (spu_.brz(neighbours_)) return;
    Quad left = neighbours_, list = spu_.ai(entry_, 8);
    const std::string round = named("neighbour "), again = round + " again";
    do {
      spu_.label(round);
      const Quad neighbour = access_->loadWord(access_->word(list, 0));
      forEachParticle(name, neighbour, access_->alignedWord(neighbour, kCount * 4), false, body);
      label("neighbour done ");
      spu_.hbrr(again, round);
      list = spu_.ai(list, 4);
      left = spu_.ai(left, -1);
    } while (spu_.brnz(left, again));
  }

  // Partners of a particle of the same cell come after it.
  Quad behind(const Other& other, u32 batch) { return spu_.cgt(lanes_[batch], other.index); }

  // What loads bring for the missing particles of the third batch is put out of reach.
  Vector<Quad> positions(u32 batch) {
    Vector<Quad> result = access_->loadBatch(cell_, batch, kPosition);
    if (batch + 1 == kMostBatches) result.x = physics_.keptOrFar(result.x, present_);
    return result;
  }

  // ---- densities

  void addDensities() {
    label("densities ");
    Batches<Vector<Quad>> current;
    for (u32 batch = 0; batch < batches_; ++batch) current[batch] = positions(batch);
    forEachOfOwn("own density ", [&](const Other& other) { ownDensities(current, other); });
    label("density sums ");
    Batches<Quad> sums;
    for (u32 batch = 0; batch < batches_; ++batch) sums[batch] = access_->loadDensities(cell_, batch);
    forEachOfNeighbours("pair density ", [&](const Other& other) { pairDensities(current, sums, other); });
    label("density ");
    for (u32 batch = 0; batch < batches_; ++batch) access_->storeDensities(physics_.densityOf(sums[batch]), cell_, batch);
  }

  void pairDensities(const Batches<Vector<Quad>>& current, Batches<Quad>& sums, const Other& other, bool own = false) {
    const Vector<Quad> position = physics_.everywhere3(access_->load(access_->triple(other.triples, 4 * kPosition)));
    Place place = access_->word(other.words, 4 * kDensity);
    access_->prepareToStore(place, 1);
    Quad density = access_->loadWord(place);
    for (u32 batch = 0; batch < batches_; ++batch) {
      if (batch > 0) label("next batch ");
      Quad allowed;
      if (own) {
        allowed = behind(other, batch);
        sums[batch] = access_->loadDensities(cell_, batch);
      }
      const Quad weight = physics_.weight(current[batch], position, own ? &allowed : nullptr);
      sums[batch] = spu_.fa(sums[batch], weight);
      access_->storeDensities(sums[batch], cell_, batch);
      density = spu_.fa(density, physics_.total(weight));
      access_->storeWord(density, place);
    }
  }
  // A particle of the own cell changes what is stored: sums are loaded each time.
  void ownDensities(const Batches<Vector<Quad>>& current, const Other& other) {
    Batches<Quad> sums;
    pairDensities(current, sums, other, true);
  }

  // ---- accelerations

  void addAccelerations() {
    Batches<Particles<Quad>> current;
    for (u32 batch = 0; batch < batches_; ++batch) {
      label("accelerations ");
      current[batch].position = positions(batch);
      current[batch].velocity = access_->loadBatch(cell_, batch, kVelocity);
      current[batch].density = access_->loadDensities(cell_, batch);
      current[batch].inverse = physics_.inverse(current[batch].density);
    }
    forEachOfOwn("own acceleration ", [&](const Other& other) { ownAccelerations(current, other); });
    label("acceleration sums ");
    Batches<Vector<Quad>> sums;
    for (u32 batch = 0; batch < batches_; ++batch) sums[batch] = access_->loadBatch(cell_, batch, kAcceleration);
    forEachOfNeighbours("pair acceleration ", [&](const Other& other) { pairAccelerations(current, sums, other); });
    label("acceleration ");
  }

  Particles<Quad> particle(const Place& position, const Other& other) {
    Particles<Quad> result;
    result.position = physics_.everywhere3(access_->load(position));
    result.velocity = physics_.everywhere3(access_->load(access_->triple(other.triples, 4 * kVelocity)));
    const Quad density = physics_.everywhere(access_->loadWord(access_->word(other.words, 4 * kDensity)));
    result.density = physics_.excess(density);
    result.inverse = physics_.inverse(density);
    return result;
  }

  void pairAccelerations(const Batches<Particles<Quad>>& current, Batches<Vector<Quad>>& sums, const Other& other, bool own = false) {
    Place place = access_->triple(other.triples, 4 * kPosition);
    const Particles<Quad> partner = particle(place, other);
    place = access_->triple(place, 4 * (kAcceleration - kPosition));
    access_->prepareToStore(place, 3);
    Quad acceleration = access_->load(place);
    for (u32 batch = 0; batch < batches_; ++batch) {
      if (batch > 0) label("next batch ");
      Quad allowed;
      if (own) {
        allowed = behind(other, batch);
        sums[batch] = access_->loadBatch(cell_, batch, kAcceleration);
      }
      const Vector<Quad> change = physics_.acceleration(current[batch], partner, own ? &allowed : nullptr);
      sums[batch] = physics_.sum(sums[batch], change);
      access_->storeBatch(sums[batch], cell_, batch, kAcceleration);
      acceleration = spu_.fs(acceleration, physics_.totals(change));
      access_->store(acceleration, place);
    }
  }
  void ownAccelerations(const Batches<Particles<Quad>>& current, const Other& other) {
    Batches<Vector<Quad>> sums;
    pairAccelerations(current, sums, other, true);
  }

  Spu& spu_;
  Sorter sorter_;
  std::unique_ptr<ParticleAccess> access_;
  Physics<InRegisters> physics_;
  std::vector<u32> memory_;
  const Family family_ = spu_.machine().sams ? Family(familyOf(3)) : std::nullopt;

  Quad one_ = spu_.constant(Words{1, 1, 1, 1}), two_ = spu_.constant(Words{2, 2, 2, 2});
  Quad four_ = spu_.constant(Words{4, 4, 4, 4}), eight_ = spu_.constant(Words{8, 8, 8, 8});
  Quad present_ = spu_.constant(Words{~0u, ~0u, 0, 0});
  Quad otherTable_ = spu_.constant(Words{kLocalTables ^ (kLocalTables + kTableWords * 4)});
  Batches<Quad> lanes_;
  Quad table_, entry_, cell_, neighbours_, count_;  // what is worked on
  u32 batches_ = 0;
};

// ---- in C++

class StepInArrays {
 public:
  Result run() {
    for (cell_ = 0; cell_ < kCells; ++cell_)
      if (countOf(cell_) != 0) addDensities();
    for (cell_ = 0; cell_ < kCells; ++cell_)
      if (countOf(cell_) != 0) addAccelerations();
    memory_.resize(kTables);
    return std::move(memory_);
  }

 private:
  using Value = InArrays::Value;

  u32 countOf(u32 cell) const { return memory_[cell * kCellWords + kCount]; }
  u32 batches() const { return (countOf(cell_) + kBatch - 1) / kBatch; }
  static u32 lanesOf(u32 batch) { return std::min(kBatch, kMost - kBatch * batch); }
  float at(u32 cell, u32 word) const { return std::bit_cast<float>(memory_[cell * kCellWords + word]); }
  void set(u32 cell, u32 word, float value) { memory_[cell * kCellWords + word] = std::bit_cast<u32>(value); }

  Value field(u32 batch, u32 array, u32 stride) const {
    return InArrays::each([&](u32 lane) { return at(cell_, array + stride * (kBatch * batch + lane)); });
  }
  Vector<Value> fields(u32 batch, u32 array) const {
    return {field(batch, array, 3), field(batch, array + 1, 3), field(batch, array + 2, 3)};
  }
  void setField(u32 batch, u32 array, u32 stride, const Value& value) {
    for (u32 lane = 0; lane < lanesOf(batch); ++lane) set(cell_, array + stride * (kBatch * batch + lane), value[lane]);
  }
  void setFields(u32 batch, u32 array, const Vector<Value>& value) {
    setField(batch, array, 3, value.x);
    setField(batch, array + 1, 3, value.y);
    setField(batch, array + 2, 3, value.z);
  }
  Vector<Value> triple(u32 cell, u32 array, u32 particle) const {
    const u32 word = array + 3 * particle;
    return {InArrays::constant(at(cell, word)), InArrays::constant(at(cell, word + 1)), InArrays::constant(at(cell, word + 2))};
  }
  Vector<Value> positions(u32 batch) const {
    Vector<Value> result = fields(batch, kPosition);
    for (u32 lane = lanesOf(batch); lane < kBatch; ++lane) result.x[lane] = kFar;
    return result;
  }

  // Body: void(u32 cell, u32 particle, u32 batch, const Value* allowed), in the order of the SPU.
  template <typename Body>
  void forEachPair(Body&& body) {
    for (u32 particle = 0; particle + 1 < countOf(cell_); ++particle)
      for (u32 batch = 0; batch < batches(); ++batch) {
        const Value allowed = InArrays::each([&](u32 lane) { return InArrays::real(kBatch * batch + lane > particle ? ~u32{0} : 0); });
        body(cell_, particle, batch, &allowed);
      }
    for (const u32 neighbour : neighboursAfter(memory_, cell_))
      for (u32 particle = 0; particle < countOf(neighbour); ++particle)
        for (u32 batch = 0; batch < batches(); ++batch) body(neighbour, particle, batch, nullptr);
  }

  void addDensities() {
    forEachPair([&](u32 cell, u32 particle, u32 batch, const Value* allowed) {
      const Value weight = physics_.weight(positions(batch), triple(cell, kPosition, particle), allowed);
      setField(batch, kDensity, 1, InArrays::fa(field(batch, kDensity, 1), weight));
      set(cell, kDensity + particle, at(cell, kDensity + particle) + physics_.total(weight)[0]);
    });
    for (u32 batch = 0; batch < batches(); ++batch) setField(batch, kDensity, 1, physics_.densityOf(field(batch, kDensity, 1)));
  }

  void addAccelerations() {
    forEachPair([&](u32 cell, u32 particle, u32 batch, const Value* allowed) {
      Particles<Value> current{positions(batch), fields(batch, kVelocity), field(batch, kDensity, 1)};
      current.inverse = physics_.inverse(current.density);
      const Value density = InArrays::constant(at(cell, kDensity + particle));
      const Particles<Value> other{triple(cell, kPosition, particle), triple(cell, kVelocity, particle), physics_.excess(density),
                                   physics_.inverse(density)};
      const Vector<Value> change = physics_.acceleration(current, other, allowed);
      setFields(batch, kAcceleration, physics_.sum(fields(batch, kAcceleration), change));
      const Value taken = physics_.totals(change);
      for (u32 i = 0; i < 3; ++i) {
        const u32 word = kAcceleration + 3 * particle + i;
        set(cell, word, at(cell, word) - taken[i]);
      }
    });
  }

  std::vector<u32> memory_ = mainMemory();
  Physics<InArrays> physics_{InArrays{}};
  u32 cell_ = 0;
};

}  // namespace

Result run(Spu& spu) { return Step(spu).run(); }
Result expected() { return StepInArrays().run(); }

}  // namespace warpwright::spe::fluidanimate
