// PTX: atom.global.add.u32
// PTX: atom.global.add.f32
// PTX: atom.global.add.f64
// PTX: atom.global.add.u64
// PTX: atom.cta.add.s32
// PTX: atom.sys.add.s32
// PTX: atom.global.exch.b32
// PTX: atom.global.exch.b64
// PTX: atom.global.min.s32
// PTX: atom.global.max.u64
// PTX: inc.u32
// PTX: dec.u32
// PTX: atom.global.cas.b32
// PTX: atom.global.cas.b64
// PTX: atom.global.and.b32
// PTX: atom.global.or.b64
// PTX: atom.global.xor.b32
// PTX: atom.shared.add.u32
__global__ void kernel(int* i, unsigned* u, unsigned long long* l, long long* s, float* f, double* d, unsigned short* h) {
  __shared__ int bins[32];
  atomicAdd(&bins[threadIdx.x], 1);
  atomicAdd(i, 1), atomicAdd(u, 2u), atomicAdd(l, 3ull), atomicAdd(f, 4.0f), atomicAdd(d, 5.0);
  atomicAdd_block(i, 1), atomicAdd_system(i, 1), atomicAdd_block(d, 1.0), atomicAdd_system(f, 1.0f);
  atomicSub(i, 1), atomicSub(u, 1u), atomicSub_block(i, 2);
  atomicExch(i, 7), atomicExch(u, 8u), atomicExch(l, 9ull), atomicExch(f, 1.0f), atomicExch(d, 2.0);
  atomicMin(i, 1), atomicMin(u, 1u), atomicMin(l, 1ull), atomicMin(s, 1ll);
  atomicMax(i, 1), atomicMax(u, 1u), atomicMax(l, 1ull), atomicMax(s, 1ll), atomicMax_block(s, 1ll), atomicMin_system(u, 1u);
  atomicInc(u, 10), atomicDec(u, 10), atomicInc_block(u, 10), atomicDec_system(u, 10);
  atomicCAS(i, 1, 2), atomicCAS(u, 1u, 2u), atomicCAS(l, 1ull, 2ull), atomicCAS(h, (unsigned short)1, (unsigned short)2);
  atomicCAS_block(i, 1, 2), atomicCAS_system(l, 1ull, 2ull);
  atomicAnd(i, 1), atomicAnd(u, 1u), atomicAnd(l, 1ull);
  atomicOr(i, 1), atomicOr(u, 1u), atomicOr(l, 1ull), atomicOr_block(u, 1u);
  atomicXor(i, 1), atomicXor(u, 1u), atomicXor(l, 1ull), atomicXor_system(l, 1ull);
}
int main() { return 0; }
