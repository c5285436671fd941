#include "exec/atomics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "isa/evaluate.hpp"

namespace warpwright::exec {
namespace {

using isa::AtomicOp;
using isa::DataType;

template <typename T>
T readPlane(const u32* plane, u32 lane, u32 lanes) {
  if constexpr (sizeof(T) == 8) return std::bit_cast<T>(plane[lane] | static_cast<u64>(plane[lanes + lane]) << 32);
  if constexpr (sizeof(T) == 4) return std::bit_cast<T>(plane[lane]);
  return static_cast<T>(plane[lane]);
}

template <typename T>
void writePlane(u32* plane, u32 lane, u32 lanes, T value) {
  if constexpr (sizeof(T) == 8) {
    const u64 bits = std::bit_cast<u64>(value);
    plane[lane] = static_cast<u32>(bits);
    plane[lanes + lane] = static_cast<u32>(bits >> 32);
  } else if constexpr (sizeof(T) == 4) {
    plane[lane] = std::bit_cast<u32>(value);
  } else {
    plane[lane] = value;
  }
}

float flushed(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value; }

float addFloat(float a, float b) {
  const float sum = a + b;
  return std::isnan(sum) ? std::bit_cast<float>(0x7fff'ffffu) : sum;
}

struct And {
  template <typename T>
  T operator()(T a, T b, T) const {
    return a & b;
  }
};
struct Or {
  template <typename T>
  T operator()(T a, T b, T) const {
    return a | b;
  }
};
struct Xor {
  template <typename T>
  T operator()(T a, T b, T) const {
    return a ^ b;
  }
};
struct Cas {
  template <typename T>
  T operator()(T a, T compare, T value) const {
    return a == compare ? value : a;
  }
};
struct Exchange {
  template <typename T>
  T operator()(T, T b, T) const {
    return b;
  }
};
struct Add {
  template <typename T>
  T operator()(T a, T b, T) const {
    return a + b;
  }
  float operator()(float a, float b, float) const { return addFloat(a, b); }
};
struct AddFlushing {
  float operator()(float a, float b, float) const { return flushed(addFloat(flushed(a), flushed(b))); }
};
struct Increment {
  template <typename T>
  T operator()(T a, T b, T) const {
    return a >= b ? 0 : a + 1;
  }
};
struct Decrement {
  template <typename T>
  T operator()(T a, T b, T) const {
    return a == 0 || a > b ? b : a - 1;
  }
};
struct Min {
  template <typename T>
  T operator()(T a, T b, T) const {
    return std::min(a, b);
  }
};
struct Max {
  template <typename T>
  T operator()(T a, T b, T) const {
    return std::max(a, b);
  }
};

template <typename T, typename Operation>
bool apply(u64 base, const LaneAddresses& addresses, LaneMask mask, const u32* b, const u32* c, u32* result, u32 lanes) {
  bool changed = false;
  for (const LaneId lane : mask) {
    void* target = reinterpret_cast<void*>(base + addresses.lane[lane]);
    T old;
    std::memcpy(&old, target, sizeof(T));
    const T value = Operation{}(old, readPlane<T>(b, lane, lanes), c ? readPlane<T>(c, lane, lanes) : T{});
    // Bits, not values: a zero that changes its sign is a change, a NaN that stays is none.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    changed |= std::memcmp(&old, &value, sizeof(T)) != 0;
    std::memcpy(target, &value, sizeof(T));
    if (result) writePlane(result, lane, lanes, old);
  }
  return changed;
}

template <typename T>
AtomicFunction bitwise(AtomicOp op) {
  switch (op) {
    case AtomicOp::and_:
      return apply<T, And>;
    case AtomicOp::or_:
      return apply<T, Or>;
    case AtomicOp::xor_:
      return apply<T, Xor>;
    case AtomicOp::cas:
      return apply<T, Cas>;
    case AtomicOp::exch:
      return apply<T, Exchange>;
    default:
      return nullptr;
  }
}

template <typename Signed>
AtomicFunction arithmetic(AtomicOp op) {
  using Unsigned = std::make_unsigned_t<Signed>;
  switch (op) {
    case AtomicOp::add:
      return apply<Unsigned, Add>;
    case AtomicOp::min:
      return apply<Signed, Min>;
    case AtomicOp::max:
      return apply<Signed, Max>;
    default:
      return bitwise<Unsigned>(op);
  }
}

template <typename Unsigned>
AtomicFunction unsignedArithmetic(AtomicOp op) {
  switch (op) {
    case AtomicOp::add:
      return apply<Unsigned, Add>;
    case AtomicOp::inc:
      return apply<Unsigned, Increment>;
    case AtomicOp::dec:
      return apply<Unsigned, Decrement>;
    case AtomicOp::min:
      return apply<Unsigned, Min>;
    case AtomicOp::max:
      return apply<Unsigned, Max>;
    default:
      return bitwise<Unsigned>(op);
  }
}

// Additions, minima and maxima of 16-bit floats, alone or in pairs, as the lanes compute them.
template <isa::Opcode O, DataType T>
struct Narrow {
  template <typename Bits>
  Bits operator()(Bits a, Bits b, Bits) const {
    isa::Instruction operation;
    operation.opcode = O;
    operation.type = T;
    return static_cast<Bits>(isa::evaluate(operation, {a, b})[0]);
  }
};

template <typename Bits, DataType T>
AtomicFunction narrowArithmetic(AtomicOp op) {
  switch (op) {
    case AtomicOp::add:
      return apply<Bits, Narrow<isa::Opcode::add, T>>;
    case AtomicOp::min:
      return apply<Bits, Narrow<isa::Opcode::min, T>>;
    case AtomicOp::max:
      return apply<Bits, Narrow<isa::Opcode::max, T>>;
    default:
      return bitwise<Bits>(op);
  }
}

}  // namespace

AtomicFunction atomicFunction(AtomicOp op, DataType type, bool flush) {
  switch (type) {
    case DataType::u16:
    case DataType::s16:
      return bitwise<u16>(op);
    case DataType::u32:
      return unsignedArithmetic<u32>(op);
    case DataType::s32:
      return arithmetic<s32>(op);
    case DataType::u64:
      return unsignedArithmetic<u64>(op);
    case DataType::s64:
      return arithmetic<s64>(op);
    case DataType::f32:
      if (op != AtomicOp::add) return bitwise<u32>(op);
      return flush ? apply<float, AddFlushing> : apply<float, Add>;
    case DataType::f16:
      return narrowArithmetic<u16, DataType::f16>(op);
    case DataType::bf16:
      return narrowArithmetic<u16, DataType::bf16>(op);
    case DataType::f16x2:
      return narrowArithmetic<u32, DataType::f16x2>(op);
    case DataType::bf16x2:
      return narrowArithmetic<u32, DataType::bf16x2>(op);
    case DataType::f64:
      return op == AtomicOp::add ? apply<double, Add> : bitwise<u64>(op);
    default:
      return nullptr;
  }
}

}  // namespace warpwright::exec
