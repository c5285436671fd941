// Points of programs at which mechanisms read or change registers of kernels (mechanisms::Mechanism::registersFor).
#pragma once

#include "mechanisms/mechanism.hpp"
#include "ptx/module.hpp"

namespace warpwright::runtime {

// Throws Error for a register that a kernel does not have, or that does not fit.
void addPoints(ptx::Module& module, const mechanisms::Mechanisms& mechanisms);

}  // namespace warpwright::runtime
