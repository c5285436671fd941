// min, max and abs for every pair of arithmetic types, on host and device, in the global namespace as CUDA has them.
#pragma once

#define WARPWRIGHT_MINMAX(Result, A, B)                                                                 \
  WARPWRIGHT_HOST_DEVICE Result min(A a, B b) { return (Result)a < (Result)b ? (Result)a : (Result)b; } \
  WARPWRIGHT_HOST_DEVICE Result max(A a, B b) { return (Result)a > (Result)b ? (Result)a : (Result)b; }

WARPWRIGHT_MINMAX(int, int, int)
WARPWRIGHT_MINMAX(unsigned, unsigned, unsigned)
WARPWRIGHT_MINMAX(unsigned, int, unsigned)
WARPWRIGHT_MINMAX(unsigned, unsigned, int)
WARPWRIGHT_MINMAX(long, long, long)
WARPWRIGHT_MINMAX(unsigned long, unsigned long, unsigned long)
WARPWRIGHT_MINMAX(unsigned long, long, unsigned long)
WARPWRIGHT_MINMAX(unsigned long, unsigned long, long)
WARPWRIGHT_MINMAX(long long, long long, long long)
WARPWRIGHT_MINMAX(unsigned long long, unsigned long long, unsigned long long)
WARPWRIGHT_MINMAX(unsigned long long, long long, unsigned long long)
WARPWRIGHT_MINMAX(unsigned long long, unsigned long long, long long)
#undef WARPWRIGHT_MINMAX

// A NaN loses against a number, as in fmin and fmax.
WARPWRIGHT_HOST_DEVICE float min(float a, float b) { return __builtin_fminf(a, b); }
WARPWRIGHT_HOST_DEVICE float max(float a, float b) { return __builtin_fmaxf(a, b); }
WARPWRIGHT_HOST_DEVICE double min(double a, double b) { return __builtin_fmin(a, b); }
WARPWRIGHT_HOST_DEVICE double max(double a, double b) { return __builtin_fmax(a, b); }
WARPWRIGHT_HOST_DEVICE double min(float a, double b) { return __builtin_fmin(a, b); }
WARPWRIGHT_HOST_DEVICE double max(float a, double b) { return __builtin_fmax(a, b); }
WARPWRIGHT_HOST_DEVICE double min(double a, float b) { return __builtin_fmin(a, b); }
WARPWRIGHT_HOST_DEVICE double max(double a, float b) { return __builtin_fmax(a, b); }

WARPWRIGHT_DEVICE unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
WARPWRIGHT_DEVICE unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
WARPWRIGHT_DEVICE long long llmin(long long a, long long b) { return a < b ? a : b; }
WARPWRIGHT_DEVICE long long llmax(long long a, long long b) { return a > b ? a : b; }
WARPWRIGHT_DEVICE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
WARPWRIGHT_DEVICE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
