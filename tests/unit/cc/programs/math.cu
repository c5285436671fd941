// The C and CUDA names.
__global__ void doubles(double* d, const double* x, int n) {
  int e;
  double a = x[0], b = x[1], c = x[2], s, t;
  double sum = sin(a) + cos(a) + tan(a) + asin(a) + acos(a) + atan(a) + atan2(a, b) + sinh(a) + cosh(a) + tanh(a) + asinh(a) + acosh(a) + atanh(a);
  sum += exp(a) + exp2(a) + exp10(a) + expm1(a) + log(a) + log2(a) + log10(a) + log1p(a) + logb(a) + ilogb(a) + pow(a, b) + powi(a, n) + pow(a, 3);
  sum += cbrt(a) + rcbrt(a) + sqrt(a) + rsqrt(a) + hypot(a, b) + rhypot(a, b) + norm3d(a, b, c) + norm4d(a, b, c, a) + rnorm3d(a, b, c) + rnorm4d(a, b, c, a);
  sum += norm(n, x) + rnorm(n, x) + erf(a) + erfc(a) + erfcx(a) + erfinv(a) + erfcinv(a) + normcdf(a) + normcdfinv(a) + tgamma(a) + lgamma(a);
  sum += j0(a) + j1(a) + jn(3, a) + y0(a) + y1(a) + yn(3, a) + cyl_bessel_i0(a) + cyl_bessel_i1(a) + fma(a, b, c) + fmod(a, b) + remainder(a, b) + remquo(a, b, &e);
  sum += modf(a, &s) + frexp(a, &e) + ldexp(a, n) + scalbn(a, n) + scalbln(a, 3l) + nextafter(a, b) + floor(a) + ceil(a) + trunc(a) + round(a) + rint(a) + nearbyint(a);
  sum += lrint(a) + llrint(a) + lround(a) + llround(a) + fabs(a) + fmin(a, b) + fmax(a, b) + fdim(a, b) + copysign(a, b) + isinf(a) + isnan(a) + isfinite(a) + signbit(a);
  sum += nan("") + sinpi(a) + cospi(a) + fdivide(a, b);
  sincos(a, &s, &t), sincospi(b, d + 1, d + 2);
  d[0] = sum + s + t;
}
__global__ void floats(float* d, const float* x, int n) {
  int e;
  float a = x[0], b = x[1], c = x[2], s, t;
  float sum = sinf(a) + cosf(a) + tanf(a) + asinf(a) + acosf(a) + atanf(a) + atan2f(a, b) + sinhf(a) + coshf(a) + tanhf(a) + asinhf(a) + acoshf(a) + atanhf(a);
  sum += expf(a) + exp2f(a) + exp10f(a) + expm1f(a) + logf(a) + log2f(a) + log10f(a) + log1pf(a) + logbf(a) + ilogbf(a) + powf(a, b) + powif(a, n);
  sum += cbrtf(a) + rcbrtf(a) + sqrtf(a) + rsqrtf(a) + hypotf(a, b) + rhypotf(a, b) + norm3df(a, b, c) + norm4df(a, b, c, a) + rnorm3df(a, b, c) + rnorm4df(a, b, c, a);
  sum += normf(n, x) + rnormf(n, x) + erff(a) + erfcf(a) + erfcxf(a) + erfinvf(a) + erfcinvf(a) + normcdff(a) + normcdfinvf(a) + tgammaf(a) + lgammaf(a);
  sum += j0f(a) + j1f(a) + jnf(3, a) + y0f(a) + y1f(a) + ynf(3, a) + cyl_bessel_i0f(a) + cyl_bessel_i1f(a) + fmaf(a, b, c) + fmodf(a, b) + remainderf(a, b) + remquof(a, b, &e);
  sum += modff(a, &s) + frexpf(a, &e) + ldexpf(a, n) + scalbnf(a, n) + scalblnf(a, 3l) + nextafterf(a, b) + floorf(a) + ceilf(a) + truncf(a) + roundf(a) + rintf(a) + nearbyintf(a);
  sum += lrintf(a) + llrintf(a) + lroundf(a) + llroundf(a) + fabsf(a) + fminf(a, b) + fmaxf(a, b) + fdimf(a, b) + copysignf(a, b);
  sum += nanf("") + sinpif(a) + cospif(a) + fdividef(a, b) + rsqrt(a) + erfinv(a) + normcdf(a) + sinpi(a) + exp10(a);
  sincosf(a, &s, &t), sincospif(b, d + 1, d + 2);
  d[0] = sum + s + t;
}
int main() { return 0; }
