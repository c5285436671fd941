# Read by CMake for the CUDA language: whatever holds CUDA code is linked by warpwright-cc, also where most of it is C++ (whose
# preference is 30), because that links the device code and finds the runtime.
set(CMAKE_CUDA_LINKER_PREFERENCE 50)
