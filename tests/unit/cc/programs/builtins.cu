// PTX: %tid.x
// PTX: %ctaid.y
// PTX: %ntid.z
// PTX: %nctaid.x
// PTX: .maxntid 128, 1, 1
// PTX: .minnctapersm 2
// PTX: .shared .align 4
// PTX: .const .align 4
// PTX: bar.sync
__constant__ float table[16];
__device__ int counter = 5;
__managed__ int shared_with_host;
extern __shared__ float dynamic[];

__device__ __noinline__ float notInlined(float x) { return x + table[threadIdx.x & 15]; }
__host__ __device__ __forceinline__ int both(int x) { return x * 3; }

__global__ void __launch_bounds__(128, 2) kernel(float* __restrict__ out, const __grid_constant__ int n) {
  __shared__ float tile[32];
  const dim3 where = threadIdx;
  const uint3 block = blockIdx;
  tile[where.x & 31] = block.y + blockDim.z + gridDim.x + warpSize;
  dynamic[threadIdx.y] = tile[0];
  __syncthreads();
  out[both(n)] = notInlined(tile[3]) + dynamic[1] + counter + shared_with_host;
}

template <typename T, int N>
__global__ void generic(T* out) {
  auto twice = [](T x) { return 2 * x; };
#pragma unroll
  for (int i = 0; i < N; ++i) out[i] = twice(out[i]);
}

int main() {
  float* out;
  cudaMalloc(&out, 1024);
  shared_with_host = 3;
  float host[16] = {};
  cudaMemcpyToSymbol(table, host, sizeof host);
  kernel<<<dim3(2, 2), 128, 256>>>(out, 1);
  generic<float, 4><<<1, 1, 0, 0>>>(out);
  return cudaDeviceSynchronize();
}
