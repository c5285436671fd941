#include "energy/sram.hpp"

#include <algorithm>
#include <cmath>

#include "energy/technology.hpp"

namespace warpwright::energy {
namespace {

constexpr u32 kWidestWord = 256;
constexpr double kFemto = 1e-15, kSquareMillimetres = 1e-6;  // of a square micrometre
constexpr Factor kEnergyRange{0.6, 1, 2}, kLeakageRange{0.064, 1, 2}, kAreaRange{0.8, 1, 1.25};

double perPort(double more, u32 ports) { return 1 + more * (ports - 1); }

// One of `arrays` that a bank consists of.
struct Part {
  double bits, wordBits, arrays;
};

Part partOf(const Sram& sram) {
  const u32 arrays = std::max<u32>(1, (sram.wordBits + kWidestWord - 1) / kWidestWord);
  return {static_cast<double>(sram.bytes * 8) / sram.banks / arrays, static_cast<double>(sram.wordBits) / arrays,
          static_cast<double>(arrays)};
}

}  // namespace

SramEstimate estimate(const Sram& sram, double nanometres) {
  const Part part = partOf(sram);
  const ArrayTechnology technology = arrayTechnology(nanometres);
  const double side = std::sqrt(part.bits), access = part.arrays * perPort(0.23, sram.ports);
  const double read = access * side * (0.0115 + 0.000140 * part.wordBits);
  const double write = access * (side * (0.0065 + 0.000225 * part.wordBits) + 0.0109 * part.wordBits);
  const double all = part.arrays * sram.banks, bits = all * part.bits;
  // What words need beside the cells shrinks as cells do.
  const double besideCells = 14.2 * technology.cellArea / arrayTechnology(45).cellArea;
  const double area = std::pow(perPort(0.42, sram.ports), 2) * (1.30 * bits * technology.cellArea + besideCells * all * part.wordBits);
  return {.read = scaled(scaled(exactly<Energy>(read * kPico), technology.energy), kEnergyRange),
          .write = scaled(scaled(exactly<Energy>(write * kPico), technology.energy), kEnergyRange),
          .leakage = scaled(exactly<Power>(perPort(0.22, sram.ports) * 126 * kNano * bits * technology.leakage), kLeakageRange),
          .area = scaled(exactly<Area>(area * kSquareMillimetres), kAreaRange)};
}

Energy searchEnergy(u64 bits, double nanometres) {
  constexpr double kPerBit = 2.65 * kFemto;
  return scaled(scaled(exactly<Energy>(kPerBit * static_cast<double>(bits)), arrayTechnology(nanometres).energy), kEnergyRange);
}

}  // namespace warpwright::energy
