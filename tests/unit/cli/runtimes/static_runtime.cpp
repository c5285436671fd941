// What betrays a program with NVIDIA's runtime in it: registered device code, and the name by which that runtime finds the driver.
__attribute__((section(".nv_fatbin"), used)) static const char deviceCode[16] = {};

static const char* volatile driver = "libcuda.so.1";

int main() { return *driver == 'l' ? 0 : 1; }
