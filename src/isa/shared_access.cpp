#include "isa/shared_access.hpp"

namespace warpwright::isa {
namespace {

// The values of the symbols in one thread, modulo 2^64.
class Values {
 public:
  Values(Dim3 thread, Dim3 block, u32 iteration) : values_{1, thread.x, thread.y, thread.z, block.x, block.y, block.z, iteration} {}

  void add(const DerivedValue& derived) { values_.push_back(of(derived)); }
  u64 of(const std::vector<ThreadTerm>& terms) const {
    u64 sum = 0;
    for (const ThreadTerm& term : terms) {
      u64 product = static_cast<u64>(term.factor);
      for (const ThreadSymbol symbol : term.symbols) product *= values_[static_cast<std::size_t>(symbol)];
      sum += product;
    }
    return sum;
  }

 private:
  u64 of(const ThreadSum& sum) const { return static_cast<u64>(sum.constant) + of(sum.terms); }
  u64 of(const DerivedValue& derived) const {
    using enum DerivedValue::Operation;
    const u64 left = of(derived.left), right = of(derived.right);
    const bool isShift = right < 32;  // others leave the sign, or nothing
    switch (derived.operation) {
      case and_:
        return left & right;
      case or_:
        return left | right;
      case xor_:
        return left ^ right;
      case shl:
        return isShift ? left << right : 0;
      case shr:
        return static_cast<u64>(static_cast<s64>(left) >> (isShift ? right : 63));
      case unsignedShr:
        return isShift ? static_cast<u32>(left) >> right : 0;
    }
    return 0;
  }

  std::vector<u64> values_;
};

}  // namespace

s64 offsetOf(const SharedAccess& access, Dim3 thread, Dim3 block, u32 iteration) {
  Values values(thread, block, iteration);
  if (access.derived)
    for (const DerivedValue& each : *access.derived) values.add(each);
  return static_cast<s64>(access.base + values.of(access.terms));
}

}  // namespace warpwright::isa
