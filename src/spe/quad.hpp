// A value in a register of an SPU: four words. Copies stand for the same register.
#pragma once

#include <bit>
#include <utility>

#include "spe/values.hpp"

namespace warpwright::spe {

class Quad {
 public:
  Quad() = default;  // of no value: it may only be assigned to
  Quad(Values& values, ValueId id) : values_(&values), id_(id) { values.addHandle(id); }
  Quad(const Quad& other) : values_(other.values_), id_(other.id_) {
    if (values_) values_->addHandle(id_);
  }
  Quad(Quad&& other) noexcept : values_(std::exchange(other.values_, nullptr)), id_(other.id_) {}
  Quad& operator=(Quad other) noexcept {
    std::swap(values_, other.values_);
    std::swap(id_, other.id_);
    return *this;
  }
  ~Quad() {
    if (values_) values_->dropHandle(id_);
  }

  ValueId id() const { return id_; }
  const Words& words() const { return values_->at(id_).words; }
  u32 word(std::size_t lane) const { return words()[lane]; }
  float real(std::size_t lane) const { return std::bit_cast<float>(word(lane)); }

 private:
  Values* values_ = nullptr;
  ValueId id_ = kNoValue;
};

}  // namespace warpwright::spe
