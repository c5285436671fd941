// Code loaded at run time by the runtime API.
#include "check.hpp"

static const char kPtx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .u32 base = 100;\n"
    ".visible .entry put(.param .u32 value, .param .u64 out)\n{\n  .reg .u32 %r<4>;\n  .reg .u64 %d<2>;\n  ld.param.u32 %r0, [value];\n"
    "  ld.param.u64 %d0, [out];\n  ld.global.u32 %r1, [base];\n  add.u32 %r2, %r0, %r1;\n  st.global.u32 [%d0], %r2;\n  ret;\n}\n";

int main() {
  Buffer<int> out(1);
  cudaLibrary_t library;
  CUDA(cudaLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  unsigned count = 0;
  CUDA(cudaLibraryGetKernelCount(&count, library));
  check::that(count == 1, "one kernel");
  cudaKernel_t put, none;
  CUDA(cudaLibraryGetKernel(&put, library, "put"));
  check::code(cudaLibraryGetKernel(&none, library, "none"), cudaErrorSymbolNotFound, "a kernel that is not there");
  cudaGetLastError();
  int value = 7;
  int* address = out;
  void* arguments[] = {&value, &address};
  CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(put), dim3(1), dim3(1), arguments, 0, nullptr));
  check::same(out.read(), std::vector<int>(1, 107), "value and base");
  void* base = nullptr;
  size_t bytes = 0;
  CUDA(cudaLibraryGetGlobal(&base, &bytes, library, "base"));
  check::that(bytes == 4, "the variable's size");
  CUDA(cudaMemset(base, 0, bytes));
  CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(put), dim3(1), dim3(1), arguments, 0, nullptr));
  check::same(out.read(), std::vector<int>(1, 7), "value and nothing");
  CUDA(cudaLibraryUnload(library));
  check::code(cudaLibraryUnload(library), cudaErrorInvalidResourceHandle, "unload it again");
  cudaGetLastError();
  return check::finish();
}
