#include "mechanisms/memory_classes/settings.hpp"

#include <array>

namespace warpwright::mechanisms::memory_classes {

std::span<const config::Row<Settings>> rows() {
  static const std::array kRows{
      config::choice<&Settings::floatAffine>("float_affine",
                                             "vectors that are affine as single-precision numbers count as affine, in private memory; "
                                             "Collange and Kouyoumdjian, section 2.3: integers only"),
  };
  return kRows;
}

}  // namespace warpwright::mechanisms::memory_classes
