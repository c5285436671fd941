// Comes where the simulator's own library is missing.
#error "Warpwright's own <curand.h> is not there: build all of Warpwright (cmake --build build), or install it as a whole, for its libcurand"
