// Conversions with a named rounding mode (cvt), and bits as numbers.
#pragma once

// PTX has an instruction for each mode: rn nearest even, rz to zero, rd down (cvt.rmi), ru up (cvt.rpi).
#define WARPWRIGHT_CONVERT_MODES(name, builtin, To, From)                         \
  WARPWRIGHT_DEVICE To name##_rn(From x) { return (To)__nvvm_##builtin##_rn(x); } \
  WARPWRIGHT_DEVICE To name##_rz(From x) { return (To)__nvvm_##builtin##_rz(x); } \
  WARPWRIGHT_DEVICE To name##_rd(From x) { return (To)__nvvm_##builtin##_rm(x); } \
  WARPWRIGHT_DEVICE To name##_ru(From x) { return (To)__nvvm_##builtin##_rp(x); }

WARPWRIGHT_CONVERT_MODES(__float2int, f2i, int, float)
WARPWRIGHT_CONVERT_MODES(__float2uint, f2ui, unsigned, float)
WARPWRIGHT_CONVERT_MODES(__float2ll, f2ll, long long, float)
WARPWRIGHT_CONVERT_MODES(__float2ull, f2ull, unsigned long long, float)
WARPWRIGHT_CONVERT_MODES(__double2int, d2i, int, double)
WARPWRIGHT_CONVERT_MODES(__double2uint, d2ui, unsigned, double)
WARPWRIGHT_CONVERT_MODES(__double2ll, d2ll, long long, double)
WARPWRIGHT_CONVERT_MODES(__double2ull, d2ull, unsigned long long, double)
WARPWRIGHT_CONVERT_MODES(__double2float, d2f, float, double)
WARPWRIGHT_CONVERT_MODES(__int2float, i2f, float, int)
WARPWRIGHT_CONVERT_MODES(__uint2float, ui2f, float, unsigned)
WARPWRIGHT_CONVERT_MODES(__ll2float, ll2f, float, long long)
WARPWRIGHT_CONVERT_MODES(__ull2float, ull2f, float, unsigned long long)
WARPWRIGHT_CONVERT_MODES(__ll2double, ll2d, double, long long)
WARPWRIGHT_CONVERT_MODES(__ull2double, ull2d, double, unsigned long long)
#undef WARPWRIGHT_CONVERT_MODES

WARPWRIGHT_DEVICE double __int2double_rn(int x) { return x; }
WARPWRIGHT_DEVICE double __uint2double_rn(unsigned x) { return x; }

WARPWRIGHT_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
WARPWRIGHT_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
WARPWRIGHT_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
WARPWRIGHT_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
WARPWRIGHT_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
WARPWRIGHT_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
WARPWRIGHT_DEVICE int __double2hiint(double x) { return (int)(__builtin_bit_cast(unsigned long long, x) >> 32); }
WARPWRIGHT_DEVICE int __double2loint(double x) { return (int)__builtin_bit_cast(unsigned long long, x); }
WARPWRIGHT_DEVICE double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, (unsigned long long)(unsigned)high << 32 | (unsigned)low);
}
