// PTX: ld.global.nc.f32
// PTX: ld.global.ca.s32
// PTX: ld.global.cg.v4.f32
// PTX: ld.global.cs.v2.f64
// PTX: ld.global.cv.u64
// PTX: st.global.wb.f32
// PTX: st.global.cg.v4.s32
// PTX: st.global.cs.u8
// PTX: st.global.wt.v2.f32
// PTX: isspacep.shared
// PTX: isspacep.global
__global__ void kernel(float* f, int* i, float4* f4, double2* d2, unsigned long long* m, int4* i4, unsigned char* c, float2* f2, short* s, char4* c4) {
  __shared__ int local[4];
  *f = __ldg(f + 1) + __ldg(i) + __ldg(f4).x + __ldg(d2).y + __ldg(m) + __ldg(c) + __ldg(s) + __ldg(c4).z;
  *i = __ldca(i + 1) + __ldcs(d2).x + __ldcv(m) + __ldcg(f4).w;
  __stwb(f, 1.0f), __stcg(i4, make_int4(1, 2, 3, 4)), __stcs(c, (unsigned char)3), __stwt(f2, make_float2(1, 2));
  *i += __isShared(local + *i) + __isGlobal(f) + __isConstant(f) + __isLocal(f);
  *m = __cvta_generic_to_shared(local + *i) + (unsigned long long)__cvta_global_to_generic(__cvta_generic_to_global(f));
}
int main() { return 0; }
