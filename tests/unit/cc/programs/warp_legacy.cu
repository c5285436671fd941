// FLAGS: -arch=sm_35
// PTX: shfl.down.b32
// PTX: shfl.idx.b32
// PTX: vote.ballot.b32
// PTX: vote.all.pred
__global__ void kernel(int* i, float* f, double* d) {
  *i = __shfl(*i, 3) + __shfl_up(*i, 1) + __shfl_down(*i, 1) + __shfl_xor(*i, 1);
  *f = __shfl_down(*f, 4, 8), *d = __shfl(*d, 0);
  *i += __all(*i) + __any(*i) + __ballot(*i);
}
int main() { return 0; }
