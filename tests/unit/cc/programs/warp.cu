// PTX: shfl.sync.idx.b32
// PTX: shfl.sync.up.b32
// PTX: shfl.sync.down.b32
// PTX: shfl.sync.bfly.b32
// PTX: vote.sync.all.pred
// PTX: vote.sync.any.pred
// PTX: vote.sync.ballot.b32
// PTX: activemask.b32
// PTX: match.any.sync.b32
// PTX: match.all.sync.b64
// PTX: bar.warp.sync
// PTX: bar.red.popc.u32
// PTX: bar.red.and.pred
// PTX: bar.red.or.pred
// PTX: membar.cta
// PTX: membar.gl
// PTX: membar.sys
// PTX: nanosleep.u32
// PTX: %clock64
// PTX: %globaltimer
// PTX: trap;
// PTX: brkpt;
__global__ void kernel(int* i, unsigned* u, long long* l, unsigned long long* ul, float* f, double* d, long* n, unsigned long* m) {
  const unsigned all = 0xffffffffu;
  *i = __shfl_sync(all, *i, 3), *u = __shfl_up_sync(all, *u, 1), *l = __shfl_down_sync(all, *l, 2), *f = __shfl_xor_sync(all, *f, 16);
  *d = __shfl_down_sync(all, *d, 1, 16), *ul = __shfl_sync(all, *ul, 0), *n = __shfl_xor_sync(all, *n, 1), *m = __shfl_sync(all, *m, 1);
  *i += __all_sync(all, *i) + __any_sync(all, *i) + __uni_sync(all, *i);
  *u += __ballot_sync(all, *i) + __activemask() + __fns(*u, 0, 2);
  int predicate;
  *u += __match_any_sync(all, *u) + __match_all_sync(all, *d, &predicate) + predicate + __match_any_sync(all, *l);
  __syncwarp();
  *i += __syncthreads_count(*i) + __syncthreads_and(*i) + __syncthreads_or(*i);
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  __nanosleep(100);
  *l += clock64() + clock() + __globaltimer();
  if (*i == 77) __trap();
  if (*i == 78) __brkpt();
}
int main() { return 0; }
