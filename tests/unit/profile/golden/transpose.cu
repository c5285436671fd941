// What the events of report_test.cpp stand for; never compiled.
__global__ void transpose(const float *in, float *out, int *sum) {
  __shared__ float tile[32][32];
  int x = threadIdx.x;
  tile[x][0] = in[x];
  if (x < 16) out[x * 32] = tile[0][x];
  atomicAdd(sum, x);
}
