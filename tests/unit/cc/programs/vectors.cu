// PTX: ld.global.v4.f32
// PTX: st.global.v2.f64
static_assert(sizeof(float3) == 12 && alignof(float3) == 4 && alignof(float4) == 16 && alignof(int2) == 8 && alignof(uchar4) == 4);
static_assert(alignof(short4) == 8 && alignof(double2) == 16 && alignof(double4) == 16 && alignof(longlong2) == 16 && sizeof(char3) == 3);
__global__ void kernel(float4* f, double2* d, uchar4* c, ushort2* s, longlong2* l, uint3* u, float1* one, ulonglong4* big, long2* n) {
  float4 v = f[threadIdx.x];
  f[0] = make_float4(v.w, v.z, v.y, v.x);
  d[0] = make_double2(v.x, v.y);
  c[0] = make_uchar4(1, 2, 3, 4), s[0] = make_ushort2(1, 2), l[0] = make_longlong2(1, 2), u[0] = make_uint3(1, 2, 3), one[0] = make_float1(1);
  big[0] = make_ulonglong4(1, 2, 3, 4), n[0] = make_long2(1, 2);
}
int main() {
  float3 v = make_float3(1, 2, 3);
  float4 w = {1, 2, 3, 4};
  dim3 grid(3, 4), block = 32;
  return v.x + w.y + grid.z + block.y - 5;
}
