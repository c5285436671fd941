// Not installed.
#error "Thrust (<thrust/gather.h>) is not installed: install Debian's libthrust-dev and libcub-dev, or name the folder of another release with -I, such as that of NVIDIA's toolkit with -I/usr/local/cuda/include/cccl -DCUDA_VERSION=12040."
