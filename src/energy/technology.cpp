#include "energy/technology.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace warpwright::energy {
namespace {

// Stillmaker and Baas, coefficients of energy = a V^2 + b V + c for a node, with its nominal voltage: CACTI's (ITRS, high performance) from
// 90 to 22 nm, and for FinFETs those of the foundries' processes, in round numbers.
struct LogicNode {
  double nanometres, a, b, c, volts;
  double energy() const { return (a * volts + b) * volts + c; }
};
constexpr std::array<LogicNode, 9> kLogicNodes = {{{90, 4.762, -4.781, 2.092, 1.2},
                                                   {65, 3.755, -4.398, 1.975, 1.1},
                                                   {45, 1.103, -0.362, 0.2767, 1.0},
                                                   {32, 0.9559, -0.7823, 0.471, 0.9},
                                                   {20, 0.373, -0.1582, 0.04104, 0.9},
                                                   {16, 0.2958, -0.1241, 0.03024, 0.8},
                                                   {14, 0.2363, -0.09675, 0.02239, 0.8},
                                                   {10, 0.2068, -0.09311, 0.02375, 0.75},
                                                   {7, 0.1776, -0.09097, 0.02447, 0.7}}};
// The last node of planar transistors, and the last with equations.
constexpr double kLastPlanar = 20, kLastEquation = 7;

// Jouppi and others, table 2: 45 nm over 7 nm, geometric means of the arithmetic operations and of SRAM of 8 KB, 32 KB and 1 MB
// (10 to 7.5 pJ, 20 to 8.5, 100 to 14).
constexpr double kChipsLogic = 2.6, kChipsArrays = 2.82;
// TSMC's announcements of N5: 30 % less power than N7 at the same speed.
constexpr double kFiveOverSeven = 0.7;

struct Point {
  double nanometres, value;
};

// Straight lines between points on logarithmic scales. Points from coarse to fine; beyond them the nearest line goes on.
double interpolate(std::span<const Point> points, double nanometres) {
  std::size_t i = 1;
  while (i + 1 < points.size() && points[i].nanometres > nanometres) ++i;
  const Point &coarse = points[i - 1], &fine = points[i];
  const double position = std::log(nanometres / coarse.nanometres) / std::log(fine.nanometres / coarse.nanometres);
  return coarse.value * std::pow(fine.value / coarse.value, position);
}

double powerLaw(double from, double to, double ratio, double nanometres) {
  return std::pow(ratio, std::log(nanometres / from) / std::log(to / from));
}

// What both laws say below 7 nm.
double beyondEquations(double nanometres) { return powerLaw(7, 5, kFiveOverSeven, std::min(nanometres, kLastEquation)); }

double byEquations(double nanometres) {
  std::array<Point, kLogicNodes.size()> points;
  std::ranges::transform(kLogicNodes, points.begin(), [](const LogicNode& node) { return Point{node.nanometres, node.energy()}; });
  return interpolate(points, std::max(nanometres, kLastEquation)) * beyondEquations(nanometres);
}

// Relative to 45 nm.
double byChips(double factorToSeven, double nanometres) {
  return powerLaw(45, 7, 1 / factorToSeven, std::max(nanometres, kLastEquation)) * beyondEquations(nanometres);
}

// CACTI 7, arrays of 16 KB with words of 64 bits and 64 KB with words of 256: mean ratio to 45 nm of the energy of a read.
constexpr std::array<Point, 7> kArrayEnergy = {{{90, 2.66}, {65, 1.70}, {45, 1}, {40, 0.81}, {32, 0.56}, {28, 0.45}, {22, 0.30}}};
// Of the leakage. CACTI's 90 nm leaks less than its 65 nm, for which ITRS lowered the threshold voltage.
constexpr std::array<Point, 7> kArrayLeakage = {{{90, 0.363}, {65, 1.10}, {45, 1}, {40, 0.683}, {32, 0.303}, {28, 0.231}, {22, 0.146}}};
// Cells: CACTI's 146 F^2 down to 22 nm; 7 nm: 0.027 square micrometres (Wu and others, IEDM 2016); 5 nm: 0.021 (Yeap and others, IEDM
// 2019).
constexpr std::array<Point, 4> kCellArea = {{{90, 1.183}, {22, 0.0707}, {7, 0.027}, {5, 0.021}}};
constexpr double kLastCacti = 22, kLastCactiVolts = 0.8, kFinestVolts = 0.7;

}  // namespace

Factor logicScale(double from, double to) {
  const double equations = byEquations(to) / byEquations(from), chips = byChips(kChipsLogic, to) / byChips(kChipsLogic, from);
  const bool planar = from >= kLastPlanar && to >= kLastPlanar;
  return {std::min(equations, chips), planar ? equations : std::sqrt(equations * chips), std::max(equations, chips)};
}

ArrayTechnology arrayTechnology(double nanometres) {
  const double cell = interpolate(kCellArea, nanometres);
  if (nanometres >= kLastCacti) {
    return {exactly<Factor>(interpolate(kArrayEnergy, nanometres)), interpolate(kArrayLeakage, nanometres), cell};
  }
  const double last = kArrayEnergy.back().value;
  const double equations = last * byEquations(nanometres) / byEquations(kLastCacti), chips = byChips(kChipsArrays, nanometres);
  // Leakage goes with the voltage and with the width of transistors, which goes with the side of a cell.
  const double leakage =
      kArrayLeakage.back().value * (kFinestVolts / kLastCactiVolts) * std::sqrt(cell / interpolate(kCellArea, kLastCacti));
  return {{std::min(equations, chips), std::sqrt(equations * chips), std::max(equations, chips)}, leakage, cell};
}

}  // namespace warpwright::energy
