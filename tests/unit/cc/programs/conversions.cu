// PTX: cvt.rni.s32.f32
// PTX: cvt.rmi.s32.f32
// PTX: cvt.rpi.u32.f32
// PTX: cvt.rzi.s64.f64
// PTX: cvt.rm.f32.f64
// PTX: cvt.rp.f32.s32
// PTX: cvt.rp.f64.u64
// PTX: cvt.rm.f64.s64
__global__ void kernel(float* f, double* d, int* i, unsigned* u, long long* l, unsigned long long* m) {
  *i = __float2int_rn(*f) + __float2int_rd(*f) + __float2int_ru(*f) + __float2int_rz(*f) + __double2int_rn(*d) + __double2int_rz(*d);
  *u = __float2uint_ru(*f) + __double2uint_rd(*d);
  *l = __float2ll_rn(*f) + __double2ll_rz(*d);
  *m = __float2ull_rz(*f) + __double2ull_rn(*d);
  *f = __double2float_rd(*d) + __int2float_ru(*i) + __uint2float_rn(*u) + __ll2float_rd(*l) + __ull2float_rz(*m);
  *d = __int2double_rn(*i) + __uint2double_rn(*u) + __ll2double_rd(*l) + __ull2double_ru(*m);
  *i += __float_as_int(*f) + __double2hiint(*d) + __double2loint(*d);
  *u += __float_as_uint(*f);
  *f += __int_as_float(*i) + __uint_as_float(*u);
  *l += __double_as_longlong(*d);
  *d += __longlong_as_double(*l) + __hiloint2double(*i, *i);
}
int main() { return 0; }
