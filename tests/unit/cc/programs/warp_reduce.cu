// FLAGS: -arch=sm_80
// PTX: redux.sync.add.s32
// PTX: redux.sync.min.u32
// PTX: redux.sync.max.s32
// PTX: redux.sync.xor.b32
__global__ void kernel(int* i, unsigned* u) {
  const unsigned all = 0xffffffffu;
  *i = __reduce_add_sync(all, *i) + __reduce_min_sync(all, *i) + __reduce_max_sync(all, *i);
  *u = __reduce_min_sync(all, *u) + __reduce_max_sync(all, *u) + __reduce_and_sync(all, *u) + __reduce_or_sync(all, *u) + __reduce_xor_sync(all, *u);
}
int main() { return 0; }
