#include "spe/programs/wilson_dirac.hpp"

#include <cmath>

#include "spe/programs/sorter.hpp"
#include "spe/programs/transfers.hpp"

namespace warpwright::spe::wilson_dirac {
namespace {

constexpr u32 kSpins = 4, kColours = 3, kDimensions = 4, kFused = 4;

// ---- the lattice: 8 x 4 x 2 x 2 sites, the first dimension next to each other in memory

constexpr std::array<u32, kDimensions> kExtent{8, 4, 2, 2};
static_assert(kExtent[0] * kExtent[1] * kExtent[2] * kExtent[3] == kSites);

using Site = std::array<s32, kDimensions>;

// Spinors lie in the lattice with a layer of neighbours around it.
constexpr u32 kSpinorWords = kSpins * kColours * 2, kSpinorBytes = kSpinorWords * 4;
constexpr u32 kSpinors = 10 * 6 * 4 * 4;

u32 spinorIndex(const Site& site) {
  u32 index = 0;
  for (u32 d = kDimensions; d-- > 0;) index = index * (kExtent[d] + 2) + static_cast<u32>(site[d] + 1);
  return index;
}

// Links of a direction lie in the lattice with one more layer, where those come from that lead into it.
constexpr u32 kLinkWords = kColours * kColours * 2, kLinkBytes = kLinkWords * 4;
constexpr std::array<u32, kDimensions> kLinks{9 * 4 * 2 * 2, 8 * 5 * 2 * 2, 8 * 4 * 3 * 2, 8 * 4 * 2 * 3};

u32 linkIndex(u32 direction, const Site& site) {
  u32 index = 0;
  for (u32 d = kDimensions; d-- > 0;)
    index = index * (kExtent[d] + (d == direction ? 1 : 0)) + static_cast<u32>(site[d] + (d == direction ? 1 : 0));
  for (u32 before = 0; before < direction; ++before) index += kLinks[before];
  return index;
}

Site neighbour(Site site, u32 direction, s32 step) {
  site[direction] += step;
  return site;
}

// Calls with the first site of each four.
template <typename Function>
void forEachBatch(Function&& function) {
  Site site{};
  for (site[3] = 0; site[3] < static_cast<s32>(kExtent[3]); ++site[3])
    for (site[2] = 0; site[2] < static_cast<s32>(kExtent[2]); ++site[2])
      for (site[1] = 0; site[1] < static_cast<s32>(kExtent[1]); ++site[1])
        for (site[0] = 0; site[0] < static_cast<s32>(kExtent[0]); site[0] += kFused) function(site);
}

// Numbers around zero that no two words share alone.
float spinorWord(u32 index, u32 word) { return 0.0625f * static_cast<float>((index * 29 + word * 13) % 61) - 1.875f; }
float linkWord(u32 index, u32 word) { return 0.03125f * static_cast<float>((index * 17 + word * 23) % 53) - 0.8125f; }

// ---- arithmetic, of four sites in registers or of one in C++

struct InRegisters {
  using Value = Quad;
  Spu& spu;
  Value fa(const Value& a, const Value& b) { return spu.fa(a, b); }
  Value fs(const Value& a, const Value& b) { return spu.fs(a, b); }
  Value fm(const Value& a, const Value& b) { return spu.fm(a, b); }
  Value fma(const Value& a, const Value& b, const Value& c) { return spu.fma(a, b, c); }
  Value fnms(const Value& a, const Value& b, const Value& c) { return spu.fnms(a, b, c); }
};

struct InNumbers {
  using Value = float;
  static Value fa(Value a, Value b) { return a + b; }
  static Value fs(Value a, Value b) { return a - b; }
  static Value fm(Value a, Value b) { return a * b; }
  static Value fma(Value a, Value b, Value c) { return std::fma(a, b, c); }
  static Value fnms(Value a, Value b, Value c) { return std::fma(-a, b, c); }
};

template <typename Value>
struct Complex {
  Value re{}, im{};
};
template <typename Value>
using Spinor = std::array<Complex<Value>, kSpins * kColours>;
template <typename Value>
using Link = std::array<Complex<Value>, kColours * kColours>;

// Factors of a spin in a projection: 1, -1, i or -i.
enum class Factor : u8 { one, minusOne, i, minusI };
constexpr Factor negated(Factor factor) {
  constexpr std::array kNegated{Factor::minusOne, Factor::one, Factor::minusI, Factor::i};
  return kNegated[static_cast<std::size_t>(factor)];
}
constexpr Factor conjugated(Factor factor) { return factor == Factor::i || factor == Factor::minusI ? negated(factor) : factor; }

// 1 + gamma in the chiral basis of DeGrand and Rossi: spins 0 and 1 get this multiple of another; the other two are the same numbers again,
// times the conjugate.
struct Projection {
  std::array<u32, 2> partner;
  std::array<Factor, 2> factor;
};
constexpr std::array<Projection, kDimensions> kProjections{{
    {{3, 2}, {Factor::i, Factor::i}},
    {{3, 2}, {Factor::minusOne, Factor::one}},
    {{2, 3}, {Factor::i, Factor::minusI}},
    {{2, 3}, {Factor::one, Factor::one}},
}};

// a + factor * b.
template <typename Operations, typename Value>
Complex<Value> plusTimes(Operations& operations, const Complex<Value>& a, Factor factor, const Complex<Value>& b) {
  switch (factor) {
    case Factor::one:
      return {operations.fa(a.re, b.re), operations.fa(a.im, b.im)};
    case Factor::minusOne:
      return {operations.fs(a.re, b.re), operations.fs(a.im, b.im)};
    case Factor::i:
      return {operations.fs(a.re, b.im), operations.fa(a.im, b.re)};
    case Factor::minusI:
      return {operations.fa(a.re, b.im), operations.fs(a.im, b.re)};
  }
  return a;
}

// The link, or its conjugate transpose, times the colours of a projected spin.
template <typename Operations, typename Value>
std::array<Complex<Value>, kColours> times(Operations& operations, const Link<Value>& link, bool adjoint,
                                           const std::array<Complex<Value>, kColours>& colours) {
  std::array<Complex<Value>, kColours> result;
  for (u32 column = 0; column < kColours; ++column) {
    for (u32 row = 0; row < kColours; ++row) {
      const Complex<Value>& u = adjoint ? link[column * kColours + row] : link[row * kColours + column];
      const Complex<Value>& h = colours[column];
      Complex<Value>& sum = result[row];
      sum.re = column == 0 ? operations.fm(u.re, h.re) : operations.fma(u.re, h.re, sum.re);
      sum.im = column == 0 ? operations.fm(u.re, h.im) : operations.fma(u.re, h.im, sum.im);
    }
    for (u32 row = 0; row < kColours; ++row) {
      const Complex<Value>& u = adjoint ? link[column * kColours + row] : link[row * kColours + column];
      const Complex<Value>& h = colours[column];
      Complex<Value>& sum = result[row];
      sum.re = adjoint ? operations.fma(u.im, h.im, sum.re) : operations.fnms(u.im, h.im, sum.re);
      sum.im = adjoint ? operations.fnms(u.im, h.re, sum.im) : operations.fma(u.im, h.re, sum.im);
    }
  }
  return result;
}

// What a neighbour adds to a site.
template <typename Operations, typename Value>
void add(Operations& operations, Spinor<Value>& sum, u32 direction, bool backward, const Spinor<Value>& spinor, const Link<Value>& link) {
  const Projection& projection = kProjections[direction];
  for (u32 spin = 0; spin < 2; ++spin) {
    const Factor factor = backward ? projection.factor[spin] : negated(projection.factor[spin]);
    const u32 partner = projection.partner[spin];
    std::array<Complex<Value>, kColours> colours;
    for (u32 c = 0; c < kColours; ++c)
      colours[c] = plusTimes(operations, spinor[spin * kColours + c], factor, spinor[partner * kColours + c]);
    const auto moved = times(operations, link, backward, colours);
    for (u32 c = 0; c < kColours; ++c) {
      Complex<Value>& own = sum[spin * kColours + c];
      Complex<Value>& other = sum[partner * kColours + c];
      own = plusTimes(operations, own, Factor::one, moved[c]);
      other = plusTimes(operations, other, conjugated(factor), moved[c]);
    }
  }
}

// ---- on an SPE

// Main memory, and the local store in the same order: spinors, links, and the results of four sites side by side.
constexpr u32 kMainSpinors = 0, kMainLinks = kSpinors * kSpinorBytes;
constexpr u32 kAllLinks = kLinks[0] + kLinks[1] + kLinks[2] + kLinks[3];
constexpr u32 kMainResults = kMainLinks + kAllLinks * kLinkBytes;
constexpr u32 kResultBytes = kSites * kSpinorBytes;
constexpr u32 kLocal = 0x4000;
static_assert(kLocal + kMainResults + kResultBytes < 256 * 1024);
constexpr u32 kTag = 0;

std::vector<u32> mainMemory() {
  std::vector<u32> words;
  for (u32 spinor = 0; spinor < kSpinors; ++spinor)
    for (u32 word = 0; word < kSpinorWords; ++word) words.push_back(std::bit_cast<u32>(spinorWord(spinor, word)));
  for (u32 link = 0; link < kAllLinks; ++link)
    for (u32 word = 0; word < kLinkWords; ++word) words.push_back(std::bit_cast<u32>(linkWord(link, word)));
  words.resize(words.size() + kResultBytes / 4);
  return words;
}

// Reads structures of four sites that lie next to each other.
class Reader {
 public:
  explicit Reader(Spu& spu) : spu_(spu), sorter_(spu) {}

  Spinor<Quad> spinor(u32 index) {
    const Quad base = spu_.ila(kLocal + kMainSpinors + index * kSpinorBytes);
    return inPairs<Spinor<Quad>>(spu_.machine().sams ? fields(base, kSpinorBytes, kSpinorWords) : transposed(base));
  }
  Link<Quad> link(u32 index) {
    const u32 address = kLocal + kMainLinks + index * kLinkBytes;
    const Quad base = spu_.ila(address);
    return inPairs<Link<Quad>>(spu_.machine().sams ? fields(base, kLinkBytes, kLinkWords) : gathered(base, address % 16 / 4));
  }

 private:
  std::vector<Quad> fields(const Quad& base, u32 stride, u32 words) {
    spu_.setstride(stride);
    std::vector<Quad> result;
    for (u32 word = 0; word < words; ++word) result.push_back(spu_.lqwsd(base, static_cast<s32>(4 * word)));
    return result;
  }
  // Spinors fill whole quads.
  std::vector<Quad> transposed(const Quad& base) {
    std::vector<Quad> result;
    for (u32 group = 0; group < kSpinorWords / 4; ++group) {
      std::array<Quad, kFused> rows;
      for (u32 site = 0; site < kFused; ++site) rows[site] = spu_.lqd(base, static_cast<s32>(site * kSpinorBytes + 16 * group));
      for (const Quad& column : sorter_.transpose(rows)) result.push_back(column);
    }
    return result;
  }
  // Links do not, and may begin in the middle of one.
  std::vector<Quad> gathered(const Quad& base, u32 firstWord) {
    std::vector<Quad> quads, result;
    const u32 count = (firstWord + kFused * kLinkWords + 3) / 4;
    for (u32 quad = 0; quad < count; ++quad) quads.push_back(spu_.lqd(base, static_cast<s32>(16 * quad)));
    for (u32 word = 0; word < kLinkWords; ++word) {
      std::array<u32, kFused> wanted{};
      for (u32 site = 0; site < kFused; ++site) wanted[site] = firstWord + site * kLinkWords + word;
      result.push_back(sorter_.gather(quads, wanted));
    }
    return result;
  }
  template <typename Numbers>
  static Numbers inPairs(const std::vector<Quad>& words) {
    Numbers numbers;
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = {words[2 * i], words[2 * i + 1]};
    return numbers;
  }

  Spu& spu_;
  Sorter sorter_;
};

void get(Spu& spu, u32 main, u32 bytes, u32 structureWords) {
  const Family family = spu.machine().sams ? Family(familyOf(structureWords)) : std::nullopt;
  inParts(bytes, [&](u32 offset, u32 part) { spu.mfcGet(kLocal + main + offset, main + offset, part, kTag, family); });
}

constexpr std::array kDirectionNames{"x", "y", "z", "t"};

}  // namespace

Result run(Spu& spu) {
  std::vector<u32> memory = mainMemory();
  spu.attach(memory);
  get(spu, kMainSpinors, kSpinors * kSpinorBytes, kSpinorWords);
  get(spu, kMainLinks, kAllLinks * kLinkBytes, kLinkWords);
  spu.mfcWait(1u << kTag);

  Reader reader(spu);
  InRegisters operations{spu};
  const Quad zero = spu.constant(0.0f);
  u32 result = kLocal + kMainResults;
  forEachBatch([&](const Site& site) {
    Spinor<Quad> sum;
    sum.fill({zero, zero});
    for (u32 direction = 0; direction < kDimensions; ++direction) {
      spu.label(kDirectionNames[direction]);
      add(operations, sum, direction, false, reader.spinor(spinorIndex(neighbour(site, direction, 1))),
          reader.link(linkIndex(direction, site)));
      spu.label(kDirectionNames[direction]);
      add(operations, sum, direction, true, reader.spinor(spinorIndex(neighbour(site, direction, -1))),
          reader.link(linkIndex(direction, neighbour(site, direction, -1))));
    }
    const Quad base = spu.ila(result);
    for (u32 i = 0; i < sum.size(); ++i) {
      spu.stqd(sum[i].re, base, static_cast<s32>(32 * i));
      spu.stqd(sum[i].im, base, static_cast<s32>(32 * i + 16));
    }
    result += kFused * kSpinorBytes;
  });
  spu.label("end");
  inParts(kResultBytes, [&](u32 offset, u32 bytes) { spu.mfcPut(kLocal + kMainResults + offset, kMainResults + offset, bytes, kTag); });
  spu.mfcWait(1u << kTag);
  return {memory.begin() + kMainResults / 4, memory.end()};
}

namespace {

template <typename Numbers, typename Word>
Numbers numbersOf(u32 index, Word&& word) {
  Numbers numbers;
  for (u32 i = 0; i < numbers.size(); ++i) numbers[i] = {word(index, 2 * i), word(index, 2 * i + 1)};
  return numbers;
}

Spinor<float> expectedAt(const Site& site) {
  InNumbers operations;
  Spinor<float> sum{};
  for (u32 direction = 0; direction < kDimensions; ++direction)
    for (const bool backward : {false, true}) {
      const Site other = neighbour(site, direction, backward ? -1 : 1);
      add(operations, sum, direction, backward, numbersOf<Spinor<float>>(spinorIndex(other), spinorWord),
          numbersOf<Link<float>>(linkIndex(direction, backward ? other : site), linkWord));
    }
  return sum;
}

}  // namespace

Result expected() {
  Result result;
  forEachBatch([&](const Site& site) {
    std::array<Spinor<float>, kFused> sums;
    for (u32 i = 0; i < kFused; ++i) sums[i] = expectedAt(neighbour(site, 0, static_cast<s32>(i)));
    for (u32 word = 0; word < kSpinorWords; ++word)
      for (const Spinor<float>& sum : sums) {
        const Complex<float>& number = sum[word / 2];
        result.push_back(std::bit_cast<u32>(word % 2 == 0 ? number.re : number.im));
      }
  });
  return result;
}

}  // namespace warpwright::spe::wilson_dirac
