// What a tagged register file can be like: [mechanism.affine-tags].
#pragma once

#include <span>

#include "base/types.hpp"
#include "config/field.hpp"

namespace warpwright::mechanisms::affine_tags {

enum class Detection : u8 { registers, code };

struct Settings {
  Detection detection = Detection::registers;
  bool powersAsShifts = false;
  // Of the timed machine.
  bool shortOccupancy = true, operandsApart = false, reissueConversions = false, scalarPipe = false;
};

std::span<const config::Row<Settings>> rows();

}  // namespace warpwright::mechanisms::affine_tags
