# For projects that use CMake's CUDA language: cmake -DCMAKE_TOOLCHAIN_FILE=PREFIX/share/warpwright/toolchain.cmake …
# CMake takes warpwright-cc for clang, which it is, and looks for a CUDA tool kit besides; the folder `toolkit` beside this file stands for it.
get_filename_component(warpwright_prefix ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
set(CMAKE_CUDA_COMPILER ${warpwright_prefix}/bin/warpwright-cc)
set(CUDAToolkit_ROOT ${CMAKE_CURRENT_LIST_DIR}/toolkit)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 75)
endif()
set(CMAKE_USER_MAKE_RULES_OVERRIDE_CUDA ${CMAKE_CURRENT_LIST_DIR}/rules.cmake)
# Device code is linked when the program is (CUDA_SEPARABLE_COMPILATION); there is no step before it.
set(CMAKE_CUDA_RESOLVE_DEVICE_SYMBOLS OFF)
