// PTX: tex.2d.v4.f32.f32
// PTX: tex.1d.v4.f32.s32
// PTX: tld4.r.2d.v4.f32.f32
// PTX: suld.b.2d.b32
// PTX: sust.b.2d.b32
// Textures and surfaces.
__global__ void fetch(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float4* out, float x) {
  float4 sum = tex2D<float4>(texture, x, 1.0f);
  const float first = tex1Dfetch<float>(texture, threadIdx.x);
  const float4 corners = tex2Dgather<float4>(texture, x, x);
  sum = make_float4(first, corners.y, sum.x, surf2Dread<float>(surface, 4, threadIdx.y));
  surf2Dwrite(sum.w, surface, 0, 0);
  out[threadIdx.x] = sum;
}
