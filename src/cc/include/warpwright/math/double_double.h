// Numbers as unevaluated sums of two: high + low, |low| at most half a unit in the last place of high.
// Error-free transformations after Knuth and Dekker, products with one fused multiply-add.
#pragma once

#include "warpwright/math/define.h"

namespace warpwright::math {

template <typename T>
struct Pair {
  T high, low;
};
using DoublePair = Pair<double>;
using FloatPair = Pair<float>;

// x + y exactly.
template <typename T>
WARPWRIGHT_MATH Pair<T> twoSum(T x, T y) {
  T sum = addRn(x, y);
  T part = addRn(sum, -x);
  return {sum, addRn(addRn(x, -addRn(sum, -part)), addRn(y, -part))};
}

// The same when |x| >= |y| or x is 0.
template <typename T>
WARPWRIGHT_MATH Pair<T> fastTwoSum(T x, T y) {
  T sum = addRn(x, y);
  return {sum, addRn(y, -addRn(sum, -x))};
}

// x * y exactly.
template <typename T>
WARPWRIGHT_MATH Pair<T> twoProduct(T x, T y) {
  T product = mulRn(x, y);
  return {product, fma(x, y, -product)};
}

template <typename T>
WARPWRIGHT_MATH Pair<T> add(Pair<T> x, Pair<T> y) {
  Pair<T> sum = twoSum(x.high, y.high);
  return fastTwoSum(sum.high, sum.low + (x.low + y.low));
}

template <typename T>
WARPWRIGHT_MATH Pair<T> add(Pair<T> x, T y) {
  Pair<T> sum = twoSum(x.high, y);
  return fastTwoSum(sum.high, sum.low + x.low);
}

template <typename T>
WARPWRIGHT_MATH Pair<T> multiply(Pair<T> x, Pair<T> y) {
  Pair<T> product = twoProduct(x.high, y.high);
  return fastTwoSum(product.high, fma(x.high, y.low, fma(x.low, y.high, product.low)));
}

template <typename T>
WARPWRIGHT_MATH Pair<T> multiply(Pair<T> x, T y) {
  Pair<T> product = twoProduct(x.high, y);
  return fastTwoSum(product.high, fma(x.low, y, product.low));
}

template <typename T>
WARPWRIGHT_MATH Pair<T> divide(Pair<T> x, Pair<T> y) {
  T quotient = x.high / y.high;
  // The remainder of the first quotient is exact up to the low parts.
  T remainder = fma(-quotient, y.high, x.high) + fma(-quotient, y.low, x.low);
  return fastTwoSum(quotient, remainder / y.high);
}

}  // namespace warpwright::math
