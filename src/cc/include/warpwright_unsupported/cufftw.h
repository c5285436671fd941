// Out of scope.
#error "NVIDIA's <cufftw.h> is out of scope for warpwright-cc: only kernels that are part of the program run on the simulated machine. Replace it by a kernel or by host code."
