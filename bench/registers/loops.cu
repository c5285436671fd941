// Kernels that nothing in the compiler was chosen on: tools/compare-registers loops compares their registers with those of ptxas.
extern "C" {
__global__ void horner(float* y, const float* c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float x = y[i], r = 0;
  for (int k = 0; k < n; ++k) r = r * x + c[k];
  y[i] = r;
}
__global__ void histogram(unsigned* bins, const unsigned char* data, int n) {
  __shared__ unsigned h[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) h[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&h[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], h[i]);
}
__global__ void gemv(float* y, const float* a, const float* x, int rows, int columns) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0;
  for (int c = 0; c < columns; ++c) s += a[(size_t)r * columns + c] * x[c];
  y[r] = s;
}
__global__ void nbody(float4* acc, const float4* p, int n) {
  __shared__ float4 tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i];
  float3 s = {0, 0, 0};
  for (int t = 0; t < n; t += 128) {
    tile[threadIdx.x] = p[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k) {
      float4 q = tile[k];
      float dx = q.x - me.x, dy = q.y - me.y, dz = q.z - me.z;
      float d = dx * dx + dy * dy + dz * dz + 1e-4f;
      float inv = rsqrtf(d);
      float f = q.w * inv * inv * inv;
      s.x += dx * f;
      s.y += dy * f;
      s.z += dz * f;
    }
    __syncthreads();
  }
  acc[i] = make_float4(s.x, s.y, s.z, 0);
}
__global__ void mandelbrot(int* out, int w, int h, float x0, float y0, float d, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float cx = x0 + x * d, cy = y0 + y * d, zx = 0, zy = 0;
  int k = 0;
  while (k < most && zx * zx + zy * zy < 4) {
    float t = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = t;
    ++k;
  }
  out[y * w + x] = k;
}
__global__ void bitonic(unsigned* data, int j, int k) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, p = i ^ j;
  if (p <= i) return;
  unsigned a = data[i], b = data[p];
  if (((i & k) == 0) == (a > b)) {
    data[i] = b;
    data[p] = a;
  }
}
__global__ void bitonicShared(unsigned* data) {
  __shared__ unsigned s[512];
  unsigned t = threadIdx.x;
  s[t] = data[blockIdx.x * 512 + t];
  for (unsigned k = 2; k <= 512; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      unsigned p = t ^ j;
      if (p > t && ((t & k) == 0) == (s[t] > s[p])) {
        unsigned x = s[t];
        s[t] = s[p];
        s[p] = x;
      }
    }
  __syncthreads();
  data[blockIdx.x * 512 + t] = s[t];
}
__global__ void levenshtein(int* d, const char* a, const char* b, int n, int m) {
  extern __shared__ int row[];
  int t = threadIdx.x;
  for (int j = t; j <= m; j += blockDim.x) row[j] = j;
  __syncthreads();
  if (t == 0)
    for (int i = 1; i <= n; ++i) {
      int diag = row[0];
      row[0] = i;
      for (int j = 1; j <= m; ++j) {
        int up = row[j];
        int c = diag + (a[i - 1] != b[j - 1]);
        int v = min(min(up + 1, row[j - 1] + 1), c);
        diag = up;
        row[j] = v;
      }
    }
  __syncthreads();
  if (t == 0) *d = row[m];
}
__global__ void jacobi3(float* o, const float* in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= n - 1 || y >= n - 1) return;
  for (int z = 1; z < n - 1; ++z) {
    size_t i = ((size_t)z * n + y) * n + x;
    o[i] = (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - (size_t)n * n] + in[i + (size_t)n * n]) * (1.0f / 6);
  }
}
__global__ void fir(float* o, const float* in, const float* taps, int n) {
  __shared__ float t[32];
  if (threadIdx.x < 32) t[threadIdx.x] = taps[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int k = 0; k < 32; ++k) s += in[i + k] * t[k];
  o[i] = s;
}
__global__ void crc32(unsigned* out, const unsigned* data, int words) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, c = ~0u;
  for (int w = 0; w < words; ++w) {
    c ^= data[i * words + w];
    for (int b = 0; b < 32; ++b) c = (c >> 1) ^ (0xedb88320u & -(c & 1));
  }
  out[i] = ~c;
}
__global__ void sumDoubles(double* out, const double* in, int n) {
  double s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) s += in[i] * in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void gemm4(float* c, const float* a, const float* b, int n) {
  __shared__ float ta[16][64], tb[16][64];
  float s[4][4] = {};
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  for (int k0 = 0; k0 < n; k0 += 16) {
    for (int i = 0; i < 4; ++i) {
      int e = threadIdx.x + i * 256;
      ta[e / 64][e % 64] = a[(size_t)(k0 + e / 64) * n + blockIdx.y * 64 + e % 64];
      tb[e / 64][e % 64] = b[(size_t)(k0 + e / 64) * n + blockIdx.x * 64 + e % 64];
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) s[i][j] += ta[k][ty * 4 + i] * tb[k][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) c[(size_t)(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = s[i][j];
}
__global__ void primes(unsigned* out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool p = i > 1;
  for (unsigned d = 2; d * d <= i && p; ++d) p = i % d != 0;
  out[i] = p;
}
__global__ void gatherRows(float* o, const float* in, const int* idx, int rows, int width) {
  for (int r = blockIdx.x; r < rows; r += gridDim.x)
    for (int c = threadIdx.x; c < width; c += blockDim.x) o[(size_t)r * width + c] = in[(size_t)idx[r] * width + c];
}
__global__ void prefixMax(int* data, int n) {
  __shared__ int s[256];
  int t = threadIdx.x, carry = -2147483647;
  for (int base = 0; base < n; base += 256) {
    s[t] = data[base + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
      int v = t >= d ? s[t - d] : -2147483647;
      __syncthreads();
      s[t] = max(s[t], v);
      __syncthreads();
    }
    data[base + t] = max(s[t], carry);
    carry = max(carry, s[255]);
    __syncthreads();
  }
}
}
