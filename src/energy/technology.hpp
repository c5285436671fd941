// What changes from one process node to another.
//
// Two laws of scaling are known for the energy of logic, and they disagree by more the further apart the nodes are:
// - Stillmaker and Baas, "Scaling equations for the accurate prediction of CMOS device performance from 180 nm to 7 nm" (Integration 58,
//   2017): polynomials in the supply voltage, fitted to simulated gates. From 45 nm at 1 V to 7 nm at 0.7 V energy falls by 21.
// - Operations of real chips: Jouppi and others, "Ten Lessons From Three Generations Shaped Google's TPUv4i" (ISCA 2021), table 2. From
//   45 nm to 7 nm they fall by 2.6, in the geometric mean; wires and margins do not shrink as gates do.
// From 20 nm up (planar transistors) the first gives the value, and agrees with CACTI's arrays within an eighth; below, the value is their
// geometric mean. The two are the bounds of the range in either case.
#pragma once

#include "energy/quantity.hpp"

namespace warpwright::energy {

// Nodes that there are data for, in nanometres.
inline constexpr double kFinestNode = 4, kCoarsestNode = 90;

// By what the energy of an operation of logic is multiplied from one node to another. Nodes in nanometres, kFinestNode to kCoarsestNode.
Factor logicScale(double from, double to);

// Arrays of SRAM cells relative to 45 nm: what CACTI 7 gives down to 22 nm (docs/energy.md); below it the energy follows the two laws
// above, the second with the arrays of the same table.
struct ArrayTechnology {
  Factor energy;        // of an access
  double leakage = 0;   // of a bit
  double cellArea = 0;  // square micrometres
};
ArrayTechnology arrayTechnology(double nanometres);

}  // namespace warpwright::energy
