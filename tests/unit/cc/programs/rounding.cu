// PTX: add.rz.f32
// PTX: add.rm.f64
// PTX: mul.rp.f32
// PTX: fma.rz.f32
// PTX: fma.rp.f64
// PTX: div.rm.f32
// PTX: div.rn.f64
// PTX: rcp.rp.f32
// PTX: sqrt.rz.f64
// PTX: div.approx.f32
// PTX: sin.approx.f32
// PTX: cos.approx.f32
// PTX: ex2.approx.f32
// PTX: lg2.approx.f32
// PTX: cvt.sat.f32.f32
// PTX: rsqrt.approx.f32
__global__ void kernel(float* f, double* d) {
  *f = __fadd_rn(*f, 1) + __fadd_rz(*f, 2) + __fsub_ru(*f, 3) + __fmul_ru(*f, 4) + __fmul_rd(*f, 5) + __fmaf_rz(*f, *f, *f) + __fmaf_rn(*f, 2, 3);
  *f += __fdiv_rd(*f, 3) + __frcp_ru(*f) + __fsqrt_rn(*f) + __fsqrt_rz(*f) + __fdividef(*f, 7) + __saturatef(*f) + rsqrtf(*f);
  *d = __dadd_rd(*d, 1) + __dsub_rn(*d, 2) + __dmul_rz(*d, 3) + __fma_ru(*d, *d, *d) + __ddiv_rn(*d, 3) + __drcp_rn(*d) + __dsqrt_rz(*d);
  *f += __sinf(*f) + __cosf(*f) + __tanf(*f) + __expf(*f) + __exp10f(*f) + __logf(*f) + __log2f(*f) + __log10f(*f) + __powf(*f, 3);
  float s, c;
  __sincosf(*f, &s, &c);
  *f += s * c + fdividef(*f, 3);
}
int main() { return 0; }
