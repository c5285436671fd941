// FLAGS: -use_fast_math
// PTX: div.approx.ftz.f32
// PTX: sin.approx.ftz.f32
// PTX: ex2.approx.ftz.f32
// PTX: lg2.approx.ftz.f32
__global__ void kernel(float* f) { *f = sinf(*f) + expf(*f) + logf(*f) + powf(*f, 3.0f) + *f / 3.0f; }
int main() { return 0; }
