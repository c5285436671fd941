// __managed__ variables. Their host copies share one ELF section per program or library; its bounds are reported to the runtime
// before main, which then treats a registered variable inside them as one memory: host to device before a launch, device to host
// when the host waits. Both symbols are weak: a program without managed variables has no such section.
#pragma once

#ifndef __CUDA_ARCH__
extern "C" {
extern char __start_warpwright_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_warpwright_managed[] __attribute__((weak, visibility("hidden")));
void __warpwrightRegisterManaged(void* begin, void* end) __attribute__((weak));
}

static __attribute__((constructor)) void __warpwrightReportManaged() {
  if (__warpwrightRegisterManaged && __start_warpwright_managed) {
    __warpwrightRegisterManaged(__start_warpwright_managed, __stop_warpwright_managed);
  }
}
#endif
