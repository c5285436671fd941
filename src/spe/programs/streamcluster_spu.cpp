#include "spe/programs/streamcluster_spu.hpp"

#include <bit>
#include <cstring>

namespace warpwright::spe::streamcluster {
namespace {

// The local store. Words that are no structure's lie together, in the layout of points.
constexpr u32 kControl = 0x4000, kOutcome = 0x4020;
constexpr u32 kData = 0x5000, kPoints = 0xb000;
constexpr u32 kThresholds = 0xd000;       // of a point
constexpr u32 kCandidates = kThresholds;  // not needed at the same time
constexpr u32 kCentres = 0xd800;          // their points
constexpr u32 kSlots = 0xe000;            // of a point that is a centre: where it stands among the centres
constexpr u32 kSavings = 0xe800;          // of a centre: what its points save if they go to the candidate, less than nothing
constexpr u32 kMoves = 0xf000;            // of a point: all ones if it goes to the candidate
static_assert(kData + kMostPoints * kDataBytes + 32 <= kPoints && kPoints + kMostPoints * kPointBytes <= kThresholds);

// Main memory.
constexpr u32 kMainControl = 0, kMainOutcome = 0x40, kMainWords = 0x80;
constexpr u32 kMainData = kMainWords + kMostPoints * 4, kMainPoints = kMainData + kMostPoints * kDataBytes;
constexpr u32 kMainEnd = kMainPoints + kMostPoints * kPointBytes;

// Points come in portions, each with a tag of its own; the control block and what goes with it have another.
constexpr u32 kPortionBatches = 16, kPortionPoints = 4 * kPortionBatches;
constexpr u32 kControlTag = 31;
constexpr s32 kWordBytes = 4;

constexpr u32 inQuads(u32 words) { return (words + 3) / 4 * 16; }

}  // namespace

OnSpu::OnSpu(Spu& spu)
    : spu_(spu), access_(spu), memory_(kMainEnd / 4), zero_(spu.constant(0.0f)), ones_(spu.constant(Words{~0u, ~0u, ~0u, ~0u})) {
  spu.attach(memory_);
}

template <typename Value>
void OnSpu::write(u32 main, std::span<const Value> values) {
  std::memcpy(memory_.data() + main / 4, values.data(), values.size_bytes());
}

// ---- begin and end of what the PPU asks for

// The control block (points, batches of four, candidates, and the price of a centre), and an array of words with it.
void OnSpu::begin(const std::array<u32, 4>& control, u32 words) {
  write(kMainControl, std::span<const u32>(control));
  spu_.label("begin");
  spu_.mfcGet(kControl, kMainControl, 16, kControlTag);
  spu_.mfcGet(kThresholds, kMainWords, inQuads(words), kControlTag, access_.layoutFor(kPointBytes));
  spu_.mfcWait(1u << kControlTag);
  count_ = spu_.lqa(kControl);
  batches_ = spu_.rotqbyi(count_, 4);
  tries_ = spu_.rotqbyi(count_, 8);
  price_ = spu_.rotqbyi(count_, 12);
}

Outcome OnSpu::end(const Quad& ways, const Quad& gained) {
  const Quad base = spu_.ila(kOutcome);
  spu_.stqd(ways, base, 0);
  spu_.stqd(centres_, base, 16);
  spu_.stqd(gained, base, 32);
  spu_.mfcPut(kOutcome, kMainOutcome, 48, kControlTag);
  spu_.mfcWait(1u << kControlTag);
  spu_.finish();
  const u32* const words = memory_.data() + kMainOutcome / 4;
  return {std::bit_cast<float>(words[0]), words[4], std::bit_cast<float>(words[8])};
}

Outcome OnSpu::speedy(const BlockOfPoints& block, const std::vector<float>& thresholds) {
  write(kMainData, std::span(block.data));
  write(kMainPoints, std::span(block.points));
  write(kMainWords, std::span(thresholds));
  points_ = static_cast<u32>(block.points.size());
  begin({block.count, points_ / 4, 0, 0}, static_cast<u32>(thresholds.size()));
  fetchPoints();
  openFirst();
  openByThreshold();
  return end(sumOfCosts(), zero_);
}

Outcome OnSpu::refine(float price, const std::vector<u32>& candidates) {
  write(kMainWords, std::span(candidates));
  const auto tries = static_cast<u32>(candidates.size());
  begin({count_.word(0), points_ / 4, tries, std::bit_cast<u32>(price)}, tries);
  Quad candidate = spu_.ila(kCandidates), gained = zero_;
  access_.toPoints();
  repeat(spu_, "candidate", tries_, Hint::none, [&] {
    tryCandidate(access_.word(candidate), gained);
    spu_.label("next candidate");
    candidate = spu_.ai(candidate, kWordBytes);
  });
  return end(zero_, gained);
}

std::vector<Point> OnSpu::points() {
  spu_.label("points");
  spu_.mfcPut(kPoints, kMainPoints, points_ * kPointBytes, kControlTag, access_.layoutFor(kPointBytes));
  spu_.mfcWait(1u << kControlTag);
  spu_.finish();
  std::vector<Point> points(points_);
  std::memcpy(static_cast<void*>(points.data()), memory_.data() + kMainPoints / 4, points.size() * sizeof(Point));
  return points;
}

// ---- addresses

// Forty bytes a point.
Quad OnSpu::dataOf(const Quad& number) { return spu_.a(spu_.ila(kData), spu_.a(spu_.shli(number, 5), spu_.shli(number, 3))); }

OnSpu::Centre OnSpu::centreAt(const Quad& number) {
  access_.toData();
  return {access_.spread(access_.place(dataOf(number))), access_.inAllLanes(number)};
}

OnSpu::Cursor OnSpu::atFirst() { return {spu_.ila(kData), spu_.ila(kPoints), spu_.ila(kMoves)}; }

void OnSpu::append(const Quad& number) {
  access_.setWord(number, spu_.a(spu_.ila(kCentres), spu_.shli(centres_, 2)));
  centres_ = spu_.ai(centres_, 1);
}

// Both levels of the indirection: from the point to its centre, and to where that stands.
Quad OnSpu::offsetOfSaving(const Quad& point, const Quad& slots) {
  const Quad centre = access_.word(point, kCentreOffset);
  return spu_.shli(access_.word(slots, spu_.shli(centre, 2)), 2);
}

// ---- the first centres

template <typename Code>
void OnSpu::inPortions(std::string_view name, Code&& code) {
  Quad left = batches_;
  u32 portion = 0;
  do {
    spu_.label(name);
    const Quad full = spu_.il(kPortionBatches);
    code(portion++, spu_.selb(left, full, spu_.cgt(left, full)));
    spu_.label("next portion");
    left = spu_.ai(left, -static_cast<s32>(kPortionBatches));
  } while (spu_.brnz(spu_.cgt(left, zero_)));
  spu_.label("after");
}

void OnSpu::fetchPoints() {
  inPortions("fetch", [&](u32 portion, const Quad& batches) {
    const u32 first = portion * kPortionPoints, points = 4 * batches.word(0);
    const auto get = [&](u32 local, u32 main, u32 bytes) {
      spu_.mfcGet(local + first * bytes, main + first * bytes, points * bytes, portion, access_.layoutFor(static_cast<s32>(bytes)));
    };
    get(kData, kMainData, kDataBytes);
    get(kPoints, kMainPoints, kPointBytes);
  });
}

template <typename Chosen>
void OnSpu::sweep(std::string_view name, const Quad& batches, const Centre& centre, Cursor& cursor, Chosen&& chosen) {
  repeat(spu_, name, batches, Hint::given, [&] {
    access_.toData();
    const Dimensions dimensions = access_.dimensions(cursor.data);
    access_.toPoints();
    Four four = access_.fields(cursor.point);
    Quad sum;
    for (std::size_t d = 0; d < kDimensions; ++d) {
      const Quad difference = spu_.fs(dimensions[d], centre.coordinates[d]);
      sum = d == 0 ? spu_.fm(difference, difference) : spu_.fma(difference, difference, sum);
    }
    const Quad way = spu_.fm(sum, four.weight);
    const Quad mask = chosen(four, way);
    four.cost = spu_.selb(four.cost, way, mask);
    four.centre = spu_.selb(four.centre, centre.number, mask);
    access_.setCentresAndCosts(four, cursor.point);
    cursor.data = spu_.ai(cursor.data, 4 * kDataBytes);
    cursor.point = spu_.ai(cursor.point, 4 * kPointBytes);
  });
}

// Points are worked on while the next portions are on their way.
void OnSpu::openFirst() {
  const auto nearer = [&](const Four& four, const Quad& way) { return spu_.fcgt(four.cost, way); };
  Centre first;
  Cursor cursor = atFirst();
  inPortions("portion", [&](u32 portion, const Quad& batches) {
    spu_.mfcWait(1u << portion);
    if (portion == 0) first = centreAt(spu_.il(0));
    sweep("first centre", batches, first, cursor, nearer);
  });
  centres_ = zero_;
  append(zero_);
}

void OnSpu::openByThreshold() {
  const auto nearer = [&](const Four& four, const Quad& way) { return spu_.fcgt(four.cost, way); };
  Quad point = spu_.ila(kPoints + kPointBytes), threshold = spu_.ila(kThresholds + kWordBytes), number = spu_.il(1);
  repeat(spu_, "threshold", less(count_), Hint::none, [&] {
    const Quad cost = access_.word(point, kCostOffset);
    if (!spu_.brz(spu_.fcgt(cost, access_.word(threshold)))) {
      const Centre centre = centreAt(number);
      Cursor cursor = atFirst();
      sweep("further centre", batches_, centre, cursor, nearer);
      append(number);
    }
    spu_.label("next point");
    point = spu_.ai(point, kPointBytes);
    threshold = spu_.ai(threshold, kWordBytes);
    number = spu_.ai(number, 1);
  });
}

Quad OnSpu::sumOfCosts() {
  Quad sum = zero_, point = spu_.ila(kPoints);
  repeat(spu_, "costs", batches_, Hint::given, [&] {
    sum = spu_.fa(sum, access_.costs(point));
    point = spu_.ai(point, 4 * kPointBytes);
  });
  return access_.sumOfLanes(sum);
}

// ---- the gain of a candidate

void OnSpu::tryCandidate(const Quad& candidate, Quad& gained) {
  clear();
  const Quad gain = withClosing(spu_.fs(savedByMoves(candidate), price_));
  if (spu_.brz(spu_.fcgt(gain, zero_))) return;
  gained = spu_.fa(gained, gain);
  moveFromClosing();
  open(candidate);
  close();
  append(candidate);
}

// Nobody moves yet, no centre has savings; and each centre's point learns where that stands among them.
void OnSpu::clear() {
  Quad moves = spu_.ila(kMoves);
  repeat(spu_, "clear moves", batches_, Hint::given, [&] {
    access_.setWords(zero_, moves);
    moves = spu_.ai(moves, 4 * kWordBytes);
  });
  Quad centre = spu_.ila(kCentres), saving = spu_.ila(kSavings), slot = spu_.il(0);
  const Quad slots = spu_.ila(kSlots);
  repeat(spu_, "clear savings", centres_, Hint::given, [&] {
    const Quad point = access_.word(centre);
    access_.setWord(slot, spu_.a(slots, spu_.shli(point, 2)));
    access_.setWord(zero_, saving);
    centre = spu_.ai(centre, kWordBytes);
    saving = spu_.ai(saving, kWordBytes);
    slot = spu_.ai(slot, 1);
  });
}

// The critical loop. Who is nearer to the candidate moves; what others would lose by going there too is noted with their centre.
Quad OnSpu::savedByMoves(const Quad& candidate) {
  access_.toData();
  const Place to = access_.place(dataOf(candidate));
  Cursor cursor = atFirst();
  const Quad slots = spu_.ila(kSlots), savings = spu_.ila(kSavings);
  Quad saved = zero_;
  repeat(spu_, "gain", count_, Hint::given, [&] {
    access_.toData();
    const Quad distance = access_.squaredDistance(access_.place(cursor.data), to);
    access_.toPoints();
    const Quad way = spu_.fm(distance, access_.word(cursor.point, kWeightOffset));
    const Quad cost = access_.word(cursor.point, kCostOffset);
    if (spu_.brz(spu_.fcgt(cost, way))) {
      spu_.label("stays");
      stay(cursor, spu_.fs(cost, way), slots, savings);
    } else {
      saved = spu_.fa(saved, spu_.fs(cost, way));
      access_.setWord(ones_, cursor.moves);
      spu_.br();
    }
    spu_.label("next of gain");
    cursor.data = spu_.ai(cursor.data, kDataBytes);
    cursor.point = spu_.ai(cursor.point, kPointBytes);
    cursor.moves = spu_.ai(cursor.moves, kWordBytes);
  });
  return saved;
}

void OnSpu::stay(const Cursor& cursor, const Quad& difference, const Quad& slots, const Quad& savings) {
  const Quad address = spu_.a(savings, offsetOfSaving(cursor.point, slots));
  access_.setWord(spu_.fa(access_.word(address), difference), address);
}

// A centre closes whose price is more than what its points lose. What that saves takes the place of its savings.
Quad OnSpu::withClosing(Quad gain) {
  Quad saving = spu_.ila(kSavings);
  repeat(spu_, "closing", centres_, Hint::given, [&] {
    const Quad all = spu_.fa(access_.word(saving), price_);
    access_.setWord(all, saving);
    if (!spu_.brz(spu_.fcgt(all, zero_))) gain = spu_.fa(gain, all);
    spu_.label("next closing");
    saving = spu_.ai(saving, kWordBytes);
  });
  return gain;
}

// ---- opening it

// Points of centres that close move too.
void OnSpu::moveFromClosing() {
  Cursor cursor = atFirst();
  const Quad slots = spu_.ila(kSlots), savings = spu_.ila(kSavings);
  repeat(spu_, "who moves", count_, Hint::given, [&] {
    if (!spu_.brnz(access_.word(cursor.moves))) {
      const Quad saving = access_.word(savings, offsetOfSaving(cursor.point, slots));
      if (!spu_.brz(spu_.fcgt(saving, zero_))) access_.setWord(ones_, cursor.moves);
    }
    spu_.label("next who moves");
    cursor.point = spu_.ai(cursor.point, kPointBytes);
    cursor.moves = spu_.ai(cursor.moves, kWordBytes);
  });
}

void OnSpu::open(const Quad& candidate) {
  const Centre centre = centreAt(candidate);
  Cursor cursor = atFirst();
  sweep("move", batches_, centre, cursor, [&](const Four&, const Quad&) {
    Quad mask = access_.words(cursor.moves);
    cursor.moves = spu_.ai(cursor.moves, 4 * kWordBytes);
    return mask;
  });
}

// Those that stay open move up.
void OnSpu::close() {
  Quad from = spu_.ila(kCentres), to = from, saving = spu_.ila(kSavings), kept = spu_.il(0);
  repeat(spu_, "close", centres_, Hint::given, [&] {
    if (!spu_.brnz(spu_.fcgt(access_.word(saving), zero_))) {
      access_.setWord(access_.word(from), to);
      to = spu_.ai(to, kWordBytes);
      kept = spu_.ai(kept, 1);
    }
    spu_.label("next close");
    from = spu_.ai(from, kWordBytes);
    saving = spu_.ai(saving, kWordBytes);
  });
  centres_ = kept;
}

}  // namespace warpwright::spe::streamcluster
