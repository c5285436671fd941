#include "sm/statistics.hpp"

namespace warpwright::sm {

std::string_view name(Slot slot) {
  switch (slot) {
    case Slot::issued:
      return "issued";
    case Slot::subWarps:
      return "sub_warps";
    case Slot::assist:
      return "assist";
    case Slot::memoryStructural:
      return "memory_structural";
    case Slot::bankConflict:
      return "bank_conflict";
    case Slot::computeStructural:
      return "compute_structural";
    case Slot::writeBackConflict:
      return "write_back_conflict";
    case Slot::heldBack:
      return "held_back";
    case Slot::memoryDependence:
      return "memory_dependence";
    case Slot::computeDependence:
      return "compute_dependence";
    case Slot::barrier:
      return "barrier";
    case Slot::fence:
      return "fence";
    case Slot::fetch:
      return "fetch";
    case Slot::noWarp:
      return "no_warp";
  }
  return "";
}

}  // namespace warpwright::sm
